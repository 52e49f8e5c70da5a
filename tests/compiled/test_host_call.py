"""Compiled programs call Python functions on their own arrays."""

import signal

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="needs the extra 'jax'")

from crafter.compiled.host_call import HostCall  # noqa: E402

CALLS = []


def double(inputs, outputs):
    """Doubles all inputs."""
    for given, wanted in zip(inputs, outputs, strict=True):
        wanted[...] = given + given


def fail(inputs, outputs):
    """Raises the error that a number stands for."""
    errors = [ValueError, KeyError, KeyboardInterrupt]
    raise errors[int(inputs[0])]("these words")


DOUBLE, FAIL = HostCall("test_double", double), HostCall("test_fail", fail)


def like(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


def test_functions_get_arrays_of_all_shapes_and_dtypes():
    dtypes = [np.bool_, np.int8, np.uint8, np.int16, np.uint32, np.int32]
    dtypes += [np.float16, np.float32]
    arrays = [np.ones((2, 3), dtype) for dtype in dtypes]
    arrays += [np.float32(3), np.zeros((0, 4), np.int32), np.ones((1, 2, 1, 2), bool)]
    arrays = [np.asarray(array) for array in arrays]
    call = jax.jit(lambda *inputs: DOUBLE([like(array) for array in inputs], *inputs))
    for found, array in zip(call(*arrays), arrays, strict=True):
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(found, array + array)


def test_what_is_raised_ends_the_program_in_the_same_words():
    call = jax.jit(lambda number: FAIL([like(number)], number))
    told = ["ValueError: these words", "KeyError: 'these", "KeyboardInterrupt: these"]
    for number, words in enumerate(told):
        with pytest.raises(jax.errors.JaxRuntimeError, match=words):
            jax.block_until_ready(call(np.int32(number)))


def press_control_c(inputs, outputs):
    """Simulates Ctrl-C in the middle of a call."""
    CALLS.append("pressed")
    signal.raise_signal(signal.SIGINT)
    CALLS.append("finished")


PRESS = HostCall("test_press", press_control_c)


def test_control_c_ends_the_program_after_the_call(control_c):
    CALLS.clear()
    with pytest.raises(jax.errors.JaxRuntimeError, match="CANCELLED: KeyboardInterr"):
        jax.block_until_ready(PRESS([like(np.int32(0))], np.int32(0)))
    assert CALLS == ["pressed", "finished"]
    with pytest.raises(KeyboardInterrupt):  # and works as usual outside of calls
        signal.raise_signal(signal.SIGINT)

"""Batches of games inside compiled JAX programs, with the API of EnvPool.

A program calls the engine through `crafter.compiled.host_call`. The engine writes
observations directly to the program's buffers, without copies.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.error import InvalidAction
from gymnasium.vector import AutoresetMode

from crafter.compiled.host_call import HostCall
from crafter.core import validation

if TYPE_CHECKING:
    from crafter.compiled.env import VectorEnv

# 32 bits, so that programs do not depend on jax_enable_x64.
_SHORT = {np.dtype(np.int64): np.int32, np.dtype(np.float64): np.float32}


class _Host:
    """Host side of the functions: the games behind a handle.

    Args:
      envs: The games.
      final_obs: Whether infos have the last observations of finished episodes.

    Attributes:
      number: Value of the handle.
      outputs: Outputs of a step, a tree of `jax.ShapeDtypeStruct`.
    """

    def __init__(self, envs: VectorEnv, final_obs: bool) -> None:
        self.number = next(_numbers)
        self.envs = envs
        self.outputs = _outputs(envs, final_obs)
        self._tree = jax.tree.structure(self.outputs)
        self._waiting: np.ndarray | None = None
        _hosts[self.number] = self

    def call(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Receives actions, if given, and plays, if results are requested."""
        _here.in_program = True
        try:
            with self.envs.lock:
                if inputs:
                    self._waiting = inputs[0].copy()
                if outputs:
                    self._deliver(*jax.tree.unflatten(self._tree, outputs))
        finally:
            _here.in_program = False

    def _deliver(self, obs: Any, *rest: Any) -> None:
        actions, self._waiting = self._waiting, None
        if actions is None:
            _fill(obs, self.envs.latest_observations())
            results: Any = 0, 0, 0, self.envs.latest_infos()
        else:
            results = self.envs._step_into(obs, actions)
        *arrays, infos = rest
        for array, result in zip(arrays, results):
            array[:] = result
        _fill_infos(infos, results[-1])


_hosts: weakref.WeakValueDictionary[int, _Host] = weakref.WeakValueDictionary()
_numbers = itertools.count()
_here = threading.local()


def _call(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
    """Dispatches a call of a compiled program to the games of its handle."""
    number = int(inputs[0][0])
    host = _hosts.get(number)
    if host is None:
        raise ReferenceError(
            f"Handle {number} is unknown in this process, or its games are gone: keep "
            "the result of xla() as long as programs use it."
        )
    host.call(inputs[1:], outputs[1:])
    outputs[0][:] = inputs[0]


_host_call = HostCall("crafter_batch", _call)


def wait_for_programs() -> None:
    """Waits for programs started by this thread, unless called from one."""
    if not getattr(_here, "in_program", False):
        jax.effects_barrier()


def make(
    envs: VectorEnv, final_obs: bool = False
) -> tuple[np.ndarray, Callable, Callable, Callable]:
    """Builds the result of `VectorEnv.xla`; see there.

    Raises:
      ValueError: If infos have values other than numeric arrays, pixels are
        channels-first, or `final_obs` is used in another mode than `SameStep`.
    """
    if final_obs and envs.autoreset_mode != AutoresetMode.SAME_STEP:
        raise ValueError(
            "final_obs needs autoreset_mode='SameStep', got "
            f"{envs.autoreset_mode.value!r}, where the last step of an episode "
            "already returns them."
        )
    if envs.channels_first:
        validation.fail("channels_first", "False for xla(), which can transpose", True)
    host, count = _Host(envs, final_obs), envs.num_envs
    handle = np.array([host.number], np.int32)
    handle_spec = jax.ShapeDtypeStruct(handle.shape, handle.dtype)

    def inputs(handle: Any, action: Any) -> tuple[jax.Array, jax.Array]:
        return _integers("handle", handle, 1), _integers("actions", action, count)

    def recv(handle: Any) -> Any:
        return _host_call((handle_spec, host.outputs), _integers("handle", handle, 1))

    def send(handle: Any, action: Any) -> Any:
        return _host_call(handle_spec, *inputs(handle, action))

    def step(handle: Any, action: Any) -> Any:
        return _host_call((handle_spec, host.outputs), *inputs(handle, action))

    return handle, recv, send, step


# Inputs.


def _integers(name: str, value: Any, count: int) -> jax.Array:
    array = jnp.asarray(value)
    if array.shape != (count,) or not jnp.issubdtype(array.dtype, jnp.integer):
        raise InvalidAction(
            f"Expected {name} to be integers of shape ({count},), got {array.dtype} of "
            f"shape {array.shape}."
        )
    return array


# Outputs.


def _outputs(envs: VectorEnv, final_obs: bool) -> Any:
    """Returns the shapes and dtypes of the outputs of a step, as a tree."""
    count, space = envs.num_envs, envs.observation_space
    parts = getattr(space, "spaces", None)
    obs = _spec(space) if parts is None else {n: _spec(p) for n, p in parts.items()}
    infos = _info_specs(envs.latest_infos())
    if envs.autoreset_mode == AutoresetMode.SAME_STEP:
        if infos:
            infos["final_info"] = dict(infos)
        if final_obs:
            infos["final_obs"] = obs
    reward = jax.ShapeDtypeStruct((count,), np.float32)
    end = jax.ShapeDtypeStruct((count,), np.bool_)
    return obs, reward, end, end, infos


def _spec(array: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(array.shape, _SHORT.get(array.dtype, array.dtype))


def _info_specs(infos: dict[str, Any]) -> dict[str, Any]:
    """Returns the shapes and dtypes of infos, without masks (all true)."""
    specs: dict[str, Any] = {}
    for name, value in infos.items():
        if name.startswith("_"):
            continue
        if isinstance(value, dict):
            specs[name] = _info_specs(value)
        elif value.dtype.hasobject:
            raise ValueError(
                f"info_keys has {name!r}, which holds Python objects; JAX programs "
                "support only keys that hold numbers."
            )
        else:
            specs[name] = _spec(value)
    return specs


def _fill(arrays: Any, values: Any) -> None:
    """Copies values to arrays, or dicts of them; 0 for missing values."""
    if isinstance(arrays, dict):
        for name, array in arrays.items():
            _fill(array, None if values is None else values[name])
    else:
        arrays[...] = 0 if values is None else values


def _fill_infos(infos: dict[str, Any], values: dict[str, Any]) -> None:
    for name, array in infos.items():
        if name == "final_obs":
            _fill(array, None)
            for b in np.flatnonzero(values.get("_final_obs", ())).tolist():
                row = jax.tree.map(lambda leaf: leaf[b], array)  # noqa: B023
                _fill(row, values["final_obs"][b])
        else:
            _fill(array, values.get(name))

"""gymnax-style spaces."""

import sys
import types

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax

from crafter.functional.spaces import Box, Discrete

KEY = jax.random.key(3)


def test_discrete():
    space = Discrete(5)
    drawn = jax.vmap(space.sample)(jax.random.split(KEY, 200))
    assert set(drawn.tolist()) == set(range(5))
    assert (drawn.dtype, space.shape) == (np.int32, ())
    assert space.contains(0) and space.contains(4)
    assert not space.contains(5) and not space.contains(-1)
    assert repr(space) == "Discrete(5)"


@pytest.mark.parametrize(
    ("high", "dtype"), [(255, np.uint8), (3, np.uint8), (1, np.float32)]
)
def test_box(high, dtype):
    space = Box(0, high, (40, 50), dtype)
    drawn = np.asarray(space.sample(KEY))
    assert (drawn.shape, drawn.dtype) == ((40, 50), dtype)
    assert space.contains(drawn)
    assert drawn.max() > 0.99 * high and drawn.min() < 0.01
    assert not space.contains(drawn.astype(float) - 2)
    assert "(40, 50)" in repr(space)


def test_spaces_are_those_of_gymnax_where_it_is_used(monkeypatch):
    class TheirBox:
        def sample(self, key):
            raise AssertionError("ours is asked")

    theirs = types.SimpleNamespace(Box=TheirBox)
    monkeypatch.setitem(sys.modules, "gymnax.environments.spaces", theirs)
    space = Box(0, 255, (3,), np.uint8)
    assert isinstance(space, TheirBox) and isinstance(space, Box)
    assert space.sample(KEY).shape == (3,)
    assert type(space) is type(Box(0, 1, (4,), np.float32))
    assert type(Discrete(2)) is Discrete  # of which it has none here


@pytest.mark.train
def test_spaces_of_gymnax():
    theirs = pytest.importorskip("gymnax.environments.spaces", reason="needs gymnax")
    assert isinstance(Box(0, 1, (3,), np.float32), theirs.Box)
    assert isinstance(Discrete(17), theirs.Discrete)

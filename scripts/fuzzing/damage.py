"""Damages to data, arrays and bytes; all choose by a random number generator."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

_NUMBERS = (0, 1, -1, 2, 17, 255, 256, 2**31, 2**53 + 1, -(2**63), 2**63, 10**30)
_REALS = (0.5, -0.0, 1e-320, 1e308, float("nan"), float("inf"), -float("inf"), 1j)
_TEXTS = ("", "noop", "left", "99", "\x00", "\ud800", "\u0661", "x" * 300, "state")
_DTYPES = ("?", "i1", "u1", "<i8", ">i8", "u8", "f2", "f4", "f8", "c16", "U5", "S3")


def odd(rng: random.Random) -> Any:
    """Returns a value that few expect."""
    maker = rng.choice((_plain, _plain, _container, _array))
    return maker(rng)


def _plain(rng: random.Random) -> Any:
    kind = rng.choice((_NUMBERS, _REALS, _TEXTS, (None, True, False, b"", b"5")))
    return rng.choice(kind)


def _container(rng: random.Random) -> Any:
    values = [_plain(rng) for _ in range(rng.randint(0, 3))]
    named = {str(value): value for value in values}
    return rng.choice((values, tuple(values), named, [values, [values]], {1: values}))


def _array(rng: random.Random) -> Any:
    shape = rng.choice(((), (0,), (1,), (2,), (3,), (2, 2), (0, 5), (1, 1, 1)))
    if rng.random() < 0.1:
        return np.full(shape, None)
    with np.errstate(all="ignore"):
        return np.full(shape, rng.choice((0, 1, 2, 100))).astype(rng.choice(_DTYPES))


def mutated(value: Any, rng: random.Random) -> Any:
    """Returns a copy of nested data with another value somewhere in it."""
    if isinstance(value, Mapping) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {**value, rng.choice((*_TEXTS, 5, None)): odd(rng)}
        return {**value, key: mutated(value[key], rng)}
    if isinstance(value, (list, tuple)) and value and rng.random() < 0.75:
        place = rng.randrange(len(value))
        changed = list(value)
        changed[place] = mutated(changed[place], rng)
        if rng.random() < 0.2:
            del changed[rng.randrange(len(changed))]
        return type(value)(changed)
    if isinstance(value, np.ndarray) and rng.random() < 0.8:
        return array(value, rng)
    return odd(rng)


# Arrays.


def arrays(
    state: Mapping[str, np.ndarray], rng: random.Random, other: Mapping[str, Any]
) -> dict[Any, Any]:
    """Returns a saved game with up to three damages.

    Args:
      state: The saved game.
      rng: Chooses the damages.
      other: A saved game of the same kind, from which arrays are taken.
    """
    damaged: dict[Any, Any] = dict(state)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(sorted(state))
        how = rng.randrange(12)
        if how == 0:
            damaged.pop(name, None)
        elif how == 1:
            damaged[rng.choice((*_TEXTS, 5))] = odd(rng)
        elif how == 2:
            damaged[name] = odd(rng)
        elif how == 3:
            damaged[name] = damaged.get(rng.choice(sorted(state)))
        elif how <= 5:
            damaged[name] = other[name]
        else:
            damaged[name] = array(np.asarray(state[name]), rng)
    return damaged


def array(value: np.ndarray, rng: random.Random) -> np.ndarray:
    """Returns an array with other numbers, another shape or another dtype."""
    change: Callable[[np.ndarray, random.Random], np.ndarray]
    change = rng.choice((_element, _element, _element, _near, _shape, _dtype, _bytes))
    with np.errstate(all="ignore"):
        return change(value, rng)


def _element(value: np.ndarray, rng: random.Random) -> np.ndarray:
    changed = value.copy()
    if changed.size:
        new = rng.choice((*_NUMBERS, *_REALS[:-1], *range(20)))
        try:
            changed.flat[rng.randrange(changed.size)] = new
        except (OverflowError, TypeError, ValueError):
            return changed.astype(object)
    return changed


def _near(value: np.ndarray, rng: random.Random) -> np.ndarray:
    """Returns the array with a number that is a little higher or lower."""
    changed = value.copy()
    if changed.size and changed.dtype.kind in "iuf":
        changed.flat[rng.randrange(changed.size)] += changed.dtype.type(1)
        if rng.random() < 0.5:
            changed.flat[rng.randrange(changed.size)] -= changed.dtype.type(1)
    return changed


def _shape(value: np.ndarray, rng: random.Random) -> np.ndarray:
    forms: tuple[Callable[[], np.ndarray], ...] = (
        lambda: value.ravel(),
        lambda: value[None],
        lambda: value.T,
        lambda: value.reshape(-1)[:-1],
        lambda: np.concatenate([value.ravel(), value.ravel()]),
        lambda: np.atleast_1d(value)[::-1],
        lambda: value.reshape(-1)[:0],
    )
    return rng.choice(forms)()


def _dtype(value: np.ndarray, rng: random.Random) -> np.ndarray:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return value.astype(rng.choice((*_DTYPES, "O", "M8[s]", "V4", "i2,f4")))
    except (TypeError, ValueError):
        return np.asarray(None)


def _bytes(value: np.ndarray, rng: random.Random) -> np.ndarray:
    if value.dtype.hasobject:
        return value
    content = flipped(value.tobytes(), rng)
    return np.frombuffer(bytearray(content), value.dtype).reshape(value.shape)


# Bytes.


def flipped(content: bytes, rng: random.Random) -> bytes:
    """Returns the bytes with a few other ones, and the same number of them."""
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8)) if changed else 0):
        place = rng.randrange(len(changed))
        changed[place] = rng.choice((0, 255, changed[place] ^ 1 << rng.randrange(8)))
    return bytes(changed)


def content(whole: bytes, rng: random.Random) -> bytes:
    """Returns the bytes of a file, cut, changed, doubled or moved."""
    start = rng.randrange(len(whole) + 1)
    end = min(len(whole), start + rng.choice((1, 4, 100, 5000)))
    return rng.choice(
        (
            flipped(whole, rng),
            whole[:start],
            whole[start:],
            whole[:start] + whole[end:],
            whole[:end] + whole[start:],
            whole[:start] + rng.randbytes(end - start) + whole[end:],
            whole + whole[start:end],
        )
    )


_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)


def archive(whole: bytes, rng: random.Random) -> bytes:
    """Returns an npz file whose checksums are right, but not all of its members."""
    members = {}
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        for name in file.namelist():
            members[name] = file.read(name)
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(sorted(members))
        how = rng.randrange(6)
        if how == 0:
            del members[name]
        elif how == 1:
            members[name] = members[rng.choice(sorted(members))]
        elif how == 2:
            members[name] = content(members[name], rng)
        elif how == 3:
            members[name] = _saved(array(_loaded(members[name]), rng))
        else:
            # The header is in the first bytes.
            members[name] = flipped(members[name][:80], rng) + members[name][80:]
    with io.BytesIO() as stream:
        with zipfile.ZipFile(stream, "w", rng.choice(_METHODS)) as file:
            for name, member in members.items():
                file.writestr(name, member)
        return stream.getvalue()


def _loaded(member: bytes) -> np.ndarray:
    """Returns the array of a member, or some array if it is damaged already."""
    try:
        loaded: np.ndarray = np.load(io.BytesIO(member))
    except Exception:  # NumPy raises whatever its parsers do, SyntaxError included.
        return np.zeros(3)
    return loaded


def _saved(value: np.ndarray) -> bytes:
    with io.BytesIO() as stream:
        np.save(stream, value)
        return stream.getvalue()

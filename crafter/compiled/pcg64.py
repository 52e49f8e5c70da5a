"""PCG64 generator, bit-identical to `numpy.random.Generator(numpy.random.PCG64(seed))`.

A stream is a record with the fields of `FIELDS`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from crafter.compiled.jit import inner

_U32, _U64 = np.uint32, np.uint64
#: State and increment of the generator, 128 bits each, and a buffered half word.
FIELDS = [
    ("rng_state", np.uint64, 2),  # high word first
    ("rng_increment", np.uint64, 2),
    ("rng_has_half", np.int64),
    ("rng_half", np.uint64),
]
_MULTIPLIER_HIGH = np.uint64(0x2360ED051FC65DA4)
_MULTIPLIER_LOW = np.uint64(0x4385DF649FCCF645)
_WORDS = 4  # pool size of `numpy.random.SeedSequence`


@intrinsic
def _high_product(typing: Any, a: Any, b: Any) -> Any:
    """Returns the high 64 bits of a product of two unsigned words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        a, b = (builder.zext(argument, wide) for argument in arguments)
        high = builder.lshr(builder.mul(a, b), ir.Constant(wide, 64))
        return builder.trunc(high, word)

    return types.uint64(types.uint64, types.uint64), generate


@inner
def _product(high, low, other_high, other_low):
    """Returns the product of two 128-bit numbers, modulo 2**128."""
    top = _high_product(low, other_low) + low * other_high + high * other_low
    return top, low * other_low


@inner
def _sum(high, low, other_high, other_low):
    """Returns the sum of two 128-bit numbers, modulo 2**128."""
    total = low + other_low
    return high + other_high + _U64(total < low), total


@inner
def word(s):
    """Returns the next 64 bits."""
    high, low = _product(
        s.rng_state[0], s.rng_state[1], _MULTIPLIER_HIGH, _MULTIPLIER_LOW
    )
    high, low = _sum(high, low, s.rng_increment[0], s.rng_increment[1])
    s.rng_state[0], s.rng_state[1] = high, low
    return _mix(high, low)


@inner
def _mix(high, low):
    """Returns the output of a state."""
    mixed, turns = high ^ low, high >> _U64(58)
    return (mixed >> turns) | (mixed << ((_U64(64) - turns) & _U64(63)))


@inner
def half_word(s):
    """Returns the next 32 bits, the low half of a word first."""
    if s.rng_has_half:
        s.rng_has_half = 0
        return _U32(s.rng_half)
    both = word(s)
    s.rng_has_half = 1
    s.rng_half = both >> _U64(32)
    return _U32(both & _U64(0xFFFFFFFF))


@inner
def uniform(s):
    """Returns a float32 in [0, 1), like `Generator.random(dtype=float32)`."""
    return fraction(half_word(s))


@inner
def fraction(half):
    """Converts 32 bits to a float32 in [0, 1), as in `uniform`."""
    # Signed, because few processors convert unsigned integers to floats.
    return np.float32(np.int32(half >> _U32(8))) * np.float32(1 / 16777216)


@inner
def fill_halves(s, out):
    """Fills `out` with the next half words, uint32; none may be buffered."""
    high, low = s.rng_state
    plus_high, plus_low = s.rng_increment
    for i in range(0, len(out) - 1, 2):
        high, low = _product(high, low, _MULTIPLIER_HIGH, _MULTIPLIER_LOW)
        high, low = _sum(high, low, plus_high, plus_low)
        both = _mix(high, low)
        out[i], out[i + 1] = _U32(both & _U64(0xFFFFFFFF)), _U32(both >> _U64(32))
    s.rng_state[0], s.rng_state[1] = high, low


@inner
def integer(s, low, high):
    """Returns an integer in `low` ... `high`, inclusive, like `Generator.integers`.

    Draws nothing if there is only one. There can be at most 2**32 - 1.
    """
    span = _U32(high - low)
    if span == 0:
        return low
    count = _U64(span) + _U64(1)
    product = _U64(half_word(s)) * count
    if (product & _U64(0xFFFFFFFF)) < count:
        least = (_U64(0xFFFFFFFF) - _U64(span)) % count
        while (product & _U64(0xFFFFFFFF)) < least:
            product = _U64(half_word(s)) * count
    return low + np.int64(product >> _U64(32))


@inner
def shuffle(s, array):
    """Shuffles an array in place, like `Generator.permutation` and `permuted`."""
    for i in range(len(array) - 1, 0, -1):
        mask = _U32(i)
        for shift in (1, 2, 4, 8, 16):
            mask |= mask >> _U32(shift)
        j = half_word(s) & mask
        while j > _U32(i):
            j = half_word(s) & mask
        array[i], array[j] = array[j], array[i]


@inner
def skip(s, words):
    """Skips a number of words as if drawn; drops a buffered half word."""
    factor_high, factor_low = _U64(0), _U64(1)
    term_high, term_low = _U64(0), _U64(0)
    high, low = _MULTIPLIER_HIGH, _MULTIPLIER_LOW
    plus_high, plus_low = s.rng_increment[0], s.rng_increment[1]
    left = _U64(words)
    while left:
        if left & _U64(1):
            factor_high, factor_low = _product(factor_high, factor_low, high, low)
            term_high, term_low = _product(term_high, term_low, high, low)
            term_high, term_low = _sum(term_high, term_low, plus_high, plus_low)
        more_high, more_low = _sum(high, low, _U64(0), _U64(1))
        plus_high, plus_low = _product(more_high, more_low, plus_high, plus_low)
        high, low = _product(high, low, high, low)
        left >>= _U64(1)
    high, low = _product(factor_high, factor_low, s.rng_state[0], s.rng_state[1])
    s.rng_state[0], s.rng_state[1] = _sum(high, low, term_high, term_low)
    s.rng_has_half = 0


@inner
def skip_halves(s, count):
    """Skips a number of half words as if drawn."""
    if s.rng_has_half and count > 0:
        s.rng_has_half = 0
        count -= 1
    if count > 0:
        words = (count - 1) >> 1
        skip(s, words)
        # The last word is drawn, and its second half buffered.
        for _ in range(count - 2 * words):
            half_word(s)


@inner
def seed(s, number, second):
    """Seeds a stream, like `PCG64((number, second))`.

    Args:
      s: The stream.
      number: The seed, in 0 ... 2**32 - 1.
      second: Another seed; with 0, the stream is that of `PCG64(number)`.
    """
    pool = np.zeros(_WORDS, np.uint32)
    const = _U32(0x43B0D7E5)
    for i in range(_WORDS):
        value = _U32(number if i == 0 else second if i == 1 else 0)
        pool[i], const = _hash(value, const, _U32(0x931E8875))
    for i in range(_WORDS):
        for j in range(_WORDS):
            if i != j:
                value, const = _hash(pool[i], const, _U32(0x931E8875))
                mixed = _U32(_U32(0xCA01F9DD) * pool[j] - _U32(0x4973F715) * value)
                pool[j] = mixed ^ (mixed >> _U32(16))
    words, const = np.zeros(_WORDS, np.uint64), _U32(0x8B51F9DD)
    for i in range(2 * _WORDS):
        value, const = _hash(pool[i % _WORDS], const, _U32(0x58F38DED))
        words[i >> 1] |= _U64(value) << _U64(32 * (i & 1))
    s.rng_increment[0] = words[2] << _U64(1) | words[3] >> _U64(63)
    s.rng_increment[1] = words[3] << _U64(1) | _U64(1)
    # A step from state 0 gives the increment.
    high, low = _sum(s.rng_increment[0], s.rng_increment[1], words[0], words[1])
    s.rng_state[0], s.rng_state[1] = high, low
    word(s)
    s.rng_has_half = 0
    s.rng_half = 0


@inner
def _hash(value, const, factor):
    """Returns a 32-bit hash, and the next constant."""
    value = _U32(value ^ const)
    const = _U32(const * factor)
    value = _U32(value * const)
    return _U32(value ^ (value >> _U32(16))), const

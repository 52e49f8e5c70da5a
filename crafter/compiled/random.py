"""MT19937 generator, bit-identical to `crafter.core.stream.Stream`."""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import compiled, inner

_U32 = np.uint32
_WORDS = 624
_MIDDLE = 397


@inner
def seed_words(g, seed):
    """Seeds the stream, like `RandomState(seed)`."""
    key = g.random_key
    word = _U32(seed)
    key[0] = word
    for i in range(1, _WORDS):
        word = _U32(_U32(1812433253) * (word ^ (word >> _U32(30))) + _U32(i))
        key[i] = word
    g.random_position = _WORDS


@inner
def twist(key):
    """Generates the next 624 words."""
    for i in range(_WORDS - _MIDDLE):
        _twist_word(key, i, i + 1, i + _MIDDLE)
    for i in range(_WORDS - _MIDDLE, _WORDS - 1):
        _twist_word(key, i, i + 1, i + _MIDDLE - _WORDS)
    _twist_word(key, _WORDS - 1, 0, _MIDDLE - 1)


@inner
def _twist_word(key, i, after, other):
    y = (key[i] & _U32(0x80000000)) | (key[after] & _U32(0x7FFFFFFF))
    odd = _U32(0) - (y & _U32(1))
    key[i] = key[other] ^ (y >> _U32(1)) ^ (odd & _U32(0x9908B0DF))


@inner
def temper(y):
    """Tempers a word of the state to a word of output."""
    y ^= y >> _U32(11)
    y ^= (y << _U32(7)) & _U32(0x9D2C5680)
    y ^= (y << _U32(15)) & _U32(0xEFC60000)
    return _U32(y ^ (y >> _U32(18)))


@inner
def word(g):
    """Returns the next 32 bits."""
    position = g.random_position
    if position >= _WORDS:
        twist(g.random_key)
        position = 0
    g.random_position = position + 1
    return temper(g.random_key[position])


@inner
def uniform(g):
    """Returns a double in [0, 1)."""
    high = word(g) >> _U32(5)
    low = word(g) >> _U32(6)
    return (high * 67108864.0 + low) / 9007199254740992.0


@inner
def below(g, n):
    """Returns an integer in 0 ... n - 1; draws nothing for n = 1."""
    if n == 1:
        return 0
    mask = n - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    while True:
        value = np.int64(word(g)) & mask
        if value < n:
            return value


@inner
def _words(g, out):
    """Fills an array of 32-bit words, in branchless pieces."""
    done = 0
    while done < len(out):
        if g.random_position >= _WORDS:
            twist(g.random_key)
            g.random_position = 0
        position = g.random_position
        count = min(_WORDS - position, len(out) - done)
        source, target = g.random_key[position:], out[done:]
        for i in range(count):
            target[i] = temper(source[i])
        g.random_position = position + count
        done += count


@compiled
def uniforms(g, spare, out):
    """Fills an array of doubles in [0, 1), several times faster than one by one.

    Args:
      g: State of the game.
      spare: Scratch, uint32 of shape (2 * n,).
      out: float64 of shape (n,).
    """
    _words(g, spare)
    for i in range(len(out)):
        # Signed, because few processors convert unsigned integers to doubles.
        high = np.int32(spare[2 * i] >> _U32(5))
        low = np.int32(spare[2 * i + 1] >> _U32(6))
        out[i] = (high * 67108864.0 + low) / 9007199254740992.0


#: Uniforms drawn ahead: the last `left` of `numbers`; and scratch.
POOL = np.dtype(
    [
        ("numbers", np.float64, _WORDS // 2),
        ("spare", np.uint32, _WORDS),
        ("left", np.int64),
        ("end", np.int64),
    ],
    align=True,
)


@inner
def draw(g, pool):
    """Returns the next number of `uniform` from a pool; see `put_back`."""
    if pool.left == 0:
        # At most the remaining words, so that unused ones can be put back.
        count = max((_WORDS - g.random_position) // 2, 1)
        uniforms(g, pool.spare[: 2 * count], pool.numbers[:count])
        pool.left = pool.end = count
    value = pool.numbers[np.uint64(pool.end - pool.left)]
    pool.left -= 1
    return value


@inner
def put_back(g, pool):
    """Returns unused numbers to the stream; until then, no one else may draw."""
    g.random_position -= 2 * pool.left
    pool.left = 0


@inner
def episode_seed(seed_hash, episode):
    """Returns the seed of an episode; see `crafter.core.stream.episode_seed`.

    Args:
      seed_hash: Hash of the environment's seed, modulo 2**64.
      episode: Number of the episode.
    """
    p1, p2 = np.uint64(11400714785074694791), np.uint64(14029467366897019727)
    p5 = np.uint64(2870177450012600261)
    total = p5
    for element in (np.uint64(seed_hash), np.uint64(episode)):
        total = total + element * p2
        total = (total << np.uint64(31)) | (total >> np.uint64(33))
        total = total * p1
    total = total + (np.uint64(2) ^ (p5 ^ np.uint64(3527539)))
    if total == np.uint64(0xFFFFFFFFFFFFFFFF):
        return np.int64(1546275796)
    return np.int64(total) % np.int64(2**31 - 1)


@inner
def mix(z):
    """Hashes 64 bits (finalizer of SplitMix64)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))

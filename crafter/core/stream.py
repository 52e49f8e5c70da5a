"""Random stream of the game.

NumPy's legacy `RandomState` and Python's `random.Random` run the same generator
(MT19937) and derive the same 53-bit doubles from it. The published game draws from a
`RandomState`; `Stream` gives the same numbers, bit for bit, from Python's generator,
whose scalar draws are about ten times faster.
"""

import random
from typing import Any

import numpy as np

_WORDS = 624
_EPISODE_SEEDS = 2**31 - 1
_U64 = 2**64 - 1


def episode_seed(seed: int, episode: int) -> int:
    """Returns the seed of the game's stream for an episode.

    This is CPython's hash of the tuple (seed, episode) modulo 2**31 - 1, implemented
    here to be independent of the interpreter. The integers -1 and -2 have the same
    hash, so those two seeds give the same worlds.

    Args:
      seed: Seed of the environment, any integer.
      episode: Number of the episode, from 1.

    Returns:
      Integer in 0 ... 2**31 - 2.

    Source:
      Crafter 1.8.3, `Env.reset`; CPython 3.8, `tuplehash`.

    Example:
      >>> episode_seed(0, 1), episode_seed(0, 2)
      (1256191933, 744553801)
    """
    total = 2870177450012600261
    for element in (seed, episode):
        total = (total + hash(element) * 14029467366897019727) & _U64
        total = (total << 31 | total >> 33) & _U64
        total = total * 11400714785074694791 & _U64
    total = (total + (2 ^ (2870177450012600261 ^ 3527539))) & _U64
    if total == _U64:
        return 1546275796
    signed = total - 2**64 if total >= 2**63 else total
    return signed % _EPISODE_SEEDS


def hashed_uniforms(seed: int, step: int, count: int) -> np.ndarray:
    """Returns random numbers that depend only on seed and step, not on a stream.

    Number i is the SplitMix64 finalizer of a key made from seed and step, plus i + 1
    times the golden ratio. Cheap, identical in every engine, and without side effects.

    Args:
      seed: Seed of the episode, an integer in 0 ... 2**32 - 1.
      step: Step in the episode, an integer in 0 ... 2**32 - 1.
      count: Number of values.

    Returns:
      float64 of shape (count,), in [0, 1).
    """
    key = _mix(np.array([seed << 32 ^ step], np.uint64))
    places = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (_mix(key + places) >> np.uint64(11)) * 2.0**-53


def _mix(z: np.ndarray) -> np.ndarray:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Stream(random.Random):
    """MT19937 with the numbers of `numpy.random.RandomState(seed)`.

    The game uses `random()`, `below()` and `uniforms()`. Agents written for the
    published package call methods of `RandomState` on `world.random` (`uniform`,
    `randint`, `random_sample`, `get_state`, `set_state`); these are provided, too, and
    return what `RandomState` would.

    Args:
      seed: Integer in 0 ... 2**32 - 1, or `None` for system entropy.

    Source:
      NumPy, legacy seeding and `random_sample`; Crafter 1.8.3, `World.reset`.

    Example:
      >>> Stream(5).random() == np.random.RandomState(5).uniform()
      True
    """

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Reseeds the stream like `RandomState(a)`."""
        state = np.random.RandomState(a).get_state(legacy=False)["state"]
        self.setstate((3, (*state["key"].tolist(), state["pos"]), None))

    def below(self, n: int) -> int:
        """Returns an integer in 0 ... n - 1, like `RandomState.randint(0, n)`.

        Draws one 32-bit word per attempt, none for `n` = 1.
        """
        if n == 1:
            return 0
        mask = (1 << (n - 1).bit_length()) - 1
        while True:
            value = self.getrandbits(32) & mask
            if value < n:
                return value

    def uniforms(self, count: int) -> np.ndarray:
        """Returns `count` doubles in [0, 1), float64 of shape (count,)."""
        # 53 bits from two words: 27 of the first, then 26 of the second.
        words = np.frombuffer(self.randbytes(8 * count), "<u8")
        bits = words & 0xFFFFFFE0
        bits <<= 21
        bits |= words >> 38
        numbers = bits.view(np.int64).astype(np.float64)  # exact below 2**53
        numbers *= 1 / 9007199254740992.0  # a power of two: exact
        return numbers

    def get_words(self) -> tuple[np.ndarray, int]:
        """Returns the state: uint32 of shape (624,), and the position in it."""
        words = self.getstate()[1]
        return np.array(words[:-1], np.uint32), words[-1]

    def set_words(self, key: np.ndarray, position: int) -> None:
        """Restores a state returned by `get_words`.

        Raises:
          ValueError: If the key is not 624 words or the position not 0 ... 624.
        """
        key = np.asarray(key)
        if key.shape != (_WORDS,) or not 0 <= position <= _WORDS:
            raise ValueError(
                f"A random state is {_WORDS} words and a position in 0 ... {_WORDS}; "
                f"got shape {key.shape} and position {position}."
            )
        self.setstate((3, (*key.astype(np.uint32).tolist(), int(position)), None))

    # Methods of numpy.random.RandomState, for agents that use them.

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
        """Returns numbers in [low, high), like `RandomState.uniform`."""
        return low + (high - low) * self.random_sample(size)

    def random_sample(self, size: Any = None) -> Any:
        """Returns a double in [0, 1), or an array of shape `size`."""
        if size is None:
            return self.random()
        return self.uniforms(int(np.prod(size))).reshape(size)

    def randint(self, low: int, high: int | None = None) -> int:
        """Returns an integer in low ... high - 1, or 0 ... low - 1.

        Raises:
          ValueError: If the range is empty or has more than 2**32 integers.
        """
        low, high = (0, low) if high is None else (low, high)
        if not 0 < high - low <= 2**32:
            raise ValueError(
                f"Expected low < high, at most 2**32 apart; "
                f"got low={low} and high={high}."
            )
        return low + self.below(high - low)

    def get_state(self) -> tuple[str, np.ndarray, int, int, float]:
        """Returns the state, like `RandomState.get_state`."""
        key, position = self.get_words()
        return "MT19937", key, position, 0, 0.0

    def set_state(self, state: tuple) -> None:
        """Restores a state returned by `get_state`, ours or NumPy's."""
        self.set_words(state[1], state[2])

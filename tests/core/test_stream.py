"""The stream draws what NumPy's RandomState draws."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crafter.core.stream import Stream, episode_seed

SEEDS = st.integers(0, 2**32 - 1)
BOUNDS = st.one_of(st.integers(1, 300), st.integers(1, 2**32))
FLOATS = st.floats(-1e6, 1e6)
SHAPES = st.one_of(
    st.none(),
    st.integers(0, 20),
    st.tuples(st.integers(0, 5), st.integers(0, 7)),
)
DRAWS = st.one_of(
    st.tuples(st.just("uniform")),
    st.tuples(st.just("uniform"), FLOATS, FLOATS),
    st.tuples(st.just("uniform"), FLOATS, FLOATS, SHAPES),
    st.tuples(st.just("random_sample")),
    st.tuples(st.just("random_sample"), SHAPES),
    st.tuples(st.just("randint"), BOUNDS),
    st.builds(
        lambda low, count: ("randint", low, low + count),
        st.integers(-1000, 1000),
        BOUNDS,
    ),
    st.tuples(st.just("random")),
    st.tuples(st.just("below"), BOUNDS),
    st.tuples(st.just("uniforms"), st.integers(0, 700)),
)


#: Methods that the game uses -> those of `RandomState` with the same numbers.
OF_NUMPY = {"random": "uniform", "below": "randint", "uniforms": "random_sample"}


@given(SEEDS, st.lists(DRAWS, max_size=40))
def test_methods_give_the_numbers_of_random_state(seed, draws):
    ours, numpys = Stream(seed), np.random.RandomState(seed)
    for name, *arguments in draws:
        number = getattr(ours, name)(*arguments)
        expected = getattr(numpys, OF_NUMPY.get(name, name))(*arguments)
        np.testing.assert_array_equal(number, expected)
        assert np.shape(number) == np.shape(expected)
    key, position = ours.get_words()
    state = numpys.get_state(legacy=False)["state"]
    np.testing.assert_array_equal(key, state["key"])
    assert position == state["pos"]


def test_below_one_draws_nothing_and_powers_of_two_one_word():
    stream, words = Stream(3), Stream(3)
    for n in (1, 2, 4, 64, 2**31) * 200:
        assert stream.below(n) == (words.getrandbits(32) % n if n > 1 else 0)
    assert stream.getstate() == words.getstate()


@pytest.mark.parametrize("drawn", [0, 1, 311, 312, 700])
def test_state_goes_to_random_state_and_back(drawn):
    ours = Stream(11)
    ours.uniforms(drawn)
    numpys = np.random.RandomState(0)
    numpys.set_state(ours.get_state())
    assert [ours.random() for _ in range(400)] == numpys.random_sample(400).tolist()
    other = Stream(0)
    other.set_state(numpys.get_state())
    assert [other.below(9) for _ in range(9)] == [numpys.randint(9) for _ in range(9)]


@pytest.mark.parametrize("words,position", [(623, 0), (625, 0), (624, -1), (624, 625)])
def test_impossible_states_are_refused(words, position):
    stream = Stream(5)
    before = stream.getstate()
    with pytest.raises(ValueError, match="624 words and a position in 0 ... 624"):
        stream.set_words(np.zeros(words, np.uint32), position)
    assert stream.getstate() == before


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, copy.copy, lambda stream: pickle.loads(pickle.dumps(stream))],
)
def test_copies_go_their_own_way(copied):
    stream = Stream(5)
    stream.uniforms(10)
    twin = copied(stream)
    assert type(twin) is Stream
    assert [twin.random() for _ in range(5)] == [stream.random() for _ in range(5)]
    twin.random()
    assert twin.getstate() != stream.getstate()


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_impossible_seeds_are_refused(seed):
    with pytest.raises(ValueError):
        Stream(seed)


@pytest.mark.parametrize(
    "low,high", [(0, None), (-3, None), (4, 4), (5, 2), (0, 2**32 + 1), (2**40, None)]
)
def test_empty_and_too_wide_ranges_are_refused(low, high):
    with pytest.raises(ValueError, match="low < high"):
        Stream(0).randint(low, high)


# Episode seeds.


@given(st.integers(), st.integers(1, 2**31))
def test_episode_seeds_are_the_hash_of_a_tuple(seed, episode):
    assert episode_seed(seed, episode) == hash((seed, episode)) % (2**31 - 1)

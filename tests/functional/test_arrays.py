"""Array tools compared with NumPy."""

import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from hypothesis import given
from hypothesis import strategies as st

from crafter.functional import arrays, random, sparse
from crafter.functional.precision import at_least, at_most

_select = jax.jit(arrays.select_first, static_argnums=2)
_count = jax.jit(arrays.count_before)


@pytest.mark.parametrize("length", [1, 5, 32, 33, 70])
@pytest.mark.parametrize("dtype", [bool, np.int32, np.int8, np.float32])
@pytest.mark.parametrize("values", [(0, 3), (-1, 2), (-100, 100)])
def test_looking_up(length, dtype, values):
    rng = np.random.default_rng(length)
    table = rng.integers(*values, length).astype(dtype)
    index = rng.integers(0, length, 50)
    found = arrays.look_up(table, jax.numpy.asarray(index))
    np.testing.assert_array_equal(found, table[index])
    assert found.dtype == table.dtype
    one = arrays.look_up(table, jax.numpy.asarray(index)[0])
    assert one == table[index[0]] and one.dtype == table.dtype


@given(st.lists(st.booleans(), min_size=70, max_size=70))
def test_counting_and_selecting(mask):
    mask = np.array(mask)
    counts = _count(mask)
    np.testing.assert_array_equal(counts, np.append(0, np.cumsum(mask)))
    found = _select(mask, counts, 9)
    expected = np.flatnonzero(mask)[:9]
    np.testing.assert_array_equal(found[: len(expected)], expected)
    assert (found[len(expected) :] == 70).all()


def test_counting_long_masks():
    mask = np.random.default_rng(0).random(5000) < 0.3
    counts = _count(mask)
    np.testing.assert_array_equal(counts, np.append(0, np.cumsum(mask)))
    assert counts.dtype == np.int32


@functools.partial(jax.jit, static_argnums=2)
def _work(needed, rows, share):
    def one(needed, row):
        return sparse.where(needed, lambda x: -x, row, row + 100, share)

    return jax.vmap(one)(needed, rows)


@given(st.lists(st.booleans(), min_size=10, max_size=10), st.sampled_from([1, 3, 10]))
def test_work_is_done_for_some_rows_of_a_batch(needed, share):
    needed, rows = np.array(needed), np.arange(10.0, dtype=np.float32)
    found = _work(needed, rows, share)
    np.testing.assert_array_equal(found, np.where(needed, -rows, rows + 100))


def test_rows_are_replaced_in_turn():
    needed = np.array([True, False, True, True, False, True])

    def make(start, chosen):
        return 100 + 10 * start + chosen

    found = sparse.replace(needed, make, np.arange(6, dtype=np.int32), 3)
    assert found.tolist() == [100, 1, 102, 103, 4, 135]


@given(st.floats(0, 1))
def test_limits_are_those_of_double_precision(limit):
    near = np.float32(limit)
    draws = np.array([np.nextafter(near, np.float32(i)) for i in (-1, 2)] + [near])
    theirs = draws.astype(np.float64)
    np.testing.assert_array_equal(draws < at_least(limit), theirs < limit)
    np.testing.assert_array_equal(draws > at_most(limit), theirs > limit)


@pytest.mark.slow
def test_random_numbers_are_uniform_and_unrelated():
    """Kolmogorov-Smirnov tests, and correlations between uses and positions."""
    stats = pytest.importorskip("scipy.stats", reason="needs the extra 'analysis'")
    keys = jax.random.split(jax.random.key(0), 4000)

    def draw(key):
        words = random.words(key)
        return random.uniforms(words, 0, (2,)), random.uniforms(words, 1, (2,))

    columns = np.concatenate(jax.jit(jax.vmap(draw))(keys), 1).T
    assert columns.dtype == np.float32
    assert ((columns * 2**24) % 1 == 0).all()
    assert (columns >= 0).all() and (columns < 1).all()
    for column in columns:
        assert stats.kstest(column, "uniform").pvalue > 1e-4
    related = np.corrcoef(columns) - np.eye(4)
    assert abs(related).max() < 5 / np.sqrt(4000)


def test_words_of_a_key_are_scrambled_as_ever():
    """Worlds and games depend on the exact scrambling."""
    words = jax.numpy.arange(random.WORDS, dtype=np.uint32)
    assert random.bits(words, 3, 2).tolist() == [2641260589, 3741006143]


def test_once_keeps_values():
    """For any values, and for any subset of them that is batched."""
    whole, flags = np.arange(6, dtype=np.int8), np.array([True, False])
    for known in (np.int32(0), np.float32(-1.5), np.zeros((2, 3), bool)):
        kept = jax.jit(sparse.once)((whole, {"flags": flags}), known)
        np.testing.assert_array_equal(kept[0], whole)
        np.testing.assert_array_equal(kept[1]["flags"], flags)
        assert kept[0].dtype == whole.dtype

    def twice(row):
        return sparse.once((row, whole), row)

    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    found = jax.jit(jax.vmap(twice))(rows)
    np.testing.assert_array_equal(found[0], rows)
    np.testing.assert_array_equal(found[1], np.broadcast_to(whole, (3, 6)))


def test_noise_belongs_to_its_seed():
    first, again, other = (
        np.asarray(random.grey_noise(np.uint32(seed), (40, 30), 32, 127))
        for seed in (1, 1, 2)
    )
    assert first.shape == (40, 30) and first.min() >= 32 and first.max() < 127
    assert (first == again).all() and (first != other).mean() > 0.99

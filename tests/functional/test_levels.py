"""Swaps of blocks in small maps, with given draws."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp

from crafter.functional import random
from crafter.functional.levels import swap_alike, swap_blocks, swap_some

NAMES = ".TSCL"  # grass, tree, stone, coal, lava
SIDE = 20  # cells; the middle is that of rows and columns 2 to 17
LAST = 0.999


def board(**cells):
    """Returns blocks, and which may change; `r2c3="T"` is a tree in row 2, column 3."""
    blocks = np.zeros((SIDE, SIDE), np.uint8)
    for place, name in cells.items():
        row, column = map(int, place[1:].split("c"))
        blocks[row, column] = NAMES.index(name)
    return jnp.asarray(blocks), jnp.ones(blocks.shape, bool).at[10, 10].set(False)


def shown(blocks):
    """Returns the cells that are not grass."""
    found = zip(*np.nonzero(blocks))
    return {f"r{r}c{c}": NAMES[blocks[r, c]] for r, c in found}


def test_a_block_comes_to_the_middle_and_what_was_there_takes_its_place():
    blocks, free = board(r0c0="T", r2c2="S", r19c19="T")
    draws = np.float32([[0.5, 0, LAST]])  # a tree, first cell, last of the trees
    found = swap_blocks(blocks, free, draws, (0, 1, 4))
    assert shown(np.asarray(found)) == {"r0c0": "T", "r2c2": "T", "r19c19": "S"}


def test_a_block_that_the_map_lacks_is_written():
    blocks, free = board(r17c17="S")
    found = swap_blocks(blocks, free, np.float32([[LAST, LAST, 0]]), (0, 1, 4))
    assert shown(np.asarray(found)) == {"r17c17": "L"}


def test_alike_blocks_are_exchanged_the_first_one_in_the_middle_if_possible():
    blocks, free = board(r0c0="S", r5c5="S", r19c19="C", r19c0="T")
    groups = [(0, 1), (2, 3)]
    stone = np.float32([[0.5, 0, 0, 0]])  # with coal as its only partner
    found = swap_alike(blocks, free, stone, groups)
    assert shown(np.asarray(found)) == {
        "r0c0": "S", "r5c5": "C", "r19c19": "S", "r19c0": "T",
    }  # fmt: skip
    found = swap_alike(blocks, free, np.float32([[0.25, 0, 0, 0]]), groups)
    expected = {"r0c1": "T", "r0c0": "S", "r5c5": "S", "r19c19": "C"}
    assert shown(np.asarray(found)) == expected  # a tree from outside the middle


def test_nothing_changes_if_the_map_lacks_one_of_them():
    blocks, free = board(r5c5="S")
    found = swap_alike(blocks, free, np.float32([[0.5, 0, 0, 0]]), [(0, 1), (2, 3)])
    np.testing.assert_array_equal(found, blocks)


def test_swapped_entries_are_a_permutation():
    values = jnp.arange(40).reshape(5, 8)
    words = random.words(jax.random.key(0))
    swapped = np.asarray(swap_some(values, words, 0, swaps=3))
    assert swapped.shape == values.shape
    assert sorted(swapped.ravel()) == list(range(40))
    assert 2 <= (swapped != values).sum() <= 6
    np.testing.assert_array_equal(swap_some(values, words, 0, swaps=0), values)

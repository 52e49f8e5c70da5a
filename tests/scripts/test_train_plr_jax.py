"""Training on levels worth learning in: the buffer, and a few rounds of both games."""

import argparse
import csv

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import jax.numpy as jnp
from budget import QUICK_COMPILING
from printed import run_script
from train_plr_jax import Buffer, chances, insert

INF = float("inf")


def buffer(scores, played):
    """Returns a buffer in which each level is its place."""
    places = jnp.arange(len(scores))
    return Buffer(places, jnp.array(scores, jnp.float32), jnp.array(played, jnp.int32))


def test_levels_with_higher_scores_replace_the_lowest():
    old = buffer([3.0, -INF, 1.0, 5.0], [1, 0, 2, 3])
    new = insert(old, jnp.array([10, 11, 12]), jnp.array([2.0, 0.5, 4.0]), 7)
    assert new.levels.tolist() == [0, 12, 10, 3]
    assert new.scores.tolist() == [3, 4, 2, 5]
    assert new.played.tolist() == [1, 7, 7, 3]
    new = insert(buffer([0.0], [0]), jnp.arange(4), jnp.array([1.0, 9.0, 3.0, 2.0]), 1)
    assert (new.levels.tolist(), new.scores.tolist()) == ([1], [9])


def test_chances_follow_scores_and_age():
    some = buffer([1.0, 4.0, -INF, 2.0], [8, 5, 0, 9])
    by_score = chances(argparse.Namespace(temperature=1.0, staleness=0.0), some, 10)
    np.testing.assert_allclose(by_score, np.array([2, 6, 0, 3]) / 11, rtol=1e-6)
    sharp = chances(argparse.Namespace(temperature=0.1, staleness=0.0), some, 10)
    assert sharp[1] > 0.99
    by_age = chances(argparse.Namespace(temperature=1.0, staleness=1.0), some, 10)
    np.testing.assert_allclose(by_age, np.array([2, 5, 0, 1]) / 8, rtol=1e-6)
    fresh = buffer([1.0, 4.0], [3, 3])
    both = chances(argparse.Namespace(temperature=1.0, staleness=0.3), fresh, 3)
    np.testing.assert_allclose(both, np.array([1, 2]) / 3, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_rounds_of_a_game(game, tmp_path):
    words = ["--game", game, "--outdir", tmp_path, "--envs", "4", "--minibatches", "2"]
    words += ["--rollout", "4", "--width", "8", "--buffer", "8", "--epochs", "1"]
    words += ["--mutate", "swap", "--replay", "0.9", "--steps", str(6 * 4 * 4)]
    run_script("train_plr_jax.py", *words, XLA_FLAGS=QUICK_COMPILING)
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.reader(file))
    assert [int(row[0]) for row in rows] == [16 * n for n in range(1, 7)]
    kinds = [row[1] for row in rows]
    assert kinds[0] == "new" and {"replay", "changed"} <= set(kinds)
    assert all(kinds[i - 1] == "replay" for i in range(6) if kinds[i] == "changed")
    assert np.isfinite([float(x) for row in rows for x in row[2:]]).all()
    with np.load(tmp_path / "weights.npz") as weights:
        assert all(np.isfinite(leaf).all() for leaf in weights.values())
        assert any(leaf.any() for leaf in weights.values())

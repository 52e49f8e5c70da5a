"""Environment design: buffer, scores, presets, and rounds of both games."""

import argparse
import csv
import pathlib

import numpy as np
import pytest
import yaml

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from baselines import games, networks
from baselines.rollouts import Ends
from baselines.ued import buffer as buffers
from baselines.ued import evaluation, levels, loop, options, scores
from baselines.ued.logs import ended
from budget import QUICK_COMPILING
from printed import run_script
from walk_game import Walk

from crafter.functional import devices

INF = float("inf")
GOLDEN = pathlib.Path(__file__).parents[1] / "golden"
TABLE = yaml.safe_load((GOLDEN / "ued.yaml").read_text("utf-8"))
ARGS = argparse.Namespace(temperature=1.0, staleness=0.3)


@pytest.mark.parametrize("budget", options.TABLE["budgets"])
@pytest.mark.parametrize("preset", options.TABLE["presets"])
def test_presets_are_the_published_table(preset, budget):
    args = vars(options.read("", ["--preset", preset, "--budget", budget]))
    names = "all", budget, preset, f"{preset} {budget}"
    expected = {k: v for name in names for k, v in TABLE.get(name, {}).items()}
    assert {name: args[name] for name in expected} == expected


# The buffer. Each level is a number.


def buffer(levels, scores, stamps, offers, best=None):
    best = best or [0.0] * len(levels)
    columns = (jnp.array(x, jnp.float32) for x in (scores, best))
    stamps = jnp.array(stamps, jnp.int32)
    return buffers.Buffer(jnp.array(levels), *columns, stamps, jnp.int32(offers))


def test_chances_are_those_of_ranks_and_ages():
    some = buffer([7, 8, 0, 9], [1.0, 4.0, -INF, 2.0], [8, 5, 0, 9], 10)
    ranks = np.array([1 / 3, 1, 0, 1 / 2]) / (11 / 6)
    ages = np.array([2, 5, 0, 1]) / 8
    found = buffers.chances(ARGS, some)
    np.testing.assert_allclose(found, 0.7 * ranks + 0.3 * ages, rtol=1e-6)
    sharp = argparse.Namespace(temperature=0.5, staleness=0.0)
    squares = np.array([1 / 9, 1, 0, 1 / 4])
    found = buffers.chances(sharp, some)
    np.testing.assert_allclose(found, squares / squares.sum(), rtol=1e-6)
    new = buffer([7, 8, 0], [1.0, 4.0, -INF], [3, 3, 0], 3)  # of one age: equal shares
    expected = 0.7 * np.array([1, 2, 0]) / 3 + 0.3 * np.array([1, 1, 0]) / 2
    np.testing.assert_allclose(buffers.chances(ARGS, new), expected, rtol=1e-6)


def test_levels_are_drawn_one_after_another_and_are_then_the_newest():
    old = argparse.Namespace(temperature=1.0, staleness=1.0)
    some = buffer([7, 8, 9], [1.0, 4.0, 2.0], [4, 4, 1], 4)
    after, places = buffers.draw(old, some, jax.random.key(0), 1)
    assert places.tolist() == [2]  # the only one with an age
    assert (after.stamps.tolist(), int(after.offers)) == ([4, 4, 5], 5)
    after, places = buffers.draw(old, some, jax.random.key(0), 3)
    assert places[0] == 2 and 2 not in places[1:].tolist() and after.offers == 7
    assert after.stamps[places[2]] == 7


def test_replayed_levels_keep_the_best_return_and_the_last_score():
    some = buffer([7, 8], [1.0, 4.0], [1, 2], 2, best=[3.0, 5.0])
    places, news = jnp.array([0, 0]), jnp.array([2.0, 0.5])
    after = buffers.update(some, places, news, jnp.array([6.0, 4.0]))
    assert after.scores.tolist() == [0.5, 4] and after.best.tolist() == [6, 5]


def test_the_level_of_the_lowest_chance_is_replaced_by_a_better_one():
    # Chances of 0.7 * (2, 6, 3) / 11 + 0.3 * (5, 0, 1) / 6: the last is least likely.
    full = buffer([7, 8, 9], [1.0, 4.0, 2.0], [1, 6, 5], 6, best=[1.0, 1.0, 1.0])
    offered = jnp.array([10]), jnp.array([1.5]), jnp.array([9.0])
    after = buffers.insert(ARGS, full, *offered)
    assert after.levels.tolist() == [7, 8, 9] and after.offers == 7  # worse than 2
    offered = jnp.array([10]), jnp.array([2.5]), jnp.array([0.5])
    after = buffers.insert(ARGS, full, *offered)
    assert after.levels.tolist() == [7, 8, 10]
    assert after.scores.tolist() == [1, 4, 2.5] and after.best.tolist() == [1, 1, 0.5]
    assert after.stamps.tolist() == [1, 6, 7] and after.offers == 7


def test_new_levels_fill_places_and_known_ones_are_updated():
    some = buffer(
        [7, 0, 0, 0], [1.0, -INF, -INF, -INF], [1, 0, 0, 0], 1, [3.0, 0, 0, 0]
    )
    levels, news = jnp.array([8, 9, 7, 8]), jnp.array([2.0, -INF, 0.5, 3.0])
    after = buffers.insert(ARGS, some, levels, news, jnp.array([1.0, 9.0, 2.0, 4.0]))
    assert after.levels[:2].tolist() == [7, 8] and after.scores[2:].max() == -INF
    assert after.scores[:2].tolist() == [0.5, 3] and after.best[:2].tolist() == [3, 4]
    assert after.stamps.tolist() == [4, 5, 0, 0] and after.offers == 5


# Scores.


def ends(done, lengths, returns):
    rows = (jnp.array(x)[:, None] for x in (done, returns, lengths))
    done, returns, lengths = rows
    return Ends(done, returns, lengths, lengths, ())


def test_scores_are_means_over_finished_episodes_across_rollouts():
    """Episodes of three steps and one, the first over two rollouts; one goes on."""
    values = jnp.array([[1.0, 2.0], [3.0, 6.0], [50.0, 0.0]])[..., None]
    parts = [ends([False, False], [1, 2], [0.0, 1.0])]
    parts += [ends([True, True], [3, 1], [4.0, -2.0])]
    parts += [ends([False, False], [1, 2], [9.0, 9.0])]
    for kind, expected in (("maxmc", 5 - (2 + 6) / 2), ("pvl", (2 + 6) / 2)):
        sums = scores.no_sums(1)
        for value, part in zip(values, parts):
            sums = scores.measure(kind, sums, value, value, part)
        assert sums.best.tolist() == [4]
        assert scores.scores(kind, sums, jnp.array([5.0])).tolist() == [expected]
    nothing = scores.measure("pvl", scores.no_sums(1), values[0], values[0], parts[0])
    assert scores.scores("pvl", nothing, jnp.zeros(1)).tolist() == [-INF]
    bad = scores.measure("pvl", scores.no_sums(1), -values[1], -values[1], parts[1])
    assert scores.scores("pvl", bad, jnp.zeros(1)).tolist() == [0]


# Rounds, in a game of which each level is a number.


class Toy(Walk):
    """Episodes of even levels last six steps, those of odd ones longer than a round."""

    def _step(self, words, state, action, params):
        return state._replace(step=state.step + 1), jnp.float32(1)

    def _observe(self, state):
        return jnp.stack([state.goal, state.step]) / 1000

    def _terminated(self, state, params):
        return state.step >= 6 + state.goal % 2 * 100


WORDS = "--envs 8 --minibatches 2 --rollout 4 --outer 2 --width 4 --buffer 8 --epochs 1"
WORDS += " --replay 0.9 --eval-levels 4 --eval-episodes 2 --eval-limit 16"
ROUND = 8 * 4 * 2  # steps
MAPS = {"crafter": (64, 64, 1), "craftax": (48, 48, 2)}


def toy(monkeypatch, *words):
    """Returns the arguments of a training of that game."""
    monkeypatch.setattr(games, "make_env", lambda *_, **__: Toy(auto_reset=False))
    game = argparse.Namespace(
        mutate_swap=lambda _, key, level, edits: level + edits,
        map_of=lambda level: level[:, None, None, None],
    )
    monkeypatch.setitem(levels.MODULES, "crafter", game)
    monkeypatch.setattr(Toy, "config", None, raising=False)  # for mutations
    return options.read("", [*WORDS.split(), *words])


def test_states_carry_on_and_levels_are_kept_if_an_episode_ended(monkeypatch):
    curriculum = loop.Curriculum(toy(monkeypatch))
    state, row, found = curriculum.round(curriculum.begin(), jax.random.key(0))
    assert row["kind"] == "new" and len(found) == 2
    episodes = ended(found)
    assert set(episodes.lengths) == {6}  # longer than a rollout
    kept = buffers.filled(state.buffer)
    assert row["levels"] == kept.sum() == len(episodes.lengths) > 1
    assert (state.buffer.levels[kept] % 2 == 0).all()
    assert (state.buffer.best[kept] == 6).all()


def test_episodes_start_anew_in_their_level_until_the_round_ends():
    play = levels.LevelGames(Toy(False), devices.make_mesh(2, jax.devices()[:1]), 2)
    _, state = play.start(jax.random.key(0), jnp.array([4, 5]))
    seen, step = [], jax.jit(play.step)
    for _ in range(13):
        obs, state, _, done, *_ = step(jax.random.key(1), state, jnp.zeros(2, int))
        seen.append((*np.round(obs[:, 1] * 1000).astype(int), bool(done[0])))
        np.testing.assert_allclose(obs[:, 0], [0.004, 0.005])
    even = [1, 2, 3, 4, 5, 0]
    assert [row[0] for row in seen] == [*even, *even, 1]
    assert [row[1] for row in seen] == list(range(1, 14))
    assert [i for i, row in enumerate(seen) if row[2]] == [5, 11]


def test_evaluation_levels_are_fixed_and_episodes_are_cut_at_the_limit(monkeypatch):
    found = []
    for words in (["--seed", "1"], ["--seed", "2", "--levels", "math:sqrt"]):
        args = toy(monkeypatch, *words)
        mesh = devices.make_mesh(8, jax.devices()[:1])
        found.append(evaluation.Evaluation(Toy(False), mesh, args))
    expected = [int(Toy().sample_level(jax.random.key(i))) for i in range(4)]
    assert found[0].levels.tolist() == found[1].levels.tolist() == expected
    net = networks.KINDS["towers"].init(jax.random.key(0), (2,), 3, 4)
    results = found[0].play({"policy": net}, jax.random.key(0))
    for level, result in zip(expected, results, strict=True):
        assert result.lengths.tolist() == [16 if level % 2 else 6] * 2
        assert result.returns.tolist() == result.lengths.tolist()


def rows(path):
    with path.open() as file:
        found = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if k != "seconds"} for row in found]


def test_a_training_that_goes_on_is_one_that_was_never_stopped(monkeypatch, tmp_path):
    words = f"--mutate swap --edits 2 --save-every {2 * ROUND} --steps {12 * ROUND}"
    args = toy(monkeypatch, *words.split())
    curriculum = loop.Curriculum(args)  # compiled once
    check = evaluation.Evaluation(curriculum.env, curriculum.mesh, args)
    monkeypatch.setattr(loop, "Curriculum", lambda args: curriculum)
    monkeypatch.setattr(loop, "Evaluation", lambda *_: check)
    played = curriculum.round

    def stopped(state, key):
        if state.rounds == 7:
            raise KeyboardInterrupt
        return played(state, key)

    def train(name):
        loop.train(argparse.Namespace(**{**vars(args), "outdir": tmp_path / name}))

    train("whole")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(curriculum, "round", stopped)
        train("parts")
    train("parts")
    one, two = (tmp_path / name for name in ("whole", "parts"))
    curve = rows(one / "curve.csv")
    assert curve == rows(two / "curve.csv")
    with np.load(one / "checkpoint.npz") as a, np.load(two / "checkpoint.npz") as b:
        last = max(int(name.split("/")[1]) for name in a if "/" in name)  # seconds
        for name in set(a) - {"note", f"state/{last}"}:
            np.testing.assert_array_equal(a[name], b[name])
    kinds = [row["kind"] for row in curve]
    assert kinds[0] == "new" and {"replay", "changed"} <= set(kinds)
    pairs = list(zip(kinds, kinds[1:]))
    assert all((b == "changed") == (a == "replay") for a, b in pairs)
    assert [int(row["steps"]) for row in curve] == [ROUND * n for n in range(1, 13)]
    learned = [row["kind"] for row in curve if row["loss"]]
    assert set(learned) == {"new", "replay"}
    checked = rows(one / "evaluation.csv")
    assert checked == rows(two / "evaluation.csv")
    checks = sorted({int(row["steps"]) // ROUND for row in checked})
    assert checks == [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    for number in checks:
        name = f"levels-{ROUND * number}.npz"
        maps, same = (np.load(folder / name)["maps"] for folder in (one, two))
        np.testing.assert_array_equal(maps, same)
        assert 1 <= len(set(maps.ravel().tolist())) == len(maps) <= loop.MAPS


@pytest.mark.slow
@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_rounds_of_a_game(game, tmp_path):
    words = f"{WORDS} --game {game} --mutate rswap --edits 9 --steps {4 * ROUND}"
    words = [*words.split(), "--outdir", tmp_path]
    run_script("train_ued.py", *words, XLA_FLAGS=QUICK_COMPILING)
    curve = rows(tmp_path / "curve.csv")
    assert len(curve) == 4 and "collect_wood" in curve[0]
    assert all(np.isfinite(float(row["loss"])) for row in curve)
    assert len(rows(tmp_path / "evaluation.csv")) == 4 * 4
    with np.load(tmp_path / f"levels-{4 * ROUND}.npz") as file:
        assert file["maps"].shape[1:] == MAPS[game]

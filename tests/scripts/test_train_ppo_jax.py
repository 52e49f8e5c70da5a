"""The training script in JAX learns a few rounds, stores and goes on."""

import csv
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest
from budget import QUICK_COMPILING, sample
from PIL import Image

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from baselines import games, loop, networks, options, ppo, rollouts
from baselines.bonuses.frame import Played
from recorded import stats_of
from walk_game import Walk

from crafter import scoring
from crafter.functional import devices

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "train_ppo_jax.py"
SMALL = ["--envs", "8", "--rollout", "8", "--minibatches", "2", "--epochs", "1"]
SMALL += ["--width", "8"]
# The bonuses on games with a memory and without.
METHODS = {
    "rnd": ["--network", "gru", "--bonus", "rnd", "--bonus-width", "8"],
    "ppo": [],
    "gru": ["--network", "gru"],
    "rnn": ["--network", "rnn"],
    "towers": ["--network", "towers", "--parts", "steps", "--bonus", "icm"]
    + ["--bonus-use", "reward", "--bonus-width", "8"],
    "icm": ["--bonus", "icm", "--bonus-width", "8"],
    # Observations up to 255 need a ridge of their size, or rounding errors grow.
    "e3b": ["--network", "gru", "--bonus", "e3b", "--bonus-width", "8"]
    + ["--bonus-ridge", "100"],
}


def curve(folder):
    with (folder / "curve.csv").open() as file:
        return list(csv.DictReader(file))


def arrays(folder):
    """Returns what a checkpoint holds, but for how long it took."""
    with np.load(folder / "checkpoint.npz") as found:
        return {name: found[name] for name in found if name not in ("seconds", "note")}


def assert_same_training(one, other):
    for name, value in arrays(one).items():
        np.testing.assert_array_equal(value, arrays(other)[name], err_msg=name)
    assert set(arrays(one)) == set(arrays(other))
    assert stats_of(one) == stats_of(other)
    ours, theirs = (
        [{**row, "seconds": ""} for row in curve(folder)] for folder in (one, other)
    )
    assert ours == theirs


@pytest.mark.parametrize("method", sample(METHODS))
def test_a_tiny_game_is_trained_and_resumed_to_the_bit(
    method, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(games, "make_env", lambda args: Walk())
    update, kept = loop.make_update, {}

    def make_update(*setting):  # compiled once
        if "update" not in kept:
            kept["update"] = update(*setting)
        return kept["update"]

    monkeypatch.setattr(loop, "make_update", make_update)

    def train(folder, steps):
        words = [*SMALL, *METHODS[method], "--outdir", str(folder)]
        words += ["--steps", str(steps), "--save-every", "128"]
        loop.train(options.read("", words))

    whole, parted = tmp_path / "whole", tmp_path / "parted"
    train(whole, 320)
    train(parted, 256)
    assert stats_of(parted)  # which the means of later rows count, too
    before = arrays(parted)
    # As if it had been killed before the next checkpoint.
    for name in ("stats.jsonl", "curve.csv"):
        with (parted / name).open("a") as file:
            file.write("what will be played again\n")
    train(parted, 320)
    assert_same_training(whole, parted)
    with pytest.raises(SystemExit, match=r"made with .*rate 0\.0003, .*got "):
        loop.train(options.read("", [*SMALL, "--rate", "1", "--outdir", str(whole)]))
    rows = curve(whole)
    assert [int(row["steps"]) for row in rows] == [64, 128, 192, 256, 320]
    assert all(np.isfinite(float(row["loss"])) for row in rows)
    bonus = [row["bonus"] for row in rows]
    assert all(map(float, bonus)) if "--bonus" in METHODS[method] else not any(bonus)
    kept = {"length", "reward", "achievement_leave", "achievement_arrive"}
    assert stats_of(whole)[0].keys() == kept
    changed = [n for n, v in arrays(whole).items() if not np.array_equal(v, before[n])]
    assert len([name for name in changed if name.startswith("runner/")]) > 10
    assert "320/320" in capsys.readouterr().err
    assert json.loads((whole / scoring.MADE_BY).read_text())["width"] == 8


@pytest.mark.parametrize("method", sample(["rnd", "e3b"]))
def test_a_bonus_alone_learns_nothing_of_rewards_and_looks_around_first(
    method, tmp_path, monkeypatch
):
    class Rich(Walk):
        def _step(self, *given):
            state, reward = super()._step(*given)
            return state, reward + 7

    words = [*METHODS[method], "--bonus-use", "alone", "--bonus-random", "64"]
    for game in (Walk, Rich):
        monkeypatch.setattr(games, "make_env", lambda args, game=game: game())
        folder = ["--steps", "192", "--outdir", str(tmp_path / game.__name__)]
        loop.train(options.read("", [*SMALL, *words, *folder]))
    rows = curve(tmp_path / "Rich")
    assert [row["steps"] for row in rows] == ["64", "128", "192"]
    assert [bool(row["loss"]) for row in rows] == [False, True, True]
    poor, rich = arrays(tmp_path / "Walk"), arrays(tmp_path / "Rich")
    differ = [n for n, v in poor.items() if not np.array_equal(v, rich[n])]
    assert len(differ) == 1  # returns of episodes that go on
    shapes = [v.shape for n, v in poor.items() if n.startswith("runner/")]
    assert shapes.count((8, 1)) == 3  # of one critic, and its two moments in Adam


def test_grey_games_show_the_last_pictures_of_an_episode():
    class Ticking:
        names, num_actions, setup, shape = ("a",), 2, "published", (1, 1, 3)

        def picture(self, time):
            return jnp.full((1, 1, 1, 3), time, jnp.uint8)

        def reset(self, key):
            return self.picture(10), jnp.int32(10)

        def step(self, key, time, action):
            done = time == 15
            time = jnp.where(done, 90, time + 1)
            return self.picture(time), time, 0, done[None], (), None

    grey = games.GreyGames(Ticking())
    assert grey.shape == (84, 84, 4)
    obs, state = grey.reset(None)
    seen = [obs]
    for _ in range(7):
        obs, state, *_ = grey.step(None, state, None)
        seen.append(obs)
    assert np.array(seen)[:, 0, 0, 0].tolist() == [
        [10] * 4, [10, 10, 10, 11], [10, 10, 11, 12], [10, 11, 12, 13],
        [11, 12, 13, 14], [12, 13, 14, 15], [90] * 4, [90, 90, 90, 91],
    ]  # fmt: skip


def test_grey_frames_are_enlarged_and_have_the_mean_of_the_colours():
    frame = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
    large = Image.fromarray(frame).resize((84, 84), Image.Resampling.NEAREST)
    expected = np.asarray(large).mean(-1).astype(np.uint8)
    np.testing.assert_array_equal(
        games._grey(jnp.asarray(frame[None]))[0, ..., 0], expected
    )


def test_an_agent_plays_and_learns_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "make_env", lambda args: Walk())
    learned, played = tmp_path / "learned", tmp_path / "played"
    words = [*SMALL, "--steps", "64", "--outdir"]
    loop.train(options.read("", [*words, str(learned)]))
    words += [str(played), "--agent", str(learned), "--seed", "1"]
    loop.train(options.read("", words))
    there, here = arrays(learned), arrays(played)
    weights = [f"runner/{i}" for i in range(10)]  # of five layers
    for name in weights:
        np.testing.assert_array_equal(here[name], there[name])
    assert any(not np.array_equal(here[n], there[n]) for n in set(here) - set(weights))
    assert curve(played)[0]["loss"] == ""
    with pytest.raises(SystemExit, match="made with width 8, got width 4"):
        words = [*words, "--width", "4", "--outdir", str(tmp_path / "other")]
        loop.train(options.read("", words))


@pytest.mark.slow
def test_what_is_learned_from_is_what_was_played():
    args = options.read("", [*SMALL, *METHODS["e3b"], "--rollout", "50"])
    mesh, bonus = devices.make_mesh(8, jax.devices()[:1]), loop.make_bonus(args)
    play, kind = games.JaxGames(Walk(), mesh, 8), networks.KINDS["gru"]
    before = rollouts.begin(play, mesh, args, loop.make_optimizers(args), bonus)
    collect = jax.jit(lambda runner: rollouts.collect(play, args, runner))
    runner, batch, ends = collect(before)
    done = np.array(batch.done)
    np.testing.assert_array_equal(batch.fresh[0], True)
    np.testing.assert_array_equal(batch.fresh[1:], done[:-1])
    # The network sees the same memories, step by step and along whole sequences.
    _, logits, value = jax.jit(kind.follow)(
        before.params["policy"], batch.memory[0], batch.obs, batch.fresh
    )
    found = ppo.chosen(logits, batch.action)
    np.testing.assert_allclose(found, batch.log_prob, rtol=1e-3, atol=1e-5)
    # The value of the game; that of the bonus is another one's.
    np.testing.assert_allclose(value, batch.value, rtol=1e-3, atol=1e-5)
    # Returns and lengths begin anew, and so do the bonuses.
    seen = jnp.concatenate([batch.obs, runner.obs[None]])
    played = Played(seen[:-1], batch.action, seen[1:], batch.done)
    _, more = bonus.reward(before.params["bonus"], before.episode, played)
    reward = np.array(batch.reward[..., 0])
    for game in range(8):
        steps = np.flatnonzero(done[:, game])
        assert len(steps) >= 2
        first, second = steps[:2]
        assert ends.lengths[second, game] == second - first <= 20
        total = reward[first + 1 : second + 1, game].sum()
        assert ends.returns[second, game] == total
        # The first steps of an episode are the newest to it.
        assert more[first + 1, game] > more[second - 1, game]


# The real games.


def command(folder, *more):
    words = [sys.executable, str(SCRIPT), "--outdir", str(folder), "--envs", "16"]
    words += ["--rollout", "32", "--minibatches", "2", "--width", "16", *more]
    return words


def run(folder, *more):
    done = subprocess.run(command(folder, *more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return curve(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        ["--network", "cnn"],  # Gradients of convolutions are slow without a GPU.
        ["--network", "cnn", "--bonus", "rnd"],
        ["--game", "craftax", "--network", "gru", "--bonus", "e3b"],
        ["--game", "craftax", "--bonus", "icm"],
        ["--game", "craftax", "--setup", "puffer", "--network", "gru"],
        ["--engine", "compiled", "--masks", "exact", "--bonus", "rnd"],
    ],
)
def test_games_and_networks(more, tmp_path):
    (row,) = run(tmp_path, *more, "--epochs", "1", "--steps", "512")
    assert np.isfinite(float(row["loss"]))


@pytest.mark.slow
def test_craftax_on_the_compiled_engine_with_all_options(tmp_path):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    options = ["--game", "craftax", "--engine", "compiled", "--observation", "puffer"]
    options += ["--setup", "{collapse: true}", "--masks", "puffer"]
    options += ["--world-pool", "9", "--epochs", "1", "--save-every", "4096"]
    whole, parted = tmp_path / "craftax_puffer-ppo" / "0", tmp_path / "parted"
    run(whole, *options, "--steps", "12288")
    run(parted, *options, "--steps", "8192")
    run(parted, *options, "--steps", "12288")
    assert_same_training(whole, parted)
    benchmark = scoring.find_benchmark("craftax-1m")
    words = {"budget": 12288, "strict": True, "benchmark": benchmark}
    (scored,) = scoring.load_runs([whole.parent], **words)
    assert scored.setup == "published+collapse"
    assert scored.episodes == len(stats_of(whole)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", "jax"])
def test_training_is_killed_and_goes_on_exactly(engine, tmp_path):
    if engine == "compiled":
        pytest.importorskip("numba", reason="needs the extra 'vector'")
    options = ["--engine", engine, "--epochs", "1", "--save-every", "1024"]
    whole, parted = tmp_path / "crafter_reward-ppo" / "0", tmp_path / "parted"
    run(whole, *options, "--steps", "8192")
    program = subprocess.Popen(command(parted, *options, "--steps", "100000000"))
    while not (parted / "curve.csv").exists() or len(curve(parted)) < 5:
        assert program.poll() is None
        time.sleep(0.05)
    program.send_signal(signal.SIGKILL)
    program.wait()
    with np.load(parted / "checkpoint.npz") as found:
        if int(found["steps"]) > 8192:
            pytest.skip("it was too fast to be killed in time")
    run(parted, *options, "--steps", "8192")
    assert_same_training(whole, parted)
    (scored,) = scoring.load_runs([whole.parent], budget=8192, strict=True)
    assert scored.episodes == len(stats_of(whole)) >= 8
    assert scored.made_by["engine"] == engine


@pytest.mark.slow
def test_it_learns_more_than_random_play(tmp_path):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    words = [sys.executable, str(SCRIPT), "--outdir", str(tmp_path)]
    words += ["--engine", "compiled", "--steps", "200000"]
    subprocess.run(words, check=True, capture_output=True)
    latest = [record["reward"] for record in stats_of(tmp_path)[-200:]]
    # Random play has 1.35 ± 0.05, over a million steps of ten seeds.
    assert np.mean(latest) - 3 * np.std(latest) / np.sqrt(len(latest)) > 1.6


# Devices and processes.

# A tiny game learns on one device and on all; prints how many there are.
PROGRAM = """
import sys
import jax, numpy as np
from baselines import loop, options, rollouts
from baselines.games import JaxGames
from crafter.functional import devices
from walk_game import Walk

args, ends = options.read("", {words}), []
bonus, optimizers = loop.make_bonus(args), loop.make_optimizers(args)
for some in (jax.devices(), jax.devices()[:1]):
    mesh = devices.make_mesh(args.envs, some)
    games = JaxGames(Walk(), mesh, args.envs)
    runner = rollouts.begin(games, mesh, args, optimizers, bonus)
    update = loop.make_update(games, mesh, args, bonus)
    for _ in range(2):
        runner, *ended = update(runner)
    ends.append(jax.device_get((runner, ended)))
    assert len(runner.obs.sharding.device_set) == len(some)
several, one = map(jax.tree.leaves, ends)
for ours, theirs in zip(several, one, strict=True):
    if ours.dtype.kind == "f":
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)
    else:
        np.testing.assert_array_equal(ours, theirs)
print(len(jax.devices()), *games.names)
"""


def environment(devices):
    """Returns variables for a child process that has so many devices."""
    flags = f"{QUICK_COMPILING} --xla_force_host_platform_device_count={devices}"
    tests = pathlib.Path(__file__).parents[1]
    paths = os.pathsep.join(map(str, [tests / "support", SCRIPT.parent, tests.parent]))
    own = {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "PYTHONPATH": paths}
    return {**os.environ, **own}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_devices_do_not_change_what_is_learned(method):
    """Games are the same to the bit; weights up to the order of sums."""
    words = [*SMALL, *METHODS[method]]
    program = [sys.executable, "-c", PROGRAM.format(words=words)]
    done = subprocess.run(program, env=environment(8), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "8 arrive leave\n"


# The whole program with a tiny game.
TRAIN = """
import sys
from baselines import games, loop, options
from walk_game import Walk

games.make_env = lambda args: Walk()
loop.train(options.read(""))
"""


def train_in(folder, processes):
    """Trains with processes; returns the floats and others of the checkpoint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [sys.executable, "-c", TRAIN, "--outdir", str(folder), *SMALL]
    words += ["--steps", "256", "--processes", str(processes)]
    words += ["--coordinator", address]
    running = [
        subprocess.Popen(
            [*words, "--process", str(number)],
            env=environment(1),
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    errors = [process.communicate()[1] for process in running]
    assert not any(process.returncode for process in running), "\n".join(errors)
    return arrays(folder)


@pytest.mark.slow
def test_two_processes_learn_what_one_learns(tmp_path):
    several, one = train_in(tmp_path / "two", 2), train_in(tmp_path / "one", 1)
    assert set(one) == set(several)
    for name, ours in one.items():
        if ours.dtype.kind == "f":
            np.testing.assert_allclose(ours, several[name], rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(ours, several[name])
    # Games of 20 steps in 32 steps: all 8 ended.
    assert stats_of(tmp_path / "one") == stats_of(tmp_path / "two")
    assert len(stats_of(tmp_path / "one")) >= 8
    assert len(curve(tmp_path / "one")) == len(curve(tmp_path / "two")) == 4

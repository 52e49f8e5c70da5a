"""The script that trains an agent, over a few steps."""

import csv
import json
import subprocess
import sys
import time

import gymnasium
import numpy as np
import pytest
from printed import refusal
from recorded import read_video, stats_of

pytestmark = pytest.mark.train
pytest.importorskip("stable_baselines3", reason="needs crafter[train]")
pytest.importorskip("tensorboard", reason="needs crafter[train]")
pytest.importorskip("tqdm", reason="needs crafter[train]")
pytest.importorskip("matplotlib", reason="needs matplotlib")

import train_ppo  # noqa: E402
from training import success  # noqa: E402

from crafter.core import journal  # noqa: E402

STEPS = 512


def run(logdir, *arguments, videos=0):
    options = ["--device", "cpu", "--videos", str(videos)]
    train_ppo.main(["--logdir", str(logdir), *options, *arguments])


def checkpoints(logdir):
    return sorted(int(path.stem) for path in logdir.glob("checkpoints/[0-9]*.zip"))


def tables(logdir):
    """Returns the steps in the rows of every start's table of progress."""
    found = {}
    for path in sorted(logdir.glob("logs/*/progress.csv")):
        with path.open() as file:
            rows = list(csv.DictReader(file))
        found[path.parent.name] = [int(row["time/total_timesteps"]) for row in rows]
    return found


@pytest.mark.parametrize("vector", [True, False])
def test_trains_and_resumes(vector, tmp_path, capsys):
    options = ["--envs", "2", "--checkpoint-every", "300"]
    if vector:
        pytest.importorskip("numba", reason="needs crafter[vector]")
        options.append("--vector")
    run(tmp_path, "--steps", str(STEPS), *options)
    assert f"Trained {STEPS} steps" in capsys.readouterr().out
    assert checkpoints(tmp_path) == [300, STEPS]
    before = stats_of(tmp_path)
    assert before
    assert 0 < sum(line["length"] for line in before) <= STEPS
    run(tmp_path, "--steps", str(2 * STEPS), "--resume", *options)
    assert checkpoints(tmp_path) == [300, STEPS, STEPS + 300, 2 * STEPS]
    after = stats_of(tmp_path)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert after[len(before) :] != before[: len(after) - len(before)]
    for start in (0, STEPS):
        assert list((tmp_path / "logs" / f"{start:09}").glob("events.*"))
        assert tables(tmp_path)[f"{start:09}"] == [start + 256, start + 512]


def test_settings_of_the_library(tmp_path, capsys):
    """They are those that it has where nothing is said; one training keeps to them."""
    from stable_baselines3 import PPO

    options = ["--settings", "library", "--steps", "1"]
    run(tmp_path, *options)
    assert checkpoints(tmp_path) == [2048]
    expected = PPO("CnnPolicy", gymnasium.make("CrafterReward-v1"), device="cpu")
    found = PPO.load(tmp_path / "checkpoints" / "000002048.zip", device="cpu")
    assert found.n_envs == 1
    for name in ("n_steps", "batch_size", "n_epochs", "gae_lambda", "ent_coef"):
        assert getattr(found, name) == getattr(expected, name)
    for name in ("lr_schedule", "clip_range"):
        for left in (1, 0.1):
            assert getattr(found, name)(left) == getattr(expected, name)(left)

    error = refusal(capsys, run, tmp_path, "--resume", "--steps", "4096")
    assert "settings library, got envs 8, settings zoo" in error
    run(tmp_path, "--resume", "--settings", "library", "--steps", "2049")
    assert checkpoints(tmp_path) == [2048, 4096]
    resumed = PPO.load(tmp_path / "checkpoints" / "000004096.zip", device="cpu")
    assert resumed.lr_schedule(0.1) == expected.lr_schedule(0.1)


@pytest.mark.parametrize("vector", [True, False])
def test_trains_on_a_task_and_measures_success(vector, tmp_path, capsys):
    options = ["--task", "place_table", "--observation", "symbolic", "--envs", "2"]
    options += ["--eval-scenes", "4", "--scenes", "2"]
    if vector:
        pytest.importorskip("numba", reason="needs crafter[vector]")
        options.append("--vector")
    run(tmp_path, "--steps", "256", *options)
    told = capsys.readouterr().out
    assert "place_table, simple: random after 0 steps does" in told
    found = journal.read(tmp_path / "success.jsonl")
    rows = [(row["agent"], row["steps"], row["attempts"]) for row in found]
    assert rows == [("random", 0, 4), ("ppo", 0, 4), ("ppo", 256, 4)]
    assert all(0 <= row["done"] <= 4 for row in found)
    assert sum(line["length"] for line in stats_of(tmp_path)) <= 256
    run(tmp_path, "--steps", "256", "--resume", *options)
    assert journal.read(tmp_path / "success.jsonl") == found


def test_both_engines_measure_the_same_success():
    pytest.importorskip("numba", reason="needs crafter[vector]")
    game = {"task": "place_table", "difficulty": "simple", "observation": "symbolic"}
    found = [
        success.measure(success.random_actions(3), 6, batched, **game)
        for batched in (True, False)
    ]
    np.testing.assert_array_equal(*found)
    assert found[0].any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "place_tabel"], "Did you mean place_table"),
        (["--task", "place_table", "--difficulty", "easy"], "difficulty must be one"),
        (["--task", "place_table", "--eval-scenes", "201"], "from 0 to 199"),
        (["--task", "damaged", "--vector"], "does not support event"),
    ],
)
def test_tasks_that_cannot_be_trained_are_refused(tmp_path, capsys, options, message):
    if "--vector" in options:
        pytest.importorskip("numba", reason="needs crafter[vector]")
    assert message in refusal(capsys, run, tmp_path / "new", *options)
    assert not (tmp_path / "new").exists()


class TestVideo:
    """The video of the trained agent."""

    def test_is_made_at_the_end_or_later(self, ffmpeg, tmp_path, capsys):
        options = ["--steps", "128", "--envs", "1", "--seed", "5"]
        run(tmp_path, *options)
        assert not (tmp_path / "videos").exists()
        run(tmp_path, *options, "--resume", videos=1)
        assert "Nothing to train: 128 steps" in capsys.readouterr().out
        run(tmp_path, *options, "--resume", videos=2)
        paths = tmp_path.glob("videos/000000128/*.mp4")
        paths = sorted(paths, key=lambda path: path.stat().st_mtime_ns)
        films = [read_video(ffmpeg, path)[1] for path in paths]
        assert len(films) == 2
        for path, film in zip(paths, films):
            assert f"-len{len(film) - 1}" in path.name
        assert not np.array_equal(films[0][0], films[1][0])
        env = train_ppo.crafter.Env(seed=5)
        env.reset()
        difference = films[0][0].astype(int) - env.frame((512, 512))
        assert np.abs(difference).mean() < 10  # It is the world of the seed.
        assert checkpoints(tmp_path) == [128]
        assert [path.name for path in (tmp_path / "logs").iterdir()] == ["000000000"]


def test_ctrl_c_keeps_the_agent(tmp_path, monkeypatch, capsys):
    def interrupted(model, *args, **kwargs):
        model.num_timesteps = 77
        raise KeyboardInterrupt

    monkeypatch.setattr("stable_baselines3.PPO.learn", interrupted)
    run(tmp_path, "--envs", "1")
    assert checkpoints(tmp_path) == [77]
    assert "Interrupted" in capsys.readouterr().err


def test_a_training_is_killed_and_goes_on(tmp_path):
    options = ["--envs", "2", "--checkpoint-every", "512"]
    command = [sys.executable, train_ppo.__file__, "--logdir", str(tmp_path), *options]
    for wait, more in [(0, []), (0.5, ["--resume"]), (2, ["--resume"])]:
        before = checkpoints(tmp_path)
        program = subprocess.Popen([*command, *more])
        try:
            while checkpoints(tmp_path) == before:
                assert program.poll() is None
                time.sleep(0.01)
            time.sleep(wait)
        finally:
            program.kill()
            program.wait()
    steps, stats = checkpoints(tmp_path)[-1], tmp_path / "stats.jsonl"
    note = json.loads((tmp_path / "checkpoints" / f"{steps:09}.json").read_text())
    kept = stats.read_bytes()[: note["sizes"]["stats.jsonl"]]
    run(tmp_path, "--steps", str(steps + 1), "--resume", *options)
    assert kept and stats.read_bytes().startswith(kept)
    steps = checkpoints(tmp_path)[-1]
    assert sum(line["length"] for line in stats_of(tmp_path)) <= steps
    rows = sum(tables(tmp_path).values(), [])
    assert rows == sorted(set(rows)) and rows[-1] == steps


def test_the_seed_decides(tmp_path):
    pytest.importorskip("numba", reason="needs crafter[vector]")
    options = ["--vector", "--steps", "384", "--envs", "3"]
    for name, seed in [("a", 1), ("b", 1), ("c", 2)]:
        run(tmp_path / name, *options, "--seed", str(seed))
    first, same, other = (stats_of(tmp_path / name) for name in "abc")
    assert first == same
    assert first != other

"""The script that trains an agent, over a few steps."""

import csv
import json

import pytest

pytestmark = pytest.mark.train
pytest.importorskip("stable_baselines3", reason="needs crafter[train]")
pytest.importorskip("tensorboard", reason="needs crafter[train]")
pytest.importorskip("tqdm", reason="needs crafter[train]")

import train_ppo  # noqa: E402

STEPS = 512


def run(logdir, *arguments):
    train_ppo.main(["--logdir", str(logdir), "--device", "cpu", *arguments])


def fails(capsys, logdir, *arguments):
    """Runs the script, which has to fail, and returns what it says."""
    with pytest.raises(SystemExit) as caught:
        run(logdir, *arguments)
    assert caught.value.code == 1
    return capsys.readouterr().err


def checkpoints(logdir):
    return sorted(int(path.stem) for path in logdir.glob("checkpoints/*"))


def lines(logdir):
    text = (logdir / "stats.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("vector", [True, False])
def test_trains_and_resumes(vector, tmp_path, capsys):
    options = ["--envs", "2", "--checkpoint-every", "300"]
    if vector:
        pytest.importorskip("numba", reason="needs crafter[vector]")
        options.append("--vector")
    run(tmp_path, "--steps", str(STEPS), *options)
    assert f"Trained {STEPS} steps" in capsys.readouterr().out
    assert checkpoints(tmp_path) == [300, STEPS]
    before = lines(tmp_path)
    assert before
    assert 0 < sum(line["length"] for line in before) <= STEPS
    run(tmp_path, "--steps", str(2 * STEPS), "--resume", *options)
    assert checkpoints(tmp_path) == [300, STEPS, STEPS + 300, 2 * STEPS]
    after = lines(tmp_path)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert after[len(before) :] != before[: len(after) - len(before)]
    for start in (0, STEPS):
        folder = tmp_path / "logs" / f"{start:09}"
        assert list(folder.glob("events.*"))
        with (folder / "progress.csv").open() as file:
            steps = [int(row["time/total_timesteps"]) for row in csv.DictReader(file)]
        assert steps == [start + 256, start + 512]


def test_ctrl_c_keeps_the_agent(tmp_path, monkeypatch, capsys):
    def interrupted(model, *args, **kwargs):
        model.num_timesteps = 77
        raise KeyboardInterrupt

    monkeypatch.setattr("stable_baselines3.PPO.learn", interrupted)
    run(tmp_path, "--envs", "1")
    assert checkpoints(tmp_path) == [77]
    assert "Interrupted" in capsys.readouterr().err


def test_the_seed_decides(tmp_path):
    pytest.importorskip("numba", reason="needs crafter[vector]")
    options = ["--vector", "--steps", "384", "--envs", "3"]
    for name, seed in [("a", 1), ("b", 1), ("c", 2)]:
        run(tmp_path / name, *options, "--seed", str(seed))
    first, same, other = (lines(tmp_path / name) for name in "abc")
    assert first == same
    assert first != other


def test_a_folder_in_use_is_refused(tmp_path, capsys):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "000000100.zip").touch()
    assert "add --resume" in fails(capsys, tmp_path)


def test_nothing_to_resume(tmp_path, capsys):
    assert "There is no checkpoint in" in fails(capsys, tmp_path, "--resume")


def test_the_newest_checkpoint_counts(tmp_path):
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    for name in ("000000900", "1000000000", ".unfinished"):
        (folder / f"{name}.zip").touch()
    found = train_ppo.find_checkpoint(tmp_path, resume=True)
    assert found.name == "1000000000.zip"


@pytest.mark.parametrize("device", ["cuda:99", "nonsense"])
def test_a_device_that_is_not_there(device, tmp_path, capsys):
    error = fails(capsys, tmp_path, "--device", device)
    assert f"Cannot use the device '{device}'" in error


def test_missing_packages_are_explained(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tensorboard", None)
    error = fails(capsys, tmp_path)
    assert "tensorboard is missing; run `pip install crafter[train]`" in error


def test_bad_arguments(tmp_path, capsys):
    for option in ("--steps", "--envs", "--checkpoint-every"):
        with pytest.raises(SystemExit) as caught:
            run(tmp_path, option, "0")
        assert caught.value.code == 2
        assert "at least 1" in capsys.readouterr().err

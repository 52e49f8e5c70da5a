"""What training programs share: files that go on, and what is said when they cannot."""

import numpy as np
import pytest
from training.run import Run, TrainingError, check_packages, make_seed

GROWING = ("stats.jsonl", "progress.jsonl")
SETTINGS = {"task": "a", "rate": 0.1 + 0.2, "tasks": ["a", "b"], "vector": True}


def make_run(folder, **changed):
    return Run(folder, {**SETTINGS, "steps": 7, **changed}, ("steps",), GROWING)


@pytest.fixture
def run(tmp_path):
    """A training with a line in each file."""
    made = make_run(tmp_path)
    made.append("stats.jsonl", "one")
    made.append("progress.jsonl", {"steps": 1})
    return made


def checkpoint(run, steps=300, suffix=".zip"):
    with run.checkpoint(steps, suffix) as path:
        path.touch()
    return run.folder / "checkpoints" / f"{steps:09}{suffix}"


def texts(run):
    return [(run.folder / name).read_text() for name in GROWING]


@pytest.mark.parametrize("kind", ["archive", "files"])
def test_late_lines_move_beside_when_a_training_goes_on(run, kind, capsys):
    if kind == "archive":
        run.save({"steps": 1, "leaf/0": np.arange(3)})
    else:
        path = checkpoint(run)
    before = texts(run)
    (run.folder / "stats-dropped.jsonl").write_text("older\n")
    run.append("stats.jsonl", "two")
    with (run.folder / "stats.jsonl").open("a") as file:
        file.write("hal")
    run = make_run(run.folder, steps=9)
    if kind == "archive":
        found = run.load()
        assert int(found.pop("steps")) == 1
        np.testing.assert_array_equal(found.pop("leaf/0"), np.arange(3))
        assert not found
    else:
        assert run.find(resume=True) == path
        run.cut(run.sizes_at(path))
    assert texts(run) == before
    assert (run.folder / "stats-dropped.jsonl").read_text() == "older\ntwo\nhal\n"
    assert not (run.folder / "progress-dropped.jsonl").exists()
    assert "Moved 2 lines from stats.jsonl" in capsys.readouterr().out


def test_a_training_goes_on_with_the_options_that_it_began_with(run):
    checkpoint(run)
    changed = {"vector": False, "tasks": ["a"], "task": None, "seed": 0}
    with pytest.raises(TrainingError) as caught:
        make_run(run.folder, **changed).find(resume=True)
    assert str(caught.value) == (
        f"{run.folder / 'checkpoints' / '000000300.zip'} was made with task a, "
        "tasks ['a', 'b'], vector True, seed None, got task None, tasks "
        "['a'], vector False, seed 0. Use the same options or another folder."
    )


def test_the_newest_checkpoint_counts(run):
    checkpoint(run)
    newest = checkpoint(run, 10**9, "")
    (run.folder / "checkpoints" / ".unfinished.zip").touch()
    assert run.find(resume=True) == newest


def test_a_training_is_begun_once(run, tmp_path):
    with pytest.raises(TrainingError, match="No checkpoint found in"):
        run.find(resume=True)
    with pytest.raises(TrainingError, match="stats.jsonl and progress.jsonl but no ch"):
        run.find(resume=False)
    with pytest.raises(TrainingError, match=r"but no checkpoint\.npz"):
        run.load()
    checkpoint(run)
    with pytest.raises(TrainingError, match="add --resume"):
        run.find(resume=False)
    for name in GROWING:  # empty ones do not matter
        (tmp_path / "new").mkdir(exist_ok=True)
        (tmp_path / "new" / name).touch()
    assert make_run(tmp_path / "new").find(resume=False) is None
    assert make_run(tmp_path / "new").load() is None


def test_a_failed_checkpoint_leaves_no_trace(run):
    with pytest.raises(KeyError), run.checkpoint(300) as path:
        path.touch()
        raise KeyError
    with pytest.raises(TrainingError, match="No checkpoint found in"):
        run.find(resume=True)


def test_one_process_trains_at_a_time(run):
    with run, pytest.raises(TrainingError, match="is in use by another process"):
        make_run(run.folder).__enter__()
    with make_run(run.folder):
        pass


def test_missing_packages_are_named_with_their_extra(monkeypatch):
    check_packages(["json"], "train")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(TrainingError, match=r"^ray cannot .*install crafter\[rllib"):
        check_packages(["json", "ray"], "rllib")


def test_seeds_depend_on_all_numbers():
    seeds = [make_seed(*numbers) for numbers in [(0, 0), (0, 1), (1, 1), (1, 0)]]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert make_seed(1, 0) == seeds[3]

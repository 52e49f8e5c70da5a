"""The training script for all tasks learns, stores what can be played, and goes on."""

import json
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from crafter.tasks import policies, runs
from crafter.tasks.agents import factory_of
from crafter.tasks.suites import Entry

for name in ("jax", "optax", "numba"):
    pytest.importorskip(name, reason="needs crafter[jax,vector]")

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "train_ppo_tasks.py"


def command(folder, *more):
    words = [sys.executable, str(SCRIPT), "--logdir", str(folder), "--scenes", "2"]
    words += ["--tasks", "place_table", "collect_drink", "--rollout", "16", *more]
    return words


def run(folder, *more):
    return subprocess.run(command(folder, *more), capture_output=True, text=True)


def trained(folder, steps, *more):
    done = run(folder, "--steps", str(steps), *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def kill_after(lines, folder, *more):
    """Lets a training write so many lines of progress, and no checkpoint on the way."""
    endless = ["--steps", "100000000", "--save-every", "1000000"]
    program = subprocess.Popen(command(folder, *endless, *more))
    while len(read(folder, "progress.jsonl")) < lines:
        assert program.poll() is None
        time.sleep(0.05)
    program.send_signal(signal.SIGKILL)
    program.wait()


def read(folder, name):
    path = folder / name
    return path.read_text().splitlines() if path.exists() else []


def steps_of(lines):
    return [json.loads(line)["steps"] for line in lines]


@pytest.mark.slow
def test_training_is_resumed_with_other_levels_and_can_be_played(tmp_path):
    trained(tmp_path, 1024, "--games", "simple=4")
    trained(tmp_path, 1088, "--games", "simple=1,medium=1", "--aux", "0")
    steps = steps_of(read(tmp_path, "progress.jsonl"))
    assert steps == [*range(128, 1025, 128), 1088]
    counts = list(map(json.loads, read(tmp_path, "success.jsonl")))
    assert counts
    for line in counts:
        assert 0 <= line["done"] <= line["attempts"]
    weights = policies.load(tmp_path / "policy.npz")
    assert policies.sizes(weights)[:2] == (17, 22)
    agent = factory_of(f"ppo:{tmp_path / 'policy.npz'}")
    assert runs.attempt(Entry("place_table", "simple", 0), agent).steps > 0


@pytest.mark.slow
def test_killed_training_goes_on_as_one_run(tmp_path):
    games = ["--games", "simple=4"]
    kill_after(2, tmp_path, *games)  # before the first checkpoint
    trained(tmp_path, 640, *games)
    before = read(tmp_path, "progress.jsonl")
    assert steps_of(before) == [*range(128, 641, 128)]
    successes = read(tmp_path, "success.jsonl")

    kill_after(len(before) + 2, tmp_path, *games)
    late = read(tmp_path, "progress.jsonl")[len(before) :]
    # As if it had been killed while it wrote a checkpoint.
    with (tmp_path / "success.jsonl").open("a") as file:
        file.write('{"steps": 896}\n')
    (tmp_path / "checkpoint.partial.npz").write_bytes(b"half")
    told = trained(tmp_path, 1024, *games)
    assert f"Moved {len(late)} lines from progress.jsonl" in told
    assert read(tmp_path, "progress-dropped.jsonl")[-len(late) :] == late
    assert read(tmp_path, "success-dropped.jsonl") == ['{"steps": 896}']
    after = read(tmp_path, "progress.jsonl")
    assert steps_of(after) == [*range(128, 1025, 128)]
    assert after[: len(before)] == before
    assert read(tmp_path, "success.jsonl")[: len(successes)] == successes
    assert 896 not in steps_of(read(tmp_path, "success.jsonl"))


@pytest.mark.slow
def test_it_learns(tmp_path):
    """From about 0.76 of the attempts, which a new policy does, to nearly all."""
    more = ["--games", "simple=32", "--rollout", "64", "--save-every", "10"]
    trained(tmp_path, 61440, *more)
    rates = [
        json.loads(line)["success"]["simple"]
        for line in read(tmp_path, "progress.jsonl")
    ]
    assert len(rates) == 15
    assert sum(rates[:2]) / 2 < 0.85 < 0.93 < min(rates[-3:])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--games", "easy=3"], "--games must be such as"),
        (["--games", "simple=0"], "--games must be such as"),
        (["--tasks", "fly"], "invalid choice: 'fly'"),
        (
            ["--games", "simple=2", "--minibatches", "65"],
            "must be at most 64, the steps",
        ),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_played(wrong, said, tmp_path):
    done = run(tmp_path / "new", *wrong)
    assert done.returncode == 2 and said in done.stderr
    assert not (tmp_path / "new").exists()

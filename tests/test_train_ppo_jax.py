"""The training script in JAX learns a few rounds, stores and goes on."""

import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

SCRIPT = pathlib.Path(__file__).parents[1] / "scripts" / "train_ppo_jax.py"


def run(folder, *more):
    command = [sys.executable, str(SCRIPT), "--outdir", str(folder), "--envs", "16"]
    command += ["--rollout", "32", "--minibatches", "2", "--width", "16", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (folder / "curve.csv").read_text().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("network", ["mlp", "gru", "cnn"])
def test_training_is_resumed(network, tmp_path):
    lines = run(tmp_path, "--network", network, "--steps", "5120")
    assert [int(line.split(",")[0]) for line in lines][-1] == 5120
    more = run(tmp_path, "--network", network, "--steps", "6144")
    assert more[: len(lines)] == lines
    assert [int(line.split(",")[0]) for line in more[len(lines) :]] == [5632, 6144]
    records = [
        json.loads(line) for line in (tmp_path / "stats.jsonl").read_text().splitlines()
    ]
    assert records
    for record in records:
        assert record["length"] > 0
        assert len(record) == 2 + 22


def test_minibatches_divide_the_games(tmp_path):
    command = [sys.executable, str(SCRIPT), "--envs", "10", "--minibatches", "4"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "must divide" in done.stderr

"""The training script in JAX learns a few rounds, stores and goes on."""

import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "train_ppo_jax.py"


def run(folder, *more):
    command = [sys.executable, str(SCRIPT), "--outdir", str(folder), "--envs", "16"]
    command += ["--rollout", "32", "--minibatches", "2", "--width", "16", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (folder / "curve.csv").read_text().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("network", ["mlp", "cnn"])
def test_networks(network, tmp_path):
    # Gradients of convolutions are slow without a GPU.
    lines = run(tmp_path, "--network", network, "--epochs", "1", "--steps", "512")
    assert len(lines) == 1


@pytest.mark.slow
def test_training_is_resumed(tmp_path):
    options, first = ["--network", "gru"], 4096
    lines = run(tmp_path, *options, "--steps", str(first))
    assert [int(line.split(",")[0]) for line in lines][-1] == first
    more = run(tmp_path, *options, "--steps", str(first + 1024))
    assert more[: len(lines)] == lines
    added = [int(line.split(",")[0]) for line in more[len(lines) :]]
    assert added == [first + 512, first + 1024]
    records = [
        json.loads(line) for line in (tmp_path / "stats.jsonl").read_text().splitlines()
    ]
    assert records
    for record in records:
        assert record["length"] > 0
        assert len(record) == 2 + 22


@pytest.mark.slow
def test_other_settings_do_not_go_on(tmp_path):
    run(tmp_path, "--steps", "512")
    (tmp_path / "stats.jsonl").write_text("left from after the checkpoint\n")
    command = [sys.executable, str(SCRIPT), "--outdir", str(tmp_path), "--envs", "32"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "made with {'envs': 16" in done.stderr
    run(tmp_path, "--steps", "512")
    assert "left" not in (tmp_path / "stats.jsonl").read_text()


def test_minibatches_divide_the_games(monkeypatch, capsys):
    import train_ppo_jax

    monkeypatch.setattr("sys.argv", ["", "--envs", "10", "--minibatches", "4"])
    with pytest.raises(SystemExit) as caught:
        train_ppo_jax.parse_arguments()
    assert caught.value.code == 2
    assert "must divide" in capsys.readouterr().err

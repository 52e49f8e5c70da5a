"""The training script in JAX learns a few rounds, stores and goes on."""

import json
import os
import pathlib
import socket
import subprocess
import sys

import numpy as np
import pytest
from budget import QUICK_COMPILING

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


SMALL = ["--envs", "8", "--rollout", "8", "--minibatches", "2", "--epochs", "1"]
SMALL += ["--width", "8", "--steps", "256"]

# A tiny game learns on one device and on all; prints how many there are.
PROGRAM = """
import sys
import jax, numpy as np
import train_ppo_jax as ppo
from crafter.functional import devices
from walk_game import Walk

sys.argv = ["", *{small}, "--network", "gru"]
args, env = ppo.parse_arguments(), Walk()
optimizer, ends = ppo.make_optimizer(args), []
for some in (jax.devices(), jax.devices()[:1]):
    mesh = devices.make_mesh(args.envs, some)
    runner = ppo.start(env, mesh, args, optimizer)
    update = ppo.make_update(env, mesh, args, optimizer)
    for _ in range(2):
        runner, ended = update(runner)
    ends.append(jax.device_get((runner, ended)))
    assert len(runner.obs.sharding.device_set) == len(some)
several, one = map(jax.tree.leaves, ends)
for ours, theirs in zip(several, one, strict=True):
    if ours.dtype.kind == "f":
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    else:
        np.testing.assert_array_equal(ours, theirs)
print(len(jax.devices()), *ppo.achievement_names(env))
"""


def environment(devices):
    """Returns variables for a child process that has so many devices."""
    flags = f"{QUICK_COMPILING} --xla_force_host_platform_device_count={devices}"
    tests = pathlib.Path(__file__).parents[1]
    paths = [str(tests), str(SCRIPT.parent), str(tests.parent)]
    return {
        **os.environ,
        "XLA_FLAGS": flags,
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": os.pathsep.join(paths),
    }


@pytest.mark.slow
def test_devices_do_not_change_what_is_learned():
    """Games are the same to the bit; weights up to the order of sums."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(small=SMALL)],
        env=environment(8),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "8 arrive leave\n"


# The whole program with a tiny game.
TRAIN = """
import sys
import train_ppo_jax as ppo
from walk_game import Walk

ppo.make_env = lambda args: Walk()
ppo.train(ppo.parse_arguments())
"""


def checkpoint(folder, processes):
    """Trains with processes; returns what the checkpoint holds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-c", TRAIN, "--outdir", str(folder), *SMALL]
    command += ["--processes", str(processes), "--coordinator", address]
    running = [
        subprocess.Popen(
            [*command, "--process", str(number)],
            env=environment(1),
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    errors = [process.communicate()[1] for process in running]
    assert not any(process.returncode for process in running), "\n".join(errors)
    with np.load(folder / "checkpoint.npz") as found:
        return [found[name] for name in sorted(found) if name.startswith("leaf_")]


@pytest.mark.slow
def test_two_processes_learn_what_one_learns(tmp_path):
    several, one = checkpoint(tmp_path / "two", 2), checkpoint(tmp_path / "one", 1)
    assert len(one) == len(several)
    for ours, theirs in zip(several, one, strict=True):
        if ours.dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(ours, theirs)
    # Games of 20 steps in 32 steps: all 8 ended.
    for name, least in (("curve.csv", 4), ("stats.jsonl", 8)):
        written = [(tmp_path / folder / name).read_text() for folder in ("one", "two")]
        assert written[0].count("\n") == written[1].count("\n") >= least


def test_processes_need_a_coordinator(monkeypatch, capsys):
    import train_ppo_jax

    monkeypatch.setattr("sys.argv", ["", "--processes", "2"])
    with pytest.raises(SystemExit) as caught:
        train_ppo_jax.parse_arguments()
    assert caught.value.code == 2
    assert "--processes needs --coordinator" in capsys.readouterr().err


@pytest.mark.slow
def test_training_on_the_compiled_engine_is_resumed_exactly(tmp_path):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    options = ["--engine", "compiled", "--epochs", "1"]
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    run(whole, *options, "--steps", "8192")
    run(parted, *options, "--steps", "4096")
    run(parted, *options, "--steps", "8192")
    records = (whole / "stats.jsonl").read_text()
    assert len(records.splitlines()) >= 8
    assert (parted / "stats.jsonl").read_text() == records
    with (
        np.load(whole / "checkpoint.npz") as one,
        np.load(parted / "checkpoint.npz") as other,
    ):
        assert set(one) == set(other)
        for name in sorted(set(one) - {"settings"}):
            np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("more", [["--game", "craftax"], ["--processes", "2"]])
def test_the_compiled_engine_plays_crafter_in_one_process(more, monkeypatch, capsys):
    import train_ppo_jax

    order = ["", "--engine", "compiled", "--coordinator", "a:1", *more]
    monkeypatch.setattr("sys.argv", order)
    with pytest.raises(SystemExit) as caught:
        train_ppo_jax.parse_arguments()
    assert caught.value.code == 2
    assert "plays Crafter, in one process" in capsys.readouterr().err

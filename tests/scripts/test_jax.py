"""The programs that measure the engine in JAX and compare it with the game."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

SCRIPTS = Path(__file__).parents[2] / "scripts"
pytestmark = pytest.mark.slow


def run(script, *options):
    command = [sys.executable, str(SCRIPTS / script), *options]
    return subprocess.run(command, capture_output=True, text=True)


def test_benchmark():
    options = ["--kinds", "compact", "--games", "2", "--jax-steps", "20"]
    done = run("benchmark.py", "--jax", *options, "--rounds", "1")
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if "2 games" in line)
    *_, rate, seconds, size = row.split()
    assert float(rate.replace(",", "")) > 0
    assert float(seconds) > 0
    assert int(size.replace(",", "")) > 64 * 64  # the map alone


def test_stages():
    options = ["--kinds", "pixels", "--games", "2", "--rounds", "2", "--stages"]
    done = run("benchmark.py", "--jax", *options)
    assert done.returncode == 0, done.stderr
    for stage in ("player and creatures", "balance", "new world", "pixels"):
        line = next(li for li in done.stdout.splitlines() if li.startswith(stage))
        assert float(line.split()[-1]) > 0


def test_comparison_of_random_play():
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    pytest.importorskip("scipy", reason="needs the extra 'analysis'")
    done = run("compare_jax.py", "--episodes", "60", "--games", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "60 and 60 episodes" in done.stdout
    assert "0 objects refused" in done.stdout
    assert "They agree." in done.stdout

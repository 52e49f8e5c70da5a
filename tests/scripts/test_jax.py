"""The programs that measure the engine in JAX and compare it with the game."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

from benchmarks import jax as benchmark
from benchmarks.tables import OURS

SCRIPTS = Path(__file__).parents[2] / "scripts"


def run(script, *options):
    command = [sys.executable, str(SCRIPTS / script), *options]
    return subprocess.run(command, capture_output=True, text=True)


def subject(package, kind, games):
    return benchmark.Subject(package, kind, games, float, 1, 0.0, 0.0, 0)


def test_ratios_are_taken_round_by_round():
    rates = {
        subject(OURS, "pixels", 64): (200.0, 240.0, 300.0),
        subject(OURS, "pixels", 1024): (300.0, 330.0, 360.0),
        subject(benchmark.CRAFTAX, "pixels", 64): (100.0, 60.0, 100.0),
        subject(benchmark.CRAFTAX, "pixels", 1024): (50.0, 55.0, 60.0),
        subject(benchmark.AUTO_RESET, "pixels", 64): (10.0, 10.0, 10.0),
        subject(OURS, "compact", 64): (1.0, 2.0, 3.0),
    }
    assert list(benchmark.ratios(rates, OURS)) == [
        ["Craftax, pixels, 64 games", "3.0x", "2.0x", "4.0x"],
        ["Craftax, pixels, 1,024 games", "6.0x", "6.0x", "6.0x"],
        ["Craftax, pixels, best of each: 1,024 and 64 games", "3.6x", "3.0x", "5.5x"],
        ["Craftax, auto-reset, pixels, 64 games", "24.0x", "20.0x", "30.0x"],
        [
            "Craftax, auto-reset, pixels, best of each: 1,024 and 64 games",
            *("33.0x", "30.0x", "36.0x"),
        ],
    ]


def test_ratios_of_the_compiled_engine():
    ratios = benchmark.ratios(
        {
            subject(benchmark.COMPILED, "pixels", 64): (50.0, 60.0),
            subject(benchmark.CRAFTAX, "pixels", 64): (10.0, 10.0),
        },
        benchmark.COMPILED,
    )
    assert list(ratios) == [["Craftax, pixels, 64 games", "5.5x", "5.0x", "6.0x"]]


@pytest.mark.slow
def test_benchmark():
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    options = ["--kinds", "compact", "--games", "2", "--jax-steps", "20"]
    done = run("benchmark.py", "--jax", *options, "--rounds", "1", "--compiled")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    compiled = [li for li in lines if li.startswith("ours, compiled engine, compact")]
    assert len(compiled) == 1
    row = next(li for li in lines if li.startswith("ours, compact"))
    *_, games, rate, least, most, seconds, processor, size = row.split()
    assert games == "2"
    rates = [float(text.replace(",", "")) for text in (least, rate, most)]
    assert rates == sorted(rates) and rates[0] > 0
    assert float(seconds) > 0 and float(processor) > 0
    assert int(size.replace(",", "")) > 64 * 64  # the map alone


@pytest.mark.slow
@pytest.mark.parametrize("game", [[], ["--craftax"]], ids=["crafter", "craftax"])
def test_stages(game):
    options = ["--kinds", "compact", "--games", "2", "--rounds", "2", "--stages"]
    done = run("benchmark.py", "--jax", *game, *options)
    assert done.returncode == 0, done.stderr
    for stage in ("rules", "new world", "compact observation"):
        line = next(li for li in done.stdout.splitlines() if li.startswith(stage))
        figures = line.removeprefix(stage).replace(",", "").split()
        assert len(figures) == 5 and all(float(figure) > 0 for figure in figures)


@pytest.mark.slow
def test_comparison_of_random_play():
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    pytest.importorskip("scipy", reason="needs the extra 'analysis'")
    done = run("compare_jax.py", "--episodes", "60", "--games", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "60 and 60 episodes" in done.stdout
    assert "0 objects dropped" in done.stdout
    assert "They agree." in done.stdout

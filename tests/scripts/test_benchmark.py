"""Tests of what scripts/benchmark.py prints; no figure is asserted."""

from __future__ import annotations

import math
import sys

import benchmark
import pytest
from benchmarks import single
from benchmarks.tables import OURS, PUBLISHED, Row


def test_ratio_is_an_advantage_of_ours() -> None:
    both = [OURS, PUBLISHED]
    speed = Row("steps", "1/s", {OURS: 8000.0, PUBLISHED: 1000.0}, more_is_better=True)
    assert speed.cells(both) == ["steps [1/s]", "8,000", "1,000", "8.0x"]
    reset = Row("reset", "ms", {OURS: 5.0, PUBLISHED: 500.0})
    assert reset.cells(both) == ["reset [ms]", "5", "500", "100.0x"]
    alone = Row("reset", "ms", {OURS: 5.0})
    assert alone.cells([OURS]) == ["reset [ms]", "5"]


def test_rates_leave_out_the_resets() -> None:
    times = {"day": 30, "day s": 1.5, "night": 10, "night s": 0.5, "reset s": 2.0}
    assert single.rates(times) == [20, 20, 20, 10]
    times = {"day": 30, "day s": 1.5, "night": 0, "night s": 0.0, "reset s": 0.0}
    assert math.isnan(single.rates(times)[2])
    assert single.median((float("nan"), 1.0, 3.0)) == 2.0


def run_main(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["benchmark", *arguments])
    return benchmark.main()


def test_tables(monkeypatch, capsys) -> None:
    small = ("--steps", "4", "--resets", "1", "--rounds", "1", "--no-scaling")
    assert run_main(monkeypatch, *small) == 0
    lines = capsys.readouterr().out.splitlines()
    for label in ("steps, resets not counted", "one reset", "memory of one env"):
        (line,) = [line for line in lines if line.startswith(label)]
        assert float(line.split()[-1].replace(",", "")) > 0


def test_profile(monkeypatch, capsys) -> None:
    monkeypatch.setattr(single, "_crafter", None)
    monkeypatch.setattr(single, "_runs", {})
    assert run_main(monkeypatch, "--profile", "--steps", "4", "--resets", "1") == 0
    text = capsys.readouterr().out
    assert "Profile of steps" in text and "Profile of resets" in text
    assert "engine.py" in text


@pytest.mark.slow
def test_vector(monkeypatch, capsys) -> None:
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    assert run_main(monkeypatch, "--vector", "--quick") == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = [line for line in lines if line.startswith("Steps with resets [1/s]  p")]
    assert "compact, 2 threads" in head
    (alone,) = [line for line in lines if line.startswith("the single Env")]
    ratios = [line for line in lines if line.endswith("x")]
    assert [line.split(",")[0] for line in ratios] == [
        *("pixels", "compact", "symbolic", "pixels")
    ]
    reference = float(alone.split()[-1].replace(",", ""))
    for line in ratios:
        rate, ratio = (float(n.replace(",", "")) for n in line[:-1].split()[-2:])
        assert ratio == pytest.approx(rate / reference, rel=0.01)
    (share,) = [line for line in lines if line.startswith("Share of the time")]
    for line in lines[lines.index(share) + 1 :]:
        assert sum(map(float, line.split()[1:])) == pytest.approx(100, abs=0.5)


def test_batches_count_no_step_for_a_reset() -> None:
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    from benchmarks import vector

    batch = vector.Batch("compact", 3, 1, False, 0)
    batch.envs.reset(seed=0, options={"inventory": {"health": 1, "food": 0}})
    steps, _ = batch.play(80)
    starts = sum(batch.envs.get_attr("episode")) - 3  # the first ones
    assert starts > 0
    assert steps == 3 * 80 - starts


# Stands in for the published package: an episode of two steps.
FAKE_CRAFTAX = """
import jax.numpy as jnp


def make_craftax_env_from_name(name, auto_reset):
    assert name in ("Craftax-Symbolic-v1", "Craftax-Pixels-v1")
    return Env()


class Env:
    default_params = ()

    def reset(self, key, params):
        return jnp.zeros(3), jnp.int32(0)

    def step(self, key, state, action, params):
        return jnp.zeros(3), state + 1, jnp.float32(0), state % 2 == 1, {}
"""
CRAFTAX_ROWS = {
    "steps with resets",
    "theirs without auto-reset",
    "one reset",
    "starting Python to the first step",
    "memory over the import",
    "peak on the way",
}
CRAFTAX_SMALL = ("--craftax", "--rounds", "1", "--resets", "1", "--seconds", "0.01")


def rows_of(text) -> dict[str, list[str]]:
    """Return the lines with figures: label -> figures."""
    lines = [line for line in text.splitlines() if "]" in line]
    return {
        line.partition(" [")[0].strip(): line.partition("]")[2].split()
        for line in lines
    }


@pytest.mark.slow
def test_craftax_table(monkeypatch, capsys) -> None:
    arguments = (*CRAFTAX_SMALL, "--craftax-kinds", "symbolic")
    assert run_main(monkeypatch, *arguments) == 0
    text = capsys.readouterr().out
    assert "Craftax, symbolic" in text and "pixels" not in text
    rows = rows_of(text)
    assert rows.keys() == CRAFTAX_ROWS
    for label in ("steps with resets", "theirs without auto-reset", "one reset"):
        (figure,) = rows[label]
        assert float(figure.replace(",", "")) > 0


@pytest.mark.slow
def test_craftax_beside_the_published_one(tmp_path, monkeypatch, capsys) -> None:
    pytest.importorskip("jax", reason="needs the extra 'jax'")
    (tmp_path / "craftax-1.6.1.dist-info").mkdir()
    (tmp_path / "craftax").mkdir()
    (tmp_path / "craftax" / "craftax_env.py").write_text(FAKE_CRAFTAX)
    arguments = (*CRAFTAX_SMALL, "--published", "--craftax-folder", str(tmp_path))
    assert run_main(monkeypatch, *arguments) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows.keys() == CRAFTAX_ROWS
    for label in ("steps with resets", "theirs without auto-reset", "one reset"):
        ours, theirs, ratio = (
            float(text.strip("x").replace(",", "")) for text in rows[label]
        )
        expected = theirs / ours if label == "one reset" else ours / theirs
        assert ratio == pytest.approx(expected, rel=0.05, abs=0.06)


def test_another_folder_is_not_taken_for_craftax(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "mine.txt").touch()
    arguments = (*CRAFTAX_SMALL, "--published", "--craftax-folder", str(tmp_path))
    assert run_main(monkeypatch, *arguments) == 1
    assert "not empty and does not hold Craftax 1.6.1" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.slow
def test_a_failing_start_is_reported() -> None:
    from benchmarks import craftax

    with pytest.raises(RuntimeError, match="The program of ours failed"):
        craftax.start_time(craftax.Side(OURS), "smells")


@pytest.mark.parametrize("seconds", ["0", "-1", "inf", "nan"])
def test_seconds_must_be_positive(seconds, monkeypatch, capsys) -> None:
    with pytest.raises(SystemExit):
        run_main(monkeypatch, "--seconds", seconds)
    assert "--seconds must be positive and finite" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", ["--steps", "--resets", "--rounds", "--threads", "--starts"]
)
def test_numbers_must_be_positive(option, monkeypatch, capsys) -> None:
    with pytest.raises(SystemExit):
        run_main(monkeypatch, option, "0")
    assert f"{option} must be at least 1, not 0" in capsys.readouterr().err


@pytest.mark.slow
def test_xla(monkeypatch, capsys) -> None:
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    pytest.importorskip("jax", reason="needs the extra 'jax'")
    assert run_main(monkeypatch, "--xla", "--quick") == 0
    lines = capsys.readouterr().out.splitlines()
    for kind in ("pixels", "compact", "symbolic", "semantic"):
        (line,) = [line for line in lines if line.startswith(f"{kind}, 4 games")]
        assert all(float(word.replace(",", "")) > 0 for word in line.split()[3:])

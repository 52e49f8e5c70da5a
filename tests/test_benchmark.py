"""Tests of what scripts/benchmark.py prints; no figure is asserted."""

from __future__ import annotations

import math
import sys

import benchmark
import pytest
from benchmark import OURS, PUBLISHED, Row


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
    assert benchmark.rates(times) == [20, 20, 20, 10]
    times = {"day": 30, "day s": 1.5, "night": 0, "night s": 0.0, "reset s": 0.0}
    assert math.isnan(benchmark.rates(times)[2])
    assert benchmark.median((float("nan"), 1.0, 3.0)) == 2.0


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
    monkeypatch.setattr(benchmark, "_crafter", None)
    monkeypatch.setattr(benchmark, "_runs", {})
    assert run_main(monkeypatch, "--profile", "--steps", "4", "--resets", "1") == 0
    text = capsys.readouterr().out
    assert "Profile of steps" in text and "Profile of resets" in text
    assert "engine.py" in text


@pytest.mark.parametrize("option", ["--steps", "--resets", "--rounds"])
def test_numbers_must_be_positive(option, monkeypatch, capsys) -> None:
    with pytest.raises(SystemExit):
        run_main(monkeypatch, option, "0")
    assert f"{option} must be at least 1, not 0" in capsys.readouterr().err

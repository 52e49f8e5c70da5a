"""What scripts/benchmark.py prints; no figure is asserted."""

from __future__ import annotations

import math
import sys

import benchmark
import pytest
from benchmarks.games import STEPS
from benchmarks.turns import Pair, Subject, median, print_pairs, start_time
from printed import rows_of


def run_main(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["benchmark", *arguments])
    benchmark.main()


def test_ratios_are_taken_round_by_round(capsys):
    cost = "one reset [ms]"
    results = {
        "a": {STEPS: [200.0, 240.0, 300.0], cost: [5.0, 5.0, 10.0]},
        "b": {STEPS: [100.0, 60.0, 100.0], cost: [50.0, 500.0, 50.0]},
    }
    pairs = [Pair("speed", "a", "b", STEPS), Pair("reset", "a", "b", cost)]
    print_pairs([*pairs, Pair("missing", "a", "b", "nothing")], results)
    rows = rows_of(capsys.readouterr().out)
    assert rows["speed"] == [240, 100, 3, 2, 4]
    assert rows["reset"] == [5, 50, 10, 5, 100]
    assert "missing" not in rows
    assert median((math.nan, 1.0, 3.0)) == 2.0


def test_one_environment(monkeypatch, capsys):
    run_main(monkeypatch, "--steps", "4", "--resets", "1", "--rounds", "1")
    row = rows_of(capsys.readouterr().out)["ours"]
    assert len(row) == 7
    assert all(figure > 0 for figure in row if not math.isnan(figure))


@pytest.mark.slow
def test_batches(monkeypatch, capsys):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    run_main(monkeypatch, "--vector", "--quick", "--rounds", "1")
    rows = rows_of(capsys.readouterr().out)
    reference = rows["the single Env"][3]
    for kind in ("pixels", "compact", "symbolic"):
        best = [row for name, row in rows.items() if name.startswith(f"{kind}, ")]
        rate, theirs, ratio, *_ = next(row for row in best if len(row) == 5)
        assert theirs == reference
        assert ratio == pytest.approx(rate / reference, rel=0.01)


def test_batches_count_no_step_for_a_reset(monkeypatch):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    from benchmarks import games

    made = []
    make = games.make_batch
    monkeypatch.setattr(
        games, "make_batch", lambda *a: made.append(make(*a)) or made[0]
    )
    monkeypatch.setattr(games.time, "perf_counter", lambda: 1.0)
    monkeypatch.setattr(games, "_PIECE", 80)
    play = games.batch("compact", 3, 1, False, 0, 0.0)
    made[0].reset(seed=0, options={"inventory": {"health": 1, "food": 0}})
    clock = iter([0.0, 1.0, 1.0])
    monkeypatch.setattr(games.time, "perf_counter", lambda: next(clock))
    steps = play(0)[STEPS]
    starts = sum(made[0].get_attr("episode")) - 3  # the first ones
    assert starts > 0
    assert steps == 3 * 80 - starts


def test_a_failing_start_is_reported():
    with pytest.raises(RuntimeError, match="ours does not start: (?s:.*)TypeError"):
        start_time(Subject("ours", median, ("text",)))


@pytest.mark.slow
def test_programs(monkeypatch, capsys):
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    pytest.importorskip("jax", reason="needs the extra 'jax'")
    options = ["--quick", "--kinds", "semantic", "--rounds", "1"]
    run_main(monkeypatch, "--xla", *options)
    rows = rows_of(capsys.readouterr().out)
    assert all(figure > 0 for figure in rows["in a program"] + rows["from Python"])
    assert len(rows["semantic, 4 games"]) == 5

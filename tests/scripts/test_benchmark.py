"""What scripts/benchmark.py prints; no figure is asserted."""

import math
import sys

import benchmark
import pytest
from benchmarks.alternating import STEPS, Subject, start_time
from benchmarks.figures import median, print_ratios
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
    print_ratios(results, "a", "b", [STEPS, cost, "missing"])
    rows = rows_of(capsys.readouterr().out)
    assert rows[f"a; b: {STEPS}"] == [240, 100, 3, 2, 4]
    assert rows[f"a; b: {cost}"] == [5, 50, 10, 5, 100]
    assert "a; b: missing" not in rows
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
    for kind in ("pixels", "compact", "symbolic", "pixels, copies"):
        name = f"{kind}, 4 envs, 2 threads"
        rate, theirs, ratio, *_ = rows[f"{name}; the single Env: {STEPS}"]
        assert rate == rows[name][0]
        assert ratio == pytest.approx(rate / theirs, rel=0.01)


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
    play = games.batch("compact", 3, 1, 0, 0.0)
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
    assert len(rows[f"in a program; from Python: {STEPS}"]) == 5

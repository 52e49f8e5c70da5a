"""The programs that measure the engine in JAX and compare it with the game."""

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

from benchmarks import jax as benchmark
from benchmarks.games import STEPS
from printed import rows_of, run_script


@pytest.mark.parametrize("ours", [benchmark.OURS, benchmark.COMPILED])
def test_batches_are_compared_by_size_and_at_their_best(ours):
    rates = {
        (ours, "pixels", 64): 240,
        (ours, "pixels", 1024): 330,
        (benchmark.CRAFTAX, "pixels", 64): 60,
        (benchmark.CRAFTAX, "pixels", 1024): 55,
        (ours, "compact", 64): 2,
    }
    results = {benchmark.label(*name): {STEPS: [rate]} for name, rate in rates.items()}
    names = [pair[1:3] for pair in benchmark.pairs(list(rates), results)]
    assert names == [
        (f"{ours}, pixels, {one} games", f"Craftax, pixels, {two} games")
        for one, two in [("64", "64"), ("1,024", "1,024"), ("1,024", "64")]
    ]


@pytest.mark.slow
def test_benchmark():
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    options = ["--kinds", "compact", "--games", "2", "--jax-steps", "20"]
    options += ["--rounds", "1", "--compiled"]
    rows = rows_of(run_script("benchmark.py", "--jax", *options))
    rate, seconds, processor, size = rows["ours, compact, 2 games"]
    assert min(rate, seconds, processor) > 0
    assert size > 64 * 64  # the map alone
    assert rows["ours, compiled engine, compact, 2 games"][0] > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", [[], ["--craftax"]], ids=["crafter", "craftax"])
def test_stages(game):
    options = ["--kinds", "compact", "--games", "2", "--rounds", "2", "--stages"]
    rows = rows_of(run_script("benchmark.py", "--jax", *game, *options))
    for stage in ("rules", "new world", "compact observation"):
        assert len(rows[stage]) == 5 and min(rows[stage]) > 0


@pytest.mark.slow
def test_comparison_of_random_play():
    pytest.importorskip("numba", reason="needs the extra 'vector'")
    pytest.importorskip("scipy", reason="needs the extra 'analysis'")
    told = run_script("compare_jax.py", "--episodes", "60", "--games", "20")
    assert "60 and 60 episodes" in told
    assert "0 objects dropped" in told
    assert "They agree." in told

"""The programs that measure the engine in JAX and compare it with the game."""

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

from printed import rows_of, run_script


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

"""The published benchmarks of Craftax."""

import dataclasses
import json

import numpy as np
import pytest

from crafter import scoring

CRAFTAX_1M, CRAFTAX_1B = map(scoring.find_benchmark, ("craftax-1m", "craftax-1b"))


def run_of(*unlocked, reward=1.0, length=500):
    """Returns a run whose episodes unlock the given achievements."""
    names = CRAFTAX_1M.achievements
    counts = [[name in episode for name in names] for episode in unlocked]
    return scoring.Run(
        "craftax_symbolic",
        "ppo",
        "0",
        length=np.full(len(unlocked), length, np.int64),
        reward=np.full(len(unlocked), reward, float),
        achievements=np.array(counts, np.int32),
        benchmark=CRAFTAX_1M,
    )


def test_benchmarks_are_the_published_ones():
    for benchmark, budget in ((CRAFTAX_1M, 10**6), (CRAFTAX_1B, 10**9)):
        assert (benchmark.budget, benchmark.time_limit) == (budget, 100_000)
        assert len(benchmark.achievements) == 67
        assert benchmark.optimal_return == 226
        assert benchmark.levels[-1] == "very advanced"
        assert np.bincount(benchmark.depths).tolist() == [0, 25, 18, 15, 9]
        assert benchmark.split_name("craftax_pixels-ppo") == ("craftax_pixels", "ppo")


def test_benchmarks_have_names():
    names = scoring.benchmark_names()
    assert names == ["crafter", "crafter-symbolic-10m", "craftax-1m", "craftax-1b"]
    assert [scoring.find_benchmark(name).name for name in names] == names
    with pytest.raises(ValueError, match="craftax-1m, craftax-1b, got 'craftax'"):
        scoring.find_benchmark("craftax")


def test_rates_of_tiers():
    one = ("collect_wood", "enter_dungeon", "enter_graveyard")
    rates = scoring.level_rates(run_of(one, ("collect_wood",)))
    assert rates == pytest.approx([100 / 25, 50 / 18, 0, 50 / 9])
    shares = scoring.depth_shares(run_of(one, ("collect_wood",)))
    assert shares.tolist() == [100, 50, 50, 50]


def test_runs_of_different_setups_are_not_compared(tmp_path):
    puffer = dataclasses.replace(run_of((), ()), setup="puffer")
    path = tmp_path / "craftax_symbolic-ppo.json"
    scoring.write_scores(path, [puffer])
    (again,) = scoring.load_runs([path], 1000, benchmark=CRAFTAX_1M)
    assert again.setup == "puffer"
    published = dataclasses.replace(run_of((), ()), seed="1")
    scoring.write_scores(path, [puffer, published])
    assert "setup" not in json.loads(path.read_text())[1]
    with pytest.raises(scoring.RunError, match="seed 0 has puffer and .* published"):
        scoring.load_runs([path], 1000, benchmark=CRAFTAX_1M)


@pytest.mark.parametrize(
    ("setups", "message"),
    [((None, None), ""), (("puffer",) * 2, ""), ((None, "puffer"), "different setups")]
    + [((1, 1), "setup should be a text")],
)
def test_lines_name_their_setup(tmp_path, setups, message):
    folder = tmp_path / "craftax_symbolic-ppo"
    folder.mkdir()
    counts = dict.fromkeys(CRAFTAX_1M.keys, 0)
    lines = [{"length": 9, "reward": 1.0, **counts} for _ in setups]
    for line, setup in zip(lines, setups):
        line |= {} if setup is None else {"setup": setup}
    (folder / "stats.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    if message:
        with pytest.raises(scoring.RunError, match=message):
            scoring.load_runs([tmp_path], 18, benchmark=CRAFTAX_1M)
        return
    (run,) = scoring.load_runs([tmp_path], 18, benchmark=CRAFTAX_1M)
    assert run.setup == (setups[0] or "published")


def test_other_setups_are_scored_by_what_was_achieved():
    run = run_of(("collect_wood", "enter_graveyard"), (), reward=-1.0)
    puffer = dataclasses.replace(run, setup="puffer")
    assert scoring.run_score(puffer) == pytest.approx(100 * (1 + 8) / 2 / 226)
    assert scoring.run_score(run) == pytest.approx(-100 / 226)

"""Benchmarks of other games, with other tasks and achievements."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crafter import scoring
from crafter.scoring import Benchmark

MAZE = Benchmark(
    tasks=("maze_easy", "maze_hard"),
    achievements=("find_key", "open_door", "leave"),
    rewards=(1, 3, 6),
    depths=(1, 2, 3),
    measure="return",
    budget=1000,
    time_limit=50,
)


def line(length, reward, *counts, **others):
    """Return a line of a log."""
    record = {"length": length, "reward": reward, **dict(zip(MAZE.keys, counts))}
    return json.dumps(record | others) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Two runs of a method that plays mazes."""
    lines = [line(50, 1.0, 1, 0, 0), line(50, 10.0, 2, 1, 1)] * 10
    for seed in "01":
        path = tmp_path / "maze_hard-walker" / seed / "stats.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("".join(lines))
    return tmp_path


def test_runs_of_another_game(folder):
    one, two = scoring.load_runs([folder], strict=True, benchmark=MAZE)
    assert (one.task, one.method, one.seed, two.seed) == ("maze_hard", "walker", *"01")
    assert one.steps == MAZE.budget and not one.is_short()
    assert scoring.success_rates(one).tolist() == [100, 50, 50]
    assert scoring.run_score(one) == 55
    assert scoring.episode_depths(one).tolist() == [1, 3] * 10
    assert scoring.depth_shares(one).tolist() == [100, 50, 50]
    ends, means = scoring.curve(one, one.reward, width=100)
    assert ends[-1] == MAZE.budget and (means == 5.5).all()


def test_score_files_of_another_game(folder, tmp_path):
    runs = scoring.load_runs([folder], benchmark=MAZE)
    path = tmp_path / "scores" / "maze_hard-walker.json"
    path.parent.mkdir()
    scoring.write_scores(path, runs)
    (path.parent / "crafter_reward-x.json").write_text("not read")
    again = scoring.load_runs([path.parent], benchmark=MAZE)
    assert [run.seed for run in again] == ["0", "1"]
    assert (again[0].achievements == runs[0].achievements).all()


def test_runs_of_another_game_are_refused(folder):
    with pytest.raises(scoring.RunError, match="such as crafter_reward-ppo or crafter"):
        scoring.load_runs([folder])
    path = folder / "maze_hard-walker.json"
    scoring.write_scores(path, scoring.load_runs([folder], benchmark=MAZE))
    with pytest.raises(scoring.RunError, match="collect_coal.* missing"):
        scoring.read_scores(path)


def test_a_measure_of_success_rates():
    rates = np.array([10.0, 20.0, 30.0])
    expected = np.exp(np.log([11, 21, 31]).mean()) - 1
    assert scoring.score(rates, MAZE) == pytest.approx(expected)
    with pytest.raises(ValueError, match="3 rates in the last axis"):
        scoring.score(np.ones(22), MAZE)


def test_crafter_is_the_default():
    crafter = scoring.find_benchmark()
    assert crafter is scoring.find_benchmark("crafter")
    assert len(crafter.achievements) == crafter.optimal_return == 22
    assert max(crafter.depths) == 8
    assert (crafter.budget, crafter.time_limit) == (1_000_000, 10_000)


def test_steps_of_episodes_that_began_otherwise_use_up_the_budget(tmp_path):
    path = tmp_path / "maze_hard-walker" / "0" / "stats.jsonl"
    path.parent.mkdir(parents=True)
    lines = [line(3, 1.0, 1, 0, 0), line(4, 9.0, 1, 1, 1, start="options")]
    path.write_text("".join([*lines, line(3, 2.0, 0, 1, 0), line(1, 3.0, 1, 1, 1)]))

    def rewards(budget):
        with pytest.warns(
            scoring.OtherStartWarning, match=r"left out 1 episode.*state"
        ):
            (run,) = scoring.load_runs([path], budget, benchmark=MAZE)
        return run.reward.tolist()

    assert [rewards(budget) for budget in (9, 10, 11)] == [[1], [1, 2], [1, 2, 3]]

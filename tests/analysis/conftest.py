"""Scores of two methods for the programs of analysis/."""

import pytest
from scored import random_run

from crafter import scoring


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two methods, of which one was published too."""
    folder = tmp_path_factory.mktemp("scores")
    for method, skill in [("ppo", 0.4), ("my_agent", 0.8)]:
        runs = [random_run(seed, 70, skill, method) for seed in range(3)]
        scoring.write_scores(folder / f"crafter_reward-{method}.json", runs)
    return folder

"""Whether the scores make sense, and are those that the page shows."""

from __future__ import annotations

import pathlib
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks import tricks

from crafter.tasks.dimensions import SCORED
from crafter.tasks.scores import read

ROOT = pathlib.Path(__file__).parents[2]
FILES = ROOT / "scores" / "task-scores"
PAGE = ROOT / "docs" / "task-results.md"


@pytest.mark.skipif(not FILES.exists(), reason="needs a checkout")
def test_the_table_of_agents_is_that_of_the_shipped_scores():
    for agent in ("noop", "random", "lm:scripted", "scout", "oracle"):
        name = agent.replace(":", "-")
        found = read(FILES / f"scores-smoke-{name}.jsonl.gz")
        done = sum(one.verdict == "DONE" for one in found)
        means = []
        for name in SCORED:
            known = [v for one in found if (v := one.scores[name]) is not None]
            means.append(f"{100 * fmean(known):.1f} ({len(known)})" if known else "–")
        overall = [one.overall for one in found if one.overall is not None]
        means.append(f"{100 * fmean(overall):.1f} ({len(overall)})")
        row = " | ".join([agent, f"{done} of {len(found)}", *means])
        assert f"| {row} |" in PAGE.read_text("utf-8")


_ACTIONS = st.sampled_from(
    ["move_left", "move_up", "move_down", "do", "sleep", "place_stone", "place_table"]
    + ["make_wood_pickaxe", "make_stone_pickaxe", "noop"]
)


@settings(max_examples=8, deadline=None)
@given(st.lists(_ACTIONS, max_size=40), st.sampled_from(["make", "build", "order"]))
def test_whatever_is_done_scores_from_0_to_1(names, ground):
    found = tricks.scored(ground, names)
    known = [value for value in found.values.values() if value is not None]
    assert all(0 <= value <= 1 for value in known) and 0 <= found.overall <= 1
    assert list(found.progress) == sorted(found.progress)
    assert (found.values["task_progress"] == 1) == (found.verdict == "DONE")
    assert len(found.classes) == found.steps <= tricks.BUDGET

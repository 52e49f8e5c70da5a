"""Whether the scores make sense, whatever is done."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tasks import tricks

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

"""Whether harder levels are harder, from the lines of a verification."""

import pytest

from crafter.tasks import monotony, verification
from crafter.tasks.monotony import Trend

LEVELS = ("simple", "medium", "hard")
ALL, SEEN = {"known": "all"}, {"known": "seen"}


def lines(task, *found):
    """Return lines of a task: steps of the scenes of each level, `None` if unsolved."""
    return [
        {"task": task, "level": level, "index": n, "solved": s is not None, "steps": s}
        for level, steps in zip(LEVELS, found)
        for n, s in enumerate(steps)
    ]


HARDER = lines("harder", [3, 5, 4], [9, 7, None], [20, 30, None])
EASIER = lines("easier", [9, 8, 7], [3, 3, 3], [None, None, None])


def test_medians_of_solutions_must_not_fall():
    assert monotony.steps([*HARDER, *EASIER]) == [
        Trend("harder", (4, 8, 25), True),
        Trend("easier", (8, 3, None), False),
    ]


def test_success_must_not_rise():
    rising = lines("rising", [None, 3], [4, 4], [5, None])
    found = monotony.success([*HARDER, *rising])
    assert found[0] == Trend("harder", (1, 2 / 3, 2 / 3), True)
    assert found[1] == Trend("rising", (0.5, 1, 0.5), False)


def test_levels_that_were_not_tried_do_not_count():
    found = monotony.success(lines("new", [3], [], []))
    assert found == [Trend("new", (1, None, None), True)]


def test_section_names_the_exceptions():
    assert monotony.section(ALL, [*HARDER, *EASIER]) == (
        "From level to level median solutions do not get shorter for 1 of 2 tasks "
        "(50 %); exceptions: `easier` 8/3/–."
    )
    told = monotony.section(SEEN, HARDER)
    assert told == "From level to level success does not rise for 1 of 1 tasks (100 %)."


@pytest.mark.slow
def test_solutions_of_nine_tasks_in_ten_do_not_get_shorter(tmp_path):
    names = ["collect_wood", "collect_drink", "collect_coal", "place_table"]
    names += ["make_wood_pickaxe", "find_water", "eat_cow", "wall_3", "place_plant"]
    plan = verification.Plan([*names, "collect_sapling"], LEVELS, scenes=10)
    found = monotony.steps(list(verification.run(plan, tmp_path / "proofs.jsonl")))
    assert len(found) == 10
    assert sum(trend.monotone for trend in found) >= 9, found

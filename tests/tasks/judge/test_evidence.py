"""What judges are shown of attempts."""

from __future__ import annotations

import pytest

from crafter.tasks import RecordError
from crafter.tasks.judge.evidence import (
    EvidenceSettings,
    event_text,
    evidence,
    frame_steps,
    transcript,
)
from crafter.tasks.world import records
from crafter.tasks.world.records import StepRecord


def steps(count, goals=()):
    event = {"type": "goal", "node": "g", "verdict": "DONE"}
    return [
        StepRecord(
            t, "noop", "noop", False, (3, 4), (0, 1), (9, 9, 9, 9), t,
            (event,) if t in goals else (),
        )
        for t in range(1, count + 1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "count, goals, every, expected",
    [
        (3, (), None, [0, 1, 2, 3]),
        (100, (7, 33), 50, [0, 7, 33, 50, 100]),
        (10, (), 4, [0, 4, 8, 10]),
        (990, (), None, [*range(0, 990, 25), 990]),
    ],
)
def test_first_last_and_changes_of_the_goal_are_shown(count, goals, every, expected):
    assert frame_steps(steps(count, goals), every) == expected


def test_a_record_that_the_game_does_not_follow_is_refused(attempts, tmp_path):
    old = records.read(attempts / "noop" / "attempts" / "00000.jsonl.gz")
    moved = [old.steps[0]._replace(pos=(1, 1)), *old.steps[1:]]
    records.write(tmp_path / "a.jsonl", old.header, moved, old.footer)
    with pytest.raises(RecordError, match="step 1 diverges"):
        evidence(tmp_path / "a.jsonl", EvidenceSettings())


def test_a_transcript_joins_steps_at_which_nothing_happened():
    assert transcript(steps(5, {4})) == (
        "steps 1 to 3: noop, to (3, 4)",
        "step 4: noop – goal: node g, verdict DONE",
        "step 5: noop, to (3, 4)",
    )
    falls = {"type": "vital", "name": "drink", "frm": 1, "to": 0}
    assert event_text(falls) == "vital: name drink, from 1, to 0"
    assert event_text({"type": "dusk", "n": 0}) == "dusk"

"""What judges are shown of attempts."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from crafter.tasks import RecordError
from crafter.tasks.judge.evidence import (
    Look,
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


def test_the_first_the_last_and_changes_of_the_goal_are_always_shown():
    assert frame_steps(steps(3)) == [0, 1, 2, 3]
    assert frame_steps(steps(100, {7, 33}), most=4) == [0, 7, 33, 100]
    assert frame_steps(steps(100, {7, 33}), most=1) == [0, 7, 33, 100]
    assert frame_steps(steps(10), every=4) == [0, 4, 8, 10]
    shown = frame_steps(steps(1000))
    assert len(shown) == 40 and shown[0] == 0 and shown[-1] == 1000
    assert set(np.diff(shown)) == {25, 50}


def test_fewer_frames_are_evenly_spread():
    shown = frame_steps(steps(400), every=1, most=12)
    assert len(shown) == 12
    assert max(np.diff(shown)) <= 2 * min(np.diff(shown)[1:-1])


def test_frames_have_captions_and_what_was_given_is_listed(attempts):
    path = attempts / "oracle" / "attempts" / "00002.jsonl.gz"  # make_wood_pickaxe
    shown = evidence(path, Look("both", size=96))
    assert [frame.step for frame in shown.frames] == [0, 1, 2]
    assert shown.given == ("3 wood in the inventory",)
    assert (shown.steps, shown.budget) == (2, 150)
    assert shown.frames[0].lines == ()
    assert "goal make_wood_pickaxe, verdict DONE" in shown.frames[2].lines[0]
    sizes = {Image.open(io.BytesIO(frame.png)).size for frame in shown.frames}
    assert sizes == {(96, 96)}
    only = evidence(path, Look("frames", size=96))
    assert [frame.lines for frame in only.frames] == [(), (), ()]


def test_a_record_that_the_game_does_not_follow_is_refused(attempts, tmp_path):
    old = records.read(attempts / "noop" / "attempts" / "00000.jsonl.gz")
    moved = [old.steps[0]._replace(pos=(1, 1)), *old.steps[1:]]
    records.write(tmp_path / "a.jsonl", old.header, moved, old.footer)
    with pytest.raises(RecordError, match="step 1 goes otherwise"):
        evidence(tmp_path / "a.jsonl", Look())


def test_a_transcript_joins_steps_at_which_nothing_happened():
    told = transcript(steps(5, {4}))
    assert told == (
        "steps 1 to 3: noop, to (3, 4)",
        "step 4: noop – goal g, verdict DONE",
        "step 5: noop, to (3, 4)",
    )
    rejected = {
        "type": "rejected",
        "action": "place_table",
        "reason": "no_item",
        "missing": {"wood": 2},
    }
    assert (
        event_text(rejected) == "rejected place_table, reason no_item, missing wood 2"
    )
    falls = {"type": "vital", "name": "drink", "frm": 9, "to": 8}
    assert event_text(falls) == "vital drink, from 9, to 8"
    assert event_text({"type": "dusk", "n": 0}) == "dusk"
    assert event_text({"type": "hurt", "amount": 2, "by": ["zombie"], "id": 3}) == (
        "hurt amount 2, by zombie"
    )


@pytest.mark.parametrize(
    "wrong", [{"evidence": "video"}, {"every": 0}, {"most": 0}, {"size": 0}]
)
def test_impossible_looks_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        Look(**wrong)

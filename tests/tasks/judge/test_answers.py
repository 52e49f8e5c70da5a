"""What is understood of the answers of judges."""

from __future__ import annotations

import pathlib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge.answers import parse

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "judge_answers.yaml"
ASKED = ["task_progress", "action_control"]
CASES = yaml.safe_load(GOLDEN.read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_an_answer_is_understood_as_written_by_hand(case):
    asked = case.get("asked", ASKED)
    found = parse(case["answer"], asked, case.get("kind", "ratings"))
    assert list(found) == asked
    assert list(found.values()) == case["expected"]


@given(st.text(alphabet='{}[]":, \n*task_progresgood079', max_size=60))
def test_any_text_is_understood_or_missing(text):
    for word in parse(text, list(DIMENSIONS)).values():
        assert word in (*LABELS, "missing", None)

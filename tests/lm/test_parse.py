"""The parser: nothing is guessed, nothing is raised."""

from __future__ import annotations

import string

import pytest
import yaml
from budget import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from lm_helpers import GOLDEN, WRITE

from crafter import constants
from crafter.lm import game as games
from crafter.lm import parse
from crafter.lm.parsing.parse import Vocabulary, parse_for


def test_replies_as_models_and_trainers_write_them():
    replies = yaml.safe_load((GOLDEN / "replies.yaml").read_text("utf-8"))
    assert len(replies) == 60
    for entry in replies:
        result, text = parse(entry["text"]), repr(entry["text"])
        assert (result.error and result.error.kind) == entry.get("error"), text
        if result.error is None:
            assert ", ".join(result.actions) == entry["actions"], text


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("<think>" * 20_000, ()),
        ("</think>" * 20_000 + "do", ("do",)),
        ("<tool_call>" * 15_000, ()),
        ("\\boxed{" * 20_000, ()),
        ("<|action_start|>" * 10_000, ()),
        ("a tree\n" * 25_000 + "do", ()),
        ("a tree\n" * 100 + "do", ("do",)),
        ("the final my " * 15_000, ()),
    ],
)
def test_long_replies_are_read_at_once_or_refused(text, actions):
    assert parse(text).actions == actions


@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_golden(game):
    path, words = GOLDEN / f"parse_{game}.yaml", games.find(game).words()
    entries = yaml.safe_load(path.read_text("utf-8"))
    found = [parsed(words, **entry) for entry in entries]
    if WRITE:
        text = yaml.safe_dump(found, allow_unicode=True, sort_keys=False, width=1000)
        path.write_text(text, "utf-8")
    assert found == entries
    read = {name for entry in found for name in entry.get("actions", "").split(", ")}
    assert set(words.actions) <= read


def parsed(words, text, options=None, **_):
    """Return how a text is understood, as it is kept."""
    result = parse_for(words, text, **(options or {}))
    error = result.error
    entry = {
        "text": text,
        "options": options,
        "actions": ", ".join(result.actions),
        "error": error and error.kind,
        "meant": error and ", ".join(error.suggestions),
        "notes": list(result.notes),
    }
    return {n: value for n, value in entry.items() if value or n == "text"}


@st.composite
def decorated(draw):
    """Draw an action and a decorated form of its name."""
    action = draw(st.sampled_from(constants.actions))
    gap = st.sampled_from(["_", "-", " ", "  "])
    text = "".join(draw(gap) if c == "_" else c for c in action)
    text = "".join(c.upper() if draw(st.booleans()) else c for c in text)
    left, right = draw(st.sampled_from(AROUND))
    before = draw(st.sampled_from(["", "- ", "* ", "1. ", "2) ", "Action: ", " "]))
    after = draw(st.sampled_from(["", ".", "!", " ", "\n"]))
    return action, before + left + text + right + after


AROUND = [("", ""), ("[", "]"), ("(", ")"), *((c, c) for c in ('"', "'", "`", "**"))]


@settings(max_examples=examples(1000))
@given(decorated())
def test_decorations_do_not_matter(case):
    action, text = case
    # Capital letters inside a word may divide it: that is how MoveLeft is read.
    result = parse(text if not _camel(text) else text.lower())
    assert result.actions == (action,) and result.error is None


def _camel(text):
    return any(a.islower() and b.isupper() for a, b in zip(text, text[1:]))


def test_errors_point_at_the_piece_and_say_what_is_valid():
    for text in ("left, fly, do", "Thought: hm\nAction: left, fly", "- left\n- fly"):
        error = parse(text).error
        assert text[error.position : error.position + 3] == "fly" == error.piece
    message = parse("slepe").error.message
    assert "Unknown action 'slepe'" in message and "Did you mean sleep?" in message
    assert all(name in message for name in constants.actions)
    assert len(parse("x" * 150).error.piece) < 70
    error = parse("sleep until awake", macros=False).error
    assert error.kind == "unknown" and "not allowed" in error.message
    assert error.suggestions == ("sleep",)


def test_no_phrase_has_two_meanings():
    words = Vocabulary(games.find("crafter").words())
    assert not words.actions.keys() & words.ambiguous.keys()
    assert not words.actions.keys() & words.uses.keys()
    single = [phrase for phrase in words.actions if len(phrase) == 1]
    assert set(single) <= set(string.ascii_lowercase)
    assert words.actions["d"] == "move_right"

"""Messages: every event and every reason has its sentence."""

from __future__ import annotations

import dataclasses
import functools

import pytest
import yaml
from lm_helpers import GOLDEN, recorded_game, start

from crafter import constants
from crafter.core.events import FIELDS, REASONS
from crafter.lm import game as games
from crafter.lm.rendering.facts import Style
from crafter.lm.rendering.messages import Reporter

CRAFTER = games.find("crafter").words()
SENTENCES = yaml.safe_load((GOLDEN / "messages.yaml").read_text("utf-8"))

VALUES = {
    "onto": "grass",
    "facing": "left",
    "by": "zombie",
    "what": "wood",
    "gain": 1,
    "tool": None,
    "on": "grass",
    "kind": "zombie",
    "damage": 2,
    "amount": 2,
    "name": "food",
    "frm": 5,
    "to": 4,
    "achievement": "collect_wood",
    "cause": "hurt",
    "n": 0,
    "dx": 1,
    "dy": -2,
    "direction": "left",
}


@functools.cache
def beginning():
    return start("@").starting_obs


def told(type, **fields):
    event = {"t": 1, "type": type, **VALUES, **fields}
    if type in ("hurt", "died"):
        event["by"] = fields.get("by", ["zombie"])
    obs = dataclasses.replace(beginning(), inventory={"wood": 1})
    return Reporter(obs, Style()).sentence(event)


def test_every_event():
    for type in set(FIELDS) - {"rejected"}:
        if type in CRAFTER["silent"]:
            assert type in ("spawned", "despawned")  # which the picture does not tell
        else:
            assert told(type) and "{" not in told(type), type


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason(reason):
    for action in constants.actions[5:]:
        text = told(
            "rejected", action=action, reason=reason, missing={"wood": 1}, front="tree"
        )
        assert text.startswith(f"{action} failed: ") and "{" not in text, action


def test_there_are_no_other_templates():
    assert set(CRAFTER["rejected"]) == set(REASONS)
    known = {*FIELDS}
    assert {name.split("_")[0] for name in CRAFTER["events"]} <= {
        name.split("_")[0] for name in known
    }


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences(text):
    assert told(**SENTENCES[text]) == text


@pytest.mark.slow
def test_no_sentence_of_a_whole_game_has_holes():
    for _, obs in recorded_game():
        text = obs.text()
        assert "{" not in text and "None" not in text and ".." not in text

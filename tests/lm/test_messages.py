"""Messages: every event and every reason has its sentence."""

from __future__ import annotations

import dataclasses
import functools

import pytest
import yaml
from lm_helpers import GOLDEN

from crafter.core import events
from crafter.games.craftax import events as craftax
from crafter.lm import CrafterACI
from crafter.lm import game as games
from crafter.lm.rendering.messages import Reporter

SENTENCES = yaml.safe_load((GOLDEN / "messages.yaml").read_text("utf-8"))
#: Game -> its events and reasons, and reasons that only the text has or has not.
GAMES = {
    "crafter": (events.FIELDS, events.REASONS, set()),
    "craftax": (craftax.FIELDS, craftax.REASONS, {"asleep", "resting", "unseen"}),
}
VALUES = dict.fromkeys(("by", "kind"), "zombie")
VALUES |= dict.fromkeys(("onto", "on"), "grass")
VALUES |= dict.fromkeys(("facing", "direction"), "left")
VALUES |= dict.fromkeys(("gain", "dx", "floor", "progress"), 1)
VALUES |= dict.fromkeys(("damage", "amount"), 2)
VALUES |= {"what": "wood", "tool": None, "name": "food", "frm": 5, "to": 4, "n": 0}
VALUES |= {"achievement": "collect_wood", "cause": "hurt", "dy": -2, "change": 8}
VALUES |= {"spell": "fireball", "element": "fire", "colour": "red", "needed": 8}
VALUES |= {"attribute": "strength", "against": "stone", "missing": {"wood": 1}}
VALUES |= {"reason": "no_item", "action": "do", "front": "tree"}


@functools.cache
def beginning(game):
    obs = CrafterACI(game=game, seed=1).starting_obs
    return dataclasses.replace(obs, inventory={"wood": 1})


def told(game, type, **fields):
    event = {"t": 1, "type": type, **VALUES, **fields}
    if type in ("hurt", "died"):
        event["by"] = fields.get("by", ["zombie"])
    obs = beginning(game)
    return Reporter(obs.words, obs.inventory, obs.limits).sentence(event)


@pytest.mark.parametrize("game", GAMES)
def test_every_event_and_every_reason_has_a_sentence(game):
    types, reasons, special = GAMES[game]
    words = games.find(game).words()
    assert set(words["rejected"]) == set(reasons) ^ special
    for type in set(types) - set(words["silent"]):
        assert told(game, type) and "{" not in told(game, type), type
    for action in words.actions[5:]:
        for reason in words["rejected"]:
            text = told(game, "rejected", action=action, reason=reason)
            assert text.startswith(f"{action} failed: ") and "{" not in text, action
    known = {"moved", "placed", *types}
    assert all(any(name.startswith(n) for n in known) for name in words["events"])


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences(text):
    assert told("crafter", **SENTENCES[text]) == text

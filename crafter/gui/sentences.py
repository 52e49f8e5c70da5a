"""Sentences that all games share."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.gui.keys import readable
from crafter.gui.status import is_low

#: What hurts -> how it hurts, and what is said of a death by it.
Hurts = Mapping[str, tuple[str, str]]

#: Reason of a `rejected` event -> why an action failed.
REASONS = {
    "occupied": "Something stands in the way",
    "not_tired": "You are not tired: energy is full",
    "unripe": "The plant is not ripe yet",
    "nothing_there": "There is nothing to use",
}

_NONE: Hurts = types.MappingProxyType({})

_HURTS = {
    "hunger": ("Hunger weakens you", "You starved"),
    "thirst": ("Thirst weakens you", "You died of thirst"),
    "fatigue": ("Exhaustion weakens you", "You died of exhaustion"),
}


def one(name: str) -> str:
    """Returns a name with its article.

    Example:
      >>> one("iron_pickaxe")
      'an iron pickaxe'
    """
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name.replace('_', ' ')}"


def listed(names: Sequence[str], word: str = "or") -> str:
    """Returns names in a row.

    Example:
      >>> listed(["grass", "sand", "path"])
      'grass, sand or path'
    """
    return f" {word} ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def usual(event: Mapping[str, Any], limits: Mapping[str, float]) -> str | None:
    """Returns what is said of an event in any game, or `None`.

    Args:
      event: What happened.
      limits: Vital -> its largest amount.
    """
    kind = event["type"]
    if kind == "missed":
        return f"No {event['what']} this time: try again."
    if kind == "woke" and event["cause"] == "rested":
        return "You wake up, rested."
    if kind == "vital" and event["to"] < event["frm"]:
        limit = limits[event["name"]]
        if is_low(event["to"], limit) and not is_low(event["frm"], limit):
            return f"{readable(event['name'])} is low."
    return None


def wounds(causes: Sequence[str], amount: str, own: Hurts = _NONE) -> str:
    """Returns what hurt in a step, and how much.

    Args:
      causes: What hurt.
      amount: How much health it cost, as people read it.
      own: What has words of its own in a game.

    Example:
      >>> wounds(["bear", "thirst"], "3")
      'A bear hits you and thirst weakens you: health -3.'
    """
    told = [_hurts(cause, own)[0] for cause in dict.fromkeys(causes)]
    others = [text[0].lower() + text[1:] for text in told[1:]]
    return f"{' and '.join([*told[:1], *others])}: health -{amount}."


def death(causes: Sequence[str], own: Hurts = _NONE) -> str:
    """Returns what killed the player, in a sentence for each cause.

    Example:
      >>> death(["bear", "thirst"]), death([])
      ('You were killed by a bear. You died of thirst.', 'You died.')
    """
    told = [f"{_hurts(cause, own)[1]}." for cause in dict.fromkeys(causes)]
    return " ".join(told) or "You died."


def _hurts(cause: str, own: Hurts) -> tuple[str, str]:
    by = one(cause)
    usual = f"{by[0].upper()}{by[1:]} hits you", f"You were killed by {by}"
    return own.get(cause) or _HURTS.get(cause, usual)

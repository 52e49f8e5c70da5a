"""Messages of Crafter: failures, wounds, low vitals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crafter.games.crafter.affordances import Seen
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.snapshot import Snapshot
from crafter.gui import sentences
from crafter.gui.game import Event
from crafter.gui.keys import readable
from crafter.gui.sentences import listed, one

#: What hurts -> how it hurts, and what is said of a death by it.
HURTS = {
    "arrow": ("An arrow hits you", "You were shot by a skeleton"),
    "lava": ("You walk into lava", "You walked into lava"),
}


def messages(rules: Rules, events: Sequence[Event], now: Snapshot) -> list[str]:
    """Returns what a player should know of a step: failures, wounds, low vitals.

    Args:
      rules: The rules of the game.
      events: What happened in the step.
      now: The moment after it.
    """
    return [text for event in events if (text := _sentence(rules, event, now))]


def _sentence(rules: Rules, event: Event, now: Snapshot) -> str | None:
    kind = event["type"]
    if kind == "rejected":
        return f"{_rejection(rules, event, now)}."
    if kind == "hurt":
        return sentences.wounds(event["by"], str(event["amount"]), HURTS)
    if kind == "collected" and not event["gain"]:
        limit = rules.items[event["what"]]["max"]
        return f"You cannot carry more than {limit} {event['what']}."
    limits = {name: item["max"] for name, item in rules.items.items()}
    return sentences.usual(event, limits)


def _rejection(rules: Rules, event: Event, now: Snapshot) -> str:
    """Returns why an action failed, without the full stop."""
    action, reason, missing = event["action"], event["reason"], event["missing"]
    verb, _, name = action.partition("_")
    what = readable(name)
    items = {n: amount for n, amount in missing.items() if n in rules.items}
    needs = _needs(rules, action, items, now)
    if reason == "no_station":
        stations = " and ".join(one(n) for n in missing if n not in rules.items)
        also = f", and {needs}" if needs else ""
        return f"{what} needs {stations} nearby{also}"
    if reason == "no_item":
        return f"{what} needs {needs}"
    if reason == "no_tool":
        material = readable(Seen(rules, now).material or "that")
        return f"{material} needs {' and '.join(map(one, missing))}"
    if reason == "bad_target" and verb == "place":
        return f"{what} can only be placed on {listed(rules.place[name]['where'])}"
    return {
        **sentences.REASONS,
        "bad_target": "That cannot be used",
        "edge_quirk": "At the left and upper edge of the world nothing counts as "
        "nearby; go one step away from it",
    }[reason]


def _needs(rules: Rules, action: str, items: Mapping[str, int], now: Snapshot) -> str:
    """Returns what an action takes of the missing items, and how much is there."""
    verb, _, name = action.partition("_")
    uses: Mapping[str, int] = {}
    if verb == "place":
        uses = rules.place[name]["uses"]
    elif verb == "make":
        uses = rules.make[name]["uses"]
    return "; ".join(
        f"{uses[item]} {readable(item).lower()}, you have {now.inventory[item]}"
        for item in items
        if item in uses
    )

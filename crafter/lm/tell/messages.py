"""What happened, in sentences: one template per type of event and per reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from crafter import constants
from crafter.lm.tell.facts import Event, StepRecord, Style
from crafter.lm.tell.positions import where
from crafter.lm.tell.words import TOOLS, WORDS, listed, with_article

_EVENTS: dict[str, str] = WORDS["events"]
_REJECTED: dict[str, str] = WORDS["rejected"]
_CAUSES: dict[str, str] = WORDS["causes"]
_STATIONS = frozenset(WORDS["stations"])


def happened(
    steps: Iterable[StepRecord],
    inventory: Mapping[str, int],
    limits: Mapping[str, int],
    style: Style,
) -> list[str]:
    """Returns one line for each executed action; equal ones in a row share a line.

    Args:
      steps: The steps.
      inventory: What the player has now.
      limits: Item name -> maximum.
      style: How to tell it.

    Returns:
      Lines such as `move_left x3 – you moved to grass.`
    """
    lines: list[tuple[str, str, int]] = []
    for step in steps:
        told = list(sentences(step.events, inventory, limits, style))
        if step.forced and step.action not in ("sleep", "noop"):
            told.insert(0, WORDS["asleep"])
        elif step.forced and not told:
            told = [WORDS["sleeping"]]
        said = _sentence(told or [WORDS["nothing"]])
        if lines and lines[-1][:2] == (step.action, said):
            lines[-1] = (step.action, said, lines[-1][2] + 1)
        else:
            lines.append((step.action, said, 1))
    return [_line(*line) for line in lines]


def _line(action: str, said: str, count: int) -> str:
    times = f" x{count}" if count > 1 else ""
    if said.startswith(f"{action} failed"):
        return f"{action}{times}{said.removeprefix(action)}"
    return f"{action}{times} – {said}"


def _sentence(parts: list[str]) -> str:
    """Joins parts to sentences; the first goes on after a dash."""
    return (
        ". ".join([parts[0], *(part[0].upper() + part[1:] for part in parts[1:])]) + "."
    )


def sentences(
    events: Iterable[Event],
    inventory: Mapping[str, int],
    limits: Mapping[str, int],
    style: Style,
) -> Iterator[str]:
    """Yields a sentence for each event that says something new."""
    events = sorted(events, key=lambda event: event["type"] in WORDS["last"])
    types = {event["type"] for event in events}
    for event in events:
        if not _is_repetition(event, types):
            yield message(event, inventory, limits, style)


def _is_repetition(event: Event, types: set[str]) -> bool:
    """Tells whether another event of the same step says it already."""
    kind = event["type"]
    return (
        (kind == "turned" and "moved" in types)
        or (kind == "arrow_stopped" and event["by"] == "player")
        or (kind == "hit" and "defeated" in types)
        or (kind == "rejected" and "woke" in types)
        or (kind == "defeated" and "ate" in types)
        or (
            kind == "vital" and event["to"] > event["frm"] and event["name"] != "energy"
        )
    )


def message(
    event: Event,
    inventory: Mapping[str, int],
    limits: Mapping[str, int],
    style: Style,
) -> str:
    """Returns the sentence of an event, without capital letter and full stop.

    Args:
      event: A visible event.
      inventory: What the player has now.
      limits: Item name -> maximum.
      style: For the words of directions.

    Example:
      >>> event = {"type": "hurt", "amount": 2, "by": ["zombie"]}
      >>> message(event, {}, {}, Style())
      'a zombie hit you: health -2'
    """
    if event["type"] == "rejected":
        return _rejection(event, inventory)
    fields = dict(event)
    if "dx" in event:
        fields["where"] = where((event["dx"], event["dy"]), style.directions)
    if "n" in event:
        fields["n"] = event["n"] + 1
    if isinstance(event.get("by"), str):
        fields["by_the"] = with_article(event["by"]).replace("a player", "you")
        fields["by_a"] = fields["by_the"]
    if event["type"] == "hurt":
        fields["causes"] = listed(
            [_CAUSES.get(by, f"{by} hurts you") for by in event["by"]]
        )
    if event["type"] == "collected":
        fields["limit"] = limits.get(event["what"])
    return _EVENTS[_template(event)].format(**fields)


def _template(event: Event) -> str:
    """Returns the name of the template of an event."""
    kind: str = event["type"]
    if kind == "woke":
        return f"woke_{event['cause']}"
    if kind == "vital":
        return "vital_up" if event["to"] > event["frm"] else "vital_down"
    if kind == "placed" and event["what"] == "stone":
        return "placed_stone"
    if kind == "made" and event["what"][0] in "aeiou":
        return "made_vowel"
    if kind == "collected":
        drink = "_drink" if event["what"] == "drink" else ""
        full = "" if event["gain"] else "_full"
        return f"collected{drink}{full}"
    return kind


def _rejection(event: Event, inventory: Mapping[str, int]) -> str:
    missing: dict[str, int] = event["missing"]
    stations = [f"{name}" for name in missing if name in _STATIONS]
    items = {name: n for name, n in missing.items() if name not in _STATIONS}
    reach = constants.world["nearby"]
    text = _REJECTED[event["reason"]].format(
        action=event["action"],
        needs=_needs(event["action"], items, inventory),
        stations=listed(stations or ["station"], "or"),
        reach="one cell" if reach == 1 else f"{reach} cells",
        front=with_article(event.get("front", "it")),
    )
    if stations and items:
        text += f"; it also needs {_needs(event['action'], items, inventory)}"
    return text


def _needs(
    action: str, missing: Mapping[str, int], inventory: Mapping[str, int]
) -> str:
    """Returns what an action needs, and how much of it is there."""
    uses = recipe(action)
    parts = []
    for item, short in missing.items():
        if item in TOOLS:
            parts.append(f"{'an' if item[0] in 'aeiou' else 'a'} {item}")
        else:
            needed = uses.get(item, inventory.get(item, 0) + short)
            parts.append(f"{needed} {item}, you have {needed - short}")
    return listed(parts or ["more"])


def recipe(action: str) -> dict[str, Any]:
    """Returns the items that an action uses up.

    Example:
      >>> recipe("place_table"), recipe("noop")
      ({'wood': 2}, {})
    """
    verb, _, name = action.partition("_")
    table = {"place": constants.place, "make": constants.make}.get(verb, {})
    return table.get(name, {}).get("uses", {})

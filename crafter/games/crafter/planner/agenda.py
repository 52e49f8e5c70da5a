"""What a goal still asks for: aims to reach, and limits to keep, from its monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crafter.games.crafter.planner.actor import Actor
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Event, Goal, Reach
from crafter.tasks.language.monitors import Node

#: A state that lasts longer is kept up by day and night.
LASTING = 50
#: Words of goals that the night is needed for.
NIGHTLY = {"night", "light", "zombie", "dusk", "dawn", "new_day"}
_WORD = re.compile(r"[a-z_]+")


def aims(node: Node) -> list[Node]:
    """Returns the monitors of what can be done next for a goal, by its own monitor.

    What has to be done comes before what must not.
    """
    if node.verdict.final:
        return []
    if node.term.op in ("event", "state", "not"):
        return [node]
    if node.term.op == "sequence":
        return aims(node.children[-1])
    if node.term.op == "within" or isinstance(node.term.goal, goals.Without):
        return aims(node.children[0])
    return sorted(
        (aim for child in node.children for aim in aims(child)), key=is_waiting
    )


def forbidden(node: Node) -> Iterator[Node]:
    """Yields the monitors of what must not happen now."""
    if node.verdict.final:
        return
    if node.term.op == "not":
        yield node.children[0]
    elif node.term.op == "sequence":
        yield from forbidden(node.children[-1])
    else:
        for child in node.children:
            yield from forbidden(child)


def set_limits(me: Actor, node: Node) -> None:
    """Makes an actor keep to what must not happen now."""
    me.forbids, me.careful, me.peaceful = [], False, False
    for part in forbidden(node):
        # What is guarded may be done at other times.
        if part.term.op == "event" and not part.term.guards:
            _forbid_event(me, part.term.goal, part)


def _forbid_event(me: Actor, event: Event, node: Node) -> None:
    filters = dict(event.filters)
    if event.type == "hurt":
        me.careful = True
    elif event.type in ("hit", "defeated"):
        me.peaceful = True
    elif event.type == "fell_asleep":
        me.forbids.append(lambda action: action == "sleep")
    elif event.type == "act":
        me.forbids.append(lambda action: action == filters.get("action"))
    elif event.type in ("placed", "made"):
        verb = "place" if event.type == "placed" else "make"
        what = filters.get("what")
        # The event that would be the last one must not come.
        if round(node.progress * event.n) >= event.n - 1:
            me.forbids.append(lambda action: action.startswith(f"{verb}_{what or ''}"))


def of_night(goal: Goal) -> bool:
    """Returns whether a goal is about the night, haste, or keeping something up."""
    parts = goals.walk_over(goal)
    lasting = any(isinstance(part, Reach) and part.steps > LASTING for part in parts)
    words = {word for part in parts for word in _WORD.findall(str(part))}
    hurried = any(isinstance(part, goals.Within) for part in parts)
    return hurried or lasting or bool(words & NIGHTLY)


def is_waiting(aim: Node) -> bool:
    """Returns whether an aim is that something does not happen."""
    return isinstance(aim.term.goal, goals.Not)

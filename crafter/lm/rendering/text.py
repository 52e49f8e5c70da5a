"""Observations as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from crafter.core.grid import distance, shift
from crafter.core.paths import Choice, search
from crafter.core.phrases import listed
from crafter.lm.rendering import facts
from crafter.lm.rendering.facts import Offset, Style
from crafter.lm.rendering.messages import where
from crafter.tasks.env.single import GoalState

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation

Line = tuple[str, str]  # key, text
_UNCLEAR = "something unclear"
_CRITICAL = 2


def render(obs: Observation, style: Style) -> str:
    """Returns the observation as text, one fact per line."""
    return "\n".join(line for _, line in lines(obs, style))


def lines(obs: Observation, style: Style) -> list[Line]:
    """Returns the lines of the text in order, each with a stable key.

    The keys identify lines across observations, so that only changed ones can be shown;
    see `Delta`.
    """
    return [line for section in _SECTIONS for line in section(obs, style)]


def _time(obs: Observation, style: Style) -> Iterator[Line]:
    limit = f" of {obs.step_limit}" if obs.step_limit and style.verbosity else ""
    seen = obs.daylight is not None and style.verbosity
    light = f" (light {obs.daylight:.1f})" if seen else ""
    calls = "" if obs.calls_left is None else f" Calls left: {obs.calls_left}."
    yield "time", f"Step {obs.step}{limit}. Day {obs.day}, {obs.phase}{light}.{calls}"


def _last(obs: Observation, style: Style) -> Iterator[Line]:
    entries = obs.happened(style.directions)
    if len(entries) == 1:
        yield "last", f"Last: {entries[0]}"
    elif entries:
        numbered = [f"{number}. {line}" for number, line in enumerate(entries, 1)]
        yield "last", "\n".join(["Last:", *numbered])
    if obs.notes:
        yield "notes", "\n".join(obs.notes)
    if obs.done:
        yield "over", f"The game is over: {obs.words.ending(obs.reason)}."


def _stand(obs: Observation, style: Style) -> Iterator[Line]:
    words, ahead = obs.words, obs.front
    facing = words["directions"][style.directions][obs.facing]
    front = _UNCLEAR if ahead == facts.UNCLEAR else words.with_article(ahead)
    if style.verbosity == 2 and ahead in words.plantable:
        front += " (a plant or block can be placed here)"
    on = words.with_article(obs.on)
    if here := obs.here:
        on += f" (here: {listed([words.with_article(name) for name in here])})"
    place = f"in {on}" if obs.on == facts.DARKNESS else f"on {on}"
    if style.verbosity:
        yield "stand", f"You stand {place} and face {facing}: {front}."
    else:
        yield "stand", f"{place.capitalize()}, facing {facing}: {front}."
    if obs.asleep:
        energy = f"(energy {obs.inventory['energy']}/{obs.limits['energy']})"
        ignored = "; actions are ignored until you wake" if style.verbosity else ""
        yield "asleep", f"You are asleep{ignored} {energy}."
    if obs.status.get("resting"):
        text = words["rests"].format(**obs.inventory, max=obs.limits["health"])
        yield "resting", text


def _vitals(obs: Observation, style: Style) -> Iterator[Line]:
    parts = []
    for name in obs.words.vitals:
        value = obs.inventory[name]
        critical = value <= _CRITICAL and name in obs.words.lives
        marks = ["critical"] * critical + ["falling"] * (name in obs.falling)
        mark = f" ({', '.join(marks)})" if marks else ""
        limit = f"/{obs.limits[name]}" if style.verbosity else ""
        parts.append(f"{name} {value}{limit}{mark}")
    yield "vitals", ", ".join(parts).capitalize() + "."


def _status(obs: Observation, style: Style) -> Iterator[Line]:
    """Yields the game-specific status, by the templates of its vocabulary."""
    sentences, words = [], obs.words
    for name, value in obs.status.items():
        template = words["status"].get(name)
        if template and value and (style.verbosity or name in words["terse"]):
            fields = value if isinstance(value, Mapping) else {}
            named = {n: words.name(v) if n == "name" else v for n, v in fields.items()}
            plain = _plain(value) if "{value}" in template else ""
            sentences.append(template.format(value=plain, **named))
    if sentences:
        yield "status", " ".join(sentences)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return listed([f"{name} ({what})" for name, what in value.items()])
    return str(value) if isinstance(value, str) else listed(list(value))


def belongings(obs: Observation, zeros: bool) -> dict[str, dict[str, int]]:
    """Returns the inventory by group; resources are the items in no other group.

    Args:
      obs: The observation.
      zeros: Whether to include items with amount 0.
    """
    groups, others = obs.words.groups, obs.words.grouped
    owned = {name: n for name, n in obs.inventory.items() if n or zeros}
    by_group = {
        "resources": {name: n for name, n in owned.items() if name not in others}
    }
    for title, group in groups.items():
        by_group[title] = {name: n for name, n in owned.items() if name in group}
    return by_group


def _inventory(obs: Observation, style: Style) -> Iterator[Line]:
    zeros = style.verbosity == 2
    groups = belongings(obs, zeros)
    limits = obs.limits if zeros else {}
    things = groups.pop("resources").items()
    amounts = (f"{n}/{limits[name]}" if zeros else n for name, n in things)
    parts = [", ".join(f"{name} {n}" for (name, _), n in zip(things, amounts))]
    for title, group in groups.items():
        entries = [name if n == 1 else f"{name} {n}" for name, n in group.items()]
        parts.append(f"{title}: {', '.join(entries)}" if entries else "")
    if any(parts):
        yield "inventory", f"Inventory: {'; '.join(filter(None, parts))}."


# What is in view.


def _view_lines(obs: Observation, style: Style) -> Iterator[Line]:
    entries = list(surroundings(obs, style))
    if entries and style.verbosity:
        yield "see", "You see:"
        yield from ((key, f"- {key}: {text}") for key, text in entries)
    elif entries:
        yield "see", "See " + "; ".join(f"{key} {text}" for key, text in entries) + "."
    directions = obs.words["directions"][style.directions]
    ways = [directions[way] for way in obs.open_ground]
    if style.verbosity:
        yield "open", f"Open ground: {', '.join(ways) or 'none'}."


def surroundings(obs: Observation, style: Style) -> Iterator[tuple[str, str]]:
    """Yields the names and places of what is in view."""
    groups: dict[str, list[Offset]] = {}
    for name, offset in obs.places():
        groups.setdefault(name, []).append(offset)
    places = _Places(obs, style)
    for name in sorted(groups, key=obs.words.rank):
        label = _UNCLEAR if name == facts.UNCLEAR else obs.words.name(name)
        yield label, places.describe(name, groups[name])
    if edges := list(_edges(obs)):
        yield facts.EDGE, "; ".join(where(offset, style.directions) for offset in edges)


def _edges(obs: Observation) -> Iterator[Offset]:
    """Yields the nearest cell outside the map in each direction."""
    if not any(facts.OUTSIDE in row for row in obs.rows):
        return
    for dx, dy in facts.VECTORS.values():
        for n in range(1, max(obs.middle) + 1):
            if obs.rows.at((dx * n, dy * n)) == facts.OUTSIDE:
                yield dx * n, dy * n
                break


class _Places:
    """Describes the places of things that share a name.

    Args:
      obs: The observation.
      style: Rendering settings.
    """

    def __init__(self, obs: Observation, style: Style) -> None:
        self._obs, self._style = obs, style
        self._counts = moves(obs) if style.reach else None
        self._flying = {(t.name, t.offset): t.facing for t in obs.things if t.facing}

    def describe(self, name: str, offsets: list[Offset]) -> str:
        """Returns the places as text; `offsets` are sorted by walking distance."""
        detail = "all" if name in self._obs.words.dangers else self._style.detail
        if detail == "nearest":
            return self._nearest(name, offsets)
        if detail == "octant":
            nearest: dict[int, Offset] = {}
            for offset in offsets:
                nearest.setdefault(octant(offset), offset)
            offsets = list(nearest.values())
        return "; ".join(self._place(name, offset) for offset in offsets)

    def _nearest(self, name: str, offsets: list[Offset]) -> str:
        first, *others = offsets
        text = self._place(name, first)
        if others and not self._style.verbosity:
            return f"{text} +{len(others)}"
        if others:
            text += f"; {len(others)} more"
        if others and self._tag(first):
            text += f", nearest {where(others[0], self._style.directions)}"
        return text

    def _place(self, name: str, offset: Offset) -> str:
        text = where(offset, self._style.directions) + self._tag(offset)
        text += self._flight(self._flying.get((name, offset)), offset)
        if self._counts is not None:
            beside = (
                self._counts.get(shift(offset, by)) for by in facts.VECTORS.values()
            )
            count = min((n for n in beside if n is not None), default=None)
            text += " [no path seen]" if count is None else f" [{count} moves]"
        return text

    def _tag(self, offset: Offset) -> str:
        ahead = facts.VECTORS[self._obs.facing]
        if offset == ahead:
            return " (in front)"
        return " (behind you)" if offset == (-ahead[0], -ahead[1]) else ""

    def _flight(self, facing: str | None, offset: Offset) -> str:
        if facing is None:
            return ""
        toward = shift(offset, facts.VECTORS[facing], distance(offset)) == (0, 0)
        directions = self._obs.words["directions"][self._style.directions]
        return f", flying {directions[facing]}" + (", toward you" if toward else "")


def octant(offset: Offset) -> int:
    """Returns the octant of an offset, clockwise from up.

    Example:
      >>> octant((0, -3)), octant((3, 1)), octant((2, 2))
      (0, 2, 3)
    """
    return round(math.atan2(offset[0], -offset[1]) / (math.pi / 4)) % 8


def moves(obs: Observation) -> dict[Offset, int]:
    """Returns the number of moves to each walkable cell in view."""
    walkable = obs.words.walkable

    def beside(cell: Offset) -> Iterator[Choice]:
        for way, vector in facts.VECTORS.items():
            if obs.at(shift(cell, vector)) in walkable:
                yield Choice((way,), 1, shift(cell, vector))

    return {way.state: int(way.cost) for way in search((0, 0), beside)}


def _progress(obs: Observation, style: Style) -> Iterator[Line]:
    if style.verbosity:
        names = f": {', '.join(obs.achievements)}" if obs.achievements else ""
        count = f"{len(obs.achievements)}/{len(obs.words.achievements)}"
        yield "achievements", f"Achievements {count}{names}."
    if obs.goal is not None and (style.verbosity or obs.done):
        yield "goal", f"Goal: {obs.goal.text} {_so_far(obs.goal)}"
    if obs.available is not None:
        yield "available", f"Possible now: {', '.join(obs.available)}."
    if obs.memory:
        yield "memory", obs.memory
    if obs.privileged:
        values = ", ".join(f"{name} {value}" for name, value in obs.privileged.items())
        yield "privileged", f"Privileged: {values}."


def _so_far(goal: GoalState) -> str:
    """Returns the progress on a goal as a sentence."""
    if goal.verdict == "DONE":
        return "It is done."
    if goal.verdict == "FAILED":
        return f"It has failed. {goal.why}"
    steps = "1 step" if goal.steps_left == 1 else f"{goal.steps_left} steps"
    return f"Progress {100 * goal.progress:.0f} %, {steps} left."


_SECTIONS = (
    *(_time, _last, _stand, _vitals, _status),
    *(_inventory, _view_lines, _progress),
)


# Changes.

EVERY = 10  # calls between full texts
HEADER = "Changed since the last observation (the rest is as it was):"
_GONE = "No longer there: "


class Delta:
    """Renders a sequence of observations as changes.

    A changed line is shown in full and replaces the line with the same key; keys of
    removed lines are listed. The full text is repeated every few calls.
    """

    def __init__(self) -> None:
        self._calls = 0
        self._lines: dict[str, str] = {}

    def reset(self) -> None:
        """Makes the next text a full one."""
        self._calls = 0

    def tell(self, obs: Observation) -> str:
        """Returns the full text, or the changes since the last call."""
        now = dict(lines(obs, obs.style))
        before, self._lines = self._lines, now
        full = self._calls % EVERY == 0
        self._calls += 1
        if full:
            return "\n".join(now.values())
        changed = [line for key, line in now.items() if before.get(key) != line]
        gone = [key for key in before if key not in now]
        parts = [HEADER, *changed]
        if gone:
            parts.append(f"{_GONE}{', '.join(gone)}.")
        return "\n".join(parts)

"""The observation in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crafter import constants
from crafter.lm.tell.facts import Offset, Style, distance
from crafter.lm.tell.messages import happened
from crafter.lm.tell.positions import moves, moves_beside, octant, where
from crafter.lm.tell.words import (
    BACKGROUND,
    EDGE,
    OUTSIDE,
    TOOLS,
    UNCLEAR,
    VECTORS,
    VITALS,
    WORDS,
    with_article,
)

if TYPE_CHECKING:
    from crafter.lm.tell.observation import Observation

Line = tuple[str, str]  # key, text
_ORDER: dict[str, int] = {name: i for i, name in enumerate(WORDS["order"])}
_DANGERS = frozenset(WORDS["dangers"])
_CRITICAL = 2


def render(obs: Observation, style: Style) -> str:
    """Returns the observation in words, one line a fact."""
    return "\n".join(line for _, line in lines(obs, style))


def lines(obs: Observation, style: Style) -> list[Line]:
    """Returns the lines of the text in order, with keys that stay the same.

    The keys tell lines of one observation from another's, so that only what changed
    can be told; see `crafter.lm.tell.delta`.
    """
    return [line for section in _SECTIONS for line in section(obs, style)]


def _time(obs: Observation, style: Style) -> Iterator[Line]:
    limit = f" of {obs.step_limit}" if obs.step_limit and style.verbosity else ""
    light = f" (light {obs.daylight:.1f})" if style.verbosity else ""
    calls = "" if obs.calls_left is None else f" Calls left: {obs.calls_left}."
    yield "time", f"Step {obs.step}{limit}. Day {obs.day}, {obs.phase}{light}.{calls}"


def _last(obs: Observation, style: Style) -> Iterator[Line]:
    told = happened(obs.steps, obs.inventory, obs.limits, style)
    if len(told) == 1:
        yield "last", f"Last: {told[0]}"
    elif told:
        numbered = [f"{number}. {line}" for number, line in enumerate(told, 1)]
        yield "last", "\n".join(["Last:", *numbered])
    if obs.notes:
        yield "notes", "\n".join(obs.notes)
    if obs.done:
        why = WORDS["reasons"].get(obs.reason, obs.reason)
        yield "over", f"The game is over: {why}."


def _stand(obs: Observation, style: Style) -> Iterator[Line]:
    facing = WORDS["directions"][style.directions][obs.facing]
    front = with_article("something unclear" if obs.front == UNCLEAR else obs.front)
    if style.verbosity == 2 and obs.front in constants.place["plant"]["where"]:
        front += " (a plant or block can be placed here)"
    on = with_article(obs.on)
    if style.verbosity:
        yield "stand", f"You stand on {on} and face {facing}: {front}."
    else:
        yield "stand", f"On {on}, facing {facing}: {front}."
    if obs.asleep:
        energy = f"(energy {obs.inventory['energy']}/{obs.limits['energy']})"
        ignored = "; actions are ignored until you wake" if style.verbosity else ""
        yield "asleep", f"You are asleep{ignored} {energy}."


def _vitals(obs: Observation, style: Style) -> Iterator[Line]:
    told = []
    for name in VITALS:
        value = obs.inventory[name]
        marks = ["critical"] * (value <= _CRITICAL) + ["falling"] * (
            name in obs.falling
        )
        mark = f" ({', '.join(marks)})" if marks else ""
        limit = f"/{obs.limits[name]}" if style.verbosity else ""
        told.append(f"{name} {value}{limit}{mark}")
    yield "vitals", ", ".join(told).capitalize() + "."


def _inventory(obs: Observation, style: Style) -> Iterator[Line]:
    owned = {n: v for n, v in obs.inventory.items() if n not in VITALS}
    zeros = style.verbosity == 2
    maximum = {n: f"/{obs.limits[n]}" if zeros else "" for n in owned}
    things = [
        f"{n} {v}{maximum[n]}"
        for n, v in owned.items()
        if n not in TOOLS and (v or zeros)
    ]
    tools = [
        n if v == 1 else f"{n} {v}"
        for n, v in owned.items()
        if n in TOOLS and (v or zeros)
    ]
    parts = [", ".join(things)] if things else []
    parts += [f"tools: {', '.join(tools)}"] if tools else []
    if parts:
        yield "inventory", f"Inventory: {'; '.join(parts)}."


# What is in view.


def _seen(obs: Observation, style: Style) -> Iterator[Line]:
    entries = list(surroundings(obs, style))
    if entries and style.verbosity:
        yield "see", "You see:"
        yield from ((key, f"- {key}: {told}") for key, told in entries)
    elif entries:
        yield "see", "See " + "; ".join(f"{key} {told}" for key, told in entries) + "."
    ways = [WORDS["directions"][style.directions][way] for way in obs.open_ground]
    if style.verbosity:
        yield "open", f"Open ground: {', '.join(ways) or 'none'}."


def surroundings(obs: Observation, style: Style) -> Iterator[tuple[str, str]]:
    """Yields what is in view: the name, and where it is."""
    groups: dict[str, list[Offset]] = {}
    for name, offset in obs.places():
        if name not in BACKGROUND:
            groups.setdefault(name, []).append(offset)
    counts = moves(obs) if style.reach else None
    tell = _Places(obs, style, counts)
    for name in sorted(
        groups, key=lambda name: _ORDER.get(name, _ORDER[UNCLEAR] - 0.5)
    ):
        label = "something unclear" if name == UNCLEAR else name
        yield from tell.group(label, groups[name])
    edges = list(_edges(obs))
    if edges:
        yield EDGE, "; ".join(where(offset, style.directions) for offset in edges)


def _edges(obs: Observation) -> Iterator[Offset]:
    """Yields the nearest cell outside the map in each direction in view."""
    for dx, dy in VECTORS.values():
        reach = obs.middle[0] if dx else obs.middle[1]
        for steps in range(1, reach + 1):
            if obs.material((dx * steps, dy * steps)) == OUTSIDE:
                yield dx * steps, dy * steps
                break


class _Places:
    """Tells where the things of one name are.

    Args:
      obs: The observation.
      style: How to tell it.
      counts: Moves to each cell, if they are to be told.
    """

    def __init__(
        self, obs: Observation, style: Style, counts: dict[Offset, int] | None
    ) -> None:
        self._obs, self._style, self._counts = obs, style, counts
        self._arrows = {t.offset: t.facing for t in obs.things if t.kind == "arrow"}

    def group(self, name: str, offsets: list[Offset]) -> Iterator[tuple[str, str]]:
        """Yields the entries of a name; `offsets` are in walking order."""
        if self._style.detail == "all" or name in _DANGERS:
            yield name, "; ".join(self._place(offset) for offset in offsets)
        elif self._style.detail == "octant":
            yield name, "; ".join(self._place(o) for o in _nearest_by_octant(offsets))
        else:
            yield name, self._nearest(offsets)

    def _nearest(self, offsets: list[Offset]) -> str:
        first, *others = offsets
        told = self._place(first)
        if others and not self._style.verbosity:
            return f"{told} +{len(others)}"
        if others:
            told += f"; {len(others)} more"
        if others and self._tag(first):
            told += f", nearest {where(others[0], self._style.directions)}"
        return told

    def _place(self, offset: Offset) -> str:
        told = where(offset, self._style.directions) + self._tag(offset)
        if offset in self._arrows:
            told += self._flight(offset)
        if self._counts is not None:
            count = moves_beside(self._counts, offset)
            told += " [no path seen]" if count is None else f" [{count} moves]"
        return told

    def _tag(self, offset: Offset) -> str:
        ahead = VECTORS[self._obs.facing]
        if offset == ahead:
            return " (in front)"
        return " (behind you)" if offset == (-ahead[0], -ahead[1]) else ""

    def _flight(self, offset: Offset) -> str:
        facing = self._arrows[offset]
        if facing is None:
            return ""
        (dx, dy), steps = VECTORS[facing], distance(offset)
        toward = (offset[0] + dx * steps, offset[1] + dy * steps) == (0, 0)
        words = WORDS["directions"][self._style.directions]
        return f", flying {words[facing]}" + (", toward you" if toward else "")


def _nearest_by_octant(offsets: list[Offset]) -> list[Offset]:
    nearest: dict[int, Offset] = {}
    for offset in offsets:
        nearest.setdefault(octant(offset), offset)
    return list(nearest.values())


def _progress(obs: Observation, style: Style) -> Iterator[Line]:
    if style.verbosity:
        names = f": {', '.join(obs.achievements)}" if obs.achievements else ""
        count = f"{len(obs.achievements)}/{len(constants.achievements)}"
        yield "achievements", f"Achievements {count}{names}."
    if obs.available is not None:
        yield "available", f"Possible now: {', '.join(obs.available)}."
    if obs.memory:
        yield "memory", obs.memory
    if obs.privileged:
        told = ", ".join(f"{name} {value}" for name, value in obs.privileged.items())
        yield "privileged", f"Privileged: {told}."


_SECTIONS = (_time, _last, _stand, _vitals, _inventory, _seen, _progress)

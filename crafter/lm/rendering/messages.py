"""Event sentences: one template per event type and reason."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from crafter.core.phrases import listed, one
from crafter.lm import game as games
from crafter.lm.rendering.facts import (
    OUTSIDE,
    VECTORS,
    Event,
    Offset,
    StepRecord,
    name_at,
)
from crafter.lm.rendering.perception import DARK, Moment
from crafter.lm.rendering.words import INTERFACE, Words


@functools.lru_cache(maxsize=4096)
def where(offset: Offset, directions: str = "screen") -> str:
    """Returns an offset as text.

    Args:
      offset: Cells to the right and down.
      directions: A key of `directions` in interface.yaml.

    Example:
      >>> where((4, -2)), where((-1, 0), "compass"), where((0, 0))
      ('4 right, 2 up', '1 west', 'here')
    """
    words = INTERFACE["directions"][directions]
    dx, dy = offset
    parts = []
    if dx:
        parts.append(f"{abs(dx)} {words['right' if dx > 0 else 'left']}")
    if dy:
        parts.append(f"{abs(dy)} {words['down' if dy > 0 else 'up']}")
    return ", ".join(parts) or "here"


@dataclasses.dataclass(frozen=True)
class Reporter:
    """Describes the steps and events of a turn.

    Attributes:
      words: The words of the game.
      inventory: Item name -> current amount.
      limits: Item name -> maximum.
      directions: A key of `directions` in interface.yaml.
    """

    words: Words
    inventory: Mapping[str, int]
    limits: Mapping[str, int]
    directions: str = "screen"

    def lines(self, steps: Iterable[StepRecord]) -> list[str]:
        """Returns one line per executed action; equal consecutive ones share a line.

        Returns:
          Lines such as `move_left x3 – you moved to grass.`
        """
        pairs = ((step.action, self._describe(step)) for step in steps)
        return [_line(*one, len(list(same))) for one, same in itertools.groupby(pairs)]

    def _describe(self, step: StepRecord) -> str:
        parts = list(self.sentences(step.events))
        if step.forced and step.action not in ("sleep", "rest", "noop"):
            parts.insert(0, self.words["rest" if step.resting else "asleep"])
        elif step.forced and not parts:
            parts = [self.words["resting" if step.resting else "sleeping"]]
        first, *others = parts or [self.words["nothing"]]
        others = [part[0].upper() + part[1:] for part in others]
        return ". ".join([first, *others]) + "."

    def sentences(self, events: Iterable[Event]) -> Iterator[str]:
        """Yields a sentence for each event of a step that adds information."""
        last = self.words["last"]
        events = sorted(events, key=lambda event: event["type"] in last)
        types = {event["type"] for event in events}
        for event in events:
            if not _is_repetition(event, types):
                yield self.sentence(event)

    def sentence(self, event: Event) -> str:
        """Returns an event as a sentence, without capital letter and full stop."""
        if event["type"] == "rejected":
            return self._rejection(event)
        template: str = self.words["events"][_template(event, self.words)]
        return template.format(**self.fields(event))

    def fields(self, event: Event) -> dict[str, Any]:
        """Returns the fields for an event's template."""
        words = self.words
        fields = {
            name: _READ[name](self, value) if name in _READ else value
            for name, value in event.items()
        }
        if "dx" in event:
            fields["where"] = where((event["dx"], event["dy"]), self.directions)
        if isinstance(event.get("by"), str):
            by = words.with_article(event["by"]).replace("a player", "you")
            fields |= {"by_the": by, "by_a": by}
        if "what" in event:
            fields["a_what"] = words.with_article(event["what"])
            fields["one_what"] = one(event["what"])
            fields["the_what"] = f"the {words.name(event['what'])}"
            fields["limit"] = self.limits.get(event["what"])
        if event["type"] == "hurt":
            fields["causes"] = listed([words.cause(by) for by in event["by"]])
        return fields

    def _direction(self, direction: str | None) -> str:
        words: dict[str, str] = self.words["directions"][self.directions]
        return words[direction] if direction else "nowhere"

    def _rejection(self, event: Event) -> str:
        missing: dict[str, int] = event["missing"]
        all_stations = self.words.stations
        stations = [name for name in missing if name in all_stations]
        items = {name: n for name, n in missing.items() if name not in all_stations}
        reach = self.words.reach
        template: str = self.words["rejected"][event["reason"]]
        text = template.format(
            action=event["action"],
            needs=self._needs(event["action"], items),
            stations=listed(list(map(self.words.name, stations)) or ["station"], "or"),
            reach="one cell" if reach == 1 else f"{reach} cells",
            missing=listed(list(items)),
            front=self.words.with_article(event.get("front", "it")),
        )
        if stations and items:
            text += f"; it also needs {self._needs(event['action'], items)}"
        return text

    def _needs(self, action: str, missing: Mapping[str, int]) -> str:
        """Returns the requirements of an action, with the amounts at hand."""
        uses = self.words.uses(action)
        parts = []
        for item, short in missing.items():
            if item in self.words.tools and item not in uses:
                parts.append(one(item))
            else:
                needed = uses.get(item, self.inventory.get(item, 0) + short)
                amount = self.words.amounts({item: needed})
                parts.append(f"{amount}, you have {needed - short}")
        return listed(parts or ["more"])


#: Event field -> how a reporter formats it.
_READ: dict[str, Callable[[Reporter, Any], Any]] = {
    **dict.fromkeys(("on", "onto", "kind", "name"), lambda r, name: r.words.name(name)),
    "against": lambda reporter, name: reporter.words.with_article(name),
    "direction": Reporter._direction,
    "change": lambda _, number: abs(number),
    "n": lambda _, number: number + 1,
}


def _line(action: str, text: str, count: int) -> str:
    times = f" x{count}" if count > 1 else ""
    if text.startswith(f"{action} failed"):
        return f"{action}{times}{text.removeprefix(action)}"
    return f"{action}{times} – {text}"


def _is_repetition(event: Event, types: set[str]) -> bool:
    """Returns whether another event of the same step already says this."""
    kind = event["type"]
    if kind == "vital":
        return event["to"] > event["frm"] and event["name"] != "energy"
    if kind in ("arrow_stopped", "projectile_stopped"):
        return (event["by"] == "player") == (kind == "arrow_stopped")
    return INTERFACE["said_by"].get(kind) in types


def _template(event: Event, words: Words) -> str:
    """Returns the most specific template for an event."""
    kind, what = event["type"], event.get("what", event.get("onto"))
    change = event.get("change", event.get("to", 0) - event.get("frm", 0))
    is_vain = event.get("gain") == 0 or event.get("spell", "") is None
    special = [f"{what}_none", "none"] if is_vain else []
    special += [f"in_{event.get('on')}", str(what), str(event.get("cause"))]
    special += ["own"] if event.get("by") == "player" else []
    special += ["up" if change > 0 else "down"]
    names, templates = (f"{kind}_{name}" for name in special), words["events"]
    return next((name for name in names if name in templates), kind)


# Notices for people.


class Notices:
    """Describes a step for a person, in the words that models read.

    Args:
      game: Name of the game.
      rules: The rules of the game.

    Attributes:
      words: The words of the game.
      needs: Action -> its requirements as text.
    """

    def __init__(self, game: str, rules: Any) -> None:
        text_game = games.find(game)
        self.words = text_game.words(rules)
        self._people = self.words["people"]
        where = "near" if self.words.reach == 1 else "within"
        self.needs = self.words.needs_where(self._people[where])
        self._perception = text_game.perception(self.words)
        self._writer = text_game.writer(self.words)

    def sentences(self, now: Any) -> list[str]:
        """Returns the notices of the step that produced a snapshot."""
        moment = self._perception.look(now)
        events = self._perception.events(moment)
        reporter = Reporter(self.words, moment.inventory, moment.limits)
        matters = (event for event in events if _matters(event, moment))
        left = {e["kind"]: e["left"] for e in now.events if e["type"] == "hit"}
        texts = (self._with_health(t, left) for t in reporter.sentences(matters))
        return [_sentence(text) for text in texts]

    def _with_health(self, text: str, left: Mapping[str, float]) -> str:
        """Appends the remaining health to a sentence about a hit."""
        for kind, health in left.items():
            if f" hit the {self.words.name(kind)}: " in text:
                most = self.words.creatures[kind]
                text = self._people["left"].format(text=text, left=health, most=most)
        return text

    def effects(self, now: Any) -> Iterator[tuple[Offset, str]]:
        """Yields effects of a step: offsets in view and short texts that rise there.

        The text is empty where something is hit.
        """
        moment = self._perception.look(now)
        reporter = Reporter(self.words, moment.inventory, moment.limits)
        for event in self._perception.events(moment):
            template = self.words["floats"].get(event["type"])
            if template is not None and event.get("gain") != 0:
                here = VECTORS[moment.facing] if template == "" else (0, 0)
                place = event.get("dx", here[0]), event.get("dy", here[1])
                text = template.format(**{"gain": 1, **reporter.fields(event)})
                yield place, text.replace("_", " ")

    def about(self, now: Any, offset: Offset) -> str:
        """Returns a sentence about a cell, as far as the player can know.

        Args:
          now: The snapshot.
          offset: Offset of the cell from the player: right, down.
        """
        moment = self._perception.look(now)
        name = name_at(offset, moment.rows, moment.things, self.words)
        return _sentence(self._people["unknown"].get(name) or self._writer.about(name))

    def ways(self, now: Any) -> tuple[set[Offset], set[Offset], set[Hashable]]:
        """Returns where the player could walk, as far as visible.

        Returns:
          Offsets that are safe to walk on, offsets that are blocked, and a key of each
          danger in view.
        """
        moment = self._perception.look(now)
        rows, things, words = moment.rows, moment.things, self.words
        names = {at: name_at(at, rows, things, words) for at, _ in rows.cells()}
        unsafe = {*DARK, OUTSIDE, *words.deadly}
        free = {at for at, name in names.items() if name in words.walkable}
        closed = {at for at, name in names.items() if name not in unsafe} - free
        near = {t.key for t in things if t.kind in words.dangers and t.key is not None}
        return free, closed, near

    def death(self, causes: Sequence[str]) -> str:
        """Returns the cause of death as a sentence."""
        names = [self.words.with_article(cause) for cause in dict.fromkeys(causes)]
        return _sentence(f"{listed(names)} killed you") if names else ""


def _matters(event: Event, moment: Moment) -> bool:
    if event["type"] == "vital":
        return bool(3 * event["to"] <= moment.limits[event["name"]] < 3 * event["frm"])
    return event["type"] in INTERFACE["people"]["events"] or event.get("gain") == 0


def _sentence(text: str) -> str:
    text = text.removeprefix("do failed: ").replace("_", " ")
    return f"{text[0].upper()}{text[1:]}."

"""Observation of an agent, in several formats.

`observation.schema.json` describes the JSON; Markdown and XML use the section names of
craftaxlm.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

import imageio.v3 as iio
import numpy as np

from crafter.core.clock import part
from crafter.lm.rendering import ascii_map, facts, text
from crafter.lm.rendering.facts import Offset, Rows, StepRecord, Style, Thing
from crafter.lm.rendering.messages import Reporter
from crafter.lm.rendering.text import belongings, surroundings
from crafter.lm.rendering.words import Words
from crafter.tasks.env.single import GoalState

_NAMELESS = frozenset([facts.OUTSIDE, facts.UNCLEAR])
FORMATS = ("text", "md", "xml", "json", "ascii")


@dataclasses.dataclass(frozen=True)
class Observation:
    """Observation of an agent at one moment, in several formats.

    Attributes:
      step: Steps taken in this game.
      step_limit: Maximum number of steps, or `None`.
      calls_left: Remaining calls, or `None` if unlimited.
      clock: Steps of the day-night clock.
      daylight: From 0 (darkest) to 1 (noon); `None` if not visible.
      facing: `left`, `right`, `up` or `down`.
      asleep: Whether the player is asleep.
      inventory: Item name -> amount.
      limits: Item name -> maximum.
      rows: Materials of the view from top to bottom, including `outside` and `unclear`.
          The player is at the centre.
      things: Objects in view, without the player.
      falling: Vitals that dropped in the last steps.
      steps: Records of the steps since the last observation.
      status: Game-specific status of the player: name -> JSON value.
      achievements: Achievements so far, in table order.
      done: Whether the game is over.
      reason: Why it is over; `None` until then.
      goal: State of the task, or `None`.
      notes: Notes of the interface: why a batch stopped, parse errors.
      memory: Map of what was seen earlier, or `None`.
      available: Actions that would have an effect now, or `None` if not requested.
      privileged: Information that players cannot see, or `None`.
      style: Rendering settings.
      words: Vocabulary of the game under its rules.
      picture: Draws the moment at a size (width, height), by default the usual one;
        or `None`.
    """

    step: int
    step_limit: int | None
    clock: int
    daylight: float | None
    facing: str
    asleep: bool
    inventory: Mapping[str, int]
    limits: Mapping[str, int]
    rows: Rows
    things: tuple[Thing, ...]
    words: Words = dataclasses.field(repr=False, compare=False)
    calls_left: int | None = None
    falling: tuple[str, ...] = ()
    steps: tuple[StepRecord, ...] = ()
    status: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    achievements: tuple[str, ...] = ()
    done: bool = False
    reason: str | None = None
    goal: GoalState | None = None
    notes: tuple[str, ...] = ()
    memory: str | None = None
    available: tuple[str, ...] | None = None
    privileged: dict[str, Any] | None = None
    style: Style = Style()
    picture: Callable[[tuple[int, int] | None], np.ndarray] | None = None

    # Derived properties.

    @property
    def middle(self) -> Offset:
        """Column and row of the player in the view."""
        return self.rows.middle

    @property
    def day(self) -> int:
        """Day number, from 1."""
        return self.clock // int(self.words.time["day"]) + 1

    @property
    def phase(self) -> str:
        """Name of the time of day."""
        return part(self.clock, self.words.time)

    @property
    def front(self) -> str:
        """What the player faces: an object, else the material."""
        return self.at(facts.VECTORS[self.facing])

    @property
    def on(self) -> str:
        """Material under the player."""
        return self.material((0, 0))

    @property
    def unlocked(self) -> tuple[str, ...]:
        """Achievements unlocked since the last observation."""
        return tuple(name for step in self.steps for name in step.unlocked)

    @property
    def reward(self) -> float:
        """Sum of rewards since the last observation."""
        return math.fsum(step.reward for step in self.steps)

    @property
    def open_ground(self) -> tuple[str, ...]:
        """Directions in which the player can walk safely."""
        ways, walkable = ("up", "right", "down", "left"), self.words.walkable
        return tuple(way for way in ways if self.at(facts.VECTORS[way]) in walkable)

    @property
    def here(self) -> tuple[str, ...]:
        """Names of items and projectiles on the player's cell."""
        return tuple(thing.name for thing in self.things if thing.offset == (0, 0))

    def material(self, offset: Offset) -> str:
        """Returns the material at an offset; `outside` also beyond the view."""
        return self.rows.at(offset) or facts.OUTSIDE

    def at(self, offset: Offset) -> str:
        """Returns the name of the object at an offset, else of the material."""
        return facts.name_at(offset, self.rows, self.things, self.words)

    def places(self) -> Iterator[tuple[str, Offset]]:
        """Yields the names and places of things in view, in walking order.

        Excludes the player, cells outside the map, unclear cells without anything of
        interest, and background materials.
        """
        rows, empty = self.rows, self.words.background | _NAMELESS
        names: dict[Offset, list[str]] = {}
        covered = {thing.offset for thing in self.things if not thing.flat}
        for thing in self.things:
            names.setdefault(thing.offset, []).append(thing.name)
        for offset in facts.walk(len(rows[0]), len(rows)):
            if offset in names:
                yield from ((name, offset) for name in names[offset])
            name = self.material(offset)
            if name not in empty and offset not in covered:
                yield name, offset

    def happened(self, directions: str) -> list[str]:
        """Returns what happened since the last observation, one line per action."""
        reporter = Reporter(self.words, self.inventory, self.limits, directions)
        return reporter.lines(self.steps)

    # Formats.

    def text(self, **style: Any) -> str:
        """Returns the observation as text; `style` overrides fields of `Style`."""
        return text.render(self, dataclasses.replace(self.style, **style))

    def json(self) -> dict[str, Any]:
        """Returns the observation as JSON data; see observation.schema.json."""
        return render_json(self)

    def ascii(self, **style: Any) -> str:
        """Returns the map as characters; `style` overrides fields of `Style`."""
        return ascii_map.render(self, dataclasses.replace(self.style, **style))

    def image(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Returns the picture, uint8 of shape (height, width, 3).

        Args:
          size: (width, height) in pixels; by default 64 pixels per cell, including the
              inventory.

        Raises:
          ValueError: If the game has moved on and the moment cannot be drawn any more.
        """
        if self.picture is None:
            raise ValueError("This observation was made without a game to draw.")
        return self.picture(size)

    def image_uri(self, size: tuple[int, int] | None = None) -> str:
        """Returns the picture as the data URI of a PNG file."""
        png = iio.imwrite("<bytes>", self.image(size), extension=".png")
        return "data:image/png;base64," + base64.b64encode(png).decode()

    def render(self, format: str = "text") -> str:
        """Returns the observation in a format, or several joined by `+`.

        Args:
          format: `text`, `md`, `xml`, `json`, `ascii`, or for example `text+ascii`.

        Raises:
          ValueError: If the format is unknown.
        """
        makers: dict[str, Callable[[], str]] = {
            "text": self.text,
            "md": lambda: render_md(self, self.style),
            "xml": lambda: render_xml(self, self.style),
            "json": lambda: json.dumps(self.json(), separators=(",", ":")),
            "ascii": self.ascii,
        }
        return "\n\n".join(makers[part]() for part in split_format(format))


def split_format(format: str) -> list[str]:
    """Returns the parts of a format such as `text+ascii`.

    Raises:
      ValueError: If a part is unknown.
    """
    parts = format.split("+")
    unknown = [part for part in parts if part not in FORMATS]
    if unknown:
        raise ValueError(
            f"Unknown format {format!r}; valid: {list(FORMATS)} and combinations such "
            "as 'text+ascii'."
        )
    return parts


# JSON.

VERSION = 1
_THING = ("kind", "dx", "dy", "facing", "ripe")
_GOAL = ("text", "progress", "steps_left", "verdict", "why")


def render_json(obs: Observation) -> dict[str, Any]:
    """Returns the observation as JSON data."""
    vitals = obs.words.vitals
    form: dict[str, Any] = {
        "schema": VERSION,
        "step": obs.step,
        "step_limit": obs.step_limit,
        "calls_left": obs.calls_left,
        "clock": obs.clock,
        "day": obs.day,
        "phase": obs.phase,
        "light": None if obs.daylight is None else round(obs.daylight, 2),
        "player": {
            "facing": obs.facing,
            "on": obs.on,
            "front": _front(obs),
            "asleep": obs.asleep,
        },
        "vitals": {
            **{name: obs.inventory[name] for name in vitals},
            "max": max(obs.limits[name] for name in vitals),
        },
        "inventory": {
            name: n for name, n in obs.inventory.items() if n and name not in vitals
        },
        "view": _view(obs),
        "objects": [_without_none(vars(thing), _THING) for thing in obs.things],
        "events": [event for step in obs.steps for event in step.events],
        "achievements": list(obs.achievements),
        "new": list(obs.unlocked),
        "free": list(obs.open_ground),
        "done": obs.done,
        "reward": round(obs.reward, 6),
    }
    goal = obs.goal and {**vars(obs.goal), "progress": round(obs.goal.progress, 4)}
    optional = {
        "available": list(obs.available or ()),
        "reason": obs.reason,
        "goal": goal and _without_none(goal, _GOAL),
        "notes": list(obs.notes),
        "memory": obs.memory,
        "privileged": obs.privileged,
    }
    extras = {name: value for name, value in optional.items() if value}
    return form | copy.deepcopy(dict(obs.status)) | extras


def _view(obs: Observation) -> dict[str, Any]:
    names = sorted({name for row in obs.rows for name in row})
    table = obs.words.glyphs()
    return {
        "width": len(obs.rows[0]),
        "height": len(obs.rows),
        "rows": ["".join(table[name] for name in row) for row in obs.rows],
        "legend": {table[name]: name for name in names},
    }


def _front(obs: Observation) -> dict[str, Any]:
    ahead = next((t for t in obs.things if t.name == obs.front), None)
    if ahead is not None and ahead.ripe is not None:
        return {"kind": ahead.kind, "ripe": ahead.ripe}
    return {"kind": obs.front}


def _without_none(fields: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Returns the named fields that have a value."""
    return {name: fields[name] for name in names if fields[name] is not None}


# Markdown and XML.


def sections(obs: Observation, style: Style, compact: bool = False) -> dict[str, Any]:
    """Returns nested sections: map, inventory, player, environment and more.

    Args:
      obs: The observation.
      style: Rendering settings; verbosity 2 shows items with amount 0.
      compact: Whether to draw the map as characters instead of listing its contents.
    """
    vitals = obs.words.vitals
    shown = {*obs.words["status"], "resting"}
    seen = obs.daylight is not None
    light = {"light_level": f"{obs.daylight:.2f}"} if seen else {}
    content: dict[str, Any] = {
        "map": _map(obs, style, compact),
        "inventory": belongings(obs, style.verbosity == 2),
        "player": {
            **{name: f"{obs.inventory[name]}/{obs.limits[name]}" for name in vitals},
            "direction_facing": obs.facing,
        },
        "environment": {
            **light,
            "is_sleeping": obs.asleep,
            "step": obs.step,
            "day": f"{obs.day}, {obs.phase}",
        },
    }
    if obs.calls_left is not None:
        content["environment"]["calls_left"] = obs.calls_left
    content["environment"] |= {
        n: v for n, v in obs.status.items() if n in shown and (v or v is False)
    }
    last = [*obs.happened(style.directions), *obs.notes]
    if obs.done:
        last.append(f"The game is over: {obs.words.ending(obs.reason)}.")
    if last:
        content["last_actions"] = last
    content["achievements"] = list(obs.achievements)
    if obs.goal is not None:
        goal = obs.goal
        content["goal"] = {
            "instruction": goal.text,
            "progress": f"{100 * goal.progress:.0f} %",
            "steps_left": goal.steps_left,
            **({"done": True} if goal.verdict == "DONE" else {}),
            **({"failed": goal.why} if goal.why else {}),
        }
    return content


def _map(obs: Observation, style: Style, compact: bool) -> Any:
    if compact:
        return ascii_map.render(obs, style).split("\n")
    return {
        "terrain_underneath_you": obs.on,
        "surroundings": [f"{name}: {text}" for name, text in surroundings(obs, style)],
        "object_you_are_facing": obs.front,
    }


def render_md(obs: Observation, style: Style, compact: bool = False) -> str:
    """Returns the observation as headings with bullet lists."""
    parts, tools = [], [n for group in obs.words.groups.values() for n in group]
    for name, content in sections(obs, style, compact).items():
        body = (
            "\n".join(["```", *content, "```"])
            if compact and name == "map"
            else _md(content, 0, tools)
        )
        parts.append(f"## {_title(name, tools)}\n{body}")
    return "\n\n".join(parts)


def _md(content: Any, depth: int, tools: Collection[str]) -> str:
    pad = "  " * depth
    if not content:
        return f"{pad}- none"
    if isinstance(content, Mapping):
        return "\n".join(
            f"{pad}- {_title(name, tools)}:\n{_md(value, depth + 1, tools)}"
            if isinstance(value, (Mapping, list))
            else f"{pad}- {_title(name, tools)}: {value}"
            for name, value in content.items()
        )
    return "\n".join(f"{pad}- {value}" for value in content)


def _title(name: str, tools: Collection[str]) -> str:
    return name if name in tools else name.replace("_", " ").capitalize()


def render_xml(obs: Observation, style: Style, compact: bool = False) -> str:
    """Returns the observation as nested tags; well-formed, with root `observation`."""
    return _xml("observation", sections(obs, style, compact))


def _xml(tag: str, content: Any) -> str:
    tag = re.sub(r"\W", "_", tag)
    if isinstance(content, Mapping):
        inside = "\n".join(_xml(name, value) for name, value in content.items())
        return f"<{tag}>\n{inside}\n</{tag}>" if inside else f"<{tag}></{tag}>"
    if isinstance(content, list):
        inside = escape("\n".join(map(str, content)))
        return f"<{tag}>\n{inside}\n</{tag}>" if inside else f"<{tag}></{tag}>"
    return f"<{tag}>{escape(str(content))}</{tag}>"

"""Observations as Markdown or XML, with the section names of craftaxlm."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from crafter.lm.rendering import ascii_map
from crafter.lm.rendering.facts import Style
from crafter.lm.rendering.text import belongings, surroundings

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation


def sections(obs: Observation, style: Style, compact: bool = False) -> dict[str, Any]:
    """Returns nested sections: map, inventory, player, environment and more.

    Args:
      obs: The observation.
      style: How to tell it; verbosity 2 shows items of which there are none.
      compact: Draw the map with characters instead of listing what is in view.
    """
    vitals = obs.words.vitals
    shown = {*obs.words["status"], "resting"}
    seen = obs.daylight is not None
    light = {"light_level": f"{obs.daylight:.2f}"} if seen else {}
    told: dict[str, Any] = {
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
        told["environment"]["calls_left"] = obs.calls_left
    told["environment"] |= {
        n: v for n, v in obs.status.items() if n in shown and (v or v is False)
    }
    last = [*obs.happened(style.directions), *obs.notes]
    if obs.done:
        last.append(f"The game is over: {obs.words.ending(obs.reason)}.")
    if last:
        told["last_actions"] = last
    told["achievements"] = list(obs.achievements)
    if obs.goal is not None:
        goal = obs.goal
        told["goal"] = {
            "instruction": goal.text,
            "progress": f"{100 * goal.progress:.0f} %",
            "steps_left": goal.steps_left,
            **({"done": True} if goal.verdict == "DONE" else {}),
            **({"failed": goal.why} if goal.why else {}),
        }
    return told


def _map(obs: Observation, style: Style, compact: bool) -> Any:
    if compact:
        return ascii_map.render(obs, style).split("\n")
    return {
        "terrain_underneath_you": obs.on,
        "surroundings": [f"{name}: {told}" for name, told in surroundings(obs, style)],
        "object_you_are_facing": obs.front,
    }


def render_md(obs: Observation, style: Style, compact: bool = False) -> str:
    """Returns headings with bullet lists."""
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
    """Returns nested tags; well-formed, with one root `observation`."""
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

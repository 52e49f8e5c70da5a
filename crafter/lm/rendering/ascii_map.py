"""ASCII map of the view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from crafter.lm.rendering.facts import Style, Thing

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation


def render(obs: Observation, style: Style) -> str:
    """Returns the map, and below it the facing of a sleeper and the legend."""
    table = obs.words.glyphs(style.glyphs)
    names = [list(row) for row in obs.rows]
    columns, rows = obs.middle
    for thing in reversed(obs.things):  # of several the first
        names[rows + thing.dy][columns + thing.dx] = _name(thing)
    me = "asleep" if obs.asleep and "asleep" in table else f"player {obs.facing}"
    names[rows][columns] = me
    lines = ["".join(table.get(name, "?") for name in row) for row in names]
    if obs.asleep:
        lines.append(f"(asleep, facing {obs.facing})")
    if style.legend:
        lines.append(legend((name for row in names for name in row), table))
    return "\n".join(lines)


def _name(thing: Thing) -> str:
    return f"{thing.kind} {thing.facing}" if thing.facing else thing.name


def legend(names: Iterable[str], table: Mapping[str, str]) -> str:
    """Returns the characters of the names that occur, in the order of the table."""
    present = set(names)
    told = [f"{char} {name}" for name, char in table.items() if name in present]
    return "Legend: " + ", ".join(told)

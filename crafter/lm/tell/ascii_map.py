"""The view as a small map of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crafter import constants
from crafter.lm.tell.facts import Style, Thing
from crafter.lm.tell.words import WORDS

if TYPE_CHECKING:
    from crafter.lm.tell.observation import Observation

_MATERIALS = {name: char for char, name in constants.symbols["materials"].items()}
_OBJECTS = {kind: char for char, (kind, _) in constants.symbols["objects"].items()}


def glyphs(name: str = "crafter") -> dict[str, str]:
    """Returns a set of map characters.

    Args:
      name: `crafter` (the symbols of hand-made maps and more) or `craftaxlm`.

    Returns:
      Name -> character; directions are written `arrow left` and `player left`.

    Example:
      >>> glyphs()["tree"], glyphs()["player up"], glyphs("craftaxlm")["cow"]
      ('T', '^', 'c')
    """
    table = dict(WORDS["glyphs"][name])
    if name == "crafter":
        table = {**_MATERIALS, **_OBJECTS, **table}
    for kind in ("player", "arrow"):
        for direction, char in table.pop(kind).items():
            table[f"{kind} {direction}"] = char
    return table


_GLYPHS = {name: glyphs(name) for name in WORDS["glyphs"]}


def render(obs: Observation, style: Style) -> str:
    """Returns the map, and below it the facing of a sleeper and the legend."""
    table = _GLYPHS[style.glyphs]
    names = [list(row) for row in obs.rows]
    columns, rows = obs.middle
    for thing in obs.things:
        names[rows + thing.dy][columns + thing.dx] = _name(thing)
    me = "asleep" if obs.asleep and "asleep" in table else f"player {obs.facing}"
    names[rows][columns] = me
    lines = ["".join(table.get(name, "?") for name in row) for row in names]
    if obs.asleep:
        lines.append(f"(asleep, facing {obs.facing})")
    if style.legend:
        lines.append(legend([name for row in names for name in row], table))
    return "\n".join(lines)


def _name(thing: Thing) -> str:
    return f"{thing.kind} {thing.facing}" if thing.facing else thing.name


def legend(names: list[str], table: dict[str, str]) -> str:
    """Returns the characters of the names that occur, in the order of the table."""
    present = set(names)
    told = [f"{char} {name}" for name, char in table.items() if name in present]
    return "Legend: " + ", ".join(told)

"""Maps as characters: of the view, and of everything seen so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from crafter.core.grid import shift
from crafter.lm.rendering import facts
from crafter.lm.rendering.facts import Event, Offset, Style

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation
    from crafter.lm.rendering.perception import Moment

SIZE = 40  # maximum width and height of the drawn map, in cells
_UNKNOWN = frozenset([facts.OUTSIDE, facts.UNCLEAR, facts.DARKNESS])
REGION = 10  # size of the regions whose age is given


def render(obs: Observation, style: Style) -> str:
    """Returns the map, with the facing of a sleeping player and the legend below."""
    table = obs.words.glyphs(style.glyphs)
    names = [list(row) for row in obs.rows]
    columns, rows = obs.middle
    for thing in reversed(obs.things):  # of several in one cell, the first is shown
        name = f"{thing.kind} {thing.facing}" if thing.facing else thing.name
        names[rows + thing.dy][columns + thing.dx] = name
    me = "asleep" if obs.asleep and "asleep" in table else f"player {obs.facing}"
    names[rows][columns] = me
    lines = ["".join(table.get(name, "?") for name in row) for row in names]
    if obs.asleep:
        lines.append(f"(asleep, facing {obs.facing})")
    if style.legend:
        present = {name for row in names for name in row}
        legend = [f"{char} {name}" for name, char in table.items() if name in present]
        lines.append(f"Legend: {', '.join(legend)}")
    return "\n".join(lines)


class Track:
    """Tracks the player's position, and what is known of each floor.

    Positions are relative to the start; on other floors, to the point of arrival.

    Attributes:
      position: Position of the player.
      cells: Position -> what is known of it, on the current floor.
    """

    def __init__(self) -> None:
        self.position: Offset = (0, 0)
        self.cells: dict[Offset, Any] = {}
        self._others: dict[int, tuple[Offset, dict[Offset, Any]]] = {}

    def follow(self, events: Iterable[Event]) -> None:
        """Updates the position from the player's moves."""
        for event in events:
            if event["type"] == "moved":
                self.position = shift(self.position, facts.VECTORS[event["direction"]])
            elif event["type"] == "entered":
                # Ladders lead back to where the player left the floor.
                self._others[event["frm"]] = self.position, self.cells
                unknown: tuple[Offset, dict] = ((0, 0), {})
                self.position, self.cells = self._others.get(event["floor"], unknown)


class MemoryMap(Track):
    """Map of materials, plants and items on the ground seen so far.

    Each position has a name and the step at which it was last seen.
    """

    def look(self, now: Moment) -> None:
        """Records what is in view; call it after `follow`."""
        kept = (t for t in now.things if t.ripe is not None or t.flat)
        seen = [*now.rows.cells(), *((thing.offset, thing.name) for thing in kept)]
        for offset, name in seen:
            if name not in _UNKNOWN:
                self.cells[shift(self.position, offset)] = name, now.snapshot.step

    def draw(self, step: int, facing: str, glyphs: Mapping[str, str]) -> str:
        """Returns the map around the player, with the age of each region.

        Args:
          step: Current step.
          facing: Direction of the player.
          glyphs: Name -> character.
        """
        drawn = {cell: glyphs[name] for cell, (name, _) in self.cells.items()}
        drawn[self.position] = glyphs[f"player {facing}"]
        left, right = self._range(0)
        top, bottom = self._range(1)
        rows = (
            "".join(drawn.get((x, y), " ") for x in range(left, right))
            for y in range(top, bottom)
        )
        lefts, tops = range(left, right, REGION), range(top, bottom, REGION)
        ages = ([self._age(x, y, step) for x in lefts] for y in tops)
        return "\n".join(
            [
                "Map of what you have seen (blank: never seen; creatures not drawn):",
                *(row.rstrip() for row in rows),
                f"Steps since each region of {REGION} x {REGION} cells was seen:",
                *(" ".join(f"{age:>5}" for age in row) for row in ages),
            ]
        )

    def _range(self, axis: int) -> tuple[int, int]:
        """Returns the range of drawn cells along an axis, end exclusive."""
        seen = [cell[axis] for cell in self.cells] + [self.position[axis]]
        low, high = min(seen), max(seen) + 1
        here = self.position[axis]
        if high - low > SIZE:
            low = max(low, min(here - SIZE // 2, high - SIZE))
            high = low + SIZE
        return low, high

    def _age(self, left: int, top: int, step: int) -> str:
        seen = [
            at
            for (x, y), (_, at) in self.cells.items()
            if left <= x < left + REGION and top <= y < top + REGION
        ]
        return str(step - max(seen)) if seen else "-"

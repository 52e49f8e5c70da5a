"""Actions and consumption of reference solutions."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crafter.core.grid import Cell
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks.conditions import CLASSES
from crafter.tasks.scoring.references import Reference
from crafter.tasks.world.records import StepRecord

#: Events in which the player changes the world, its inventory or itself.
EFFECTS = ("collected", "placed", "made", "ate", "hit", "defeated", "fell_asleep")


class Undone(NamedTuple):
    """A block that the player placed and removed.

    Attributes:
      what: The block.
      on: The material that was there before.
      placed: The step in which it was placed.
      taken: The step in which it was taken away.
    """

    what: str
    on: str
    placed: int
    taken: int


def reference_of(records: Sequence[StepRecord], rules: Rules) -> Reference:
    """Returns the reference of the records of a solution.

    Args:
      records: Of all steps.
      rules: The rules of the game.
    """
    effects = collections.Counter(
        effect for record in records for effect in effects_in(record)
    )
    del effects["fell_asleep"]  # nobody has to sleep when another one did
    blocks = collections.Counter(
        {what: effects[f"placed {what}"] for what in rules.place}
    )
    blocks.subtract(block.what for block in undone(records))
    crafted = {what: effects[f"made {what}"] for what in rules.make}
    spent: collections.Counter[str] = collections.Counter()
    for table, counts in ((rules.place, +blocks), (rules.make, crafted)):
        for what, count in counts.items():
            for item, amount in table[what]["uses"].items():
                spent[item] += amount * count
    tools = tuple(what for what, n in crafted.items() if n and what.endswith(CLASSES))
    return Reference(len(records), +spent, +blocks, tools, effects)


def effects_in(record: StepRecord) -> list[str]:
    """Returns what the player did in a step, such as `placed table`."""
    return [
        " ".join([e["type"], *(e[key] for key in ("what", "kind") if key in e)])
        for e in record.events
        if e["type"] in EFFECTS
    ]


def undone(records: Iterable[StepRecord]) -> list[Undone]:
    """Returns the blocks that the player placed and removed, in order."""
    standing: dict[Cell, tuple[str, str, int]] = {}
    blocks = []
    for record in records:
        for event in record.events:
            if event["type"] == "placed" and event["what"] != "plant":
                standing[event["at"]] = event["what"], event["on"], record.t
            elif event["type"] == "station_lost":
                standing.pop(event["at"], None)
            elif event["type"] == "collected" and event["at"] in standing:
                blocks.append(Undone(*standing.pop(event["at"]), record.t))
    return blocks

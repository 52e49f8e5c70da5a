"""References: what solutions of a scene do and spend."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from crafter.games.crafter.rules import Rules
from crafter.tasks.conditions import CLASSES
from crafter.tasks.records import StepRecord

Cell = tuple[int, int]

#: Events in which the player changes the world or what it has -> what they change.
DEEDS = {
    "collected": "what",
    "placed": "what",
    "made": "what",
    "ate": "what",
    "hit": "kind",
    "defeated": "kind",
}
#: Ground on which a block that is taken away again has served as a stepping stone.
_BRIDGED = ("water", "lava")


@dataclasses.dataclass(frozen=True)
class Reference:
    """A solution of a scene.

    Attributes:
      steps: How many steps it takes.
      spent: Item -> how much of it is used up, what is taken back left out.
      blocks: What is placed and stays -> how often.
      tools: The tools that are made.
      deeds: Deed -> how often.
    """

    steps: int
    spent: Mapping[str, int]
    blocks: Mapping[str, int]
    tools: tuple[str, ...]
    deeds: Mapping[str, int]


def reference_of(records: Sequence[StepRecord], rules: Rules) -> Reference:
    """Returns the reference that the records of a solution give.

    Args:
      records: Of all steps.
      rules: The rules of the game.
    """
    deeds: collections.Counter[str] = collections.Counter()
    for record in records:
        deeds.update(deeds_in(record))
    blocks = collections.Counter(
        {what: deeds[f"placed {what}"] for what in rules.place}
    )
    for _, what in regained(records).values():
        blocks[what] -= 1
    made = {what: deeds[f"made {what}"] for what in rules.make}
    spent: collections.Counter[str] = collections.Counter()
    for table, counts in ((rules.place, +blocks), (rules.make, made)):
        for what, count in counts.items():
            for item, amount in table[what]["uses"].items():
                spent[item] += amount * count
    tools = tuple(what for what, n in made.items() if n and what.endswith(CLASSES))
    return Reference(len(records), +spent, +blocks, tools, deeds)


def deeds_in(record: StepRecord) -> list[str]:
    """Returns what the player does to the world in a step, such as `placed table`."""
    return [
        f"{event['type']} {event[DEEDS[event['type']]]}"
        for event in record.events
        if event["type"] in DEEDS
    ]


def regained(records: Iterable[StepRecord]) -> dict[int, tuple[int, str]]:
    """Returns the own blocks that are taken away again.

    Returns:
      Step of the taking -> step of the placing, and the block.
    """
    standing: dict[Cell, tuple[int, str]] = {}
    found = {}
    for record in records:
        for event in record.events:
            if event["type"] == "placed" and event["what"] != "plant":
                standing[event["at"]] = record.t, event["what"]
            elif event["type"] == "station_lost":
                standing.pop(event["at"], None)
            elif event["type"] == "collected" and event["at"] in standing:
                found[record.t] = standing.pop(event["at"])
    return found


def undone(records: Sequence[StepRecord]) -> dict[int, tuple[int, bool]]:
    """Returns the blocks that are put down and taken away again to no effect.

    A stepping stone in water or lava leaves a path, which is an effect. A block on
    other ground leaves one, too, but only a road is made in this way.

    Returns:
      Step of the taking -> step of the placing, and whether it leaves a new path.
    """
    ground = {}
    for record in records:
        for event in record.events:
            if event["type"] == "placed":
                ground[record.t] = event["on"]
    return {
        taken: (placed, ground[placed] != "path")
        for taken, (placed, _) in regained(records).items()
        if ground[placed] not in _BRIDGED
    }

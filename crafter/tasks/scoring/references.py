"""References: what the solutions of scenes do and spend."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from crafter.core.grid import Cell
from crafter.games.crafter.rules import Rules
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes.play import Playback, attempted
from crafter.tasks.episodes.solutions import Solutions, unpack
from crafter.tasks.scenes import Scene
from crafter.tasks.world.conditions import CLASSES
from crafter.tasks.world.records import Attempt, StepRecord

#: Events in which the player changes the world, what it has, or itself.
DEEDS = ("collected", "placed", "made", "ate", "hit", "defeated", "fell_asleep")


class Undone(NamedTuple):
    """A block of the player's that it took away again.

    Attributes:
      what: The block.
      on: What was there before.
      placed: The step in which it was placed.
      taken: The step in which it was taken away.
    """

    what: str
    on: str
    placed: int
    taken: int


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
    deeds = collections.Counter(deed for record in records for deed in deeds_in(record))
    del deeds["fell_asleep"]  # nobody has to sleep when another one did
    blocks = collections.Counter(
        {what: deeds[f"placed {what}"] for what in rules.place}
    )
    blocks.subtract(block.what for block in undone(records))
    made = {what: deeds[f"made {what}"] for what in rules.make}
    spent: collections.Counter[str] = collections.Counter()
    for table, counts in ((rules.place, +blocks), (rules.make, made)):
        for what, count in counts.items():
            for item, amount in table[what]["uses"].items():
                spent[item] += amount * count
    tools = tuple(what for what, n in made.items() if n and what.endswith(CLASSES))
    return Reference(len(records), +spent, +blocks, tools, deeds)


def deeds_in(record: StepRecord) -> list[str]:
    """Returns what the player does in a step, such as `placed table`."""
    return [
        " ".join([e["type"], *(e[key] for key in ("what", "kind") if key in e)])
        for e in record.events
        if e["type"] in DEEDS
    ]


def undone(records: Iterable[StepRecord]) -> list[Undone]:
    """Returns the blocks that the player placed and took away again, in order."""
    standing: dict[Cell, tuple[str, str, int]] = {}
    found = []
    for record in records:
        for event in record.events:
            if event["type"] == "placed" and event["what"] != "plant":
                standing[event["at"]] = event["what"], event["on"], record.t
            elif event["type"] == "station_lost":
                standing.pop(event["at"], None)
            elif event["type"] == "collected" and event["at"] in standing:
                found.append(Undone(*standing.pop(event["at"]), record.t))
    return found


def reference_at(task: Task, scene: Scene, solutions: Solutions) -> Reference | None:
    """Returns the reference of a scene, or `None` if there is no certificate."""
    proof = solutions.certificate(task, scene)
    if proof is None:
        return None
    steps = played(task, scene, unpack(proof["actions"])).steps
    return reference_of(steps, task.rules)


def played(task: Task, scene: Scene, actions: Sequence[int]) -> Attempt:
    """Returns the attempt that actions make, up to its end.

    It is played with pictures, as certificates are: at night they draw random numbers.

    Args:
      task: The task.
      scene: Where it begins.
      actions: By index.
    """
    _, env = attempted(task, scene, lambda env: Playback(actions), record=True)
    footer = env.attempt.footer()
    return Attempt(env.header("reference"), env.attempt.records, footer, False, ())

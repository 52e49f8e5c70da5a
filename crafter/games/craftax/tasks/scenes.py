"""Scenes of Craftax: initial states on any floor, as options of `Env.reset`.

A scene is a function of the versions, the task, the difficulty, the split and the
index. No world is in two splits.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from crafter.core.grid import Cell, cells_of, mask_of
from crafter.core.regions import FAR, waves
from crafter.core.schema import Count
from crafter.games.craftax.env import Env
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.start import OptionsError
from crafter.games.craftax.tables import load
from crafter.games.craftax.tasks.language import costs, materials, most
from crafter.games.craftax.tasks.view import TaskView, check_parameters
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.amounts import (
    amount_of,
    amount_schema,
    range_schema,
    ranged,
)
from crafter.tasks.catalogue.files import record, sequence_of
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.scenes import SceneError
from crafter.tasks.scenes.random import Draws, wording

#: Raised when generated scenes change.
VERSION = 1
#: Number of world seeds per split.
_WORLDS = 2**27
#: Reason of a rejection -> description.
PROBLEMS = {
    "target_missing": "something needed does not exist on the floor",
    "target_far": "no start is at the distance of the level from what is needed",
    "spawn_blocked": "there is no room for the player or a creature",
    "goal_true": "the goal is done after a step of waiting",
    "goal_failed": "the goal has failed after a step of waiting",
}


@dataclasses.dataclass(frozen=True)
class Scene(scenes.Scene):
    """Initial state of an episode.

    Attributes:
      world_seed: Seed of the generated world and of the game in it.
      floor: Name of the floor.
      clock: Step of the day at the start.
      inventory: Name -> initial amount, including vitals and attributes.
      spells: Spells that the player knows.
      position: Its cell (row, column); `None` for that of the game.
      facing: Its direction.
      creatures: Species and cell of creatures to add.
    """

    game = "craftax"
    world_seed: Count
    floor: str
    clock: Count = 0
    inventory: Mapping[str, int] = dataclasses.field(default_factory=dict)
    spells: tuple[str, ...] = ()
    position: tuple[int, int] | None = None
    facing: str = "up"
    creatures: tuple[tuple[str, tuple[int, int]], ...] = ()

    def check_env(self, env: Any) -> None:
        """Raises ValueError if an environment has not the usual parameters."""
        check_parameters(env)

    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `Env.reset` gets: `seed` and `options`."""
        options = {
            "floor": self.floor,
            "daytime": self.clock,
            "inventory": self.inventory,
            "spells": self.spells,
            "facing": self.facing,
            "creatures": self.creatures,
        }
        if self.position is not None:
            options["position"] = self.position
        return {"seed": self.world_seed, "options": options}

    def picture(self, view: Any, cell: int) -> np.ndarray:
        """Returns what the player sees as the scene begins, in full light."""
        env = Env()
        start = self.reset_arguments()
        start["options"]["daytime"] = "noon"
        env.reset(**start)
        assert env.player is not None
        env.player.floor.light[:] = 1
        columns, rows = env.cells
        return env.frame((2 * cell * columns, 2 * cell * rows))


# Scenes in task files.


@functools.lru_cache(maxsize=8)
def schema(rules: Rules) -> tuple[Any, Mapping[str, Any]]:
    """Returns the schemas of `needs` and `scene` in task files."""
    tables, species = load(rules), tuple(load(rules).species_ids)
    items = {name: amount_schema(n) for name, n in most(rules).items()}
    vitals = dict.fromkeys(("each", *tables.maxima), range_schema())
    mob = {"kind": Literal[species], "n": range_schema(), "ring": range_schema()}
    spell: Any = Literal[tuple(tables.spells)]
    return Literal[materials(rules)], {
        "floor": Literal[tables.floor_names],
        "inventory": record((), **items),
        "vitals": record((), **vitals),
        "spells": sequence_of(spell),
        "clock": range_schema(0, tables.data["parameters"]["day_length"] - 1),
        "distance": range_schema(),
        "mobs": sequence_of(record(("kind",), **mob)),
        "threat": range_schema(),
        "wording": Literal["main", "train", "test"],
    }


def _set(task: Task, name: str) -> Any:
    """Returns a scene setting of a task, or else of its level."""
    table = task.game.read("levels.yaml")
    axis = table["parts"].get(name)
    level = task.axes.base if axis is None else task.axes.levels[axis]
    own = task.scene_of(level).get(name)
    usual = table["axes"][axis][level].get(name) if axis else None
    if isinstance(usual, Mapping):
        return {**usual, **(own or {})}
    return usual if own is None else own


# Generation.


def check(task: Task, area: Cell | None = None) -> None:
    """Validates that a task can have scenes.

    Raises:
      ValueError: If the floors have another size, or the rules lack what it gives.
    """
    size = task.rules.parameters["map_size"]
    if area is not None and tuple(area) != (size, size):
        raise ValueError(f"Scenes need floors of {size} x {size} cells, got {area}.")
    _inventory(task, Draws(""))


def _inventory(task: Task, draws: Draws) -> dict[str, int]:
    """Returns the initial inventory, by the names of `Env.reset`."""
    given, limits = _set(task, "inventory") or {}, most(task.rules)
    unknown = [name for name in given if name not in limits]
    if unknown:
        raise SceneError(
            f"{task.name} begins with unknown {unknown}; valid: {[*limits]}."
        )
    cost = functools.partial(costs, rules=task.rules)
    owned = {n: amount_of(value, n, limits[n], cost) for n, value in given.items()}
    tables = load(task.rules)
    attributes = {**tables.data["player"], **owned}
    vitals = _set(task, "vitals")
    for name, row in tables.maxima.items():
        low, high = ranged(vitals.get(name, vitals.get("each", row.of(attributes))))
        owned[name] = min(draws.whole(name, low, high), row.of(attributes))
    return owned


def attempt(
    task: Task, split: str, index: int, area: Cell | None, draws: Draws
) -> Scene | str:
    """Returns a scene, or the reason why there is none in the sampled world."""
    tables, splits = load(task.rules), list(files.settings()["splits"])
    seed = draws.whole("seed", 0, _WORLDS - 1) * len(splits) + splits.index(split)
    scene = Scene(
        task.name,
        task.difficulty,
        split,
        index,
        seed,
        _set(task, "floor") or tables.floor_names[0],
        wording=wording(task, _set(task, "wording"), draws),
        clock=draws.whole("clock", *ranged(_set(task, "clock"))),
        inventory=_inventory(task, draws),
        spells=tuple(_set(task, "spells") or ()),
        facing=draws.one("facing", tables.direction_names),
    )
    env = _env(task.rules)
    env.reset(**scene.reset_arguments())
    position = _position(task, TaskView(env), draws)
    if isinstance(position, str):
        return position
    scene = dataclasses.replace(scene, position=position)
    mobs = _creatures(task, env, position, draws)
    if mobs is None:
        return "spawn_blocked"
    scene = dataclasses.replace(scene, creatures=mobs)
    return _problem(task, env, scene) or scene


@functools.lru_cache(maxsize=4)
def _env(rules: Rules) -> Env:
    return Env("semantic", rules=rules, events=True)


def _position(task: Task, view: TaskView, draws: Draws) -> Cell | str:
    """Returns the start cell, or the reason why there is none."""
    needs = () if task.spec is None else task.spec.needs
    everywhere = slice(None), slice(None)
    masks = [view.where(need, everywhere) for need in needs]
    if not all(mask.any() for mask in masks):
        return "target_missing"
    if not masks:
        return view.player.pos
    cost = view.crossing()
    ways = [waves(cost, mask) for mask in masks]
    rarest = min(range(len(masks)), key=lambda n: int(masks[n].sum()))
    low, high = ranged(_set(task, "distance"))
    good = (cost == 1) & (ways[rarest] >= low) & (ways[rarest] <= high)
    cells = cells_of(good & (np.max(ways, 0) < FAR))
    return draws.one("position", cells) if cells else "target_far"


def _creatures(
    task: Task, env: Env, here: Cell, draws: Draws
) -> tuple[tuple[str, Cell], ...] | None:
    """Returns the creatures to add, or `None` if there is no room for one."""
    tables, view = env.tables, TaskView(env)
    floor, threats = view.body.floor, ranged(_set(task, "threat"))
    threat = draws.whole("threat", *threats)
    melee = task.rules.floors[view.floor]["melee"]
    wanted = list(_set(task, "mobs") or ())
    wanted += [{"kind": melee, "n": threat, "ring": [5, 9]}] if threat else []
    added: list[tuple[str, Cell]] = []
    near = waves(view.crossing(), mask_of(floor.block_map.shape, [here]))
    for number, entry in enumerate(wanted):
        kind, own = tables.species_ids[entry["kind"]]
        barred = tables.species[kind][own].barred
        low, high = ranged(entry.get("ring", [3, 8]))
        cells = [
            cell
            for cell in cells_of((near >= low) & (near <= high))
            if floor.is_open(*cell, barred)
        ]
        count = draws.whole(f"mob{number}", *ranged(entry.get("n", 1)))
        taken = {cell for _, cell in added}
        cells = [x for x in draws.shuffled(f"mobs{number}", cells) if x not in taken]
        if len(cells) < count:
            return None
        added += [(entry["kind"], cell) for cell in cells[:count]]
    return tuple(added)


def _problem(task: Task, env: Env, scene: Scene) -> str | None:
    """Returns why a scene is rejected after one idle step, or `None`."""
    try:
        env.reset(**scene.reset_arguments())
    except OptionsError:
        return "spawn_blocked"
    tracker = Tracker(TaskView(env), task.goal, task.budget, keep=False)
    *_, info = env.step(0)
    return scenes.settled_by(tracker, env.action_names[0], info["events"])

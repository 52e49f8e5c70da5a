"""Scenes in files: YAML for people, JSON lines for suites, and scenes of live games."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import yaml

from crafter.core import journal
from crafter.core.files import read_yaml
from crafter.core.validation import raising
from crafter.games.crafter import start
from crafter.games.crafter.map_edits import Edit, creature_kinds
from crafter.tasks.catalogue.tasks import VERSION as CATALOGUE_VERSION
from crafter.tasks.scenes.scene import VERSION, Scene, SceneError

_YAML = (".yaml", ".yml")
_LINES = (".jsonl", ".jsonl.gz")
_SHORT = (",", ":")
_PACK = {
    "pack": "crafter scenes",
    "version": VERSION,
    "catalogue": CATALOGUE_VERSION,
}


def write(path: str | os.PathLike, scenes: Sequence[Scene]) -> None:
    """Writes scenes to a file; what it held is replaced all at once.

    Args:
      path: Ends with `.yaml`, `.jsonl` or `.jsonl.gz`.
      scenes: The scenes.

    Raises:
      SceneError: If the name has another ending.
    """
    name = check_name(path)
    rows = [{**scene.as_data(), "hash": scene.hash} for scene in scenes]
    if name.endswith(_YAML):
        text = yaml.safe_dump_all(rows, sort_keys=False, default_flow_style=None)
    else:
        rows = [{**_PACK, "scenes": len(rows)}, *rows]
        lines = [json.dumps(row, sort_keys=True, separators=_SHORT) for row in rows]
        text = "".join(f"{line}\n" for line in lines)
    packs = name.endswith(".gz")
    journal.replace(path, gzip.compress(text.encode(), mtime=0) if packs else text)


def read(path: str | os.PathLike) -> list[Scene]:
    """Reads the scenes of a file that `write` wrote.

    Raises:
      SceneError: If it cannot be read, is damaged or cut off, or its scenes belong to
        another version; the message says where.
    """
    name = check_name(path)
    with raising(SceneError, f"{name}: ", OSError, yaml.YAMLError):
        data = journal.read_bytes(name)
        if name.endswith(_YAML):
            rows = [row for row in read_yaml(data) if row is not None]
        else:
            head, *rows = journal.parse(data, name) or [{}]
            if head.get("pack") != _PACK["pack"]:
                raise SceneError("it does not begin as a pack of scenes does.")
            if head.get("scenes") != len(rows):
                raise SceneError(
                    f"it is cut off: {head.get('scenes')} scenes were written, "
                    f"{len(rows)} are there."
                )
    if not rows:
        raise SceneError(f"{name}: there is no scene in it.")
    return [_scene(row, f"{name}, scene {n}") for n, row in enumerate(rows, 1)]


def _scene(row: Any, place: str) -> Scene:
    with raising(SceneError, f"{place}: "):
        return Scene.from_data(row)


def check_name(path: str | os.PathLike) -> str:
    """Returns the name of a file of scenes.

    Raises:
      SceneError: If it has another ending.
    """
    name = os.fspath(path)
    if not name.endswith((*_YAML, *_LINES)):
        raise SceneError(
            f"{name}: a file of scenes ends with one of {[*_YAML, *_LINES]}."
        )
    return name


# Scenes of games that are going on.


def capture(env: Any, task: str = "custom", index: int = 0) -> Scene:
    """Returns a scene that begins where a game stands now.

    The map, all objects with their numbers, the player and the clock are as they are;
    what is not part of a start is left: achievements are counted anew, nobody is
    asleep, and the randomness is another one.

    Args:
      env: A `crafter.Env` after its reset.
      task: Name of the task that it is for.
      index: Number of the scene.

    Raises:
      SceneError: If there is no game, or the player is dead.

    Source:
      The idea of starts taken from play: MCU (arXiv 2310.08367), appendix E.
    """
    if env.world is None:
        raise SceneError("There is no game yet: call reset() first.")
    world, player = env.world, env.player
    if player.health <= 0:
        raise SceneError("The player is dead; a scene begins with a living one.")
    land = start.ordinary_land(env.area, env.rules, env.world_seed)
    day = env.rules.time["day"]
    life = ("hunger", "thirst", "fatigue", "recover")
    vitals = {"health", *(env.rules.life[name]["item"] for name in life[:3])}
    everything = sum(env.area)
    held = {item: int(n) for item, n in player.inventory.items()}
    return Scene(
        task=task,
        level="custom",
        split="captured",
        index=index,
        world_seed=env.world_seed,
        inventory={item: n for item, n in held.items() if item not in vitals},
        clock=env.clock % day,
        area=tuple(env.area),
        spawn=player.position,
        facing=player.facing,
        vitals={item: n for item, n in held.items() if item in vitals},
        counters={name: getattr(player, name) for name in life},
        edits=tuple(_differences(land.materials, world.materials, env.rules)),
        mobs=tuple(_mob(obj) for obj in world.objects if obj is not player),
        remove_mobs=dict.fromkeys(creature_kinds(), everything),
        marks=dict(world.marks),
        dynamics_seed=env.step_count,
        provenance={"captured": True, "step": env.step_count},
    )


def _mob(obj: Any) -> dict[str, Any]:
    fields = {name: int(getattr(obj, name)) for name in obj.fields}
    mob = {"kind": obj.kind, "position": obj.position, **fields}
    if obj.kind != "arrow":
        mob["health"] = int(obj.health)
    if obj.turns:
        mob["facing"] = obj.facing
    return mob


def _differences(old: np.ndarray, new: np.ndarray, rules: Any) -> Iterable[Edit]:
    """Yields edits that make one map of another, column by column."""
    for x, y in zip(*(axis.tolist() for axis in (old != new).nonzero())):
        yield ("set", x, y, rules.semantic_names[int(new[x, y])])

"""A scene: a complete, reproducible start of the ordinary game, as a value."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.core.ruleset import thaw
from crafter.core.stream import episode_seed
from crafter.games.crafter import start
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.catalogue import VERSION as CATALOGUE_VERSION

#: Raised when the generator makes other scenes.
VERSION = 3

#: Fields that the hash leaves out: how the scene was made, and how it is solved.
_ABOUT = ("certificate", "provenance")


class SceneError(ValueError):
    """A scene cannot be read, built or made; the message says why."""


@dataclasses.dataclass(frozen=True)
class Scene:
    """Where an attempt begins.

    Attributes:
      task: Name or expression of the task.
      level: Its level of difficulty.
      split: `train`, `val` or `test`, or another word for scenes made by hand.
      index: Number of the scene in the split, from 0.
      world_seed: Seed of the generated world.
      inventory: Item -> amount at the start; vitals are not among them.
      clock: Step of the day at the start.
      area: Map size (x, y) in cells.
      symmetry: Symmetry of the square that turns the world; see
        `crafter.games.crafter.map_edits`.
      spawn: Cell of the player; `None` for the middle of the map.
      facing: Direction (dx, dy) of the player.
      vitals: Health, food, drink and energy at the start, where given.
      counters: Hunger, thirst, fatigue and recover, where given.
      edits: Changes to the map, in order; see `crafter.games.crafter.map_edits.EDITS`.
      mobs: Creatures and plants to add: kind, position and their numbers.
      remove_mobs: Kind -> distance from the player up to which it is removed.
      dynamics_seed: Seed of the game from the first step on; `None` to go on where the
        world generation ended.
      marks: Name -> rectangle (x, y, width, height) that the goal or text refers to.
      wording: Which wording of the instruction: split and number, as `train:0`.
      provenance: How it was made: versions, tries, reasons of rejections.
      certificate: A solution; `None` if none is known.

    Example:
      >>> scene = Scene("place_table", "simple", "mine", 0, 7, {"wood": 3}, 60)
      >>> world, player = scene.build()
      >>> player.position, player.inventory["wood"]
      ((32, 32), 3)
    """

    task: str
    level: str
    split: str
    index: int
    world_seed: int
    inventory: Mapping[str, int]
    clock: int
    area: tuple[int, int] = (64, 64)
    symmetry: int = 0
    spawn: tuple[int, int] | None = None
    facing: tuple[int, int] = (0, 1)
    vitals: Mapping[str, int] = dataclasses.field(default_factory=dict)
    counters: Mapping[str, float] = dataclasses.field(default_factory=dict)
    edits: tuple[tuple[Any, ...], ...] = ()
    mobs: tuple[Mapping[str, Any], ...] = ()
    remove_mobs: Mapping[str, int] = dataclasses.field(default_factory=dict)
    dynamics_seed: int | None = None
    marks: Mapping[str, tuple[int, int, int, int]] = dataclasses.field(
        default_factory=dict
    )
    wording: str = "train:0"
    provenance: Mapping[str, Any] = dataclasses.field(
        default_factory=dict, compare=False
    )
    certificate: Mapping[str, Any] | None = dataclasses.field(
        default=None, compare=False
    )

    @functools.cached_property
    def hash(self) -> str:
        """SHA-256 of the scene, hexadecimal; not of provenance and certificate."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """Returns the scene as text; equal scenes have equal texts."""
        data = {name: v for name, v in self.as_data().items() if name not in _ABOUT}
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    def as_data(self) -> dict[str, Any]:
        """Returns the scene as plain data, with the versions that it belongs to."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain: dict[str, Any] = thaw(fields)
        return {"version": VERSION, "catalogue": CATALOGUE_VERSION, **plain}

    @classmethod
    def from_data(cls, value: Any) -> Scene:
        """Returns the scene that plain data describes, as of `as_data`.

        Args:
          value: A mapping; `hash`, if it is there, is checked.

        Raises:
          SceneError: If it is another one's, damaged, or of another version.
        """
        if not isinstance(value, Mapping):
            raise SceneError(f"Expected a mapping, got {value!r}.")
        data = dict(value)
        _check_version(data)
        digest = data.pop("hash", None)
        scene = cls(**_checked(data))
        if digest is not None and digest != scene.hash:
            raise SceneError(
                f"The scene is damaged: it says that its hash is {digest}, and it is "
                f"{scene.hash}."
            )
        return scene

    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `crafter.Env.reset` gets: `seed` and `options`."""
        given: dict[str, Any] = {
            "inventory": {**self.vitals, **self.inventory},
            "daytime": self.clock,
            "facing": tuple(self.facing),
        }
        if self.spawn is not None:
            given["spawn"] = tuple(self.spawn)
        changes = {
            "symmetry": self.symmetry,
            "edits": [list(edit) for edit in self.edits],
            "objects": [dict(mob) for mob in self.mobs],
            "remove": dict(self.remove_mobs),
            "counters": dict(self.counters),
            "marks": {name: list(box) for name, box in self.marks.items()},
        }
        given |= {name: value for name, value in changes.items() if value}
        if self.dynamics_seed is not None:
            given["dynamics_seed"] = self.dynamics_seed
        return {"seed": self.world_seed, "options": given}

    def env_arguments(self) -> dict[str, Any]:
        """Returns what `crafter.Env` needs for the scene: its `area`."""
        return {"area": tuple(self.area)}

    def build(self, rules: Rules | None = None) -> tuple[Any, Any]:
        """Builds the world of the scene as `crafter.Env.reset` does.

        Args:
          rules: The rules of the game; by default the published ones.

        Returns:
          The world, and the player in it.

        Raises:
          SceneError: If it cannot be built under the rules.
        """
        rules = default() if rules is None else rules
        arguments = self.reset_arguments()
        try:
            options = start.parse(arguments["options"], self.area, rules)
            seed = episode_seed(arguments["seed"], 1)
            return start.build(options, self.area, rules, seed)
        except ValueError as error:
            raise SceneError(f"{self}: {error}") from error

    def __str__(self) -> str:
        return f"scene {self.index} of {self.task} ({self.level}, {self.split})"


def _check_version(data: dict[str, Any]) -> None:
    for name, expected in (("version", VERSION), ("catalogue", CATALOGUE_VERSION)):
        found = data.pop(name, None)
        if found != expected:
            what = "generator" if name == "version" else "catalogue"
            raise SceneError(
                f"The scene is of version {found!r} of the {what}; this is version "
                f"{expected}. Generate it again."
            )


_TEXTS = ("task", "level", "split", "wording")
_WHOLE = ("index", "world_seed", "clock", "symmetry")
_MAPPINGS = ("inventory", "vitals", "counters", "remove_mobs", "marks", "provenance")
_PAIRS = ("area", "spawn", "facing")


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields of a scene, of the right types; `reset` checks the rest."""
    fields = {field.name: field for field in dataclasses.fields(Scene)}
    unknown = [name for name in data if name not in fields]
    if unknown:
        raise SceneError(f"Unknown fields {unknown}; valid are {list(fields)}.")
    missing = [
        name
        for name, field in fields.items()
        if name not in data
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise SceneError(f"The fields {missing} are missing.")
    return {name: _checked_field(name, value) for name, value in data.items()}


def _checked_field(name: str, value: Any) -> Any:
    if name in _TEXTS and not isinstance(value, str):
        raise SceneError(f"{name}: expected a text, got {value!r}.")
    whole = name in _WHOLE or (name == "dynamics_seed" and value is not None)
    if whole and (type(value) is not int or value < 0):
        raise SceneError(f"{name}: expected an integer from 0, got {value!r}.")
    named = name in _MAPPINGS or (name == "certificate" and value is not None)
    if named and not isinstance(value, Mapping):
        raise SceneError(f"{name}: expected a mapping, got {value!r}.")
    if name in _PAIRS and value is not None:
        return _integers(name, value, 2)
    if name == "marks":
        return {mark: _integers(f"marks.{mark}", box, 4) for mark, box in value.items()}
    if name in ("edits", "mobs"):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise SceneError(f"{name}: expected a list, got {value!r}.")
        kind: Any = Mapping if name == "mobs" else Sequence
        wrong = [part for part in value if not isinstance(part, kind)]
        if wrong:
            raise SceneError(f"{name}: {wrong[0]!r} is none.")
        return tuple(_mob(p) if name == "mobs" else tuple(p) for p in value)
    return value


def _mob(value: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a creature whose cell and direction are tuples."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}


def _integers(name: str, value: Any, count: int) -> tuple[int, ...]:
    try:
        numbers = tuple(value)
    except TypeError:
        numbers = ()
    if [type(number) for number in numbers] != [int] * count:
        raise SceneError(f"{name}: expected {count} integers, got {value!r}.")
    return numbers

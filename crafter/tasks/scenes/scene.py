"""A scene: a complete, reproducible start of the ordinary game, as a value."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import json
import typing
from collections.abc import Mapping
from typing import Any, get_args

from crafter.core import schema
from crafter.core.ruleset import freeze, thaw
from crafter.core.schema import Count
from crafter.core.stream import episode_seed
from crafter.core.validation import raising
from crafter.games.crafter import start
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.catalogue.tasks import VERSION as CATALOGUE_VERSION

#: Raised when the generator makes other scenes.
VERSION = 3

#: Versions that a scene belongs to, of the generator and of the catalogue.
VERSIONS = {"version": VERSION, "catalogue": CATALOGUE_VERSION}
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
    index: Count
    world_seed: Count
    inventory: Mapping[str, int]
    clock: Count
    area: tuple[int, int] = (64, 64)
    symmetry: Count = 0
    spawn: tuple[int, int] | None = None
    facing: tuple[int, int] = (0, 1)
    vitals: Mapping[str, int] = dataclasses.field(default_factory=dict)
    counters: Mapping[str, float] = dataclasses.field(default_factory=dict)
    edits: tuple[tuple[Any, ...], ...] = ()
    mobs: tuple[Mapping[str, Any], ...] = ()
    remove_mobs: Mapping[str, int] = dataclasses.field(default_factory=dict)
    dynamics_seed: Count | None = None
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
        data = {name: v for name, v in self.as_data().items() if name not in _ABOUT}
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def as_data(self) -> dict[str, Any]:
        """Returns the scene as plain data, with the versions that it belongs to."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain: dict[str, Any] = thaw(fields)
        return {**VERSIONS, **plain}

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
        data = {name: given for name, given in value.items() if given is not None}
        found = {name: data.pop(name, None) for name in VERSIONS}
        if found != VERSIONS:
            raise SceneError(
                f"The scene is of {found}; this is {VERSIONS}. Generate it again."
            )
        digest = data.pop("hash", None)
        with raising(SceneError):
            schema.check(_fields(), "scene", data)
        scene = cls(**freeze(data))
        if digest is not None and digest != scene.hash:
            raise SceneError(
                f"The scene is damaged: it says that its hash is {digest}, and it is "
                f"{scene.hash}."
            )
        return scene

    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `crafter.Env.reset` gets: `seed` and `options`."""
        changes = {
            "spawn": self.spawn,
            "symmetry": self.symmetry,
            "edits": self.edits,
            "objects": self.mobs,
            "remove": self.remove_mobs,
            "counters": self.counters,
            "marks": self.marks,
        }
        given = {
            "inventory": {**self.vitals, **self.inventory},
            "daytime": self.clock,
            "facing": self.facing,
            **{name: value for name, value in changes.items() if value},
        }
        if self.dynamics_seed is not None:
            given["dynamics_seed"] = self.dynamics_seed
        return {"seed": self.world_seed, "options": given}

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
        with raising(SceneError, f"{self}: "):
            options = start.parse(arguments["options"], self.area, rules)
            seed = episode_seed(arguments["seed"], 1)
            return start.build(options, self.area, rules, seed)

    def __str__(self) -> str:
        return f"scene {self.index} of {self.task} ({self.level}, {self.split})"


@functools.cache
def _fields() -> schema.Record:
    """Returns the schema of the fields; those without a default are needed."""
    hints = typing.get_type_hints(Scene, include_extras=True)
    optional = {
        n: get_args(h)[0] for n, h in hints.items() if type(None) in get_args(h)
    }
    found = schema.Record(**{**hints, **optional})
    needed = inspect.signature(Scene).parameters.values()
    found.names = tuple(p.name for p in needed if p.default is p.empty)
    return found

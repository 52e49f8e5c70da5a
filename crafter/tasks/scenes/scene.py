"""Scenes as values, and packs: files of scenes, JSON lines after a header."""

from __future__ import annotations

import abc
import dataclasses
import functools
import hashlib
import inspect
import json
import os
import typing
from collections.abc import Mapping, Sequence
from typing import IO, Any, ClassVar, get_args

import numpy as np
from PIL import Image

from crafter.core import journal, schema
from crafter.core.ruleset import freeze, thaw
from crafter.core.schema import Count
from crafter.core.validation import raising
from crafter.tasks import game as games
from crafter.tasks.world.records import encoded

#: Fields that are not hashed.
_ABOUT = ("certificate", "provenance")
#: File name endings of packs.
ENDINGS = (".jsonl", ".jsonl.gz")
#: Kind of file in the header, after the name of the game.
_PACK = "scenes"


class SceneError(ValueError):
    """A scene cannot be read, built or generated; the message says why."""


class GivenUp(SceneError):
    """No candidate passed the checks."""


@dataclasses.dataclass(frozen=True)
class Scene(abc.ABC):
    """Initial state of an episode; subclasses of games add its content.

    Attributes:
      game: Name of the game; class attribute.
      needs: Fields that are arguments of environments; class attribute.
      task: Name or expression of the task.
      level: Its level of difficulty.
      split: `train`, `val` or `test`, or another name for hand-made scenes.
      index: Number of the scene in the split, from 0.
      wording: Wording of the instruction: split and number, as `train:0`.
      provenance: How it was generated: versions, candidates, reasons of rejections.
      certificate: A solution, or `None`.
    """

    game: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    task: str
    level: str
    split: str
    index: Count
    _: dataclasses.KW_ONLY
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

    @classmethod
    def versions(cls) -> dict[str, int]:
        """Returns the versions that it belongs to, of the generator and catalogue."""
        game = games.find(cls.game)
        return {"version": game.scenes.version, "catalogue": game.version}

    def as_data(self) -> dict[str, Any]:
        """Returns the scene as plain data, with the versions that it belongs to."""
        own = dataclasses.fields(self)
        fields = sorted(own, key=lambda field: field.kw_only is True)
        plain: dict[str, Any] = thaw({f.name: getattr(self, f.name) for f in fields})
        return {**self.versions(), **plain}

    @classmethod
    def from_data(cls, value: Any) -> Scene:
        """Returns the scene of plain data, as from `as_data`.

        Args:
          value: A mapping; `hash`, if it is there, is checked.

        Raises:
          SceneError: If it is invalid, damaged, or of another version.
        """
        if not isinstance(value, Mapping):
            raise SceneError(f"Expected a mapping, got {value!r}.")
        data = {name: given for name, given in value.items() if given is not None}
        versions = cls.versions()
        stored = {name: data.pop(name, None) for name in versions}
        if stored != versions:
            raise SceneError(
                f"The scene was made with {stored}; this is {versions}. Generate it "
                "again."
            )
        digest = data.pop("hash", None)
        with raising(SceneError):
            schema.check(_fields(cls), "scene", data)
        scene = cls(**freeze(data))
        if digest is not None and digest != scene.hash:
            raise SceneError(
                f"The scene is damaged: expected the hash {digest}, got {scene.hash}."
            )
        return scene

    @property
    def arguments(self) -> dict[str, Any]:
        """Required arguments of environments."""
        return {name: getattr(self, name) for name in self.needs}

    @abc.abstractmethod
    def check_env(self, env: Any) -> None:
        """Raises ValueError if an environment does not have these arguments."""

    @abc.abstractmethod
    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `reset` of the environment gets: `seed` and `options`."""

    @abc.abstractmethod
    def picture(self, view: tuple[int, int], cell: int) -> np.ndarray:
        """Returns the picture that `draw` writes, uint8 (height, width, 3)."""

    def draw(
        self,
        path: str | os.PathLike | IO[bytes],
        view: tuple[int, int] = (27, 23),
        cell: int = 20,
    ) -> None:
        """Renders the initial state by daylight, with the map around the start.

        Args:
          path: File to write, such as `scene.png`; or an open file for a PNG.
          view: Columns and rows of the image.
          cell: Pixels per cell.
        """
        named = isinstance(path, (str, os.PathLike))
        picture = Image.fromarray(self.picture(view, cell))
        picture.save(path, None if named else "PNG")

    def __str__(self) -> str:
        return f"scene {self.index} of {self.task} ({self.level}, {self.split})"


@functools.cache
def _fields(kind: type[Scene]) -> schema.Record:
    """Returns the schema of the fields; those without a default are needed."""
    hints = typing.get_type_hints(kind, include_extras=True)
    hints = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    optional = {
        n: get_args(h)[0] for n, h in hints.items() if type(None) in get_args(h)
    }
    record = schema.Record(**{**hints, **optional})
    needed = inspect.signature(kind).parameters.values()
    record.names = tuple(p.name for p in needed if p.default is p.empty)
    return record


# Packs.


def write(path: str | os.PathLike, scenes: Sequence[Scene]) -> None:
    """Writes scenes to a file, atomically.

    Args:
      path: Ends with `.jsonl`, or with `.jsonl.gz` to be packed.
      scenes: The scenes.

    Raises:
      SceneError: If the name has another ending.
    """
    name = check_name(path)
    game = games.find(scenes[0].game if scenes else games.DEFAULT)
    rows = [{**scene.as_data(), "hash": scene.hash} for scene in scenes]
    head = {"pack": f"{game.name} {_PACK}", **game.scenes.kind.versions()}
    rows = [{**head, "scenes": len(rows)}, *rows]
    lines = [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in rows]
    journal.replace(path, encoded(lines, name.endswith(".gz")))


def read(path: str | os.PathLike) -> list[Scene]:
    """Reads the scenes of a file that `write` wrote.

    Raises:
      SceneError: If it cannot be read, is damaged or cut off, or has scenes of another
        version; the message says where.
    """
    name = check_name(path)
    with raising(SceneError, f"{name}: ", OSError):
        head, *rows = journal.parse(journal.read_bytes(name), name) or [{}]
        game, _, what = str(head.get("pack")).partition(" ")
        if what != _PACK or game not in games.names():
            raise SceneError("it lacks the header of a pack of scenes.")
        if head.get("scenes") != len(rows):
            raise SceneError(
                f"it is cut off: expected {head.get('scenes')} scenes, got {len(rows)}."
            )
    if not rows:
        raise SceneError(f"{name}: contains no scenes.")
    scenes = []
    for number, row in enumerate(rows, 1):
        with raising(SceneError, f"{name}, scene {number}: "):
            scenes.append(games.find(game).scenes.kind.from_data(row))
    return scenes


def check_name(path: str | os.PathLike) -> str:
    """Returns the name of a file of scenes.

    Raises:
      SceneError: If it has another ending.
    """
    name = os.fspath(path)
    if not name.endswith(ENDINGS):
        raise SceneError(
            f"{name}: expected a name that ends with one of {list(ENDINGS)}."
        )
    return name

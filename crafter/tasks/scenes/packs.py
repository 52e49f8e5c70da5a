"""Packs: files of scenes, JSON lines after a line that says what they are."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from crafter.core import journal
from crafter.core.validation import raising
from crafter.tasks import game as games
from crafter.tasks.scenes.scene import Scene, SceneError
from crafter.tasks.world.records import encoded

#: How the name of a pack ends.
ENDINGS = (".jsonl", ".jsonl.gz")
#: What the first line has after the name of the game.
_PACK = "scenes"


def write(path: str | os.PathLike, scenes: Sequence[Scene]) -> None:
    """Writes scenes to a file; what it held is replaced all at once.

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
      SceneError: If it cannot be read, is damaged or cut off, or its scenes belong to
        another version; the message says where.
    """
    name = check_name(path)
    with raising(SceneError, f"{name}: ", OSError):
        head, *rows = journal.parse(journal.read_bytes(name), name) or [{}]
        game, _, what = str(head.get("pack")).partition(" ")
        if what != _PACK or game not in games.names():
            raise SceneError("it does not begin as a pack of scenes does.")
        if head.get("scenes") != len(rows):
            raise SceneError(
                f"it is cut off: {head.get('scenes')} scenes were written, "
                f"{len(rows)} are there."
            )
    if not rows:
        raise SceneError(f"{name}: there is no scene in it.")
    found = []
    for number, row in enumerate(rows, 1):
        with raising(SceneError, f"{name}, scene {number}: "):
            found.append(games.find(game).scenes.kind.from_data(row))
    return found


def check_name(path: str | os.PathLike) -> str:
    """Returns the name of a file of scenes.

    Raises:
      SceneError: If it has another ending.
    """
    name = os.fspath(path)
    if not name.endswith(ENDINGS):
        raise SceneError(f"{name}: a file of scenes ends with one of {list(ENDINGS)}.")
    return name

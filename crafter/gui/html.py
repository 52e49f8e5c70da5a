"""Replays as web pages: a single file that plays in any browser, without a server."""

from __future__ import annotations

import base64
import html
import json
import os
import pathlib
import string
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.gui.replay import Replay

#: Width and height of a cell in the page, in image pixels.
SIDE = 16
_TEMPLATE = pathlib.Path(__file__).with_name("replay.html")


def write(source: Replay, path: str | os.PathLike, title: str) -> None:
    """Writes a replay as a web page.

    Each frame is stored as tile indices in full light plus its lighting, so that a
    game of 10,000 steps stays small.

    Args:
      source: The replay; it is played to its end.
      path: The file.
      title: Page title.

    Raises:
      ValueError: If the recorded game cannot be re-simulated.
      OSError: If the file cannot be written.
    """
    moments = list(_moments(source))
    arrays = _arrays(source, moments)
    start, parts = 0, {}
    for name, array in arrays.items():
        parts[name] = start, array.size
        start += array.size
    head = json.dumps({**_head(source, moments), "parts": parts}, separators=(",", ":"))
    content = [len(head.encode()).to_bytes(4, "little"), head.encode()]
    content += [array.astype(np.uint8).tobytes() for array in arrays.values()]
    data = base64.b64encode(zlib.compress(b"".join(content), 9)).decode()
    template = string.Template(_TEMPLATE.read_text("utf-8"))
    text = template.safe_substitute(title=html.escape(title), data=data)
    pathlib.Path(path).expanduser().write_text(text, "utf-8")


def _moments(source: Replay) -> Iterator[dict[str, Any]]:
    """Plays a replay; yields the page data of each frame."""
    game, bright = source.game, None
    for index in range(source.last + 1):
        source.seek(index)
        env = source.env
        if env is None:
            raise ValueError(" ".join(source.notices) or "it cannot be replayed.")
        bright = bright or game.bright(env, SIDE)
        now, status = env.snapshot(), source.status()
        task = status.task
        yield {
            "picture": bright(env),
            "shine": game.shine(now),
            "status": status,
            "said": list(source.notices),
            "task": "" if task is None else _task(task),
        }
        source.notices.clear()


def _task(task: Any) -> str:
    state = {"DONE": "done", "FAILED": "failed"}.get(task.verdict, "not done yet")
    return f"Task: {task.text} ({state}) {task.why or ''}".strip()


def _arrays(source: Replay, moments: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Returns the tileset, the tile indices of every frame, and the lighting."""
    tiles: dict[bytes, int] = {}
    numbers = [
        tiles.setdefault(tile.tobytes(), len(tiles))
        for moment in moments
        for tile in _cells(moment["picture"])
    ]
    shown = np.array(numbers, np.uint32)
    return {
        "low": shown & 255,
        "high": shown >> 8,
        "atlas": np.frombuffer(b"".join(tiles), np.uint8),
        "lights": np.concatenate([m["shine"].cells.ravel() for m in moments]),
        "hiding": (255 * source.game.night(source.env, SIDE)["hiding"]).ravel(),
    }


def _cells(picture: np.ndarray) -> np.ndarray:
    """Returns the tiles of a picture, row by row."""
    rows, columns = picture.shape[0] // SIDE, picture.shape[1] // SIDE
    cells = picture.reshape(rows, SIDE, columns, SIDE, 3).swapaxes(1, 2)
    return cells.reshape(rows * columns, SIDE, SIDE, 3)


def _head(source: Replay, moments: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the page data other than images."""
    game, rows = source.game, [m["status"] for m in moments]
    amounts = {
        name: [round(row.inventory[name], 1) for row in rows]
        for name in rows[-1].inventory
    }
    health = amounts.get("health", [])
    places, place = _numbered(list(map(_place, rows)))
    tasks, task = _numbered([moment["task"] for moment in moments])
    night = game.night(source.env, SIDE)
    return {
        "cells": source.proportions,
        "side": SIDE,
        "mapRows": night.pop("hiding").shape[0] // SIDE,
        "last": source.last,
        "light": night,
        "shine": [[round(float(n), 4) for n in m["shine"][:4]] for m in moments],
        "actions": [game.title_of(name) for name in game.action_names],
        "action": source.actions,
        "returns": [round(row.episode_return, 1) for row in rows],
        "places": places,
        "place": place,
        "tasks": tasks,
        "task": task,
        "amounts": amounts,
        "limits": dict(rows[-1].limits),
        "achievements": [game.title_of(name) for name in game.achievements],
        "unlocked": {game.title_of(n): at for n, at in rows[-1].unlocked.items()},
        "wounds": [n for n in range(1, len(health)) if health[n] < health[n - 1]],
        "said": [[n, text] for n, m in enumerate(moments) for text in m["said"]],
    }


def _place(row: Any) -> str:
    time = f"day {row.clock.day}, {row.clock.part}" if row.clock else ""
    return " · ".join(filter(None, [row.floor, time]))


def _numbered(texts: list[str]) -> tuple[list[str], list[int]]:
    """Returns the distinct texts, and the index of each text among them."""
    indices = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return list(indices), [indices[text] for text in texts]

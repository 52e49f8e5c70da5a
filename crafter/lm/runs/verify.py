"""Plays logged rollouts again and checks that everything follows from the replies."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

from crafter import constants
from crafter.lm.runs import logs
from crafter.lm.runs.game import Game, log_path
from crafter.lm.runs.logs import LogError
from crafter.lm.runs.protocols import FORBIDDEN, PRESETS, Protocol, from_dict
from crafter.lm.runs.protocols import protocol as preset
from crafter.lm.runs.runner import compare


def problems(folder: pathlib.Path) -> Iterator[str]:
    """Yields what is wrong with a run; nothing if it is a valid submission."""
    try:
        header = json.loads((folder / "run.json").read_text("utf-8"))
        protocol = from_dict(header["protocol"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield f"{folder} holds no readable run.json: {error}"
        return
    yield from _settings(protocol, header)
    for number, seed in enumerate(protocol.seeds):
        path = log_path(folder, number)
        if not path.exists():
            yield f"{path} is missing"
            continue
        try:
            check_rollout(path, protocol, seed, header)
        except LogError as error:
            yield str(error)


def _settings(protocol: Protocol, header: dict[str, Any]) -> Iterator[str]:
    if protocol.name not in PRESETS:
        yield f"{protocol.name!r} is no preset: it was changed"
    elif protocol.as_dict() != preset(protocol.name).as_dict():
        yield f"the settings are not those of {protocol.name}"
    used = [name for name in FORBIDDEN if protocol.interface.get(name)]
    if used:
        yield f"not allowed: {used}"
    if header.get("rules") != logs.rules_hash(constants):
        yield "the game has other rules"


def check_rollout(
    path: pathlib.Path, protocol: Protocol, seed: int, header: dict[str, Any]
) -> None:
    """Plays a logged rollout again.

    Raises:
      LogError: If the log is incomplete or does not fit the game.
    """
    lines = logs.read(path)
    if not lines or lines[-1]["type"] != "rollout_end":
        raise LogError(f"{path}: the rollout is not complete")
    start = lines[0]
    if start.get("seed") != seed or start.get("protocol") != header["protocol"]:
        raise LogError(f"{path}: it belongs to another run or seed")
    game = Game(protocol, seed)
    calls = [i for i, line in enumerate(lines) if line["type"] == "call"]
    for first, end in zip(calls, [*calls[1:], len(lines) - 1]):
        compare(path, lines[first + 1 : end], game.play(lines[first]["reply"]))
    expected = json.loads(json.dumps(game.end()))
    found = {name: lines[-1].get(name) for name in expected}
    if not game.done or found != expected:
        raise LogError(f"{path}: the result is {expected}, the log says {found}")

"""Verifies runs: replays the logged replies and compares everything else.

The prompts of the agents of this package follow from the game; for everything else that
was logged there is a checksum.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

from crafter.lm.agents.base import LMAgent
from crafter.lm.agents.model import STYLES, ModelAgent
from crafter.lm.agents.players import OFFLINE, NoopAgent
from crafter.lm.runs import logs
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogError, RolloutLog
from crafter.lm.runs.protocols import FORBIDDEN, PRESETS, Protocol, from_dict
from crafter.lm.runs.protocols import protocol as preset
from crafter.lm.runs.runner import SAME


def problems(run: pathlib.Path) -> Iterator[str]:
    """Yields what is wrong with a run; nothing if it is a valid submission.

    Args:
      run: The folder of its logs, or a file that `crafter.lm.runs.logs.pack` wrote.
    """
    try:
        with logs.readable(run):
            header, rollout = logs.read_run(run)
            protocol = from_dict(header["protocol"])
            found, seeds = list(_settings(protocol, header)), [*protocol.seeds]
    except ValueError as error:
        yield str(error)
        return
    yield from found
    for number, seed in enumerate(seeds):
        path = logs.log_path(run, number)
        try:
            with logs.readable(path):
                log = rollout(number)
                if log is None:
                    raise LogError(f"{path} is missing")
                check_rollout(log, protocol, seed, header)
        except ValueError as error:
            yield str(error)


def _settings(protocol: Protocol, header: dict[str, Any]) -> Iterator[str]:
    if protocol.name not in PRESETS:
        yield f"{protocol.name!r} is no preset: it was changed"
    elif protocol.as_dict() != preset(protocol.name).as_dict():
        yield f"the settings are not those of {protocol.name}"
    used = [name for name in FORBIDDEN if protocol.interface.get(name)]
    if used:
        yield f"not allowed: {used}"
    if header["rules"] != protocol.tables.digest:
        yield "the game has other rules"


def check_rollout(
    log: RolloutLog, protocol: Protocol, seed: int, header: dict[str, Any]
) -> None:
    """Plays a logged rollout again.

    Raises:
      LogError: If the log is incomplete or does not match the game.
    """
    path = log.path
    if log.end is None:
        raise LogError(f"{path}: the rollout is not complete")
    if log.start["seed"] != seed or any(log.start.get(n) != header[n] for n in SAME):
        raise LogError(f"{path}: it belongs to another run or seed")
    game = Game(protocol, seed)
    lines = _replayed(log, game, header)
    expected = json.loads(json.dumps(game.end()))
    found = {name: log.end.get(name) for name in expected}
    if not game.done or found != expected:
        raise LogError(f"{path}: the result is {expected}, the log says {found}")
    if log.end.get("checksum") != logs.checksum([log.start, *lines]):
        raise LogError(f"{path}: the checksum does not match: the log was changed")


def _replayed(
    log: RolloutLog, game: Game, header: dict[str, Any]
) -> list[dict[str, Any]]:
    """Plays the calls of a log again and returns the lines that they should have."""
    agent = _agent(log, game, header)
    lines: list[dict[str, Any]] = []

    def check(line: dict[str, Any]) -> None:
        line = logs.with_hash(line)
        if agent is not None:
            expected = logs.text_hash(agent.prompt(game.message))
            if line.setdefault("prompt_hash", expected) != expected:
                raise LogError(
                    f"{log.path}: the prompt of call {len(lines) + 1} does not match "
                    "the game"
                )
            agent.recall(game.message, line["reply"])
        lines.append(line)

    if game.replay(log, check):
        raise LogError(f"{log.path}: lines of the last call are missing")
    return lines


def _agent(log: RolloutLog, game: Game, header: dict[str, Any]) -> LMAgent | None:
    """Returns an agent with the prompts of the one that played, if that is known."""
    name, settings = header["agent"], header["agent_settings"]
    if name in OFFLINE:
        return NoopAgent()
    if name not in STYLES:
        return None
    agent = ModelAgent(None, name, settings["window"], settings["limit"])
    agent.reset(game.briefing())
    return agent

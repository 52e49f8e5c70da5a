"""Verifies runs: replays the logged replies and compares everything else.

What agents of this package are asked follows from the game, and so do tokens that were
estimated. Of other agents only the checksum can be checked.
"""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

from crafter.llm_client.client import CHARACTERS, length
from crafter.lm.agents.base import Message
from crafter.lm.agents.model import STYLES, Chat, logged
from crafter.lm.agents.players import OFFLINE
from crafter.lm.runs import logs
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogError, RolloutLog, log_path
from crafter.lm.runs.protocols import FORBIDDEN, PRESETS, Protocol, from_dict
from crafter.lm.runs.protocols import protocol as preset
from crafter.lm.runs.runner import SAME


def problems(run: pathlib.Path) -> Iterator[str]:
    """Yields what is wrong with a run; nothing if it is a valid submission.

    Args:
      run: The folder of its logs, or a file that `crafter.lm.runs.logs.pack` wrote.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            if run.is_file():
                logs.unpack(run, pathlib.Path(folder))
                run = pathlib.Path(folder)
            header = logs.read_header(run)
            protocol = from_dict(header["protocol"])
        except ValueError as error:
            yield str(error)
            return
        yield from _settings(protocol, header)
        for number, seed in enumerate(protocol.seeds):
            try:
                check_rollout(log_path(run, number), protocol, seed, header)
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
    if header["rules"] != protocol.tables.digest:
        yield "the game has other rules"


def check_rollout(
    path: pathlib.Path, protocol: Protocol, seed: int, header: dict[str, Any]
) -> None:
    """Plays a logged rollout again.

    Raises:
      LogError: If the log is missing, incomplete or does not match the game.
    """
    if not path.exists():
        raise LogError(f"{path} is missing")
    log = logs.read_rollout(path)
    if log is None or log.end is None:
        raise LogError(f"{path}: the rollout is not complete")
    if log.start["seed"] != seed or any(log.start.get(n) != header[n] for n in SAME):
        raise LogError(f"{path}: it belongs to another run or seed")
    try:
        game = Game(protocol, seed)
    except (TypeError, ValueError) as error:
        raise LogError(f"{path}: the protocol cannot be played: {error}") from None
    lines = list(_replayed(log, game, header))
    expected = json.loads(json.dumps(game.end()))
    found = {name: log.end.get(name) for name in expected}
    if not game.done or found != expected:
        raise LogError(f"{path}: the result is {expected}, the log says {found}")
    if log.end.get("checksum") != logs.checksum([log.start, *lines]):
        raise LogError(f"{path}: the checksum does not match: the log was changed")


def _replayed(
    log: RolloutLog, game: Game, header: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Plays the calls of a log again and yields the lines that they should have."""
    chat = _chat(log, game, header) if header["agent"] in STYLES else None
    packed = not log.of("step", "turn")
    for number, call in enumerate(log.calls, 1):
        line = logs.with_hash(call.line)
        if line.get("n", number) != number:
            raise LogError(f"{log.path}: call {number} is numbered {line['n']}")
        if header["agent"] in (*OFFLINE, *STYLES):
            told = _prompt_problem(chat, game.message, line)
            if told:
                raise LogError(f"{log.path}: the {told.format(number)}")
        if chat is not None:
            chat.remember(game.message, line["reply"])
        played = game.play(line["reply"])
        if not packed:
            log.compare(call, played)
        yield line


def _chat(log: RolloutLog, game: Game, header: dict[str, Any]) -> Chat:
    """Returns what makes the requests of the model that played."""
    settings = header["agent_settings"]
    try:
        chat = Chat(header["agent"], settings["window"], settings["limit"])
        chat.reset(game.briefing())
        return chat
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(f"{log.path}: impossible settings: {error}") from None


def _prompt_problem(chat: Chat | None, message: Message, line: dict[str, Any]) -> str:
    """Checks the prompt of a call and returns the mismatch; fills in an omitted one."""
    asked = None if chat is None else chat.request(message)
    expected = logs.text_hash(message.text if asked is None else logged(asked))
    if line.setdefault("prompt_hash", expected) != expected:
        return "prompt of call {} does not match the game"
    if line.get("estimated") and asked is not None:
        counted = length(asked) // CHARACTERS, len(line["reply"]) // CHARACTERS
        if counted != tuple(line.get(name) for name in logs.TOKENS):
            return "token counts of call {} do not match"
    return ""

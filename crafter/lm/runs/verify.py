"""Verifies runs: replays the logged replies and compares everything else."""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

from crafter.llm_client.client import CHARACTERS, length
from crafter.lm.agents import OFFLINE, STYLES
from crafter.lm.agents.base import Message
from crafter.lm.agents.model import Chat, logged
from crafter.lm.runs import logs, packed
from crafter.lm.runs.game import Game, log_path
from crafter.lm.runs.logs import Call, LogError, RolloutLog
from crafter.lm.runs.protocols import FORBIDDEN, PRESETS, Protocol, from_dict
from crafter.lm.runs.protocols import protocol as preset
from crafter.lm.runs.runner import compare


def problems(run: pathlib.Path) -> Iterator[str]:
    """Yields what is wrong with a run; nothing if it is a valid submission.

    Args:
      run: The folder of its logs, or a file that `crafter.lm.runs.packed` wrote.
    """
    if run.is_file():
        with tempfile.TemporaryDirectory() as folder:
            try:
                packed.unpack(run, pathlib.Path(folder))
            except LogError as error:
                yield str(error)
                return
            yield from problems(pathlib.Path(folder))
        return
    try:
        header = logs.read_header(run)
        protocol = from_dict(header["protocol"])
    except ValueError as error:
        yield str(error)
        return
    yield from _settings(protocol, header)
    for number, seed in enumerate(protocol.seeds):
        path = log_path(run, number)
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
    if header["rules"] != protocol.tables.digest:
        yield "the game has other rules"


def check_rollout(
    path: pathlib.Path, protocol: Protocol, seed: int, header: dict[str, Any]
) -> None:
    """Plays a logged rollout again.

    Raises:
      LogError: If the log is incomplete or does not match the game.
    """
    log = logs.read_rollout(path)
    if log is None or log.end is None:
        raise LogError(f"{path}: the rollout is not complete")
    same = ("protocol", "agent", "agent_settings", "rules")
    if log.start["seed"] != seed or any(log.start.get(n) != header[n] for n in same):
        raise LogError(f"{path}: it belongs to another run or seed")
    try:
        game = Game(protocol, seed)
    except (TypeError, ValueError) as error:
        raise LogError(f"{path}: the protocol cannot be played: {error}") from None
    witness = _Witness(log, game, header)
    for call in log.calls:
        witness.check(call)
        played = game.play(call.line["reply"])
        if not log.packed:
            compare(path, call.played, played)
    expected = json.loads(json.dumps(game.end()))
    found = {name: log.end.get(name) for name in expected}
    if not game.done or found != expected:
        raise LogError(f"{path}: the result is {expected}, the log says {found}")
    if log.end.get("checksum") != witness.checksum():
        raise LogError(f"{path}: the checksum does not match: the log was changed")


class _Witness:
    """Checks what the log says about the calls themselves.

    What agents of this package are asked follows from the game, and so do tokens that
    were estimated. Of other agents only the checksum can be checked.

    Args:
      log: The log of a rollout.
      game: The rollout that is played again.
      header: What defines the run.
    """

    def __init__(self, log: RolloutLog, game: Game, header: dict[str, Any]) -> None:
        self._path, self._game = log.path, game
        self._known = header["agent"] in (*OFFLINE, *STYLES)
        self._lines: list[dict[str, Any]] = [log.start]
        self._chat: Chat | None = None
        if header["agent"] in STYLES:
            settings = header["agent_settings"]
            try:
                self._chat = Chat(
                    header["agent"], settings["window"], settings["limit"]
                )
                self._chat.reset(game.briefing())
            except (KeyError, TypeError, ValueError) as error:
                raise LogError(f"{log.path}: impossible settings: {error}") from None

    def check(self, call: Call) -> None:
        """Checks a call before it is played.

        Raises:
          LogError: If it does not match the game.
        """
        message, line = self._game.message, logs.with_hash(call.line)
        number = self._game.aci.calls_made + 1
        if line.get("n", number) != number:
            raise LogError(f"{self._path}: call {number} is numbered {line['n']}")
        if self._known:
            self._check_prompt(message, line, number)
        if self._chat is not None:
            self._chat.remember(message, line["reply"])
        self._lines.append(line)

    def _check_prompt(
        self, message: Message, line: dict[str, Any], number: int
    ) -> None:
        asked = self._chat.request(message) if self._chat is not None else message.text
        told = asked if isinstance(asked, str) else logged(asked)
        expected = logs.text_hash(told)
        if line.setdefault("prompt_hash", expected) != expected:
            raise LogError(
                f"{self._path}: the prompt of call {number} does not match the game"
            )
        if line.get("estimated") and not isinstance(asked, str):
            counted = length(asked) // CHARACTERS, len(line["reply"]) // CHARACTERS
            if counted != tuple(line.get(name) for name in logs.TOKENS):
                raise LogError(
                    f"{self._path}: the token counts of call {number} do not match"
                )

    def checksum(self) -> str:
        """Returns the checksum that the log should have."""
        return logs.checksum(self._lines)

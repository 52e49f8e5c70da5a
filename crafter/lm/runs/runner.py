"""Runs an agent by a protocol, with logs that can be resumed and verified."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import pathlib
import platform
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.core.phrases import printable
from crafter.llm_client.client import Budget, BudgetSpent, EndpointError
from crafter.lm.agents.base import LMAgent
from crafter.lm.agents.model import STYLES, ModelAgent
from crafter.lm.agents.players import OFFLINE, NoopAgent
from crafter.lm.runs import logs, protocols
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogError, LogWriter, log_path
from crafter.lm.runs.protocols import Protocol

#: Header fields, besides versions, that must agree to resume or compare runs.
SAME = ("protocol", "agent", "agent_settings", "rules")


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Outcome of a rollout.

    Attributes:
      number: Rollout number, from 0.
      finished: Whether it is complete; otherwise it can be resumed.
      message: The result, or why there is none.
    """

    number: int
    finished: bool
    message: str

    def __str__(self) -> str:
        """Returns a one-line description."""
        state = "" if self.finished else "suspended: "
        return f"rollout {self.number}: {state}{self.message}"


@dataclasses.dataclass(frozen=True)
class Run:
    """Resumable rollouts of a protocol.

    Attributes:
      protocol: The protocol.
      make_agent: Creates the agent, once per rollout.
      folder: Folder for logs; an existing run in it is resumed.
      parallel: Number of concurrent rollouts.
      budget: Limits of the whole run, including usage recorded in the logs.
      report: Receives a line about each rollout that ends.
      stop: Set when the run is interrupted; rollouts then stop after their current
        call. An error in one rollout also stops the others.
    """

    protocol: Protocol
    make_agent: Callable[[], LMAgent]
    folder: pathlib.Path
    parallel: int = 1
    budget: Budget = dataclasses.field(default_factory=Budget)
    report: Callable[[str], None] = lambda line: None
    stop: threading.Event = dataclasses.field(default_factory=threading.Event)

    def play(self) -> list[Outcome]:
        """Plays all rollouts, or resumes an interrupted run.

        Returns:
          The outcome of each rollout.

        Raises:
          LogError: If the folder holds another run, its logs do not match the game, or
            another process is playing it.
          ValueError: If the protocol cannot be played, or lacks what the agent needs.
        """
        header, numbers = self._header, range(len(self.protocol.seeds))
        self.folder.mkdir(parents=True, exist_ok=True)
        with journal.locked(self.folder):
            _claim(self.folder, header)
            for number in numbers:
                _recall(log_path(self.folder, number), self.budget)
            with ThreadPoolExecutor(self.parallel) as pool:
                try:
                    return list(pool.map(self._rollout, numbers))
                except BaseException:
                    self.stop.set()
                    raise

    @functools.cached_property
    def _header(self) -> dict[str, Any]:
        """The definition of the run, after checking that its games can be played.

        Raises:
          ValueError: If they cannot.
        """
        protocol, agent = self.protocol, self.make_agent()
        if agent.pictures and not protocol.interface.get("images"):
            raise ValueError(
                f"The agent {agent.name} needs pictures but {protocol.name} has none: "
                "choose crafter-lm-v1-image, or pass images=True (--images on the "
                "command line)."
            )
        agent.reset(Game(protocol, protocol.seeds[0]).briefing())
        return {
            "protocol": protocol.as_dict(),
            "agent": agent.name,
            "agent_settings": agent.settings(),
            "rules": protocol.tables.digest,
            "versions": {
                "crafter": metadata.version("crafter"),
                "numpy": np.__version__,
                "python": platform.python_version(),
            },
        }

    def _rollout(self, number: int) -> Outcome:
        """Plays a rollout to its end, unless something prevents it."""
        with contextlib.closing(LogWriter(log_path(self.folder, number))) as log:
            game = Game(self.protocol, self.protocol.seeds[number])
            game.log = log
            try:
                end = self._finish(game, log)
                with logs.readable(log.path):
                    text = f"{len(end['achievements'])} achievements, {end['steps']} "
                    text += f"steps, {end['calls']} calls, ended by {end['reason']}"
                outcome = Outcome(number, True, text)
            except BudgetSpent as error:
                outcome = Outcome(number, False, str(error))
            except EndpointError as error:
                text = "interrupted" if error.kind == "stopped" else str(error)
                outcome = Outcome(number, False, text)
                if error.kind != "stopped":
                    fields = {"kind": error.kind, "tries": error.tries}
                    game.write("failure", **fields, message=text)
        self.report(str(outcome))
        return outcome

    def _finish(self, game: Game, log: LogWriter) -> dict[str, Any]:
        """Plays a game to its end and returns the last line of its log."""
        agent = self.make_agent()
        agent.reset(game.briefing())
        with logs.readable(log.path):
            end = self._resume(game, agent, log)
        while end is None and not game.done:
            if self.stop.is_set():
                raise EndpointError("stopped", "The run was interrupted.")
            self._call(game, agent)
        if end is None:
            end = {**game.end(), "checksum": logs.checksum(journal.read(log.path))}
            game.write("rollout_end", sync=True, **end)
        return end

    def _call(self, game: Game, agent: LMAgent) -> None:
        """Queries the agent and plays its reply."""
        message, number = game.message, game.aci.calls_made + 1
        self.budget.start_call()
        prompt = agent.prompt(message)
        reply = printable(agent.act(message))
        line = {"n": number, "reply": reply, "prompt": prompt, **agent.last_call()}
        self.budget.add(logs.tokens(line))
        game.write("call", sync=True, **line)
        for line in game.play(reply):
            game.write(**line)

    def _resume(
        self, game: Game, agent: LMAgent, log: LogWriter
    ) -> dict[str, Any] | None:
        """Restores a game from its log; returns the last line if it is complete."""
        old = logs.rollout_of(log.path, log.rows)
        if old is None:
            game.write("run_start", sync=True, seed=game.seed, **self._header)
            return None
        if old.start["seed"] != game.seed:
            raise LogError(f"{log.path}: belongs to another seed")
        if old.end is None:
            recall = lambda line: agent.recall(game.message, line["reply"])  # noqa: E731
            for line in game.replay(old, recall):
                game.write(**line)
        return old.end


def _claim(folder: pathlib.Path, header: dict[str, Any]) -> None:
    """Writes the run's definition, or checks that it is the same."""
    path = folder / "run.json"
    text = json.dumps(header, indent=2)
    if not path.exists():
        journal.replace(path, text + "\n")
        return
    with logs.readable(path):
        existing, wanted = logs.read_header(folder), json.loads(text)
        different = [name for name in SAME if existing.get(name) != wanted[name]]
    if different:
        raise LogError(
            f"{folder} holds a run with other {', '.join(different)}; choose another "
            "folder, or use the same settings to resume."
        )


def _recall(path: pathlib.Path, budget: Budget) -> None:
    """Counts the usage recorded in a log.

    All logs are counted before the first rollout resumes: otherwise the usage of later
    ones would be missing in the meantime.
    """
    with logs.readable(path):
        old = logs.read_rollout(path)
        if old is not None:
            used = [logs.tokens(call) for call in old.calls]
            budget.add(sum(used), len(used))


# Verification. The prompts of this package's agents follow from the game; all other
# logged data has a checksum.


def problems(run: pathlib.Path) -> Iterator[str]:
    """Yields the problems of a run; none if it is a valid submission.

    Args:
      run: The folder of its logs, or a file written by `crafter.lm.runs.logs.pack`.
    """
    try:
        with logs.readable(run):
            header, rollout = logs.read_run(run)
            protocol = protocols.from_dict(header["protocol"])
            faults, seeds = list(_settings(protocol, header)), [*protocol.seeds]
    except ValueError as error:
        yield str(error)
        return
    yield from faults
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
    if protocol.name not in protocols.PRESETS:
        yield f"{protocol.name!r} is no preset: it was changed"
    elif protocol.as_dict() != protocols.protocol(protocol.name).as_dict():
        yield f"the settings are not those of {protocol.name}"
    if header["rules"] != protocol.tables.digest:
        yield "the game has other rules"


def check_rollout(
    log: logs.RolloutLog, protocol: Protocol, seed: int, header: dict[str, Any]
) -> None:
    """Replays a logged rollout.

    Raises:
      LogError: If the log is incomplete or does not match the game.
    """
    path = log.path
    if log.end is None:
        raise LogError(f"{path}: the rollout is not complete")
    if log.start["seed"] != seed or any(log.start.get(n) != header[n] for n in SAME):
        raise LogError(f"{path}: belongs to another run or seed")
    game = Game(protocol, seed)
    agent, lines = _agent(game, header), [log.start]

    def check(line: dict[str, Any]) -> None:
        line = logs.with_hash(line)
        if agent is not None:
            prompt = logs.text_hash(agent.prompt(game.message))
            if line.setdefault("prompt_hash", prompt) != prompt:
                reason = f"the prompt of call {len(lines)} does not match the game"
                raise LogError(f"{path}: {reason}")
            agent.recall(game.message, line["reply"])
        lines.append(line)

    if game.replay(log, check):
        raise LogError(f"{path}: lines of the last call are missing")
    expected = game.end()
    logged = {name: log.end.get(name) for name in expected}
    if not game.done or logged != expected:
        raise LogError(f"{path}: the result is {expected}, the log says {logged}")
    if log.end.get("checksum") != logs.checksum(lines):
        raise LogError(f"{path}: the checksum does not match: the log was changed")


def _agent(game: Game, header: dict[str, Any]) -> LMAgent | None:
    """Returns an agent with the same prompts as the logged one, if known."""
    name, settings = header["agent"], header["agent_settings"]
    if name in OFFLINE:
        return NoopAgent()
    if name not in STYLES:
        return None
    agent = ModelAgent(None, name, settings["window"], settings["limit"])
    agent.reset(game.briefing())
    return agent

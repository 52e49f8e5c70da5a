"""Runs an agent through a protocol, with logs from which it can be resumed."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import pathlib
import platform
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.core.phrases import printable
from crafter.llm_client.budget import Budget, BudgetSpent
from crafter.llm_client.client import EndpointError
from crafter.lm.agents.base import LMAgent
from crafter.lm.runs import logs
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogError, LogWriter, log_path
from crafter.lm.runs.protocols import Protocol

#: What a header says of a run, besides versions: runs with the same can be continued
#: and compared.
SAME = ("protocol", "agent", "agent_settings", "rules")


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Outcome of a rollout.

    Attributes:
      number: Which one, from 0.
      finished: Whether it is complete; otherwise it can go on later.
      message: The result, or why there is none.
    """

    number: int
    finished: bool
    message: str

    def __str__(self) -> str:
        """Returns a line about it."""
        state = "" if self.finished else "suspended: "
        return f"rollout {self.number}: {state}{self.message}"


@dataclasses.dataclass(frozen=True)
class Run:
    """Rollouts of a protocol, which can be resumed.

    Attributes:
      protocol: What is played.
      make_agent: Makes the agent, once for each rollout.
      folder: Where the logs go; the same folder again resumes the run.
      parallel: Rollouts that are played at the same time.
      budget: Limits of the whole run; what the logs say was used counts, too.
      prompts: Whether logs hold the whole requests; otherwise a checksum.
      report: Told a line about each rollout that ends.
      stop: Set when the run is interrupted; rollouts then stop after their call. An
        error in one rollout stops the others, too.
    """

    protocol: Protocol
    make_agent: Callable[[], LMAgent]
    folder: pathlib.Path
    parallel: int = 1
    budget: Budget = dataclasses.field(default_factory=Budget)
    prompts: bool = True
    report: Callable[[str], None] = lambda line: None
    stop: threading.Event = dataclasses.field(default_factory=threading.Event)

    def play(self) -> list[Outcome]:
        """Plays all rollouts, or resumes where an earlier run stopped.

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
        """What defines the run; its games can be played.

        Raises:
          ValueError: If not.
        """
        protocol, agent = self.protocol, self.make_agent()
        if agent.pictures and not protocol.interface.get("images"):
            raise ValueError(
                f"The agent {agent.name} needs pictures, and {protocol.name} has none: "
                "choose crafter-lm-v1-image, or add pictures with images=True in the "
                "interface, on the command line --images."
            )
        Game(protocol, protocol.seeds[0]).seat(agent)
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
        """Plays a rollout to the end, or until something prevents it."""
        with contextlib.closing(LogWriter(log_path(self.folder, number))) as log:
            game = Game(self.protocol, self.protocol.seeds[number])
            game.log = log
            try:
                end = self._finish(game, log)
                with logs.readable(log.path):
                    told = f"{len(end['achievements'])} achievements, {end['steps']} "
                    told += f"steps, {end['calls']} calls, ended by {end['reason']}"
                outcome = Outcome(number, True, told)
            except BudgetSpent as error:
                outcome = Outcome(number, False, str(error))
            except EndpointError as error:
                told = "interrupted" if error.kind == "stopped" else str(error)
                outcome = Outcome(number, False, told)
                if error.kind != "stopped":
                    fields = {"kind": error.kind, "tries": error.tries}
                    game.write("failure", **fields, message=told)
        self.report(str(outcome))
        return outcome

    def _finish(self, game: Game, log: LogWriter) -> dict[str, Any]:
        """Goes on to the end of a game and returns the last line of its log."""
        agent = self.make_agent()
        game.seat(agent)
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
        """Asks the agent and plays what it says."""
        message, number = game.message, game.aci.calls_made + 1
        self.budget.start_call()
        prompt = agent.prompt(message)
        reply = printable(agent.act(message))
        line = {"n": number, "reply": reply, "prompt": prompt, **agent.last_call()}
        self.budget.add(logs.tokens(line))
        line = line if self.prompts else logs.with_hash(line)
        game.write("call", sync=True, **line)
        for type, fields in game.play(reply):
            game.write(type, **fields)

    def _resume(
        self, game: Game, agent: LMAgent, log: LogWriter
    ) -> dict[str, Any] | None:
        """Rebuilds a game from its log; returns the last line if it is complete."""
        old = logs.rollout_of(log.path, log.rows)
        if old is None:
            game.write("run_start", sync=True, seed=game.seed, **self._header)
            return None
        if old.start["seed"] != game.seed:
            raise LogError(f"{log.path}: it belongs to another seed")
        if old.end is None:
            recall = lambda line: agent.recall(game.message, line["reply"])  # noqa: E731
            for type, fields in game.replay(old, recall):
                game.write(type, **fields)
        return old.end


def _claim(folder: pathlib.Path, header: dict[str, Any]) -> None:
    """Writes what the run is, or checks that it is the same."""
    path = folder / "run.json"
    text = json.dumps(header, indent=2)
    if not path.exists():
        journal.replace(path, text + "\n")
        return
    with logs.readable(path):
        found, wanted = logs.read_header(folder), json.loads(text)
        different = [name for name in SAME if found.get(name) != wanted[name]]
    if different:
        raise LogError(
            f"{folder} holds a run with other {', '.join(different)}; choose another "
            "folder, or the same settings to go on."
        )


def _recall(path: pathlib.Path, budget: Budget) -> None:
    """Counts the calls of a log.

    All logs are counted before the first rollout goes on: otherwise those whose turn
    comes later would not count in the meantime.
    """
    with logs.readable(path):
        old = logs.read_rollout(path)
        if old is not None:
            used = [logs.tokens(call.line) for call in old.calls]
            budget.add(sum(used), len(used))

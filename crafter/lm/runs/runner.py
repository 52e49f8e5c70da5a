"""Runs an agent through a protocol, with logs from which it can be resumed."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import platform
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from typing import Any

import numpy as np

from crafter.core import journal
from crafter.core.cluster import Here
from crafter.llm_client.budget import Budget, BudgetSpent
from crafter.llm_client.client import EndpointError
from crafter.lm.agents.base import LMAgent
from crafter.lm.rendering.phrases import printable
from crafter.lm.runs import logs
from crafter.lm.runs.game import Game
from crafter.lm.runs.logs import LogError, LogWriter, RolloutLog, log_path
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


def run(
    protocol: Protocol,
    make_agent: Callable[[], LMAgent],
    folder: pathlib.Path,
    *,
    parallel: int | None = None,
    budget: Budget | None = None,
    prompts: bool = True,
    report: Callable[[str], None] = lambda line: None,
    cluster: Here | None = None,
    stop: threading.Event | None = None,
) -> list[Outcome]:
    """Plays all rollouts of a protocol, or resumes where an earlier run stopped.

    Args:
      protocol: What is played.
      make_agent: Makes the agent, once for each rollout.
      folder: Where the logs go; the same folder again resumes the run.
      parallel: Rollouts that are played at the same time; by default one, or on a
        cluster as many as it has room for.
      budget: Limits of the whole run; what the logs say was used counts, too.
      prompts: Whether logs hold the whole requests; otherwise a checksum.
      report: Told a line about each rollout that ends.
      cluster: Who plays the rollouts, if not threads of this process; then the budget
        is one that it shares. A log is written when its rollout stops.
      stop: Set when the run is interrupted; rollouts then stop after their call.

    Returns:
      The outcome of each rollout.

    Raises:
      LogError: If the folder holds another run, its logs do not match the game, or
        another process is playing it.
      ValueError: If the protocol cannot be played, or lacks what the agent needs.
    """
    header = _checked_header(protocol, make_agent())
    budget = Budget() if budget is None else budget
    stop = threading.Event() if stop is None else stop
    rollouts = _Rollouts(protocol, make_agent, header, budget, prompts)
    numbers = range(len(protocol.seeds))
    folder.mkdir(parents=True, exist_ok=True)
    with journal.locked(folder):
        _claim(folder, header)
        for number in numbers:
            _recall(log_path(folder, number), budget)
        if cluster is None:
            return rollouts.play_here(folder, parallel or 1, stop, report)
        pieces = [(number, _content(log_path(folder, number))) for number in numbers]
        outcomes = []
        for outcome, log in cluster.map(rollouts.play_away, pieces, parallel):
            journal.replace(log_path(folder, outcome.number), log)
            report(str(outcome))
            outcomes.append(outcome)
        return outcomes


def _checked_header(protocol: Protocol, agent: LMAgent) -> dict[str, Any]:
    """Returns what defines a run; checks that its games can be played.

    Raises:
      ValueError: If not.
    """
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


def _claim(folder: pathlib.Path, header: dict[str, Any]) -> None:
    """Writes what the run is, or checks that it is the same."""
    path = folder / "run.json"
    text = json.dumps(header, indent=2)
    if not path.exists():
        journal.replace(path, text + "\n")
        return
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
    old = logs.read_rollout(path)
    if old is not None:
        used = [logs.tokens(call.line) for call in old.calls]
        budget.recall(sum(used), len(used))


def _content(path: pathlib.Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


@dataclasses.dataclass(frozen=True)
class _Rollouts:
    """Plays the rollouts of a run.

    Attributes:
      protocol: What is played.
      make_agent: Makes the agent.
      header: What defines the run.
      budget: Limits of the whole run.
      prompts: Whether logs hold whole requests.
    """

    protocol: Protocol
    make_agent: Callable[[], LMAgent]
    header: dict[str, Any]
    budget: Budget
    prompts: bool

    def play_here(
        self,
        folder: pathlib.Path,
        threads: int,
        stop: threading.Event,
        report: Callable[[str], None],
    ) -> list[Outcome]:
        """Plays in threads; an error in one stops the others after their call."""

        def play(number: int) -> Outcome:
            outcome = self.play(folder, number, stop)
            report(str(outcome))
            return outcome

        with ThreadPoolExecutor(threads) as pool:
            try:
                return list(pool.map(play, range(len(self.protocol.seeds))))
            except BaseException:
                stop.set()
                raise

    def play_away(self, piece: tuple[int, str | None]) -> tuple[Outcome, str]:
        """Plays a rollout in a folder of its own.

        Args:
          piece: Number of the rollout, and its log so far.

        Returns:
          The outcome and the log.
        """
        number, log = piece
        with tempfile.TemporaryDirectory() as name:
            path = log_path(pathlib.Path(name), number)
            if log is not None:
                path.write_text(log, "utf-8")
            outcome = self.play(path.parent, number, threading.Event())
            return outcome, path.read_text("utf-8")

    def play(self, folder: pathlib.Path, number: int, stop: threading.Event) -> Outcome:
        """Plays a rollout to the end, or until something prevents it."""
        with contextlib.closing(LogWriter(log_path(folder, number))) as log:
            rollout = _Rollout(self, number, log)
            end = rollout.resume()
            try:
                while end is None and not rollout.game.done:
                    if stop.is_set():
                        return Outcome(number, False, "interrupted")
                    rollout.call()
            except BudgetSpent as error:
                return Outcome(number, False, str(error))
            except EndpointError as error:
                if error.kind == "stopped":
                    return Outcome(number, False, "interrupted")
                told = str(error)
                log.write("failure", kind=error.kind, tries=error.tries, message=told)
                return Outcome(number, False, told)
            end = rollout.end() if end is None else end
        return Outcome(
            number,
            True,
            f"{len(end['achievements'])} achievements, {end['steps']} steps, "
            f"{end['calls']} calls, ended by {end['reason']}",
        )


class _Rollout:
    """One rollout, resumed from its log if there is one.

    Args:
      run: The run.
      number: Which rollout, from 0.
      log: Its log.

    Attributes:
      game: The game.
    """

    def __init__(self, run: _Rollouts, number: int, log: LogWriter) -> None:
        self._run, self._log = run, log
        self.game = Game(run.protocol, run.protocol.seeds[number])
        self._agent = run.make_agent()
        self.game.seat(self._agent)

    def call(self) -> None:
        """Asks the agent and plays what it says."""
        message, run = self.game.message, self._run
        run.budget.start_call()
        reply = printable(self._agent.act(message))
        cost = self._agent.last_call()
        run.budget.add_tokens(logs.tokens(cost))
        prompt = cost.pop("prompt", message.text)
        line: dict[str, Any] = {
            "n": self.game.aci.calls_made + 1,
            "reply": reply,
            "prompt": prompt,
        }
        line = line if run.prompts else logs.with_hash(line)
        self._log.write("call", sync=True, **line, **cost)
        self._play(reply)

    def _play(self, reply: str) -> None:
        for type, fields in self.game.play(reply):
            self._log.write(type, **fields)

    def end(self) -> dict[str, Any]:
        """Writes and returns the last line."""
        checksum = logs.checksum(logs.read(self._log.path))
        end = {**self.game.end(), "checksum": checksum}
        self._log.write("rollout_end", sync=True, **end)
        return end

    def resume(self) -> dict[str, Any] | None:
        """Rebuilds the game from the log; returns the last line if it is complete."""
        log = self._log
        old = logs.rollout_of(log.path, log.rows)
        if old is None:
            log.write("run_start", sync=True, **self.game.start(), **self._run.header)
            return None
        if old.start["seed"] != self.game.seed:
            raise LogError(f"{log.path}: it belongs to another seed")
        if old.end is None:
            self._play_again(old)
        return old.end

    def _play_again(self, old: RolloutLog) -> None:
        """Plays all logged calls; the steps of the last one are logged anew."""
        for call in old.calls[:-1]:
            self._agent.recall(self.game.message, call.line["reply"])
            old.compare(call, self.game.play(call.line["reply"]))
        last = old.calls[-1].line if old.calls else old.start
        kept = 1 + next(i for i, line in enumerate(old.lines) if line is last)
        failures = [line for line in old.lines[kept:] if line["type"] == "failure"]
        self._log.keep(kept)
        if old.calls:
            self._agent.recall(self.game.message, last["reply"])
            self._play(last["reply"])
        for line in failures:
            self._log.write(**{n: v for n, v in line.items() if n not in ("v", "ts")})

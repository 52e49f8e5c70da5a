"""Runs an agent through a protocol, with logs from which it can be resumed."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import pathlib
import platform
import tempfile
import threading
from collections.abc import Callable, Iterable
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
from crafter.lm.runs.game import Game, log_path
from crafter.lm.runs.logs import LogError, LogWriter, RolloutLog, text_hash, tokens
from crafter.lm.runs.protocols import Protocol


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a rollout ended.

    Attributes:
      number: Which one, from 0.
      finished: Whether it is complete; otherwise it can go on later.
      message: Why it is not.
    """

    number: int
    finished: bool
    message: str = ""


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
    folder.mkdir(parents=True, exist_ok=True)
    with journal.locked(folder):
        _claim(folder, header)
        shared = Budget() if budget is None else budget
        numbers = range(len(protocol.seeds))
        for number in numbers:
            _recall(log_path(folder, number), shared)
        if cluster is not None:
            away = functools.partial(
                _play_away, protocol, make_agent, header, shared, prompts
            )
            pieces = [(number, _content(folder, number)) for number in numbers]
            return _keep(cluster.map(away, pieces, parallel), folder, report)
        stop = threading.Event() if stop is None else stop

        def play(number: int) -> Outcome:
            rollout = Rollout(
                protocol, make_agent(), folder, number, header, shared, prompts
            )
            outcome = rollout.play(stop)
            report(_line(outcome, rollout))
            return outcome

        return _in_threads(play, numbers, parallel or 1, stop)


def _in_threads(
    play: Callable[[int], Outcome],
    numbers: Iterable[int],
    threads: int,
    stop: threading.Event,
) -> list[Outcome]:
    """Plays rollouts in threads; an error in one stops the others after their call."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            return list(pool.map(play, numbers))
        except BaseException:
            stop.set()
            raise


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
    game = Game(protocol, protocol.seeds[0])
    agent.reset(game.briefing())
    agent.attach(game.aci)
    return describe(protocol, agent)


def _play_away(
    protocol: Protocol,
    make_agent: Callable[[], LMAgent],
    header: dict[str, Any],
    budget: Budget,
    prompts: bool,
    piece: tuple[int, str | None],
) -> tuple[Outcome, str, str]:
    """Plays a rollout in a folder of its own.

    Args:
      protocol: What is played.
      make_agent: Makes the agent.
      header: What defines the run.
      budget: Limits of the whole run.
      prompts: Whether the log holds whole requests.
      piece: Number of the rollout, and its log so far.

    Returns:
      The outcome, a line about it, and the log.
    """
    number, log = piece
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = log_path(folder, number)
        if log is not None:
            path.write_text(log, "utf-8")
        rollout = Rollout(
            protocol, make_agent(), folder, number, header, budget, prompts
        )
        outcome = rollout.play(threading.Event())
        return outcome, _line(outcome, rollout), path.read_text("utf-8")


def _recall(path: pathlib.Path, budget: Budget) -> None:
    """Counts the calls of a log.

    All logs are counted before the first rollout goes on: otherwise those whose turn
    comes later would not count in the meantime.
    """
    old = logs.read_rollout(path)
    if old is not None:
        used = [tokens(call.line) for call in old.calls]
        budget.recall(sum(used), len(used))


def _keep(
    played: Iterable[tuple[Outcome, str, str]],
    folder: pathlib.Path,
    report: Callable[[str], None],
) -> list[Outcome]:
    """Writes the logs of rollouts as they come, and returns the outcomes."""
    outcomes = []
    for outcome, line, log in played:
        journal.replace(log_path(folder, outcome.number), log)
        report(line)
        outcomes.append(outcome)
    return outcomes


def _content(folder: pathlib.Path, number: int) -> str | None:
    path = log_path(folder, number)
    return path.read_text("utf-8") if path.exists() else None


def describe(protocol: Protocol, agent: LMAgent) -> dict[str, Any]:
    """Returns what defines a run; runs with the same can be continued and compared."""
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
    found = logs.read_header(folder)
    different = [
        name
        for name in ("protocol", "agent", "agent_settings", "rules")
        if found.get(name) != json.loads(text)[name]
    ]
    if different:
        raise LogError(
            f"{folder} holds a run with other {', '.join(different)}; choose another "
            "folder, or the same settings to go on."
        )


def _line(outcome: Outcome, rollout: Rollout) -> str:
    if not outcome.finished:
        return f"rollout {outcome.number}: suspended: {outcome.message}"
    end = rollout.end
    return (
        f"rollout {outcome.number}: {len(end['achievements'])} achievements, "
        f"{end['steps']} steps, {end['calls']} calls, ended by {end['reason']}"
    )


class Rollout:
    """One rollout, resumed from its log if there is one.

    Args:
      protocol: What is played.
      agent: Who plays.
      folder: Where the logs are.
      number: Which rollout, from 0.
      header: What defines the run.
      budget: Limits of the whole run.
      prompts: Whether the log holds whole requests.

    Attributes:
      game: The game.
      end: The last line of the log, once it is complete.
    """

    def __init__(
        self,
        protocol: Protocol,
        agent: LMAgent,
        folder: pathlib.Path,
        number: int,
        header: dict[str, Any],
        budget: Budget,
        prompts: bool = True,
    ) -> None:
        self._agent, self._number, self._header = agent, number, header
        self._budget, self._prompts = budget, prompts
        self._path = log_path(folder, number)
        self.game = Game(protocol, protocol.seeds[number])
        self.end: dict[str, Any] = {}

    def play(self, stop: threading.Event) -> Outcome:
        """Plays to the end, or until something prevents it.

        Args:
          stop: Set when the run is interrupted.
        """
        self._agent.reset(self.game.briefing())
        self._agent.attach(self.game.aci)
        with contextlib.closing(LogWriter(self._path)) as log:
            message = "" if self._go_on(log) else self._play_on(log, stop)
        return Outcome(self._number, not message, message)

    def _play_on(self, log: LogWriter, stop: threading.Event) -> str:
        """Plays to the end; returns what prevents it, or an empty text."""
        try:
            while not self.game.done:
                if stop.is_set():
                    return "interrupted"
                self._call(log)
        except BudgetSpent as error:
            return str(error)
        except EndpointError as error:
            if error.kind == "stopped":
                return "interrupted"
            log.write("failure", kind=error.kind, tries=error.tries, message=str(error))
            return str(error)
        self._end(log)
        return ""

    def _end(self, log: LogWriter) -> None:
        checksum = logs.checksum(logs.read(self._path))
        self.end = {**self.game.end(), "checksum": checksum}
        log.write("rollout_end", sync=True, **self.end)

    def _call(self, log: LogWriter) -> None:
        message = self.game.message
        self._budget.start_call()
        reply = printable(self._agent.act(message))
        cost = self._agent.last_call()
        self._budget.add_tokens(tokens(cost))
        prompt = cost.pop("prompt", message.text)
        key = "prompt" if self._prompts else "prompt_hash"
        told = prompt if self._prompts else text_hash(prompt)
        number = self.game.aci.calls_made + 1
        log.write("call", sync=True, n=number, reply=reply, **{key: told}, **cost)
        self._play(log, reply)

    def _play(self, log: LogWriter, reply: str) -> None:
        for type, fields in self.game.play(reply):
            log.write(type, **fields)

    # Going on.

    def _go_on(self, log: LogWriter) -> bool:
        """Rebuilds the game from the log; returns whether it is complete."""
        old = logs.rollout_of(self._path, log.rows)
        if old is None:
            log.write("run_start", sync=True, **self.game.start(), **self._header)
            return False
        if old.start["seed"] != self.game.seed:
            raise LogError(f"{self._path}: it belongs to another seed")
        if old.end is not None:
            self.end = old.end
            return True
        self._play_again(old, log)
        return False

    def _play_again(self, old: RolloutLog, log: LogWriter) -> None:
        """Plays all logged calls; the steps of the last one are logged anew."""
        for call in old.calls[:-1]:
            self._agent.recall(self.game.message, call.line["reply"])
            compare(self._path, call.played, self.game.play(call.line["reply"]))
        last = old.calls[-1].line if old.calls else old.start
        kept = 1 + next(i for i, line in enumerate(old.lines) if line is last)
        failures = [line for line in old.lines[kept:] if line["type"] == "failure"]
        log.keep(kept)
        if old.calls:
            self._agent.recall(self.game.message, last["reply"])
            self._play(log, last["reply"])
        for line in failures:
            log.write(**{n: v for n, v in line.items() if n not in ("v", "ts")})


def compare(path: pathlib.Path, lines: list[dict[str, Any]], played: list[Any]) -> None:
    """Compares the lines of a log with the game.

    Raises:
      LogError: If they differ.
    """
    for line, (type, fields) in zip(lines, played):
        logged = {n: v for n, v in line.items() if n not in logs.TRANSIENT}
        if logged != json.loads(json.dumps({"type": type, **fields})):
            raise LogError(
                f"{path}: the log does not match the game at {type} "
                f"{fields.get('t', '')}: logged {logged}, played {fields}."
            )
    if len(lines) != len(played):
        raise LogError(f"{path}: {len(played)} lines were expected, not {len(lines)}.")

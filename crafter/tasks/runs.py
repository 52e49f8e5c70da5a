"""Runs of a suite: attempts by one agent, in shards, stopped and begun again at will.

A shard has a file of results, a header and one line per attempt, in the order of the
suite. A line is written when its attempt is over, so that at most the attempt in
progress is lost; a line that was cut off is made again. The file begins with the first
attempt that is made: an agent that cannot be made leaves nothing behind.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TextIO

from crafter.core.cluster import Map
from crafter.scoring.statistics import wilson_interval
from crafter.tasks import packed, records
from crafter.tasks.agents import BLIND, Agent, Factory, settings_of
from crafter.tasks.envs import TaskEnv
from crafter.tasks.suites import Entry, Suite

#: Version of the form of the files.
FORMAT = 1
#: The files of a folder that hold results.
PATTERNS = ("results-*.jsonl", "results-*.jsonl.gz")


class RunError(ValueError):
    """Results cannot be read or do not belong together; the message says why."""


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of an attempt.

    Attributes:
      task: Its task.
      level: Its difficulty.
      index: Number of the scene.
      scene: Hash of the scene.
      verdict: `DONE` or `FAILED`.
      reason: Why it failed, or `None`.
      steps: How many steps it took.
      budget: How many it might have taken.
      progress: How far it came, 0 to 1.
    """

    task: str
    level: str
    index: int
    scene: str
    verdict: str
    reason: str | None
    steps: int
    budget: int
    progress: float


@dataclasses.dataclass(frozen=True)
class Run:
    """What an agent made of a suite.

    Attributes:
      suite: Name of the suite.
      sha256: Of the suite.
      agent: Name of the agent.
      attempts: How many attempts the suite has.
      results: Those that are finished, in the order of the suite.
    """

    suite: str
    sha256: str
    agent: str
    attempts: int
    results: tuple[Result, ...]


# Making attempts.


def _check_again(
    path: pathlib.Path, entry: Entry, result: Result, before: Result
) -> None:
    """Raises an error if an attempt that was made again ended in another way."""
    if result != before:
        raise RunError(
            f"{path}: {entry.key} ended as {before}, and made again as {result}. "
            f"Choose another folder."
        )


def _append(file: TextIO, result: Result) -> None:
    """Writes a result to the disk."""
    file.write(_line(dataclasses.asdict(result)))
    file.flush()
    os.fsync(file.fileno())


def run_shard(
    suite: Suite,
    agent: str,
    factory: Factory,
    folder: str | os.PathLike,
    shard: tuple[int, int] = (1, 1),
    record: bool = False,
    say: Callable[[str], None] = print,
    each: Map = map,
    **arguments: Any,
) -> pathlib.Path:
    """Makes the attempts of a shard that are not made yet.

    Args:
      suite: The suite.
      agent: Name of the agent, for the file.
      factory: Makes the agent of an attempt.
      folder: Where the results are written.
      shard: Which one of how many, from 1.
      record: Whether every attempt is also written as a whole; see
        `crafter.tasks.records`. Finished attempts that were not are made again.
      say: Called with a line after each attempt.
      each: What makes the attempts; by default in this process. The files are the
        same whatever does.
      **arguments: Of the environment, such as `size`.

    Returns:
      The file of results.

    Raises:
      RunError: If the file belongs to another suite or agent, or an attempt that is
        made again to be written as a whole ends otherwise.
    """
    entries = suite.shard(*shard)
    path = pathlib.Path(folder, f"results-{shard[0]}-of-{shard[1]}.jsonl")
    head = _head(suite, agent, shard, settings_of(factory))
    head, done = _resume(path, head, entries)

    def place(number: int) -> pathlib.Path:
        return path.parent / record_name(_place(number, shard))

    numbers = [n for n in range(len(done)) if record and not place(n).exists()]
    numbers += range(len(done), len(entries))
    make = functools.partial(
        _make, factory=factory, agent=agent, record=record, arguments=arguments
    )
    made = zip(numbers, each(make, [entries[n] for n in numbers]))
    first = list(itertools.islice(made, 1))  # before anything is written
    _begin(path, head, done)
    with path.open("a", encoding="utf-8") as file:
        for number, (result, whole) in itertools.chain(first, made):
            entry = entries[number]
            if number < len(done):
                _check_again(path, entry, result, done[number])
            if whole is not None:
                _keep(place(number), whole)
            if number >= len(done):
                _append(file, result)
            say(f"{number + 1}/{len(entries)} {entry.key}: {result.verdict}")
    return path


def _make(
    entry: Entry,
    factory: Factory,
    agent: str,
    record: bool,
    arguments: Mapping[str, Any],
) -> tuple[Result, bytes | None]:
    """Makes an attempt; returns it, and the file of the whole if that is wanted."""
    if agent in BLIND:
        arguments = {"observation": "semantic", **arguments}
    if not record:
        return attempt(entry, factory, agent, **arguments), None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "attempt.jsonl.gz"
        result = attempt(entry, factory, agent, path, **arguments)
        return result, path.read_bytes()


def _keep(path: pathlib.Path, content: bytes) -> None:
    """Writes a file as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_bytes(content)
    os.replace(unfinished, path)


def record_name(place: int) -> str:
    """Returns the file of a whole attempt in the folder of its run.

    Args:
      place: Place of the attempt in the suite, whatever the sharding.
    """
    return f"attempts/{place:05d}.jsonl.gz"


def _place(number: int, shard: Sequence[int]) -> int:
    """Returns the place in the suite of an attempt of a shard."""
    return number * shard[1] + shard[0] - 1


def attempt(
    entry: Entry,
    factory: Factory,
    agent: str = "unknown",
    path: str | os.PathLike | None = None,
    **arguments: Any,
) -> Result:
    """Makes one attempt.

    Args:
      entry: What is attempted.
      factory: Makes the agent.
      agent: Its name, for the file.
      path: Where the attempt is written as a whole, or `None`.
      **arguments: Of the environment.
    """
    scene = entry.scene()
    env = TaskEnv(
        entry.made_from,
        entry.level,
        scene=scene,
        area=scene.area,
        budget=entry.budget,
        record=path is not None,
        **arguments,
    )
    player = factory(env)
    _play(env, player, agent, path)
    assert env.attempt.monitor is not None
    footer, monitor = env.attempt.footer(), env.attempt.monitor
    return Result(
        task=entry.task,
        level=entry.level,
        index=entry.index,
        scene=scene.hash,
        verdict=str(footer.verdict),
        reason=footer.reason,
        steps=footer.step,
        budget=env.budget,
        progress=monitor.progress,
    )


def _play(
    env: TaskEnv, player: Agent, agent: str, path: str | os.PathLike | None
) -> None:
    obs, info = env.reset()
    head = env.header(agent)
    player.reset(obs, info)
    over = False
    while not over:
        obs, _, terminated, truncated, info = env.step(player.act(obs))
        over = terminated or truncated
    if path is not None:
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        unfinished = pathlib.Path(f"{os.fspath(path)}.part.jsonl.gz")
        records.write(unfinished, head, env.attempt.records, env.attempt.footer())
        os.replace(unfinished, path)


# Files.


def _head(
    suite: Suite, agent: str, shard: tuple[int, int], settings: Mapping[str, Any]
) -> dict[str, Any]:
    head = {
        "format": FORMAT,
        "suite": suite.name,
        "sha256": suite.sha256,
        "agent": agent,
        "attempts": len(suite.entries),
        "shard": list(shard),
    }
    return {**head, "settings": dict(settings)} if settings else head


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":")) + "\n"


def _resume(
    path: pathlib.Path, head: dict[str, Any], entries: Sequence[Entry]
) -> tuple[dict[str, Any], list[Result]]:
    """Returns the header of a file and the attempts that are finished in it.

    A suite is what its hash says: a pack may have another path than before.
    """
    lines: list[str] = []
    if path.exists():
        lines = path.read_text("utf-8").rpartition("\n")[0].split("\n")
        lines = [line for line in lines if line]
    if lines:
        found = _header(lines[0], path)
        if {**found, "suite": head["suite"]} != head:
            raise RunError(
                f"{path} holds results of another suite or agent: {lines[0]}, not "
                f"{_line(head)[:-1]}. Choose another folder."
            )
        head = found
    results = [_result(line, path) for line in lines[1:]]
    for result, entry in zip(results, entries):
        if (result.task, result.level, result.index) != (
            entry.task,
            entry.level,
            entry.index,
        ):
            raise RunError(f"{path}: expected {entry.key}, got {result}.")
    return head, results


def _begin(path: pathlib.Path, head: dict[str, Any], done: Sequence[Result]) -> None:
    """Writes what a file has so far, without a line that was cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [_line(head), *(_line(dataclasses.asdict(result)) for result in done)]
    unfinished = path.with_suffix(".part")
    unfinished.write_text("".join(lines), "utf-8")
    os.replace(unfinished, path)


def _result(line: str, path: pathlib.Path) -> Result:
    try:
        return Result(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise RunError(f"{path}: a damaged line: {line[:80]!r} ({error})") from error


def merge(paths: Iterable[str | os.PathLike]) -> list[Run]:
    """Reads the results of shards and puts together those that belong together.

    Args:
      paths: Files of results, or folders of them.

    Returns:
      A run per suite and agent. What they hold does not depend on how a suite was cut
      into shards.

    Raises:
      RunError: If a file is damaged, an attempt is there twice with different ends, or
        an agent has different settings.
    """
    found: dict[tuple[str, str, int], dict[int, Result]] = {}
    names: dict[str, str] = {}  # a pack may have several paths
    settings: dict[tuple[str, str, int], Any] = {}
    for path in packed.find(paths, PATTERNS, "results", RunError):
        head, results = _read(path)
        names.setdefault(head["sha256"], head["suite"])
        key = (head["sha256"], head["agent"], head["attempts"])
        own = head.get("settings")
        if settings.setdefault(key, own) != own:
            raise RunError(
                f"{path}: {head['agent']} has the settings {own} here, and "
                f"{settings[key]} in other files."
            )
        places = found.setdefault(key, {})
        for number, result in enumerate(results):
            place = _place(number, head["shard"])
            if places.setdefault(place, result) != result:
                raise RunError(f"{path}: {result} is there with another end, too.")
    return [
        Run(names[key[0]], *key, results=tuple(places[n] for n in sorted(places)))
        for key, places in found.items()
    ]


def places(path: str | os.PathLike) -> list[int]:
    """Returns the places in the suite of the results of a file.

    Raises:
      RunError: If it is damaged.
    """
    head, results = _read(pathlib.Path(path))
    return [_place(number, head["shard"]) for number in range(len(results))]


def _read(path: pathlib.Path) -> tuple[dict[str, Any], list[Result]]:
    lines = packed.read_text(path, RunError).rpartition("\n")[0].split("\n")
    head = _header(lines[0], path)
    return head, [_result(line, path) for line in lines[1:] if line]


def _header(line: str, path: pathlib.Path) -> dict[str, Any]:
    try:
        head: dict[str, Any] = json.loads(line)
        missing = {"suite", "sha256", "agent", "attempts", "shard"} - set(head)
        if missing:
            raise ValueError(f"the header lacks {sorted(missing)}")
    except (ValueError, TypeError) as error:
        raise RunError(f"{path}: no results: {error}") from error
    return head


# Tables.


def table(runs: Sequence[Run]) -> str:
    """Returns success rates as text, with 95 % Wilson intervals.

    A line per task and level for every agent, then one per level and one for all.
    """
    lines = []
    for run in runs:
        groups = _groups(run)
        width = max(24, *(len(name) for (name, _), _ in groups))
        lines += [
            f"{run.agent} on {run.suite} ({run.sha256[:12]}): "
            f"{len(run.results)} of {run.attempts} attempts",
            _columns("task".ljust(width), "level", "done", "rate", "95 %", "steps"),
        ]
        lines += [_row(n.ljust(width), level, part) for (n, level), part in groups]
    return "\n".join(lines)


def summary(runs: Sequence[Run]) -> str:
    """Returns a Markdown table: a row per agent, success by level with intervals."""
    levels = list(dict.fromkeys(r.level for run in runs for r in run.results))
    head = "| Agent | Attempts | " + " | ".join(levels) + " |"
    rows = [
        f"| {run.agent} | {len(run.results)} of {run.attempts} | "
        + " | ".join(_share([r for r in run.results if r.level == x]) for x in levels)
        + " |"
        for run in runs
    ]
    return "\n".join([head, "|---" * (len(levels) + 2) + "|", *rows])


def _share(results: Sequence[Result]) -> str:
    if not results:
        return "–"
    done = sum(result.verdict == "DONE" for result in results)
    low, high = wilson_interval(done, len(results))
    share = f"{100 * done / len(results):.1f} %"
    return f"{done}/{len(results)}, {share} [{100 * low:.1f}, {100 * high:.1f}]"


def _groups(run: Run) -> list[tuple[tuple[str, str], list[Result]]]:
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in run.results:
        groups.setdefault((result.task, result.level), []).append(result)
    levels = dict.fromkeys(result.level for result in run.results)
    for level in levels:
        groups["all", level] = [r for r in run.results if r.level == level]
    groups["all", "all"] = list(run.results)
    return list(groups.items())


def _row(name: str, level: str, results: Sequence[Result]) -> str:
    done = [result for result in results if result.verdict == "DONE"]
    if not results:
        return _columns(name, level, "0/0", "-", "-", "-")
    low, high = wilson_interval(len(done), len(results))
    share = f"{100 * len(done) / len(results):.1f} %"
    interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
    steps = sorted(result.steps for result in done)
    median = str(steps[len(steps) // 2]) if steps else "-"
    count = f"{len(done)}/{len(results)}"
    return _columns(name, level, count, share, interval, median)


def _columns(
    name: str, level: str, done: str, rate: str, interval: str, steps: str
) -> str:
    return f"{name} {level:8} {done:>9} {rate:>7} {interval:>15} {steps:>7}"

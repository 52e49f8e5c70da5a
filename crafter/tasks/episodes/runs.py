"""Runs of a suite: episodes by one agent, in shards, which can be resumed."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from crafter.core import journal
from crafter.core.cluster import Map
from crafter.tasks.episodes.agents import BLIND, Factory, settings_of
from crafter.tasks.episodes.play import EpisodeResult, EpisodeSpec, watched
from crafter.tasks.episodes.results import Results, RunError, find, read, success
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.world import records

#: Version of the form of the files.
FORMAT = 1
#: The files of a folder that hold results.
PATTERNS = ("results-*.jsonl", "results-*.jsonl.gz")


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
    results: tuple[EpisodeResult, ...]


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
    """Plays the episodes of a shard that are not played yet.

    Args:
      suite: The suite.
      agent: Name of the agent, for the file.
      factory: Makes the agent of an episode.
      folder: Where the results are written.
      shard: Which one of how many, from 1.
      record: Whether every attempt is also written as a whole; see
        `crafter.tasks.world.records`.
      say: Called with a line after each episode.
      each: What plays them; by default in this process. The files are the same
        whatever does.
      **arguments: Of the environment, such as `size`.

    Returns:
      The file of results.

    Raises:
      RunError: If the file belongs to another suite or agent, or holds attempts that
        were not written as a whole, though that is wanted.
    """
    specs = suite.shard(*shard)
    path = pathlib.Path(folder, f"results-{shard[0]}-of-{shard[1]}.jsonl")
    files = {
        spec.key: path.parent / record_name(_place(number, shard))
        for number, spec in enumerate(specs)
    }
    if agent in BLIND:
        arguments = {"observation": "semantic", **arguments}
    make = functools.partial(
        _made, factory=factory, agent=agent, record=record, arguments=arguments
    )
    head = _head(suite, agent, shard, settings_of(factory))
    # A suite is what its hash says: a pack may have another path than before.
    with Results(path, head, names=("suite",)) as file:
        left = file.left(specs)
        number = len(specs) - len(left)
        if record and not all(files[spec.key].exists() for spec in specs[:number]):
            raise RunError(
                f"{path} has attempts without records. Choose another folder."
            )
        for spec, (result, whole) in zip(left, each(make, left)):
            if whole is not None:
                journal.replace(files[spec.key], whole)
            file.add(result)
            number += 1
            say(f"{number}/{len(specs)} {spec.key}: {result.verdict}")
    return path


def _made(
    spec: EpisodeSpec,
    factory: Factory,
    agent: str,
    record: bool,
    arguments: Mapping[str, Any],
) -> tuple[EpisodeResult, bytes | None]:
    """Plays an episode; returns it, and the file of the whole if that is wanted."""
    result, env = watched(spec, factory, record=record, **arguments)
    attempt = env.attempt
    lines = records.lines(env.header(agent), attempt.records, attempt.footer())
    return result, records.encoded(lines, packed=True) if record else None


def record_name(place: int) -> str:
    """Returns the file of a whole attempt in the folder of its run.

    Args:
      place: Place of the attempt in the suite, whatever the sharding.
    """
    return f"attempts/{place:05d}.jsonl.gz"


def _place(number: int, shard: Sequence[int]) -> int:
    """Returns the place in the suite of an attempt of a shard."""
    return number * shard[1] + shard[0] - 1


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
    found: dict[tuple[str, str, int], dict[int, EpisodeResult]] = {}
    names: dict[str, str] = {}  # a pack may have several paths
    settings: dict[tuple[str, str, int], Any] = {}
    for path in find(paths, PATTERNS, "results"):
        head, results = read(path)
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
    head, results = read(path)
    return [_place(number, head["shard"]) for number in range(len(results))]


# Tables.


def table(runs: Sequence[Run]) -> str:
    """Returns what agents reached as text, with 95 % Wilson intervals."""
    parts = []
    for run in runs:
        parts.append(
            f"{run.agent} on {run.suite} ({run.sha256[:12]}): "
            f"{len(run.results)} of {run.attempts} attempts"
        )
        parts.append(success(run.results).render("text"))
    return "\n".join(parts)

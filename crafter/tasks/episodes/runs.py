"""Runs an agent on a suite: in shards, resumable."""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

from crafter.core import journal
from crafter.core.cluster import Map
from crafter.tasks.episodes.agents import Factory, known, settings_of
from crafter.tasks.episodes.play import EpisodeResult, EpisodeSpec, watched
from crafter.tasks.episodes.results import Results, RunError
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.world import records

#: Version of the form of the files.
FORMAT = 1


def run_shard(
    suite: Suite,
    agent: str,
    factory: Factory,
    folder: str | os.PathLike,
    shard: tuple[int, int] = (1, 1),
    record: bool = False,
    log: Callable[[str], None] = print,
    each: Map = map,
    **arguments: Any,
) -> pathlib.Path:
    """Plays the episodes of a shard that have no result yet.

    Args:
      suite: The suite.
      agent: Name of the agent, for the file.
      factory: Makes the agent of an episode.
      folder: Where the results are written.
      shard: Number of the shard, from 1, and of all shards.
      record: Whether complete records are also written; see
        `crafter.tasks.world.records`.
      log: Called with a line after each episode.
      each: Maps a function over episodes; by default in this process. The files do not
        depend on it.
      **arguments: Of the environment, such as `size`.

    Returns:
      The file of results.

    Raises:
      RunError: If the file belongs to another suite or agent, or has attempts without
        records although `record` is set.
    """
    specs = suite.shard(*shard)
    path = pathlib.Path(folder, f"results-{shard[0]}-of-{shard[1]}.jsonl")
    files = {
        spec.key: path.parent / record_name(number * shard[1] + shard[0] - 1)
        for number, spec in enumerate(specs)
    }
    if agent in known(suite.game) or getattr(factory, "blind", False):
        arguments = {**suite.game.blind, **arguments}
    make = functools.partial(
        _play, factory=factory, agent=agent, record=record, arguments=arguments
    )
    head = header(suite, agent, shard, settings_of(factory))
    with Results(path, head) as file:
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
            log(f"{number}/{len(specs)} {spec.key}: {result.verdict}")
    return path


def _play(
    spec: EpisodeSpec,
    factory: Factory,
    agent: str,
    record: bool,
    arguments: Mapping[str, Any],
) -> tuple[EpisodeResult, bytes | None]:
    """Plays an episode; returns its result, and its record if requested."""
    result, env = watched(spec, factory, record=record, **arguments)
    tracker = env.tracker
    lines = records.lines(env.header(agent), tracker.records, tracker.footer())
    return result, records.encoded(lines, packed=True) if record else None


def record_name(place: int) -> str:
    """Returns the file of a record in the folder of its run.

    Args:
      place: Index of the attempt in the suite.
    """
    return f"attempts/{place:05d}.jsonl.gz"


def header(
    suite: Suite,
    agent: str,
    shard: tuple[int, int],
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the first line of a file of results; see `run_shard`."""
    head = {
        "format": FORMAT,
        "suite": suite.name,
        "sha256": suite.sha256,
        "agent": agent,
        "attempts": len(suite.entries),
        "shard": list(shard),
    }
    return {**head, "settings": dict(settings)} if settings else head

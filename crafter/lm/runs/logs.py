"""Rollout logs, one JSON line per event, and packed runs in a single file.

A packed run holds the replies and the outcomes. Everything else follows from them:
`crafter-lm verify` replays the run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import itertools
import json
import pathlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal, JournalError
from crafter.core.validation import raising
from crafter.lm.agents.players import OFFLINE

VERSION = 1
#: Fields that differ between identical runs.
TRANSIENT = ("v", "ts", "latency")
TOKENS = ("prompt_tokens", "completion_tokens")

#: A log is damaged, belongs to another run, or is open in another process.
LogError = JournalError


def log_path(folder: pathlib.Path, number: int) -> pathlib.Path:
    """Returns the path of a rollout's log."""
    return folder / f"rollout-{number:03d}.jsonl"


class LogWriter(Journal):
    """Appends lines to a log; see `crafter.core.journal.Journal`."""

    def write(self, type: str, *, sync: bool = False, **fields: Any) -> None:
        """Appends a line.

        Args:
          type: Type of the line.
          sync: Whether to wait for the write to reach the disk.
          **fields: JSON data.
        """
        line = {"type": type, "v": VERSION, "ts": round(time.time(), 3), **fields}
        self.append(json.dumps(line, separators=(",", ":")), sync=sync)


@dataclasses.dataclass(frozen=True)
class RolloutLog:
    """The parsed log of a rollout.

    Attributes:
      path: The file.
      lines: All lines.
    """

    path: pathlib.Path
    lines: list[dict[str, Any]]

    @property
    def start(self) -> dict[str, Any]:
        """The first line."""
        return self.lines[0]

    @property
    def end(self) -> dict[str, Any] | None:
        """The last line, if the rollout is complete."""
        return self.lines[-1] if self.lines[-1]["type"] == "rollout_end" else None

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The lines of the calls: prompts and replies."""
        return self.of("call")

    def of(self, *types: str) -> list[dict[str, Any]]:
        """Returns the lines of some types."""
        return [line for line in self.lines if line["type"] in types]


#: Rollout number -> its log.
Reader = Callable[[int], RolloutLog | None]


@contextlib.contextmanager
def readable(path: pathlib.Path) -> Iterator[None]:
    """Context manager that converts all errors of damaged logs to one.

    Args:
      path: The log, or the folder of a run.

    Raises:
      LogError: If the block raises one of them.
    """
    damage = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError)
    try:
        yield
    except damage as error:
        raise LogError(f"{path} is damaged: {error!r}") from error


def read_rollout(path: pathlib.Path) -> RolloutLog | None:
    """Returns the log of a rollout, or `None` if it is missing or empty.

    Raises:
      LogError: If it is damaged, or does not begin with a start line.
    """
    return rollout_of(path, journal.read(path))


def rollout_of(path: pathlib.Path, lines: list[dict[str, Any]]) -> RolloutLog | None:
    """Returns a rollout log made of some lines, or `None` if there are none.

    Raises:
      LogError: If the first line is not a start line.
    """
    if lines and lines[0].get("type") != "run_start":
        raise LogError(f"{path}: line 1 should start a run, but is {lines[0]}")
    return RolloutLog(path, lines) if lines else None


def read_header(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the definition of a run, from its run.json.

    Raises:
      LogError: If it is missing or not JSON.
    """
    prefix = f"{folder} has no readable run.json: "
    with raising(LogError, prefix, OSError, RecursionError):
        header: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return header


def tokens(call: Mapping[str, Any]) -> int:
    """Returns the number of tokens of a call, prompt and completion together."""
    return sum(call.get(name, 0) for name in TOKENS)


def text_hash(text: Any) -> str:
    """Returns a short hash of text or JSON data."""
    content = text if isinstance(text, str) else json.dumps(text, sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def with_hash(call: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a call's line with a hash in place of the prompt."""
    line = dict(call)
    if "prompt" in line:
        line["prompt_hash"] = text_hash(line.pop("prompt"))
    return line


def checksum(lines: Sequence[Mapping[str, Any]]) -> str:
    """Returns a checksum of the run and calls of a log.

    Steps and turns are omitted, since they follow from the calls, and so are the fields
    that differ between identical runs.
    """
    kept = (line for line in lines if line["type"] in ("run_start", "call"))
    return text_hash([_without(line, *TRANSIENT, "versions") for line in kept])


def _without(line: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {n: v for n, v in with_hash(line).items() if n not in names}


# Packed runs.


def pack(folder: pathlib.Path, path: pathlib.Path) -> None:
    """Writes a finished run to a file; identical runs give identical files.

    Args:
      folder: Folder with the logs of the run.
      path: The file; its name ends with `.jsonl.gz`.

    Raises:
      LogError: If the run is damaged or not complete.
    """
    lines = _packed_lines(folder)
    text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _packed_lines(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    header = read_header(folder)
    yield _without(header, "versions")
    is_offline = header["agent"] in OFFLINE  # their prompts are the observations
    left_out = ("ts", "versions", *(["prompt_hash"] if is_offline else []))
    for number in range(len(header["protocol"]["seeds"])):
        path = log_path(folder, number)
        log = read_rollout(path)
        if log is None or log.end is None:
            raise LogError(f"{path}: the rollout is not complete")
        for line in log.of("run_start", "call", "failure", "rollout_end"):
            yield _without(line, *left_out)


def read_run(path: pathlib.Path) -> tuple[dict[str, Any], Reader]:
    """Returns the definition of a run, and a reader of its rollouts.

    Args:
      path: The folder with its logs, or a file written by `pack`.

    Raises:
      LogError: If it is not a run.
    """
    if not path.is_file():
        return read_header(path), lambda number: read_rollout(log_path(path, number))
    with raising(LogError, f"{path} is not a packed run: ", OSError, KeyError):
        header, *lines = journal.read(path)
        starts = [i for i, line in enumerate(lines) if line["type"] == "run_start"]
    bounds = enumerate(itertools.pairwise([*starts, len(lines)]))
    parts = {number: lines[start:end] for number, (start, end) in bounds}
    return header, lambda n: rollout_of(log_path(path, n), parts.get(n, []))

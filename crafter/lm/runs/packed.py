"""Whole runs in one small file: what was said, and how it ended.

Everything else follows from that: `crafter-lm verify` plays it again.
"""

from __future__ import annotations

import gzip
import json
import pathlib
import zlib
from collections.abc import Iterator
from typing import Any

from crafter.lm.agents import OFFLINE
from crafter.lm.runs import logs
from crafter.lm.runs.game import log_path
from crafter.lm.runs.logs import LogError

SUFFIX = ".jsonl.gz"

# What unpacking and reading raise for damaged bytes.
_DAMAGES = (
    *(OSError, EOFError, zlib.error, RecursionError),
    *(ValueError, TypeError, KeyError),
)


def pack(folder: pathlib.Path, path: pathlib.Path) -> None:
    """Writes a finished run to a file; equal runs give equal files.

    Args:
      folder: The logs of the run.
      path: Where it is written; the name ends with `.jsonl.gz`.

    Raises:
      LogError: If the run is damaged or not complete.
    """
    text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in _lines(folder))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _lines(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    header = logs.read_header(folder)
    yield {n: v for n, v in header.items() if n != "versions"}
    known = header["agent"] in OFFLINE  # their prompts are the observations
    for number in range(len(header["protocol"]["seeds"])):
        log = logs.read_rollout(log_path(folder, number))
        if log is None or log.end is None:
            raise LogError(f"{log_path(folder, number)}: the rollout is not complete")
        for line in log.lines:
            if line["type"] in ("run_start", "call", "failure", "rollout_end"):
                left_out = {"ts", "versions", *(["prompt_hash"] if known else [])}
                told = logs.with_hash(line)
                yield {n: v for n, v in told.items() if n not in left_out}


def unpack(path: pathlib.Path, folder: pathlib.Path) -> None:
    """Writes a packed run as a folder of logs, for summaries and verification.

    Raises:
      LogError: If the file is not a packed run.
    """
    try:
        rows = gzip.decompress(path.read_bytes()).decode().splitlines()
        header, *lines = map(json.loads, rows)
        starts = [i for i, line in enumerate(lines) if line["type"] == "run_start"]
    except _DAMAGES as error:
        raise LogError(f"{path} is not a packed run: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(header), "utf-8")
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)])):
        text = "".join(json.dumps(line) + "\n" for line in lines[start:end])
        log_path(folder, number).write_text(text, "utf-8")

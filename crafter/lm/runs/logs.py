"""Logs of rollouts, one JSON line per event."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pathlib
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from crafter.core import journal
from crafter.core.journal import Journal, JournalError

VERSION = 1
#: Fields that differ between equal runs.
TRANSIENT = ("v", "ts", "latency")
TOKENS = ("prompt_tokens", "completion_tokens")

#: Type of a line -> the fields that are read from it, and their types.
_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "run_start": {"seed": int, "protocol": dict, "rules": str},
    "call": {"reply": (str, list, dict)},
    "step": {"t": int, "action": str},
    "turn": {},
    "failure": {"kind": str},
    "save": {"id": str},
    "restore": {"id": str},
    "rollout_end": {
        "reason": str,
        "steps": int,
        "calls": int,
        "invalid_calls": int,
        "achievements": dict,
        "achievement_calls": dict,
        "return": (int, float),
    },
}


#: A log is damaged or belongs to another run, or another process is writing it.
LogError = JournalError


class LogWriter(Journal):
    """Appends lines to a log; see `crafter.core.journal.Journal`."""

    def write(self, type: str, *, sync: bool = False, **fields: Any) -> None:
        """Appends a line.

        Args:
          type: What it is about.
          sync: Whether to wait until it is on the disk.
          **fields: Data for JSON.
        """
        line = {"type": type, "v": VERSION, "ts": round(time.time(), 3), **fields}
        self.append(json.dumps(line, separators=(",", ":")), sync=sync)


# Reading.


class Call(NamedTuple):
    """A call in a log.

    Attributes:
      line: What was asked and said.
      played: The lines of its steps and its turn; none in a packed log.
    """

    line: dict[str, Any]
    played: list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class RolloutLog:
    """The log of a rollout, taken apart.

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
    def calls(self) -> list[Call]:
        """The calls in order."""
        calls: list[Call] = []
        for line in self.lines:
            if line["type"] == "call":
                calls.append(Call(line, []))
            elif line["type"] in ("step", "turn") and calls:
                calls[-1].played.append(line)
        return calls

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The failures of the endpoint."""
        return [line for line in self.lines if line["type"] == "failure"]

    @property
    def packed(self) -> bool:
        """Whether steps and turns are left out."""
        return not any(line["type"] in ("step", "turn") for line in self.lines)

    def checksum(self) -> str:
        """Returns a checksum of what was asked, said and counted."""
        return checksum(self.lines)


def read(path: pathlib.Path) -> list[dict[str, Any]]:
    """Returns the lines of a log without a torn end; none if there is no file.

    Raises:
      LogError: If a line is damaged, or lacks what it must have.
    """
    return _checked(path, journal.read(path))


def read_rollout(path: pathlib.Path) -> RolloutLog | None:
    """Returns the log of a rollout, or `None` if there is none, or nothing is in it.

    Raises:
      LogError: If it is damaged, or does not begin with its start.
    """
    return rollout_of(path, journal.read(path))


def rollout_of(path: pathlib.Path, rows: list[dict[str, Any]]) -> RolloutLog | None:
    """Returns the log of a rollout with some lines, or `None` if there are none.

    Raises:
      LogError: If a line is wrong, or the first is not its start.
    """
    lines = _checked(path, rows)
    if not lines:
        return None
    if lines[0]["type"] != "run_start":
        raise LogError(
            f"{path}: line 1 should start a run, but is {lines[0]['type']!r}"
        )
    return RolloutLog(path, lines)


def read_header(folder: pathlib.Path) -> dict[str, Any]:
    """Returns what defines a run, the content of its run.json.

    Raises:
      LogError: If there is none, or it is damaged.
    """
    path = folder / "run.json"
    try:
        header = json.loads(path.read_text("utf-8"))
        kinds = {"protocol": dict, "agent": str, "agent_settings": dict, "rules": str}
        _check_fields(header, kinds)
    except (OSError, ValueError, RecursionError) as error:
        raise LogError(f"{folder} holds no readable run.json: {error}") from None
    found: dict[str, Any] = header
    return found


def _checked(path: pathlib.Path, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the lines of a log.

    Raises:
      LogError: If one lacks what it must have.
    """
    for number, line in enumerate(lines, 1):
        try:
            _check_line(line)
        except ValueError as error:
            raise LogError(f"{path}: line {number} is damaged: {error}") from None
    return lines


def _check_line(line: dict[str, Any]) -> None:
    _check_fields(line, {"type": str})
    _check_fields(line, _FIELDS.get(line["type"], {}))
    if line["type"] == "rollout_end":
        for name in ("achievements", "achievement_calls"):
            _check_fields(line[name], dict.fromkeys(line[name], int))
    if line["type"] == "call":
        _check_fields(line, {name: int for name in TOKENS if name in line})


def _check_fields(found: Any, fields: Mapping[str, type | tuple[type, ...]]) -> None:
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, got {str(found)[:40]!r}")
    for name, kind in fields.items():
        value = found.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool)):
            raise ValueError(f"the field {name!r} is missing or wrong")


def tokens(call: Mapping[str, Any]) -> int:
    """Returns the tokens of a call, question and answer together."""
    return sum(call.get(name, 0) for name in TOKENS)


def text_hash(text: Any) -> str:
    """Returns a short checksum of text or data for JSON."""
    content = text if isinstance(text, str) else json.dumps(text, sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def with_hash(call: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the line of a call with a checksum in place of the prompt."""
    line = dict(call)
    if "prompt" in line:
        line["prompt_hash"] = text_hash(line.pop("prompt"))
    return line


def checksum(lines: Sequence[Mapping[str, Any]]) -> str:
    """Returns a checksum of what a log says of the run and its calls.

    Steps and turns are left out, because they follow from the calls, and so is what
    differs between equal runs.
    """
    return text_hash(list(_lasting(lines)))


def _lasting(lines: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line["type"] in ("run_start", "call"):
            left_out = (*TRANSIENT, "versions")
            yield {n: v for n, v in with_hash(line).items() if n not in left_out}

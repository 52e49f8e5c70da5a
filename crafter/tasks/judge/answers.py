"""Reads the answer of a judge: tolerant of its form, never guessing what it means.

What is not understood is `missing`. A dimension that the judge calls not applicable is
`None`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge.opinions import MISSING

#: Further names of dimensions, as the published prompts of MCU have them.
_ALIASES = {
    "error_recognition_and_correction": "error_recognition",
    "task_completion_efficiency": "task_efficiency",
    "material_selection_and_usage": "material_usage",
}
#: The one of several names under which a value stands.
_VALUES = ("label", "score", "rating", "verdict", "outcome")
_NOT_APPLICABLE = ("n/a", "na", "not applicable")
#: Words of MCU's other scale, in the order of the labels.
_STAGES = ("none", "barely", "partially", "mostly", "completed")
_VERDICTS = {
    "a": "A",
    "a is better": "A",
    "b": "B",
    "b is better": "B",
    "tie": "tie",
    "both bad": "both_bad",
    "both are bad": "both_bad",
}
_NUMBER = re.compile(r"(\d+)(?:\.0)?(?: ?/ ?10)?")
_MARKS = re.compile(r"[*`\"“”']+")
_JOINED = re.compile(r"(?<=[A-Za-z])[-_](?=[A-Za-z])")
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_LINE = re.compile(r"^[\s\d.)(#>•-]*([A-Za-z][A-Za-z_ -]*?)\s*[:=–]\s*(.+?)\s*$")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")


def parse(
    text: str, dimensions: Sequence[str], kind: str = "ratings"
) -> dict[str, str | None]:
    """Returns what an answer says of each dimension.

    Args:
      text: The answer.
      dimensions: What was asked for; `overall` may be among them.
      kind: `ratings` or `comparisons`.

    Returns:
      Dimension -> label or outcome, `None` for one that the judge calls not
      applicable, or `missing`.

    Example:
      >>> parse('Well: {"task_progress": {"label": "**Very-poor**"}}',
      ...       ["task_progress", "action_control"])
      {'task_progress': 'very poor', 'action_control': 'missing'}
    """
    text = _THOUGHTS.sub("", text)
    said = _of_object(text, dimensions)
    if said is None:
        said = _of_lines(text, dimensions)
    return {name: _agreed(said.get(name, ()), kind) for name in dimensions}


def _agreed(values: Sequence[Any], kind: str) -> str | None:
    """Returns the one thing that all values mean; if they differ, it is missing."""
    found = {_word(value, kind) for value in values}
    return found.pop() if len(found) == 1 else MISSING


# Words.


def _word(value: Any, kind: str) -> str | None:
    if isinstance(value, Mapping):
        named = [value[name] for name in _VALUES if name in value]
        return _word(named[0], kind) if len(named) == 1 else MISSING
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return MISSING
    text = _plain(str(value))
    if text in _NOT_APPLICABLE:
        return None
    return _verdict(text) if kind == "comparisons" else _label(text)


def _plain(text: str) -> str:
    text = _JOINED.sub(" ", _MARKS.sub("", text))
    return " ".join(text.lower().split()).rstrip(" .!")


def _verdict(text: str) -> str:
    return _VERDICTS.get(text, MISSING)


def _label(text: str) -> str:
    words = tuple(LABELS)
    if text in words:
        return text
    if text in _STAGES:
        return words[_STAGES.index(text)]
    number = _NUMBER.fullmatch(text)
    if number is None or not 0 <= int(number[1]) <= 10:
        return MISSING
    return words[(int(number[1]) + 2) // 3]  # 0; 1 to 3; 4 to 6; 7 to 9; 10


# Where they stand.


def _of_object(text: str, dimensions: Sequence[str]) -> dict[str, list[Any]] | None:
    """Returns what the last object in a text says that names a dimension."""
    for value in reversed(list(_objects(text))):
        for part in _parts(value):
            said = _named(part, dimensions)
            if said:
                return said
    return None


class _Pairs(dict[str, Any]):
    """An object as it is written, with names that are there twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _objects(text: str) -> Iterator[Any]:
    """Yields the outermost objects of JSON in a text, and lists of objects."""
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    text = _TRAILING_COMMA.sub("", text)
    place = 0
    while match := re.compile(r"[{\[]").search(text, place):
        try:
            value, place = decoder.raw_decode(text, match.start())
            yield value
        except (ValueError, RecursionError):
            place = match.start() + 1


def _parts(value: Any) -> Iterator[Any]:
    """Yields a value and, after it, the objects and lists in it."""
    yield value
    inner: Any = ()
    if isinstance(value, _Pairs):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    for part in inner:
        if isinstance(part, (_Pairs, list)):
            yield from _parts(part)


def _named(value: Any, dimensions: Sequence[str]) -> dict[str, list[Any]]:
    """Returns what an object, or a list of objects, says of dimensions."""
    pairs: list[tuple[str, Any]] = []
    if isinstance(value, _Pairs):
        pairs = value.pairs
    elif isinstance(value, list):
        entries = [entry for entry in value if isinstance(entry, _Pairs)]
        pairs = [(str(entry.get("dimension", "")), entry) for entry in entries]
    said: dict[str, list[Any]] = {}
    for name, content in pairs:
        known = _dimension(name)
        if known in dimensions:
            said.setdefault(known, []).append(content)
    return said


def _dimension(name: str) -> str:
    name = _plain(name).replace(" ", "_")
    return _ALIASES.get(name, name)


def _of_lines(text: str, dimensions: Sequence[str]) -> dict[str, list[Any]]:
    """Returns what lines such as `Task Progress: **7**` say."""
    said: dict[str, list[Any]] = {}
    for line in text.splitlines():
        match = _LINE.match(_MARKS.sub("", line))
        if match is None:
            continue
        name = _dimension(re.sub(rf"(?i)[ _]({'|'.join(_VALUES)})$", "", match[1]))
        if name in dimensions and name in (*DIMENSIONS, "overall"):
            said.setdefault(name, []).append(match[2])
    return said

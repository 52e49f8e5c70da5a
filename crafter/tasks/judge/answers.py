"""Parses the answers of a judge: lenient about the form, strict about the meaning.

Labels that cannot be parsed are `missing`; dimensions that the judge calls not
applicable are `None`.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from crafter.tasks.catalogue.dimensions import LABELS
from crafter.tasks.judge.opinions import MISSING

#: A name and its content.
_Pair = tuple[str, Any]

#: Names of dimensions in the published prompts of MCU.
_ALIASES = {
    "error_recognition_and_correction": "error_recognition",
    "task_completion_efficiency": "task_efficiency",
    "material_selection_and_usage": "material_usage",
}
#: Names of fields that hold a value.
_VALUES = ("label", "score", "rating", "verdict", "outcome")
#: The other scale of MCU, in the order of the labels.
_STAGES = ("none", "barely", "partially", "mostly", "completed")
#: Kind of opinions -> word -> what it means. Numbers are 0; 1 to 3; 4 to 6; 7 to 9; 10.
_MEANINGS: dict[str, dict[str, str | None]] = {
    "ratings": {
        **dict(zip(LABELS, LABELS)),
        **dict(zip(_STAGES, LABELS)),
        **{str(n): list(LABELS)[(n + 2) // 3] for n in range(11)},
    },
    "comparisons": {
        "a": "A",
        "a is better": "A",
        "b": "B",
        "b is better": "B",
        "tie": "tie",
        **dict.fromkeys(["both bad", "both are bad"], "both_bad"),
    },
}
_NOT_APPLICABLE = dict.fromkeys(["n/a", "na", "not applicable"])

_MARKS = re.compile(r"[*`\"“”']+")
_JOINED = re.compile(r"(?<=[A-Za-z])[-_](?=[A-Za-z])")
_OF_TEN = re.compile(r"(?<=\d)(\.0)?( ?/ ?10)?$")
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_LINE = re.compile(r"^[\s\d.)(#>•-]*([A-Za-z][A-Za-z_ -]*?)\s*[:=–]\s*(.+?)\s*$")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")


def parse(
    text: str, dimensions: Sequence[str], kind: str = "ratings"
) -> dict[str, str | None]:
    """Returns the labels of dimensions in an answer.

    The last JSON object that names a dimension counts, or else the lines of the answer.

    Args:
      text: The answer.
      dimensions: The requested dimensions, perhaps with `overall`.
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
    objects = (_parts(value) for value in reversed(list(_objects(text))))
    for pairs in itertools.chain(*objects, [_lines(text)]):
        labels: dict[str, set[str | None]] = {}
        for name, content in pairs:
            labels.setdefault(_dimension(name), set()).add(_word(content, kind))
        if not labels.keys().isdisjoint(dimensions):
            words = {name: labels.get(name, set()) for name in dimensions}
            # Contradictory values count as missing.
            return {n: w.pop() if len(w) == 1 else MISSING for n, w in words.items()}
    return dict.fromkeys(dimensions, MISSING)


def _objects(text: str) -> Iterator[Any]:
    """Yields the outermost values of JSON in a text; objects are tuples of pairs."""
    decoder = json.JSONDecoder(object_pairs_hook=tuple)
    text = _TRAILING_COMMA.sub("", text)
    place = 0
    while match := re.compile(r"[{\[]").search(text, place):
        try:
            value, place = decoder.raw_decode(text, match.start())
            yield value
        except (ValueError, RecursionError):
            place = match.start() + 1


def _parts(value: Any) -> Iterator[Sequence[_Pair]]:
    """Yields the pairs of an object or list of objects, and of those inside."""
    inner: Iterable[Any] = ()
    if isinstance(value, tuple):
        yield value
        inner = [content for _, content in value]
    elif isinstance(value, list):
        entries = [entry for entry in value if isinstance(entry, tuple)]
        yield [(str(dict(entry).get("dimension", "")), entry) for entry in entries]
        inner = value
    for part in inner:
        yield from _parts(part)


def _lines(text: str) -> list[_Pair]:
    """Returns the pairs of lines such as `Task Progress: **7**`."""
    matches = (_LINE.match(_MARKS.sub("", line)) for line in text.splitlines())
    return [(match[1], match[2]) for match in matches if match]


def _dimension(name: str) -> str:
    name = re.sub(rf" ({'|'.join(_VALUES)})$", "", _plain(name)).replace(" ", "_")
    return _ALIASES.get(name, name)


def _word(value: Any, kind: str) -> str | None:
    if isinstance(value, tuple):
        named = [content for name, content in value if name in _VALUES]
        return _word(named[0], kind) if len(named) == 1 else MISSING
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return MISSING
    meanings = {**_MEANINGS[kind], **_NOT_APPLICABLE}
    return meanings.get(_OF_TEN.sub("", _plain(str(value))), MISSING)


def _plain(text: str) -> str:
    text = _JOINED.sub(" ", _MARKS.sub("", text))
    return " ".join(text.lower().split()).rstrip(" .!")

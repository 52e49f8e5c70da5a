"""From what a model writes to actions: nothing is guessed, every error is explained."""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from crafter import constants
from crafter.lm.hear import vocabulary
from crafter.lm.hear.vocabulary import LIMITS, Vocabulary
from crafter.lm.tell.words import with_article

_SHOWN = 60  # characters of a piece that an error repeats
_VOCABULARY = Vocabulary()

# Marks that an answer begins in free text; the last one counts. Bounded repetitions
# keep the time linear whatever the text is.
_LABEL = re.compile(
    r"^[ \t>*_#-]{0,8}(?:final |next |chosen |my )?actions?[ \t*_]{0,8}[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<(/?)(actions?)\b[^<>]{0,80}>", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]{0,20}(.*?)```", re.DOTALL)
_JSON_START = re.compile(r"^[ \t]{0,8}[{\[]", re.MULTILINE)

_SEPARATOR = re.compile(
    r"[,;\n\r]|->|=>|→|</?actions?\b[^<>]{0,80}>|(?<=[A-Za-z)])\.(?=[ \t])"
    r"|\band[ \t]{1,4}(?:then|finally)\b|\bthen\b",
    re.IGNORECASE,
)
_LONGEST = 200  # characters of a piece; no action is that long
_LEAD = re.compile(
    r"(?:(?:and\s+)?then\b|finally\b|first\b|next\b|and\b|step\s*\d+\s*[:.)]?"
    r"|\(?\d+[.):]\)?(?!\d)|[-*•+>]+(?=\s|\w))\s*",
    re.IGNORECASE,
)
_TRIM = " \t\"'`“”‘’[]{}<>.!?*_:"
_TIMES = (
    re.compile(r"(.+?)[\s(\[_-]*(?:[x×*]|times)\s*(\d+)[)\]]?", re.IGNORECASE),
    re.compile(
        r"(.+?)[\s(\[]+(?:for\s+)?(\d+)\s*(?:x|×|times|steps?|cells?|tiles?|turns?)?[)\]]?",
        re.IGNORECASE,
    ),
    re.compile(r"repeat\s+(\d+)\s*(?:x|×|times)?\s*:\s*(.+)", re.IGNORECASE),
    re.compile(r"(\d+)\s*(?:[x×*]|times)\s*[:]?\s*(.+)", re.IGNORECASE),
)
_INDEX = re.compile(r"(?:action\s*|#\s*)(\d+)", re.IGNORECASE)
_INTEGERS = re.compile(r"\s*\[?\s*\d+(?:[\s,;]+\d+)*\s*\]?\s*")


class ParseError(NamedTuple):
    """Why an input was not understood.

    Attributes:
      kind: `empty`, `unknown`, `ambiguous`, `too_many` or `bad_json`.
      position: Where the piece begins in the input, in characters.
      piece: The piece that is wrong.
      suggestions: Up to three actions that may be meant.
      message: The error as a sentence, with what is valid.
    """

    kind: str
    position: int
    piece: str
    suggestions: tuple[str, ...]
    message: str


@dataclasses.dataclass(frozen=True)
class ParseResult:
    """What was understood.

    Attributes:
      actions: Rule names in order, repetitions written out; a macro is written
        `sleep until awake`. What was valid before the error, if there is one.
      notes: Remarks on what was understood, such as a target that is not in front.
      error: What was not understood, or `None`.
    """

    actions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: ParseError | None = None


class _Failure(Exception):
    def __init__(self, kind: str, piece: str, position: int, suggestions: Any = ()):
        super().__init__(kind)
        self.kind, self.piece, self.position = kind, piece.strip(), position
        self.suggestions = tuple(suggestions)[:3]


class _Piece(NamedTuple):
    text: str
    position: int


def parse(
    text: Any,
    *,
    front: str | None = None,
    indices: bool = False,
    max_batch: int = LIMITS["batch"],
    macros: bool = True,
) -> ParseResult:
    r"""Reads actions from what a model wrote; never raises.

    Args:
      text: Text; or a list or mapping as JSON would give it.
      front: What the player faces, to remark on targets that are not there.
      indices: Whether plain integers count as action numbers.
      max_batch: Most actions of one input.
      macros: Whether `X until Y` is allowed.

    Example:
      >>> parse("Thought: a tree!\nAction: left x2, chop tree").actions
      ('move_left', 'move_left', 'do')
      >>> parse("jump").error.kind
      'unknown'
    """
    reader = _Reader(front, indices, max_batch, macros)
    try:
        reader.read(text)
        if not reader.actions:
            raise _Failure("empty", "", 0)
    except _Failure as failure:
        return ParseResult(
            tuple(reader.actions[:max_batch]),
            tuple(reader.notes),
            _explain(failure, max_batch),
        )
    return ParseResult(tuple(reader.actions), tuple(reader.notes))


def _explain(failure: _Failure, max_batch: int) -> ParseError:
    piece = failure.piece[:_SHOWN] + ("..." if len(failure.piece) > _SHOWN else "")
    message = {
        "empty": "No action was given.",
        "unknown": f"Unknown action {piece!r}.",
        "ambiguous": f"{piece!r} can mean several actions.",
        "too_many": f"Too many actions, from {piece!r} on: at most {max_batch} at a "
        f"time, and at most {LIMITS['repeat']} repetitions of one.",
        "bad_json": f"Broken or unexpected JSON: {piece!r}.",
        "macro": f"{piece!r}: 'until' is not allowed here.",
    }[failure.kind]
    if failure.suggestions:
        message += f" Did you mean {', '.join(failure.suggestions)}?"
    if failure.kind in ("empty", "unknown", "bad_json"):
        message += f" Valid actions: {', '.join(constants.actions)}."
    kind = "unknown" if failure.kind == "macro" else failure.kind
    return ParseError(kind, failure.position, piece, failure.suggestions, message)


class _Reader:
    """Collects actions and notes from one input."""

    def __init__(
        self, front: str | None, indices: bool, max_batch: int, macros: bool
    ) -> None:
        self.actions: list[str] = []
        self.notes: list[str] = []
        self._front = front
        self._indices = indices
        self._max_batch = max_batch
        self._macros = macros

    def read(self, value: Any) -> None:
        """Reads text or decoded JSON."""
        if not isinstance(value, str):
            self._read_json(value, 0)
            return
        payload = _payload(value)
        stripped = payload.text.strip()
        if stripped[:1] in ("{", "[") and self._read_json_text(payload):
            return
        if self._indices and _INTEGERS.fullmatch(stripped):
            for number in re.findall(r"\d+", stripped):
                self._add([_by_index(number, payload.position)], payload)
            return
        for piece in _pieces(payload):
            self._read_piece(piece)

    def _read_json_text(self, payload: _Piece) -> bool:
        """Reads a payload as JSON; tells whether it was meant as such."""
        try:
            value = json.loads(payload.text)
        except (ValueError, RecursionError):
            if payload.text.strip()[0] == "[" and not re.search(r'[{"]', payload.text):
                return False  # only brackets around words
            raise _Failure("bad_json", payload.text, payload.position) from None
        self._read_json(value, payload.position)
        return True

    def _read_json(self, value: Any, position: int) -> None:
        if isinstance(value, dict):
            self._read_object(value, position)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self._read_json(item, position)
        elif isinstance(value, bool) or not isinstance(value, (int, str)):
            raise _Failure("bad_json", json.dumps(value, default=str), position)
        elif isinstance(value, int):
            if not self._indices:
                raise _Failure("unknown", str(value), position)
            self._add([_by_index(str(value), position)], _Piece(str(value), position))
        else:
            for piece in _pieces(_Piece(value, position)):
                self._read_piece(piece)

    def _read_object(self, value: dict, position: int) -> None:
        known = next((k for k in ("actions", "action", "name") if k in value), None)
        if known is None:
            raise _Failure("bad_json", json.dumps(value, default=str), position)
        count = value.get("count", 1)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise _Failure("bad_json", json.dumps(value, default=str), position)
        piece = _Piece(json.dumps(value, default=str), position)
        if count > min(LIMITS["repeat"], self._max_batch):
            raise _Failure("too_many", piece.text, position)
        for _ in range(count):
            self._read_json(value[known], position)

    def _read_piece(self, piece: _Piece) -> None:
        if not piece.text.strip():
            return
        if len(piece.text.strip()) > _LONGEST:
            raise _Failure("unknown", piece.text, piece.position)
        piece = _bare(piece)
        if not piece.text:
            return
        action = self._look_up(piece)
        if action is not None:
            self._add([action], piece)
            return
        for pattern in _TIMES:
            found = pattern.fullmatch(piece.text)
            if found is not None:
                inner, count = found.groups()
                if inner.isdigit() and not count.isdigit():
                    inner, count = count, inner
                action = self._look_up(_bare(_Piece(inner, piece.position)))
                if action is not None:
                    self._repeat(action, count, piece)
                    return
        raise _unknown(piece)

    def _repeat(self, action: str, count: str, piece: _Piece) -> None:
        if len(count) > 4 or int(count) > LIMITS["repeat"]:
            raise _Failure("too_many", piece.text, piece.position)
        self._add([action] * int(count), piece)

    def _look_up(self, piece: _Piece) -> str | None:
        index = _INDEX.fullmatch(piece.text)
        if index:
            return _by_index(index.group(1), piece.position)
        words = vocabulary.normalise(piece.text)
        if " until " in words:
            return self._macro(words, piece)
        readings = _VOCABULARY.ambiguous.get(words)
        if readings:
            raise _Failure("ambiguous", piece.text, piece.position, readings)
        action = _VOCABULARY.actions.get(words)
        if action is None and words in _VOCABULARY.uses:
            self._remark(words)
            action = "do"
        return action

    def _macro(self, words: str, piece: _Piece) -> str:
        first, _, condition = words.partition(" until ")
        action = _VOCABULARY.actions.get(first)
        name = _VOCABULARY.conditions.get(condition)
        if action is None or name is None:
            names = [f"{action or 'noop'} until {n}" for n in _VOCABULARY.until]
            raise _Failure("unknown", piece.text, piece.position, names)
        if not self._macros:
            raise _Failure("macro", piece.text, piece.position, [action])
        return f"{action} until {name}"

    def _remark(self, words: str) -> None:
        """Notes that a named target is not in front, where that is known."""
        targets = _VOCABULARY.uses[words]
        if self.actions or self._front is None or self._front in targets:
            return
        note = f"You face {with_article(self._front)}, not {with_article(targets[0])}."
        self.notes.append(note)

    def _add(self, actions: list[str], piece: _Piece) -> None:
        self.actions += actions
        if len(self.actions) > self._max_batch:
            raise _Failure("too_many", piece.text, piece.position)


def _by_index(number: str, position: int) -> str:
    known = number.isdecimal() and len(number) <= 4
    if not known or int(number) >= len(constants.actions):
        raise _Failure("unknown", f"action {number}", position)
    return constants.actions[int(number)]


def _unknown(piece: _Piece) -> _Failure:
    words = vocabulary.normalise(piece.text[:_SHOWN])
    names = _VOCABULARY.actions
    close = difflib.get_close_matches(words, names, n=6, cutoff=0.7)
    close += sorted(name for name in names if name.startswith(words))[:6]
    suggestions = dict.fromkeys(names[name] for name in close)
    return _Failure("unknown", piece.text, piece.position, suggestions)


def _payload(text: str) -> _Piece:
    """Returns the part of a text that holds the actions.

    That is what follows the last label, or is inside the last tag, fence or trailing
    JSON; and the whole text if there is none of these.
    """
    fences = list(_FENCE.finditer(text))
    spans = [*_tagged(text), *(match.span(1) for match in fences)]
    label = None
    for label in _LABEL.finditer(text):  # noqa: B007
        pass
    if label and not any(f.start() <= label.start() < f.end() for f in fences):
        spans.append(_labelled(text, label.end()))
    if not spans:
        start = _json_start(text)
        return _Piece(text[start:], start)
    start, end = max(spans)
    inside = _LABEL.match(text[start:end].lstrip())
    if inside:
        start += len(text[start:end]) - len(text[start:end].lstrip()) + inside.end()
    return _Piece(text[start:end], start)


def _tagged(text: str) -> list[tuple[int, int]]:
    """Returns the span of the last tags; tags in a row count as one list."""
    span: tuple[int, int] | None = None
    start = None
    name = ""
    for tag in _TAG.finditer(text):
        closing, kind = tag.group(1), tag.group(2).lower()
        if not closing and start is None:
            start, name = tag.end(), kind
        elif closing and start is not None and kind == name:
            follows = span and not _TAG.sub("", text[span[1] : start]).strip()
            span = (span[0] if span and follows else start, tag.start())
            start = None
    return [span] if span else []


def _labelled(text: str, start: int) -> tuple[int, int]:
    """Returns the span after a label: its line, or the paragraph below it."""
    end = text.find("\n", start)
    line_end = len(text) if end < 0 else end
    rest = text[start:line_end].strip()
    if rest[:1] in ("{", "["):
        return start, len(text.rstrip())
    if rest:
        return start, line_end
    below = len(text) - len(text[line_end:].lstrip()) if end >= 0 else len(text)
    stop = text.find("\n\n", below)
    return below, len(text) if stop < 0 else stop


def _json_start(text: str) -> int:
    """Returns where trailing JSON begins, 0 if there is none."""
    for match in list(_JSON_START.finditer(text))[-20:]:
        start = match.end() - 1
        if text.rstrip()[-1] in "}]" and start:
            try:
                json.loads(text[start:])
            except (ValueError, RecursionError):
                continue
            return start
    return 0


def _pieces(payload: _Piece) -> Iterator[_Piece]:
    start = 0
    for match in _SEPARATOR.finditer(payload.text):
        yield _Piece(payload.text[start : match.start()], payload.position + start)
        start = match.end()
    yield _Piece(payload.text[start:], payload.position + start)


def _bare(piece: _Piece) -> _Piece:
    """Takes bullets, numbers, quotes and punctuation off both ends."""
    text, position = piece
    for _ in range(4):
        before = text
        stripped = text.lstrip(_TRIM)
        position += len(text) - len(stripped)
        text = stripped
        lead = _LEAD.match(text)
        if lead and lead.end() < len(text):
            position += lead.end()
            text = text[lead.end() :]
        text = text.rstrip(_TRIM)
        if text == before:
            break
    if text.startswith("(") and text.endswith(")"):
        text, position = text[1:-1].strip(), position + 1
    return _Piece(text, position)

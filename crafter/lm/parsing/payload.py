"""Splits model output into actions.

Patterns that see a whole text have bounded repetitions, so that their cost is at most
linear; slower patterns see pieces of at most `LONGEST_PIECE` characters.
"""

from __future__ import annotations

import json
import re

LONGEST_PIECE = 200  # characters; longer than any action
_CANDIDATES = 20  # candidate starts of trailing JSON

# Labels that introduce an answer in free text; the last one counts.
_LABEL = re.compile(
    r"^[ \t>*_#-]{0,8}(?:(?:the|final|next|chosen|best|my) ){0,3}"
    r"(?:actions?|answer)"
    r"(?: is)?[ \t*_]{0,8}[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<(/?)(actions?|answer|tool_call)\b[^<>]{0,80}>", re.IGNORECASE)
# Markers of models trained with them.
_MARKED = (
    re.compile(r"<\|action_start\|>(.{0,2000}?)<\|action_end\|>", re.DOTALL),
    re.compile(r"\\boxed\{(?:\\text\{)?([^{}]{0,2000})\}"),
)
_THOUGHT = re.compile(
    r"<(/?)(?:think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE
)
_FENCE = re.compile(r"```[\w+-]{0,20}(.*?)```", re.DOTALL)
_JSON_START = re.compile(r"^[ \t]{0,8}[{\[]", re.MULTILINE)
_SEPARATOR = re.compile(
    r"[,;\n\r]+|\|\||->|=>|→|</?actions?\b[^<>]{0,80}>|(?<=[A-Za-z)])\.(?=[ \t])"
    r"|\band[ \t]{1,4}(?:then|finally)\b|\bthen\b",
    re.IGNORECASE,
)

# Text before and around a piece.
_LEAD = re.compile(
    r"(?:(?:and\s+)?then\b|finally\b|first\b|next\b|and\b|step\s*\d+\s*[:.)]?"
    r"|\(?\d+[.):]\)?(?!\d)|[-*•+>]+(?=\s|\w))\s*",
    re.IGNORECASE,
)
_TRIM = " \t\"'`“”‘’[]{}<>.!?*_:"


def payload(text: str) -> tuple[str, int]:
    """Returns the part of a text that holds the actions, and its start.

    It follows the last label, or is inside the last tag, marker, fence or trailing
    JSON; without any of these it is the whole text. Preceding reasoning is ignored; see
    `_after_thoughts`.
    """
    begin = _after_thoughts(text)
    part, start = _marked_part(text[begin:])
    return part, begin + start


def _after_thoughts(text: str) -> int:
    """Returns the start of the answer: after the last reasoning block.

    A block may lack its opening, since some prompts contain it. After a block that was
    cut off, there is no answer.
    """
    depth = end = 0
    for tag in _THOUGHT.finditer(text):
        depth = max(depth + (-1 if tag.group(1) else 1), 0)
        end = tag.end()
    return len(text) if depth else end


def _marked_part(text: str) -> tuple[str, int]:
    fences = list(_FENCE.finditer(text))
    spans = [*_tag_spans(text), *(match.span(1) for match in fences)]
    for pattern in _MARKED:
        spans += [match.span(1) for match in pattern.finditer(text)][-1:]
    label = None
    for label in _LABEL.finditer(text):  # noqa: B007
        pass
    if label and not any(f.start() <= label.start() < f.end() for f in fences):
        spans.append(_label_span(text, label.end()))
    if not spans:
        start = _json_start(text)
        return text[start:], start
    start, end = max(spans)
    inside = _LABEL.match(text[start:end].lstrip())
    if inside:
        start += len(text[start:end]) - len(text[start:end].lstrip()) + inside.end()
    return text[start:end], start


def _tag_spans(text: str) -> list[tuple[int, int]]:
    """Returns the span of the last tags; consecutive tags form one list."""
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


def _label_span(text: str, start: int) -> tuple[int, int]:
    """Returns the span after a label: its line, or the following paragraph."""
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
    """Returns the start of trailing JSON, 0 if there is none."""
    for match in list(_JSON_START.finditer(text))[-_CANDIDATES:]:
        start = match.end() - 1
        if text.rstrip()[-1] in "}]" and start:
            try:
                json.loads(text[start:])
            except (ValueError, RecursionError):
                continue
            return start
    return 0


def pieces(text: str) -> list[str]:
    """Returns the parts of a reply between separators."""
    return [part for part in map(str.strip, _SEPARATOR.split(text)) if part]


def bare(text: str) -> str:
    """Strips bullets, numbers, quotes and punctuation from both ends."""
    for _ in range(4):
        before = text
        text = text.lstrip(_TRIM)
        lead = _LEAD.match(text)
        if lead and lead.end() < len(text):
            text = text[lead.end() :]
        text = text.rstrip(_TRIM)
        if text == before:
            break
    inside = text.startswith("(") and text.endswith(")")
    return text[1:-1].strip() if inside else text

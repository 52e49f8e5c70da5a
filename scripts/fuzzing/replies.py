"""Hostile replies of a model, and damaged logs, for fuzzing the text interface.

Every generator takes a random number generator and goes on for ever; take as many as
there is time for.

Example:
  >>> import itertools, random
  >>> len(list(itertools.islice(texts(random.Random(0)), 5)))
  5
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

#: Pieces that mean something to the parser, or nearly do.
PIECES = (
    *("left", "move_right", "do", "sleep", "noop", "place_table", "make_iron_sword"),
    *("wood pickaxe", "chop tree", "rest", "jump", "action 5", "#5", "17", "5"),
    *("left x3", "3 x left", "left*3", "repeat 3: left", "left x99999999999", "x3"),
    *("sleep until awake", "noop until day", "do until", "until until until"),
    *("Action:", "actions =", "Final action:", "<action>", "</action>", "<actions>"),
    *("```", "```json", "{", "}", "[", "]", '{"action":', '"count":20,', "null"),
    *('"actions":', '"name": "left"', ":", ",", ";", "->", "then", "and then", "."),
    *("-", "*", "1.", "2)", "(", ")", '"', "'", "`", "\\", "\n", "\r\n", "\t", " "),
    *("<notebook>", "</notebook>", "\x00", "\x1b[2J", "\u202e", "\u2028", "\ufeff"),
    *("\u00a0", "\u0130", "\u00df", "\U0001f600", "\ud800", "\udfff", "\u0661", "²"),
)
#: Pieces of text that once took long, or might.
LONG = (
    *("\u00a0", " ", "\t", "\n", ",", "-\n", "1.", "and ", "left ", "left,", "x" * 201),
    *("<action>", "</action>", "<action></action>", "```", "```a", "action:\n"),
    *("[", "{", '{"action":', '{"count":20,"actions":', '["', "}\n[1]", "9", "[[],"),
    *("<notebook>", "(", "_", "a x", "3 x ", "\ud800", "until ", "\u0130"),
)
_KEYS = ("action", "actions", "name", "count", "x", "")


def texts(rng: random.Random) -> Iterator[str]:
    """Yields hostile texts, up to some 100,000 characters."""
    makers: Sequence[Callable[[random.Random], str]] = (
        _mixed,
        _repeated,
        _nested,
        _json,
    )
    while True:
        yield rng.choice(makers)(rng)


def values(rng: random.Random) -> Iterator[Any]:
    """Yields hostile data, as JSON or a caller of Python would give it."""
    while True:
        yield rng.choice((_value, _deep, _shared))(rng)


def _mixed(rng: random.Random) -> str:
    pieces = rng.choices(PIECES, k=rng.randint(1, 30))
    return rng.choice(("", " ", ", ", "\n")).join(pieces)


def _repeated(rng: random.Random) -> str:
    """Returns a piece many times, with something at the ends."""
    piece = rng.choice(LONG)
    times = rng.choice((3, 100, 16_000)) // len(piece) + 1
    return rng.choice(("", *PIECES)) + piece * times + rng.choice(("", "X", *PIECES))


def _nested(rng: random.Random) -> str:
    """Returns JSON that nests, and may stay open."""
    start, end = rng.choice(
        [
            ('{"action":', "}"),
            ('{"count":20,"actions":', "}"),
            ("[", "]"),
            ('{"x":[', "]}"),
        ]
    )
    depth = rng.choice((1, 3, 6, 40, 700, 20_000))
    inner = rng.choice(('"noop"', "[]", "1", "", '["left", "do"]'))
    return start * depth + inner + end * (depth - rng.choice((0, 0, 1)))


def _json(rng: random.Random) -> str:
    return json.dumps(_value(rng))


def _value(rng: random.Random, depth: int = 0) -> Any:
    kinds = ("text", "number", "odd", "list", "object", "object")
    kind = rng.choice(kinds if depth < 5 else kinds[:3])
    if kind == "text":
        return _mixed(rng)
    if kind == "number":
        return rng.choice((0, 1, 5, 20, -1, 10**30, 2.5, float("nan"), float("inf")))
    if kind == "odd":
        return rng.choice((None, True, False, "", "left"))
    inner = [_value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if kind == "list":
        return inner
    return {rng.choice(_KEYS): value for value in inner}


def _deep(rng: random.Random) -> Any:
    """Returns data that nests more deeply than Python recurses."""
    value: Any = "left"
    for _ in range(rng.choice((5, 50, 50_000))):
        value = rng.choice(
            ([value], {"action": value}, {"actions": value, "count": 20})
        )
    return value


def _shared(rng: random.Random) -> Any:
    """Returns data that is small, but endless when written out."""
    value: Any = rng.choice(([], ["left"], ""))
    for _ in range(60):
        value = [value, value]
    if rng.random() < 0.3:
        value.append(value)  # contains itself
    return value


# Logs.


def damaged(log: bytes, rng: random.Random) -> Iterator[bytes]:
    """Yields a log of JSON lines with one damage after another.

    Args:
      log: An intact log.
      rng: Chooses the damage.
    """
    damages = (_cut, _flip, _drop_line, _swap_lines, _odd_line, _odd_field)
    while True:
        yield rng.choice(damages)(log, rng)


def _cut(log: bytes, rng: random.Random) -> bytes:
    return log[: rng.randrange(len(log) + 1)]


def _flip(log: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(log))
    return log[:place] + bytes([rng.randrange(256)]) + log[place + 1 :]


def _drop_line(log: bytes, rng: random.Random) -> bytes:
    lines = log.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _swap_lines(log: bytes, rng: random.Random) -> bytes:
    lines = log.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def _odd_line(log: bytes, rng: random.Random) -> bytes:
    lines = log.splitlines(keepends=True)
    odd = rng.choice((b"null", b"[]", b"5", b'""', b"{}", b'{"type":5}', b"[" * 9999))
    lines[rng.randrange(len(lines))] = odd + b"\n"
    return b"".join(lines)


def _odd_field(log: bytes, rng: random.Random) -> bytes:
    """Returns the log with another value in a field of a line."""
    lines = log.splitlines()
    place = rng.randrange(len(lines))
    line = json.loads(lines[place])
    name = rng.choice(sorted(line))
    line[name] = rng.choice((None, -1, 10**30, "", [], {}, True, "x" * 50, _value(rng)))
    lines[place] = json.dumps(line).encode()
    return b"\n".join(lines) + b"\n"

"""Hypothesis strategies for unexpected data, arrays, files and replies."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

# Data.

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
PLAIN = st.one_of(
    st.sampled_from([0, 1, -1, 17, 256, 2**31, 2**53 + 1, -(2**63), 2**63, 10**30]),
    st.sampled_from([None, True, False, 0.5, 1e-320, float("nan"), float("inf"), 1j]),
    st.sampled_from(["", "noop", "99", "\x00", "\ud800", "\u0661", "x" * 300, b"5"]),
    st.integers(),
    st.floats(),
    ANY_TEXT,
)
ARRAYS = npst.arrays(
    npst.scalar_dtypes() | st.sampled_from([np.dtype("O"), np.dtype("U5")]),
    npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
)
ODD = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(ANY_TEXT | st.just(1), inner, max_size=3)
    ),
    max_leaves=4,
)
MOSTLY = st.sampled_from([True] * 5 + [False])


@st.composite
def mutated(draw, value):
    """Nested data with another value somewhere in it."""
    if isinstance(value, Mapping) and value and draw(MOSTLY):
        key = draw(st.sampled_from([*value, "more"]))
        return {**value, key: draw(mutated(value.get(key)))}
    if isinstance(value, (list, tuple)) and value and draw(MOSTLY):
        place = draw(st.integers(0, len(value) - 1))
        changed = [draw(mutated(value[place]))] if draw(MOSTLY) else []
        return type(value)([*value[:place], *changed, *value[place + 1 :]])
    if isinstance(value, np.ndarray) and draw(MOSTLY):
        return draw(damaged_array(value))
    return draw(ODD)


# Arrays.

_DTYPES = ("?", "i1", "<i8", ">i8", "u8", "f2", "f4", "f8", "c16", "U5", "O", "M8[s]")
_SHAPES = (
    np.transpose,
    lambda array: array[None],
    lambda array: array.reshape(-1)[:-1],
    lambda array: array.reshape(-1)[:0],
    lambda array: np.atleast_1d(array)[::-1],
)


@st.composite
def damaged_array(draw, array):
    """The array with another number, shape or dtype."""
    how = draw(st.sampled_from(["item", "item", "near", "shape", "dtype"]))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        if how == "shape":
            return draw(st.sampled_from(_SHAPES))(array)
        changed = array.copy()
        place = draw(st.integers(0, max(changed.size - 1, 0)))
        try:
            if how == "dtype":
                return array.astype(draw(st.sampled_from(_DTYPES)))
            if how == "near" and changed.size:
                changed.flat[place] += draw(st.sampled_from([-1, 1]))
            elif changed.size:
                changed.flat[place] = draw(PLAIN)
        except (OverflowError, TypeError, ValueError):
            return np.asarray(None)
        return changed


@st.composite
def damaged_state(draw, states):
    """One of some saved games, with up to three damages; arrays come from another."""
    state, other = draw(st.sampled_from(states)), draw(st.sampled_from(states))
    damaged = dict(state)
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(state)))
        array = damaged_array(np.asarray(state[name]))
        another = st.sampled_from([name, *sorted(state)]).map(other.__getitem__)
        damaged[draw(st.just(name) | ANY_TEXT)] = draw(array | array | another | ODD)
        if not draw(MOSTLY):
            damaged.pop(name, None)
    return damaged


# Files.


@st.composite
def damaged_bytes(draw, whole):
    """The bytes with a few others among them, cut, repeated or overwritten."""
    start = draw(st.integers(0, len(whole)))
    end = min(len(whole), start + draw(st.sampled_from([1, 4, 100, 5000])))
    noise = draw(st.binary(max_size=50))
    before, after = whole[:start], whole[end:]
    forms = [before, whole[start:], before + after, before + noise + after]
    return draw(st.sampled_from([*forms, whole[:end] + whole[start:]]))


@st.composite
def damaged_npz(draw, whole):
    """An npz file, damaged, or with right checksums of damaged arrays."""
    if not draw(MOSTLY):
        return draw(damaged_bytes(whole))
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    name = draw(st.sampled_from(sorted(members)))
    how = draw(st.sampled_from(["array", "header", "bytes", "other", "gone"]))
    if how == "gone":
        del members[name]
    elif how == "other":
        members[name] = members[draw(st.sampled_from(sorted(members)))]
    elif how == "array":
        stream = io.BytesIO()
        np.save(stream, draw(damaged_array(np.load(io.BytesIO(members[name])))))
        members[name] = stream.getvalue()
    else:
        size = 80 if how == "header" else None
        members[name] = draw(damaged_bytes(members[name][:size])) + members[name][80:]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, member in members.items():
            file.writestr(name, member)
    return stream.getvalue()


@st.composite
def damaged_lines(draw, log):
    """A log of JSON objects, one per line, with one damage."""
    lines = log.splitlines(keepends=True)
    place = draw(st.integers(0, len(lines) - 1))
    how = draw(st.sampled_from(["bytes", "field", "odd", "drop"]))
    if how == "bytes":
        return draw(damaged_bytes(log))
    if how == "odd":
        odd = [b"null", b"[]", b"5", b'""', b"{}", b'{"type":5}', b"[" * 9999, b""]
        lines[place] = draw(st.sampled_from(odd)) + b"\n"
    elif how == "drop":
        del lines[place]
    else:
        line = json.loads(lines[place])
        line[draw(st.sampled_from(sorted(line)))] = draw(PLAIN | _values())
        lines[place] = json.dumps(line, default=repr).encode() + b"\n"
    return b"".join(lines)


# Replies of models.

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
_NESTED = (
    ("[", "]"),
    ('{"x":[', "]}"),
    ('{"action":', "}"),
    ('{"count":20,"actions":', "}"),
)

_PIECES = st.sampled_from(PIECES)
_MIXED = st.builds(
    str.join,
    st.sampled_from(["", " ", ", ", "\n"]),
    st.lists(_PIECES, min_size=1, max_size=30),
)
_REPEATED = st.builds(
    lambda start, piece, size, end: start + piece * (size // len(piece) + 1) + end,
    _PIECES | st.just(""),
    st.sampled_from(LONG),
    st.sampled_from([3, 100, 16_000]),
    _PIECES | st.sampled_from(["", "X"]),
)
_DEEP_TEXTS = st.builds(
    lambda ends, depth, inner, open: ends[0] * depth + inner + ends[1] * (depth - open),
    st.sampled_from(_NESTED),
    st.sampled_from([1, 3, 6, 40, 700, 20_000]),
    st.sampled_from(['"noop"', "[]", "1", "", '["left", "do"]']),
    st.integers(0, 1),
)


def _values():
    """Data for JSON that looks like actions."""
    return st.recursive(
        _MIXED | st.sampled_from([None, True, 0, 5, -1, 10**30, 2.5, float("nan")]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["action", "actions", "name", "count", "x", ""]), inner
            )
        ),
        max_leaves=12,
    )


#: Replies as text, up to some 100,000 characters.
TEXTS = _MIXED | _REPEATED | _DEEP_TEXTS | _values().map(json.dumps)


#: Replies as data, as a caller of Python would give them.
VALUES = _values()

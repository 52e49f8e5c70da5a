"""Hypothesis strategies for malformed data, arrays, files and replies."""

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
    """Nested data with one value replaced."""
    if isinstance(value, Mapping) and value and draw(MOSTLY):
        if not draw(MOSTLY):
            return {**value, draw(ANY_TEXT | st.none()): draw(ODD)}
        key = draw(st.sampled_from(list(value)))
        return {**value, key: draw(mutated(value[key]))}
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
    np.ravel,
    np.transpose,
    lambda array: array[None],
    lambda array: array.reshape(-1)[:-1],
    lambda array: array.reshape(-1)[:0],
    lambda array: np.concatenate([array.ravel(), array.ravel()]),
    lambda array: np.atleast_1d(array)[::-1],
)


@st.composite
def damaged_array(draw, array):
    """The array with a changed number, shape, dtype or bytes."""
    how = draw(st.sampled_from(["item", "item", "near", "shape", "dtype", "bytes"]))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        if how == "shape":
            return draw(st.sampled_from(_SHAPES))(array)
        if how == "dtype":
            try:
                return array.astype(draw(st.sampled_from(_DTYPES)))
            except (TypeError, ValueError):
                return np.asarray(None)
        if how == "bytes" and not array.dtype.hasobject:
            content = draw(flipped(array.tobytes()))
            return np.frombuffer(bytearray(content), array.dtype).reshape(array.shape)
        changed = array.copy()
        if not changed.size:
            return changed
        place = draw(st.integers(0, changed.size - 1))
        try:
            if how == "near":
                changed.flat[place] += draw(st.sampled_from([-1, 1]))
            else:
                changed.flat[place] = draw(PLAIN)
        except (OverflowError, TypeError, ValueError):
            return changed.astype(object)
        return changed


@st.composite
def damaged_state(draw, states):
    """One of some saved states with up to three damages; arrays come from another."""
    state, other = draw(st.sampled_from(states)), draw(st.sampled_from(states))
    damaged = dict(state)
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(state)))
        how = draw(st.sampled_from(["array", "array", "other", "odd", "more", "less"]))
        if how == "less":
            damaged.pop(name, None)
        elif how == "more":
            damaged[draw(ANY_TEXT)] = draw(ODD)
        elif how == "other":
            damaged[name] = other[draw(st.sampled_from([name, *sorted(state)]))]
        else:
            damaged[name] = draw(
                ODD if how == "odd" else damaged_array(np.asarray(state[name]))
            )
    return damaged


# Files.


@st.composite
def flipped(draw, whole):
    """The bytes with a few of them changed."""
    changed = bytearray(whole)
    for _ in range(draw(st.integers(1, 3)) if whole else 0):
        changed[draw(st.integers(0, len(whole) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


@st.composite
def damaged_bytes(draw, whole):
    """The bytes changed, cut, repeated or overwritten."""
    start = draw(st.integers(0, len(whole)))
    end = min(len(whole), start + draw(st.sampled_from([1, 4, 100, 5000])))
    noise = draw(st.binary(max_size=50))
    return draw(
        flipped(whole)
        | st.sampled_from(
            [
                whole[:start],
                whole[start:],
                whole[:start] + whole[end:],
                whole[:end] + whole[start:],
                whole[:start] + noise + whole[end:],
                whole + whole[start:end],
            ]
        )
    )


@st.composite
def damaged_npz(draw, whole):
    """An npz file, damaged, or with valid checksums of damaged arrays."""
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
    elif how == "bytes":
        members[name] = draw(damaged_bytes(members[name]))
    elif how == "header":
        members[name] = draw(flipped(members[name][:80])) + members[name][80:]
    else:
        stream = io.BytesIO()
        np.save(stream, draw(damaged_array(np.load(io.BytesIO(members[name])))))
        members[name] = stream.getvalue()
    stream = io.BytesIO()
    method = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_LZMA]))
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, member in members.items():
            file.writestr(name, member)
    return stream.getvalue()


@st.composite
def damaged_lines(draw, log):
    """A log of JSON objects, one per line, with one damage."""
    lines = log.splitlines(keepends=True)
    place = draw(st.integers(0, len(lines) - 1))
    how = draw(st.sampled_from(["bytes", "field", "odd", "drop", "order"]))
    if how == "bytes":
        return draw(damaged_bytes(log))
    if how == "drop":
        del lines[place]
    elif how == "order":
        lines = draw(st.permutations(lines))
    elif how == "odd":
        odd = [b"null", b"[]", b"5", b'""', b"{}", b'{"type":5}', b"[" * 9999]
        lines[place] = draw(st.sampled_from(odd)) + b"\n"
    else:
        line = json.loads(lines[place])
        line[draw(st.sampled_from(sorted(line)))] = draw(PLAIN | _values())
        lines[place] = json.dumps(line, default=repr).encode() + b"\n"
    return b"".join(lines)


# Model replies.

#: Fragments that mean something to the parser, or nearly do.
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
#: Fragments that once caused slow parsing, or might.
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
    """JSON data that looks like actions."""
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


#: Replies as text, up to about 100,000 characters.
TEXTS = _MIXED | _REPEATED | _DEEP_TEXTS | _values().map(json.dumps)


@st.composite
def _deep(draw):
    """Data nested beyond Python's recursion limit."""
    value = "left"
    wrap = draw(st.sampled_from(["action", "actions", None]))
    for _ in range(draw(st.sampled_from([5, 50, 50_000]))):
        value = [value] if wrap is None else {wrap: value, "count": 20}
    return value


#: Replies as data, as passed by Python callers.
VALUES = _values() | _deep()

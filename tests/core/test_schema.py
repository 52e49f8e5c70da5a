"""Data checked against annotated types, with one form of message."""

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest

from crafter.core import schema
from crafter.core.ruleset import freeze
from crafter.core.schema import Between, check, name_of


@dataclasses.dataclass
class Point:
    """A dataclass is a schema, too."""

    x: int


ROW = schema.Record(a=bool)
WIDE = schema.by_example({"a": True}, (), (), ((("c",), "*"),))
LONG = schema.by_example({"a": True, "b": 2}, (), ((int, "b"),))
ITEM = Annotated[str, name_of("items")]
FEW = Annotated[int, Between(0, 3)]
PAIR = tuple[int, float]

GOOD = [
    (FEW, [0, 3]),
    (Annotated[float, Between(-1, 1)], [-1, 0.5, 1]),
    (schema.Above, [1, 0.1]),
    (bool, [True, False]),
    (schema.Id, ["a", "iron_sword2"]),
    (schema.Symbol, ["~", "Z"]),
    (ITEM, ["a"]),
    (PAIR, [[1, 2], (3, 4.5)]),
    (schema.Ids, [[], ["a", "b"]]),
    (Mapping[str, int], [{}, {"a": 1}]),
    (WIDE, [{"a": True}, {"a": True, "c": 1}]),
    (LONG, [{"a": True, "b": 2}]),
    (Point, [{"x": 1}]),
    (Annotated[schema.Ids, schema.needs("a")], [["b", "a"]]),
    (Any, [None, {}]),
]
BAD = [
    (FEW, 4, r"at\.here must be an integer from 0 to 3, got 4\.$"),
    (int, 1.0, "must be an integer, got 1.0"),
    (int, True, "must be an integer, got True"),
    (float, float("nan"), "must be a number, got nan"),
    (float, "1", "must be a number, got '1'"),
    (Annotated[float, Between(high=1)], 2, "must be a number of at most 1, got 2"),
    (schema.Above, 0, "must be a number above 0, got 0"),
    (bool, 1, "must be true or false, got 1"),
    (str, 1, "must be a text, got 1"),
    (schema.Id, "iron sword", "must be a name of letters, digits and underscores"),
    (schema.Id, 5, "must be a text, got 5"),
    (schema.Symbol, "ab", "must be a single character, got 'ab'"),
    (ITEM, "b", r"at\.here must be one of the items \(a, c\), got 'b'"),
    (Literal["x", "y"], ["x"], r"must be one of x, y, got \['x'\]"),
    (tuple[int, ...], {}, "must be a list, got {}"),
    (tuple[int, ...], "ab", "must be a list, got 'ab'"),
    (PAIR, [1], r"must be a list of 2, got \[1\]"),
    (tuple[int, ...], [1, "x"], r"at\.here\.1 must be an integer, got 'x'"),
    (schema.Ids, ["a", "b", "a"], r"at\.here\.2: 'a' appears twice"),
    (Annotated[tuple[int, ...], schema.filled], [], "must not be empty"),
    (Mapping[str, bool], [], r"must be a mapping, got \[\]"),
    (Mapping[str, bool], {"a": 1}, r"at\.here\.a must be true or false, got 1"),
    (Mapping[schema.Id, bool], {5: True}, r"at\.here\.5 must be a text"),
    (
        Mapping[ITEM, int],
        {"irn": 1},
        r"at\.here\.irn must be one of the items \(a, c\)",
    ),
    (
        Annotated[schema.Ids, schema.needs("a")],
        ["b"],
        r"at\.here\.a is missing; the",
    ),
    (ROW, [], "must be a mapping with a, got"),
    (ROW, {}, r"at\.here\.a is missing"),
    (WIDE, {"a": True, "b": 1}, "at.here: 'b' is unknown; valid ones are a, c"),
    (WIDE, {"a": True, "c": -1}, r"at\.here\.c must be an integer of at least 0"),
    (Point, {}, r"at\.here\.x is missing"),
    (LONG, {"a": True}, r"at\.here\.b is missing"),
    (LONG, 5, "must be a mapping with a, b, got 5"),
]


@pytest.mark.parametrize(("kind", "values"), GOOD)
def test_good_values_pass(kind, values):
    for value in values:
        check(kind, "at.here", value, {"items": ["a", "c"]})
        check(kind, "at.here", freeze(value), {"items": ["a", "c"]})


@pytest.mark.parametrize(("kind", "value", "message"), BAD)
def test_messages_say_where_what_is_valid_and_what_came(kind, value, message):
    with pytest.raises(ValueError, match=message) as error:
        check(kind, "at.here", value, {"items": ["a", "c"]})
    assert str(error.value).startswith("at.here")

"""Plain data as rules: merged, frozen, hashed and read."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crafter.core import ruleset
from crafter.core.ruleset import RulesError, digest, freeze, merge, thaw

NAMES = st.text("abc", min_size=1, max_size=2)
LEAVES = st.integers() | st.booleans() | st.text("xyz") | st.floats(-9, 9)
DATA = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=12
)
TABLES = st.dictionaries(NAMES, DATA)


@given(TABLES)
def test_merging_data_with_itself_or_nothing_changes_nothing(data):
    assert merge(data, {}) == merge(data, data) == data


@given(TABLES, TABLES)
def test_merging_leaves_its_arguments_alone(base, changes):
    before = copy.deepcopy((base, changes))
    try:
        merged = merge(base, changes)
    except ValueError:
        merged = None
    assert (base, changes) == before
    if merged:
        assert set(merged) == {*base, *changes}


@given(DATA)
def test_frozen_data_thaws_to_what_it_was(data):
    assert thaw(freeze(data)) == data
    assert json.dumps(thaw(freeze(data))) == json.dumps(data)


@given(DATA)
def test_equal_data_has_equal_digests(data):
    assert digest(data) == digest(freeze(data)) == digest(copy.deepcopy(data))
    assert digest([data]) != digest(data)


def test_order_counts_in_a_digest_where_it_is_said():
    one = {"t": {"a": 1, "b": 2}, "r": {"c": 3, "d": 4}}
    two = {"r": {"d": 4, "c": 3}, "t": {"a": 1, "b": 2}}
    assert digest(one) == digest(two) == digest({"t": {"b": 2, "a": 1}, "r": one["r"]})
    turned = {"t": {"b": 2, "a": 1}, "r": one["r"]}
    assert digest(one, ["t"]) == digest(two, ["t"]) != digest(turned, ["t"])
    assert digest([1, 2]) != digest([2, 1])


def test_digests_are_the_same_everywhere_and_for_any_kind_of_number():
    assert digest({"a": 1, "b": [True, "x", 0.5]}) == "833aab5a62852709"
    assert digest({"a": 1}) == digest({"a": 1.0})
    assert digest({"a": 1}) != digest({"a": True})


def test_mappings_merge_deep_and_everything_else_is_replaced():
    base = {"a": {"b": {"c": 1, "d": 2}}, "e": [1, 2], "f": 3}
    changes = {"a": {"b": {"c": 7}}, "e": [9], "f": {"g": 1}}
    expected = {"a": {"b": {"c": 7, "d": 2}}, "e": [9], "f": {"g": 1}}
    assert merge(base, changes) == expected


def test_none_takes_an_entry_away():
    assert merge({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}) == {"a": {"c": 2}}
    with pytest.raises(ValueError, match=r"^a\.x: cannot remove .* entries are b$"):
        merge({"a": {"b": 1}}, {"a": {"x": None}})


def test_lists_grow_and_change_in_place():
    base = {"a": ["x", "y", "z"], "b": [{"n": 1, "m": 1}, {"n": 2}]}
    changes = {"a": {"add": ["w"]}, "b": {0: {"n": 5}}}
    expected = {"a": ["x", "y", "z", "w"], "b": [{"n": 5, "m": 1}, {"n": 2}]}
    assert merge(base, changes) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": {2: "q"}}, r"^a\.2: expected a list, .* an index in 0 \.\.\. 1$"),
        ({"a": {"ad": ["q"]}}, r"^a\.ad: expected a list, or a mapping"),
        ({"a": {"add": "q"}}, r"^a\.add must be a list, got 'q'\.$"),
        ({"a": {True: "q"}}, r"^a\.True: expected a list"),
    ],
)
def test_impossible_changes_of_a_list_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        merge({"a": ["x", "y"]}, changes)


def test_numbers_and_arrays_of_numpy_become_plain():
    merged = merge({"a": 1}, {"a": np.int64(3), "b": np.array([1.5, 2]), "c": (1, 2)})
    assert merged == {"a": 3, "b": [1.5, 2], "c": [1, 2]}
    assert [type(merged["a"]), type(merged["b"])] == [int, list]


def test_frozen_data_cannot_be_changed_but_copied_and_stored():
    data = freeze({"a": {"b": [1, 2]}})
    for name in ("clear", "pop", "popitem", "setdefault", "update", "__setitem__"):
        with pytest.raises(TypeError, match="are immutable"):
            getattr(data["a"], name)("b", 1)
    with pytest.raises(TypeError, match="are immutable"):
        data |= {"a": 1}
    assert data == {"a": {"b": (1, 2)}}
    assert copy.deepcopy(data) is copy.copy(data) is data
    assert pickle.loads(pickle.dumps(data)) == data
    assert json.dumps(data) == '{"a": {"b": [1, 2]}}'


# Files.


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(RulesError, match="Cannot read .*nowhere.yaml.*No such file"):
        ruleset.read(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize("content", [b"a: [1, 2", b"\xff\xfe\xfa", b"a: b: c"])
def test_a_file_that_is_no_yaml_is_refused(tmp_path, content):
    (tmp_path / "rules.yaml").write_bytes(content)
    with pytest.raises(RulesError, match="rules.yaml' are not valid YAML"):
        ruleset.read(tmp_path / "rules.yaml")

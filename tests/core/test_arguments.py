"""The argument types of the command line programs."""

import argparse

import pytest

from crafter.core import arguments


@pytest.mark.parametrize("word", ["True", "true", "TRUE", "yes", "on", "1"])
def test_words_for_yes(word):
    assert arguments.truth(word) is True


@pytest.mark.parametrize("word", ["False", "false", "no", "off", "0"])
def test_words_for_no(word):
    assert arguments.truth(word) is False


def test_other_words_are_refused_with_those_that_are_valid():
    with pytest.raises(argparse.ArgumentTypeError, match="true, yes.*not 'maybe'"):
        arguments.truth("maybe")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "one", ""])
def test_what_is_not_positive_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match=f"at least 1, not '{text}'"):
        arguments.positive(text)


def test_zero_is_not_negative():
    assert arguments.not_negative("0") == 0
    with pytest.raises(argparse.ArgumentTypeError, match="at least 0"):
        arguments.not_negative("-1")


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "one", ""])
def test_numbers_above_zero(text):
    assert arguments.positive_number("1e-3") == 0.001
    with pytest.raises(argparse.ArgumentTypeError, match=f"above 0, not '{text}'"):
        arguments.positive_number(text)


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "one", ""])
def test_numbers_from_zero(text):
    assert arguments.not_negative_number("0") == 0.0
    with pytest.raises(argparse.ArgumentTypeError, match=f"from 0, not '{text}'"):
        arguments.not_negative_number(text)


@pytest.mark.parametrize("text", ["[1]", "5", "{", '{"x": NaN}', "[" * 10**5])
def test_objects_of_json(text):
    assert arguments.json_object('{"a": [1, null]}') == {"a": [1, None]}
    with pytest.raises(argparse.ArgumentTypeError, match="an object of JSON"):
        arguments.json_object(text)


def test_health_changes_maximum_and_initial_amount():
    assert arguments.item_overrides(3) == {"health": {"max": 3, "initial": 3}}
    assert arguments.item_overrides(None) is None

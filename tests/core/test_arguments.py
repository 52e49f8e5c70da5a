"""The argument types of the command line programs."""

import argparse

import pytest

from crafter.core import arguments

YES = ["True", "true", "TRUE", "yes", "on", "1"]
NO = ["False", "false", "no", "off", "0"]
READ = [
    *((arguments.truth, word, True) for word in YES),
    *((arguments.truth, word, False) for word in NO),
    (arguments.not_negative, "0", 0),
    (arguments.positive_number, "1e-3", 0.001),
    (arguments.not_negative_number, "0", 0.0),
    (arguments.share, "0.5", 0.5),
    (arguments.json_object, '{"a": [1, null]}', {"a": [1, None]}),
]


@pytest.mark.parametrize(("read", "text", "value"), READ)
def test_what_is_read(read, text, value):
    found = read(text)
    assert found == value and type(found) is type(value)


REFUSED = [
    (arguments.truth, ["maybe"], "true, yes.*not 'maybe'"),
    (arguments.positive, ["0", "-1", "1.5", "one", ""], "at least 1, not"),
    (arguments.not_negative, ["-1"], "at least 0"),
    (arguments.positive_number, ["0", "-1", "nan", "inf", "one", ""], "above 0, not"),
    (arguments.not_negative_number, ["-1", "nan", "inf", "one", ""], "from 0, not"),
    (arguments.share, ["2", "nan", "-1"], "0 to 1"),
    (
        arguments.json_object,
        ["[1]", "5", "{", '{"x": NaN}', "[" * 10**5],
        "a JSON object",
    ),
]


@pytest.mark.parametrize(("read", "texts", "message"), REFUSED)
def test_what_is_refused(read, texts, message):
    for text in texts:
        with pytest.raises(argparse.ArgumentTypeError, match=message) as error:
            read(text)
        assert str(error.value).endswith(f"not {text!r}")


def test_health_changes_maximum_and_initial_amount():
    assert arguments.item_overrides(3) == {"health": {"max": 3, "initial": 3}}
    assert arguments.item_overrides(None) is None

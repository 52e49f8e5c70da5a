"""Command lines from tables of options."""

import pytest

from crafter.core import options
from crafter.core.arguments import positive

TABLE: options.Table = {
    "steps": (5, positive, "how many"),
    "kind": ("a", ["a", "b"], "which"),
    "fast": (False, None, "hurry"),
    "name": (None, str, "of it"),
}


def test_options_of_a_table(capsys):
    parser = options.make_parser("What it does.", TABLE)
    expected = {"steps": 5, "kind": "a", "fast": False, "name": None}
    assert vars(parser.parse_args([])) == expected
    given = ["--steps", "7", "--kind", "b", "--fast", "--name", "x"]
    expected = {"steps": 7, "kind": "b", "fast": True, "name": "x"}
    assert vars(parser.parse_args(given)) == expected
    help_ = parser.format_help()
    assert "how many (default: 5)" in help_ and "of it\n" in help_
    with pytest.raises(SystemExit):
        parser.parse_args(["--kind", "c"])
    assert "invalid choice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [(OSError("full"), 1, "x: full\n"), (KeyboardInterrupt(), 130, "Interrupted.\n")],
)
def test_errors_end_the_program(error, code, text, capsys):
    parser = options.make_parser("", prog="x")
    with pytest.raises(SystemExit) as caught, options.exit_on(parser, OSError):
        raise error
    assert (caught.value.code, capsys.readouterr().err) == (code, text)
    with pytest.raises(ValueError), options.exit_on(parser, OSError):
        raise ValueError

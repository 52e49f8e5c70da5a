"""Arguments that programs refuse, and what they say of them."""

import argparse
import importlib
import pathlib
import sys

import pytest
import yaml

from crafter import __main__ as command
from crafter.core import options

PATH = pathlib.Path(__file__).parent / "golden" / "refusals.yaml"
TABLE = yaml.safe_load(PATH.read_text("utf-8"))
#: What reads the arguments where it is not `main`, and with which arguments.
READERS = {
    "baselines.options": ("read", ""),
    "train_plr_jax": ("parse_arguments",),
    "train_ppo_tasks": ("main",),
}
ROOT = pathlib.Path(__file__).parents[1]
#: All programs with options.
PROGRAMS = {
    *(module for module, _ in command.COMMANDS.values()),
    *(program for program in TABLE if "." in program),
    *(path.stem for path in ROOT.glob("scripts/*.py")),
    *(path.stem for path in ROOT.glob("analysis/*.py")),
} - {"common", "train_ppo_jax"}  # whose options are read by `baselines.options`


@pytest.mark.parametrize(
    ("program", "words", "message"),
    [(program, *row) for program, rows in TABLE.items() for row in rows.items()],
)
def test_bad_arguments_are_refused(
    program, words, message, request, tmp_path, monkeypatch, capsys
):
    if program == "crafter.run_gui":
        request.getfixturevalue("pygame")
    if program in READERS:
        pytest.importorskip("jax", reason="needs the extra 'jax'")
        pytest.importorskip("optax", reason="needs the extra 'jax'")
    if words.startswith("mcp "):
        pytest.importorskip("mcp", reason="needs the extra 'mcp'")
    module = importlib.import_module(program)
    name, *arguments = READERS.get(program, ["main"])
    files = [tmp_path / "text", tmp_path / "text.jsonl"]
    for path in files:
        path.write_text("Not what you think.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [program, *words.split()])
    with pytest.raises(SystemExit) as error:
        sys.exit(getattr(module, name)(*arguments))
    assert error.value.code == 2
    err = capsys.readouterr().err
    assert message in " ".join(err.split())
    assert program != "crafter.run_gui" or err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == files  # nothing was written


def arguments_of(parser):
    """Yield the arguments of a parser and of its commands, each with its parser."""
    for action in parser._actions:
        yield parser, action
        if isinstance(action, argparse._SubParsersAction):
            for commands in action.choices.values():
                yield from arguments_of(commands)


@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_every_option_is_explained_and_an_unknown_one_refused(
    program, monkeypatch, capsys
):
    try:
        module = importlib.import_module(program)
    except ImportError as missing:
        pytest.skip(str(missing))
    refused, error = [], options.Parser.error

    def refuse(parser, message):
        refused.append(parser)
        error(parser, message)

    monkeypatch.setattr(options.Parser, "error", refuse)
    monkeypatch.setattr(sys, "argv", [program, "--no-such-option"])
    monkeypatch.setenv("COLUMNS", "80")
    name, *arguments = READERS.get(program, ["main"])
    with pytest.raises(SystemExit) as stop:
        sys.exit(getattr(module, name)(*arguments))
    assert (stop.value.code, capsys.readouterr().err.count("\n")) == (2, 1)
    for parser, argument in arguments_of(refused[0]):
        is_command = isinstance(argument, argparse._SubParsersAction)
        assert argument.help or is_command, (parser.prog, argument.dest)
        told = parser.format_help().partition("\noptions:\n")[2].splitlines()
        assert not [line for line in told if len(line) > 80 or line.endswith("-")]

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
    "baselines.ued.options": ("read", ""),
    "train_ppo_tasks": ("main",),
}
ROOT = pathlib.Path(__file__).parents[1]
#: All programs with options.
PROGRAMS = {
    *(module for module, _ in command.COMMANDS.values()),
    *(program for program in TABLE if "." in program),
    *(
        path.stem
        for folder in ("scripts", "analysis")
        for path in ROOT.glob(f"{folder}/*.py")
        # Others are no programs, or have options that `baselines` reads.
        if "\ndef main(" in path.read_text("utf-8")
    ),
}


def run(program, words, monkeypatch):
    """Run a program that ends itself; returns its exit code."""
    name, *arguments = READERS.get(program, ["main"])
    monkeypatch.setattr(sys, "argv", [program, *words])
    with pytest.raises(SystemExit) as stop:
        sys.exit(getattr(importlib.import_module(program), name)(*arguments))
    return stop.value.code


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
    files = [tmp_path / "text", tmp_path / "text.jsonl"]
    for path in files:
        path.write_text("Not what you think.\n")
    monkeypatch.chdir(tmp_path)
    assert run(program, words.split(), monkeypatch) == 2
    err = capsys.readouterr().err
    assert message in " ".join(err.split())
    assert program != "crafter.run_gui" or err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == files  # nothing was written


def parsers(parser):
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if action.nargs == argparse.PARSER:
            for part in action.choices.values():
                yield from parsers(part)


@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_every_option_is_explained_and_an_unknown_one_refused(
    program, monkeypatch, capsys
):
    pytest.importorskip(program)
    refused, error = [], options.Parser.error

    def refuse(parser, message):
        refused.append(parser)
        error(parser, message)

    monkeypatch.setattr(options.Parser, "error", refuse)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(program, ["--no-such-option"], monkeypatch) == 2
    assert capsys.readouterr().err.count("\n") == 1
    for parser in parsers(refused[0]):
        arguments = [a for a in parser._actions if a.nargs != argparse.PARSER]
        assert [a.dest for a in arguments if not a.help] == [], parser.prog
        told = parser.format_help().partition("\noptions:\n")[2].splitlines()
        assert not [line for line in told if len(line) > 80 or line.endswith("-")]

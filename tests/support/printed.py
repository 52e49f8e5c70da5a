"""Runs programs and parses their output."""

import math
import os
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"


def run_script(name, *words, **variables):
    """Runs a script in a subprocess and returns its output."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / name, *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows_of(text):
    """Parses tables: label -> figures of every row."""
    rows = (line.rsplit("  ", line.count("  ")) for line in text.splitlines())
    cells = ([cell.strip() for cell in row if cell.strip()] for row in rows)
    return {first: [number(x) for x in rest] for first, *rest in filter(None, cells)}


def refusal(capsys, program, *arguments, **options):
    """Runs a program that must fail, and returns its error output."""
    with pytest.raises(SystemExit) as caught:
        program(*arguments, **options)
    assert caught.value.code == 1
    return capsys.readouterr().err


def number(text):
    try:
        return float(text.strip("x").replace(",", ""))
    except ValueError:
        return math.nan

"""Reads what programs print."""

import math

import pytest


def rows_of(text):
    """Returns label -> figures of all rows of tables."""
    rows = (line.rsplit("  ", line.count("  ")) for line in text.splitlines())
    cells = ([cell.strip() for cell in row if cell.strip()] for row in rows)
    return {first: [number(x) for x in rest] for first, *rest in filter(None, cells)}


def refusal(capsys, program, *arguments, **options):
    """Runs a program, which has to fail, and returns what it says."""
    with pytest.raises(SystemExit) as caught:
        program(*arguments, **options)
    assert caught.value.code == 1
    return capsys.readouterr().err


def number(text):
    try:
        return float(text.strip("x").replace(",", ""))
    except ValueError:
        return math.nan

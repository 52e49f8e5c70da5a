"""Runs the programs of analysis/."""

import importlib

import pytest

PLOTS = ["plot_scores", "plot_spectrum", "plot_reward", "plot_counts", "plot_profile"]


def run(name, *arguments, budget=100_000):
    importlib.import_module(name).main([*map(str, arguments), "--budget", str(budget)])


def fails(capsys, name, *arguments, **options):
    """Runs a program that must fail, and returns its error output."""
    with pytest.raises(SystemExit) as caught:
        run(name, *arguments, **options)
    assert caught.value.code
    return capsys.readouterr().err

"""Draws return, length and the count of every achievement over the training.

A count is how often an episode did it, the mean over the episodes of a bin. Lines are
means over seeds; from the lowest to the highest seed is shaded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import common
import figures
import numpy as np
import plot_reward
import print_spectrum

from crafter import constants, scoring

ROWS, COLUMNS = 6, 4
WIDTH, HEIGHT = 8.5, 9.5  # inches


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = common.make_parser(__doc__)
    plot_reward.add_bin(parser)
    figures.add_output(parser, "counts.pdf")
    args = parser.parse_args(argv)
    with common.errors(parser), figures.look():
        methods = common.with_runs(common.read(args))
        figures.save(draw(methods, args.budget, args.bin), args.output)


def draw(
    methods: Sequence[common.Method],
    budget: int = scoring.BUDGET,
    width: int = plot_reward.BIN,
) -> Any:
    """Draw a panel per value, with a line per method; methods need runs."""
    drawn = figures.new(WIDTH, HEIGHT)
    panels = drawn.subplots(ROWS, COLUMNS, sharex=True)
    for axes, (name, values) in zip(panels.flat, quantities().items()):
        for method in methods:
            ends, curves = plot_reward.binned(method, values, budget, width)
            _draw_curve(axes, method, ends, curves)
        axes.set_title(name)
        axes.set_xlim(0, budget)
        axes.set_xticks([0, budget / 2, budget])
        axes.xaxis.set_major_formatter(figures.thousands)
        if name != "Return":
            axes.set_ylim(bottom=0)
        if not any(values(run).any() for method in methods for run in method.runs):
            axes.set_ylim(0, 1)  # Nothing happened: no digits after the point.
        axes.locator_params(axis="y", nbins=4)
    drawn.supxlabel("Environment steps", fontsize=9)
    figures.legend_above(drawn, panels.flat[0])
    return drawn


def quantities() -> dict[str, Callable[[scoring.Run], np.ndarray]]:
    """Return the title of every panel, and its value per episode of a run."""
    found: dict[str, Callable[[scoring.Run], np.ndarray]] = {
        "Return": lambda run: run.reward,
        "Length": lambda run: run.length,
    }
    for index, name in enumerate(constants.achievements):
        found[print_spectrum.title(name)] = functools.partial(_count, index)
    return found


def _count(index: int, run: scoring.Run) -> np.ndarray:
    return run.achievements[:, index]


def _draw_curve(
    axes: Any, method: common.Method, ends: np.ndarray, curves: np.ndarray
) -> None:
    low, high = np.nanmin(curves, 0), np.nanmax(curves, 0)
    axes.fill_between(ends, low, high, color=method.colour, alpha=0.25, linewidth=0)
    axes.plot(
        ends,
        np.nanmean(curves, 0),
        color=method.colour,
        label=method.name,
        linewidth=1.1,
    )


if __name__ == "__main__":
    main()

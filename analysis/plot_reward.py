"""Plots the return over training: the mean over seeds, with a shaded band.

For benchmarks that score success rates, the band is one standard deviation, as in the
Crafter paper; for those that score the return, the return is in percent and the band is
one standard error, as in the Craftax paper.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import common
import numpy as np

from crafter import scoring
from crafter.core.arguments import positive
from crafter.core.options import Table
from crafter.reporting import figures

WIDTH, HEIGHT = 5.5, 3.6  # inches
BINS = 100  # over the budget
BIN: Table = {
    "bin": (
        None,
        positive,
        "averaging window in steps (default: a hundredth of the benchmark)",
    )
}


def draw(
    methods: Sequence[common.Method],
    budget: int | None = None,
    width: int | None = None,
) -> Any:
    """Draws a line per method; methods need runs."""
    budget, width = bins(methods, budget, width)
    benchmark = methods[0].benchmark
    best, percent = benchmark.optimal_return, benchmark.measure == "return"
    drawn = figures.new(WIDTH, HEIGHT)
    axes = drawn.subplots()
    for method in methods:
        ends, curves = binned(method, lambda run: run.reward, budget, width)
        curves = 100 / best * curves if percent else curves
        seeds = max(len(curves) - 1, 1) ** 0.5 if percent else 1
        mean, std = np.nanmean(curves, 0), np.nanstd(curves, 0) / seeds
        look = {"color": method.colour, "label": method.name, "linewidth": 1.4}
        draw_line(axes, ends, mean, (mean - std, mean + std), look)
    axes.set_xlim(0, budget)
    axes.xaxis.set_major_formatter(common.thousands)
    axes.set_xlabel("Environment steps")
    name = f"Return (% of {best:g})" if percent else f"Return (the optimum is {best:g})"
    axes.set_ylabel(name)
    figures.legend_above(drawn, axes)
    return drawn


def draw_line(
    axes: Any, x: np.ndarray, y: np.ndarray, shaded: Any, look: dict[str, Any]
) -> None:
    """Draws a line, with the band between two others in its colour."""
    axes.fill_between(x, *shaded, color=look["color"], alpha=0.25, linewidth=0)
    axes.plot(x, y, **look)


def bins(
    methods: Sequence[common.Method], budget: int | None, width: int | None
) -> tuple[int, int]:
    """Returns the steps of all bins and of one, by default of the benchmark."""
    full = methods[0].benchmark.budget
    return budget or full, width or full // BINS


def binned(
    method: common.Method, values: Any, budget: int, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the ends of the bins with episodes, and the mean per seed and bin.

    Args:
      method: The method; it needs runs.
      values: Function from a run to a value per episode.
      budget: Steps of all bins.
      width: Steps of a bin.

    Returns:
      Steps (bins,), and means (seeds, bins), NaN for bins without episodes.
    """
    pairs = [scoring.curve(run, values(run), width, budget) for run in method.runs]
    curves = np.array([means for _, means in pairs])
    there = ~np.isnan(curves).all(0)
    return pairs[0][0][there], curves[:, there]


def program(description: str | None, default: str, draw: Any) -> common.Program:
    """Returns a program that draws learning curves; see `common.plot_program`."""

    def curves(args: argparse.Namespace) -> Any:
        return draw(common.with_runs(args.methods), args.budget, args.bin)

    return common.plot_program(description, default, curves, BIN)


main = program(__doc__, "reward.pdf", draw)


if __name__ == "__main__":
    main()

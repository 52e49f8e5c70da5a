"""Plots the mean success rate of each achievement tier at the end of training.

The end is the last tenth of the budget. Error bars are one standard error over seeds.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import common
import numpy as np

from crafter import scoring
from crafter.reporting import figures

WIDTH, HEIGHT = 6.5, 3.2  # inches
GROUP = 0.84  # width of the bars of a tier; tiers are 1 apart


def end(run: scoring.Run) -> scoring.Run:
    """Returns the episodes of the last tenth of the budget."""
    last = run.xs > run.steps - run.benchmark.final_steps
    names = "length", "reward", "achievements"
    parts: dict[str, Any] = {name: getattr(run, name)[last] for name in names}
    return dataclasses.replace(run, **parts)


def draw(methods: Sequence[common.Method]) -> Any:
    """Draws a group of bars per tier; methods need runs.

    Raises:
      RunError: If the game has no tiers.
    """
    levels = methods[0].benchmark.levels
    if not levels:
        raise scoring.RunError("the achievements of this game have no tiers")
    drawn = figures.new(WIDTH, HEIGHT)
    axes = drawn.subplots()
    places, width = np.arange(len(levels)), GROUP / len(methods)
    for i, method in enumerate(methods):
        rates = method.over_seeds(lambda run: scoring.level_rates(end(run)))
        error = rates.std(0) / max(len(rates) - 1, 1) ** 0.5
        x = places + (i - (len(methods) - 1) / 2) * width
        look = {"color": method.colour, "label": method.name}
        axes.bar(x, rates.mean(0), 0.92 * width, yerr=error, **look)
    common.log_axis(axes, 100)
    axes.set_xticks(places, [level.capitalize() for level in levels])
    axes.set_ylabel("Success rate (%)")
    figures.legend_above(drawn, axes)
    return drawn


main = common.plot_program(
    __doc__, "levels.pdf", lambda args: draw(common.with_runs(args.methods))
)


if __name__ == "__main__":
    main()

"""Draws the success rate of every achievement, a bar per method, on a log axis.

Where a method was run and published, the bar is of the runs and a diamond shows what
was published. Bars of methods that were only published are hatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import common
import figures
import numpy as np
import print_spectrum

from crafter import constants, scoring

LOWEST, HIGHEST = 0.01, 100.0  # percent
WIDTH, HEIGHT = 9.0, 3.6  # inches
DIAMOND: dict[str, Any] = {
    "marker": "D",
    "markersize": 3.2,
    "color": "black",
    "markeredgecolor": "white",
    "markeredgewidth": 0.4,
    "linestyle": "none",
    "clip_on": False,
}
GROUP = 0.84  # width of the bars of an achievement; achievements are 1 apart


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = common.make_parser(__doc__)
    figures.add_output(parser, "spectrum.pdf")
    args = parser.parse_args(argv)
    with common.errors(parser), figures.look():
        figures.save(draw(common.read(args)), args.output)


def draw(methods: Sequence[common.Method]) -> Any:
    """Draw bars of the success rates; what is published is hatched.

    Raises:
      RunError: If no method has success rates.
    """
    shown = [method for method in methods if main_rates(method) is not None]
    if not shown:
        raise scoring.RunError("no method has success rates")
    drawn = figures.new(WIDTH, HEIGHT)
    axes = drawn.subplots()
    axes.set_yscale("log")
    places = np.arange(len(constants.achievements))
    width = GROUP / len(shown)
    for i, method in enumerate(shown):
        x = places + (i - (len(shown) - 1) / 2) * width
        _draw_bars(axes, x, width, method)
    axes.set_ylim(LOWEST, HIGHEST)
    axes.set_yticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.set_xlim(-0.6, len(places) - 0.4)
    names = map(print_spectrum.title, constants.achievements)
    axes.set_xticks(places, names, rotation=45, ha="right", rotation_mode="anchor")
    axes.tick_params(axis="x", length=0)
    axes.grid(False, axis="x")
    axes.set_ylabel("Success rate (%)")
    if any(method.runs and method.published_rates() is not None for method in shown):
        axes.plot([], [], **DIAMOND, label="published")
    figures.legend_above(drawn, axes)
    return drawn


def main_rates(method: common.Method) -> np.ndarray | None:
    """Return the rates that bars show: ours, or else the published ones."""
    ours = method.rates()
    return method.published_rates() if ours is None else ours


def _draw_bars(axes: Any, x: np.ndarray, width: float, method: common.Method) -> None:
    rates = main_rates(method)
    assert rates is not None
    look = {} if method.runs else figures.PUBLISHED
    name = method.name if method.runs else f"{method.name} (published)"
    axes.bar(
        x, np.maximum(rates, LOWEST), width, color=method.colour, label=name, **look
    )
    theirs = method.published_rates()
    if method.runs and theirs is not None:
        seen = theirs > LOWEST
        axes.plot(x[seen], theirs[seen], **DIAMOND)


if __name__ == "__main__":
    main()

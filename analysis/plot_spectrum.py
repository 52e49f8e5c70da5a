"""Plots the success rate of every achievement, a bar per method, on a log axis.

Error bars are one standard deviation over seeds. If a method was run and published, the
bar shows the runs and a diamond the published rate. Bars of methods that were only
published are hatched. Below 0.01 % the axis is linear, down to zero: one success in a
million episodes can be distinguished from none. In games with many achievements, those
that no method ever unlocked are only listed.
"""

from collections.abc import Sequence
from typing import Any

import common
import numpy as np
import print_spectrum

from crafter import scoring
from crafter.reporting import figures

TOP = 140.0  # percent; leaves room for the diamonds at 100
SEEN = 0.0015  # percent; minimum height of bars, so that they are visible
ACROSS = 12  # maximum achievements per row, so that bars are not too thin
MANY = 30  # achievements from which never unlocked ones are left out
WIDTH, ROW = 9.0, 2.3  # inches

DIAMOND: dict[str, Any] = {
    "marker": "D",
    "markersize": 3.0,
    "color": "black",
    "markeredgecolor": "white",
    "markeredgewidth": 0.4,
    "linestyle": "none",
}
GROUP = 0.84  # width of the bars of an achievement; achievements are 1 apart


def draw(methods: Sequence[common.Method]) -> Any:
    """Draws bars of the success rates; published ones are hatched.

    Raises:
      RunError: If no method has success rates.
    """
    shown = [method for method in methods if main_rates(method) is not None]
    if not shown:
        raise scoring.RunError("no method has success rates")
    numbers, never = split(shown)
    rows = max(2, -(-len(numbers) // ACROSS))
    drawn = figures.new(WIDTH, rows * ROW + 0.6)
    panels = drawn.subplots(rows, 1)
    for axes, part in zip(panels, np.array_split(numbers, rows)):
        _draw_row(axes, shown, part)
    drawn.supxlabel("\n".join(common.never(never)), fontsize="medium")
    drawn.supylabel("Success rate (%)", fontsize="medium")
    if any(method.runs and method.published_rates() is not None for method in shown):
        panels[0].plot([], [], **DIAMOND, label="published")
    figures.legend_above(drawn, panels[0])
    return drawn


def split(methods: Sequence[common.Method]) -> tuple[np.ndarray, list[str]]:
    """Returns the indices of the achievements to show, and titles of the others."""
    rates = np.array([main_rates(method) for method in methods])
    titles = names(methods[0].benchmark)
    shown = np.asarray((rates > 0).any(0) | (len(titles) < MANY))
    if shown.sum() < 2:  # two rows need one each
        shown[:] = True
    return np.flatnonzero(shown), [titles[i] for i in np.flatnonzero(~shown)]


def names(benchmark: scoring.Benchmark) -> list[str]:
    """Returns the display names of the achievements."""
    return [*map(print_spectrum.title, benchmark.achievements)]


def _draw_row(axes: Any, methods: Sequence[common.Method], part: np.ndarray) -> None:
    """Draws the bars of some achievements, given by index."""
    common.log_axis(axes, TOP)
    places = np.arange(len(part))
    width = GROUP / len(methods)
    for i, method in enumerate(methods):
        x = places + (i - (len(methods) - 1) / 2) * width
        _draw_bars(axes, x, width, method, part)
    axes.set_xlim(-0.6, len(part) - 0.4)
    titles = names(methods[0].benchmark)
    labels = [titles[index].replace(" ", "\n") for index in part]
    axes.set_xticks(places, labels, linespacing=0.95)


def main_rates(method: common.Method) -> np.ndarray | None:
    """Returns the rates of the bars: ours, or else the published ones."""
    ours = method.rates()
    return method.published_rates() if ours is None else ours


def _draw_bars(
    axes: Any, x: np.ndarray, width: float, method: common.Method, part: np.ndarray
) -> None:
    rates = main_rates(method)
    assert rates is not None
    rates = rates[part]
    look = {} if method.runs else common.PUBLISHED_LOOK
    name = method.name if method.runs else f"{method.name} (published)"
    seen = np.where(rates > 0, np.maximum(rates, SEEN), 0)
    axes.bar(x, seen, 0.92 * width, color=method.colour, label=name, **look)
    if len(method.runs) > 1:
        std = method.over_seeds(scoring.success_rates).std(0)[part]
        ends = np.array([np.minimum(std, rates), np.minimum(std, 100 - rates)])
        there = std > 0
        line = {"ecolor": "#222222", "elinewidth": 0.8}
        axes.errorbar(x[there], rates[there], ends[:, there], fmt="none", **line)
    theirs = method.published_rates()
    if method.runs and theirs is not None:
        there = theirs[part] > 0
        axes.plot(x[there], theirs[part][there], **DIAMOND)


main = common.plot_program(__doc__, "spectrum.pdf", lambda args: draw(args.methods))


if __name__ == "__main__":
    main()

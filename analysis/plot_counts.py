"""Plots return, length and the count of every achievement over training.

Counts are per episode, averaged over the episodes of a bin. Lines are means over seeds;
the range from the lowest to the highest seed is shaded. Achievements that no run ever
unlocked have no panel; they are listed below.
"""

from collections.abc import Callable, Sequence
from typing import Any

import common
import numpy as np
import plot_reward
import print_spectrum

from crafter import scoring
from crafter.reporting import figures

COLUMNS = (6, 5, 4)  # candidates; fewest empty panels wins
WIDTH, ROW = 9.5, 1.6  # inches


def draw(
    methods: Sequence[common.Method],
    budget: int | None = None,
    width: int | None = None,
) -> Any:
    """Draws a panel per quantity, with a line per method; methods need runs."""
    budget, width = plot_reward.bins(methods, budget, width)
    shown, never = split(methods)
    columns = min(COLUMNS, key=lambda count: -len(shown) % count)
    rows = -(-len(shown) // columns)
    drawn = figures.new(WIDTH, ROW * rows + 0.7)
    panels = drawn.subplots(rows, columns, sharex=True, squeeze=False)
    for axes, (name, values) in zip(panels.flat, shown.items()):
        for method in methods:
            ends, curves = plot_reward.binned(method, values, budget, width)
            low, high = np.nanmin(curves, 0), np.nanmax(curves, 0)
            look = {"color": method.colour, "label": method.name, "linewidth": 1.1}
            plot_reward.draw_line(axes, ends, np.nanmean(curves, 0), (low, high), look)
        axes.set_title(name)
        axes.set_xlim(0, budget)
        axes.set_xticks([0, budget / 2, budget])
        axes.xaxis.set_major_formatter(common.thousands)
        if name != "Return":
            axes.set_ylim(bottom=0)
        axes.locator_params(axis="y", nbins=4)
    _remove_rest(panels, len(shown))
    drawn.supxlabel(
        "\n".join(["Environment steps", *common.never(never)]), fontsize="medium"
    )
    figures.legend_above(drawn, panels.flat[0])
    return drawn


def split(
    methods: Sequence[common.Method],
) -> tuple[dict[str, Callable[[scoring.Run], np.ndarray]], list[str]]:
    """Returns the quantities that are ever nonzero, and titles of the others."""
    panels = quantities(methods[0].benchmark)
    runs = [run for method in methods for run in method.runs]
    never = [name for name, of in panels.items() if not any(of(r).any() for r in runs)]
    return {name: of for name, of in panels.items() if name not in never}, never


def _remove_rest(panels: np.ndarray, count: int) -> None:
    """Removes empty panels; the panels above them get tick labels."""
    for axes in panels.flat[count:]:
        axes.remove()
    for axes in panels.flat[max(0, count - panels.shape[1]) : count]:
        axes.tick_params(labelbottom=True)


def quantities(
    benchmark: scoring.Benchmark,
) -> dict[str, Callable[[scoring.Run], np.ndarray]]:
    """Returns the title of every panel -> its values per episode of a run."""
    panels: dict[str, Callable[[scoring.Run], np.ndarray]] = {
        "Return": lambda run: run.reward,
        "Length": lambda run: run.length,
    }
    for index, name in enumerate(benchmark.achievements):
        title = print_spectrum.title(name)
        panels[title] = lambda run, i=index: run.achievements[:, i]  # type: ignore[misc]
    return panels


main = plot_reward.program(__doc__, "counts.pdf", draw)


if __name__ == "__main__":
    main()

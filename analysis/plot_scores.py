"""Plots the score of every method, with its standard deviation over seeds."""

from collections.abc import Sequence
from typing import Any

import common

from crafter import scoring
from crafter.reporting import figures, tables

WIDTH = 6.0  # inches
ROW = 0.26  # inches per bar, and of the space around the bars of a method
BAR = 0.8  # thickness of a bar in rows
#: Mean, standard deviation, and whether it is published.
Bar = tuple[float, float | None, bool]


def draw(methods: Sequence[common.Method]) -> Any:
    """Draws a group of bars per method: ours and the published one.

    Raises:
      RunError: If no method has a score.
    """
    from matplotlib.patches import Patch

    groups = [(method, bars(method)) for method in methods]
    groups = [(method, own_bars) for method, own_bars in groups if own_bars]
    if not groups:
        raise scoring.RunError("no method has a score")
    end = 1.2 * max(m + (s or 0) for _, own_bars in groups for m, s, _ in own_bars)
    rows = sum(len(own_bars) for _, own_bars in groups) + 0.6 * len(groups)
    drawn = figures.new(WIDTH, 0.8 + ROW * rows)
    axes = drawn.subplots()
    places, y = [], 0.0
    for method, own_bars in groups:
        places.append(y + (len(own_bars) - 1) / 2)
        for bar in own_bars:
            _draw_bar(axes, y, bar, method.colour)
            y += 1
        y += 0.6
    axes.set_yticks(places, [method.name for method, _ in groups])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(y - 0.6 - 0.3, -0.7)
    axes.set_xlim(0, end)
    note = common.note([method for method, _ in groups])
    axes.set_xlabel(f"Score (%)     ({note})" if note else "Score (%)")
    axes.grid(False, axis="y")
    kinds = {published for _, own_bars in groups for *_, published in own_bars}
    if len(kinds) > 1:
        ours, theirs = (
            Patch(facecolor="#888888", label=label, **look)
            for label, look in (("runs", {}), ("published", common.PUBLISHED_LOOK))
        )
        drawn.legend(handles=[ours, theirs], loc="outside upper center", ncols=2)
    return drawn


def bars(method: common.Method) -> list[Bar]:
    """Returns the bars of a method."""
    own_bars: list[Bar] = []
    if method.runs:
        scores = method.over_seeds(scoring.run_score)
        own_bars.append((*scoring.mean_std(scores), False))
    published = method.published_pair("score")
    return [*own_bars, (*published, True)] if published else own_bars


def _draw_bar(axes: Any, y: float, bar: Bar, colour: str) -> None:
    mean, std, published = bar
    look = common.PUBLISHED_LOOK if published else {}
    line = {"ecolor": "#333333", "capsize": 2, "elinewidth": 0.9, "capthick": 0.9}
    drawn = axes.barh(y, mean, BAR, color=colour, xerr=std, error_kw=line, **look)
    text = tables.Value(mean, std).show()
    axes.bar_label(drawn, [text], padding=3, fontsize=7.5)


main = common.plot_program(__doc__, "scores.pdf", lambda args: draw(args.methods))


if __name__ == "__main__":
    main()

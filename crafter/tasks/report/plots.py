"""Figures of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.reporting import figures
from crafter.reporting.tables import Value
from crafter.tasks.report import tables
from crafter.tasks.report.frame import by_task, group, rate, where
from crafter.tasks.scoring.files import Material

#: Colours of agents that come with the package, and of others in their order.
COLOURS = {
    "noop": "#8f8f8f",
    "random": "#6a554d",
    "scout": "#377eb8",
    "oracle": "#de9f42",
}
OTHERS = ("#5fc35d", "#984ea3", "#bf3217", "#e7298a", "#17becf", "#2f2f2f", "#8a9a1f")
_PALE = "#c9c9c9"


def colours(agents: Sequence[str]) -> dict[str, str]:
    """Returns a colour for each agent."""
    others = [agent for agent in agents if agent not in COLOURS]
    own = {name: OTHERS[n % len(OTHERS)] for n, name in enumerate(others)}
    return {agent: {**own, **COLOURS}[agent] for agent in agents}


# Radars.


def scores(material: Material) -> Any:
    """Draws the mean scores by dimension."""
    found = tables.scores(material)
    names = [name.lower().replace(" ", "\n") for name in found.columns[2:-1]]
    return _radar(names, {str(row[0]): row[2:-1] for row in found.rows})


def categories(material: Material) -> Any:
    """Draws the success by category."""
    found = tables.categories(material)
    columns = list(zip(*found.rows))
    agents = dict(zip(found.columns[2:], columns[2:]))
    return _radar([str(name) for name in columns[0]], agents)


def _radar(names: Sequence[str], cells: Mapping[str, Sequence[Any]]) -> Any:
    """Draws a closed line per agent; a gap where there is nothing to show."""
    drawn = figures.new(5.0, 5.2)
    axes = drawn.add_subplot(projection="polar")
    angles = np.linspace(0, 2 * math.pi, len(names), endpoint=False)
    colour = colours(list(cells))
    for agent, own in cells.items():
        values = [cell.mean if isinstance(cell, Value) else math.nan for cell in own]
        closed, around = [*values, values[0]], [*angles, angles[0]]
        axes.plot(around, closed, color=colour[agent], label=agent, lw=1.8, marker="o")
    axes.set_theta_offset(math.pi / 2)
    axes.set_theta_direction(-1)
    axes.set_xticks(angles, names)
    axes.set_ylim(0, 100)
    # The outermost circle, 100 %, has no label: it would be among the names.
    axes.set_yticks([25, 50, 75, 100], ["25", "50", "75 %", ""], color="#777777")
    axes.set_rlabel_position(180 / len(names))
    axes.spines["polar"].set_visible(False)
    for line in axes.lines:
        line.set_markersize(3)
        line.set_clip_on(False)
    axes.tick_params(pad=8)
    figures.legend_above(drawn, axes)
    # The layout does not see how far the names around the circle reach.
    drawn.set_layout_engine("constrained", rect=(0.08, 0.02, 0.84, 0.96))
    return drawn


# Bars.


def bars(material: Material, category: str) -> Any:
    """Draws the success at each task of a category, agents side by side."""
    own = where(material.frame, dimension="success", category=category)
    names = list(group(own, "task"))
    found = group(own, "agent", "task")
    colour = colours(material.agents)
    thick = 0.8 / len(material.agents)
    inches = 0.9 + len(names) * max(0.28, 0.09 * len(material.agents))
    drawn = figures.new(7.2, inches)
    axes = drawn.add_subplot()
    for number, agent in enumerate(material.agents):
        there = [n for n, task in enumerate(names) if (agent, task) in found]
        values: Any = [rate(r.value for r in found[agent, names[n]]) for n in there]
        means = np.array([value.mean for value in values])
        ends = [(value.mean - value.low, value.high - value.mean) for value in values]
        places = np.array(there) - 0.4 + thick * (number + 0.5)
        axes.barh(places, means, 0.9 * thick, color=colour[agent], label=agent)
        widths = np.maximum(np.reshape(ends, (-1, 2)).T, 0)
        axes.errorbar(means, places, None, widths, "none", ecolor="#33333399", lw=0.8)
        # A dot where there would be no bar, so that nothing looks missing.
        zeros = places[means == 0]
        dots = {"color": colour[agent], "ms": 3, "clip_on": False, "zorder": 3}
        axes.plot(0 * zeros, zeros, "o", **dots)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("success (%)")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    figures.legend_above(drawn, axes)
    return drawn


# Slopes.


def slopes(material: Material) -> Any:
    """Draws the success of each task from level to level; `None` without several."""
    success = where(tables.leveled(material), dimension="success")
    levels = list(group(success, "level"))
    lines = {}
    for agent, own in group(success, "agent").items():
        found = [by_task(where(own, level=level)) for level in levels]
        common = [task for task in found[0] if all(task in one for one in found)]
        if common:
            lines[agent] = np.array([[100 * x[task] for x in found] for task in common])
    if not lines:
        return None
    columns = min(6, len(lines))
    rows = math.ceil(len(lines) / columns)
    drawn = figures.new(1.6 * columns + 0.6, 2.5 * rows + 0.2)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[len(lines) :]:
        axes.set_visible(False)
    for axes, (agent, rates) in zip(grid.flat, lines.items()):
        colour = colours(material.agents)[agent]
        # Equal lines lie on each other, so the width says how many there are.
        for line, count in zip(*np.unique(rates, axis=0, return_counts=True)):
            axes.plot(line, color=_PALE, lw=0.7 + 0.5 * math.sqrt(count), zorder=1)
        axes.plot(rates.mean(0), color=colour, lw=2.6, marker="o", zorder=2)
        axes.set_title(agent, color=colour, fontweight="bold")
        axes.set_xticks(range(len(levels)), levels)
        axes.tick_params(labelbottom=True)
        axes.set_xlim(-0.2, len(levels) - 0.8)
        axes.set_ylim(-3, 103)
    for axes in grid[:, 0]:
        axes.set_ylabel("success (%)")
    return drawn


def drawn(material: Material) -> dict[str, tuple[str, str, Any]]:
    """Returns the figures: name -> section, caption, figure."""
    found = {}
    categories_there = list(group(material.frame, "category"))
    if len(categories_there) > 2:
        found["categories"] = ("Success", "Success by category.", categories(material))
    for name in categories_there:
        caption = f"Success by task: {name}. Lines are 95 % intervals."
        found[f"tasks-{name}"] = ("Tasks", caption, bars(material, name))
    if material.score_version is not None:
        found["scores"] = ("Scores", "Mean scores by dimension.", scores(material))
    if (figure := slopes(material)) is not None:
        caption = "Success of each task from level to level; the bold line is the mean."
        found["levels"] = ("From simple to hard", caption, figure)
    return found

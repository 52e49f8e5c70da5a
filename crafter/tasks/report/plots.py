"""Figures of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.reporting import figures
from crafter.reporting.tables import Value
from crafter.tasks.dimensions import SCORED
from crafter.tasks.report import estimates
from crafter.tasks.report.attempts import Material

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


def radar_of_dimensions(material: Material) -> Any:
    """Draws the mean scores in five dimensions."""
    names = [name.replace("_", "\n") for name in SCORED]
    found = {
        agent: [
            _number(estimates.scores(material.where(agent=agent), name))
            for name in SCORED
        ]
        for agent in material.agents
    }
    return _radar(names, found)


def radar_of_categories(material: Material) -> Any:
    """Draws the success by category."""
    found = {
        agent: [
            _number(estimates.rate(material.where(agent=agent, category=category)))
            for category in material.categories
        ]
        for agent in material.agents
    }
    return _radar(material.categories, found)


def _number(value: Value | None) -> float:
    return float("nan") if value is None else value.mean


def _radar(names: Sequence[str], values: Mapping[str, Sequence[float]]) -> Any:
    """Draws a closed line per agent; a gap where there is nothing to show."""
    drawn = figures.new(5.6, 4.6)
    axes = drawn.add_subplot(projection="polar")
    angles = np.linspace(0, 2 * math.pi, len(names), endpoint=False)
    colour = colours(list(values))
    for agent, own in values.items():
        closed = [*own, own[0]]
        around = [*angles, angles[0]]
        axes.plot(around, closed, color=colour[agent], label=agent, lw=1.8, marker="o")
        axes.fill(around, np.nan_to_num(closed), color=colour[agent], alpha=0.07)
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
    drawn.legend(loc="outside right upper")
    # The layout does not see how far the names around the circle reach.
    drawn.set_layout_engine("constrained", rect=(0.06, 0.03, 0.9, 0.94))
    return drawn


# Bars.


def bars(material: Material, category: str) -> Any:
    """Draws the success at each task of a category, agents side by side."""
    own = material.where(category=category)
    tasks = [task for task in material.tasks if any(r.task == task for r in own)]
    colour = colours(material.agents)
    thick = 0.8 / len(material.agents)
    inches = 0.9 + len(tasks) * max(0.28, 0.09 * len(material.agents))
    drawn = figures.new(7.2, inches)
    axes = drawn.add_subplot()
    for number, agent in enumerate(material.agents):
        rates = [
            estimates.rate([r for r in own if (r.agent, r.task) == (agent, task)])
            for task in tasks
        ]
        there = [(n, value) for n, value in enumerate(rates) if value is not None]
        if not there:
            continue
        places = [n - 0.4 + thick * (number + 0.5) for n, _ in there]
        means = [value.mean for _, value in there]
        ends = [
            [value.mean - (value.low or 0) for _, value in there],
            [(value.high or 0) - value.mean for _, value in there],
        ]
        axes.barh(places, means, 0.9 * thick, color=colour[agent], label=agent)
        widths = np.maximum(ends, 0)
        axes.errorbar(means, places, None, widths, "none", ecolor="#33333399", lw=0.8)
        # A dot where there would be no bar, so that nothing looks missing.
        zeros = [place for place, mean in zip(places, means) if not mean]
        dots = {"color": colour[agent], "ms": 3, "clip_on": False, "zorder": 3}
        axes.plot([0] * len(zeros), zeros, "o", **dots)
    axes.set_yticks(range(len(tasks)), tasks)
    axes.set_ylim(len(tasks) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("success (%)")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    figures.legend_above(drawn, axes)
    return drawn


# Slopes.


def slopes(material: Material, levels: Sequence[str]) -> Any:
    """Draws the success of each task from level to level, for each agent."""
    columns = min(6, len(material.agents))
    rows = math.ceil(len(material.agents) / columns)
    drawn = figures.new(1.6 * columns + 0.6, 2.5 * rows + 0.2)
    colour = colours(material.agents)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[len(material.agents) :]:
        axes.set_visible(False)
    for axes, agent in zip(grid.flat, material.agents):
        _slope(axes, _lines(material, agent, levels), colour[agent])
        axes.set_title(agent, color=colour[agent], fontweight="bold")
        axes.set_xticks(range(len(levels)), levels)
        axes.tick_params(labelbottom=True)
        axes.set_xlim(-0.2, len(levels) - 0.8)
        axes.set_ylim(-3, 103)
    for axes in grid[:, 0]:
        axes.set_ylabel("success (%)")
    return drawn


def _lines(material: Material, agent: str, levels: Sequence[str]) -> np.ndarray:
    """Returns the success of the tasks that have every level (tasks, levels)."""
    found = [
        estimates.by_task(
            material.where(agent=agent, level=level), lambda row: 100.0 * row.done
        )
        for level in levels
    ]
    common = [task for task in found[0] if all(task in own for own in found)]
    lines = [[own[task] for own in found] for task in common]
    return np.array(lines).reshape(-1, len(levels))


def _slope(axes: Any, lines: np.ndarray, colour: str) -> None:
    # Equal lines lie on each other, so the width says how many there are.
    kinds, often = np.unique(lines, axis=0, return_counts=True)
    for line, count in zip(kinds, often):
        axes.plot(line, color=_PALE, lw=0.7 + 0.5 * math.sqrt(count), zorder=1)
    if len(lines):
        axes.plot(lines.mean(0), color=colour, lw=2.6, marker="o", zorder=2)

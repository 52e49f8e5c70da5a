"""Figures of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from crafter.reporting import figures
from crafter.reporting.tables import Value
from crafter.tasks.report import tables
from crafter.tasks.report.frame import group, rate, where
from crafter.tasks.scoring.files import Material

#: Colours of agents that come with the package, and of others in their order.
COLOURS = {
    "noop": "#8f8f8f",
    "random": "#6a554d",
    "scout": "#377eb8",
    "oracle": "#de9f42",
}
OTHERS = ("#5fc35d", "#984ea3", "#bf3217", "#e7298a", "#17becf", "#2f2f2f", "#8a9a1f")


def colours(agents: Sequence[str]) -> dict[str, str]:
    """Returns a colour for each agent."""
    others = [agent for agent in agents if agent not in COLOURS]
    own = {name: OTHERS[n % len(OTHERS)] for n, name in enumerate(others)}
    return {agent: {**own, **COLOURS}[agent] for agent in agents}


def scores(material: Material) -> Any:
    """Draws the mean scores by dimension: a closed line per agent."""
    found = tables.scores(material)
    names = [name.lower().replace(" ", "\n") for name in found.columns[2:-1]]
    drawn = figures.new(5.0, 5.2)
    axes = drawn.add_subplot(projection="polar")
    angles = np.linspace(0, 2 * math.pi, len(names), endpoint=False)
    colour = colours(material.agents)
    for agent, _, *own in found.rows:
        means = [cell.mean if isinstance(cell, Value) else math.nan for cell in own]
        values = means[: len(names)]  # without the overall score
        closed, around = [*values, values[0]], [*angles, angles[0]]
        look = {"color": colour[str(agent)], "lw": 1.8, "marker": "o"}
        axes.plot(around, closed, label=agent, **look)
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


def drawn(material: Material) -> dict[str, tuple[str, str, Any]]:
    """Returns the figures: name -> section, caption, figure."""
    found = {}
    for name in group(material.frame, "category"):
        caption = f"Success by task: {name}. Lines are 95 % intervals."
        found[f"tasks-{name}"] = ("Tasks", caption, bars(material, name))
    if material.score_version is not None:
        found["scores"] = ("Scores", "Mean scores by dimension.", scores(material))
    return found

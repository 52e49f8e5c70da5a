"""Figures of a report."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from crafter.reporting import figures
from crafter.reporting.tables import Value
from crafter.tasks.report import tables
from crafter.tasks.scoring.files import Material


def scores(material: Material) -> Any:
    """Draws the mean scores by dimension: a closed line per agent."""
    found = tables.scores(material)
    names = [name.lower().replace(" ", "\n") for name in found.columns[2:-1]]
    drawn = figures.new(5.0, 5.2)
    axes = drawn.add_subplot(projection="polar")
    angles = np.linspace(0, 2 * math.pi, len(names), endpoint=False)
    for agent, _, *own in found.rows:
        means = [cell.mean if isinstance(cell, Value) else math.nan for cell in own]
        values = means[: len(names)]  # without the overall score
        closed, around = [*values, values[0]], [*angles, angles[0]]
        axes.plot(around, closed, label=agent, lw=1.8, marker="o")
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

"""Compositions: whether what succeeds alone succeeds together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table
from crafter.tasks.catalogue import Task, all_tasks
from crafter.tasks.goals import Goal, Name, Not
from crafter.tasks.report import estimates
from crafter.tasks.report.attempts import Material, Row

CATEGORY = "compositional"


def add(page: Page, material: Material) -> None:
    """Adds the section to a page, if there are compositions."""
    if CATEGORY not in material.categories:
        return
    page.heading("Compositions")
    page.table(
        summary(material),
        "Success of compositions against that of their parts on the same level: the "
        "mean gaps to the product, which independent parts would give, and to the "
        "minimum. Compositions with an attempt at each part count.",
        "composition_gaps",
    )
    page.table(
        table(material),
        "Each composition with attempts at all of its parts, in percent.",
        "compositions",
    )


def parts_of(task: str) -> tuple[str, ...]:
    """Returns the tasks of the catalogue that a goal is made of.

    What must not happen is none of them; a part of a part is not taken apart.

    Example:
      >>> parts_of("first_tools")
      ('make_wood_pickaxe', 'collect_stone', 'make_stone_pickaxe')
    """
    goal: Goal = Task(task).goal
    if isinstance(goal, Name):
        goal = goal.parts[0]
    return tuple(dict.fromkeys(_names(goal)))


def _names(goal: Goal) -> list[str]:
    if isinstance(goal, Not):
        return []
    if isinstance(goal, Name) and str(goal) in all_tasks():
        return [str(goal)]
    return [name for part in goal.parts for name in _names(part)]


def _together(
    material: Material, agent: str, level: str
) -> list[tuple[str, list[list[Row]]]]:
    """Returns compositions with the attempts at them and at each of their parts."""
    own = material.where(agent=agent, level=level)
    found = []
    for task in dict.fromkeys(row.task for row in own if row.category == CATEGORY):
        names = (task, *parts_of(task))
        rows = [[row for row in own if row.task == name] for name in names]
        if len(rows) > 1 and all(rows):
            found.append((task, rows))
    return found


def _product_gap(whole: Any, *parts: Any, axis: int = -1) -> Any:
    return np.mean(whole, axis) - np.prod([np.mean(p, axis) for p in parts], 0)


def _minimum_gap(whole: Any, *parts: Any, axis: int = -1) -> Any:
    return np.mean(whole, axis) - np.min([np.mean(p, axis) for p in parts], 0)


def _done(rows: Sequence[Row]) -> list[float]:
    return [float(row.done) for row in rows]


def table(material: Material) -> Table:
    """Returns a row per composition, level and agent."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        for level in material.levels:
            for task, attempts in _together(material, agent, level):
                groups = [_done(part) for part in attempts]
                counts = " / ".join(str(len(part)) for part in groups)
                rates = " / ".join(f"{100 * np.mean(p):.0f}" for p in groups[1:])
                gap = estimates.estimate(groups, _product_gap)
                own = estimates.rate(attempts[0])
                rows.append([task, level, agent, counts, own, rates, gap])
    columns = ["Composition", "Level", "Agent", "Attempts", "Success", "Parts"]
    note = "Attempts: at the composition / at each part. The interval is a bootstrap."
    return Table([*columns, "Gap to product"], rows, note)


def summary(material: Material) -> Table:
    """Returns the mean gaps of each agent and level."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        for level in material.levels:
            groups = [
                [_done(part) for part in attempts]
                for _, attempts in _together(material, agent, level)
            ]
            cells = [
                estimates.mean([float(gap(*map(np.array, g))) for g in groups])
                for gap in (_product_gap, _minimum_gap)
            ]
            rows.append([f"{agent}, {level}", str(len(groups)), *cells])
    columns = ["Agent and level", "Compositions", "Gap to product", "Gap to minimum"]
    note = "In percentage points, with intervals over compositions."
    return Table(columns, rows, note)

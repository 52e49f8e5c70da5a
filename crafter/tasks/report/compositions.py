"""Compositions: whether what succeeds alone succeeds together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks import compositions
from crafter.tasks.catalogue import Task, all_tasks
from crafter.tasks.goals import Goal, Name, Not
from crafter.tasks.report import estimates
from crafter.tasks.report.attempts import Material, Row

CATEGORY = compositions.CATEGORY


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
    if any(row.task in _pairs(part) for row in material.rows for part in _SPLIT):
        page.table(
            held_out(material),
            "Pairs that an agent may train on against pairs that are held out, all of "
            "the same atoms: success at each, how much less it is at those held out, "
            "and the gaps to the product of the atoms.",
            "held_out",
        )


_SPLIT = ("train", "test")


def _pairs(part: str) -> list[str]:
    """Returns the tasks of a part of the fixed split of pairs."""
    return [compositions.expression(p) for p in getattr(compositions.fixed(), part)]


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


def held_out(material: Material) -> Table:
    """Returns success at pairs to train on and at held-out ones, and the difference."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        for level in material.levels:
            own = material.where(agent=agent, level=level)
            atoms = [row for row in own if row.task in compositions.fixed().atoms]
            seen, held = (_of_split(own, part) for part in _SPLIT)
            means = [
                list(estimates.by_task(part, lambda row: float(row.done)).values())
                for part in (held, seen)
            ]
            gaps = [_gaps(material, agent, level, part) for part in _SPLIT]
            cells = [*map(estimates.rate, (atoms, seen, held))]
            cells += [estimates.estimate(means, _difference), *gaps]
            count = f"{len(means[1])} / {len(means[0])}"
            rows.append([f"{agent}, {level}", count, *cells])
    columns = ["Agent and level", "Pairs", "Atoms", "Seen", "Held out", "Difference"]
    note = (
        "In percent. Pairs: seen / held out. Intervals of the difference and of the "
        "gaps are bootstraps over pairs."
    )
    return Table([*columns, "Gap, seen", "Gap, held out"], rows, note)


def _of_split(rows: Sequence[Row], part: str) -> list[Row]:
    names = set(_pairs(part))
    return [row for row in rows if row.task in names]


def _difference(ours: Any, theirs: Any, axis: int = -1) -> Any:
    return np.mean(ours, axis) - np.mean(theirs, axis)


def _gaps(material: Material, agent: str, level: str, part: str) -> Value | None:
    """Returns the mean gap to the product of the parts, over the pairs of a part."""
    names = set(_pairs(part))
    found = _together(material, agent, level)
    groups = [[_done(rows) for rows in parts] for task, parts in found if task in names]
    return estimates.mean([float(_product_gap(*map(np.array, g))) for g in groups])

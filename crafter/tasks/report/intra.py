"""Within tasks: levels, scenes, single axes of difficulty, and wordings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks import difficulty, files
from crafter.tasks.dimensions import SCORED
from crafter.tasks.report import estimates, plots
from crafter.tasks.report.attempts import Material, Row
from crafter.tasks.report.inter import success_of_tasks, title

#: Least success on the easiest level for what is kept of it to mean something.
ENOUGH = 0.2


def add(page: Page, material: Material) -> None:
    """Adds the section to a page."""
    named = named_levels(material)
    if len(named) > 1:
        page.heading("From simple to hard")
        page.table(
            levels(material),
            "Means over tasks, by level, and their differences from the easiest to the "
            "hardest level on the tasks that have both.",
            "levels",
        )
        page.table(
            retention(material),
            f"What is kept of the success on {named[0]}: the mean of the ratios of "
            f"success over the tasks with at least {ENOUGH:.0%} on {named[0]}.",
            "retention",
        )
        page.figure(
            plots.slopes(material, named),
            "Success of each task from level to level; the bold line is the mean.",
            "levels",
        )
        page.table(
            tasks(material), "Success by level, and what is lost.", "levels_by_task"
        )
    if material.scored:
        page.heading("Spread over scenes")
        page.table(
            scenes(material),
            "The overall score over the scenes of a task: standard deviation, the "
            "worst scene, and the mean of the worst quarter; means over tasks.",
            "scenes",
        )
    _add_axes(page, material)


def named_levels(material: Material) -> list[str]:
    """Returns the levels that set all axes."""
    return [level for level in material.levels if level in files.levels()]


def levels(material: Material) -> Table:
    """Returns success and scores by level, and the differences."""
    named = named_levels(material)
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        own = material.where(agent=agent)
        for name, value in _values(material):
            means = [
                estimates.by_task([r for r in own if r.level == level], value)
                for level in named
            ]
            cells = [estimates.mean(list(mean.values())) for mean in means]
            both = len(set(means[0]) & set(means[-1]))
            lost = estimates.difference(means[-1], means[0])
            rows.append([f"{agent}: {name}", *cells, lost, str(both)])
    columns = ["Agent and measure", *named, "Difference", "Tasks with both"]
    return Table(columns, rows, "In percent, with intervals over tasks.")


def _values(material: Material) -> list[tuple[str, Callable[[Row], float]]]:
    found: list[tuple[str, Callable[[Row], float]]] = [
        ("success", lambda row: float(row.done))
    ]
    if material.scored:
        found += [
            (title(name).lower(), lambda row, name=name: row.score(name))  # type: ignore[misc]
            for name in (*SCORED, "overall")
        ]
    return found


def retention(material: Material) -> Table:
    """Returns which part of the success on the easiest level is kept on the hardest."""
    named = named_levels(material)
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        first, last = (
            success_of_tasks(material.where(agent=agent, level=level))
            for level in (named[0], named[-1])
        )
        kept = [
            last[task] / rate
            for task, rate in first.items()
            if rate >= ENOUGH and task in last
        ]
        rows.append([agent, str(len(kept)), estimates.mean(kept)])
    return Table(["Agent", "Tasks", "Kept (%)"], rows, "With intervals over tasks.")


def tasks(material: Material) -> Table:
    """Returns success by task on the easiest and the hardest level."""
    named = named_levels(material)
    ends = (named[0], named[-1])
    found = {
        (agent, level): success_of_tasks(material.where(agent=agent, level=level))
        for agent in material.agents
        for level in ends
    }
    rows: list[Sequence[Cell]] = []
    for task in material.tasks:
        cells = []
        for agent in material.agents:
            first, last = (found[agent, level].get(task) for level in ends)
            if first is None or last is None:
                cells.append("")
            else:
                change = 100 * (last - first)
                cells.append(f"{100 * first:.0f} / {100 * last:.0f} ({change:+.0f})")
        rows.append([task, *cells])
    note = f"In percent: {ends[0]} / {ends[1]} (difference). See success by task for "
    return Table(["Task", *material.agents], rows, note + "intervals and attempts.")


def scenes(material: Material) -> Table:
    """Returns how the overall score is spread over the scenes of a task."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        for level in material.levels:
            own = material.where(agent=agent, level=level)
            several = [
                values
                for task in dict.fromkeys(row.task for row in own)
                if len(values := _overall(own, task)) > 1
            ]
            cells = [
                estimates.mean([float(measure(values)) for values in several])
                for measure in (np.std, np.min, worst_quarter)
            ]
            rows.append([f"{agent}, {level}", str(len(several)), *cells])
    columns = ["Agent and level", "Tasks", "Deviation", "Worst", "Worst quarter"]
    note = "In percent, with intervals over tasks that have two scenes or more."
    return Table(columns, rows, note)


def _overall(rows: Sequence[Row], task: str) -> np.ndarray:
    values = np.array([row.score("overall") for row in rows if row.task == task])
    return values[~np.isnan(values)]


def worst_quarter(values: np.ndarray) -> float:
    """Returns the mean of the worst quarter, which has at least one value.

    Example:
      >>> float(worst_quarter(np.array([0.9, 0.1, 0.5, 0.3, 0.7])))
      0.2
    """
    return float(np.sort(values)[: -(-len(values) // 4)].mean())


# Single axes.


def _add_axes(page: Page, material: Material) -> None:
    raised = axes_raised(material)
    page.heading("Single axes of difficulty")
    if not raised:
        page.text(
            "No attempts with a single axis raised, such as simple,threat=hard; so "
            "neither what each axis costs nor what other wordings cost is known.",
            "note",
        )
        return
    page.table(
        axes(material),
        "What one axis of difficulty costs, the others being as on the level named "
        "first: differences in percentage points. The axis wording sets held-out "
        "instead of training wordings.",
        "axes",
    )


def axes_raised(material: Material) -> dict[str, tuple[str, str]]:
    """Returns the levels on which one axis differs: level -> base level and axis."""
    found = {}
    for level in material.levels:
        if "=" in level:
            chosen = difficulty.Difficulty.of(level)
            alone = [a for a, p in chosen.positions.items() if p != chosen.base]
            base = level.split(",")[0]
            if len(alone) == 1 and base in material.levels:
                found[level] = (base, alone[0])
    return found


def axes(material: Material) -> Table:
    """Returns what each single axis costs in success and in the overall score."""
    rows: list[Sequence[Cell]] = []
    values = _values(material)
    shown = [values[0], *values[-1:]] if len(values) > 1 else values
    for agent in material.agents:
        for level, (base, _axis) in axes_raised(material).items():
            before, after = (
                {(r.task, r.index): r for r in material.where(agent=agent, level=name)}
                for name in (base, level)
            )
            common = [key for key in before if key in after]
            rates = [
                estimates.rate([x[key] for key in common]) for x in (before, after)
            ]
            costs = [
                estimates.mean([value(after[k]) - value(before[k]) for k in common])
                for _, value in shown
            ]
            cells = [*rates, *costs, _longer(before, after)]
            rows.append([f"{agent}: {level}", str(len(common)), *cells])
    titles = [f"{name.capitalize()}, difference" for name, _ in shown]
    columns = ["Agent and level", "Scenes", "Before", "Raised", *titles, "Steps"]
    note = (
        "In percent; differences are paired over scenes. Steps: how many more the "
        "agent took, where it succeeded both times."
    )
    return Table(columns, rows, note)


def _longer(before: Mapping[Any, Row], after: Mapping[Any, Row]) -> Value | None:
    """Returns how many more steps attempts took, where both of a pair succeeded."""
    both = [k for k in before if k in after and before[k].done and after[k].done]
    steps = [after[k].steps - before[k].steps for k in both]
    return estimates.mean([n / 100 for n in steps])  # shown times 100

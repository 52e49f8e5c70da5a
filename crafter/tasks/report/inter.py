"""Between tasks: success, scores, and how agents differ."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks import pairs, ratings
from crafter.tasks.dimensions import SCORED
from crafter.tasks.opinions import Comparison
from crafter.tasks.report import estimates, plots
from crafter.tasks.report.attempts import Material, Row

#: How many of the hardest and of the easiest tasks are shown.
TEN = 10
#: Shares of success that tasks are counted above.
MARKS = {"success > 0": 0.0, "success ≥ 50 %": 0.5, "success ≥ 90 %": 0.9}


def title(name: str) -> str:
    """Returns a name for people.

    Example:
      >>> title("task_progress")
      'Task progress'
    """
    return name.replace("_", " ").capitalize()


def add(page: Page, material: Material) -> None:
    """Adds the section to a page."""
    page.heading("Success")
    page.table(success(material), "Success by level.", "success")
    page.table(categories(material), "Success by category.", "categories")
    if len(material.categories) > 2:
        drawn = plots.radar_of_categories(material)
        page.figure(drawn, "Success by category.", "categories")
    page.table(
        spread(material),
        "How success is spread over tasks: how many tasks there are, the share of them "
        "above a mark, and exp(mean(ln(1 + rate))) - 1 over their rates in percent.",
        "spread",
    )
    page.table(
        extremes(material),
        f"The {TEN} hardest and the {TEN} easiest tasks, by the mean success of all "
        "agents.",
        "extremes",
    )
    if len(material.agents) > 1:
        page.table(
            differences(material),
            "Differences between agents in percentage points, on the scenes that both "
            "attempted.",
            "differences",
        )
    if material.scored:
        _add_scores(page, material)
    page.heading("Tasks")
    for category in material.categories:
        page.figure(
            plots.bars(material, category),
            f"Success by task: {category}. Lines are 95 % intervals.",
            f"tasks-{category}",
        )
    page.table(tasks(material), "Success by task and level.", "tasks")


def _add_scores(page: Page, material: Material) -> None:
    page.heading("Scores")
    page.table(
        dimensions(material),
        "Mean scores in five dimensions and in all. Creativity is judged only.",
        "scores",
    )
    page.figure(
        plots.radar_of_dimensions(material), "Mean scores by dimension.", "scores"
    )
    page.table(by_category(material), "Mean scores by category.", "scores_by_category")
    if len(material.agents) > 1:
        page.table(
            standings(material),
            "Ratings of the agents (Bradley-Terry), from comparisons on the same "
            "scenes: success first, then the overall score.",
            "ratings",
        )


def counts(material: Material) -> Table:
    """Returns how many attempts there are, and how many are missing."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        own = material.where(agent=agent)
        wanted = material.wanted[agent]
        missing = str(max(0, wanted - len(own))) if wanted else "unknown"
        scored = sum(row.scored is not None for row in own)
        steps = Value(float(np.mean([row.steps for row in own]))) if own else None
        rows.append([agent, str(len(own)), missing, str(scored), steps])
    columns = ["Agent", "Attempts", "Missing", "With scores", "Mean steps"]
    return Table(columns, rows)


def success(material: Material) -> Table:
    """Returns the success of each agent by level."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        own = material.where(agent=agent)
        parts = [[row for row in own if row.level == x] for x in material.levels]
        done = sum(row.done for row in own)
        cells = [estimates.rate(part) for part in [*parts, own]]
        rows.append([agent, f"{done} of {len(own)}", *cells])
    return Table(["Agent", "Done", *material.levels, "all"], rows, "In percent.")


def categories(material: Material) -> Table:
    """Returns the success of each agent by category."""
    rows: list[Sequence[Cell]] = []
    for category in material.categories:
        own = material.where(category=category)
        tasks = len({row.task for row in own})
        parts = [[row for row in own if row.agent == a] for a in material.agents]
        attempts = " / ".join(str(len(part)) for part in parts)
        rows.append([category, str(tasks), attempts, *map(estimates.rate, parts)])
    columns = ["Category", "Tasks", "Attempts", *material.agents]
    return Table(columns, rows, "In percent; attempts in the order of the agents.")


def tasks(material: Material) -> Table:
    """Returns the success of each agent by task and level."""
    rows: list[Sequence[Cell]] = []
    cells = {
        key: list(own)
        for key, own in itertools.groupby(
            sorted(material.rows, key=_task_key), key=_task_key
        )
    }
    for task in material.tasks:
        for level in material.levels:
            parts = [cells.get((task, level, agent), []) for agent in material.agents]
            if any(parts):
                attempts = " / ".join(str(len(part)) for part in parts)
                found = map(estimates.rate, parts)
                category = next(part[0].category for part in parts if part)
                rows.append([task, category, level, attempts, *found])
    columns = ["Task", "Category", "Level", "Attempts", *material.agents]
    return Table(columns, rows, "In percent; attempts in the order of the agents.")


def _task_key(row: Row) -> tuple[str, str, str]:
    return row.task, row.level, row.agent


def spread(material: Material) -> Table:
    """Returns how the success of each agent is spread over tasks."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        rates = list(success_of_tasks(material.where(agent=agent)).values())
        shares = [
            estimates.mean([float(r > 0 if not mark else r >= mark) for r in rates])
            for mark in MARKS.values()
        ]
        score = estimates.geometric_mean(rates)
        rows.append([agent, str(len(rates)), *shares, score])
    columns = ["Agent", "Tasks", *MARKS, "Geometric mean"]
    return Table(columns, rows, "In percent, with intervals over tasks.")


def success_of_tasks(rows: Sequence[Row]) -> dict[str, float]:
    """Returns the success rate of each task."""
    return estimates.by_task(rows, lambda row: float(row.done))


def extremes(material: Material) -> Table:
    """Returns the hardest and the easiest tasks."""
    rates: dict[str, list[float]] = {}
    for agent in material.agents:
        for task, value in success_of_tasks(material.where(agent=agent)).items():
            rates.setdefault(task, []).append(value)
    order = sorted(rates, key=lambda task: (float(np.mean(rates[task])), task))
    hardest, easiest = order[:TEN], order[::-1][:TEN]
    rows: list[Sequence[Cell]] = [
        [str(place), hard, _percent(rates[hard]), easy, _percent(rates[easy])]
        for place, (hard, easy) in enumerate(zip(hardest, easiest), 1)
    ]
    return Table(["", "Hardest", "Success (%)", "Easiest", "Its success (%)"], rows)


def _percent(values: Sequence[float]) -> Value:
    return Value(100 * float(np.mean(values)))


def differences(material: Material) -> Table:
    """Returns how two agents differ in success and in the overall score."""
    rows: list[Sequence[Cell]] = []
    own = {
        agent: {row.key: row for row in material.where(agent=agent)}
        for agent in material.agents
    }
    for ours, theirs in itertools.combinations(material.agents, 2):
        both = [
            (row, own[theirs][key])
            for key, row in own[ours].items()
            if key in own[theirs]
        ]
        done = estimates.mean([float(a.done) - float(b.done) for a, b in both])
        overall = estimates.mean(
            [a.score("overall") - b.score("overall") for a, b in both]
        )
        rows.append([f"{ours} - {theirs}", str(len(both)), done, overall])
    return Table(["Agents", "Common scenes", "Success", "Overall score"], rows)


def dimensions(material: Material) -> Table:
    """Returns the mean scores of each agent."""
    rows: list[Sequence[Cell]] = []
    for agent in material.agents:
        own = [row for row in material.where(agent=agent) if row.scored]
        cells = [estimates.scores(own, name) for name in (*SCORED, "overall")]
        rows.append([agent, str(len(own)), *cells])
    columns = ["Agent", "Attempts", *map(title, SCORED), "Overall"]
    return Table(columns, rows, "In percent, with intervals over scenes.")


def by_category(material: Material) -> Table:
    """Returns the mean scores of each agent in each category."""
    rows: list[Sequence[Cell]] = []
    for category in material.categories:
        for agent in material.agents:
            own = material.where(category=category, agent=agent)
            own = [row for row in own if row.scored]
            cells = [estimates.scores(own, name) for name in SCORED]
            rows.append([f"{category}, {agent}", str(len(own)), *cells])
    columns = ["Category and agent", "Attempts", *map(title, SCORED)]
    return Table(columns, rows, "In percent, with intervals over scenes.")


def standings(material: Material) -> Table:
    """Returns ratings from comparisons by scores."""
    return rated(pairs.compare_all([row.scored for row in material.rows if row.scored]))


def rated(found: Sequence[Comparison]) -> Table:
    """Returns ratings from comparisons, by their overall outcome."""
    rows: list[Sequence[Cell]] = []
    for one in ratings.ratings(pairs.meetings(found)):
        ended = (one.wins, one.losses, one.ties, one.both_bad)
        value = Value(one.rating, digits=0, low=one.low, high=one.high)
        rows.append([one.agent, value, *map(str, ended), str(one.group)])
    columns = ["Agent", "Rating", "Wins", "Losses", "Ties", "Both bad", "Group"]
    return Table(columns, rows, "Agents of different groups never met.")

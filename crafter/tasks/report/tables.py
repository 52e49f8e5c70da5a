"""Tables of a report, each one a grouping of the data frame."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.compositions import CATEGORY, expression, fixed
from crafter.tasks.catalogue.tasks import Task, all_tasks, game_of
from crafter.tasks.judge import opinions
from crafter.tasks.judge import ratings as bradley_terry
from crafter.tasks.language.goals import Goal, Name, Not
from crafter.tasks.report.frame import (
    MEASURES,
    Group,
    Measurement,
    average,
    by_task,
    group,
    mean,
    pivot,
    rate,
    where,
)
from crafter.tasks.scoring.files import Material, Row

#: Number of most frequent reasons shown.
MOST = 10
#: Least success on the easiest level for the ratio to the hardest to be meaningful.
ENOUGH = 0.2
BY_TASK = "In percent, with intervals over tasks."


class Entry(NamedTuple):
    """A table of a report.

    Attributes:
      section: Heading of its section.
      caption: Its caption.
      make: Makes it; without rows it is omitted.
    """

    section: str
    caption: str
    make: Callable[[Material], Table]


#: Name -> table, in the order of a report.
ENTRIES: dict[str, Entry] = {}


def _entry(section: str, caption: str) -> Callable[[Any], Any]:
    def add(make: Callable[[Material], Table]) -> Callable[[Material], Table]:
        ENTRIES[make.__name__] = Entry(section, caption, make)
        return make

    return add


def _success(material: Material) -> Group:
    return where(material.frame, dimension="success")


def _measures(material: Material) -> Group:
    return [row for row in material.frame if row.dimension in MEASURES]


# Between tasks.


@_entry("Success", "Attempts of each agent.")
def attempts(material: Material) -> Table:
    """Returns the numbers of attempts, made and missing."""
    rows: list[Sequence[Cell]] = []
    for agent, missing in material.missing().items():
        agent_rows = [row for row in material.rows if row.agent == agent]
        scored = sum(row.scored is not None for row in agent_rows)
        missing_cell = str(missing) if material.wanted else "unknown"
        rows.append([agent, str(len(agent_rows)), missing_cell, str(scored)])
    return Table(["Agent", "Attempts", "Missing", "With scores"], rows)


@_entry("Success", "Success by level.")
def success(material: Material) -> Table:
    """Returns the success of each agent by level."""
    return pivot(_success(material), ["agent"], "level", extra={"all": average})


@_entry("Success", "Success by category.")
def categories(material: Material) -> Table:
    """Returns the success of each agent by category."""
    return pivot(_success(material), ["category"], "agent")


@_entry(
    "Success",
    "Differences between agents in percentage points, on the scenes that both "
    "attempted.",
)
def differences(material: Material) -> Table:
    """Returns differences of success and overall score between agents."""
    values = {
        key: {row[1:5]: row.value for row in own}
        for key, own in group(_measures(material), "agent", "dimension").items()
    }
    rows: list[Sequence[Cell]] = []
    for pair in itertools.combinations(material.agents, 2):
        both = {}
        for name in ("success", "overall"):
            a, b = (values.get((agent, name), {}) for agent in pair)
            both[name] = [a[key] - b[key] for key in a if key in b]
        cells = str(len(both["success"])), *map(mean, both.values())
        rows.append([" - ".join(pair), *cells])
    return Table(["Agents", "Common scenes", "Success", "Overall score"], rows)


@_entry("Tasks", "Success by task and level.")
def tasks(material: Material) -> Table:
    """Returns the success of each agent by task and level."""
    return pivot(_success(material), ["category", "task", "level"], "agent")


@_entry("Scores", "Mean scores by dimension.")
def scores(material: Material) -> Table:
    """Returns the mean scores of each agent."""
    rows = [row for row in _measures(material) if row.dimension != "success"]
    return pivot(rows, ["agent"], "dimension")


@_entry(
    "Ratings",
    "Ratings of the agents (Bradley-Terry), from comparisons on the same scenes: "
    "success first, then the overall score.",
)
def ratings(material: Material) -> Table:
    """Returns ratings from comparisons by scores."""
    return bradley_terry.table(opinions.by_scores(material.scored, "comparisons"))


# From level to level.


def leveled(material: Material) -> Group:
    """Returns the measures on named levels, if there are several levels."""
    rows = [row for row in _measures(material) if row.level in files.levels()]
    return rows if len(group(rows, "level")) > 1 else []


@_entry(
    "From simple to hard",
    "Means over tasks by level, and the difference from the easiest to the hardest on "
    "tasks that have both. Kept is the mean ratio of the two, over tasks with at least "
    f"{ENOUGH:.0%} on the easiest.",
)
def levels(material: Material) -> Table:
    """Returns success and scores by level, with differences and ratios."""
    rows = leveled(material)
    named = list(group(rows, "level"))

    def ends(own: Group) -> list[tuple[float, float]]:
        first, last = (by_task(where(own, level=named[n])) for n in (0, -1))
        return [(first[task], last[task]) for task in first if task in last]

    extra: dict[str, Callable[[Group], Cell]] = {
        "Difference": lambda own: mean(b - a for a, b in ends(own)),
        "Kept": lambda own: mean(b / a for a, b in ends(own) if a >= ENOUGH),
    }
    names, over = ["agent", "dimension"], lambda own: mean(by_task(own).values())
    return pivot(rows, names, "level", over, extra, BY_TASK)


@_entry("From simple to hard", "The same for each task.")
def levels_by_task(material: Material) -> Table:
    """Returns success and scores of each task by level, and the loss."""
    rows = leveled(material)
    named = list(group(rows, "level"))

    def cell(own: Group) -> str:
        by_level = group(own, "level")
        means = [
            100 * np.mean([row.value for row in by_level[x]]) if x in by_level else None
            for x in named
        ]
        text = " / ".join("–" if x is None else f"{x:.0f}" for x in means)
        if means[0] is None or means[-1] is None:
            return text
        return f"{text} ({means[-1] - means[0]:+.0f})"

    note = (
        "In percent: level by level, and the difference. Intervals: tables/frame.csv."
    )
    return pivot(rows, ["agent", "task"], "dimension", cell, note=note)


@_entry(
    "Single axes of difficulty",
    "Cost of raising one axis of difficulty, with all others at the level named first. "
    "The axis wording replaces training wordings by held-out ones.",
)
def axes(material: Material) -> Table:
    """Returns the cost of each single axis in success and steps."""
    by_level = group(material.frame, "level")
    bases = {level: level.split(",")[0] for level in by_level if level.count("=") == 1}
    before = {row[:6]: row.value for row in material.frame}

    def paired(own: Group, name: str) -> list[tuple[float, float]]:
        rows = where(own, dimension=name)
        keys = [row._replace(level=bases[row.level])[:6] for row in rows]
        return [(before[k], r.value) for k, r in zip(keys, rows) if k in before]

    def cost(name: str, scale: float) -> Callable[[Group], Cell]:
        return lambda own: mean((b - a for a, b in paired(own, name)), scale)

    def share(side: int) -> Callable[[Group], Cell]:
        return lambda own: rate([pair[side] for pair in paired(own, "success")])

    extra = {
        "Before": share(0),
        "Raised": share(1),
        "Success, difference": cost("success", 100.0),
        "Steps": cost("steps", 1.0),
    }
    note = (
        "In percent; differences are paired over scenes. Steps: additional steps on "
        "scenes solved both times."
    )
    raised = [row for row in material.frame if row.level in bases]
    return pivot(raised, ["agent", "level"], extra=extra, note=note)


# Compositions.


def parts_of(task: str) -> tuple[str, ...]:
    """Returns the tasks of the catalogue that a goal combines.

    Negated goals do not count, and parts are not decomposed further.

    Example:
      >>> parts_of("first_tools")
      ('make_wood_pickaxe', 'collect_stone', 'make_stone_pickaxe')
    """
    game = game_of(task)
    goal: Goal = Task(task, rules=game.rules).goal
    goal = goal.parts[0] if isinstance(goal, Name) else goal
    return tuple(dict.fromkeys(_names(goal, all_tasks(game))))


def _names(goal: Goal, known: Collection[str]) -> list[str]:
    if isinstance(goal, Not):
        return []
    if isinstance(goal, Name) and str(goal) in known:
        return [str(goal)]
    return [name for part in goal.parts for name in _names(part, known)]


def _composition_gaps(material: Material) -> Group:
    """Returns measurements of compositions whose parts were all attempted."""
    split = fixed()
    kinds = dict.fromkeys(map(expression, split.train), "pairs to train on")
    kinds |= dict.fromkeys(map(expression, split.test), "pairs held out")
    rows = []
    for (agent, level), own in group(_success(material), "agent", "level").items():
        done = by_task(own)
        for task in group(where(own, category=CATEGORY), "task"):
            parts = parts_of(task)
            if not parts or any(part not in done for part in parts):
                continue
            rates = [done[part] for part in parts]
            measures = {
                "done": done[task],
                "gap_to_minimum": done[task] - min(rates),
                "gap_to_product": done[task] - math.prod(rates),
            }
            about = (agent, task, kinds.get(task, "catalogue"), level, 0)
            rows += [Measurement(*about, *measure) for measure in measures.items()]
    return rows


@_entry(
    "Compositions",
    "Success at compositions, and the mean gaps to the minimum and to the product of "
    "success at their parts; independent parts would give the product.",
)
def compositions(material: Material) -> Table:
    """Returns success of compositions relative to their parts."""
    note = "In percent, with intervals over compositions; Attempts counts compositions."
    names = ["category", "agent", "level"]
    return pivot(_composition_gaps(material), names, "dimension", note=note)


# Failures.


def _why(row: Row) -> dict[str, str]:
    """Returns the properties of a failed attempt that are counted."""
    reason = row.result.reason or "unknown"
    properties = {"kind": reason.partition(":")[0], "reason": reason}
    if row.scored:
        missed = row.scored.first_failed_milestone
        properties["milestone"] = missed or "none, all were reached"
    return properties


@_entry(
    "Failures",
    f"Failed attempts by kind of reason, by reason, and by the first milestone missed, "
    f"of which the {MOST} most frequent are shown.",
)
def failures(material: Material) -> Table:
    """Returns counts of the properties of failed attempts by agent."""
    failed = [(_why(row), row.agent) for row in material.rows if not row.result.solved]
    rows: list[Sequence[Cell]] = []
    for what in ("kind", "reason", "milestone"):
        pairs = collections.Counter((w[what], who) for w, who in failed if what in w)
        counts = collections.Counter[str]()
        for (name, _), number in pairs.items():
            counts[name] += number
        for name in sorted(counts, key=lambda name: (-counts[name], name))[:MOST]:
            by_agent = [str(pairs[name, agent]) for agent in material.agents]
            share = Value(100 * counts[name] / counts.total())
            rows.append([what, name, *by_agent, str(counts[name]), share])
    columns = ["By", "", *material.agents, "All", "Share (%)"]
    return Table(columns, rows)


#: Name of a table -> function that makes it.
TABLES = {name: entry.make for name, entry in ENTRIES.items()}


def summary(material: Material) -> str:
    """Returns the numbers of attempts, their success and failures as text."""
    shown = (TABLES[name](material) for name in ("attempts", "tasks", "failures"))
    return "\n\n".join(table.render("text") for table in shown if table.rows)

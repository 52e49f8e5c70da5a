"""What judges and people think of the attempts, beside the scores, never in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import numpy as np

from crafter.reporting.page import Page
from crafter.reporting.tables import Value
from crafter.tasks.catalogue.dimensions import LABELS
from crafter.tasks.judge import agree, opinions
from crafter.tasks.judge.batch import summary
from crafter.tasks.judge.controls import FAILED
from crafter.tasks.judge.opinions import MISSING, Opinion
from crafter.tasks.report.attempts import Material
from crafter.tasks.report.frame import Group, Measurement, group, mean, pivot, title
from crafter.tasks.report.tables import rated

#: From how many tasks, each with how many raters, rated difficulty is correlated.
ENOUGH_TASKS, ENOUGH_RATERS = 20, 3
_RANKS = {word: number for number, word in enumerate(LABELS, 1)}


def add(page: Page, material: Material, paths: Iterable[str | os.PathLike]) -> None:
    """Adds a section for each file of opinions.

    Raises:
      OpinionsError: If a file is damaged.
    """
    scales: Group = []
    for number, path in enumerate(paths, 1):
        head, found = opinions.read(path)
        own = [one for one in found if one.control is None]
        page.heading(f"{title(head.kind)} of {head.source}")
        if head.source.startswith("judge:"):
            for text in summary(found):
                page.text(text, "warning" if text == FAILED else "note")
        if head.kind == "ratings":
            labels = [word for one in own for word in one.said.values()]
            page.table(
                pivot(
                    [row for one in own for row in _ranks(one)],
                    ["agent"],
                    "dimension",
                    lambda rows: mean((row.value for row in rows), 1.0),
                    note="With intervals over attempts.",
                ),
                f"Words of {head.source}, from 1 (very poor) to {len(LABELS)} "
                f"(excellent), by {head.evidence}. Missing, and in no mean: "
                f"{labels.count(MISSING)}.",
                f"opinions_{number}",
            )
        else:
            page.table(
                rated(own),
                f"Ratings of the agents (Bradley-Terry) from comparisons of "
                f"{head.source}, in all.",
                f"opinions_{number}",
            )
        _add_agreement(page, material, head.kind, own, f"agreement_{number}")
        scales += [row for one in found for row in _difficulty(one)]
    if scales:
        _add_difficulty(page, material, scales)


def _ranks(one: Opinion) -> Iterable[Measurement]:
    index = int(one.item.rpartition("/")[2])
    for name, word in one.said.items():
        if word in _RANKS:
            about = (one.agents[0], one.task, one.category, one.level, index)
            yield Measurement(*about, name, _RANKS[word])


def _add_agreement(
    page: Page,
    material: Material,
    kind: str,
    own: Sequence[Opinion],
    name: str,
) -> None:
    """Adds how far opinions agree with the scores, if they have items in common."""
    scored = [row.scored for row in material.rows if row.scored]
    try:
        found = agree.agree(own, opinions.by_scores(scored, kind))
    except ValueError:
        page.text("None of these attempts has scores here.", "note")
        return
    page.table(
        agree.table(found, "dimension"),
        "Agreement with the scores, by dimension, with intervals over items.",
        name,
    )
    for text in agree.warnings_of(found):
        page.text(text, "note")


# How difficult people find the tasks.


def _difficulty(one: Opinion) -> Iterable[Measurement]:
    """Yields how difficult the task is, on each scale; the agent is the rater."""
    for scale, value in one.details.get("difficulty", {}).items():
        yield Measurement(one.source, one.task, "", "", 0, scale, float(value))


def _over_raters(rows: Group) -> Value:
    """Returns the mean over raters, each of whom counts once."""
    own = [np.mean([row.value for row in x]) for x in group(rows, "agent").values()]
    return Value(float(np.mean(own)), digits=2)


def _add_difficulty(page: Page, material: Material, scales: Group) -> None:
    page.heading("Rated difficulty")
    page.table(
        pivot(scales, ["task"], "dimension", _over_raters, note=""),
        "How difficult people find the tasks, from 1 to 5: means over raters.",
        "difficulty",
    )
    steps: dict[str, list[float]] = {}
    for row in material.rows:
        if row.scored and row.scored.reference_steps is not None:
            steps.setdefault(row.scored.task, []).append(row.scored.reference_steps)
    both = [
        (_over_raters(rows).mean, np.mean(steps[task]))
        for (task, scale), rows in group(scales, "task", "dimension").items()
        if scale == "time" and task in steps
        if len(group(rows, "agent")) >= ENOUGH_RATERS
    ]
    if len(both) < ENOUGH_TASKS:
        page.text(
            f"Too few for a correlation with the steps of the reference solutions: it "
            f"takes {ENOUGH_TASKS} tasks with {ENOUGH_RATERS} raters each.",
            "note",
        )
        return
    from scipy import stats

    tau = stats.kendalltau(*zip(*both))
    page.text(
        f"Kendall's tau-b of the rated time and the steps of the reference solutions, "
        f"over {len(both)} tasks: {tau.statistic:.2f} (p = {tau.pvalue:.2g})."
    )

"""What judges and people think of the attempts, beside the scores, never in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from statistics import fmean

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks import agree, agree_report, opinions, pairs
from crafter.tasks.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge.controls import FAILED
from crafter.tasks.judge.summary import summary
from crafter.tasks.opinions import MISSING, Comparison, Rating
from crafter.tasks.report import estimates
from crafter.tasks.report.attempts import Material, Row
from crafter.tasks.report.inter import rated, title

#: From how many tasks, each with how many raters, rated difficulty is correlated.
ENOUGH_TASKS, ENOUGH_RATERS = 20, 3
_RANKS = {word: number for number, word in enumerate(LABELS, 1)}


def add(page: Page, material: Material, paths: Iterable[str | os.PathLike]) -> None:
    """Adds a section for each file of opinions.

    Raises:
      OpinionsError: If a file is damaged.
    """
    everything: list[Rating | Comparison] = []
    for number, path in enumerate(paths, 1):
        head, found = opinions.read(path)
        everything += found
        own = [one for one in found if one.control is None]
        page.heading(f"{title(head.kind)} of {head.source}")
        if head.source.startswith("judge:"):
            for text in summary(found):
                page.text(text, "warning" if text == FAILED else "note")
        if head.kind == "ratings":
            page.table(
                means(own),
                f"Words of {head.source}, from 1 (very poor) to {len(LABELS)} "
                f"(excellent), by {head.evidence}. Missing words are in no mean.",
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
    if any("difficulty" in one.details for one in everything):
        _add_difficulty(page, material, everything)


def means(found: Sequence[Rating]) -> Table:
    """Returns the mean word for each agent and dimension."""
    rows: list[Sequence[Cell]] = []
    for agent, own in sorted(_by_agent(found).items()):
        words = [word for one in own for word in one.labels.values()]
        cells = [_mean([one.labels.get(name) for one in own]) for name in DIMENSIONS]
        rows.append([agent, str(len(own)), str(words.count(MISSING)), *cells])
    columns = ["Agent", "Attempts", "Missing words", *map(title, DIMENSIONS)]
    return Table(columns, rows, "With intervals over attempts.")


def _by_agent(found: Sequence[Rating]) -> dict[str, list[Rating]]:
    groups: dict[str, list[Rating]] = {}
    for one in found:
        groups.setdefault(one.agent, []).append(one)
    return groups


def _mean(words: Sequence[str | None]) -> Value | None:
    found = estimates.mean([_RANKS[word] for word in words if word in _RANKS])
    if found is None:
        return None
    low, high = ((end or 0) / 100 for end in (found.low, found.high))
    return Value(found.mean / 100, digits=2, low=low, high=high)


def _add_agreement(
    page: Page,
    material: Material,
    kind: str,
    own: Sequence[Rating | Comparison],
    name: str,
) -> None:
    """Adds how far opinions agree with the scores, if they have items in common."""
    scored = [row.scored for row in material.rows if row.scored]
    others: Sequence[Rating | Comparison] = (
        [pairs.as_rating(one) for one in scored]
        if kind == "ratings"
        else pairs.compare_all(scored)
    )
    sides = [agree.side_of(kind, part) for part in (own, others)]
    if not set(sides[0].category) & set(sides[1].category):
        page.text("None of these attempts has scores here.", "note")
        return
    found = agree.agree(*sides)
    page.table(
        agree_report.table(found, "dimension"),
        "Agreement with the scores, by dimension, with intervals over items.",
        name,
    )
    for text in agree.warnings_of(found):
        page.text(text, "note")


# How difficult people find the tasks.


def _add_difficulty(
    page: Page, material: Material, found: Sequence[Rating | Comparison]
) -> None:
    page.heading("Rated difficulty")
    page.table(
        difficulty(found),
        "How difficult people find the tasks, from 1 to 5: means over raters, each of "
        "whom counts once for a task.",
        "difficulty",
    )
    rated_time = {
        task: by_scale["time"]
        for task, (raters, by_scale) in _by_task(found).items()
        if raters >= ENOUGH_RATERS and "time" in by_scale
    }
    steps = estimates.by_task(material.rows, _reference_steps)
    common = [task for task in rated_time if task in steps]
    if len(common) < ENOUGH_TASKS:
        page.text(
            f"Too few for a correlation with the steps of the reference solutions: it "
            f"takes {ENOUGH_TASKS} tasks with {ENOUGH_RATERS} raters each.",
            "note",
        )
        return
    from scipy import stats

    tau = stats.kendalltau(
        [rated_time[task] for task in common], [steps[task] for task in common]
    )
    page.text(
        f"Kendall's tau-b of the rated time and the steps of the reference solutions, "
        f"over {len(common)} tasks: {tau.statistic:.2f} (p = {tau.pvalue:.2g})."
    )


def _reference_steps(row: Row) -> float:
    steps = row.scored.reference_steps if row.scored else None
    return float("nan") if steps is None else float(steps)


def difficulty(found: Sequence[Rating | Comparison]) -> Table:
    """Returns the mean rated difficulty of each task, on each scale."""
    rows: list[Sequence[Cell]] = []
    merged = _by_task(found)
    scales = dict.fromkeys(name for _, own in merged.values() for name in own)
    for task, (raters, own) in sorted(merged.items()):
        cells = [Value(own[s], digits=2) if s in own else None for s in scales]
        rows.append([task, str(raters), *cells])
    return Table(["Task", "Raters", *map(title, scales)], rows)


def _by_task(
    found: Sequence[Rating | Comparison],
) -> dict[str, tuple[int, dict[str, float]]]:
    """Returns how many raters each task has, and their mean on each scale."""
    said: dict[str, dict[str, dict[str, list[float]]]] = {}
    for one in found:
        for scale, value in one.details.get("difficulty", {}).items():
            raters = said.setdefault(one.task, {}).setdefault(one.source, {})
            raters.setdefault(scale, []).append(float(value))
    merged = {}
    for task, by_rater in said.items():
        scales = dict.fromkeys(scale for own in by_rater.values() for scale in own)
        means = {
            scale: fmean(fmean(own[scale]) for own in by_rater.values() if scale in own)
            for scale in scales
        }
        merged[task] = (len(by_rater), means)
    return merged

"""What judges and people think of the attempts, beside the scores, never in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from crafter.reporting.page import Page
from crafter.reporting.tables import Table
from crafter.tasks.catalogue.dimensions import LABELS
from crafter.tasks.judge import agree, opinions, ratings
from crafter.tasks.judge.asking import summary
from crafter.tasks.judge.opinions import MISSING, Opinion
from crafter.tasks.judge.questions import FAILED
from crafter.tasks.report.frame import Measurement, mean, pivot, title
from crafter.tasks.scoring.files import Material

_RANKS = {word: number for number, word in enumerate(LABELS, 1)}


def add(page: Page, material: Material, paths: Iterable[str | os.PathLike]) -> None:
    """Adds a section for each file of opinions.

    Raises:
      OpinionsError: If a file is damaged.
    """
    for number, path in enumerate(paths, 1):
        head, found = opinions.read(path)
        own = [one for one in found if one.control is None]
        page.heading(f"{title(head.kind)} of {head.source}")
        if head.source.startswith("judge:"):
            for text in summary(found):
                page.text(text, "warning" if text == FAILED else "note")
        if head.kind == "ratings":
            words = [word for one in own for word in one.said.values()]
            table, caption = (
                _means(own),
                f"Words of {head.source}, from 1 (very poor) to {len(LABELS)} "
                f"(excellent), by {head.evidence}. Missing, and in no mean: "
                f"{words.count(MISSING)}.",
            )
        else:
            table, caption = (
                ratings.table(own),
                f"Ratings of the agents (Bradley-Terry) from comparisons of "
                f"{head.source}, in all.",
            )
        page.table(table, caption, f"opinions_{number}")
        _add_agreement(page, material, head.kind, own, f"agreement_{number}")


def _means(own: Iterable[Opinion]) -> Table:
    rows = [
        Measurement(
            one.agents[0], one.task, one.category, one.level, one.item, name, rank
        )
        for one in own
        for name, word in one.said.items()
        if (rank := _RANKS.get(word or "")) is not None
    ]
    return pivot(
        rows,
        ["agent"],
        "dimension",
        lambda group: mean((row.value for row in group), 1.0),
        note="With intervals over attempts.",
    )


def _add_agreement(
    page: Page,
    material: Material,
    kind: str,
    own: Sequence[Opinion],
    name: str,
) -> None:
    """Adds how far opinions agree with the scores, if they have items in common."""
    try:
        found = agree.agree(own, opinions.by_scores(material.scored, kind))
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

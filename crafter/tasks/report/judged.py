"""What judges and people think of the attempts, beside the scores, never in them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from crafter.reporting.page import Page
from crafter.reporting.tables import Table
from crafter.tasks.catalogue.dimensions import LABELS
from crafter.tasks.judge import opinions, ratings
from crafter.tasks.judge.asking import summary
from crafter.tasks.judge.opinions import MISSING, Opinion
from crafter.tasks.judge.questions import FAILED
from crafter.tasks.report.frame import Measurement, mean, pivot, title

_RANKS = {word: number for number, word in enumerate(LABELS, 1)}


def add(page: Page, paths: Iterable[str | os.PathLike]) -> None:
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

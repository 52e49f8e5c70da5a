"""Writes the folder of a report: Markdown, HTML and CSV tables."""

from __future__ import annotations

import datetime
import os
import pathlib
from collections.abc import Iterable, Sequence

from crafter.reporting.page import Page
from crafter.reporting.tables import Table
from crafter.tasks.catalogue.dimensions import LABELS
from crafter.tasks.catalogue.tasks import game_of
from crafter.tasks.env.replay import versions
from crafter.tasks.judge import opinions, ratings
from crafter.tasks.judge.client import summary
from crafter.tasks.judge.opinions import MISSING, Opinion
from crafter.tasks.judge.questions import FAILED
from crafter.tasks.report.frame import Measurement, mean, pivot, title
from crafter.tasks.report.tables import ENTRIES
from crafter.tasks.scoring.files import Material

_RANKS = {word: number for number, word in enumerate(LABELS, 1)}

METHOD = (
    "All intervals are 95 %: Wilson intervals for success rates, percentile bootstraps "
    "over attempts, each at another task or scene, for scores, and paired bootstraps "
    "over common scenes or tasks for differences. Bootstraps draw 1,000 times with the "
    "seed 0. A dimension that does not apply to an attempt is left out of the mean "
    "and never counts as 0."
)


def write(
    material: Material,
    folder: str | os.PathLike,
    command: str = "",
    thought: Sequence[str | os.PathLike] = (),
) -> pathlib.Path:
    """Writes a report; it is deterministic.

    Args:
      material: The attempts.
      folder: The folder.
      command: Command line of the report.
      thought: Files of opinions.

    Returns:
      The folder.

    Raises:
      ImportError: If SciPy is missing.
    """
    place = pathlib.Path(folder)
    (place / "tables").mkdir(parents=True, exist_ok=True)
    suites = [*material.suites.values()]
    word = "suite" if len(suites) == 1 else "suites"
    headline = f"Agents on the {word} {' and '.join(suites)}"
    page = make_page(material, command, thought)
    (place / "report.html").write_text(page.html(headline), "utf-8")
    (place / "report.md").write_text(page.markdown(headline), "utf-8")
    names = ("agent", "category", "task", "level")
    frame = pivot(material.frame, names, "dimension")
    for name, table in {**page.tables, "frame": frame}.items():
        text = table.render("csv") + "\n"
        (place / "tables" / f"{name}.csv").write_text(text, "utf-8")
    return place


def make_page(
    material: Material,
    command: str = "",
    thought: Sequence[str | os.PathLike] = (),
) -> Page:
    """Returns the report as a page.

    Args:
      material: The attempts.
      command: Command line of the report.
      thought: Files of opinions.
    """
    page = Page()
    page.text(METHOD, "note")
    short = [agent for agent, missing in material.missing().items() if missing]
    if short:
        page.text(f"Attempts are missing: {', '.join(short)}.", "warning")
    tables = {name: entry.make(material) for name, entry in ENTRIES.items()}
    for section in dict.fromkeys(entry.section for entry in ENTRIES.values()):
        shown = [
            n for n, e in ENTRIES.items() if e.section == section and tables[n].rows
        ]
        if shown:
            page.heading(section)
        for name in shown:
            page.table(tables[name], ENTRIES[name].caption, name)
    add_opinions(page, thought)
    page.heading("Provenance")
    facts = list(provenance(material, command).items())
    page.table(Table(["", "Value"], facts), "Sources of this report.")
    return page


def add_opinions(page: Page, paths: Iterable[str | os.PathLike]) -> None:
    """Adds a section for each file of opinions.

    Raises:
      ValueError: If a file is damaged.
    """
    for number, path in enumerate(paths, 1):
        head, answers = opinions.read(path)
        own = [one for one in answers if one.control is None]
        source = head["source"]
        page.heading(f"{title(head['kind'])} of {source}")
        if source.startswith("judge:"):
            for text in summary(answers):
                page.text(text, "warning" if text == FAILED else "note")
        if head["kind"] == "ratings":
            words = [word for one in own for word in one.said.values()]
            table, caption = (
                _means(own),
                f"Words of {source}, from 1 (very poor) to {len(LABELS)} "
                f"(excellent), by {head['evidence']}. Missing, excluded from every "
                f"mean: {words.count(MISSING)}.",
            )
        else:
            table, caption = (
                ratings.table(own),
                f"Ratings of the agents (Bradley-Terry) from comparisons of "
                f"{source}, overall.",
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


def provenance(material: Material, command: str) -> dict[str, str]:
    """Returns versions and hashes."""
    changed = datetime.datetime.fromtimestamp(material.changed, datetime.timezone.utc)
    game = game_of(material.rows[0].result.task)
    present = versions(game)
    return {
        "Suites": "; ".join(f"{name} {sha}" for sha, name in material.suites.items()),
        "Package": f"crafter {present['crafter']}",
        "Catalogue": str(present["catalogue"]),
        "Generator of scenes": str(game.scenes.version),
        "Scores": ", ".join(f"version {n}" for n in material.score_versions) or "none",
        "Command": command or "none",
        "Date": f"{changed:%Y-%m-%d}",
    }

"""The folder of a report: Markdown, HTML, JSON, CSV tables and figures."""

from __future__ import annotations

import datetime
import json
import math
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crafter.reporting import figures
from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks import records, scenes
from crafter.tasks.replay import versions
from crafter.tasks.report import compositions, examples, failures, inter, intra, judged
from crafter.tasks.report.attempts import Material, Row

METHOD = (
    "Intervals are of 95 %. Those of success rates are Wilson intervals. Those of "
    "scores are percentile bootstraps over attempts, each of which is at another task "
    "or scene; those of differences are paired, over common scenes or tasks. All "
    "bootstraps draw 1,000 times with the seed 0. A dimension that does not apply to "
    "an attempt is left out of a mean, never counted as 0."
)

#: Name of each table that can be printed alone -> what makes it.
TABLES: Mapping[str, Callable[[Material], Table]] = {
    "attempts": inter.counts,
    "success": inter.success,
    "categories": inter.categories,
    "spread": inter.spread,
    "extremes": inter.extremes,
    "differences": inter.differences,
    "tasks": inter.tasks,
    "scores": inter.dimensions,
    "scores_by_category": inter.by_category,
    "ratings": inter.standings,
    "levels": intra.levels,
    "retention": intra.retention,
    "levels_by_task": intra.tasks,
    "scenes": intra.scenes,
    "axes": intra.axes,
    "compositions": compositions.table,
    "composition_gaps": compositions.summary,
    "held_out": compositions.held_out,
    "failures": lambda material: failures.counts(material, failures.kind_of),
}


def write(
    material: Material,
    folder: str | os.PathLike,
    title: str = "",
    command: str = "",
    animate: bool = True,
    thought: Sequence[str | os.PathLike] = (),
) -> pathlib.Path:
    """Writes a report; the same runs give the same texts.

    Args:
      material: The attempts.
      folder: Where it is written.
      title: Its title; by default the name of the suite.
      command: The command line that makes it.
      animate: Whether recorded failures are drawn as animations.
      thought: Files of opinions, which stand beside the scores.

    Returns:
      The folder.

    Raises:
      ImportError: If Matplotlib or SciPy is missing.
    """
    place = pathlib.Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    title = title or f"Agents on the suite {material.suite}"
    chosen = failures.chosen(material) if animate else {}
    for row in (row for rows in chosen.values() for row in rows):
        examples.write(row, place / failures.file_of(row))
    with figures.look():
        page = make_page(material, chosen, command, thought)
        for name, drawn in page.figures.items():
            for suffix in (".png", ".svg"):
                path = place / "figures" / f"{name}{suffix}"
                figures.save(drawn, path, quiet=True)
    (place / "report.md").write_text(page.markdown(title), "utf-8")
    (place / "report.html").write_text(page.html(title), "utf-8")
    (place / "tables").mkdir(exist_ok=True)
    for name, table in page.tables.items():
        path = place / "tables" / f"{name}.csv"
        path.write_text(table.render("csv") + "\n", "utf-8")
    data = as_data(material, page, command)
    text = json.dumps(data, indent=1, ensure_ascii=False)
    (place / "report.json").write_text(text + "\n", "utf-8")
    return place


def make_page(
    material: Material,
    chosen: Mapping[str, Sequence[Row]],
    command: str = "",
    thought: Sequence[str | os.PathLike] = (),
) -> Page:
    """Returns the report as a page.

    Args:
      material: The attempts.
      chosen: Kind of failure -> attempts with an animation.
      command: The command line that makes it.
      thought: Files of opinions.
    """
    page = Page()
    page.text(METHOD, "note")
    page.table(
        inter.counts(material),
        f"Attempts of each agent at the suite {material.suite}, "
        f"{material.sha256[:12]}.",
        "attempts",
    )
    short = [
        agent
        for agent, wanted in material.wanted.items()
        if len(material.where(agent=agent)) < wanted
    ]
    if short:
        page.text(
            f"Not all attempts of the suite are here: {', '.join(short)}.", "warning"
        )
    inter.add(page, material)
    intra.add(page, material)
    compositions.add(page, material)
    failures.add(page, material, chosen)
    judged.add(page, material, thought)
    page.heading("Provenance")
    page.table(provenance(material, command), "What this report is made of.")
    return page


def provenance(material: Material, command: str) -> Table:
    """Returns versions and hashes."""
    changed = datetime.datetime.fromtimestamp(material.changed, datetime.timezone.utc)
    version, present = material.score_version, versions()
    facts = {
        "Suite": material.suite,
        "SHA-256 of the suite": material.sha256,
        "Package": f"crafter {present['crafter']}",
        "Catalogue": str(present["catalogue"]),
        "Generator of scenes": str(scenes.VERSION),
        "Scores": "none" if version is None else f"version {version}",
        "Scenes": "split test; worlds and chances follow from task, level and index",
        "Agents": "; ".join(_described(material, agent) for agent in material.agents),
        "Command": command or "none",
        "Date": f"{changed:%Y-%m-%d}",
    }
    return Table(["", "Value"], [[name, value] for name, value in facts.items()])


def _described(material: Material, agent: str) -> str:
    """Returns the name of an agent, and under which versions it was recorded."""
    recorded = (row.record for row in material.where(agent=agent) if row.record)
    path = next(recorded, None)
    if path is None:
        return agent
    then = records.read(path).header.versions
    said = ", ".join(f"{name} {value}" for name, value in sorted(then.items()))
    return f"{agent} ({said})"


# JSON.


def as_data(material: Material, page: Page, command: str = "") -> dict[str, Any]:
    """Returns the tables of a report as JSON."""
    facts = provenance(material, command).rows
    return {
        "format": 1,
        "kind": "report",
        "provenance": {str(name): value for name, value in facts},
        "agents": {
            agent: {
                "attempts": len(material.where(agent=agent)),
                "wanted": material.wanted[agent],
            }
            for agent in material.agents
        },
        "tables": {name: _table_data(table) for name, table in page.tables.items()},
    }


def _table_data(table: Table) -> list[dict[str, Any]]:
    return [
        {name: _cell_data(cell) for name, cell in zip(table.columns, row)}
        for row in table.rows
    ]


def _cell_data(cell: Cell) -> Any:
    if not isinstance(cell, Value):
        return cell
    found = {
        end.strip() or "value": None if number is None or math.isnan(number) else number
        for end, number in cell.numbers()
    }
    return found["value"] if list(found) == ["value"] else found

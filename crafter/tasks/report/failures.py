"""Why attempts failed: reasons, milestones that were missed, deaths, and examples."""

from __future__ import annotations

import collections
import pathlib
import random
from collections.abc import Callable, Mapping, Sequence

from crafter.reporting.page import Page
from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks.report.attempts import Material, Row, grouped

#: Rows of a table; what is rarer stands in the last one.
MOST = 15
#: Attempts that are shown of each kind of failure.
EXAMPLES = 3


def add(page: Page, material: Material, examples: Mapping[str, Sequence[Row]]) -> None:
    """Adds the section to a page.

    Args:
      page: The page.
      material: The attempts.
      examples: Reason -> attempts with an animation; see `chosen`.
    """
    page.heading("Failures")
    failed = [row for row in material.rows if not row.done]
    if not failed:
        page.text("Every attempt succeeded.")
        return
    page.table(
        counts(material, kind_of),
        "Failed attempts by kind of reason, and what share of them it is.",
        "failures",
    )
    page.table(
        counts(material, lambda row: row.reason or "unknown", MOST),
        f"The {MOST} most frequent reasons in full.",
        "reasons",
    )
    if material.scored:
        page.table(
            counts(material, _milestone, MOST),
            "The first milestone that was missed; the order is that of need.",
            "milestones",
        )
        page.table(counts(material, _death), "What killed the player.", "deaths")
    if examples:
        page.add("<h3>Examples</h3>", "### Examples")
        for reason, rows in examples.items():
            _add_examples(page, reason, rows)


def kind_of(row: Row) -> str:
    """Returns the kind of the reason why an attempt failed.

    Example:
      >>> row = Row("a", "t", "c", "simple", 0, "", False, "died:lava", 9, 9)
      >>> kind_of(row)
      'died'
    """
    return (row.reason or "unknown").partition(":")[0]


def _milestone(row: Row) -> str | None:
    if row.scored is None:
        return None
    return row.scored.first_failed_milestone or "none: all were reached"


def _death(row: Row) -> str | None:
    return None if row.scored is None else row.scored.death_cause


def counts(
    material: Material, what: Callable[[Row], str | None], most: int | None = None
) -> Table:
    """Returns how often failed attempts have a property, by agent.

    Args:
      material: The attempts.
      what: Returns the property of a failed attempt; `None` does not count.
      most: Rows of the table; by default as many as needed.
    """
    found = {agent: collections.Counter[str]() for agent in material.agents}
    for row in material.rows:
        name = None if row.done else what(row)
        if name is not None:
            found[row.agent][name] += 1
    total = sum(found.values(), collections.Counter[str]())
    names = sorted(total, key=lambda name: (-total[name], name))
    numbers = {name: [c[name] for c in found.values()] for name in names[:most]}
    rest = names[len(numbers) :]
    if rest:
        others = [sum(c[name] for name in rest) for c in found.values()]
        numbers[f"{len(rest)} others"] = others
    numbers["all"] = [sum(c.values()) for c in found.values()]
    whole = sum(numbers["all"]) or 1
    rows: list[Sequence[Cell]] = [
        [name, *map(str, own), str(sum(own)), Value(100 * sum(own) / whole)]
        for name, own in numbers.items()
    ]
    return Table(["", *material.agents, "All", "Share (%)"], rows)


# Examples.


def chosen(material: Material, seed: int = 0) -> dict[str, list[Row]]:
    """Returns failed attempts with records to show, a few of each kind of reason.

    They are drawn at random, but of different tasks as far as there are several.
    """
    found = {}
    failed = [row for row in material.rows if not row.done and row.record]
    for kind, rows in sorted(grouped(failed, kind_of).items()):
        order = list(rows)
        random.Random(f"{seed}|{kind}").shuffle(order)
        seen: collections.Counter[str] = collections.Counter()
        places: list[tuple[int, int]] = []
        for row in order:
            places.append((seen[row.task], len(places)))
            seen[row.task] += 1
        first = sorted(range(len(order)), key=places.__getitem__)[:EXAMPLES]
        found[kind] = [order[n] for n in first]
    return found


def file_of(row: Row) -> pathlib.PurePosixPath:
    """Returns where the animation of an attempt lies in the folder of the report."""
    name = f"{row.agent}-{row.task}-{row.level}-{row.index}"
    safe = "".join(c if c.isalnum() or c in "-_=," else "_" for c in name)
    return pathlib.PurePosixPath("examples", f"{safe}.gif")


def _add_examples(page: Page, reason: str, rows: Sequence[Row]) -> None:
    shown, marked = [], []
    for row in rows:
        told = (
            f"{row.agent}, {row.task}, {row.level} {row.index}: {row.reason} after "
            f"{row.steps} steps"
        )
        path = file_of(row)
        shown.append(
            f'<figure><img alt="{told}" src="{path}"><figcaption>{told}</figcaption>'
            "</figure>"
        )
        marked.append(f"![{told}]({path})\n\n{told}")
    page.add(
        f'<p>{reason}</p><div class="examples">{"".join(shown)}</div>',
        "\n\n".join([f"{reason}:", *marked]),
    )

"""What a verification found, as Markdown: by level, by reason, by task."""

from __future__ import annotations

import collections
import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.reporting.tables import Table
from crafter.tasks import files
from crafter.tasks.catalogue import EXPERIMENTAL, all_tasks
from crafter.tasks.episodes import EpisodeResult
from crafter.tasks.results import NOTHING, grouped, rate, steps

_HEAD = """# Verification of the tasks

What `crafter-tasks verify --report` prints of the scenes that were tried for this
version. A planner that knows the whole game plays them through the actions of a player;
see [the planner](tasks.md#the-planner). It plays each scene once."""
_CELLS = """A cell has the scenes solved and tried, with the 95 % Wilson interval of
their share, and the median of the steps of the solved ones."""

Results = Sequence[EpisodeResult]


def report(header: Mapping[str, Any], lines: Results) -> str:
    """Returns the report of a verification.

    Args:
      header: The first line of its file.
      lines: The others, of whichever order.
    """
    lines = sorted(lines, key=_place)
    parts = [
        _HEAD,
        _origin(header),
        _levels(lines),
        _reasons(lines),
        _trends(header, lines),
        _tasks(lines),
    ]
    return "\n\n".join(parts) + "\n"


def _place(line: EpisodeResult) -> tuple[int, int, int]:
    """Returns the place of a line: by the catalogue, the levels and the scenes."""
    tasks, levels = list(all_tasks()), files.levels()
    known = line.task in tasks
    task = tasks.index(line.task) if known else len(tasks)
    return task, levels.index(line.level), line.index


def _origin(header: Mapping[str, Any]) -> str:
    knows = "the whole game" if header["known"] == "all" else "what it has seen"
    return (
        f"Scenes of the split `{header['split']}`, catalogue {header['catalogue']}, "
        f"generator {header['generator']}; the planner knows {knows}."
    )


def _levels(lines: Results) -> str:
    groups = grouped(lines, lambda one: one.level) | {"all": list(lines)}
    shown = [line for line in lines if not _experimental(line.task)]
    if 0 < len(shown) < len(lines):
        groups["all but `experimental`"] = shown
    columns = ["Level", "Solved", "Steps, median", "Of the budget", "Tasks below 80 %"]
    rows = [_level(name, part) for name, part in groups.items()]
    more = sum(not line.solved and line.certificate is not None for line in lines)
    known = sum(line.certificate is not None for line in lines)
    note = (
        f"{more} of the scenes that were given up have the certificate of another "
        "try: by the planner from where a few random moves had led, by an earlier "
        f"state of it, or by one that plays ahead: {known} of {len(lines)} can be "
        "solved."
    )
    return Table(columns, rows, note if more else "").render("markdown")


def _experimental(task: str) -> bool:
    spec = all_tasks().get(task)
    return spec is not None and EXPERIMENTAL in spec.tags


def _level(name: str, lines: Results) -> list[str]:
    shares = [100 * line.steps / line.budget for line in lines if line.solved]
    share = f"{statistics.median(shares):.0f} %" if shares else NOTHING
    by_task = grouped(lines, lambda one: one.task).values()
    below = sum(sum(x.solved for x in part) < 0.8 * len(part) for part in by_task)
    return [name, rate(lines), steps(lines), share, f"{below} of {len(by_task)}"]


def _reasons(lines: Results) -> str:
    counts = collections.Counter(line.reason for line in lines if line.reason)
    rows = [[f"`{reason}`", str(n)] for reason, n in counts.most_common()]
    return Table(["Reason", "Scenes"], rows).render("markdown")


def _trends(header: Mapping[str, Any], lines: Results) -> str:
    """Returns for how many tasks harder levels are harder, and the exceptions.

    With the whole game known, the median steps of a solution must not fall from a level
    to the next; with what was seen, the share of solved scenes must not rise.
    """
    seen = header["known"] != "all"
    what = "success does not rise" if seen else "median solutions do not get shorter"
    by_task = grouped(lines, lambda one: one.task)
    odd = []
    for task, part in by_task.items():
        levels = [[x for x in part if x.level == level] for level in files.levels()]
        values = [(_share if seen else _steps)(level) for level in levels]
        known = [-value if seen else value for value in values if value is not None]
        if any(a > b for a, b in itertools.pairwise(known)):
            told = (NOTHING if value is None else f"{value:g}" for value in values)
            odd.append(f"`{task}` {'/'.join(told)}")
    good = len(by_task) - len(odd)
    share = 100 * good / len(by_task) if by_task else 100.0
    text = f"From level to level {what} for {good} of {len(by_task)} tasks "
    text += f"({share:.0f} %)"
    return f"{text}; exceptions: {', '.join(odd)}." if odd else f"{text}."


def _steps(lines: Results) -> float | None:
    solved = [line.steps for line in lines if line.solved]
    return statistics.median(solved) if solved else None


def _share(lines: Results) -> float | None:
    return sum(line.solved for line in lines) / len(lines) if lines else None


def _tasks(lines: Results) -> str:
    """Returns a row per task: success and steps on each level, and the reasons."""
    levels = list(grouped(lines, lambda one: one.level))
    rows = []
    for task, part in grouped(lines, lambda one: one.task).items():
        found = grouped(part, lambda one: one.level)
        cells = (found.get(level, []) for level in levels)
        counts = collections.Counter(line.reason for line in part if line.reason)
        reasons = ", ".join(f"`{name}` {n}" for name, n in counts.most_common())
        told = (f"{rate(x)}; {steps(x)}" if x else NOTHING for x in cells)
        rows.append([f"`{task}`", *told, reasons])
    head = ["Task", *levels, "Reasons"]
    return f"{_CELLS}\n\n{Table(head, rows).render('markdown')}"

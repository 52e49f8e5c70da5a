"""What a verification found, as Markdown: by level, by reason, by task."""

from __future__ import annotations

import collections
import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.scoring.statistics import wilson_interval
from crafter.tasks import files
from crafter.tasks.catalogue import EXPERIMENTAL, all_tasks
from crafter.tasks.episodes import EpisodeResult

_HEAD = """# Verification of the tasks

What `crafter-tasks verify --report` prints of the scenes that were tried for this
version. A planner that knows the whole game plays them through the actions of a player;
see [the planner](tasks.md#the-planner). It plays each scene once."""
_CELLS = """A cell has the scenes solved and tried, the 95 % Wilson interval in %, and
of the solved ones the median of the steps and its part of the budget."""

Results = Sequence[EpisodeResult]
#: What there is to say of no scenes at all.
_NOTHING = "–"


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
    rows = [_level(name, part) for name, part in _grouped(lines, "level").items()]
    head = (
        "| Level | Tried | Solved | Given up | Steps, median | "
        "Of the budget | Tasks below 80 % |\n|---|---|---|---|---|---|---|"
    )
    rows.append(_level("all", lines))
    shown = [line for line in lines if not _experimental(line.task)]
    if 0 < len(shown) < len(lines):
        rows.append(_level("all but `experimental`", shown))
    return "\n".join([head, *rows]) + _earlier(lines)


def _earlier(lines: Results) -> str:
    """Returns a sentence on the scenes that were solved in another try only."""
    more = sum(not line.solved and line.certificate is not None for line in lines)
    if not more:
        return ""
    known = sum(line.certificate is not None for line in lines)
    return (
        f"\n\n{more} of the scenes that were given up have the certificate of another "
        "try: by the planner from where a few random moves had led, by an earlier "
        f"state of it, or by one that plays ahead: {known} of {len(lines)} can be "
        "solved."
    )


def _experimental(task: str) -> bool:
    spec = all_tasks().get(task)
    return spec is not None and EXPERIMENTAL in spec.tags


def _level(name: str, lines: Results) -> str:
    solved = [line for line in lines if line.solved]
    steps = _median([line.steps for line in solved])
    share = _median([100 * line.steps / line.budget for line in solved])
    by_task = _grouped(lines, "task").values()
    below = sum(sum(x.solved for x in part) < 0.8 * len(part) for part in by_task)
    return (
        f"| {name} | {len(lines)} | {_rate(lines)} | {len(lines) - len(solved)} | "
        f"{steps} | {share} % | {below} of {len(by_task)} |"
    )


def _grouped(lines: Results, field: str) -> dict[str, list[EpisodeResult]]:
    groups: dict[str, list[EpisodeResult]] = {}
    for line in lines:
        groups.setdefault(getattr(line, field), []).append(line)
    return groups


def _rate(lines: Results) -> str:
    """Returns the share of solved scenes with its 95 % Wilson interval."""
    solved = sum(line.solved for line in lines)
    low, high = wilson_interval(solved, len(lines))
    share = 100 * solved / len(lines)
    return f"{solved}, {share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.0f}" if values else _NOTHING


def _reasons(lines: Results) -> str:
    counts = collections.Counter(line.reason for line in lines if line.reason)
    rows = [f"| `{reason}` | {n} |" for reason, n in counts.most_common()]
    return "\n".join(["| Reason | Scenes |", "|---|---|", *rows])


def _trends(header: Mapping[str, Any], lines: Results) -> str:
    """Returns for how many tasks harder levels are harder, and the exceptions.

    With the whole game known, the median steps of a solution must not fall from a level
    to the next; with what was seen, the share of solved scenes must not rise.
    """
    seen = header["known"] != "all"
    what = "success does not rise" if seen else "median solutions do not get shorter"
    by_task = _grouped(lines, "task")
    odd = []
    for task, part in by_task.items():
        levels = [[x for x in part if x.level == level] for level in files.levels()]
        values = [(_share if seen else _steps)(level) for level in levels]
        known = [-value if seen else value for value in values if value is not None]
        if any(a > b for a, b in itertools.pairwise(known)):
            told = (_NOTHING if value is None else f"{value:g}" for value in values)
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
    """Returns a row per task: for each level solved and tried, interval, steps."""
    levels = list(_grouped(lines, "level"))
    head = "| Task | " + " | ".join(levels) + " | Reasons |"
    rows = [
        f"| `{task}` | "
        + " | ".join(_cell([x for x in part if x.level == name]) for name in levels)
        + f" | {_short(part)} |"
        for task, part in _grouped(lines, "task").items()
    ]
    return "\n".join([f"{_CELLS}\n", head, "|---" * (len(levels) + 2) + "|", *rows])


def _cell(lines: Results) -> str:
    """Returns for a task and level `3/3 [44, 100] 17 (28 %)`."""
    if not lines:
        return _NOTHING
    solved = [line for line in lines if line.solved]
    low, high = wilson_interval(len(solved), len(lines))
    text = f"{len(solved)}/{len(lines)} [{100 * low:.0f}, {100 * high:.0f}]"
    if not solved:
        return text
    steps = statistics.median(line.steps for line in solved)
    return f"{text} {steps:.0f} ({100 * steps / lines[0].budget:.0f} %)"


def _short(lines: Results) -> str:
    counts = collections.Counter(line.reason for line in lines if line.reason)
    return ", ".join(f"`{reason}` {n}" for reason, n in counts.most_common())

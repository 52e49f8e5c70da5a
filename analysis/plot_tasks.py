"""Plots the success of agents on the tasks of the suite `paper`.

    python analysis/plot_tasks.py scores/paper/* --output tasks.png
    python analysis/plot_tasks.py scores/paper/* --levels collect_coal wall_6

Success on a task is the mean over its levels; --levels plots it by level, for the named
tasks. Error bars are 95 % Wilson intervals.
"""

import itertools
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import common
import numpy as np

from crafter.core.options import MANY, Table, exit_on, make_parser
from crafter.reporting import figures
from crafter.reporting.tables import Value
from crafter.tasks import report
from crafter.tasks.catalogue import files
from crafter.tasks.episodes import suites
from crafter.tasks.report import frame

#: Success of an agent by the value on the axis.
Rates = Mapping[str, Value | None]
GROUPS = suites.groups("paper")

OPTIONS: Table = {
    "levels": ([], MANY, "tasks to plot by level"),
    "output": (pathlib.Path("plots/tasks.png"), pathlib.Path, ".pdf, .png or .svg"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument("runs", nargs="+", help="folders of runs and scores")
    args = parser.parse_args(argv)
    with exit_on(parser, ValueError, ImportError, OSError), figures.look():
        rows = frame.where(report.load(args.runs).frame, dimension="success")
        drawn = by_level(rows, args.levels) if args.levels else by_group(rows, GROUPS)
        figures.save(drawn, args.output)


def agents(rows: frame.Group) -> dict[str, tuple[frame.Group, str]]:
    """Returns rows and colour of each agent, the most successful first."""
    by_agent = frame.group(rows, "agent")
    means = {
        name: np.mean([row.value for row in own]) for name, own in by_agent.items()
    }
    named = {name: common.COLOURS[name] for name in by_agent if name in common.COLOURS}
    every = (*common.OTHER_COLOURS, *common.COLOURS.values())
    free = itertools.cycle(c for c in every if c not in named.values())
    order = sorted(by_agent, key=lambda name: -means[name])
    return {name: (by_agent[name], named.get(name) or next(free)) for name in order}


def rates(rows: frame.Group, field: str, names: Iterable[str]) -> Rates:
    """Returns success by the values of a field."""
    by_value = frame.group(rows, field)
    return {n: frame.rate(row.value for row in by_value.get(n, ())) for n in names}


def points(axes: Any, success: Rates, shift: float, flat: bool, **look: Any) -> None:
    """Draws the success rates and intervals of an agent.

    Args:
      axes: The axes.
      success: The rates; missing ones are skipped.
      shift: Offset from the other agents.
      flat: Whether success is on the horizontal axis; otherwise lines join the points.
      **look: Its `label` and `color`.
    """
    marks = [(place + shift, one) for place, one in enumerate(success.values()) if one]
    at, means = [a for a, _ in marks], [one.mean for _, one in marks]
    ends = [one.low for _, one in marks], [one.high for _, one in marks]
    xs, ys, lines = (means, at, axes.hlines) if flat else (at, means, axes.vlines)
    lines(at, *ends, color=look["color"], linewidth=1)
    axes.plot(xs, ys, "o" if flat else "o-", markersize=3.5, **look)


def by_group(rows: frame.Group, groups: Mapping[str, Sequence[str]]) -> Any:
    """Draws success by task, a panel per group."""
    every = agents(rows)
    lines = -(-len(groups) // 2)
    drawn = figures.new(7.5, lines * (0.45 + 5 * max(0.3, 0.06 * len(every))))
    panels = drawn.subplots(lines, 2, sharex=True, squeeze=False).ravel()
    for panel, (group, tasks) in zip(panels, groups.items()):
        for i, (name, (own, colour)) in enumerate(every.items()):
            shift = ((i + 0.5) / len(every) - 0.5) * 0.72  # of a task's width
            success = rates(own, "task", tasks)
            points(panel, success, shift, True, label=name.split("/")[-1], color=colour)
        panel.set_title(group.capitalize())
        panel.set_yticks(range(len(tasks)), [frame.title(task) for task in tasks])
        panel.set_ylim(len(tasks) - 0.5, -0.5)
        panel.set_xlim(-3, 103)
        panel.grid(False, axis="y")
    for panel in panels[len(groups) :]:
        panel.axis("off")
    for panel in panels[len(groups) - 2 : len(groups)]:
        panel.tick_params(labelbottom=True)
        panel.set_xlabel("Success rate (%)")
    figures.legend_above(drawn, panels[0])
    return drawn


def by_level(rows: frame.Group, tasks: Sequence[str]) -> Any:
    """Draws success by level, a panel per task.

    Raises:
      ValueError: If no agent attempted a task.
    """
    every, attempted = agents(rows), {row.task for row in rows}
    if unknown := [task for task in tasks if task not in attempted]:
        raise ValueError(f"No attempts at {unknown}; valid: {sorted(attempted)}.")
    drawn = figures.new(1 + 2.6 * len(tasks), 2.8)
    panels = drawn.subplots(1, len(tasks), sharey=True, squeeze=False).ravel()
    for panel, task in zip(panels, tasks):
        for i, (name, (own, colour)) in enumerate(every.items()):
            shift = (i - (len(every) - 1) / 2) * 0.06
            success = rates(frame.where(own, task=task), "level", files.levels())
            points(
                panel, success, shift, False, label=name.split("/")[-1], color=colour
            )
        panel.set_title(frame.title(task))
        panel.set_xticks(range(len(files.levels())), files.levels())
        panel.grid(False, axis="x")
        panel.set_ylim(-3, 103)
    panels[0].set_ylabel("Success rate (%)")
    figures.legend_above(drawn, panels[0])
    return drawn


if __name__ == "__main__":
    main()

"""Draws how PPO learned tasks, and prints what it reached.

    python scripts/plot_task_training.py logdir/wood logdir/drink --out tasks.png

Each folder is one that `train_ppo.py --task` wrote. Needs `pip install crafter[train]`
and matplotlib.
"""

from __future__ import annotations

import argparse
import csv
import pathlib
from typing import TYPE_CHECKING

from training import success
from training.success import Success

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#1f77b4", "#d1793b", "#3c8d5a", "#7d5ba6", "#b0413e")


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="picture")
    args = parser.parse_args(argv)
    try:
        found = {f.name: (curve(f), measured(f)) for f in args.folders}
    except (OSError, ValueError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    draw({name: (points, lines) for name, (points, lines) in found.items()}, args.out)
    print(table({name: lines for name, (_, lines) in found.items()}))


def curve(folder: pathlib.Path) -> list[tuple[int, float]]:
    """Return the steps and the success of the last 100 attempts before them."""
    paths = sorted(folder.glob("logs/*/progress.csv"))
    if not paths:
        raise ValueError(f"{folder} has no logs of a training.")
    points = []
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row.get("rollout/ep_rew_mean"):
                    steps = int(float(row["time/total_timesteps"]))
                    points.append((steps, float(row["rollout/ep_rew_mean"])))
    return points


def measured(folder: pathlib.Path) -> list[Success]:
    """Return what was measured on scenes that were not trained on."""
    found = success.read(folder / "success.jsonl")
    if not found:
        raise ValueError(f"{folder} has no success.jsonl: was it a task?")
    return found


def draw(
    found: dict[str, tuple[list[tuple[int, float]], list[Success]]], out: pathlib.Path
) -> None:
    """Draw a panel for each training, with the intervals of what was measured."""
    import matplotlib.pyplot as plt  # so that --help needs nothing

    figure, panels = plt.subplots(
        1, len(found), figsize=(3.1 * len(found), 2.7), sharey=True, squeeze=False
    )
    for axes, color, (name, (points, lines)) in zip(
        panels[0], COLORS * len(found), found.items()
    ):
        axes.plot(*zip(*points), color=color, label="training, last 100 attempts")
        _draw_measured(axes, [s for s in lines if s.agent == "ppo"], color)
        for line in (s for s in lines if s.agent == "random"):
            axes.axhspan(*line.interval, color="0.85", label="random actions")
        axes.set_title(name, fontsize=10)
        axes.set_ylim(-0.02, 1.02)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x / 1000:g}k")
        axes.set_xlabel("steps")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("success")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="lower center", ncol=3, fontsize=8, frameon=False
    )
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(out, dpi=110)
    plt.close(figure)


def _draw_measured(axes: Axes, lines: list[Success], color: str) -> None:
    """Draw rates with their intervals."""
    rates = [line.rate for line in lines]
    ends = [line.interval for line in lines]
    low = [rate - end[0] for rate, end in zip(rates, ends)]
    high = [end[1] - rate for rate, end in zip(rates, ends)]
    steps = [line.steps for line in lines]
    axes.errorbar(
        steps,
        rates,
        [low, high],
        label="new scenes, 95 % interval",
        fmt="o",
        color="black",
        ecolor=color,
        capsize=3,
        markersize=4,
    )


def table(found: dict[str, list[Success]]) -> str:
    """Return what was measured as a Markdown table."""
    rows = ["| Task | Random actions | Before | After |", "|---|---|---|---|"]
    for name, lines in found.items():
        random = [line for line in lines if line.agent == "random"]
        ppo = sorted((s for s in lines if s.agent == "ppo"), key=lambda s: s.steps)
        cells = [_told(part) for part in (random[:1], ppo[:1], ppo[-1:])]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def _told(lines: list[Success]) -> str:
    if not lines:
        return "-"
    low, high = lines[0].interval
    return f"{100 * lines[0].rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


if __name__ == "__main__":
    main()

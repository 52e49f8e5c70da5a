"""What came out of runs: scores with intervals, rates, costs and reasons."""

from __future__ import annotations

import collections
import csv
import io
import json
import pathlib
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from crafter import constants
from crafter.lm.runs import logs, scores
from crafter.lm.runs.logs import LogError

_TOKENS = ("prompt_tokens", "completion_tokens")


def summarise(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the summary of a run.

    Args:
      folder: Where its logs are.

    Raises:
      LogError: If there is no run, or no finished rollout.
    """
    try:
        header = json.loads((folder / "run.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LogError(f"{folder} holds no run: {error}") from None
    paths = sorted(folder.glob("rollout-*.jsonl"))
    rollouts = [rollout for path in paths if (rollout := _rollout(path)) is not None]
    if not rollouts:
        raise LogError(f"{folder} has no finished rollout.")
    table = scores.reached([list(r["achievements"]) for r in rollouts])
    seeds = header["protocol"]["seeds"]
    return {
        "agent": header["agent"],
        "agent_settings": header["agent_settings"],
        "protocol": header["protocol"],
        "rules": header["rules"],
        "complete": len(rollouts) == len(seeds),
        "scores": scores.summary(table, [r["return"] for r in rollouts]),
        "achievements": _achievements(rollouts),
        "costs": _costs(rollouts),
        "reasons": dict(collections.Counter(r["reason"] for r in rollouts)),
        "rollouts": rollouts,
    }


def _rollout(path: pathlib.Path) -> dict[str, Any] | None:
    """Returns how a rollout ended, `None` if it is not complete."""
    lines = logs.read(path)
    if not lines or lines[-1]["type"] != "rollout_end":
        return None
    end = {name: v for name, v in lines[-1].items() if name not in ("type", "v", "ts")}
    calls = [line for line in lines if line["type"] == "call"]
    tokens = {name: sum(line.get(name, 0) for line in calls) for name in _TOKENS}
    return {
        "seed": lines[0]["seed"],
        **end,
        **tokens,
        "estimated": any(line.get("estimated") for line in calls),
        "failures": sum(line["type"] == "failure" for line in lines),
    }


def _achievements(rollouts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns for each achievement its rate and when it was first unlocked."""
    table = {}
    for name in constants.achievements:
        steps = [r["achievements"][name] for r in rollouts if name in r["achievements"]]
        calls = [
            r["achievement_calls"][name] for r in rollouts if name in r["achievements"]
        ]
        low, high = scores.wilson(len(steps), len(rollouts))
        table[name] = {
            "rate": len(steps) / len(rollouts),
            "low": low,
            "high": high,
            "median_step": statistics.median(steps) if steps else None,
            "median_call": statistics.median(calls) if calls else None,
        }
    return table


def _costs(rollouts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = ("steps", "calls", "invalid_calls", "failures", *_TOKENS)
    return {name: sum(r[name] for r in rollouts) for name in names}


def curve(summary: dict[str, Any], by: str = "steps") -> list[tuple[int, float]]:
    """Returns the mean number of achievements over steps or calls.

    Args:
      summary: From `summarise`.
      by: `steps` or `calls`.

    Returns:
      Points (steps or calls, mean number of achievements), where it rises.
    """
    key = {"steps": "achievements", "calls": "achievement_calls"}[by]
    rollouts = summary["rollouts"]
    times = sorted(t for rollout in rollouts for t in rollout[key].values())
    counts = collections.Counter(times)
    points, total = [(0, 0.0)], 0
    for time in sorted(counts):
        total += counts[time]
        points.append((time, total / len(rollouts)))
    return points


# Forms.


def interval(value: dict[str, float], digits: int = 1) -> str:
    """Returns a value with its interval.

    Example:
      >>> interval({"value": 12.34, "low": 10.0, "high": 15.05})
      '12.3 [10.0, 15.1]'
    """
    return (
        f"{value['value']:.{digits}f} [{value['low']:.{digits}f}, "
        f"{value['high']:.{digits}f}]"
    )


def markdown(summary: dict[str, Any]) -> str:
    """Returns a summary as Markdown."""
    return "\n".join(_markdown(summary)) + "\n"


def _markdown(summary: dict[str, Any]) -> Iterator[str]:
    name = summary["protocol"]["name"]
    count = summary["scores"]["rollouts"]
    yield f"# {summary['agent']} on {name}"
    yield ""
    whole = "" if summary["complete"] else f" of {len(summary['protocol']['seeds'])}"
    yield f"{count}{whole} rollouts. Intervals: 95 %, bootstrap over rollouts."
    yield ""
    yield "| Score | Value |"
    yield "|---|---|"
    for score in scores.NAMES:
        main = " (main)" if score == summary["protocol"]["score"] else ""
        yield f"| {score}{main} | {interval(summary['scores'][score])} |"
    yield ""
    yield f"Note: {scores.WARNING}"
    yield ""
    yield "| Achievement | Rate | 95 % | Median step | Median call |"
    yield "|---|---|---|---|---|"
    for achievement, row in summary["achievements"].items():
        step, call = (row[k] if row[k] is not None else "-" for k in _MEDIANS)
        yield (
            f"| {achievement} | {100 * row['rate']:.0f} % | {100 * row['low']:.0f} to "
            f"{100 * row['high']:.0f} % | {step} | {call} |"
        )
    yield ""
    costs = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in summary["costs"].items())
    yield f"Totals: {costs}."
    ends = ", ".join(f"{reason} {n}" for reason, n in summary["reasons"].items())
    yield f"Ends: {ends}."


_MEDIANS = ("median_step", "median_call")


def comparison(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Returns the differences of two runs on the same seeds as Markdown.

    Raises:
      ValueError: If they have no seeds in common.
    """
    runs = [{r["seed"]: r for r in run["rollouts"]} for run in (ours, theirs)]
    seeds = sorted(runs[0].keys() & runs[1].keys())
    if not seeds:
        raise ValueError("The runs have no seeds in common.")
    mine, other = (
        scores.reached([list(run[s]["achievements"]) for s in seeds]) for run in runs
    )
    lines = [
        f"# {ours['agent']} minus {theirs['agent']}, {len(seeds)} common seeds",
        "",
        "| Score | Difference |",
        "|---|---|",
    ]
    for name in scores.FORMULAS:
        lines.append(
            f"| {name} | {interval(scores.paired_difference(mine, other, name))} |"
        )
    return "\n".join(lines) + "\n"


def table(summaries: Sequence[dict[str, Any]]) -> str:
    """Returns one line of CSV for each rollout of some runs."""
    names = ["seed", "reason", "steps", "calls", "invalid_calls", "return", *_TOKENS]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        ["protocol", "agent", *names, "achievements", *constants.achievements]
    )
    for summary in summaries:
        for rollout in summary["rollouts"]:
            reached = rollout["achievements"]
            writer.writerow(
                [
                    summary["protocol"]["name"],
                    summary["agent"],
                    *(rollout[name] for name in names),
                    len(reached),
                    *(reached.get(name, "") for name in constants.achievements),
                ]
            )
    return file.getvalue()

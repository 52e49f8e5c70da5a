"""What came out of runs: scores with intervals, rates, costs and reasons."""

from __future__ import annotations

import collections
import csv
import io
import itertools
import math
import pathlib
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from crafter.lm.runs import logs, protocols, scores
from crafter.lm.runs.logs import LogError
from crafter.lm.runs.protocols import Protocol
from crafter.scoring.statistics import wilson_interval


def summarise(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the summary of a run.

    Args:
      folder: Where its logs are.

    Raises:
      LogError: If there is no run, or no finished rollout.
    """
    header = logs.read_header(folder)
    protocol = protocols.from_dict(header["protocol"])
    book = protocol.words.book
    known, best = book.achievements, _best(protocol)
    paths = sorted(folder.glob("rollout-*.jsonl"))
    rollouts = [rollout for path in paths if (rollout := _rollout(path)) is not None]
    if not rollouts:
        raise LogError(f"{folder} has no finished rollout.")
    table = scores.reached([list(r["achievements"]) for r in rollouts], known)
    returns, done = [r["return"] for r in rollouts], _done(rollouts)
    return {
        "agent": header["agent"],
        "agent_settings": header["agent_settings"],
        "protocol": header["protocol"],
        "rules": header["rules"],
        "complete": len(rollouts) == len(protocol.seeds),
        "scores": scores.summary(table, returns, best=best, done=done),
        **({"tiers": scores.by_tier(table, known, book.tiers)} if book.tiers else {}),
        "achievements": _achievements(rollouts, known),
        "costs": _costs(rollouts),
        "reasons": dict(collections.Counter(r["reason"] for r in rollouts)),
        "rollouts": rollouts,
    }


def _best(protocol: Protocol) -> float | None:
    """Returns the largest possible return, if the score is in percent of it."""
    if protocol.score != scores.RETURN:
        return None
    return math.fsum(protocol.words.book.rewards)


def _done(rollouts: Sequence[dict[str, Any]]) -> list[bool] | None:
    """Returns which rollouts did their task; `None` if they had none."""
    if any("goal" not in rollout for rollout in rollouts):
        return None
    return [rollout["goal"]["done"] for rollout in rollouts]


def _rollout(path: pathlib.Path) -> dict[str, Any] | None:
    """Returns how a rollout ended, `None` if it is not complete."""
    log = logs.read_rollout(path)
    if log is None or log.end is None:
        return None
    left_out = ("type", *logs.TRANSIENT)
    calls = [call.line for call in log.calls]
    spent = list(itertools.accumulate(map(logs.tokens, calls), initial=0))
    return {
        "seed": log.start["seed"],
        **{name: value for name, value in log.end.items() if name not in left_out},
        "achievement_tokens": {
            name: spent[min(call, len(calls))]
            for name, call in log.end["achievement_calls"].items()
        },
        **{name: sum(call.get(name, 0) for call in calls) for name in logs.TOKENS},
        "estimated": any(call.get("estimated") for call in calls),
        "failures": len(log.failures),
    }


def _achievements(
    rollouts: Sequence[dict[str, Any]], known: Sequence[str]
) -> dict[str, Any]:
    """Returns for each achievement its rate and when it was first unlocked."""
    table = {}
    for name in known:
        steps = [r["achievements"][name] for r in rollouts if name in r["achievements"]]
        calls = [
            r["achievement_calls"][name] for r in rollouts if name in r["achievements"]
        ]
        low, high = wilson_interval(len(steps), len(rollouts))
        table[name] = {
            "rate": len(steps) / len(rollouts),
            "low": low,
            "high": high,
            "median_step": statistics.median(steps) if steps else None,
            "median_call": statistics.median(calls) if calls else None,
        }
    return table


def _costs(rollouts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = ("steps", "calls", "invalid_calls", "failures", *logs.TOKENS)
    return {name: sum(r[name] for r in rollouts) for name in names}


#: What curves can be over -> where a rollout has it.
CURVES = {
    "steps": "achievements",
    "calls": "achievement_calls",
    "tokens": "achievement_tokens",
}


def curve(summary: dict[str, Any], by: str = "steps") -> list[tuple[int, float]]:
    """Returns the mean number of achievements over steps, calls or tokens.

    Args:
      summary: From `summarise`.
      by: A name of `CURVES`. Tokens are those of questions and answers, up to the call
        that unlocked an achievement.

    Returns:
      Points (steps, calls or tokens, mean number of achievements), where it rises.

    Raises:
      ValueError: If `by` is something else.
    """
    if by not in CURVES:
        raise ValueError(f"by must be one of {list(CURVES)}, got {by!r}.")
    key = CURVES[by]
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
    count, tiers = summary["scores"]["rollouts"], summary.get("tiers")
    yield f"# {summary['agent']} on {name}"
    yield ""
    whole = "" if summary["complete"] else f" of {len(summary['protocol']['seeds'])}"
    yield f"{count}{whole} rollouts. Intervals: 95 %, bootstrap over rollouts."
    yield ""
    yield "| Score | Value |"
    yield "|---|---|"
    for score in (n for n in summary["scores"] if n != "rollouts"):
        main = " (main)" if score == summary["protocol"]["score"] else ""
        yield f"| {score}{main} | {interval(summary['scores'][score])} |"
    yield ""
    yield f"Note: {scores.RETURN_WARNING if tiers else scores.WARNING}"
    yield ""
    if tiers:
        yield "| Tier | Achievements reached |"
        yield "|---|---|"
        for tier, share in tiers.items():
            yield f"| {tier.replace('_', ' ')} | {interval(share)} % |"
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
    known = [list(ours["achievements"]), list(theirs["achievements"])]
    if known[0] != known[1]:
        raise ValueError("The runs have different achievements.")
    mine, other = (
        scores.reached([list(run[s]["achievements"]) for s in seeds], known[0])
        for run in runs
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
    if all(scores.RETURN in run["scores"] for run in (ours, theirs)):
        change = [runs[0][s]["return"] - runs[1][s]["return"] for s in seeds]
        lines.append(f"| reward | {interval(scores.mean(change))} |")
    if all(scores.SUCCESS in run["scores"] for run in (ours, theirs)):
        done = [[100 * run[s]["goal"]["done"] for s in seeds] for run in runs]
        change = [a - b for a, b in zip(*done)]
        lines.append(f"| success | {interval(scores.mean(change))} |")
    return "\n".join(lines) + "\n"


def table(summaries: Sequence[dict[str, Any]]) -> str:
    """Returns one line of CSV for each rollout of some runs."""
    known = list(dict.fromkeys(n for s in summaries for n in s["achievements"]))
    names = [
        "seed",
        "reason",
        "steps",
        "calls",
        "invalid_calls",
        "return",
        *logs.TOKENS,
    ]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["protocol", "agent", *names, "achievements", *known])
    for summary in summaries:
        for rollout in summary["rollouts"]:
            reached = rollout["achievements"]
            writer.writerow(
                [
                    summary["protocol"]["name"],
                    summary["agent"],
                    *(rollout[name] for name in names),
                    len(reached),
                    *(reached.get(name, "") for name in known),
                ]
            )
    return file.getvalue()


def curves(summaries: Sequence[dict[str, Any]], by: str = "steps") -> str:
    """Returns the curves of some runs as CSV: protocol, agent, place, mean number.

    Args:
      summaries: From `summarise`.
      by: A name of `CURVES`.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["protocol", "agent", by, "achievements"])
    for summary in summaries:
        run = [summary["protocol"]["name"], summary["agent"]]
        writer.writerows([*run, *point] for point in curve(summary, by))
    return file.getvalue()

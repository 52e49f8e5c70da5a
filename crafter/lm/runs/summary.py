"""Summaries of runs: scores with intervals, rates, costs and reasons."""

from __future__ import annotations

import collections
import itertools
import math
import pathlib
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crafter.lm.runs import logs, protocols, scores
from crafter.lm.runs.logs import LogError
from crafter.lm.runs.protocols import Protocol
from crafter.reporting.tables import Table, Value
from crafter.scoring.statistics import wilson_interval

_COUNTS = ("steps", "calls", "invalid_calls")


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
    names = (*_COUNTS, "failures", *logs.TOKENS)
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


def number(value: Mapping[str, float]) -> Value:
    """Returns a value with its interval as a cell of a table."""
    return Value(value["value"], low=value["low"], high=value["high"])


def interval(value: Mapping[str, float]) -> str:
    """Returns a value with its interval.

    Example:
      >>> interval({"value": 12.34, "low": 10.0, "high": 15.05})
      '12.3 [10.0, 15.1]'
    """
    return number(value).show()


def listed_counts(counts: Mapping[str, int]) -> str:
    """Returns names with their counts."""
    return ", ".join(f"{name} {n}" for name, n in counts.items())


def markdown(summary: dict[str, Any]) -> str:
    """Returns a summary as Markdown."""
    protocol, found, tiers = (
        summary["protocol"],
        summary["scores"],
        summary.get("tiers"),
    )
    whole = "" if summary["complete"] else f" of {len(protocol['seeds'])}"
    values = [
        (f"{name} (main)" if name == protocol["score"] else name, number(found[name]))
        for name in found
        if name != "rollouts"
    ]
    rates = [
        (
            name,
            f"{100 * row['rate']:.0f} %",
            f"{100 * row['low']:.0f} to {100 * row['high']:.0f} %",
            *("-" if row[at] is None else str(row[at]) for at in _MEDIANS),
        )
        for name, row in summary["achievements"].items()
    ]
    parts = [
        f"# {summary['agent']} on {protocol['name']}",
        f"{found['rollouts']}{whole} rollouts. Intervals: 95 %, bootstrap over "
        "rollouts.",
        Table(("Score", "Value"), values).render("markdown"),
        f"Note: {scores.RETURN_WARNING if tiers else scores.WARNING}",
    ]
    if tiers:
        shares = [
            (tier.replace("_", " "), f"{interval(share)} %")
            for tier, share in tiers.items()
        ]
        table = Table(("Tier", "Achievements reached"), shares)
        parts.append(table.render("markdown"))
    columns = ("Achievement", "Rate", "95 %", "Median step", "Median call")
    parts.append(Table(columns, rates).render("markdown"))
    costs = listed_counts(summary["costs"]).replace("_", " ")
    ends = listed_counts(summary["reasons"])
    parts.append(f"Totals: {costs}.\nEnds: {ends}.")
    return "\n\n".join(parts) + "\n"


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
    found = {n: scores.paired_difference(mine, other, n) for n in scores.FORMULAS}
    for score, name, read in (
        (scores.RETURN, "reward", lambda rollout: rollout["return"]),
        (scores.SUCCESS, "success", lambda rollout: 100 * rollout["goal"]["done"]),
    ):
        if all(score in run["scores"] for run in (ours, theirs)):
            pairs = [(read(runs[0][s]), read(runs[1][s])) for s in seeds]
            found[name] = scores.mean([a - b for a, b in pairs])
    rows = [(name, number(value)) for name, value in found.items()]
    return (
        f"# {ours['agent']} minus {theirs['agent']}, {len(seeds)} common seeds\n\n"
        f"{Table(('Score', 'Difference'), rows).render('markdown')}\n"
    )


def table(summaries: Sequence[dict[str, Any]]) -> str:
    """Returns one line of CSV for each rollout of some runs."""
    known = list(dict.fromkeys(n for s in summaries for n in s["achievements"]))
    names = ["seed", "reason", *_COUNTS, "return", *logs.TOKENS]
    rows = [
        [
            summary["protocol"]["name"],
            summary["agent"],
            *(rollout[name] for name in names),
            len(rollout["achievements"]),
            *(rollout["achievements"].get(name, "") for name in known),
        ]
        for summary in summaries
        for rollout in summary["rollouts"]
    ]
    return _csv(["protocol", "agent", *names, "achievements", *known], rows)


def curves(summaries: Sequence[dict[str, Any]], by: str = "steps") -> str:
    """Returns the curves of some runs as CSV: protocol, agent, place, mean number.

    Args:
      summaries: From `summarise`.
      by: A name of `CURVES`.
    """
    rows = [
        (summary["protocol"]["name"], summary["agent"], *point)
        for summary in summaries
        for point in curve(summary, by)
    ]
    return _csv(("protocol", "agent", by, "achievements"), rows)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    texts = [[str(cell) for cell in row] for row in rows]
    return Table(columns, texts).render("csv") + "\n"

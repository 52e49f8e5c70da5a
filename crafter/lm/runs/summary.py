"""Summaries of runs: scores with intervals, rates, costs and reasons; a leaderboard."""

from __future__ import annotations

import collections
import itertools
import math
import pathlib
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.lm import game as games
from crafter.lm.runs import logs, protocols, scores
from crafter.lm.runs.logs import LogError
from crafter.reporting.page import Page
from crafter.reporting.tables import Table, Value
from crafter.scoring.statistics import wilson_interval

_COUNTS = ("steps", "calls", "invalid_calls")
#: Axis of a curve -> its field in a rollout.
CURVES = {
    "steps": "achievements",
    "calls": "achievement_calls",
    "tokens": "achievement_tokens",
}


def summarise(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the summary of a run.

    Args:
      folder: Folder of its logs, or a packed run.

    Raises:
      LogError: If there is no run, or no finished rollout.
    """
    with logs.readable(folder):
        return _summary(folder)


def _summary(folder: pathlib.Path) -> dict[str, Any]:
    header, read = logs.read_run(folder)
    protocol = protocols.from_dict(header["protocol"])
    words = games.find(protocol.game).words(protocol.tables)
    names = words.achievements
    rollout_logs = map(read, range(len(protocol.seeds)))
    rollouts = [_rollout(log, log.end) for log in rollout_logs if log and log.end]
    if not rollouts:
        raise LogError(f"{folder} has no finished rollout.")
    table = scores.reached([list(r["achievements"]) for r in rollouts], names)
    tasks = all("goal" in rollout for rollout in rollouts)
    percent = protocol.score == scores.RETURN
    values = scores.summary(
        table,
        [rollout["return"] for rollout in rollouts],
        best=math.fsum(words.rewards) if percent else None,
        done=[rollout["goal"]["done"] for rollout in rollouts] if tasks else None,
    )
    costs = (*_COUNTS, "failures", *logs.TOKENS)
    return {
        **{name: header[name] for name in ("agent", "agent_settings")},
        **{name: header[name] for name in ("protocol", "rules")},
        "complete": len(rollouts) == len(protocol.seeds),
        "scores": values,
        **({"tiers": scores.by_tier(table, names, words.tiers)} if words.tiers else {}),
        "achievements": {name: _achievement(rollouts, name) for name in names},
        "costs": {name: sum(r[name] for r in rollouts) for name in costs},
        "reasons": dict(collections.Counter(r["reason"] for r in rollouts)),
        "rollouts": rollouts,
    }


def _rollout(log: logs.RolloutLog, end: dict[str, Any]) -> dict[str, Any]:
    """Returns the summary of a complete rollout."""
    left_out = ("type", *logs.TRANSIENT)
    calls = log.calls
    spent = list(itertools.accumulate(map(logs.tokens, calls), initial=0))
    return {
        "seed": log.start["seed"],
        **{name: value for name, value in end.items() if name not in left_out},
        "achievement_tokens": {
            name: spent[min(call, len(calls))]
            for name, call in end["achievement_calls"].items()
        },
        **{name: sum(call.get(name, 0) for call in calls) for name in logs.TOKENS},
        "estimated": any(call.get("estimated") for call in calls),
        "failures": len(log.of("failure")),
    }


def _achievement(rollouts: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    """Returns the rate of an achievement and when it was first unlocked."""
    having = [rollout for rollout in rollouts if name in rollout["achievements"]]
    low, high = wilson_interval(len(having), len(rollouts))
    rate = len(having) / len(rollouts)
    row: dict[str, Any] = {"rate": rate, "low": low, "high": high}
    for column, key in (("median_step", "steps"), ("median_call", "calls")):
        times = [rollout[CURVES[key]][name] for rollout in having]
        row[column] = statistics.median(times) if times else None
    return row


def curve(summary: dict[str, Any], by: str = "steps") -> list[tuple[int, float]]:
    """Returns the mean number of achievements over steps, calls or tokens.

    Args:
      summary: From `summarise`.
      by: A name of `CURVES`. Tokens include prompts and completions, up to the call
          that unlocked an achievement.

    Returns:
      Points (steps, calls or tokens, mean number of achievements) at each increase.
    """
    rollouts = summary["rollouts"]
    times = sorted(t for rollout in rollouts for t in rollout[CURVES[by]].values())
    totals = {time: number for number, time in enumerate(times, 1)}
    points = [(time, total / len(rollouts)) for time, total in totals.items()]
    return [(0, 0.0), *points]


# Formats.


def number(value: Mapping[str, float]) -> Value:
    """Returns a value with its interval as a table cell."""
    return Value(value["value"], low=value["low"], high=value["high"])


def listed_counts(counts: Mapping[str, int]) -> str:
    """Returns names with their counts."""
    return ", ".join(f"{name} {n}" for name, n in counts.items())


def markdown(summary: dict[str, Any]) -> str:
    """Returns a summary as Markdown."""
    protocol, results = summary["protocol"], summary["scores"]
    whole = "" if summary["complete"] else f" of {len(protocol['seeds'])}"
    values = {name: number(results[name]) for name in results if name != "rollouts"}
    main = protocol["score"]
    rows = [(f"{n} (main)" if n == main else n, value) for n, value in values.items()]
    parts = [
        f"# {summary['agent']} on {protocol['name']}",
        f"{results['rollouts']}{whole} rollouts. Intervals: 95 %, bootstrap over "
        "rollouts.",
        Table(("Score", "Value"), rows).render("markdown"),
    ]
    if "tiers" in summary:
        parts.append(f"Note: {scores.RETURN_WARNING}")
        shares = [
            (tier.replace("_", " "), f"{number(share).show()} %")
            for tier, share in summary["tiers"].items()
        ]
        tiers = Table(("Tier", "Achievements reached"), shares)
        parts.append(tiers.render("markdown"))
    else:
        parts.append(f"Note: {scores.WARNING}")
    rates = []
    for name, row in summary["achievements"].items():
        rate, low, high = (100 * row[n] for n in ("rate", "low", "high"))
        when = (row[n] and str(row[n]) for n in ("median_step", "median_call"))
        rates.append((name, Value(rate, None, 0, low=low, high=high), *when))
    columns = ("Achievement", "Rate (%)", "Median step", "Median call")
    parts.append(Table(columns, rates).render("markdown"))
    costs = listed_counts(summary["costs"]).replace("_", " ")
    parts.append(f"Totals: {costs}.\nEnds: {listed_counts(summary['reasons'])}.")
    return "\n\n".join(parts) + "\n"


def curves(summaries: Sequence[dict[str, Any]], by: str = "steps") -> str:
    """Returns the curves of some runs as CSV: protocol, agent, x, mean number.

    Args:
      summaries: From `summarise`.
      by: A name of `CURVES`.
    """
    rows = [
        [summary["protocol"]["name"], summary["agent"], *map(str, point)]
        for summary in summaries
        for point in curve(summary, by)
    ]
    return Table(("protocol", "agent", by, "achievements"), rows).render("csv") + "\n"


# Leaderboard.


def track(protocol: dict[str, Any]) -> str:
    """Returns the settings that results must share to be compared."""
    interface = protocol["interface"]
    rules = "hidden" if protocol["rules"] == "actions" else protocol["rules"]
    senses = "picture" if protocol["picture_only"] else interface.get("format", "text")
    if interface.get("images") and not protocol["picture_only"]:
        senses += " and picture"
    parts = [
        "single" if interface.get("max_batch") == 1 else "batch",
        "macros" if interface.get("macros", True) else "no macros",
        "memory map" if interface.get("memory_map") else "",
        f"rules {rules}",
        senses,
    ]
    return ", ".join(filter(None, parts))


def board(folders: Sequence[pathlib.Path], as_html: bool = False) -> str:
    """Returns a leaderboard per protocol and score, the best run first.

    Args:
      folders: Log folders of the runs.
      as_html: Whether to return an HTML page instead of Markdown.
    """
    runs = sorted(
        ((summarise(folder), folder) for folder in folders),
        key=lambda run: -run[0]["scores"][run[0]["protocol"]["score"]]["value"],
    )
    rows = collections.defaultdict(list)
    for run, folder in runs:
        protocol, score = run["protocol"], run["protocol"]["score"]
        cells = [
            run["agent"] + ("" if run["complete"] else " (incomplete)"),
            track(protocol),
            number(run["scores"][score]),
            str(run["scores"]["rollouts"]),
            str(run["costs"]["calls"]),
            listed_counts(run["reasons"]),
            folder.as_posix(),
        ]
        rows[f"{protocol['name']}: {score}"].append(cells)
    columns = ("Agent", "Track", "Score", "Rollouts", "Calls", "Ends", "Logs")
    page = Page()
    for name in sorted(rows):
        page.table(Table(columns, rows[name]), name)
    return page.html("Leaderboard") if as_html else page.markdown("Leaderboard")

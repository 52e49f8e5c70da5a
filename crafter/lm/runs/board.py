"""Leaderboard of runs."""

from __future__ import annotations

import html
import pathlib
from collections.abc import Sequence
from typing import Any

from crafter.lm.runs.summary import listed_counts, number, summarise
from crafter.reporting.tables import Table

_COLUMNS = ("Agent", "Track", "Score", "Rollouts", "Calls", "Ends", "Logs")


def track(summary: dict[str, Any]) -> str:
    """Returns the settings that results must share to be compared."""
    protocol = summary["protocol"]
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


def tables(folders: Sequence[pathlib.Path]) -> dict[str, Table]:
    """Returns a table for each protocol and its score, the best run first."""
    found: dict[str, list[tuple[float, list[Any]]]] = {}
    for folder in folders:
        summary = summarise(folder)
        protocol = summary["protocol"]
        score = summary["scores"][protocol["score"]]
        row = [
            summary["agent"] + ("" if summary["complete"] else " (incomplete)"),
            track(summary),
            number(score),
            str(summary["scores"]["rollouts"]),
            str(summary["costs"]["calls"]),
            listed_counts(summary["reasons"]),
            folder.as_posix(),
        ]
        name = f"{protocol['name']}: {protocol['score']}"
        found.setdefault(name, []).append((-score["value"], row))
    return {
        name: Table(_COLUMNS, [row for _, row in sorted(entries, key=lambda e: e[0])])
        for name, entries in sorted(found.items())
    }


def markdown(folders: Sequence[pathlib.Path]) -> str:
    """Returns the leaderboard as Markdown."""
    parts = [
        f"## {name}\n\n{table.render('markdown')}"
        for name, table in tables(folders).items()
    ]
    return "\n\n".join(["# Leaderboard", *parts]) + "\n"


def page(folders: Sequence[pathlib.Path]) -> str:
    """Returns the leaderboard as a page of HTML."""
    parts = [table.html(html.escape(n)) for n, table in tables(folders).items()]
    head = '<!doctype html><meta charset="utf-8"><title>Leaderboard</title>'
    return "\n".join([head, "<h1>Leaderboard</h1>", *parts]) + "\n"

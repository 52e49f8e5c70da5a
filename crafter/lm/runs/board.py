"""A static leaderboard of runs."""

from __future__ import annotations

import html
import pathlib
from collections.abc import Sequence
from typing import Any

from crafter.lm.runs.summary import interval, summarise

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


def rows(folders: Sequence[pathlib.Path]) -> dict[str, list[list[str]]]:
    """Returns for each protocol the rows of its table, the best score first."""
    found: dict[str, list[tuple[float, list[str]]]] = {}
    for folder in folders:
        summary = summarise(folder)
        protocol = summary["protocol"]
        score = summary["scores"][protocol["score"]]
        ends = ", ".join(f"{name} {n}" for name, n in summary["reasons"].items())
        row = [
            summary["agent"] + ("" if summary["complete"] else " (incomplete)"),
            track(summary),
            interval(score),
            str(summary["scores"]["rollouts"]),
            str(summary["costs"]["calls"]),
            ends,
            folder.as_posix(),
        ]
        name = f"{protocol['name']}: {protocol['score']}"
        found.setdefault(name, []).append((score["value"], row))
    return {
        name: [row for _, row in sorted(entries, key=lambda e: -e[0])]
        for name, entries in sorted(found.items())
    }


def markdown(folders: Sequence[pathlib.Path]) -> str:
    """Returns the leaderboard as Markdown."""
    parts = []
    for name, entries in rows(folders).items():
        lines = [f"## {name}", "", _line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
        lines += [_line([*row[:-1], f"[logs]({row[-1]})"]) for row in entries]
        parts.append("\n".join(lines))
    return "\n\n".join(["# Leaderboard", *parts]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def page(folders: Sequence[pathlib.Path]) -> str:
    """Returns the leaderboard as a page of HTML."""
    parts = ['<!doctype html><meta charset="utf-8"><title>Leaderboard</title>']
    parts.append("<h1>Leaderboard</h1>")
    for name, entries in rows(folders).items():
        parts.append(f"<h2>{html.escape(name)}</h2><table>")
        parts.append(_row(_COLUMNS, "th"))
        for row in entries:
            link = f'<a href="{html.escape(row[-1])}">logs</a>'
            cells = [html.escape(cell) for cell in row[:-1]]
            parts.append(_row([*cells, link], "td"))
        parts.append("</table>")
    return "\n".join(parts) + "\n"


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"

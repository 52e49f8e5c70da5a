"""The smoke suite from its scenes to its report, by the commands that users type."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("scipy", reason="needs crafter[analysis]")
pytest.importorskip("httpx2", reason="needs crafter[lm]")

import stub_judges
from chat_server import Server

from crafter.tasks.cli import main
from crafter.tasks.episodes.suites import suite

AGENTS = ("noop", "random", "scout", "oracle")


def crafter_tasks(*words):
    """Run a command, which has to succeed."""
    assert main([str(word) for word in words]) == 0, words


@pytest.mark.slow
def test_the_smoke_suite_from_scenes_to_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tasks = sorted({entry.task for entry in suite("smoke").entries})
    made = ["--difficulty", "simple", "--solved", "--out", "pack.jsonl"]
    crafter_tasks("generate", *tasks, *made)
    for agent in AGENTS:
        folder = f"runs/{agent}"
        words = ["--agent", agent, "--record", "--quiet", "--out", folder]
        crafter_tasks("run", "--suite", "smoke", *words)
        crafter_tasks("score", folder, "--solve", "--quiet")
    runs = [f"runs/{agent}" for agent in AGENTS]

    with Server(then=stub_judges.honest) as server:
        words = ["--base-url", server.url, "--model", "stub", "--evidence", "events"]
        words += ["--quiet", "--controls", *runs]
        crafter_tasks("judge", "rate", *runs, "--out", "ratings.jsonl", *words)
        crafter_tasks("judge", "compare", *runs, "--out", "judged.jsonl", *words)
    crafter_tasks("page", "rate", runs[0], "--out", "page", "--count", 2)

    capsys.readouterr()
    crafter_tasks("ratings", *runs)
    head, _, total = capsys.readouterr().out.splitlines()[:3]
    numbers = map(int, re.findall(r"(\d+) \[", total))
    rated = dict(zip(head.split()[2:], numbers, strict=True))
    order = sorted(rated, key=rated.get)
    assert order[0] == "noop" and set(order[2:]) == {"oracle", "scout"}

    crafter_tasks("agree", "judged.jsonl", "runs")
    told = capsys.readouterr().out
    assert "60 items in common; without a counterpart: 0 of the first side" in told
    (row,) = (line for line in told.splitlines() if "| overall |" in line)
    # The judge reads the same events, but not how long each attempt took.
    assert float(row.split("|")[6].split()[0]) > 0.6  # accuracy

    texts = []
    for _ in range(2):
        words = ["--opinions", "judged.jsonl", "--out", "report"]
        crafter_tasks("report", *runs, *words)
        texts.append((tmp_path / "report" / "report.md").read_text("utf-8"))
    assert texts[0] == texts[1]
    assert "judge failed its controls" not in texts[0]

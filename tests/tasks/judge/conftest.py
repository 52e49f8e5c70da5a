"""Recorded attempts that all tests of judges share."""

from __future__ import annotations

import pytest

from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.runs import run_shard
from crafter.tasks.episodes.suites import Suite, suite

TASKS = ("collect_drink", "place_stone", "make_wood_pickaxe")


@pytest.fixture(scope="package")
def attempts(tmp_path_factory):
    """Folder with three attempts each of an agent that solves them and an idle one."""
    folder = tmp_path_factory.mktemp("attempts")
    entries = [entry for entry in suite("smoke").entries if entry.task in TASKS]
    for agent in ("oracle", "noop"):
        run_shard(
            Suite("three", tuple(entries)),
            agent,
            factory_of(agent),
            folder / agent,
            record=True,
            log=lambda line: None,
        )
    return folder


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    """Leaves no settings of an endpoint in the environment."""
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"CRAFTER_JUDGE_{name}", raising=False)

"""Recorded attempts become arrays, and what they achieved attempts of its own."""

from __future__ import annotations

import numpy as np
import pytest

from crafter.tasks.episodes import demos
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec
from crafter.tasks.episodes.runs import run_shard
from crafter.tasks.episodes.suites import Suite

ACHIEVED = ["collect_wood", "make_wood_pickaxe", "place_table"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demos")
    suite = Suite("own", (EpisodeSpec("speed_pickaxe", "simple", 0),))
    factory = factory_of("scout")
    run_shard(suite, "scout", factory, folder, record=True, say=lambda line: None)
    return folder


def test_attempts_are_read_as_they_were_played(folder):
    (demo,) = demos.read(folder, tasks=ACHIEVED)
    steps = len(demo.records)
    assert (demo.task, demo.level, demo.agent) == ("speed_pickaxe", "simple", "scout")
    assert demo.solved and demo.observations.shape == (steps, 145)
    assert demo.actions.dtype == np.int16 and len(demo.actions) == steps
    assert demo.achieved["make_wood_pickaxe"] == steps
    (other,) = demos.read(folder, "symbolic")
    assert other.observations.shape == (steps, 1471) and not other.achieved


def test_what_was_achieved_stands_for_what_was_asked_for(folder):
    (demo,) = demos.read(folder, tasks=ACHIEVED)
    parts = list(demos.hindsight(demo))
    assert [part.task for part in parts] == sorted(
        demo.achieved, key=demo.achieved.__getitem__
    )
    assert sum(len(part.actions) for part in parts) == len(demo.actions)
    begin = demo.achieved["collect_wood"]
    np.testing.assert_array_equal(
        parts[1].observations, demo.observations[begin : demo.achieved[parts[1].task]]
    )
    own = demo._replace(task="collect_wood")
    assert [part.task for part in demos.hindsight(own)] == [p.task for p in parts[1:]]

"""Suites and runs: fixed attempts, shards, results, and being stopped at any moment."""

from __future__ import annotations

import dataclasses
import gzip
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from short_suite import scene

from crafter.tasks import game as games
from crafter.tasks import report, scenes
from crafter.tasks.catalogue import compositions
from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.cli import main
from crafter.tasks.env.replay import replay
from crafter.tasks.episodes import runs, suites
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import episode
from crafter.tasks.episodes.results import RunError, shipped
from crafter.tasks.report.tables import parts_of
from crafter.tasks.world import records


@pytest.fixture(scope="module")
def short():
    """A suite of six short attempts on small maps."""
    return suites.suite_of("short", [scene(n) for n in range(6)])


def quiet(line):
    pass


def play(suite, folder, agent="random", shard=(1, 1), **kwargs):
    return runs.run_shard(
        suite, agent, factory_of(agent), folder, shard, log=quiet, **kwargs
    )


def results_of(material):
    return [(row.agent, row.result) for row in material.rows]


# Suites.


def test_the_suites_are_what_they_are_called():
    found = [s for s in map(suites.suite, suites.names()) if s.game is games.find()]
    sizes = {suite.name: len(suite.entries) for suite in found}
    settled = [s for s in all_tasks().values() if suites.EXPERIMENTAL not in s.tags]
    turbo = [spec.name for spec in settled if "turbo" in spec.tags]
    assert sizes == {
        "smoke": 10,
        "turbo": len(turbo) * 2 * 10,
        "turbo-medium": len(turbo) * 3,
        "paper": 35 * 3 * 10,
        "full": len(settled) * 3 * 10,
        "achievements": 22 * 3 * 10,
        "compositions": (22 + 22 * 21 // 2) * 2 * 3,
        "compositions-train": len(compositions.fixed().train) * 2 * 3,
        "compositions-test": len(compositions.fixed().test) * 2 * 3,
    }


def test_the_suite_paper_follows_from_its_rule():
    settled = [s for s in all_tasks().values() if suites.EXPERIMENTAL not in s.tags]
    groups = {
        "survive": ("survive", "rest", "defend"),
        "build": ("build", "decorate"),
        "craft": ("craft",),
        "tool": ("farm", "combat", "trap"),
        "collect": ("collect",),
        "explore": ("find", "motion"),
    }
    found = suites.groups("paper")
    composed = found.pop("composition")
    atoms = {task for tasks in found.values() for task in tasks}
    for group, categories in groups.items():
        own = [
            [s.name for s in settled if s.category == one and "turbo" in s.tags]
            for one in categories
        ]
        turns = [t for turn in itertools.zip_longest(*own) for t in turn if t]
        assert found.pop(group) == turns[:5]
    assert not found
    whole = [s.name for s in settled if s.category == compositions.CATEGORY]
    fitting = [t for t in whole if (parts := {*parts_of(t)}) and parts <= atoms]
    assert composed == fitting[:5]
    solved = {one.place[:2] for one in shipped(games.find()) if one.certificate}
    assert solved >= {e.place[:2] for e in suites.suite("paper").entries}
    with pytest.raises(ValueError, match="turbo has no task groups"):
        suites.groups("turbo")


@pytest.mark.parametrize("name", suites.names())
def test_the_tasks_of_suites_exist(name):
    found = suites.suite(name)
    names = {entry.task for entry in found.entries}
    assert all(Task(name, rules=found.game.rules).budget for name in names)
    assert len({entry.key for entry in found.entries}) == len(found.entries)


def test_suites_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="Unknown suite 'turbos'; valid:"):
        suites.suite("turbos")
    with pytest.raises(ValueError, match="twice"):
        suites.suite_of("a", [scene(0), dataclasses.replace(scene(0), clock=9)])


# Runs.


def test_results_do_not_depend_on_the_shards(short, tmp_path):
    play(short, tmp_path / "whole")
    for number in (1, 2, 3):
        play(short, tmp_path / "parts", shard=(number, 3))
    whole, parts = (report.load([tmp_path / name]) for name in ("whole", "parts"))
    assert results_of(whole) == results_of(parts)
    assert report.summary(whole) == report.summary(parts)
    assert len(whole.rows) == whole.wanted == 6
    assert {row.result.verdict for row in whole.rows} == {"DONE", "FAILED"}


def test_results_may_be_packed(short, tmp_path):
    path = play(short, tmp_path / "plain")
    (tmp_path / "packed").mkdir()
    packed = tmp_path / "packed" / f"{path.name}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    found = [report.load([where]) for where in (packed.parent, packed, path)]
    assert results_of(found[0]) == results_of(found[1]) == results_of(found[2])
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"results-1-of-1\.jsonl\.gz"):
        report.load([packed.parent])


@pytest.mark.parametrize("cut", [-1, -40, 5])
def test_a_run_that_was_stopped_goes_on(short, tmp_path, cut):
    whole = play(short, tmp_path / "whole").read_bytes()
    path = play(short, tmp_path / "parted")
    path.write_bytes(whole[:cut])
    play(short, tmp_path / "parted")
    assert path.read_bytes() == whole
    runs.run_shard(short, "random", None, path.parent, log=None)  # nothing is left


def test_recorded_attempts_can_be_played_again(short, tmp_path):
    play(short, tmp_path, record=True)
    files = sorted((tmp_path / "attempts").iterdir())
    assert len(files) == 6 and replay(files[3]) is None
    row = report.load([tmp_path]).rows[3]
    attempt = records.read(files[3])
    assert attempt.footer.verdict == row.result.verdict
    assert attempt.header.scene == row.result.scene


def test_attempts_that_were_not_recorded_are_named(short, tmp_path):
    play(short, tmp_path, shard=(2, 2))
    with pytest.raises(RunError, match="attempts without records"):
        play(short, tmp_path, shard=(2, 2), record=True)


def test_an_agent_that_cannot_be_made_leaves_nothing(short, tmp_path):
    def broken(env):
        raise ValueError("There is no such network.")

    with pytest.raises(ValueError, match="no such network"):
        runs.run_shard(short, "broken", broken, tmp_path / "run", log=quiet)
    play(short, tmp_path / "run")  # so that another one can have the folder


def test_a_pack_is_known_by_its_content_and_not_by_its_path(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    scenes.write("two.jsonl", [scene(0), scene(1)])
    order = ["run", "--agent", "noop", "--quiet", "--record", "--out", "run"]
    assert main([*order, "--suite", "two.jsonl", "--shard", "1/2"]) == 0
    (path,) = (tmp_path / "run").glob("results-*")
    before = path.read_bytes()
    assert main([*order, "--suite", "./two.jsonl", "--shard", "1/2"]) == 0
    assert path.read_bytes() == before
    assert main(["results", "run"]) == 4  # the other shard is missing
    whole = str(tmp_path / "two.jsonl")
    assert main([*order, "--suite", whole, "--shard", "2"]) == 2
    assert main([*order, "--suite", whole, "--shard", "2/2"]) == 0
    found = report.load(["run"])
    assert list(found.suites.values()) == ["two.jsonl"] and len(found.rows) == 2
    score = ["score", "run", "--quiet", "--pack"]
    assert main([*score, "two.jsonl"]) == 0 and main([*score, "./two.jsonl"]) == 0
    assert main([*order[:-1], "other", "--suite", "./two.jsonl"]) == 0
    assert main(["report", "run", "other", "--table", "attempts"]) == 0
    capsys.readouterr()
    assert main(["results", "run", "other"]) == 0
    assert "\nnoop          2        0            2\n" in capsys.readouterr().out
    assert main(["suites"]) == 0 and "turbo" in capsys.readouterr().out


def test_results_of_another_suite_are_not_mixed(short, tmp_path):
    play(short, tmp_path)
    with pytest.raises(RunError, match="has results of other settings"):
        play(suites.suite_of("other", [scene(9)]), tmp_path)
    with pytest.raises(RunError, match="has results of other settings"):
        play(short, tmp_path, "noop")


def test_what_is_no_result_is_refused(short, tmp_path):
    (tmp_path / "results-1-of-1.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match="the header lacks"):
        report.load([tmp_path])
    path = play(short, tmp_path / "a")
    path.write_text(path.read_text().replace('"steps"', '"stops"', 1))
    with pytest.raises(RunError, match="line 2 is damaged"):
        report.load([path])


@pytest.mark.parametrize("name", ["nobody", "crafter:nobody", "no_module:agent"])
def test_unknown_agents_are_refused(name):
    with pytest.raises(ValueError, match="agent"):
        factory_of(name)


def test_an_agent_is_named_on_the_way(tmp_path, monkeypatch):
    (tmp_path / "my_agents.py").write_text(
        "class Placer:\n"
        "    def __init__(self, env):\n"
        "        self.action = 7\n"
        "    def reset(self, obs, info):\n"
        "        assert obs.shape == (64, 64, 3)\n"
        "    def act(self, obs):\n"
        "        return self.action\n"
    )
    monkeypatch.chdir(tmp_path)
    result = episode(
        suites.suite_of("a", [scene(0)]).entries[0], factory_of("my_agents:Placer")
    )
    assert (result.verdict, result.steps) == ("DONE", 1)


@pytest.mark.slow
def test_a_run_may_be_killed_at_any_moment(tmp_path):
    pack = str(tmp_path / "pack.jsonl")
    long = [scene(n, "place_stone.times(3).within(400)") for n in range(40)]
    scenes.write(pack, long)
    whole = play(suites.suite_of(pack, long), tmp_path / "whole").read_bytes()
    order = [sys.executable, "-m", "crafter.tasks", "run", "--suite", pack]
    order += ["--agent", "random", "--out", str(tmp_path / "parted")]
    path = tmp_path / "parted" / "results-1-of-1.jsonl"
    for wait in (0.1, 0.5, 0.2, 0.7):
        process = subprocess.Popen(order, stdout=subprocess.DEVNULL)
        lines = _lines(path)
        while process.poll() is None and _lines(path) < lines + 3:
            time.sleep(0.05)
        time.sleep(wait / 10)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(order, check=True, stdout=subprocess.DEVNULL)
    assert path.read_bytes() == whole


def _lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("name", ["turbo", "paper"])
def test_the_shipped_baselines_are_of_the_suite_as_it_is(name):
    found = report.load([pathlib.Path(__file__).parents[2] / "scores" / name])
    assert found.suites == {suites.suite(name).sha256: name}

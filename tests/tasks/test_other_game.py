"""A second game has tasks by its part alone: here Crafter, under another name."""

from __future__ import annotations

import dataclasses
import sys

import pytest

from crafter.core import game as core_game
from crafter.games.crafter import rules
from crafter.games.crafter.env import Env
from crafter.games.crafter.tasks.game import GAME
from crafter.games.crafter.tasks.scenes import generator
from crafter.games.crafter.tasks.scenes import scene as own
from crafter.tasks import Task, scenes
from crafter.tasks.env.replay import replay
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes import suites
from crafter.tasks.episodes.play import EpisodeSpec, episode
from crafter.tasks.episodes.solutions import check, solve
from crafter.tasks.scoring import score
from crafter.tasks.world import records


class Rules(rules.Rules):
    game = "mirror"


class Scene(own.Scene):
    game = "mirror"


class Mirror(Env):
    game = "mirror"

    def __init__(self, rules=None, **arguments):
        super().__init__(**arguments)
        self.rules = load(rules)


def load(source):
    return Rules(rules.default().data)


def attempt(*arguments):
    made = generator.attempt(*arguments)
    if isinstance(made, str):
        return made
    fields = dataclasses.fields(made)
    return Scene(**{field.name: getattr(made, field.name) for field in fields})


MIRROR = dataclasses.replace(
    GAME,
    name="mirror",
    version=7,
    load=load,
    make_env=Mirror,
    scenes=GAME.scenes._replace(version=9, kind=Scene, attempt=attempt),
)


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(sys.modules, "mirror", sys.modules[__name__])
    monkeypatch.setattr(core_game, "_registered", {})
    core_game.register(core_game.Game("mirror", "Mirror", {"tasks": "mirror:MIRROR"}))
    core_game.register(core_game.Game("bare", "Bare", {"env": "mirror:Mirror"}))


def test_tasks_scenes_and_scores_are_those_of_the_game(tmp_path):
    task = Task("collect_wood", rules=load(None))
    scene = scenes.draw(task, "test", 0)
    assert task.game is MIRROR and type(scene) is Scene
    assert scene.versions() == {"version": 9, "catalogue": 7}
    scenes.write(tmp_path / "pack.jsonl", [scene])
    assert scenes.read(tmp_path / "pack.jsonl") == [scene]
    assert suites.suite_of("pack", [scene]).game is MIRROR
    assert suites.suite("smoke").game is GAME

    found = solve(task, scene)
    assert found.solved and check(task, scene, found.certificate) is None
    spec, path = EpisodeSpec("collect_wood", "simple", 0, game="mirror"), tmp_path / "a"
    assert episode(spec, MIRROR.solver, "oracle", path).scene == scene.hash
    attempt = records.read(path)
    assert attempt.header.start["env"]["game"] == "mirror"
    assert replay(path) is None and score(attempt).overall == 1


def test_environments_take_the_name_of_the_game():
    env = TaskEnv("collect_wood", game="mirror", goal_obs="id")
    env.reset(seed=0)
    assert env.task.game is MIRROR and type(env.scene) is Scene
    with pytest.raises(ValueError, match="Bare has no part 'tasks'"):
        TaskEnv("collect_wood", game="bare")

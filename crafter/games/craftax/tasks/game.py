"""Registers the tasks of Craftax."""

from __future__ import annotations

import pathlib
from typing import Any

from crafter.games.craftax import tables
from crafter.games.craftax.env import Env
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.tasks import scenes
from crafter.games.craftax.tasks.language import LANGUAGE
from crafter.games.craftax.tasks.solver import Oracle
from crafter.games.craftax.tasks.view import TaskView, check_parameters
from crafter.tasks.game import Scenes, TaskGame


def make_env(length: None = None, **arguments: Any) -> Env:
    """Returns an environment; the budget of a task is the only limit of steps.

    Raises:
      ValueError: If an argument is impossible, or a parameter of the game not usual.
    """
    env = Env(**arguments)
    check_parameters(env)
    return env


def load(source: Any) -> Rules:
    """Returns rules; `None` is the source of the published ones."""
    return tables.load(source).rules


GAME = TaskGame(
    name="craftax",
    version=1,
    data=pathlib.Path(__file__).parent / "data",
    load=load,
    make_env=make_env,
    arguments=("observation",),
    blind={"observation": "semantic"},
    view=TaskView,
    language=LANGUAGE,
    scenes=Scenes(
        version=scenes.VERSION,
        kind=scenes.Scene,
        schema=scenes.schema,
        check=scenes.check,
        attempt=scenes.attempt,
        problems=scenes.PROBLEMS,
    ),
    scores=None,
    agents={"oracle": Oracle},
    solver=Oracle,
    rooms={},
)

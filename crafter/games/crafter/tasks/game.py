"""Registers the tasks of Crafter."""

from __future__ import annotations

from crafter.games.crafter.env import Env
from crafter.games.crafter.planner.agents import Oracle, Scout
from crafter.games.crafter.rules import load
from crafter.games.crafter.tasks.language import LANGUAGE
from crafter.games.crafter.tasks.scenes import checks, generator, lint, scene, schema
from crafter.games.crafter.tasks.scoring import demands, references, score
from crafter.games.crafter.tasks.tables import DATA, constants
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.game import Scenes, Scoring, TaskGame

GAME = TaskGame(
    name="crafter",
    version=4,
    data=DATA,
    load=load,
    make_env=Env,
    arguments=("area", "view", "size", "observation", "night_noise"),
    blind={"observation": "semantic"},
    view=TaskView.of,
    language=LANGUAGE,
    scenes=Scenes(
        version=scene.VERSION,
        kind=scene.Scene,
        schema=schema.schema,
        check=generator.check,
        attempt=generator.attempt,
        lint=lint.lint,
        problems={reason: one.wrong for reason, one in checks.CHECKS.items()},
    ),
    scores=Scoring(
        version=constants()["score_version"],
        reference=references.reference_of,
        score=score.score,
        demands=demands.demands,
        given=demands.given,
    ),
    agents={"scout": Scout, "oracle": Oracle},
    solver=Oracle,
    rooms={"ppo": "crafter.games.crafter.players.policies"},
)

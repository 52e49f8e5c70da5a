"""Scenes proposed by a language model, fully validated.

The prompt has the task, the rules and two examples. The model answers with a
description, a goal, needs and a scene, in the form of task files. An answer has to pass
all checks of task files and generated scenes: the schema, the linter, the scene checks,
the screen, and the planner, whose solution has to reach both the goal of the task and
that of the answer. Errors are returned to the model for a few rounds.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from crafter.core import game as core_game
from crafter.core.files import read_yaml
from crafter.core.journal import Journal
from crafter.core.ruleset import thaw
from crafter.llm_client.client import Endpoint
from crafter.tasks import game as games
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.difficulty import CUSTOM, Difficulty
from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.episodes.agents import Playback
from crafter.tasks.episodes.generation import Make, proven
from crafter.tasks.episodes.play import attempted
from crafter.tasks.episodes.reasons import REASONS as UNSOLVED
from crafter.tasks.episodes.solutions import unpack
from crafter.tasks.game import TaskGame
from crafter.tasks.scenes import GivenUp, Scene, draw, lint

ROUNDS = 4
#: Fields of an answer: those of a task file, `scene` for one level.
_FIELDS = ("text", "goal", "needs", "scene")
#: Reason of a rejection -> message to the model.
WHY = {
    "schema": "the answer does not have the right form",
    "lint": "the description, the goal or what is needed is wrong",
    "given": "the player has from the start what it is to obtain",
    "goal": "what reaches the goal of the task does not reach the goal of the answer",
    "rules": "it asks for something that the rules do not have",
    "trivial": "doing nothing, or anything, reaches the goal",
    **UNSOLVED,
}
_BLOCK = re.compile(r"```(?:ya?ml)?\s*\n(.*?)```", re.DOTALL)


class Round(NamedTuple):
    """One answer of the model and its outcome.

    Attributes:
      number: Number of the round, from 1.
      answer: The answer.
      reason: Reason of its rejection, a key of `WHY` with a detail; `None` if it was
        accepted.
      sentence: Message to the model; `None` if it was accepted.
    """

    number: int
    answer: str
    reason: str | None = None
    sentence: str | None = None


class _Refused(Exception):
    """A proposal is rejected."""

    def __init__(self, reason: str, detail: str = "") -> None:
        reasons = {**WHY}
        for game in map(games.find, reversed(games.names())):
            reasons |= game.scenes.problems
        why = reasons.get(reason.partition(":")[0], reason)
        self.reason, self.sentence = reason, f"{why}: {detail}" if detail else why


def propose(
    task: Task,
    endpoint: Endpoint,
    split: str = "train",
    index: int = 0,
    rounds: int = ROUNDS,
) -> tuple[Scene | None, list[Round]]:
    """Queries a model for a scene until one is accepted.

    Args:
      task: The task, on the level of the scene.
      endpoint: The model.
      split: Which scenes the worlds are taken from; see `crafter.tasks.scenes.draw`.
      index: Number of the scene.
      rounds: Most answers.

    Returns:
      The scene with its certificate, or `None` if no answer was accepted; and all
      rounds.

    Raises:
      crafter.llm_client.client.EndpointError: If the endpoint does not answer.
    """
    messages = [{"role": "user", "content": prompt(task)}]
    history: list[Round] = []
    for number in range(1, rounds + 1):
        answer = endpoint.chat(messages).text
        try:
            scene = _accept(task, answer, split, index)
        except _Refused as refused:
            history.append(Round(number, answer, refused.reason, refused.sentence))
            text = f"It was refused ({refused.reason}): {refused.sentence}. Answer with"
            messages += [
                {"role": "assistant", "content": answer},
                {"role": "user", "content": f"{text} a better scene."},
            ]
        else:
            history.append(Round(number, answer))
            proposal = {**scene.provenance["proposed"], "rounds": number}
            about = {**scene.provenance, "proposed": proposal}
            return dataclasses.replace(scene, provenance=about), history
    return None, history


def maker(endpoint: Endpoint, rounds: int, log: str | os.PathLike | None) -> Make:
    """Returns a maker of proposed scenes for `tasks.episodes.generation.generate`.

    Args:
      endpoint: The model.
      rounds: Maximum number of answers per scene.
      log: File of JSON lines, one per answer.
    """

    def make(
        task: Task, split: str, index: int, rejected: collections.Counter[str]
    ) -> Scene | None:
        scene, history = propose(task, endpoint, split, index, rounds)
        rejected.update(r.reason.partition(":")[0] for r in history if r.reason)
        if log is not None:
            about = {"task": task.name, "level": task.difficulty}
            with Journal(log) as file:
                for one in history:
                    file.append({**about, **one._asdict()})
        return scene

    return make


def prompt(task: Task) -> str:
    """Returns the prompt for a task."""
    level, game = task.difficulty, task.game
    shown, settings = game.read("proposals.yaml"), game.read("levels.yaml")
    title = core_game.find(game.name).title
    examples = [
        f"{name}, {level}:\n```yaml\n{_yaml(_example(game, name, level))}```"
        for name in shown["examples"]
        if name != task.name
    ]
    rules = {name: task.rules.data[name] for name in shown["rules"]}
    fields = ", ".join((*settings["parts"], *settings["whole"]))
    return "\n\n".join(
        [
            f"Propose a scene in which a player of the game {title} attempts a task.",
            f"Task {task.name}, {level}: {task.text()} It may take {task.budget} steps."
            f" Goal: {task.expression}.",
            f"Rules of the game:\n```yaml\n{_yaml(rules)}```",
            "Answer with one YAML block and nothing else: a mapping of text, one "
            "sentence that describes the scene and what to do in it; goal, the goal in "
            "your own expression, which means the same; needs, a list of the kinds of "
            "cells and creatures that the player needs to find; and scene, a mapping "
            f"with some of the fields {fields}. Numbers may "
            "be ranges, [least, largest]; rings are distances from the start. "
            f"{shown['hint']}",
            "Examples for other tasks:\n\n" + "\n\n".join(examples),
            "The goal must not be reached at the start, and a good player must be able "
            "to reach it. Give or place every tool and station that it takes, or what "
            "they are made of, but never what the task is to obtain. Give more "
            "material than it takes, such as 15 where 10 are needed. Add one or two "
            "related things that it does not need, and do not list first what it "
            "needs. Vary tools, time of day and creatures.",
        ]
    )


def _example(game: TaskGame, name: str, level: str) -> dict[str, Any]:
    """Returns an example answer from a task of the catalogue."""
    spec = all_tasks(game)[name]
    scene = spec.scene.get(level, {})
    values = Task(name, rules=game.rules).text(), spec.goal, list(spec.needs), scene
    return dict(zip(_FIELDS, values))


def _yaml(value: Any) -> str:
    return str(yaml.safe_dump(thaw(value), sort_keys=False, default_flow_style=None))


def _accept(task: Task, answer: str, split: str, index: int) -> Scene:
    """Returns the scene of an answer.

    Raises:
      _Refused: If it is rejected.
    """
    spec = _read_proposal(task, answer)
    variant = copy.copy(task)
    variant.spec = dataclasses.replace(task.spec or spec, scene=spec.scene)
    variant.axes = Difficulty.of(CUSTOM)
    variant.difficulty = variant.axes.name
    counts = collections.Counter[str]()
    try:
        scene: Any = draw(variant, split, index, rounds=1, rejected=counts)
    except GivenUp:
        raise _Refused(max(counts, key=lambda name: counts[name])) from None
    except ValueError as error:
        raise _Refused("rules", str(error)) from None
    given = {item for item in _items_to_get(task) if scene.inventory.get(item)}
    if given:
        raise _Refused("given", ", ".join(sorted(given)))
    scene, problem = proven(task, scene)
    if problem is not None:
        raise _Refused(problem)
    assert scene.certificate is not None
    actions = unpack(scene.certificate["actions"])
    restated = Task(spec.goal, CUSTOM, task.rules)
    result, _ = attempted(restated, scene, lambda env: Playback(actions), task.budget)
    if not result.solved:
        raise _Refused("goal", spec.goal)
    proposal = {"text": spec.texts[0], "goal": spec.goal, "needs": list(spec.needs)}
    about = {**scene.provenance, "proposed": proposal}
    return dataclasses.replace(scene, provenance=about)


def _items_to_get(task: Task) -> set[Any]:
    """Returns the items that a task has to make or collect."""
    events = [term.goal for term in task.goal.term().walk() if term.op == "event"]
    wanted = [goal for goal in events if goal.type in ("made", "collected")]
    return {value for goal in wanted for name, value in goal.filters if name == "what"}


def _read_proposal(task: Task, answer: str) -> files.TaskSpec:
    """Returns an answer as a task with the scene on level `custom`.

    Raises:
      _Refused: If it has another form, or the linter finds mistakes.
    """
    blocks = _BLOCK.findall(answer)
    try:
        (data,) = read_yaml(blocks[-1] if blocks else answer)
        if not isinstance(data, Mapping) or set(data) != set(_FIELDS):
            actual = list(data) if isinstance(data, Mapping) else type(data).__name__
            raise ValueError(f"expected a mapping of {list(_FIELDS)}, got {actual}")
        description = {"name": "proposal", **data, "scene": {CUSTOM: data["scene"]}}
        spec = files.check(description, "the answer", task.rules)
    except (yaml.YAMLError, ValueError) as error:
        raise _Refused("schema", " ".join(str(error).split())) from None
    if wrong := lint.lint(spec, "the answer", task.rules):
        raise _Refused("lint", "; ".join(wrong))
    return spec

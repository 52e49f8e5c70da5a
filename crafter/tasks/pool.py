"""Several different solutions of a scene, as references for what else may be done.

The planner is sent along every alternative of the goal (`|`), from where a few
random moves have led.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import random
from collections.abc import Iterator, Sequence

from crafter.games.crafter.planner import Planner
from crafter.tasks.catalogue import Task
from crafter.tasks.certificates import Certificate, events_hash, pack, state_hash
from crafter.tasks.envs import TaskEnv
from crafter.tasks.goals import Goal, Name, Or
from crafter.tasks.records import StepRecord
from crafter.tasks.scenes import Scene

#: How many references a scene has.
COUNT = 8
#: How often it is tried to find them.
TRIES = 24
_MOVES = {
    "move_left": (-1, 0),
    "move_right": (1, 0),
    "move_up": (0, -1),
    "move_down": (0, 1),
}
#: Events in which the player changes the world -> the field that says what.
_DEEDS = {
    "collected": "what",
    "placed": "what",
    "made": "what",
    "ate": "what",
    "defeated": "kind",
}


@dataclasses.dataclass(frozen=True)
class Reference:
    """A solution of a scene.

    Attributes:
      certificate: The proof.
      deeds: What the player did to the world, in order, repetitions left out, such as
        `collected wood`.
    """

    certificate: Certificate
    deeds: tuple[str, ...]


def references(
    task: Task, scene: Scene, count: int = COUNT, tries: int = TRIES
) -> list[Reference]:
    """Returns different solutions of a scene, those with different deeds first.

    Args:
      task: The task.
      scene: Where it begins.
      count: Most solutions.
      tries: How often it is tried; most tries lead to a solution of their own.

    Returns:
      Solutions whose actions differ; none if the planner finds none.

    Raises:
      ValueError: If a number is not positive.
    """
    if count < 1 or tries < 1:
        raise ValueError(f"count and tries must be positive, got {count} and {tries}.")
    found: dict[str, Reference] = {}
    for made in attempts(task, scene, tries):
        if made is not None:
            found.setdefault(made.certificate.actions, made)
    return _sorted(list(found.values()))[:count]


def attempts(task: Task, scene: Scene, tries: int) -> Iterator[Reference | None]:
    """Tries a scene again and again, from where a few random moves have led.

    Args:
      task: The task.
      scene: Where it begins.
      tries: How often; at first without such moves.

    Yields:
      The solution, or `None` where there is none.
    """
    goals = alternatives(task.goal)
    env = TaskEnv(
        task.source, task.axes, scene=scene, area=scene.area, record=True,
        rules=task.rules,
    )  # fmt: skip
    for number in range(tries):
        yield _solved(env, goals[number % len(goals)], 2 * (number // len(goals)))


def alternatives(goal: Goal) -> list[Goal]:
    """Returns what a goal can come down to, where it leaves a choice.

    Example:
      >>> [str(one) for one in alternatives(Goal.parse("(hurt | slept) >> died"))]
      ['hurt >> died', 'slept >> died']
    """
    if isinstance(goal, Or):
        return [one for part in goal.parts for one in alternatives(part)]
    if isinstance(goal, Name):
        inside = alternatives(goal.meaning)
        return inside if len(inside) > 1 else [goal]
    fields = [
        field.name
        for field in dataclasses.fields(goal)  # type: ignore[arg-type]
        if field.name in ("left", "right", "goal")
    ]
    ways = [alternatives(getattr(goal, name)) for name in fields]
    return [
        dataclasses.replace(goal, **dict(zip(fields, parts)))  # type: ignore[type-var]
        for parts in itertools.product(*ways)
    ]


def _solved(env: TaskEnv, goal: Goal, moves: int) -> Reference | None:
    """Tries a goal after some random moves; returns the solution of the task."""
    env.reset()
    actions: list[int] = []
    view = env.attempt.watcher.view
    assert env.scene is not None
    digest = hashlib.sha256(f"{env.scene.hash}|{goal}|{moves}".encode()).digest()
    chance = random.Random(int.from_bytes(digest[:8], "big"))
    monitor = goal.monitor(env.budget)
    monitor.start(view)
    planner = Planner(goal, monitor, view)
    over = False
    while not over:
        if len(actions) < moves:
            action = _move(env, chance)
        else:
            action = planner.act()
            if planner.reason is not None:
                return None
        actions.append(env.base.action_names.index(action))
        _, _, terminated, truncated, info = env.step(actions[-1])
        if not monitor.verdict.final:
            monitor.update(env.attempt.records[-1], view)
        over = terminated or truncated or monitor.verdict.final
    if info["task"]["verdict"] != "DONE":
        return None
    records = env.attempt.records
    state, events = state_hash(env.base.get_state()), events_hash(records)
    proof = Certificate(pack(actions), len(actions), state, events)
    return Reference(proof, _deeds(records))


def _move(env: TaskEnv, chance: random.Random) -> str:
    """Returns a move that does not lead into lava."""
    view = env.attempt.watcher.view
    x, y = view.player.pos
    safe = [
        name
        for name, (dx, dy) in _MOVES.items()
        if view.material(x + dx, y + dy) != "lava"
    ]
    return chance.choice(safe or ["noop"])


def _deeds(records: Sequence[StepRecord]) -> tuple[str, ...]:
    told = [
        f"{event['type']} {event[_DEEDS[event['type']]]}"
        for record in records
        for event in record.events
        if event["type"] in _DEEDS
    ]
    return tuple(name for name, _ in itertools.groupby(told))


def _sorted(found: Sequence[Reference]) -> list[Reference]:
    """Returns references, the first one of each sequence of deeds before the others."""
    first = {reference.deeds: reference for reference in reversed(found)}
    fresh = [r for r in found if first[r.deeds] is r]
    return [*fresh, *(r for r in found if first[r.deeds] is not r)]

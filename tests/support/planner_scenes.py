"""Hand-made scenes for planners, drawn as text.

The characters are those of hand-made maps: `@` player on grass, `T` tree, `~` water,
`#` stone, `_` path, `%` lava, `c` coal, `i` iron, `d` diamond, `t` table, `f` furnace,
`C` cow, `Z` zombie, `S` skeleton, `P` plant.
"""

import hashlib

from crafter.games.crafter.planner.agents import Oracle
from crafter.games.crafter.tasks.scenes.scene import Scene
from crafter.tasks import Task
from crafter.tasks.episodes.play import env_at
from crafter.tasks.episodes.solutions import check, solve
from crafter.tasks.scenes import draw


class Drawn(Scene):
    """A drawn scene.

    Args:
        rows: Rows from top to bottom, separated by blanks.
        inventory: Item -> initial amount, including vitals.
        clock: Initial step of the day.
        **options: Further options of `reset`.
    """

    def __init__(self, rows, inventory=None, clock=0, **options):
        rows = rows.split()
        area = len(rows[0]), len(rows)
        super().__init__("drawn", "custom", "test", 0, 1, {}, clock, area)
        start = {"map": rows, "inventory": inventory or {}, "daytime": clock}
        self.__dict__["_options"] = {**start, **options}
        self.__dict__["hash"] = hashlib.sha256(repr(self._options).encode()).hexdigest()

    def reset_arguments(self):
        """Returns the arguments of `reset`."""
        return {"seed": 1, "options": self._options}


def attempt(goal, rows, inventory=None, budget=400, rules=None, **options):
    """Returns the planner's result on a goal in a drawn scene."""
    agent = options.pop("agent", Oracle)
    scene = Drawn(rows, inventory, **options)
    task = Task(goal, rules=rules)
    result = solve(task, scene, budget, agent=agent)
    if result.certificate is not None:
        wrong = check(task, scene, result.certificate, budget)
        assert wrong is None, wrong
    return result


def assert_holds(result, certificate):
    """Replays a solution, which must reach the same end in the same scene.

    Args:
        result: Has task, level, index, the hash of the scene, and the budget.
        certificate: The solution.
    """
    task = Task(result.task, result.level)
    scene = draw(task, "test", result.index)
    assert scene.hash == result.scene, result
    assert check(task, scene, certificate, result.budget) is None, result


def begun(task, scene, budget=None):
    """Returns the environment of a scene and the episode that starts in it."""
    env = env_at(task, scene, budget, record=True)
    env.reset()
    return env.base, env.tracker

"""Hand-made scenes that a planner is to solve, drawn as text.

The characters are those of hand-made maps: `@` player on grass, `T` tree, `~` water,
`#` stone, `_` path, `%` lava, `c` coal, `i` iron, `d` diamond, `t` table, `f` furnace,
`C` cow, `Z` zombie, `S` skeleton, `P` plant.
"""

import hashlib

from crafter.tasks import Task
from crafter.tasks.solutions import Certificate, check, solve


class Drawn:
    """A scene that is drawn.

    Args:
        rows: Rows from top to bottom, separated by blanks.
        inventory: Item -> amount at the start; vitals are items, too.
        clock: Step of the day at the start.
        **options: Further options of the reset.
    """

    def __init__(self, rows, inventory=None, clock=0, **options):
        self.rows = rows.split()
        self.area = (len(self.rows[0]), len(self.rows))
        start = {"map": self.rows, "inventory": inventory or {}, "daytime": clock}
        self._options = {**start, **options}
        self.hash = hashlib.sha256(repr(self._options).encode()).hexdigest()

    index = 0

    def env_arguments(self):
        """Returns what the environment gets."""
        return {"area": self.area}

    def reset_arguments(self):
        """Returns what the reset gets."""
        return {"seed": 1, "options": self._options}


def attempt(goal, rows, inventory=None, budget=400, rules=None, **options):
    """Returns how a planner fares with a goal in a drawn scene."""
    known = options.pop("known", "all")
    scene = Drawn(rows, inventory, **options)
    task = Task(goal, rules=rules)
    found = solve(task, scene, budget, known=known)
    if found.certificate is not None:
        wrong = check(task, scene, Certificate.from_data(found.certificate), budget)
        assert wrong is None, wrong
    return found

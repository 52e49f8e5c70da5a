"""Whether the scores make sense, on scenes of turbo with a solution.

Three attempts are scored on a scene: the solution, one that does nothing, and the
solution with refused actions in between. The quick test takes a few scenes.
"""

from __future__ import annotations

import pytest

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes import suites
from crafter.tasks.episodes.solutions import unpack
from crafter.tasks.scoring import Solutions, score
from crafter.tasks.scoring.references import played

TP, AC = "task_progress", "action_control"
MU, TE = "material_usage", "task_efficiency"
#: What is required -> the share of scenes that has to meet it, which scenes count, and
#: whether one meets it.
REQUIRED = {
    "solution: progress": (1.0, lambda s: True, lambda s: s.best[TP] == 1),
    "solution: efficiency": (1.0, lambda s: True, lambda s: s.best[TE] == 1),
    "solution: usage": (0.95, lambda s: s.spends, lambda s: s.best[MU] >= 0.9),
    "solution: control": (0.9, lambda s: True, lambda s: s.best[AC] >= 0.9),
    "nothing: progress": (0.95, lambda s: not s.waits, lambda s: s.idle[TP] <= 0.2),
    "nothing: control": (0.95, lambda s: not s.waits, lambda s: s.idle[AC] == 0),
    "noise: control": (0.95, lambda s: True, lambda s: s.noisy[AC] < s.best[AC]),
    "noise: efficiency": (
        0.95,
        lambda s: not s.fixed,
        lambda s: s.noisy[TE] < s.best[TE],
    ),
    "noise: progress": (1.0, lambda s: True, lambda s: s.noisy[TP] <= s.best[TP]),
}


class Scores:
    """The scores of the three attempts on a scene; dimension -> value or `None`."""

    def __init__(self, task, scene, proof, reference):
        def values(attempt):
            return score(attempt, scene, reference).scores

        actions = unpack(proof["actions"])
        self.waits = "waits" in task.spec.tags
        self.fixed = len(set(task.spec.budget.values())) == 1
        self.best = values(played(task, scene, actions))
        self.spends = self.best[MU] is not None
        self.idle = values(played(task, scene, [0] * task.budget))
        # Nobody has the iron yet: an action that is refused, before each five.
        refused = list(task.rules.actions).index("make_iron_sword")
        fives = (actions[n : n + 5] for n in range(0, len(actions), 5))
        noise = [action for own in fives for action in (refused, *own)]
        self.noisy = values(played(task, scene, noise + [0] * task.budget))


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_the_scores_of_solutions_idlers_and_noise_make_sense(every):
    entries = [e for e in suites.suite("turbo").entries if e.index == 0][::every]
    solutions, found = Solutions(), []
    for entry in entries:
        task, scene = Task(entry.task, entry.level), entry.scene()
        proof = solutions.certificate(task, scene)
        if proof is not None:
            found.append(Scores(task, scene, proof, solutions.reference(task, scene)))
    assert len(found) >= 0.9 * len(entries)
    for text, (least, counts, holds) in REQUIRED.items():
        met = [holds(scores) for scores in found if counts(scores)]
        assert sum(met) >= least * len(met), (text, sum(met), len(met))

"""Whether the scores make sense, on scenes of turbo with a solution.

Three attempts are scored on a scene: the solution, one that does nothing, and the
solution with refused actions in between. The quick test takes a few scenes.
"""

from __future__ import annotations

import collections

import pytest

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes import suites
from crafter.tasks.episodes.solutions import certificate_of, unpack
from crafter.tasks.scoring import reference_at, score
from crafter.tasks.scoring.references import played

TP, AC, MU, TE = "task_progress", "action_control", "material_usage", "task_efficiency"


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_the_scores_of_solutions_idlers_and_noise_make_sense(every):
    entries = [e for e in suites.suite("turbo").entries if e.index == 0][::every]
    met = collections.defaultdict(list)
    for entry in entries:
        task, scene = Task(entry.task, entry.level), entry.scene()
        known = reference_at(task, scene)
        actions = unpack(certificate_of(task, scene)["actions"])
        # Nobody has the iron yet: an action that is refused, before each five.
        refused = list(task.rules.actions).index("make_iron_sword")
        fives = (actions[n : n + 5] for n in range(0, len(actions), 5))
        noise = [action for own in fives for action in (refused, *own)]
        wait = [0] * task.budget
        best, idle, noisy = (
            score(played(task, scene, played_now), scene, known).scores
            for played_now in (actions, wait, [*noise, *wait])
        )
        assert best[TP] == best[TE] == 1 >= noisy[TP], entry
        met["solution"].append(best[AC] >= 0.9 and (best[MU] or 1) >= 0.9)
        if "waits" not in task.spec.tags:
            met["nothing"].append(idle[TP] <= 0.2 and idle[AC] == 0)
        met["noise"].append(noisy[AC] < best[AC] and noisy[TE] <= best[TE])
    for name, found in met.items():
        assert sum(found) >= 0.85 * len(found), name

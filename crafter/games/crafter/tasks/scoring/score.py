"""Computes the five scores of an attempt."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from crafter.games.crafter.tasks.scoring import control, errors
from crafter.games.crafter.tasks.scoring.demands import Closure, alternatives, closure
from crafter.games.crafter.tasks.scoring.references import reference_of
from crafter.games.crafter.tasks.scoring.replay import Trace, replay
from crafter.tasks.catalogue.tasks import category_of
from crafter.tasks.language.goals import Goal, Name, walk_over
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.scenes import Scene
from crafter.tasks.scoring.references import Reference
from crafter.tasks.scoring.score import Scored, ScoreError
from crafter.tasks.world import records


def score(
    attempt: records.Attempt,
    scene: Scene | None = None,
    reference: Reference | None = None,
    path: str = "attempt",
) -> Scored:
    """Returns the scores of an attempt; see `crafter.tasks.scoring.score`."""
    if scene is not None and attempt.header.scene != scene.hash:
        raise ScoreError(
            f"{path}: expected the scene {scene.hash}, got {attempt.header.scene}."
        )
    trace = replay(attempt, reference, path)
    values, kinds, wrong = _measure(trace, reference)
    overall, counted = mean_of(values)
    head, shares, node = attempt.header, _milestones(trace), trace.part.node
    return Scored(
        task=head.name or head.task or "",
        level=scene.level if scene else "",
        index=scene.index if scene else 0,
        scene=head.scene or "",
        verdict=str(node.verdict),
        reason=node.reason,
        steps=len(trace.moments),
        budget=trace.budget,
        progress=trace.part.value,
        agent=head.agent,
        attempt=path,
        reference_steps=None if reference is None else reference.steps,
        scores=values,
        overall=overall,
        dimensions=counted,
        errors=len(wrong),
        milestones=shares,
        first_failed_milestone=next((n for n, v in shares.items() if v < 1), None),
        curve=tuple(moment.after.progress for moment in trace.moments),
        classes=tuple(kinds),
        mistakes=tuple(wrong),
    )


def _measure(
    trace: Trace, reference: Reference | None
) -> tuple[dict[str, float | None], list[Any], list[Any]]:
    """Returns the scores by dimension, the classes of steps, and the errors."""
    node, budget = trace.part.node, trace.budget
    closures = [
        closure(way, trace.rules, trace.inventory, trace.stations, reference)
        for way in alternatives(trace.goal.term())
    ]
    unlimited = reference is None and any(one.by_reference for one in closures)
    useful = _useful(closures, reference, budget if unlimited else 0)
    progress, steps = trace.part.value, len(trace.moments)
    kinds = control.Classifier(trace, useful).classes()
    cut = (node.reason or "").startswith(("died", "violated"))
    left = budget - steps if cut else 0
    wrong = list(errors.Finder(trace, useful).errors(_places(trace.goal, closures)))
    recognition = errors.share(wrong)
    taken = steps if node.verdict is Verdict.DONE else budget
    target = None if reference is None else reference.steps
    values = {
        "task_progress": progress,
        "action_control": control.share(kinds, progress, left),
        "material_usage": None if unlimited else _usage(trace, closures, reference),
        "task_efficiency": target and progress * min(1.0, target / taken),
        "error_recognition": recognition and recognition * control.engaged(progress),
    }
    return values, kinds, wrong


def _useful(
    closures: Iterable[Closure], reference: Reference | None, stones: int
) -> collections.Counter[str]:
    """Returns effect -> useful count; `stones` if the reference is missing."""
    useful = collections.Counter({} if reference is None else dict(reference.effects))
    for one in closures:
        useful |= one.effects
    return useful | collections.Counter(
        {"placed stone": stones, "collected stone": stones}
    )


def mean_of(values: Mapping[str, float | None]) -> tuple[float | None, int]:
    """Returns the mean of the applicable dimensions, and their number.

    An engaged attempt without errors counts as one that recognised all of them, so that
    making errors does not pay.
    """
    counted = [value for value in values.values() if value is not None]
    progress = values["task_progress"]
    if progress and values["error_recognition"] is None:
        counted.append(control.engaged(progress))
    return (fmean(counted) if counted else None), len(counted)


def _places(goal: Goal, closures: Iterable[Closure]) -> bool:
    """Returns whether a goal determines where blocks belong."""
    if any("stone" in one.placed for one in closures):
        return False  # any place will do
    names = [part.name for part in walk_over(goal) if isinstance(part, Name)]
    return any(category_of(name) in errors.BUILT for name in names)


def _usage(
    trace: Trace, closures: Sequence[Closure], reference: Reference | None
) -> float | None:
    """Returns the share of material that was used well, in the best alternative.

    Required material counts in proportion to the progress of the goal. Beyond the
    requirement it is waste, unless the reference uses as much. `None` if the goal can
    be reached without using up anything.
    """
    used = reference_of(trace.records, trace.rules).spent
    spent = {} if reference is None else reference.spent
    needs = [one.need for one in closures]
    if not all(needs):
        return None
    shares = []
    for need in needs:
        useful = (min(used.get(k, 0), trace.part.reached * n) for k, n in need.items())
        most = {item: max(need[item], spent.get(item, 0)) for item in used}
        waste = sum(max(0, n - most[item]) for item, n in used.items())
        total = sum(need.values()) + waste
        shares.append(sum(useful) / total)
    return max(shares)


def _milestones(trace: Trace) -> dict[str, float]:
    """Returns the milestones of all atoms, the atoms themselves, and the goal."""
    milestones: dict[str, float] = {}
    for atom in trace.part.atoms():
        for name, share in atom.milestones.items():
            milestones[name] = max(milestones.get(name, 0.0), share)
        milestones[atom.node.label] = atom.own
    milestones["goal"] = float(trace.part.node.verdict is Verdict.DONE)
    return milestones

"""Five scores of an attempt, from its records, its scene and a reference alone."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from crafter.tasks import records
from crafter.tasks.catalogue import category_of
from crafter.tasks.dimensions import label
from crafter.tasks.goals import Goal, Name, walk_over
from crafter.tasks.scenes import Scene
from crafter.tasks.scores import control, errors
from crafter.tasks.scores.demands import Closure, closure, ways
from crafter.tasks.scores.errors import Error
from crafter.tasks.scores.references import Reference, reference_of
from crafter.tasks.scores.story import ScoreError, Story, tell
from crafter.tasks.verdicts import Verdict


@dataclasses.dataclass(frozen=True)
class Scores:
    """The scores of an attempt.

    Attributes:
      verdict: `DONE` or `FAILED`.
      reason: Why it failed, or `None`.
      steps: How many steps it took.
      values: Dimension -> value from 0 to 1, or `None` where it does not apply.
      overall: Mean of the dimensions that apply; an attempt without errors counts as
        one that recognised and corrected them.
      dimensions: How many dimensions the mean is of.
      progress: Task progress after every step.
      classes: Class of every step, `None` for a sleeper; see `control`.
      errors: What went wrong.
      milestones: What had to be had -> share of it, 0 to 1; the last one is the goal.
    """

    verdict: str
    reason: str | None
    steps: int
    values: Mapping[str, float | None]
    overall: float | None
    dimensions: int
    progress: tuple[float, ...]
    classes: tuple[str | None, ...]
    errors: tuple[Error, ...]
    milestones: Mapping[str, float]

    @property
    def death_cause(self) -> str | None:
        """What killed the player, several joined by `+`; `None` if nothing did."""
        died, _, cause = (self.reason or "").partition(":")
        return (cause or "unknown") if died == "died" else None

    @property
    def labels(self) -> dict[str, str | None]:
        """Dimension -> the word for its value, `None` where it does not apply."""
        return {
            name: None if value is None else label(value)
            for name, value in self.values.items()
        }

    @property
    def tenths(self) -> dict[str, int | None]:
        """Dimension -> its value as a whole number from 0 to 10."""
        return {
            name: None if value is None else round(10 * value)
            for name, value in self.values.items()
        }

    @property
    def first_failed_milestone(self) -> str | None:
        """The first milestone that was not reached."""
        return next((n for n, share in self.milestones.items() if share < 1), None)


def score(
    attempt: records.Attempt,
    scene: Scene | None = None,
    reference: Reference | None = None,
    path: str = "attempt",
) -> Scores:
    """Returns the scores of an attempt, the same ones whenever it is called.

    Args:
      attempt: Its records; it is played again from them.
      scene: The scene that it was made on, which is checked; `None` for no check.
      reference: A solution of the scene. Without one there is no task efficiency, and
        no material usage where only a solution says what is needed.
      path: The file of the attempt, for errors.

    Raises:
      ScoreError: If it has no goal, is not over, was made on another scene, or cannot
        be played as recorded.
    """
    if scene is not None and attempt.header.scene != scene.hash:
        raise ScoreError(
            f"{path}: it was made on the scene {attempt.header.scene}, "
            f"not on {scene.hash}."
        )
    story = tell(attempt, reference, path)
    node, budget = story.part.node, story.budget
    closures = [
        closure(way, story.rules, story.inventory, story.stations, reference)
        for way in ways(story.goal)
    ]
    useful = collections.Counter({} if reference is None else dict(reference.deeds))
    for found in closures:
        useful |= found.deeds
    unlimited = reference is None and any(found.by_reference for found in closures)
    if unlimited:
        stones = dict.fromkeys(("placed stone", "collected stone"), story.budget)
        useful |= collections.Counter(stones)
    progress, steps = story.part.value, len(story.moments)
    kinds = control.classes(story, useful)
    cut = (node.reason or "").startswith(("died", "violated"))
    wrong = errors.find(story, useful, _places(story.goal, closures))
    recognition = errors.share(wrong)
    taken = steps if node.verdict is Verdict.DONE else budget
    values = {
        "task_progress": progress,
        "action_control": control.share(kinds, progress, budget - steps if cut else 0),
        "material_usage": None if unlimited else _usage(story, closures, reference),
        "task_efficiency": None
        if reference is None
        else progress * min(1.0, reference.steps / taken),
        "error_recognition": recognition and recognition * control.engaged(progress),
    }
    overall, counted = mean_of(values)
    return Scores(
        verdict=str(node.verdict),
        reason=node.reason,
        steps=steps,
        values=values,
        overall=overall,
        dimensions=counted,
        progress=tuple(moment.after.progress for moment in story.moments),
        classes=tuple(kinds),
        errors=tuple(wrong),
        milestones=_milestones(story),
    )


def mean_of(values: Mapping[str, float | None]) -> tuple[float | None, int]:
    """Returns the mean of the dimensions that apply, and how many do.

    Of an attempt at the task, no errors count as all of them recognised, so that none
    is worth making.
    """
    counted = [value for value in values.values() if value is not None]
    progress = values["task_progress"]
    if progress and values["error_recognition"] is None:
        counted.append(control.engaged(progress))
    return (fmean(counted) if counted else None), len(counted)


def _places(goal: Goal, closures: Iterable[Closure]) -> bool:
    """Returns whether a goal says where blocks belong."""
    if any("stone" in found.placed for found in closures):
        return False  # any place will do
    names = [part.name for part in walk_over(goal) if isinstance(part, Name)]
    return any(category_of(name) in errors.BUILT for name in names)


def _usage(
    story: Story, closures: Sequence[Closure], reference: Reference | None
) -> float | None:
    """Returns the share of material that was used well; the best of all ways counts.

    What is used counts as well used as far as the goal has come, and as wasted beyond
    the need, unless the reference spends as much. There is none if the goal can be
    done without using anything up.
    """
    used = reference_of(story.records, story.rules).spent
    spent = {} if reference is None else reference.spent
    needs = [one.need for one in closures]
    if not all(needs):
        return None
    found = []
    for need in needs:
        useful = (min(used.get(k, 0), story.part.reached * n) for k, n in need.items())
        most = {item: max(need[item], spent.get(item, 0)) for item in used}
        waste = sum(max(0, n - most[item]) for item, n in used.items())
        total = sum(need.values()) + waste
        found.append(sum(useful) / total)
    return max(found)


def _milestones(story: Story) -> dict[str, float]:
    """Returns what had to be had, part by part, and the parts themselves."""
    found: dict[str, float] = {}
    for atom in story.part.atoms():
        for name, share in atom.milestones.items():
            found[name] = max(found.get(name, 0.0), share)
        found[atom.node.label] = atom.own
    found["goal"] = float(story.part.node.verdict is Verdict.DONE)
    return found

"""Five scores of an attempt, from its records, its scene and a reference alone."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping
from statistics import fmean

from crafter.tasks import records
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.dimensions import SCORED, label
from crafter.tasks.goals import Name, walk_over
from crafter.tasks.scenes import Scene
from crafter.tasks.scores import control, errors
from crafter.tasks.scores.demands import Atom, Closure, demand, total, ways
from crafter.tasks.scores.errors import Error
from crafter.tasks.scores.references import Reference, regained
from crafter.tasks.scores.story import ScoreError, Story, tell


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
      death_cause: What killed the player, or `None`.
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
    death_cause: str | None

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
    return _Scorer(tell(attempt, reference, path), reference).scores()


class _Scorer:
    def __init__(self, story: Story, reference: Reference | None) -> None:
        self._story, self._reference = story, reference
        self._ways = ways(story.goal)
        self._closures = [self._closure(way) for way in self._ways]
        self._useful: collections.Counter[str] = collections.Counter()
        for found in self._closures:
            self._useful |= found.deeds
        if reference is not None:
            self._useful |= collections.Counter(dict(reference.deeds))

    def _closure(self, way: list[Atom]) -> Closure:
        story = self._story
        return total(way, story.rules, story.inventory, story.stations, self._reference)

    @property
    def _by_reference(self) -> bool:
        rules = self._story.rules
        return any(demand(atom, rules).by_reference for w in self._ways for atom in w)

    def scores(self) -> Scores:
        """Returns the scores."""
        story = self._story
        progress = story.part.value
        unlimited = self._by_reference and self._reference is None
        if unlimited:
            self._useful |= collections.Counter(
                {"placed stone": 1, "collected stone": 1}
            )
        kinds = control.classes(story, self._useful, unlimited)
        found = errors.find(story, self._useful, self._places())
        recognition = errors.share(found)
        if recognition is not None:
            recognition *= control.engaged(progress)
        values = dict(
            zip(
                SCORED,
                (
                    progress,
                    control.share(kinds, progress, self._left()),
                    self._material_usage(),
                    self._efficiency(progress),
                    recognition,
                ),
            )
        )
        overall, counted = mean_of(values)
        return Scores(
            verdict=story.verdict,
            reason=story.reason,
            steps=len(story.moments),
            values=values,
            overall=overall,
            dimensions=counted,
            progress=tuple(moment.progress for moment in story.moments),
            classes=tuple(kinds),
            errors=tuple(found),
            milestones=self._milestones(),
            death_cause=_cause(story.reason),
        )

    def _left(self) -> int:
        """Returns the steps that death or a broken rule has cut off."""
        story = self._story
        cut = (story.reason or "").startswith(("died", "violated"))
        assert story.header.budget is not None
        return story.header.budget - len(story.moments) if cut else 0

    def _places(self) -> bool:
        """Returns whether the goal says where blocks belong."""
        if "placed stone" in self._placed:
            return False  # any place will do
        names = [g.name for g in walk_over(self._story.goal) if isinstance(g, Name)]
        specs = [all_tasks()[name] for name in names if name in all_tasks()]
        return any(spec.category in errors.BUILT for spec in specs)

    @property
    def _placed(self) -> set[str]:
        """The deeds of placing that the goal itself asks for."""
        rules = self._story.rules
        atoms = [atom for way in self._ways for atom in way]
        return {
            f"placed {block}" for atom in atoms for block in demand(atom, rules).placed
        }

    def _material_usage(self) -> float | None:
        if self._by_reference and self._reference is None:
            return None
        used = self._used()
        reached = self._story.part.reached
        spent = {} if self._reference is None else self._reference.spent
        needs = [found.need for found in self._closures]
        if not all(needs):
            return None  # it can be done without using anything up
        return max(_usage(used, need, spent, reached) for need in needs)

    def _used(self) -> collections.Counter[str]:
        """Returns what was used up, less what was taken back."""
        rules, steps = self._story.rules, self._story.records
        used: collections.Counter[str] = collections.Counter()
        for record in steps:
            for event in record.events:
                if event["type"] in ("placed", "made"):
                    table = rules.place if event["type"] == "placed" else rules.make
                    used.update(table[event["what"]]["uses"])
        for _, block in regained(steps).values():
            if block in rules.collect:
                used.subtract(rules.collect[block]["receive"])
        return +used

    def _efficiency(self, progress: float) -> float | None:
        if self._reference is None:
            return None
        story = self._story
        done = story.verdict == "DONE"
        taken = len(story.moments) if done else story.header.budget
        assert taken is not None
        return progress * min(1.0, self._reference.steps / taken)

    def _milestones(self) -> dict[str, float]:
        """Returns what had to be had, part by part, and the parts themselves."""
        found: dict[str, float] = {}
        for atom in self._story.part.atoms():
            for name, share in atom.milestones.items():
                found[name] = max(found.get(name, 0.0), share)
            found[atom.node.label] = atom.own
        found["goal"] = 1.0 if self._story.verdict == "DONE" else 0.0
        return found


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


def _usage(
    used: Mapping[str, int],
    need: Mapping[str, int],
    spent: Mapping[str, int],
    reached: float,
) -> float:
    """Returns the share of material that was used well.

    What is used counts as well used as far as the goal has come, and as wasted beyond
    the need, unless the reference spends as much.
    """
    useful = sum(min(used.get(item, 0), reached * n) for item, n in need.items())
    waste = sum(
        max(0, n - max(need.get(item, 0), spent.get(item, 0)))
        for item, n in used.items()
    )
    return useful / (sum(need.values()) + waste)


def _cause(reason: str | None) -> str | None:
    if reason is None or not reason.startswith("died"):
        return None
    return reason.partition(":")[2] or "unknown"

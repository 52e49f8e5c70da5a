"""Scored attempts, and the requirements of goals."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from crafter.tasks.catalogue.dimensions import SCORED, label
from crafter.tasks.episodes.play import EpisodeResult

_NOT_IN_FILES = ("certificate", "curve", "classes", "mistakes")


class ScoreError(ValueError):
    """An attempt cannot be scored; the message says why."""


class Closure(NamedTuple):
    """Requirements of one alternative of a goal, given what the player has.

    Attributes:
      milestones: Missing tool, station or material -> count.
      verbs: How each milestone is obtained: `collect`, `place` or `make`.
      effects: Useful effect -> count.
      need: Item -> amount used up.
      placed: Blocks that the goal requires to be placed anywhere.
      by_reference: Whether only a reference determines the requirements.
    """

    milestones: Mapping[str, int]
    verbs: Mapping[str, str]
    effects: collections.Counter[str]
    need: collections.Counter[str]
    placed: frozenset[str]
    by_reference: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scored(EpisodeResult):
    """An attempt and its scores.

    Attributes:
      agent: The agent.
      attempt: File of its record, relative to the folder of the run.
      reference_steps: Steps of the reference, or `None` without one.
      scores: Dimension -> value from 0 to 1, or `None` where it does not apply.
      overall: Mean of the applicable dimensions; an attempt without errors counts as
        one that recognised and corrected them.
      dimensions: Number of dimensions in the mean.
      errors: Number of errors.
      milestones: Milestone -> share of it that was reached, 0 to 1.
      first_failed_milestone: The first milestone that was not reached, in order, or
        `None`.
      curve: Task progress after every step; it and the rest are not in files.
      classes: Class of every step, `None` for a sleeper; defined by the game.
      mistakes: The errors.
    """

    header: ClassVar = frozenset({"score_version", "suite", "sha256", "agent"})
    agent: str
    attempt: str
    reference_steps: int | None
    scores: Mapping[str, float | None]
    overall: float | None
    dimensions: int
    errors: int
    milestones: Mapping[str, float]
    first_failed_milestone: str | None
    curve: tuple[float, ...] = ()
    classes: tuple[str | None, ...] = ()
    mistakes: tuple[Any, ...] = ()

    @property
    def key(self) -> tuple[str, str, int, str]:
        """Unique key of its scene."""
        return *self.place, self.scene

    @property
    def labels(self) -> dict[str, str | None]:
        """Dimension -> label of its value, `None` where it does not apply."""
        return {n: None if v is None else label(v) for n, v in self.scores.items()}

    def as_data(self) -> dict[str, Any]:
        """Returns the line of a file."""
        return {n: v for n, v in vars(self).items() if n not in _NOT_IN_FILES}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Scored:
        """Returns the scores of a line.

        Raises:
          KeyError, TypeError, ValueError: If they make no sense.
        """
        data = {"progress": data["scores"]["task_progress"], **data}
        data.pop("death_cause", None)  # of earlier files; the reason says it
        scored = cls(**data)
        if set(scored.scores) != set(SCORED):
            raise ValueError(f"expected scores in {list(SCORED)}")
        shares = [*scored.scores.values(), scored.overall, *scored.milestones.values()]
        wrong = [x for x in shares if x is not None and not 0 <= x <= 1]
        if wrong:
            raise ValueError(f"expected values from 0 to 1, got {wrong}")
        return scored

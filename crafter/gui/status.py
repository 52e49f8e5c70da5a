"""What the side panel tells about one moment of a game or a replay."""

import dataclasses

from crafter.rules import Rules

# Parts of the day: the phase at which each ends, and its name.
_PARTS = (
    (0.2, "night"),
    (0.3, "dawn"),
    (0.42, "morning"),
    (0.58, "noon"),
    (0.7, "afternoon"),
    (0.8, "evening"),
    (0.9, "dusk"),
    (1.0, "night"),
)


def vitals(rules: Rules) -> tuple[str, ...]:
    """Returns the items that keep the player alive, in the order of the panel."""
    needs = [need["item"] for need in rules.life.values() if "item" in need]
    return tuple(dict.fromkeys(["health", *needs]))


@dataclasses.dataclass(frozen=True)
class Clock:
    """The time of day.

    Attributes:
      day: Number of the day, from 1; a day begins in the morning, as episodes do.
      phase: Part of the day cycle in [0, 1): 0 is midnight, 0.5 is noon.
      daylight: Brightness from 0 (darkest) to 1 (noon).
    """

    day: int
    phase: float
    daylight: float

    @property
    def part(self) -> str:
        """The part of the day in a word."""
        return next(name for end, name in _PARTS if self.phase < end)


@dataclasses.dataclass(frozen=True)
class Status:
    """What is told about one moment.

    Attributes:
      step: Steps since the episode began.
      steps: Steps after which it ends, or None if there is no limit.
      episode: Number of the episode in this sitting, or None in a replay.
      episode_return: Sum of the rewards of the episode so far.
      action: Name of the last action; None after a reset.
      inventory: Item -> amount; None if it is not known.
      limits: Item -> largest amount, for the vitals, in the order of the panel.
      achievements: Names of all achievements, in order.
      unlocked: Achievement -> step at which it was unlocked.
      sleeping: Whether the player sleeps.
      clock: The time of day; None if it is not known.
    """

    step: int
    steps: int | None
    episode: int | None
    episode_return: float
    action: str | None
    inventory: dict[str, int] | None
    limits: dict[str, int]
    achievements: tuple[str, ...]
    unlocked: dict[str, int]
    sleeping: bool
    clock: Clock | None

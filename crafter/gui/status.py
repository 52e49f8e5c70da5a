"""Status: the content of the side panel at one moment."""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from crafter.core import clock
from crafter.tasks.env.single import GoalState

_EVENING = 10  # The last tenth of a day before the night.


class Clock(NamedTuple):
    """The time of day.

    Attributes:
      day: Number of the day, from 1; a day begins in the morning, as episodes do.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      part: The part of the day in words.
    """

    day: int
    daylight: float
    part: str


def clock_at(step: int, daylight: float, time: Mapping[str, Any]) -> Clock:
    """Returns the time of day.

    Args:
      step: Steps on the clock of the day.
      daylight: Brightness from 0 to 1.
      time: The section `time` of the rules, with the length of the `day`.
    """
    part = clock.part(step, time)
    soon = clock.part(step + time["day"] // _EVENING, time)
    if part == "afternoon" and soon.endswith("night"):
        part = "evening"
    return Clock(step // time["day"] + 1, daylight, part)


class Goal(NamedTuple):
    """Something that is counted up to an end: what it is, how far, and whether done."""

    text: str
    value: int
    most: int


class Slot(NamedTuple):
    """A place of the panel for something that the player has.

    Attributes:
      name: What it is called.
      icons: Textures laid one over the other; empty if the player has none.
      amount: How much, in short; empty where one is all that there can be.
      note: What is said beside it.
      about: What is said of it where the mouse is over it.
      action: What a click on it does, if anything.
      ready: Whether that would work now.
    """

    name: str
    icons: tuple[str, ...] = ()
    amount: str = ""
    note: str = ""
    action: str | None = None
    ready: bool = False
    about: str = ""


@dataclasses.dataclass(frozen=True)
class Group:
    """Slots that belong together, in rows of a number of columns.

    Attributes:
      slots: The slots.
      columns: How many lie side by side.
      height: Height of a row in the panel, at scale 1.
      title: What is written above, if anything.
      count: What is written at the right end of the title.
    """

    slots: tuple[Slot, ...]
    columns: int
    height: float
    title: str = ""
    count: str = ""


class Row(NamedTuple):
    """A row of a table: a key and what it does.

    Attributes:
      key: The keys, as people read them.
      text: What they do.
      ready: Whether that would have an effect now.
    """

    key: str
    text: str
    ready: bool = False


class Table(NamedTuple):
    """Rows below a title."""

    title: str
    rows: tuple[Row, ...]


class Page(NamedTuple):
    """A page over the picture, or over the whole window where it has tables.

    Attributes:
      title: In large letters.
      paragraphs: Below it.
      tables: Below them.
      footer: What to press.
      verdict: `DONE` for a good end, `FAILED` for a bad one, else empty.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    footer: str = ""
    verdict: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Facts:
    """The part of the status that a game knows.

    Attributes:
      inventory: Item -> amount; None if it is not known.
      limits: Item -> largest amount, for the vitals, in the order of the panel.
      idle: "asleep" or "resting" while the player can do nothing, else empty.
      clock: The time of day; None if it is not known or cannot be seen.
      floor: Number and name of the floor; empty in games of one floor.
      goals: What is to be done here.
      groups: What the player has besides vitals.
    """

    inventory: Mapping[str, float] | None
    limits: Mapping[str, int]
    idle: str = ""
    clock: Clock | None = None
    floor: str = ""
    goals: tuple[Goal, ...] = ()
    groups: tuple[Group, ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Status(Facts):
    """The content of the side panel at one moment.

    Attributes:
      step: Steps since the episode began.
      steps: Steps after which it ends, or None if there is no limit.
      episode: Number of the episode in this sitting, or None in a replay.
      episode_return: Sum of the rewards of the episode so far.
      action: Name of the last action; None after a reset.
      unlocked: Achievement -> step at which it was unlocked.
      possible: Achievement -> action that would serve it now.
      task: The task, if one is attempted.
    """

    step: int
    steps: int | None
    episode: int | None
    episode_return: float
    action: str | None
    unlocked: Mapping[str, int]
    possible: Mapping[str, str] = dataclasses.field(default_factory=dict)
    task: GoalState | None = None

    @property
    def low(self) -> tuple[str, ...]:
        """The vitals that are down to a third."""
        has = self.inventory
        return tuple(n for n, m in self.limits.items() if has and 3 * has[n] <= m)

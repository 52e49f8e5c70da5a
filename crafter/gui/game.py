"""Interface of a game to the app, and the contents of the panel."""

from __future__ import annotations

import abc
import argparse
import dataclasses
import os
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence, Set
from typing import Any, ClassVar, NamedTuple

import numpy as np

from crafter.core import clock
from crafter.core import game as core_game
from crafter.core.pictures import Pack
from crafter.gui.keys import Bindings, readable, with_spare_keys
from crafter.tasks.env.single import GoalState, TaskEnv

Cell = tuple[int, int]
Size = tuple[int, int]
#: Amounts of items and the like, by name.
Amounts = Mapping[str, float]
Texts = Mapping[str, str]
Names = Collection[str]
State = Mapping[str, np.ndarray]
Folder = str | os.PathLike | None

#: Width and height of a cell of a map that is drawn, in pixels.
MAP_CELL = 16
_HIGH = 24  # rows of a table; more are split
_EVENING = 10  # The last tenth of a day before the night.


# What is shown.


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
      note: Text beside it.
      about: Description, shown while the mouse is over it.
      action: The action of a click on it, if any.
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
      title: Text above, if any.
      count: Text at the right end of the title.
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


class Run(NamedTuple):
    """An episode that is over: its steps, and achievement -> step."""

    steps: int
    unlocked: Mapping[str, int]


class Page(NamedTuple):
    """A page over the picture, or over the whole window where there is more than text.

    Attributes:
      title: In large letters.
      paragraphs: Below it.
      tables: Below them.
      footer: What to press.
      verdict: `DONE` for a good end, `FAILED` for a bad one, else empty.
      run: The run of which it shows the last picture, the map and a timeline.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    footer: str = ""
    verdict: str = ""
    run: Run | None = None

    @property
    def wide(self) -> bool:
        """Whether it covers the window."""
        return bool(self.tables or self.run)


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
      chances: Actions with the probabilities that an agent gives them now.
      seed: Seed of the world; `None` if it does not say much.
    """

    step: int
    steps: int | None
    episode: int | None
    episode_return: float
    action: str | None
    unlocked: Mapping[str, int]
    possible: Mapping[str, str] = dataclasses.field(default_factory=dict)
    task: GoalState | None = None
    chances: Sequence[tuple[str, float]] = ()
    seed: int | None = None

    @property
    def low(self) -> tuple[str, ...]:
        """The vitals that are down to a third."""
        has = self.inventory
        return tuple(n for n, m in self.limits.items() if has and 3 * has[n] <= m)


# A game.


class NoTextures:
    """Texture pack of a game without images."""

    def __init__(self, folder: Folder) -> None:
        """Ignores the folder."""

    def get(self, name: str, size: Size) -> np.ndarray:
        """Returns an empty image in a size (width, height)."""
        return np.zeros((size[1], size[0], 4), np.uint8)


class Tier(NamedTuple):
    """Achievements that stand together in the panel, with a title if there are more."""

    title: str
    names: tuple[str, ...]


class VisibleCells(NamedTuple):
    """The part of the map that the player sees, with the player in its middle.

    Attributes:
      floor: Number of the floor.
      corner: Cell (row, column) of the first cell; may lie outside the map.
      cells: The cells, uint8 of shape (rows, columns, layers); 0 in the first layer
        where the player sees nothing.
      facing: Direction of the player, in rows and columns.
    """

    floor: int
    corner: Cell
    cells: np.ndarray
    facing: Cell


class Ways(NamedTuple):
    """Cells in view, by whether the player could walk there.

    Attributes:
      open: Cells to its right and down, on which one can walk safely.
      closed: Those where something stands in the way.
      threats: Ids of creatures and shots in view that hurt.
    """

    open: Set[Cell] = frozenset()
    closed: Set[Cell] = frozenset()
    threats: Set[Hashable] = frozenset()


class Shine(NamedTuple):
    """The light of a moment.

    Attributes:
      day: Share of the colours by day.
      dusk: Share of those without daylight.
      depth: How much of these the noise of the night hides where it hides most.
      asleep: Whether the colours are those of closed eyes.
      cells: Light of the cells of the map, uint8; empty where it is full everywhere.
    """

    day: float
    dusk: float
    depth: float
    asleep: bool
    cells: np.ndarray


class Game(abc.ABC):
    """A game as the app plays it; its subclass is the part `app` of a game.

    A subclass makes environments, names actions, achievements and items, and overrides
    whatever else the window should show. Environments are a subclass of
    `crafter.core.env.GameEnv`; their snapshots have `step`, `episode`, `dead`,
    `events`, and an `inventory` by name, with `health` if the player can be hurt.

    Args:
      rules: The rules of the game, as `load_rules` returns them.
      env: An environment whose sizes and arguments count; by default the usual ones.

    Attributes:
      key: Its name in recorded and saved files, and as `--game`.
      name: Its title.
      goal: Aim of the game, in a few paragraphs.
      victory: Message to a player who has won.
      area: Width and height of the map, if no other is asked for; `None` if the rules
        say it.
      view: Columns and rows of the pictures, if no others are asked for.
      largest_picture: Largest size of the picture, if no other is asked for.
      least_cell: Least width and height of a cell of pictures.
      wide: Whether achievements stand beside the rest of the panel, not in it.
      icon: Textures of the icon of the window, laid one over the other.
      textures: Folder, or `None` for our own -> texture pack.
      load_rules: The option `--rules`, or what an environment has -> the rules.
      action_names: Names of the actions, by index.
      achievements: Names of the achievements, in the order of the game.
      usual_keys: Key -> action; other actions get spare keys.
      floors: Names of the floors of its map; empty for no map.
      map_shape: Rows, columns, and how many numbers describe a cell of the map.
      action_titles: Action or achievement -> what it is called, if not by its own name.
      needs: Action -> what it needs, for the help; as far as it needs something.
      requirements: Achievement -> those that come before it; empty if nobody knows.
      hints: What the tutorial says, in order; see `crafter.gui.tutorial.Hint`.
      notices: Says what happened, such as `Notices` of `crafter.lm`; or `None`.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    victory: ClassVar[str] = ""
    area: ClassVar[Size | None] = None
    view: ClassVar[Size] = (9, 9)
    largest_picture: ClassVar[Size] = (600, 600)
    least_cell: ClassVar[int] = 1
    wide: ClassVar[bool] = False
    icon: ClassVar[Sequence[str]] = ()
    textures: ClassVar[Any] = NoTextures
    load_rules: ClassVar[Any] = staticmethod(lambda option: option)
    action_names: Sequence[str]
    achievements: Sequence[str]
    goal: Sequence[str] = ()
    hints: Sequence[Mapping[str, Any]] = ()
    usual_keys: Mapping[str, str] = {}
    floors: Sequence[str] = ()
    map_shape: tuple[int, int, int] = (0, 0, 0)
    action_titles: Mapping[str, str] = {}
    needs: Mapping[str, str] = {}
    requirements: Mapping[str, Names] = {}
    notices: Any = None

    def __init__(self, rules: Any, env: Any = None) -> None:
        self.rules = rules

    @property
    def keys(self) -> Mapping[str, str]:
        """Key -> action; of several held keys the first counts."""
        return with_spare_keys(self.usual_keys, self.action_names)

    @property
    def tiers(self) -> Sequence[Sequence[Tier]]:
        """The achievements, as columns of the panel; one without a title is split."""
        names = tuple(self.achievements)
        middle = -(-len(names) // 2)
        return [[Tier("", half)] for half in (names[:middle], names[middle:])]

    # Making games.

    @classmethod
    @abc.abstractmethod
    def environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment that options describe, with events.

        Raises:
          ValueError: If an option does not fit the game.
        """

    @classmethod
    @abc.abstractmethod
    def resume(cls, start: State, rules: Any, textures: Folder = None) -> Any:
        """Returns an environment in which a saved game goes on.

        Args:
          start: The saved game.
          rules: The rules that it was played by.
          textures: Folder of a texture pack; by default our own.

        Raises:
          KeyError: If the saved game lacks an array.
          ValueError: If it does not fit the rules or this version.
        """

    @classmethod
    def arguments(cls, args: argparse.Namespace) -> dict[str, Any]:
        """Returns the arguments of environments, with tasks or without.

        Raises:
          ValueError: If an option does not fit the game.
        """
        return {}

    @classmethod
    def task_environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment of the task that options describe.

        Raises:
          ValueError: If an option does not fit, or the game has no tasks.
        """
        if cls.key not in core_game.names("tasks"):
            raise ValueError(f"argument --task: {cls.key} has no tasks")
        return TaskEnv(
            args.task,
            args.difficulty or "simple",
            split=args.split or "train",
            record=bool(args.record),
            continue_after_done=args.death == "continue",
            game=cls.key,
            **cls.arguments(args),
        )

    # Playing.

    def greeting(self, env: Any) -> str:
        """Returns the text to print after a reset, if any."""
        return ""

    def facts(
        self, has: Amounts | None, now: Any, learned: Texts, ready: Names
    ) -> Facts:
        """Returns the contents of the panel.

        Args:
          has: What the player has, by name; `None` if it is not known.
          now: The snapshot; `None` where only the amounts were recorded.
          learned: What the player has learned: name -> text.
          ready: The actions that would have an effect.
        """
        slots = tuple(
            Slot(readable(name), amount=str(amount), note=readable(name))
            for name, amount in (has or {}).items()
        )
        groups = (Group(slots, 2, 30, "Inventory"),) if slots else ()
        return Facts(inventory=has, limits={}, groups=groups)

    def learned(self, now: Any) -> dict[str, str]:
        """Returns new knowledge of the player: name -> text."""
        return {}

    def messages(self, now: Any) -> list[str]:
        """Returns the messages of the step that led to a snapshot."""
        return [] if self.notices is None else list(self.notices.told(now))

    def about(self, now: Any, offset: Cell) -> str:
        """Returns the description of a cell.

        Args:
          now: The snapshot.
          offset: Cells to the right of the player and down.
        """
        return "" if self.notices is None else str(self.notices.about(now, offset))

    def ways(self, now: Any) -> Ways:
        """Returns where a player could go; nowhere if unknown."""
        return Ways() if self.notices is None else Ways(*self.notices.ways(now))

    def effects(self, now: Any) -> list[tuple[Cell, str]]:
        """Returns the effects of the step that led to a snapshot.

        Returns:
          Cells, to the right of the player and down, and the texts that rise from
          them; an empty text is a flash.
        """
        return [] if self.notices is None else list(self.notices.effects(now))

    def possible(self, env: Any) -> dict[str, str]:
        """Returns the achievements within reach now -> the action for them."""
        return {}

    def look(self, now: Any) -> VisibleCells:
        """Returns what the player sees of the map, in games that have one."""
        raise NotImplementedError

    def draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        """Returns the picture of a floor, with cells of `MAP_CELL` pixels.

        Args:
          pack: The texture pack.
          cells: What is there, uint8 of shape `map_shape`.
        """
        raise NotImplementedError

    # Pages of replays.

    def bright(self, env: Any, side: int) -> Callable[[Any], np.ndarray]:
        """Returns a function that draws a game in full light, with cells of a size.

        The function takes an environment like `env`, at any moment.
        """
        (columns, rows), lit = env.cells, self.lit_map(env, side)

        def draw(now: Any) -> np.ndarray:
            frame, above = np.array(now.frame((columns * side, rows * side))), lit(now)
            frame[: len(above), : above.shape[1]] = above
            return frame

        return draw

    def lit_map(self, env: Any, side: int) -> Callable[[Any], np.ndarray]:
        """Returns a function that draws the map without the inventory; see `bright`."""
        raise ValueError(f"{self.name} has no pages.")

    def shine(self, now: Any) -> Shine:
        """Returns the light of a moment."""
        raise NotImplementedError

    def night(self, env: Any, side: int) -> dict[str, Any]:
        """Returns the effect of the night on colours, with cells of a size.

        Returns:
          `luma`, `saturation`, `tint`, `sleep` and `noise` as plain lists and numbers;
          and `hiding`: how much of a pixel of the map the noise hides, from 0 to 1.
        """
        raise NotImplementedError

    def title_of(self, action: str) -> str:
        """Returns the title of an action or an achievement."""
        return self.action_titles.get(action, readable(action))


def key_tables(
    bindings: Bindings, game: Game, ready: frozenset[str]
) -> tuple[Table, ...]:
    """Returns tables of what every key does.

    Args:
      bindings: The keys; without actions when nobody plays.
      game: The game.
      ready: The actions that would have an effect now.
    """
    actions = []
    for name in dict.fromkeys(bindings.actions.values()):
        takes = f": {game.needs[name]}" if name in game.needs else ""
        text = game.title_of(name) + takes
        actions.append(Row(bindings.labels(name), text, name in ready))
    high = -(-len(actions) // max(-(-len(actions) // _HIGH), 1))
    commands = [Row(bindings.labels(c.name), c.help) for c in bindings.commands]
    return (
        *(
            Table("" if start else "Actions", tuple(actions[start : start + high]))
            for start in range(0, len(actions), max(high, 1))
        ),
        Table("Commands", tuple(row for row in commands if row.key)),
    )


def adapter(name: str) -> type[Game]:
    """Returns the adapter of a game by its name, as `--game` and files have it."""
    return core_game.find(name).part("app")


def adapter_of(env: Any) -> Game:
    """Returns the adapter of the game of an environment."""
    kind = adapter(core_game.of(env).name)
    return kind(kind.load_rules(env.rules), env)

"""Game interface of the app, and the contents of the side panel."""

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
#: Name -> amount.
Amounts = Mapping[str, float]
Texts = Mapping[str, str]
Names = Collection[str]
State = Mapping[str, np.ndarray]
Folder = str | os.PathLike | None

#: Width and height of a map cell, in pixels.
MAP_CELL = 16
_HIGH = 24  # maximum rows of a table before it is split
_EVENING = 10  # Evening is the last tenth of the day before night.


# Contents of the window.


class Clock(NamedTuple):
    """Time of day.

    Attributes:
      day: Day number, from 1; a day starts in the morning, as episodes do.
      daylight: Brightness from 0 (darkest) to 1 (noon).
      part: Time of day in words.
    """

    day: int
    daylight: float
    part: str


def clock_at(step: int, daylight: float, time: Mapping[str, Any]) -> Clock:
    """Returns the time of day.

    Args:
      step: Steps of the day-night clock.
      daylight: Brightness from 0 to 1.
      time: The section `time` of the rules, with the length of the `day`.
    """
    part = clock.part(step, time)
    soon = clock.part(step + time["day"] // _EVENING, time)
    if part == "afternoon" and soon.endswith("night"):
        part = "evening"
    return Clock(step // time["day"] + 1, daylight, part)


class Goal(NamedTuple):
    """A goal with a count: text, progress, and whether it is done."""

    text: str
    value: int
    most: int


class Slot(NamedTuple):
    """An inventory slot of the panel.

    Attributes:
      name: Display name.
      icons: Textures laid on top of each other; empty for an empty slot.
      amount: Amount as short text; empty if there can be only one.
      note: Text beside it.
      about: Tooltip.
      action: Action performed on a click, if any.
      ready: Whether that action would have an effect now.
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
    """Slots that belong together, in a grid.

    Attributes:
      slots: The slots.
      columns: Number of columns.
      height: Row height in the panel, at scale 1.
      title: Title above, if any.
      count: Text at the right end of the title.
    """

    slots: tuple[Slot, ...]
    columns: int
    height: float
    title: str = ""
    count: str = ""


class Row(NamedTuple):
    """A table row: keys and what they do.

    Attributes:
      key: Display name of the keys.
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
    """A finished episode: its steps, and achievement -> step."""

    steps: int
    unlocked: Mapping[str, int]


class Page(NamedTuple):
    """A page over the picture, or over the whole window if it has more than text.

    Attributes:
      title: Title.
      paragraphs: Text below the title.
      tables: Tables below the text.
      footer: Which key to press.
      verdict: `DONE` for success, `FAILED` for failure, else empty.
      run: Run whose last frame, map and timeline are shown, if any.
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
    """The game-specific part of the status.

    Attributes:
      inventory: Item -> amount; None if unknown.
      limits: Vital -> maximum, in display order.
      idle: "asleep" or "resting" while the player cannot act, else empty.
      clock: Time of day; None if unknown or not visible.
      floor: Number and name of the floor; empty in single-floor games.
      goals: Goals of the floor.
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
    """Contents of the side panel at one moment.

    Attributes:
      step: Steps since the episode began.
      steps: Maximum episode length, or None if unlimited.
      episode: Episode number within the session, or None in a replay.
      episode_return: Sum of rewards so far.
      action: Name of the last action; None after a reset.
      unlocked: Achievement -> step at which it was unlocked.
      possible: Achievement available now -> action for it.
      task: The current task, if any.
      chances: Actions and their probabilities under the agent.
      seed: Seed of the world; `None` if it is not informative.
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
        """Vitals at or below a third of their maximum."""
        has = self.inventory
        return tuple(n for n, m in self.limits.items() if has and 3 * has[n] <= m)


# Game adapters.


class NoTextures:
    """Texture pack of a game without images."""

    def __init__(self, folder: Folder) -> None:
        """Ignores the folder."""

    def get(self, name: str, size: Size) -> np.ndarray:
        """Returns an empty image of the given (width, height)."""
        return np.zeros((size[1], size[0], 4), np.uint8)


class Tier(NamedTuple):
    """A group of achievements in the panel; titled if there are several groups."""

    title: str
    names: tuple[str, ...]


class VisibleCells(NamedTuple):
    """The part of the map that the player sees, centred on the player.

    Attributes:
      floor: Number of the floor.
      corner: Top-left cell (row, column); may lie outside the map.
      cells: The cells, uint8 of shape (rows, columns, layers); 0 in the first layer
        where nothing is visible.
      facing: Direction of the player, as (rows, columns).
    """

    floor: int
    corner: Cell
    cells: np.ndarray
    facing: Cell


class Walkable(NamedTuple):
    """Walkability of the cells in view.

    Attributes:
      open: Offsets (right, down) of cells that are safe to walk on.
      closed: Offsets of blocked cells.
      threats: Ids of creatures and projectiles in view that do damage.
    """

    open: Set[Cell] = frozenset()
    closed: Set[Cell] = frozenset()
    threats: Set[Hashable] = frozenset()


class Shine(NamedTuple):
    """Lighting of a frame.

    Attributes:
      day: Weight of the colours by day.
      dusk: Weight of the colours without daylight.
      depth: Maximum opacity of the night noise over the latter.
      asleep: Whether the frame is drawn as seen asleep.
      cells: Light of the cells of the map, uint8; empty if full everywhere.
    """

    day: float
    dusk: float
    depth: float
    asleep: bool
    cells: np.ndarray


class Game(abc.ABC):
    """Base class of a game's `app` adapter.

    A subclass makes environments, names actions, achievements and items, and overrides
    whatever else the window should show. Environments subclass
    `crafter.core.env.GameEnv`; their snapshots have `step`, `episode`, `dead`,
    `events`, an `inventory` by name, and `health` if the player can be hurt.

    Args:
      rules: The rules of the game, as `load_rules` returns them.
      env: Environment that determines sizes and arguments; a default one if omitted.

    Attributes:
      key: Name of the game in recordings and saves, and for `--game`.
      name: Display name.
      goal: Aim of the game, in a few paragraphs.
      victory: Message on winning.
      area: Default width and height of the map; `None` if the rules define it.
      view: Default columns and rows of pictures.
      largest_picture: Default maximum size of the picture.
      least_cell: Minimum width and height of a cell in pictures.
      wide: Whether achievements have a panel column of their own.
      icon: Textures of the window icon, laid on top of each other.
      textures: Folder, or `None` for the bundled textures -> texture pack.
      load_rules: Value of `--rules`, or rules of an environment -> the rules.
      action_names: Names of the actions, by index.
      achievements: Names of the achievements, in display order.
      usual_keys: Key -> action; other actions get spare keys.
      floors: Names of the floors of the map; empty if there is no map.
      map_shape: Rows, columns and layers of the map.
      action_titles: Action or achievement -> title, if different from its name.
      needs: Action -> its requirements as text, for the help; omitted if none.
      requirements: Achievement -> prerequisites; empty if unknown.
      hints: Tutorial hints, in order; see `crafter.gui.tutorial.Hint`.
      notices: Describes events, such as `Notices` of `crafter.lm`; or `None`.
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
        """Achievements in panel columns; a column of one untitled tier is split."""
        names = tuple(self.achievements)
        middle = -(-len(names) // 2)
        return [[Tier("", half)] for half in (names[:middle], names[middle:])]

    # Making games.

    @classmethod
    @abc.abstractmethod
    def environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment for command-line options, with events.

        Raises:
          ValueError: If an option does not fit the game.
        """

    @classmethod
    @abc.abstractmethod
    def resume(cls, start: State, rules: Any, textures: Folder = None) -> Any:
        """Returns an environment that continues a saved game.

        Args:
          start: The saved game.
          rules: The rules it was played with.
          textures: Folder of a texture pack; the bundled textures if omitted.

        Raises:
          KeyError: If the saved game lacks an array.
          ValueError: If it does not fit the rules or this version.
        """

    @classmethod
    def arguments(cls, args: argparse.Namespace) -> dict[str, Any]:
        """Returns environment arguments, the same with and without tasks.

        Raises:
          ValueError: If an option does not fit the game.
        """
        return {}

    @classmethod
    def task_environment(cls, args: argparse.Namespace) -> Any:
        """Returns the task environment for command-line options.

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
        """Returns text to print after a reset, if any."""
        return ""

    def facts(
        self, has: Amounts | None, now: Any, learned: Texts, ready: Names
    ) -> Facts:
        """Returns the contents of the panel.

        Args:
          has: Inventory amounts by name; `None` if unknown.
          now: The snapshot; `None` if only the amounts were recorded.
          learned: What the player has learned: name -> text.
          ready: Actions that would have an effect.
        """
        slots = tuple(
            Slot(readable(name), amount=str(amount), note=readable(name))
            for name, amount in (has or {}).items()
        )
        groups = (Group(slots, 2, 30, "Inventory"),) if slots else ()
        return Facts(inventory=has, limits={}, groups=groups)

    def learned(self, now: Any) -> dict[str, str]:
        """Returns knowledge newly gained by the player: name -> text."""
        return {}

    def messages(self, now: Any) -> list[str]:
        """Returns the messages of the step that produced a snapshot."""
        return [] if self.notices is None else list(self.notices.sentences(now))

    def about(self, now: Any, offset: Cell) -> str:
        """Returns the description of a cell.

        Args:
          now: The snapshot.
          offset: Offset of the cell from the player: right, down.
        """
        return "" if self.notices is None else str(self.notices.about(now, offset))

    def walkable(self, now: Any) -> Walkable:
        """Returns where the player could walk; nowhere if unknown."""
        return Walkable() if self.notices is None else Walkable(*self.notices.ways(now))

    def effects(self, now: Any) -> list[tuple[Cell, str]]:
        """Returns the effects of the step that produced a snapshot.

        Returns:
          Cells, as (right, down) offsets from the player, each with the text that rises
          from it; an empty text is a flash.
        """
        return [] if self.notices is None else list(self.notices.effects(now))

    def possible(self, env: Any) -> dict[str, str]:
        """Returns achievements available now -> action for each."""
        return {}

    def look(self, now: Any) -> VisibleCells:
        """Returns the cells visible to the player, in games with a map."""
        raise NotImplementedError

    def draw_map(self, pack: Pack, cells: np.ndarray) -> np.ndarray:
        """Returns a picture of a floor, with cells of `MAP_CELL` pixels.

        Args:
          pack: The texture pack.
          cells: The cells, uint8 of shape `map_shape`.
        """
        raise NotImplementedError

    # HTML replays.

    def bright(self, env: Any, side: int) -> Callable[[Any], np.ndarray]:
        """Returns a function that draws a game in full light, `side` pixels per cell.

        The function accepts any environment configured like `env`.
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
        """Returns the lighting of a snapshot."""
        raise NotImplementedError

    def night(self, env: Any, side: int) -> dict[str, Any]:
        """Returns the effect of night on colours, `side` pixels per cell.

        Returns:
          `luma`, `saturation`, `tint`, `sleep` and `noise` as plain lists and numbers;
          and `hiding`: opacity of the noise at each pixel of the map, from 0 to 1.
        """
        raise NotImplementedError

    def title_of(self, action: str) -> str:
        """Returns the display name of an action or achievement."""
        return self.action_titles.get(action, readable(action))


def key_tables(
    bindings: Bindings, game: Game, ready: frozenset[str]
) -> tuple[Table, ...]:
    """Returns tables of all key bindings.

    Args:
      bindings: The bindings; without actions if nobody plays.
      game: The game.
      ready: Actions that would have an effect now.
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
    """Returns the app adapter of a game by name (`--game`)."""
    return core_game.find(name).part("app")


def adapter_of(env: Any) -> Game:
    """Returns the app adapter for an environment."""
    kind = adapter(core_game.of(env).name)
    return kind(kind.load_rules(env.rules), env)

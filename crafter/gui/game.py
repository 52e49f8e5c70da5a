"""A game as the app plays it."""

from __future__ import annotations

import abc
import argparse
import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from crafter.core import game as core_game
from crafter.core.pictures import Pack
from crafter.gui import sentences
from crafter.gui.keys import readable, with_spare_keys
from crafter.gui.status import Facts, Group, Slot

#: Something that happened, as `crafter.core.events` describes it.
Event = Mapping[str, Any]
Color = tuple[int, int, int]
Cell = tuple[int, int]
Size = tuple[int, int]

#: Width and height of a cell of a map that is drawn, in pixels.
MAP_CELL = 16

_NIGHT = 0.5  # daylight below which there is noise
_HIDDEN = 0.75  # part of a pixel that the night may hide from who looks closely


class Tier(NamedTuple):
    """Achievements that stand together in the panel, with a title if there are more."""

    title: str
    names: tuple[str, ...]


class PanelLayout(NamedTuple):
    """Layout of the panel, in pixels at scale 1.

    Attributes:
      size: (width, height) of the panel.
      goals: Where the first of the goals lies: y.
      vitals: Where the first row of vitals lies, and how far the next is: y, height.
      achievements: Where their title lies, and their lines: x, y, width, height.
      groups: Where the first group begins, and where the last one ends: y, y.
    """

    size: Size = (300, 600)
    goals: float = 180
    vitals: tuple[float, float] = (198, 32)
    achievements: tuple[float, float, float, float] = (16, 282, 268, 198)
    groups: tuple[float, float] = (514, 586)


class Entry(NamedTuple):
    """A row of a menu or of the help.

    Attributes:
      action: The action that a click on it plays; empty in the help.
      text: What it does.
      ready: Whether it would work now; None in the help.
      key: The key for it, which the window fills in.
    """

    action: str
    text: str
    ready: bool | None = None
    key: str = ""


class Menu(NamedTuple):
    """Rows of a menu, or of the help, below a title."""

    title: str
    entries: tuple[Entry, ...]


class VisibleCells(NamedTuple):
    """The part of the map that the player sees.

    Attributes:
      floor: Number of the floor.
      corner: Cell (row, column) of the first cell; may lie outside the map.
      cells: What is there, uint8 of shape (rows, columns, layers).
      seen: Which of the cells are seen, bool of shape (rows, columns).
    """

    floor: int
    corner: Cell
    cells: np.ndarray
    seen: np.ndarray


@dataclasses.dataclass(frozen=True)
class Map:
    """Drawing of the map that the player has seen of a game.

    Attributes:
      floors: Names of the floors.
      size: Rows and columns of a floor.
      layers: How many numbers describe a cell.
      look: Snapshot -> what is seen.
      player: Snapshot -> cell (row, column) of the player.
      draw: Texture pack and cells of a floor, uint8 of shape (rows, columns, layers)
        -> picture, uint8 of shape (height, width, 3).
    """

    floors: tuple[str, ...]
    size: Cell
    layers: int
    look: Callable[[Any], VisibleCells]
    player: Callable[[Any], Cell]
    draw: Callable[[Pack, np.ndarray], np.ndarray]


class Game(abc.ABC):
    """A game as the app plays it; its subclass is the part `app` of a game.

    A subclass makes environments, names actions, achievements and items, and overrides
    whatever else its players should be shown. Environments are a subclass of
    `crafter.core.env.GameEnv`; their snapshots have `step`, `episode`, `dead`,
    `events`, and an `inventory` by name, with `health` if the player can be hurt.

    Args:
      rules: The rules of the game, as `load_rules` returns them.
      env: An environment whose sizes and arguments count; by default the usual ones.

    Attributes:
      key: Its name in recorded and saved files, and as `--game`.
      name: Its title.
      goal: What it is about, in a few paragraphs.
      victory: What is said to a player who has won.
      view: Columns and rows of the pictures, if no others are asked for.
      largest_picture: Largest size of the picture, if no other is asked for.
      least_cell: Least width and height of a cell of pictures.
      idles: Whether who sleeps or rests can do nothing at all; else what is wanted in
        the step of waking up is done.
      has_tasks: Whether `task_environment` makes environments.
      layout: Where things lie in the panel.
      colors: Vital -> colour of its bar.
      icon: Textures of the icon of the window, laid one over the other.
      textures: Folder, or `None` for our own -> texture pack; `None` for none.
      load_rules: The option `--rules` -> the rules.
      hurts: What hurts -> how it hurts, and what is said of a death by it, where that
        differs from other games.
      called: What hurts -> what it is called.
      action_names: Names of the actions, by index.
      achievements: Names of the achievements, in the order of the game.
      items: What recordings count, besides achievements.
      usual_keys: Key -> action; other actions get spare keys.
      map: How its map is drawn; `None` for none.
      action_titles: Action -> what it is called, if not by its own name.
      recipes: Action that builds something -> what it takes.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    victory: ClassVar[str] = ""
    view: ClassVar[Size] = (9, 9)
    largest_picture: ClassVar[Size] = (600, 600)
    least_cell: ClassVar[int] = 1
    idles: ClassVar[bool] = False
    has_tasks: ClassVar[bool] = False
    layout: ClassVar[PanelLayout] = PanelLayout()
    colors: ClassVar[Mapping[str, Color]] = {}
    icon: ClassVar[Sequence[str]] = ()
    textures: ClassVar[Any] = staticmethod(lambda folder: None)
    load_rules: ClassVar[Any] = staticmethod(lambda option: option)
    hurts: ClassVar[sentences.Hurts] = {}
    called: ClassVar[Any] = staticmethod(lambda name: name)
    action_names: Sequence[str]
    achievements: Sequence[str]
    items: Sequence[str]
    goal: Sequence[str] = ()
    usual_keys: Mapping[str, str] = {}
    map: Map | None = None
    action_titles: Mapping[str, str] = {}
    recipes: Mapping[str, str] = {}

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

    @staticmethod
    def rules_of(env: Any) -> Any:
        """Returns the rules of an environment, as `load_rules` returns them."""
        return env.rules

    @classmethod
    @abc.abstractmethod
    def environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment that options describe, with events.

        Raises:
          ValueError: If it refuses an option.
        """

    @classmethod
    @abc.abstractmethod
    def resume(
        cls,
        start: Mapping[str, np.ndarray],
        rules: Any,
        textures: str | os.PathLike | None = None,
    ) -> Any:
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
    def check(cls, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
        """Ends the program if options do not fit the game, and fills in the others."""
        args.view = args.view or cls.view

    @classmethod
    def task_environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment of the task that options describe."""
        raise NotImplementedError

    # Playing.

    def cells(self, env: Any) -> Size:
        """Returns the columns and rows of the pictures of an environment."""
        columns, rows = env.view
        return columns, rows

    def greeting(self, env: Any) -> str:
        """Returns what is printed of an environment that was just reset."""
        return ""

    def facts(
        self, amounts: Mapping[str, float] | None, now: Any, learned: Mapping[str, str]
    ) -> Facts:
        """Returns what the panel shows.

        Args:
          amounts: What the player has, by name; `None` if it is not known.
          now: The snapshot; `None` where only the amounts were recorded.
          learned: What the player has learned: name -> text.
        """
        slots = tuple(
            Slot(readable(name), amount=str(amount), note=readable(name))
            for name, amount in (amounts or {}).items()
        )
        groups = (Group(slots, 2, 30, "Inventory"),) if slots else ()
        return Facts(inventory=amounts, limits={}, groups=groups)

    def learned(self, now: Any) -> dict[str, str]:
        """Returns what the player has just learned: name -> text."""
        return {}

    def messages(self, events: Sequence[Event], now: Any) -> list[str]:
        """Returns what a player should know of a step: failures, wounds, low vitals.

        Args:
          events: What happened in the step.
          now: The snapshot after it.
        """
        return []

    def death(self, causes: Sequence[str]) -> str:
        """Returns what killed the player, in a sentence for each cause."""
        return sentences.death([self.called(cause) for cause in causes], self.hurts)

    def possible(self, now: Any) -> dict[str, str]:
        """Returns the achievements that an action would serve now, and the action."""
        return {}

    def menu(self, now: Any, learned: Mapping[str, str]) -> Sequence[Menu]:
        """Returns the menu of a moment; empty for none."""
        return ()

    def title_of(self, action: str) -> str:
        """Returns what an action is called."""
        return self.action_titles.get(action, readable(action))


def adapter(name: str) -> type[Game]:
    """Returns the adapter of a game by its name, as `--game` and files have it."""
    found: type[Game] = core_game.find(name).part("app")
    return found


def adapter_of(env: Any) -> Game:
    """Returns the adapter of the game of an environment."""
    kind = adapter(core_game.of(env).name)
    return kind(kind.rules_of(env), env)


def by_daylight(shape: tuple[int, ...], daylight: float) -> np.ndarray:
    """Returns which cells around the player are not lost in the noise of the night.

    Args:
      shape: Rows and columns of the cells.
      daylight: From 0 (darkest) to 1 (noon).

    Returns:
      bool of the shape.

    Source:
      Crafter 1.8.3 and Craftax 1.6.1: the noise grows with the distance to the middle.
    """
    rows, columns = (np.arange(length) - length // 2 for length in shape)
    distance = np.sqrt(rows[:, None] ** 2 + columns**2)
    hidden = 2 * (_NIGHT - daylight) * distance / max(distance.max(), 1)
    return np.asarray(hidden <= _HIDDEN)

"""A game as the app plays it."""

from __future__ import annotations

import abc
import argparse
import os
import pathlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import yaml

from crafter.core import game as core_game
from crafter.core.pictures import Pack
from crafter.gui.keys import readable, with_spare_keys
from crafter.gui.status import Facts, Group, Slot

Cell = tuple[int, int]
Size = tuple[int, int]

#: Width and height of a cell of a map that is drawn, in pixels.
MAP_CELL = 16


class Tier(NamedTuple):
    """Achievements that stand together in the panel, with a title if there are more."""

    title: str
    names: tuple[str, ...]


class VisibleCells(NamedTuple):
    """The part of the map that the player sees, with the player in its middle.

    Attributes:
      floor: Number of the floor.
      corner: Cell (row, column) of the first cell; may lie outside the map.
      cells: What is there, uint8 of shape (rows, columns, layers); the first number of
        a cell that is seen is not 0.
      seen: Which of the cells are seen, bool of shape (rows, columns).
    """

    floor: int
    corner: Cell
    cells: np.ndarray
    seen: np.ndarray


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
      area: Width and height of the map, if no other is asked for; `None` if the rules
        say it.
      view: Columns and rows of the pictures, if no others are asked for.
      largest_picture: Largest size of the picture, if no other is asked for.
      least_cell: Least width and height of a cell of pictures.
      wide: Whether achievements stand beside the rest of the panel, not in it.
      icon: Textures of the icon of the window, laid one over the other.
      textures: Folder, or `None` for our own -> texture pack; `None` for none.
      load_rules: The option `--rules`, or what an environment has -> the rules.
      action_names: Names of the actions, by index.
      achievements: Names of the achievements, in the order of the game.
      usual_keys: Key -> action; other actions get spare keys.
      floors: Names of the floors of its map; empty for no map.
      map_shape: Rows, columns, and how many numbers describe a cell of the map.
      action_titles: Action or achievement -> what it is called, if not by its own name.
      needs: Action -> what it needs, for the help; as far as it needs something.
      notices: Says what happened, such as a `crafter.lm.notices.Notices`; or `None`.
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
    textures: ClassVar[Any] = staticmethod(lambda folder: None)
    load_rules: ClassVar[Any] = staticmethod(lambda option: option)
    action_names: Sequence[str]
    achievements: Sequence[str]
    goal: Sequence[str] = ()
    usual_keys: Mapping[str, str] = {}
    floors: Sequence[str] = ()
    map_shape: tuple[int, int, int] = (0, 0, 0)
    action_titles: Mapping[str, str] = {}
    needs: Mapping[str, str] = {}
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
    def task_environment(cls, args: argparse.Namespace) -> Any:
        """Returns the environment of the task that options describe."""
        raise ValueError(f"argument --task: {cls.key} has no tasks")

    # Playing.

    def cells(self, env: Any) -> Size:
        """Returns the columns and rows of the pictures of an environment."""
        columns, rows = env.view
        return columns, rows

    def greeting(self, env: Any) -> str:
        """Returns what is printed of an environment that was just reset."""
        return ""

    def facts(
        self,
        amounts: Mapping[str, float] | None,
        now: Any,
        learned: Mapping[str, str],
        ready: Collection[str] = (),
    ) -> Facts:
        """Returns what the panel shows.

        Args:
          amounts: What the player has, by name; `None` if it is not known.
          now: The snapshot; `None` where only the amounts were recorded.
          learned: What the player has learned: name -> text.
          ready: The actions that would have an effect.
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

    def messages(self, now: Any) -> list[str]:
        """Returns what a player should know of the step that led to a snapshot."""
        return [] if self.notices is None else list(self.notices.told(now))

    def possible(self, env: Any) -> dict[str, str]:
        """Returns the achievements that an action would serve now, and the action."""
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
        """Returns what draws a game in full light, with cells of a size.

        The function takes an environment like `env`, at any moment.
        """
        raise ValueError(f"{self.name} has no pages.")

    def shine(self, now: Any) -> Shine:
        """Returns the light of a moment."""
        raise NotImplementedError

    def night(self, env: Any, side: int) -> dict[str, Any]:
        """Returns what the night does to colours, with cells of a size.

        Returns:
          `luma`, `saturation`, `tint`, `sleep` and `noise` as plain lists and numbers;
          and `hiding`: how much of a pixel of the map the noise hides, from 0 to 1.
        """
        raise NotImplementedError

    def title_of(self, action: str) -> str:
        """Returns what an action or an achievement is called."""
        return self.action_titles.get(action, readable(action))


def read_texts(module: str) -> dict[str, Any]:
    """Returns the texts of `words.yaml` beside a module, given as its `__file__`."""
    text = pathlib.Path(module).with_name("words.yaml").read_text("utf-8")
    return dict(yaml.safe_load(text))


def adapter(name: str) -> type[Game]:
    """Returns the adapter of a game by its name, as `--game` and files have it."""
    found: type[Game] = core_game.find(name).part("app")
    return found


def adapter_of(env: Any) -> Game:
    """Returns the adapter of the game of an environment."""
    kind = adapter(core_game.of(env).name)
    return kind(kind.load_rules(env.rules), env)

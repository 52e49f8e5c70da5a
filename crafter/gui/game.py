"""What the window has to know of a game.

Everything else in this package knows no game: each one brings a `Game` and a `Maker` of
its own, as `of_crafter` and `make_crafter` do for Crafter; `games` lists them.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.core.pictures import Pack
from crafter.gui.keys import readable
from crafter.gui.status import Facts

#: Something that happened, as `crafter.core.events` describes it.
Event = Mapping[str, Any]
Color = tuple[int, int, int]
Cell = tuple[int, int]


class Tier(NamedTuple):
    """Achievements that stand together in the panel, with a title if there are more."""

    title: str
    names: tuple[str, ...]


class Form(NamedTuple):
    """Where things lie in the panel of a game, in pixels at scale 1.

    Attributes:
      size: (width, height) of the panel.
      goals: Where the first of the goals lies: y.
      vitals: Where the first row of vitals lies, and how far the next is: y, height.
      achievements: Where their title lies, and their lines: x, y, width, height.
      groups: Where the first group begins, and where the last one ends: y, y.
    """

    size: tuple[int, int]
    goals: float
    vitals: tuple[float, float]
    achievements: tuple[float, float, float, float]
    groups: tuple[float, float]


class Entry(NamedTuple):
    """A line of the menu: an action, what it does now, and whether it would work."""

    action: str
    text: str
    ready: bool


class Menu(NamedTuple):
    """Lines of the menu below a title."""

    title: str
    entries: tuple[Entry, ...]


class Sight(NamedTuple):
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
class Chart:
    """How the map of a game is drawn of what the player has seen of it.

    Attributes:
      floors: Names of the floors.
      size: Rows and columns of a floor.
      layers: How many numbers describe a cell.
      look: From a moment to what is seen.
      player: From a moment to the cell (row, column) of the player.
      draw: From a texture pack and the cells of a floor, uint8 of shape (rows,
        columns, layers), to a picture, uint8 of shape (height, width, 3).
    """

    floors: tuple[str, ...]
    size: Cell
    layers: int
    look: Callable[[Any], Sight]
    player: Callable[[Any], Cell]
    draw: Callable[[Pack, np.ndarray], np.ndarray]


@dataclasses.dataclass(frozen=True)
class Game:
    """What the window has to know of a game.

    Attributes:
      key: Its name in recorded and saved files.
      name: What it is called.
      goal: What it is about, in a few paragraphs.
      action_names: Names of the actions, by number.
      actions: Key -> action; of several held keys the first counts.
      items: What recordings count, besides achievements.
      tiers: The achievements, as columns of the panel; one without a title is split.
      achievements: Names of the achievements, in the order of the game.
      form: Where things lie in the panel.
      colors: Vital -> colour of its bar.
      icon: Textures of the icon of the window, laid one over the other.
      names: Action -> what it is called, where its own name says too little.
      recipes: Action that builds something -> what it takes.
      victory: What is said to a player who has won.
      least_pixels: Least width and height of a cell of pictures.
      idles: Whether who sleeps or rests can do nothing at all; else what is wanted in
        the step of waking up is done.
      chart: How its map is drawn.
      cells: From an environment to the columns and rows of its pictures.
      length: From an environment to its step limit, or None.
      greet: From an environment that was just reset to what is printed of it.
      limits: From the amounts of a moment to the largest amounts of the vitals.
      facts: From amounts, the moment (None where only amounts are known), and what the
        player has learned to what the panel tells.
      learn: From a moment to what the player has just learned: name -> text.
      tell: From what happened in a step and the moment after it to sentences: what
        failed and why, what hurts, what is low.
      death: From the causes of a death to a sentence.
      possible: From a moment to the achievements that an action would serve now, and
        the action.
      menu: From a moment and what the player has learned to the menu; empty for none.
    """

    key: str
    name: str
    goal: Sequence[str]
    action_names: Sequence[str]
    actions: Mapping[str, str]
    items: Sequence[str]
    tiers: Sequence[Sequence[Tier]]
    achievements: Sequence[str]
    form: Form
    colors: Mapping[str, Color]
    icon: Sequence[str]
    names: Mapping[str, str]
    recipes: Mapping[str, str]
    victory: str
    least_pixels: int
    idles: bool
    chart: Chart
    cells: Callable[[Any], tuple[int, int]]
    length: Callable[[Any], int | None]
    greet: Callable[[Any], str]
    limits: Callable[[Mapping[str, float]], dict[str, int]]
    facts: Callable[[Mapping[str, float] | None, Any, Mapping[str, str]], Facts]
    learn: Callable[[Any], dict[str, str]]
    tell: Callable[[Sequence[Event], Any], list[str]]
    death: Callable[[Sequence[str]], str]
    possible: Callable[[Any], dict[str, str]]
    menu: Callable[[Any, Mapping[str, str]], Sequence[Menu]]

    def name_of(self, action: str) -> str:
        """Returns what an action is called."""
        return self.names.get(action, readable(action))


@dataclasses.dataclass(frozen=True)
class Maker:
    """How games are made: from the options of the command line, and from files.

    Attributes:
      key: Name of the game in recorded files, and as `--game`.
      picture: Largest size of the picture, if no other is asked for.
      least_pixels: Least width and height of a cell of pictures.
      check: Ends the program if options do not fit the game, and fills in the others.
      rules: From the option `--rules` to the rules.
      describe: From rules to what a window has to know.
      describe_env: Likewise, from an environment.
      environment: From the options to an environment whose actions are explained.
      resume: From a saved game, rules and a folder of textures to an environment in
        which it goes on.
      textures: From a folder, or None, to the texture pack.
    """

    key: str
    picture: tuple[int, int]
    least_pixels: int
    check: Callable[[argparse.ArgumentParser, argparse.Namespace], None]
    rules: Callable[[Any], Any]
    describe: Callable[[Any], Game]
    describe_env: Callable[[Any], Game]
    environment: Callable[[argparse.Namespace], Any]
    resume: Callable[[Mapping[str, np.ndarray], Any, str | os.PathLike | None], Any]
    textures: Callable[[str | os.PathLike | None], Pack]

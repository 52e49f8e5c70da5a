"""What the window has to know of a game.

Everything else in this package knows no game: each one brings a `Game` of its own, as
`crafter.gui.of_crafter` does for Crafter.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crafter.gui.keys import readable

#: Something that happened, as `crafter.events` describes it.
Event = Mapping[str, Any]
Color = tuple[int, int, int]


@dataclasses.dataclass(frozen=True)
class Game:
    """What the window has to know of a game.

    Attributes:
      name: What it is called.
      goal: What it is about, in a few paragraphs.
      actions: Key -> action; of several held keys the first counts.
      colors: Vital -> colour of its bar.
      icon: Textures of the icon of the window, laid one over the other.
      names: Action -> what it is called, where its own name says too little.
      recipes: Action that builds something -> what it takes.
      tell: From what happened in a step and the moment after it to sentences: what
        failed and why, what hurts, what is low.
      death: From the causes of a death to a sentence.
      possible: From a moment to the achievements that an action would serve now, and
        the action.
    """

    name: str
    goal: Sequence[str]
    actions: Mapping[str, str]
    colors: Mapping[str, Color]
    icon: Sequence[str]
    names: Mapping[str, str]
    recipes: Mapping[str, str]
    tell: Callable[[Sequence[Event], Any], list[str]]
    death: Callable[[Sequence[str]], str]
    possible: Callable[[Any], dict[str, str]]

    def name_of(self, action: str) -> str:
        """Returns what an action is called."""
        return self.names.get(action, readable(action))

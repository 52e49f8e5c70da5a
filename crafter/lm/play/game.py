"""What the text interface has to know of a game.

Everything else in this package knows no game: each one brings a `Game` of its own, as
`crafter.games.crafter.text.game` does for Crafter.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from typing import Any

from crafter.lm.rendering.perceive import Eye
from crafter.lm.rendering.situation import Situation
from crafter.lm.rendering.words import Words


@dataclasses.dataclass(frozen=True)
class Game:
    """What the text interface has to know of a game.

    Attributes:
      name: Name of the game, as its environment has it.
      title: What it is called in sentences.
      env_class: Class of its environment.
      load: From a source of rules to the rules; `None` is the source of the published
        ones.
      data: From rules to what a log keeps of them, or `None` for the published ones.
      restore: From what `data` returned to the rules.
      make_env: Makes an environment with events: seed, rules.
      rules_of: From an environment to its rules.
      words: From rules to the words.
      eye: What sees its snapshots.
      hints: From an observation to the actions that would have an effect.
      rules_text: From words, a level and what to hide to the rules as text.
      tutorial: From words to a worked route as text.
      cells: From an environment to the (columns, rows) of its picture.
      length: From an environment to the steps of an episode, or `None`.
      score: Main score of its games, a name of `crafter.lm.runs.scores`.
      published: From an environment to the text of the published game, if it has one:
        the format `craftax`.
    """

    name: str
    title: str
    env_class: type
    load: Callable[[Any], Any]
    data: Callable[[Any], Any]
    restore: Callable[[Any], Any]
    make_env: Callable[[int, Any], Any]
    rules_of: Callable[[Any], Any]
    words: Callable[[Any], Words]
    eye: type[Eye]
    hints: Callable[[Situation], tuple[str, ...]]
    rules_text: Callable[[Words, str, Collection[str]], str]
    tutorial: Callable[[Words], str]
    cells: Callable[[Any], tuple[int, int]]
    length: Callable[[Any], int | None]
    score: str
    published: Callable[[Any], str] | None = None

"""Names of craftaxlm and ours."""

from __future__ import annotations

from typing import Any, NamedTuple

from crafter.games.craftax.text.book import FOLDER
from crafter.lm import game
from crafter.lm.rendering.words import load

TABLE: dict[str, Any] = load("craftaxlm", FOLDER)


class Names(NamedTuple):
    """What craftaxlm calls things of a game, in its order.

    Attributes:
      achievements: Our names of the achievements, in the order of craftaxlm.
      actions: Our names of the actions, by index, which is the same in both.
    """

    achievements: tuple[str, ...]
    actions: tuple[str, ...]


FULL = Names(tuple(TABLE["full_achievements"]), tuple(TABLE["full_actions"]))
_CLASSIC = game.find("crafter").words().book
CLASSIC = Names(FULL.achievements[: len(_CLASSIC.achievements)], _CLASSIC.actions)


def to_title(name: str) -> str:
    """Returns the name of an achievement as craftaxlm writes it.

    Example:
      >>> to_title("collect_wood")
      'Collect Wood'
    """
    return name.replace("_", " ").title()


def from_title(title: str) -> str:
    """Returns our name of an achievement of craftaxlm, of either game.

    Raises:
      ValueError: If there is no such achievement.

    Example:
      >>> from_title("Collect Wood"), from_title("Enter Dungeon")
      ('collect_wood', 'enter_dungeon')
    """
    name = title.strip().replace(" ", "_").lower()
    if name not in FULL.achievements:
        titles = [to_title(known) for known in FULL.achievements]
        raise ValueError(f"Unknown achievement {title!r}; there are {titles}.")
    return name

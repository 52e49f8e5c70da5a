"""Names and tables of craftaxlm."""

from __future__ import annotations

from typing import Any, NamedTuple

from crafter.games.craftax.text.book import FOLDER
from crafter.lm import game
from crafter.lm.rendering.words import load

TABLE: dict[str, Any] = load("craftaxlm", FOLDER)


class Names(NamedTuple):
    """Names of craftaxlm for the things of a game, in its order.

    Attributes:
      achievements: Our names of the achievements, in the order of craftaxlm.
      actions: Our names of the actions, by index, which is the same in both.
    """

    achievements: tuple[str, ...]
    actions: tuple[str, ...]

    def titles(self) -> dict[int, str]:
        """Returns index -> title of an achievement."""
        return {index: to_title(name) for index, name in enumerate(self.achievements)}

    def mapping(self) -> dict[str, int]:
        """Returns name of craftaxlm -> index of an action."""
        moves = TABLE["moves"]
        return {moves.get(name, name): n for n, name in enumerate(self.actions)}


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
        titles = list(FULL.titles().values())
        raise ValueError(f"Unknown achievement {title!r}; there are {titles}.")
    return name


def mob_id_to_name(id: int) -> str | None:
    """Returns the name of a creature or projectile of the larger game.

    Args:
      id: Its number, 0 to 39.

    Returns:
      The name, or `None` if no creature has the number.

    Example:
      >>> mob_id_to_name(0), mob_id_to_name(17), mob_id_to_name(12)
      ('Zombie', 'Gnome Archer', None)
    """
    mobs = {
        first + n: m for first, row in TABLE["mobs"].items() for n, m in enumerate(row)
    }
    return mobs.get(id)


FULL = Names(tuple(TABLE["full_achievements"]), tuple(TABLE["full_actions"]))
_MOBS: dict[int, str] = {
    number: name
    for first, names in TABLE["mobs"].items()
    for number, name in enumerate(names, first)
}
_CLASSIC = game.find("crafter").words().book
CLASSIC = Names(FULL.achievements[: len(_CLASSIC.achievements)], _CLASSIC.actions)

CRAFTAX_CLASSIC_ACHIEVEMENTS = CLASSIC.titles()
CRAFTAX_CLASSIC_ACTION_MAPPING = CLASSIC.mapping()
CRAFTAX_FULL_ACHIEVEMENTS = FULL.titles()
CRAFTAX_FULL_ACTION_MAPPING = FULL.mapping()

_SALIENCE: dict[str, dict[str, list[str]]] = TABLE["salience"]
CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES = _SALIENCE["classic"]["backdrop"]
CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS = _SALIENCE["classic"]["low_objects"]
CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS = _SALIENCE["classic"]["high_objects"]
CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS = _SALIENCE["classic"]["high_mobs"]
CRAFTAX_FULL_BACKDROP_BLOCK_TYPES = _SALIENCE["full"]["backdrop"]
CRAFTAX_FULL_LOW_SALIENCE_OBJECTS = _SALIENCE["full"]["low_objects"]
CRAFTAX_FULL_HIGH_SALIENCE_OBJECTS = _SALIENCE["full"]["high_objects"]
CRAFTAX_FULL_LOW_SALIENCE_ITEMS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_ITEMS = _SALIENCE["full"]["high_items"]
CRAFTAX_FULL_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_MOBS = list(dict.fromkeys(_MOBS.values()))

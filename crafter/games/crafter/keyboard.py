"""Key bindings for `gymnasium.utils.play`, which knows keys by one character.

Source:
  Crafter 1.8.3 for the keys of its actions.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Key -> action, in the default rules. There is no key for noop.
KEYS: dict[str, str] = {
    "a": "move_left",
    "d": "move_right",
    "w": "move_up",
    "s": "move_down",
    " ": "do",
    "\t": "sleep",
    "r": "place_stone",
    "t": "place_table",
    "f": "place_furnace",
    "p": "place_plant",
    "1": "make_wood_pickaxe",
    "2": "make_stone_pickaxe",
    "3": "make_iron_pickaxe",
    "4": "make_wood_sword",
    "5": "make_stone_sword",
    "6": "make_iron_sword",
}
#: Keys for actions that other rules have, in the order of the actions.
_SPARE = "7890zxcvbgyuijkloqehnm"


def keys_to_action(actions: Sequence[str]) -> dict[tuple[str], int]:
    """Returns the keys of actions.

    Args:
      actions: Names of the actions, by number.

    Returns:
      Key -> number of the action; actions beyond the spare keys have none.

    Example:
      >>> keys_to_action(["noop", "do", "make_diamond_sword"])
      {(' ',): 1, ('7',): 2}
    """
    usual = {action: key for key, action in KEYS.items()}
    spare = iter(_SPARE)
    keys: dict[tuple[str], int] = {}
    for number, action in enumerate(actions):
        key = usual.get(action) or (None if action == "noop" else next(spare, None))
        if key is not None:
            keys[key,] = number
    return keys

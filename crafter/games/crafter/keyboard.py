"""Key bindings for `gymnasium.utils.play`, which knows keys by one character.

Source:
  Crafter 1.8.3 for the keys of its actions.
"""

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

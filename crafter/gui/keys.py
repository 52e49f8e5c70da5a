"""Which key does what.

Keys are named as `pygame.key.key_code` reads them.

Source:
  Crafter 1.8.3 for the keys of the actions; the commands are additions.
"""

from collections.abc import Iterable
from typing import NamedTuple

#: Key -> action, in the default rules. There is no key for noop.
ACTIONS: dict[str, str] = {
    "a": "move_left",
    "d": "move_right",
    "w": "move_up",
    "s": "move_down",
    "space": "do",
    "tab": "sleep",
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
_SPARE = ("7", "8", "9", "0", *"zxcvbgyuijkloqe")


def bindings(actions: Iterable[str]) -> dict[str, str]:
    """Returns the keys of actions.

    Those of the default rules have their usual ones, the others spare ones. Actions
    beyond these have none.

    Args:
      actions: Names of the actions.

    Returns:
      Key -> action.

    Example:
      >>> bindings(["noop", "do", "make_wood_sword", "make_diamond_sword"])
      {'space': 'do', '4': 'make_wood_sword', '7': 'make_diamond_sword'}
    """
    names = list(actions)
    usual = {key: action for key, action in ACTIONS.items() if action in names}
    others = [n for n in names if n not in ACTIONS.values() and n != "noop"]
    return {**usual, **dict(zip(_SPARE, others))}


class Command(NamedTuple):
    """Something a key does besides playing."""

    name: str
    keys: tuple[str, ...]
    label: str  # the keys as people read them
    help: str


_QUIT = Command("quit", ("escape",), "Esc", "Quit")
_SHARED = (
    Command("faster", ("+", "=", "[+]"), "+", "Faster"),
    Command("slower", ("-", "[-]"), "-", "Slower"),
    Command("toggle_panel", ("f2",), "F2", "Side panel on or off"),
    Command("screenshot", ("f12",), "F12", "Save a picture of the window"),
    Command("toggle_help", ("h", "f1"), "H, F1", "Help on or off"),
    _QUIT,
)

#: Commands while playing.
GAME: tuple[Command, ...] = (
    Command("toggle_pause", ("return", "pause"), "Return", "Pause or resume"),
    Command("single_step", ("n",), "N", "One step, while paused"),
    Command("save", ("f5",), "F5", "Save the game"),
    Command("load", ("f9",), "F9", "Load the saved game"),
    *_SHARED,
)

#: Commands while a recorded episode is played back.
REPLAY: tuple[Command, ...] = (
    Command("toggle_pause", ("return", "pause", "space"), "Space", "Pause or resume"),
    Command("single_step", ("n",), "N", "One step, while paused"),
    Command("back", ("left",), "Left", "One step back, and pause"),
    Command("forward", ("right",), "Right", "One step on, and pause"),
    Command("far_back", ("page up",), "Page up", "50 steps back"),
    Command("far_forward", ("page down",), "Page down", "50 steps on"),
    Command("first", ("home",), "Home", "To the beginning"),
    Command("last", ("end",), "End", "To the end"),
    *_SHARED,
)


def readable(name: str) -> str:
    """Returns the name of an action, achievement or item in words.

    Example:
      >>> readable("make_wood_pickaxe")
      'Make wood pickaxe'
    """
    return name.replace("_", " ").capitalize()

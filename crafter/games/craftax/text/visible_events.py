"""Events of Craftax as far as the player notices them.

What happens in the dark is not told, unless it shows in the inventory, in the vitals or
in that the player does not move; then it is not told what did it.
"""

from __future__ import annotations

from typing import Any

from crafter.core.grid import distance
from crafter.games.craftax.text.book import ALIKE
from crafter.lm.rendering.facts import DARKNESS, Event, within
from crafter.lm.rendering.perception import DARK, Moment
from crafter.lm.rendering.words import Words

#: Reasons that say what is in front.
_ABOUT_FRONT = frozenset(
    [
        *("no_tool", "bad_target", "occupied", "nothing_there", "off_the_map"),
        *("unripe", "no_table", "boss_protected"),
    ]
)
#: Events that show wherever they happen.
FELT = frozenset(["blocked", "collected", "opened", "ate", "placed", "entered"])
#: Events of the sky, and of the overworld: nothing of them shows below.
_ABOVE = frozenset(["dusk", "dawn", "plant_ripe"])


def told(shown: Event, event: Event, moment: Moment, words: Words) -> Event | None:
    """Returns an event without what cannot be seen; `None` if nothing of it can.

    Args:
      shown: The event with places relative to the player.
      event: The event as it was recorded.
      moment: What is seen after the step.
      words: The words of the game.
    """
    kind, snapshot = event["type"], moment.snapshot
    if kind in _ABOVE and snapshot.level:
        return None
    shown = {name: _plain(value) for name, value in shown.items()}
    place = shown.get("dx", 0), shown.get("dy", 0)
    is_dark = within(place, moment.rows) in DARK
    if kind == "rejected":
        return _rejected(shown, event, moment, words)
    if kind == "hurt":
        seen = _is_seen(shown["by"], moment, words)
        shown["by"] = [shown["by"] if seen else "unseen"]
    elif kind == "entered":
        shown = {**shown, "name": snapshot.floor}
        del shown["dx"], shown["dy"]
    elif kind == "died":
        del shown["by"]
    elif kind == "blocked" and is_dark:
        shown["by"] = "something"
    elif kind == "placed" and is_dark:
        shown["on"] = DARKNESS
    return shown


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return ALIKE.get(value, value)
    if isinstance(value, float):
        value = round(value, 1)
        return int(value) if value == int(value) else value
    return value


def _is_seen(by: str, moment: Moment, words: Words) -> bool:
    """Returns whether the player sees what hurt it."""
    if by in words.creatures:
        things = moment.things
        return any(t.kind == by and distance(t.offset) <= 1 for t in things)
    return by not in words.dangers or within((0, 0), moment.rows) not in DARK


def _rejected(shown: Event, event: Event, moment: Moment, words: Words) -> Event | None:
    reason, missing = event["reason"], event["missing"]
    if reason in ("asleep", "resting"):
        return None  # told with the state
    potions = words.groups["potions"]
    named = {
        f"potion_{n}" if f"potion_{n}" in potions else n: k for n, k in missing.items()
    }
    if reason == "no_tool":  # a pickaxe that is some tiers better
        tiers = words.rules.data["inventory"]["pickaxe"]["tiers"]
        tier = int(moment.snapshot.inventory["pickaxe"]) + missing["pickaxe"]
        named = {f"{tiers[tier]}_pickaxe": 1}
    if reason == "ladder_shut":
        named = {}
    if moment.front == DARKNESS and reason in _ABOUT_FRONT:
        reason, named = "unseen", {}
    return shown | {"reason": reason, "missing": named}

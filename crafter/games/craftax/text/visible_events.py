"""Events of Craftax as far as the player notices them.

What happens in the dark is not told, unless it shows in the inventory, in the vitals or
in that the player does not move; then it is not told what did it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crafter.games.craftax.tables import Tables
from crafter.games.craftax.text.book import ALIKE
from crafter.lm.rendering.facts import (
    DARKNESS,
    FACINGS,
    OUTSIDE,
    UNCLEAR,
    Event,
    Offset,
    within,
)
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.words import Words

_DARK = (None, UNCLEAR, DARKNESS)
_SOMETHING = "something"
#: Reasons that say what is in front.
_ABOUT_FRONT = frozenset(
    [
        *("no_tool", "bad_target", "occupied", "nothing_there", "off_the_map"),
        *("unripe", "no_table", "boss_protected"),
    ]
)
#: Events that show wherever they happen.
_FELT = frozenset(["blocked", "collected", "opened", "ate", "placed", "entered"])
#: Events of the sky, and of the overworld: nothing of them shows below.
_ABOVE = frozenset(["dusk", "dawn", "plant_ripe"])
_LEFT_OUT = frozenset(["type", "slot", "left", "absorbed", "first", "at", "frm", "to"])


class VisibleEvents:
    """Events of the latest step as the player could see them.

    Args:
      moment: What is seen after the step.
      words: The words of the game.
      offset: From a position and a centre to the cells to the right and down.
    """

    def __init__(
        self, moment: Moment, words: Words, offset: Callable[..., Offset]
    ) -> None:
        self._moment, self._snapshot = moment, moment.snapshot
        self._words, self._offset = words, offset
        self._tables: Tables = words.rules

    def event(self, event: Event) -> Event | None:
        """Returns an event without what cannot be seen; `None` if nothing of it can."""
        kind = event["type"]
        if kind in _ABOVE and self._snapshot.level:
            return None
        place = event.get("frm") if kind == "shot" else event.get("at")
        shown: Event = {"t": self._snapshot.step, "type": kind}
        if place is not None and kind != "entered":
            dx, dy = self._offset(place, self._snapshot.position)
            known = kind in _FELT or (kind == "shot" and event["by"] == "player")
            if self._at((dx, dy)) in _DARK and not known:
                return None
            shown |= {"dx": dx, "dy": dy}
        for name, value in event.items():
            if name not in _LEFT_OUT:
                shown[name] = self._told(name, value)
        change = getattr(self, f"_{kind}", None)
        return change(shown, event) if change else shown

    def _at(self, offset: Offset) -> str | None:
        return within(offset, self._moment.rows)

    def _told(self, name: str, value: Any) -> Any:
        if name in ("facing", "direction"):
            return FACINGS.get((value[1], value[0]))
        if isinstance(value, str):
            return ALIKE.get(value, value)
        if isinstance(value, float):
            value = round(value, 1)
            return int(value) if value == int(value) else value
        return value

    # What single types of events need.

    def _moved(self, shown: Event, event: Event) -> Event:
        step = self._offset(event["to"], event["frm"])
        return shown | {"direction": FACINGS[step], "onto": self._at((0, 0)) or OUTSIDE}

    def _entered(self, shown: Event, event: Event) -> Event:
        return shown | {"name": self._snapshot.floor, "frm": event["frm"]}

    def _blocked(self, shown: Event, event: Event) -> Event:
        offset = shown["dx"], shown["dy"]
        return shown | ({"by": _SOMETHING} if self._at(offset) in _DARK else {})

    def _placed(self, shown: Event, event: Event) -> Event:
        offset = shown["dx"], shown["dy"]
        return shown | ({"on": DARKNESS} if self._at(offset) in _DARK else {})

    def _vital(self, shown: Event, event: Event) -> Event:
        return shown | {"frm": event["frm"], "to": event["to"]}

    def _levelled_up(self, shown: Event, event: Event) -> Event:
        return shown | {"to": event["to"]}

    def _hurt(self, shown: Event, event: Event) -> Event:
        by = shown["by"]
        if by in self._words.creatures:
            near = (t for t in self._moment.things if t.kind == by)
            seen = any(abs(t.dx) + abs(t.dy) <= 1 for t in near)
        else:
            seen = by not in self._words.dangers or self._at((0, 0)) not in _DARK
        return shown | {"by": [by if seen else "unseen"]}

    def _died(self, shown: Event, event: Event) -> Event:
        return {"t": shown["t"], "type": "died"}

    def _rejected(self, shown: Event, event: Event) -> Event | None:
        reason, front = event["reason"], self._moment.front
        if reason in ("asleep", "resting"):
            return None  # told with the state
        missing = {self._item(n): short for n, short in event["missing"].items()}
        if reason == "no_tool":
            missing = {self._pickaxe(event["missing"]["pickaxe"]): 1}
        if reason == "ladder_shut":
            missing = {}
        if front == DARKNESS and reason in _ABOUT_FRONT:
            reason, missing = "unseen", {}
        return shown | {"reason": reason, "missing": missing, "front": front}

    def _item(self, name: str) -> str:
        potion = f"potion_{name}"
        return potion if potion in self._words.groups["potions"] else name

    def _pickaxe(self, short: int) -> str:
        """Returns the pickaxe that is some tiers better than the player's."""
        tiers = self._tables.data["inventory"]["pickaxe"]["tiers"]
        owned = int(self._snapshot.inventory["pickaxe"])
        return f"{tiers[owned + short]}_pickaxe"

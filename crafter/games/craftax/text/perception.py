"""From a snapshot of Craftax to what its picture shows.

What the light does not reach is black in the picture: cells, creatures, and whoever
strikes from there. Below the overworld the edge of the world is as black.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from crafter.games.craftax.snapshot import MobRecord, Snapshot
from crafter.games.craftax.text import book
from crafter.games.craftax.text.book import ALIKE
from crafter.games.craftax.text.visible_cells import Sight
from crafter.lm.rendering.facts import FACINGS, Event, Offset, Rows, Thing, distance
from crafter.lm.rendering.perceive import NEAR, Eye, Moment, dimmed
from crafter.lm.rendering.situation import name_at
from crafter.lm.rendering.words import DARKNESS, OUTSIDE, Words


class CraftaxEye(Eye):
    """Sees what the player of Craftax sees; arguments as for `Eye`."""

    def __init__(self, words: Words, night: str = "as_seen") -> None:
        super().__init__(words, night)
        self._tables = tables = words.rules
        self._dim: float = tables.data["view"]["dim"]
        self._capacity = {
            **{name: row["max"] for name, row in tables.data["inventory"].items()},
            **dict.fromkeys((*words.tools, *words.groups["armour"]), 1),
        }
        potions = tables.data["inventory"]["potions"]["max"]
        self._capacity |= dict.fromkeys(words.groups["potions"], potions)

    def look(self, snapshot: Snapshot) -> Moment:
        """Returns what is seen in a snapshot."""
        dark = self._unlit(snapshot)
        rows = self._ground(snapshot, dark)
        seen = tuple(t for t in self._things(snapshot) if t.offset not in dark)
        below = snapshot.level > 0
        light = 1.0 if below or not self._as_seen else snapshot.daylight
        hidden = self._hidden(rows, light)
        shown = dimmed(rows, hidden)
        visible = self._visible(rows, seen, hidden)
        facing = snapshot.facing[1], snapshot.facing[0]
        inventory = self._inventory(snapshot)
        return Moment(
            snapshot=snapshot,
            rows=shown,
            things=visible,
            dangers=self._dangers(snapshot, dark | hidden),
            finds=self._found(snapshot, shown),
            front=name_at(facing, shown, visible, self._words),
            facing=FACINGS[facing],
            inventory=inventory,
            limits={**self._capacity, **snapshot.maxima},
            daylight=None if below else snapshot.daylight,
            resting=snapshot.resting,
            status=self._status(snapshot),
        )

    def privileged(self, snapshot: Snapshot) -> dict[str, Any]:
        """Returns what players cannot see."""
        creatures = [
            {
                "kind": record.name,
                "position": list(record.position),
                "health": round(record.health, 2),
            }
            for record in snapshot.mobs
            if record.direction is None
        ]
        names = ("hunger", "thirst", "fatigue", "recover", "recover_mana")
        return {
            "position": list(snapshot.position),
            "creatures": creatures,
            "monsters_killed": snapshot.monsters_killed,
            "boss_progress": snapshot.boss_progress,
            "counters": {name: getattr(snapshot, name) for name in names},
        }

    def _offset(self, position: Offset, centre: Offset) -> Offset:
        return position[1] - centre[1], position[0] - centre[0]

    def _noise(self, offset: Offset, rows: Rows) -> float:
        return math.hypot(*offset) / math.hypot(len(rows[0]) / 2, len(rows) / 2)

    # The map.

    def _unlit(self, snapshot: Snapshot) -> frozenset[Offset]:
        """Returns the cells that are too dark to be seen."""
        if not self._as_seen:
            return frozenset()
        lines, columns = (length // 2 for length in snapshot.light.shape)
        return frozenset(
            (col - columns, row - lines)
            for row, col in np.argwhere(snapshot.light <= self._dim).tolist()
        )

    def _ground(self, snapshot: Snapshot, dark: frozenset[Offset]) -> Rows:
        names = self._tables.block_names
        edge = DARKNESS if snapshot.level and self._as_seen else OUTSIDE
        lines, columns = (length // 2 for length in snapshot.blocks.shape)

        def told(number: int, cell: Offset) -> str:
            if not number:
                return edge
            if cell in dark:
                return DARKNESS
            name = names[number]
            if name == "necromancer" and snapshot.boss_vulnerable:
                return "necromancer_vulnerable"
            return ALIKE.get(name, name)

        return tuple(
            tuple(told(n, (x, y)) for x, n in enumerate(row, -columns))
            for y, row in enumerate(snapshot.blocks.tolist(), -lines)
        )

    def _things(self, snapshot: Snapshot) -> Iterator[Thing]:
        """Yields what stands, flies and lies in view; what matters most comes first."""
        for record in snapshot.mobs:
            dx, dy = self._offset(record.position, snapshot.position)
            facing = None
            if record.direction is not None:
                facing = FACINGS.get((record.direction[1], record.direction[0]))
            yield Thing(ALIKE.get(record.name, record.name), dx, dy, facing)
        lines, columns = (length // 2 for length in snapshot.items.shape)
        for y, row in enumerate(snapshot.items.tolist(), -lines):
            for x, number in enumerate(row, -columns):
                if number:
                    yield Thing(self._item(number, snapshot), x, y, flat=True)

    def _item(self, number: int, snapshot: Snapshot) -> str:
        name = self._tables.item_names[number]
        if name == "ladder_down" and not snapshot.ladder_open:
            return "ladder_down_blocked"
        return name

    # What matters.

    def _dangers(
        self, snapshot: Snapshot, hidden: frozenset[Offset]
    ) -> dict[Hashable, str]:
        near: dict[Hashable, str] = {}
        for record in snapshot.mobs:
            offset = self._offset(record.position, snapshot.position)
            visible = distance(offset) <= NEAR and offset not in hidden
            if visible and self._is_dangerous(record):
                key = record.kind, record.slot, record.name
                near[key] = ALIKE.get(record.name, record.name)
        return near

    def _is_dangerous(self, record: MobRecord) -> bool:
        own = record.kind == "player_projectiles"
        return not own and ALIKE.get(record.name, record.name) in self._words.dangers

    def _found(self, snapshot: Snapshot, rows: Rows) -> dict[Hashable, str]:
        row0, col0 = snapshot.corner
        return {
            (snapshot.level, row0 + y, col0 + x): name
            for y, row in enumerate(rows)
            for x, name in enumerate(row)
            if name in self._finds
        }

    # The player.

    def _inventory(self, snapshot: Snapshot) -> dict[str, int]:
        """Returns vitals and items as the picture shows them."""
        amounts = dict(snapshot.inventory)
        health = 0 if snapshot.dead else max(1, math.floor(amounts["health"]))
        told = {name: int(amounts[name]) for name in book.VITALS} | {"health": health}
        rows = self._tables.data["inventory"]
        for name, keys in self._tables.inventory_keys.items():
            for key in keys or (name,):
                told |= _items(key, rows[name], int(amounts[key]))
        return told

    @staticmethod
    def _status(snapshot: Snapshot) -> dict[str, Any]:
        return {
            "floor": {"number": snapshot.level, "name": snapshot.floor},
            "maxima": dict(snapshot.maxima),
            "resting": snapshot.resting,
            "attributes": {n: int(snapshot.inventory[n]) for n in book.ATTRIBUTES},
            "spells": list(snapshot.spells),
            "enchantments": dict(snapshot.enchantments),
        }

    # Events.

    def _event(self, event: Event, moment: Moment) -> Event | None:
        return Sight(moment, self._words, self._offset).event(event)


def _items(key: str, row: Any, amount: int) -> dict[str, int]:
    """Returns an amount as items: tools and armour have one for each tier."""
    if "tiers" not in row:
        return {key: amount}
    names = [key if tier == key else f"{tier}_{key}" for tier in row["tiers"][1:]]
    return {name: int(tier == amount) for tier, name in enumerate(names, 1)}

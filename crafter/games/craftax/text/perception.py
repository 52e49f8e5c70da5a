"""Perception of Craftax: what the picture shows of a snapshot.

What the light does not reach is black in the picture: cells, creatures, and whoever
strikes from there. Below the overworld the edge of the world is as black.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.text import book
from crafter.games.craftax.text.book import ALIKE
from crafter.games.craftax.text.visible_events import VisibleEvents
from crafter.lm.rendering.facts import (
    DARKNESS,
    FACINGS,
    OUTSIDE,
    Event,
    Offset,
    Rows,
    Thing,
    name_at,
)
from crafter.lm.rendering.perception import Moment, Perception, dimmed
from crafter.lm.rendering.words import Words


class CraftaxPerception(Perception):
    """Reads what the player of Craftax can see; arguments as for `Perception`."""

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
        inventory, (top, left) = self._inventory(snapshot), snapshot.corner
        return Moment(
            snapshot=snapshot,
            rows=shown,
            things=visible,
            dangers=self._near_dangers(self._creatures(snapshot), dark | hidden),
            finds=self._found(shown, left, top, snapshot.level),
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
        """Returns the cells that are too dark to see."""
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

    def _creatures(self, snapshot: Snapshot) -> Iterator[tuple[Hashable, str, Offset]]:
        """Yields key, name and offset of all that could be a danger."""
        for record in snapshot.mobs:
            if record.kind != "player_projectiles":
                key = record.kind, record.slot, record.name
                offset = self._offset(record.position, snapshot.position)
                yield key, ALIKE.get(record.name, record.name), offset

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
        return VisibleEvents(moment, self._words, self._offset).event(event)


def _items(key: str, row: Any, amount: int) -> dict[str, int]:
    """Returns an amount as items: tools and armour have one for each tier."""
    if "tiers" not in row:
        return {key: amount}
    names = [key if tier == key else f"{tier}_{key}" for tier in row["tiers"][1:]]
    return {name: int(tier == amount) for tier, name in enumerate(names, 1)}

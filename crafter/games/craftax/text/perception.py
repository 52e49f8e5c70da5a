"""Perception of Craftax: what the picture shows of a snapshot.

What the light does not reach is black in the picture: cells, creatures, and attackers
there. Below the overworld, the edge of the world is black, too. Events in the dark are
omitted, unless they show in the inventory, the vitals, or because the player is
blocked; then the cause is omitted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.core.grid import distance
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.text.words import ALIKE, ATTRIBUTES, VITALS, items
from crafter.lm.rendering import facts
from crafter.lm.rendering.facts import Event, Offset, Rows, Thing
from crafter.lm.rendering.perception import DARK, Moment, Perception
from crafter.lm.rendering.words import Words

#: Sky and overworld events, which are not visible below.
_ABOVE = frozenset(["dusk", "dawn", "plant_ripe"])
_COUNTERS = ("hunger", "thirst", "fatigue", "recover", "recover_mana")


class CraftaxPerception(Perception):
    """Reads what the player of Craftax can see; arguments as for `Perception`."""

    def __init__(self, words: Words, night: str = "as_seen") -> None:
        super().__init__(words, night)
        blocks = words.rules.block_names
        self._names = [*(ALIKE.get(name, name) for name in blocks), facts.DARKNESS]
        self._items = items(words.rules)
        rows, groups = words.rules.data["inventory"], words.groups
        self._limits = {
            **{name: row["max"] for name, row in rows.items()},
            **dict.fromkeys((*groups["tools"], *groups["armour"]), 1),
            **dict.fromkeys(groups["potions"], rows["potions"]["max"]),
        }

    def _view(self, snapshot: Snapshot) -> tuple[Rows, Iterator[Thing]]:
        rules, blocks = self._words.rules, snapshot.blocks
        dim = rules.dim if self._as_seen else -1
        names = self._names.copy()
        names[0] = facts.DARKNESS if snapshot.level and self._as_seen else facts.OUTSIDE
        if snapshot.boss_vulnerable:
            names[rules.block_ids["necromancer"]] = "necromancer_vulnerable"
        lit = snapshot.light > dim
        seen = np.where(lit | (blocks == 0), blocks, len(names) - 1)
        rows = Rows(tuple(map(names.__getitem__, row)) for row in seen.tolist())
        columns, lines = rows.middle
        things = self._things(snapshot)
        return rows, (t for t in things if lit[t.dy + lines, t.dx + columns])

    def _things(self, snapshot: Snapshot) -> Iterator[Thing]:
        """Yields creatures, projectiles and items in view, the most important first."""
        for mob in snapshot.mobs:
            offset = self._offset(mob.position, snapshot.position)
            facing = mob.direction and facts.FACINGS.get(
                self._offset(mob.direction, (0, 0))
            )
            is_own = mob.kind == "player_projectiles"
            key = None if is_own else (mob.kind, mob.slot, mob.name)
            yield Thing(ALIKE.get(mob.name, mob.name), *offset, facing, key=key)
        lines, columns = (length // 2 for length in snapshot.items.shape)
        ys, xs = snapshot.items.nonzero()
        for y, x in zip(ys.tolist(), xs.tolist()):
            name = self._words.rules.item_names[snapshot.items[y, x]]
            if name == "ladder_down" and not snapshot.ladder_open:
                name = "ladder_down_blocked"
            yield Thing(name, x - columns, y - lines, flat=True)

    def _moment_fields(self, snapshot: Snapshot) -> dict[str, Any]:
        return {
            "inventory": self._inventory(snapshot),
            "limits": {**self._limits, **snapshot.maxima},
            "daylight": None if snapshot.level else snapshot.daylight,
            "resting": snapshot.resting,
            "status": {
                "floor": {"number": snapshot.level, "name": snapshot.floor},
                "maxima": dict(snapshot.maxima),
                "resting": snapshot.resting,
                "attributes": {n: int(snapshot.inventory[n]) for n in ATTRIBUTES},
                "spells": list(snapshot.spells),
                "enchantments": dict(snapshot.enchantments),
            },
        }

    def _inventory(self, snapshot: Snapshot) -> dict[str, int]:
        """Returns vitals and items as shown in the picture.

        Tools and armour have one item per tier.
        """
        amounts = snapshot.inventory
        health = 0 if snapshot.dead else max(1, math.floor(amounts["health"]))
        inventory = {name: int(amounts[name]) for name in VITALS} | {"health": health}
        for key, tiers in self._items.items():
            amount = int(amounts[key])
            if not tiers:
                inventory[key] = amount
            for n, name in enumerate(tiers, 1):
                inventory[name] = int(n == amount)
        return inventory

    def privileged(self, snapshot: Snapshot) -> dict[str, Any]:
        """Returns information that players cannot see."""
        return {
            "position": list(snapshot.position),
            "creatures": [
                {
                    "kind": mob.name,
                    "position": list(mob.position),
                    "health": round(mob.health, 2),
                }
                for mob in snapshot.mobs
                if mob.direction is None
            ],
            "monsters_killed": snapshot.monsters_killed,
            "boss_progress": snapshot.boss_progress,
            "counters": {name: getattr(snapshot, name) for name in _COUNTERS},
        }

    def _offset(self, position: Offset, centre: Offset) -> Offset:
        return position[1] - centre[1], position[0] - centre[0]

    def _noise(self, offset: Offset, rows: Rows) -> float:
        return math.hypot(*offset) / math.hypot(len(rows[0]) / 2, len(rows) / 2)

    # Events.

    def _event(self, event: Event, moment: Moment) -> Event | None:
        shown = super()._event(event, moment)
        kind, snapshot = event["type"], moment.snapshot
        if shown is None or (kind in _ABOVE and snapshot.level):
            return None
        shown = {name: _plain(value) for name, value in shown.items()}
        place = shown.get("dx", 0), shown.get("dy", 0)
        is_dark = moment.rows.at(place) in DARK
        if kind == "rejected":
            return self._rejected(shown, event, moment)
        if kind == "hurt":
            seen = self._is_seen(shown["by"], moment)
            shown["by"] = [shown["by"] if seen else "unseen"]
        elif kind == "entered":
            shown = {**shown, "name": snapshot.floor}
            del shown["dx"], shown["dy"]
        elif kind == "died":
            del shown["by"]
        elif kind == "blocked" and is_dark:
            shown["by"] = "something"
        elif kind == "placed" and is_dark:
            shown["on"] = facts.DARKNESS
        return shown

    def _is_seen(self, by: str, moment: Moment) -> bool:
        """Returns whether the player sees what hurt it."""
        if by in self._words.creatures:
            things = moment.things
            return any(t.kind == by and distance(t.offset) <= 1 for t in things)
        return by not in self._words.dangers or moment.rows.at((0, 0)) not in DARK

    def _rejected(self, shown: Event, event: Event, moment: Moment) -> Event | None:
        reason, missing = event["reason"], event["missing"]
        if reason in ("asleep", "resting"):
            return None  # reported with the state
        potions = {
            name.removeprefix("potion_") for name in self._words.groups["potions"]
        }
        named = {f"potion_{n}" if n in potions else n: k for n, k in missing.items()}
        if reason == "no_tool":  # needs a pickaxe several tiers better
            tiers = self._words.rules.data["inventory"]["pickaxe"]["tiers"]
            tier = int(moment.snapshot.inventory["pickaxe"]) + missing["pickaxe"]
            named = {f"{tiers[tier]}_pickaxe": 1}
        if reason == "ladder_shut":
            named = {}
        if moment.front == facts.DARKNESS and reason in self._words["about_front"]:
            reason, named = "unseen", {}
        return shown | {"reason": reason, "missing": named}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return ALIKE.get(value, value)
    if isinstance(value, float):
        value = round(value, 1)
        return int(value) if value == int(value) else value
    return value

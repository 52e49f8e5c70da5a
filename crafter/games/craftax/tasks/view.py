"""Read-only view of Craftax for goals; cells are (row, column) of the current floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core.grid import Cell, cells_of, distance, mask_of, shift
from crafter.games.craftax import boss
from crafter.games.craftax.engine import Mob
from crafter.games.craftax.env import Env
from crafter.games.craftax.parameters import make
from crafter.games.craftax.rows import CLASSES
from crafter.games.craftax.rules import Rules

#: What it costs to cross a cell that has to be dug, or bridged with a stone.
_DIG, _BRIDGE = 3, 5


class Thing(NamedTuple):
    """A creature; `kind` is its species, such as `zombie`."""

    kind: str


class Body(NamedTuple):
    """The player after a step.

    Attributes:
      pos: Its cell.
      facing: Direction (rows, columns).
      vitals: Health, food, drink, energy and mana.
      sleeping: Whether it is asleep.
      executed: The action that the rules carried out last.
    """

    pos: Cell
    facing: Cell
    vitals: tuple[float, ...]
    sleeping: bool
    executed: str

    @property
    def target(self) -> Cell:
        """The cell that it faces; may lie outside the map."""
        return shift(self.pos, self.facing)


class TaskView:
    """What goals see of a game.

    Args:
      env: The environment, after its reset and with `events=True`.

    Attributes:
      hostile: Species that attack.
      rules: The rules of the game.
      world: The world.
      body: The player in it, as the game has it.
      player: The player after the latest step.
      start_pos: Its cell at the start.
      trail: How it stood at the start and after each step so far.
      tasted: Colours of the potions that it has drunk.
      memo: Where conditions keep what is expensive to find out again.

    Raises:
      ValueError: If the environment records no events, or its parameters are not the
        usual ones.
    """

    def __init__(self, env: Env) -> None:
        if not env.events:
            raise ValueError("An attempt needs an environment with events=True.")
        check_parameters(env)
        assert env.world is not None and env.player is not None
        self.rules, self.world, self.body = env.rules, env.world, env.player
        self._tables, self._view = env.tables, env.view
        data = env.tables.data["creatures"]
        self.hostile = (*data["melee"], *data["ranged"])
        self.memo: dict[Any, Any] = {}
        self.tasted: set[str] = set()
        tables = env.tables
        things = {*tables.block_names, *tables.item_names[1:], *tables.species_ids}
        self._unseen = [things] * len(tables.floors)
        self.player = self._stand()
        self.start_pos, self.trail = self.player.pos, [self.player]

    def _stand(self) -> Body:
        player = self.body
        vitals = tuple(getattr(player, name) for name in player.maxima)
        where = player.position, player.facing
        return Body(*where, vitals, player.sleeping, player.action)

    def advance(self, events: tuple[Mapping[str, Any], ...]) -> None:
        """Takes note of a step and its events."""
        self.tasted |= {e["colour"] for e in events if e["type"] == "potion"}
        self.player = self._stand()
        self.trail.append(self.player)

    @property
    def clock(self) -> int:
        """Steps on the clock of the day."""
        return self.world.timestep

    @property
    def daylight(self) -> float:
        """Brightness of the overworld from 0 (darkest) to 1 (noon)."""
        return self.world.light_level

    def zone(self, cell: Cell) -> None:
        """Returns `None`: events of the game itself say which floor is entered."""

    def amount(self, name: str) -> float:
        """Returns a number of the player or of its floor; see `language.NUMBERS`."""
        player, floor = self.body, self.body.floor
        facts: dict[str, float] = {
            "floor_number": player.level,
            "kills": floor.monsters_killed,
            "boss_hits": self.world.boss_progress,
            "spells": sum(player.learned_spells),
            "armour": sum(player.inventory["armour"]),
            "potions_known": len(self.tasted),
            "light": self.daylight,
            "glow": float(floor.light[player.position]),
        }
        return facts[name] if name in facts else player.amounts().get(name, 0)

    def knows(self, spell: str) -> bool:
        """Returns whether the player has learned a spell."""
        return self.body.learned_spells[self._tables.spells[spell].id]

    def element(self, piece: str) -> str | None:
        """Returns the enchantment of the sword, the bow or a piece of armour."""
        player, names = self.body, pieces(self.rules)
        weapons = player.sword_enchantment, player.bow_enchantment
        numbers = dict(zip(names, (*weapons, *player.armour_enchantments)))
        elements = {row.id: row.name for row in self._tables.elements.values()}
        return elements.get(numbers[piece])

    @property
    def floor(self) -> str:
        """Name of the floor of the player."""
        return self._tables.floor_names[self.body.level]

    @property
    def way_open(self) -> bool:
        """Whether enough monsters of the floor were killed for the way down."""
        needed: int = self._tables.data["ladders"]["monsters"]
        return self.body.floor.monsters_killed >= needed

    @property
    def boss_open(self) -> bool:
        """Whether the boss could be hit now."""
        return self.body.in_graveyard and boss.is_vulnerable(self.body)

    # What is where.

    def material(self, row: int, col: int) -> str | None:
        """Returns the block of a cell; `None` outside the map."""
        floor = self.body.floor
        if (row, col) not in floor:
            return None
        return self._tables.block_names[floor.block_map[row, col]]

    def mobs(self, *kinds: str) -> Iterator[tuple[str, Mob]]:
        """Yields the living creatures of the floor, or those of some kinds."""
        for group in CLASSES:
            for mob in getattr(self.body.floor, group):
                name = self._tables.species[group][mob.type].name
                if mob.alive and (not kinds or name in kinds):
                    yield name, mob

    def creatures(self, *kinds: str) -> set[Cell]:
        """Returns where creatures of some kinds are."""
        return {mob.position for _, mob in self.mobs(*kinds)}

    def object(self, row: int, col: int) -> Thing | None:
        """Returns the creature in a cell."""
        names = (name for name, mob in self.mobs() if mob.position == (row, col))
        return next(map(Thing, names), None)

    def shots(self) -> list[Cell]:
        """Returns where projectiles of creatures are."""
        flying = self.body.floor.mob_projectiles
        return [shot.position for shot in flying if shot.alive]

    def where(self, what: str, window: tuple[slice, ...]) -> np.ndarray:
        """Returns which cells of a window have a block, an item or a creature."""
        floor, tables = self.body.floor, self._tables
        if what in tables.block_ids:
            return np.equal(floor.block_map[window], tables.block_ids[what])
        if what in tables.item_ids:
            return np.equal(floor.item_map[window], tables.item_ids[what])
        return mask_of(floor.block_map.shape, self.creatures(what))[window]

    def crossing(self) -> np.ndarray:
        """Returns what it costs to cross each cell, creatures aside.

        Returns:
          int16 of the shape of a floor: 1 for open ground, more for what the player can
          dig with its pickaxe or bridge with its stones, 0 for what it cannot cross.
        """
        tables, player = self._tables, self.body
        prices = np.zeros(len(tables.block_names), np.int16)
        pickaxe, stones = player.inventory["pickaxe"], player.inventory["stone"]
        for block, barred in enumerate(tables.barred["land"]):
            rule = tables.collect.get(block)
            digs = rule and rule.leaves is not None and rule.pickaxe <= pickaxe
            if not barred:
                prices[block] = 1
            elif not tables.solid[block] and stones:
                prices[block] = _BRIDGE
            elif digs:
                prices[block] = _DIG
        costs: np.ndarray = prices[player.floor.block_map]
        return costs

    def view_cells(self) -> tuple[slice, slice]:
        """Returns the rows and columns of the floor that are in the view."""
        size = self.body.floor.size
        pairs = zip(self.player.pos, self._view)
        rows, cols = (
            slice(max(0, middle - n // 2), min(middle - n // 2 + n, size))
            for middle, n in pairs
        )
        return rows, cols

    def lit(self, what: str) -> np.ndarray:
        """Returns which cells in the view have something, and light to see it."""
        window = self.view_cells()
        bright = self.body.floor.light[window] > self._tables.dim
        return np.logical_and(self.where(what, window), bright)

    def sights(self, ground: bool = True) -> list[Mapping[str, Any]]:
        """Returns events for what is seen on the floor for the first time."""
        window, floor, tables = self.view_cells(), self.body.floor, self._tables
        bright, unseen = floor.light[window] > tables.dim, self._unseen[self.body.level]
        blocks, items = floor.block_map[window][bright], floor.item_map[window][bright]
        names = {tables.block_names[block] for block in set(blocks.tobytes())}
        names |= {tables.item_names[item] for item in set(items.tobytes())}
        names |= {name for name, _ in self.mobs()}
        events: list[Mapping[str, Any]] = []
        corner = window[0].start, window[1].start
        for name in sorted(names & unseen):
            if cells := [shift(cell, corner) for cell in cells_of(self.lit(name))]:
                nearest = min(cells, key=lambda cell: distance(cell, self.player.pos))
                events.append({"type": "saw", "what": name, "at": nearest})
        self._unseen[self.body.level] = unseen - {event["what"] for event in events}
        return events


def check_parameters(env: Env) -> None:
    """Raises ValueError if an environment has not the usual parameters."""
    if env.parameters != make(env.tables.data["parameters"], {}):
        raise ValueError(
            "Craftax tasks are played with the default parameters, such as map_size "
            "and god_mode; omit others."
        )


def pieces(rules: Rules) -> tuple[str, ...]:
    """Returns what can be enchanted: sword, bow, and the pieces of armour."""
    return ("sword", "bow", *rules.inventory["armour"]["each"])

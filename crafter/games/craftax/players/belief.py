"""Belief: a world built from the JSON observations so far.

The floors have the form that the game itself gives them. What was never seen is unknown
ground. The player knows where it is by counting its moves; on every floor it places
itself in the middle of a map large enough for any start.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.core.grid import shift
from crafter.games.craftax import parameters
from crafter.games.craftax.engine import Position, World
from crafter.games.craftax.player import Player
from crafter.games.craftax.players.scene import HOSTILE, MOVES
from crafter.games.craftax.tables import CLASSES, Tables
from crafter.games.craftax.text.book import amounts

#: What a cell is told to be that is not seen, and what is outside the map.
_UNCLEAR, _DARKNESS, _OUTSIDE = "unclear", "darkness", "outside"
_DARK = (_UNCLEAR, _DARKNESS)
#: Block that stands for what was never seen, and for what is known of it otherwise.
UNKNOWN, GROUND, WALL = "invalid", "path", "wall"
#: What the player is told of what it runs into in the dark.
_SOMETHING = "something"
_WAYS_DOWN = ("ladder_down", "ladder_down_blocked")
_NO_EFFECT = -1  # of a potion: nobody knows


class Belief:
    """A world as far as it is known.

    Args:
      tables: The rules.

    Attributes:
      tables: The rules.
      world: The world as far as it is known.
      player: The player in it.
      ladders: Floor -> cell of the ladder down, if it is known.
      arrivals: Floor -> cell of the ladder up, if it is known.
      bright: Numbers of the floors where all cells are lit.
      seen: For each floor, the cells that were in view, whatever they showed; bool of
        shape (size, size). Of dark floors only those that could be seen.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        usual = tables.data["parameters"]
        self._size: int = usual["map_size"]
        # Twice the size, since one may start anywhere on a floor.
        wide = parameters.make(usual, {"map_size": 2 * self._size})
        self.world = World(tables, wide)
        self.world.potion_mapping = [_NO_EFFECT] * len(self.world.potion_mapping)
        self.player = Player(self.world)
        self.ladders: dict[int, Position] = {}
        self.arrivals: dict[int, Position] = {}
        self.seen = np.zeros((len(tables.floors), wide.map_size, wide.map_size), bool)
        self.bright = _bright_floors(tables)
        self._species = {
            row.name: (kind, number)
            for kind in CLASSES
            for number, row in enumerate(tables.species[kind])
        }
        self._kills: int = tables.data["ladders"]["monsters"]
        self._shots = {row.name: n for n, row in enumerate(tables.projectiles)}

    def update(self, data: dict[str, Any]) -> None:
        """Reads an observation in its JSON form."""
        self.player.direction = self._direction(data["player"]["facing"])
        for event in data["events"]:
            read = getattr(self, f"_on_{event['type']}", None)
            if read is not None:
                read(event)
        self._read_player(data)
        self._read_view(data["view"])
        self._read_objects(data["objects"])
        self._mark_ladders()

    def _direction(self, name: str) -> int:
        return self.tables.direction_names.index(name) + 1

    # Thinking ahead.

    @contextlib.contextmanager
    def trying(self) -> Iterator[None]:
        """Takes back afterwards what was imagined."""
        player, floor = self.player, self.player.floor
        kept = player.row, player.col, player.direction, player.inventory["stone"]
        blocks = bytes(floor.blocks)
        try:
            yield
        finally:
            player.row, player.col, player.direction, stones = kept
            player.inventory["stone"] = stones
            floor.blocks[:] = blocks

    def imagine(self, action: str) -> bool:
        """Plays an action, and returns whether it is sure to work like this."""
        player, floor = self.player, self.player.floor
        barred = self.tables.barred["land"]
        if action in MOVES:
            player.direction = self._direction(action)
            row, col = player.target
            if floor.is_open(row, col, barred):
                player.row, player.col = row, col
            return player.target in floor and not floor.occupied_map[player.target]
        if floor.occupied_map[player.target]:
            return False
        if action == "place_stone":
            floor.block_map[player.target] = self.tables.block_ids["stone"]
            player.inventory["stone"] -= 1
            return True
        rule = self.tables.collect.get(int(floor.block_map[player.target]))
        if action != "do" or rule is None or rule.leaves is None:
            return False
        floor.block_map[player.target] = rule.leaves
        player.inventory["stone"] += rule.gives.get("stone", 0)
        return True

    # Events.

    def _on_moved(self, event: dict[str, Any]) -> None:
        player = self.player
        player.row, player.col = shift(player.position, MOVES[event["direction"]])
        self._mark(player.position, GROUND)

    def _on_blocked(self, event: dict[str, Any]) -> None:
        if event["by"] == _SOMETHING:
            self._mark(self._cell(event), WALL)

    def _on_entered(self, event: dict[str, Any]) -> None:
        player, down = self.player, event["floor"] > event["frm"]
        if down:
            self.ladders[player.level] = player.floor.down_ladder = player.position
        player.level = event["floor"]
        if down and player.level not in self.arrivals:
            self.arrivals[player.level] = self._middle
            player.floor.up_ladder = self._middle
        known = self.arrivals if down else self.ladders
        player.row, player.col = known[player.level]

    def _on_defeated(self, event: dict[str, Any]) -> None:
        if self._species[event["kind"]][0] in HOSTILE:
            self.player.floor.monsters_killed += 1

    def _on_opened(self, event: dict[str, Any]) -> None:
        self.player.floor.chest_opened = True

    def _on_potion(self, event: dict[str, Any]) -> None:
        data = self.tables.data
        colour = data["inventory"]["potions"]["each"].index(event["colour"])
        for number, effect in enumerate(data["potions"]["effects"]):
            if effect.get(event["name"], 0) * event["change"] > 0:
                self.world.potion_mapping[colour] = number

    # What is seen.

    @property
    def _middle(self) -> Position:
        return self.world.size // 2, self.world.size // 2

    def _cell(self, place: dict[str, Any]) -> Position:
        return shift(self.player.position, (place["dy"], place["dx"]))

    def _mark(self, cell: Position, name: str) -> None:
        """Notes what a cell must be, if nothing better is known."""
        floor = self.player.floor
        if cell in floor and floor.block_map[cell] == self.tables.block_ids[UNKNOWN]:
            floor.block_map[cell] = self.tables.block_ids[name]

    def _read_player(self, data: dict[str, Any]) -> None:
        player, tables = self.player, self.tables
        self.world.timestep = data["step"]
        if data["light"] is not None:
            self.world.light_level = data["light"]
        player.sleeping, player.resting = data["player"]["asleep"], data["resting"]
        has = {**data["inventory"], **data["vitals"], **data["attributes"]}
        player.own({**data["attributes"], **amounts(tables, has)})
        known = data["achievements"]
        player.achievements = [name in known for name in tables.achievement_names]
        spells = tables.data["spells"]
        player.learned_spells = [name in data["spells"] for name in spells]
        ids, told = (
            {e.name: e.id for e in tables.elements.values()},
            data["enchantments"],
        )
        player.sword_enchantment = ids.get(told.get("sword", ""), 0)
        player.bow_enchantment = ids.get(told.get("bow", ""), 0)

    def _read_view(self, view: dict[str, Any]) -> None:
        floor, legend = self.player.floor, view["legend"]
        row, col = self.player.position
        top, left = row - view["height"] // 2, col - view["width"] // 2
        for i, line in enumerate(view["rows"], top):
            for j, glyph in enumerate(line, left):
                if (i, j) in floor:
                    self._read_cell((i, j), legend[glyph])
        if self.player.level == 0:
            self._find_edges(view)

    def _read_cell(self, cell: Position, name: str) -> None:
        floor, level = self.player.floor, self.player.level
        if name == _OUTSIDE or (name == _DARKNESS and level in self.bright):
            name = WALL  # nobody can go where a lit floor is black
        if name in _DARK:
            return
        floor.block_map[cell] = self.tables.block_ids[name]
        floor.item_map[cell] = 0
        self.seen[level][cell] = True

    def _find_edges(self, view: dict[str, Any]) -> None:
        """Notes what lies beyond the edges in view: nothing."""
        seen, (row, col) = self.seen[0], self.player.position
        legend, rows = view["legend"], view["rows"]
        middle, size = view["height"] // 2, self._size
        up = [legend[line[view["width"] // 2]] for line in rows]
        left = [legend[glyph] for glyph in rows[middle]]
        for told, at, cells in ((up, row, seen), (left, col, seen.T)):
            half = len(told) // 2
            before = half - told[:half].count(_OUTSIDE)
            after = half - told[half:].count(_OUTSIDE)
            first, last = at - before, at + after
            if before < half:
                last = first + size - 1
            elif after < half:
                first = last - size + 1
            else:
                continue
            cells[:first] = cells[last + 1 :] = True

    def _read_objects(self, things: list[dict[str, Any]]) -> None:
        floor = self.player.floor
        for name in (*CLASSES, "mob_projectiles"):
            for mob in getattr(floor, name):
                mob.alive = False
        floor.occupied_map[:] = 0
        for thing in things:
            if thing["kind"] in self.tables.item_ids:
                self._read_item(thing)
            elif thing["kind"] in self._species:
                self._read_creature(thing)
            elif thing["kind"] in self._shots:
                self._read_shot(thing)

    def _read_item(self, item: dict[str, Any]) -> None:
        floor, name, cell = self.player.floor, item["kind"], self._cell(item)
        needed = self._kills
        if name in _WAYS_DOWN:
            self.ladders[self.player.level] = floor.down_ladder = cell
            killed = floor.monsters_killed
            is_open = name == "ladder_down"
            killed = max(killed, needed) if is_open else min(killed, needed - 1)
            floor.monsters_killed = killed
        floor.item_map[cell] = self.tables.item_ids[name]

    def _mark_ladders(self) -> None:
        """Notes the ladders of the floor, also that under the player."""
        floor, level = self.player.floor, self.player.level
        down = _WAYS_DOWN[floor.monsters_killed < self._kills]
        for known, item in ((self.ladders, down), (self.arrivals, "ladder_up")):
            if level in known:
                floor.item_map[known[level]] = self.tables.item_ids[item]

    def _read_creature(self, thing: dict[str, Any]) -> None:
        floor, cell = self.player.floor, self._cell(thing)
        kind, number = self._species[thing["kind"]]
        mob = _free(getattr(floor, kind))
        mob.row, mob.col = cell
        mob.health = self.tables.species[kind][number].health
        mob.type, mob.cooldown, mob.alive = number, 0, True
        floor.occupied_map[cell] = 1

    def _read_shot(self, thing: dict[str, Any]) -> None:
        drow, dcol = MOVES.get(thing.get("facing", ""), (0, 0))
        if thing["dy"] * drow + thing["dx"] * dcol > 0:
            return  # it flies away, and is perhaps the player's own
        shot = _free(self.player.floor.mob_projectiles)
        shot.row, shot.col = self._cell(thing)
        shot.drow, shot.dcol = drow, dcol
        shot.type, shot.alive = self._shots[thing["kind"]], True


def _bright_floors(tables: Tables) -> set[int]:
    """Returns the numbers of the floors where all cells are lit."""
    data = tables.data
    rows = {**data["terrain"]["floors"], **data["rooms"]["floors"]}
    names = tables.floor_names
    return {names.index(name) for name, row in rows.items() if row["light"] == 1}


def _free(slots: list[Any]) -> Any:
    """Returns a slot for one more; more than there are in the game take the last."""
    return next((slot for slot in slots if not slot.alive), slots[-1])

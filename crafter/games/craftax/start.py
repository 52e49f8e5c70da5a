"""Options of `Env.reset`: how an episode starts.

Options are fully validated before the environment changes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.core import clock, reset_options
from crafter.core.reset_options import (
    OptionsError as OptionsError,  # re-exported
)
from crafter.core.validation import (
    fail,
    integer,
    map_cell,
    mapping,
    number,
    one_of,
    raising,
    sequence,
)
from crafter.games.craftax import game
from crafter.games.craftax.engine import Position, World
from crafter.games.craftax.layouts import Layout, parse_floor
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import ATTRIBUTES
from crafter.games.craftax.tables import CLASSES, Tables, single
from crafter.games.craftax.worldgen import Maps


@dataclasses.dataclass
class Start:
    """Validated options of `reset`; the defaults are those of the game.

    Attributes:
      state: Result of `Env.get_state()` to resume; excludes all other options.
      episode: Number of the episode in the sequence of the seed, from 1.
      daytime: Step of the day; passed as an integer, or as morning, noon, dusk,
        midnight or dawn.
      floor: Index of the floor where the player starts; passed as index or name.
      position: Cell (row, column) of the player.
      facing: Id of the player's direction; passed as left, right, up or down.
      inventory: Name -> initial amount, names as in `info['inventory']`.
      spells: Ids of the learned spells; passed as names.
      floors: Index of a floor -> hand-made floor; passed as index or name -> text map
        with ladders down and up.
      creatures: Class, species id and cell of creatures to add on the player's floor;
        passed as (name, position).
    """

    state: Mapping[str, Any] | None = None
    episode: int | None = None
    daytime: int = 0
    floor: int = 0
    position: Position | None = None
    facing: int | None = None
    inventory: dict[str, float] = dataclasses.field(default_factory=dict)
    spells: Sequence[int] = ()
    floors: dict[int, Layout] = dataclasses.field(default_factory=dict)
    creatures: Sequence[tuple[str, int, Position]] = ()


def parse(
    options: Mapping[str, Any] | None, tables: Tables, parameters: Parameters
) -> Start:
    """Parses and validates the options of reset.

    Args:
      options: Field of `Start` -> value, or `None`.
      tables: The rules.
      parameters: The arguments of the environment.

    Raises:
      OptionsError: If an option is unknown, invalid or contradicts another one.
    """
    return _Reader(tables, parameters).read(options, Start)


class _Reader(reset_options.Reader):
    """Validates the options of `reset`, with a method for each."""

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        self._tables, self._parameters = tables, parameters

    def daytime(self, value: Any) -> int:
        day = self._parameters.day_length
        moments = clock.moments({**self._tables.data["time"], "day": day})
        return reset_options.daytime(value, moments, day)

    def floor(self, value: Any, where: str = "floor") -> int:
        names = self._tables.floor_names
        if isinstance(value, str):
            return names.index(one_of(where, value, names, "floors"))
        return integer(where, value, 0, len(names) - 1)

    def position(self, value: Any, where: str = "position") -> Position:
        return map_cell(where, value, (self._parameters.map_size,) * 2, "row, column")

    def facing(self, value: Any) -> int:
        names = self._tables.direction_names
        return names.index(one_of("facing", value, names)) + 1

    def inventory(self, value: Any) -> dict[str, float]:
        tables, most = self._tables, self._parameters.max_attribute
        limits = {**dict.fromkeys(ATTRIBUTES, (1, most)), "xp": (0, len(tables.floors))}
        for item, keys in tables.inventory_keys.items():
            limits |= dict.fromkeys(keys or (item,), (0, tables.most[item]))
        given = mapping("inventory", value, (*tables.maxima, *limits))
        amounts: dict[str, float] = {
            name: integer(f"inventory[{name!r}]", amount, *limits[name])
            for name, amount in given.items()
            if name in limits
        }
        attributes = {**tables.data["player"], **amounts}
        for name, row in tables.maxima.items():
            if name in given:
                read = _health if name == "health" else _count
                where = f"inventory[{name!r}]"
                amounts[name] = read(where, given[name], row.of(attributes))
        return amounts

    def spells(self, value: Any) -> list[int]:
        names = list(self._tables.spells)
        return [
            names.index(one_of(f"spells[{place}]", name, names))
            for place, name in enumerate(sequence("spells", value))
        ]

    def floors(self, value: Any) -> dict[int, Layout]:
        floors: dict[int, Layout] = {}
        for key, layout in mapping("floors", value).items():
            level = self.floor(key, "floors")
            if level in floors:
                raise OptionsError(f"floors[{key!r}]: floor {level} is given twice.")
            with raising(OptionsError, f"floors[{key!r}]: "):
                size = self._parameters.map_size
                floors[level] = parse_floor(layout, level, self._tables, size)
        return floors

    def creatures(self, value: Any) -> list[tuple[str, int, Position]]:
        entries = sequence("creatures", value)
        creatures = [self._creature(entry) for entry in entries]
        for kind in CLASSES:
            number = sum(own == kind for own, _, _ in creatures)
            room = getattr(self._parameters, f"max_{kind}_mobs")
            if number > room:
                raise OptionsError(
                    f"A floor has room for {room} {kind} creatures, got {number}."
                )
        return creatures

    def _creature(self, entry: Any) -> tuple[str, int, Position]:
        kinds = self._tables.species_ids
        if not isinstance(entry, Sequence) or len(entry) != 2:
            fail("A creature", "(name, (row, column))", entry)
        name = one_of("The name of a creature", entry[0], kinds)
        return *kinds[name], self.position(entry[1], name)


def _count(where: str, value: Any, most: int) -> int:
    return integer(where, value, 0, most)


def _health(where: str, value: Any, most: int) -> float:
    """Validates the initial health; returns it in single precision."""
    if not single(number(where, value, 0, most)):
        fail(where, "a number above 0", value)
    return single(value)


# Building the game.


def build(
    start: Start, maps: Maps, tables: Tables, parameters: Parameters
) -> tuple[World, Player]:
    """Builds the world of an episode.

    Args:
      start: The options.
      maps: The generated world.
      tables: The rules.
      parameters: The arguments of the environment.

    Returns:
      The world, and the player in it.

    Raises:
      OptionsError: If the player or a creature cannot stand at its cell.
    """
    world = World(tables, parameters)
    world.fill(*maps[:-1])
    world.potion_mapping = maps.potion_mapping.tolist()
    world.timestep = start.daytime
    world.light_level = game.daylight(
        start.daytime, parameters.day_length, tables.data["time"]["start"]
    )
    player = Player(world)
    player.level = start.floor
    for level, layout in start.floors.items():
        layout.apply(world.floors[level])
    _place_player(player, start)
    player.own(start.inventory)
    for spell in start.spells:
        player.learned_spells[spell] = True
    for creature in start.creatures:
        _add_creature(player, *creature)
    return world, player


def _place_player(player: Player, start: Start) -> None:
    floor = player.floor
    chosen = start.position is not None or start.floor in start.floors
    if start.position is not None:
        player.row, player.col = start.position
    elif start.floor > 0:
        player.row, player.col = floor.up_ladder
    tables = player.world.tables
    stands = floor.is_open(*player.position, tables.barred["land"])
    if (chosen or start.floor > 0) and not stands:
        block = tables.block_names[floor.block_map[player.position]]
        raise OptionsError(
            f"The player cannot start at {player.position} of floor {start.floor}: "
            f"the block there is {block}. Choose another cell with the option "
            "'position'."
        )
    if start.facing is not None:
        player.direction = start.facing


def _add_creature(player: Player, kind: str, number: int, at: Position) -> None:
    floor, species = player.floor, player.world.tables.species[kind][number]
    if at == player.position or not floor.is_open(*at, species.barred):
        raise OptionsError(
            f"A {species.name} cannot stand at {at} of floor {player.level}."
        )
    mob = next(mob for mob in getattr(floor, kind) if not mob.alive)
    mob.row, mob.col = at
    mob.type, mob.health, mob.alive = number, species.health, True
    floor.occupied_map[at] = 1

"""Options of `Env.reset`: how an episode starts.

Everything is checked here, before anything changes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import clock, reset_options
from crafter.core.reset_options import (
    OptionsError as OptionsError,  # users catch it here
)
from crafter.core.validation import (
    fail,
    integer,
    map_cell,
    mapping,
    one_of,
    raising,
    sequence,
)
from crafter.games.craftax import game
from crafter.games.craftax.engine import Floor, Position, World
from crafter.games.craftax.layouts import Layout, parse_floor
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import ATTRIBUTES, Player
from crafter.games.craftax.tables import CLASSES, Tables
from crafter.games.craftax.worldgen import Maps

#: Option name -> what it means.
OPTIONS = {
    "state": "value of Env.get_state() to resume; excludes all other options",
    "episode": "number of the episode in the sequence of the seed, from 1",
    "daytime": "step of the day, or one of morning, noon, dusk, midnight, dawn",
    "floor": "number or name of the floor where the player starts",
    "position": "cell (row, column) of the player",
    "facing": "direction of the player: left, right, up or down",
    "inventory": "name -> amount at the start, names as in info['inventory']",
    "attributes": "dexterity, strength, intelligence or xp -> value",
    "spells": "names of the spells that the player knows",
    "floors": "number or name of a floor -> hand-made floor, see `layouts`",
    "creatures": "creatures to add on the floor of the player: (name, position)",
}


@dataclasses.dataclass
class Start:
    """Checked options; `None` stands for the default."""

    state: Mapping[str, Any] | None = None
    episode: int | None = None
    timestep: int = 0
    level: int = 0
    position: Position | None = None
    direction: int | None = None
    vitals: dict[str, float] = dataclasses.field(default_factory=dict)
    inventory: dict[str, int] = dataclasses.field(default_factory=dict)
    attributes: dict[str, int] = dataclasses.field(default_factory=dict)
    spells: list[int] = dataclasses.field(default_factory=list)
    floors: dict[int, Layout] = dataclasses.field(default_factory=dict)
    creatures: list[tuple[str, int, Position]] = dataclasses.field(default_factory=list)


def parse(
    options: Mapping[str, Any] | None, tables: Tables, parameters: Parameters
) -> Start:
    """Checks the options of reset.

    Args:
      options: Names of `OPTIONS` to values, or `None`.
      tables: The rules.
      parameters: The arguments of the environment.

    Raises:
      OptionsError: If an option is unknown, has a wrong value or contradicts
        another one.
    """
    with raising(OptionsError):
        return _Parser(tables, parameters).parse(reset_options.named(options, OPTIONS))


class _Parser:
    """Turns options into a `Start`, one method for each."""

    def __init__(self, tables: Tables, parameters: Parameters) -> None:
        self._tables, self._parameters = tables, parameters
        self._start = Start()

    def parse(self, options: Mapping[str, Any]) -> Start:
        for name in OPTIONS:  # the inventory depends on the attributes
            if name in options and name != "inventory":
                getattr(self, f"_read_{name}")(options[name])
        if "inventory" in options:
            self._read_inventory(options["inventory"])
        return self._start

    def _read_state(self, value: Any) -> None:
        self._start.state = reset_options.state(value)

    def _read_episode(self, value: Any) -> None:
        self._start.episode = reset_options.episode(value)

    def _read_daytime(self, value: Any) -> None:
        day = self._parameters.day_length
        moments = clock.moments({**self._tables.data["time"], "day": day})
        self._start.timestep = reset_options.daytime(value, moments, day)

    def _read_floor(self, value: Any) -> None:
        self._start.level = self._level("floor", value)

    def _level(self, name: str, value: Any) -> int:
        names = self._tables.floor_names
        if isinstance(value, str):
            return names.index(one_of(name, value, names, "floors"))
        return integer(name, value, 0, len(names) - 1)

    def _read_position(self, value: Any) -> None:
        self._start.position = self._position("position", value)

    def _position(self, name: str, value: Any) -> Position:
        size = self._parameters.map_size
        return map_cell(name, value, (size, size), "row, column")

    def _read_facing(self, value: Any) -> None:
        names = self._tables.direction_names
        self._start.direction = names.index(one_of("facing", value, names)) + 1

    def _read_attributes(self, value: Any) -> None:
        limits = self._attribute_limits()
        for name, amount in mapping("attributes", value, limits).items():
            self._set_attribute(f"attributes[{name!r}]", name, amount)

    def _attribute_limits(self) -> dict[str, tuple[int, int]]:
        most = self._parameters.max_attribute
        limits = dict.fromkeys(ATTRIBUTES, (1, most))
        return {**limits, "xp": (0, len(self._tables.floors))}

    def _set_attribute(self, where: str, name: str, value: Any) -> None:
        number = integer(where, value, *self._attribute_limits()[name])
        if self._start.attributes.setdefault(name, number) != number:
            other = self._start.attributes[name]
            raise OptionsError(f"{where} is {number}, but attributes say {other}.")

    def _read_inventory(self, value: Any) -> None:
        attributes = self._attribute_limits()
        known = {**_limits(self._tables, {}), **attributes}
        entries = dict(mapping("inventory", value, known))
        for name in [name for name in entries if name in attributes]:
            self._set_attribute(f"inventory[{name!r}]", name, entries.pop(name))
        limits = _limits(self._tables, self._start.attributes)
        for name, amount in entries.items():
            low, high, vital = limits[name]
            where = f"inventory[{name!r}]"
            if name == "health":
                self._start.vitals[name] = _real(where, amount, high)
            else:
                table = self._start.vitals if vital else self._start.inventory
                table[name] = integer(where, amount, low, high)

    def _read_spells(self, value: Any) -> None:
        names = list(self._tables.spells)
        self._start.spells = [
            names.index(one_of(f"spells[{place}]", name, names))
            for place, name in enumerate(sequence("spells", value))
        ]

    def _read_floors(self, value: Any) -> None:
        for key, layout in mapping("floors", value).items():
            level = self._level("floors", key)
            if level in self._start.floors:
                raise OptionsError(f"floors[{key!r}]: floor {level} is given twice.")
            with raising(OptionsError, f"floors[{key!r}]: "):
                self._start.floors[level] = parse_floor(
                    layout, level, self._tables, self._parameters
                )

    def _read_creatures(self, value: Any) -> None:
        entries = sequence("creatures", value)
        self._start.creatures = [self._creature(entry) for entry in entries]
        for kind in CLASSES:
            number = sum(own == kind for own, _, _ in self._start.creatures)
            room = getattr(self._parameters, f"max_{kind}_mobs")
            if number > room:
                raise OptionsError(
                    f"A floor has room for {room} {kind} creatures, got {number}."
                )

    def _creature(self, entry: Any) -> tuple[str, int, Position]:
        kinds = {
            species.name: (kind, number)
            for kind, rows in self._tables.species.items()
            for number, species in enumerate(rows)
        }
        if not isinstance(entry, Sequence) or len(entry) != 2:
            fail("A creature", "(name, (row, column))", entry)
        name = one_of("The name of a creature", entry[0], kinds)
        return *kinds[name], self._position(name, entry[1])


def _real(name: str, value: Any, high: float) -> float:
    """Returns a health with which an episode can start."""
    try:
        with np.errstate(over="ignore"):
            number = 0.0 if np.iscomplexobj(value) else float(np.float32(value))
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number <= high:
        fail(name, f"a number above 0 and at most {high}", value)
    return number


def _limits(
    tables: Tables, attributes: Mapping[str, int]
) -> dict[str, tuple[int, int, bool]]:
    """Returns the least and greatest amount of everything, and which are vitals."""
    known = {**tables.data["player"], **attributes}
    limits = {
        name: (0, int(row.base + row.per * known[row.attribute]), True)
        for name, row in tables.maxima.items()
    }
    for name, keys in tables.inventory_keys.items():
        limits |= dict.fromkeys(keys or (name,), (0, tables.most[name], False))
    return limits


# Making the game.


def build(
    start: Start, maps: Maps, tables: Tables, parameters: Parameters
) -> tuple[World, Player]:
    """Makes the world of an episode.

    Args:
      start: How it begins.
      maps: The generated world.
      tables: The rules.
      parameters: The arguments of the environment.

    Returns:
      The world, and the player in it.

    Raises:
      OptionsError: If something would stand where it cannot.
    """
    world = World(tables, parameters)
    world.fill(*maps[:-1])
    world.potion_mapping = maps.potion_mapping.tolist()
    world.timestep = start.timestep
    world.light_level = game.daylight(
        start.timestep, parameters.day_length, tables.data["time"]["start"]
    )
    player = Player(world)
    player.level = start.level
    for level, layout in start.floors.items():
        layout.apply(world.floors[level])
    _place_player(player, start)
    _equip(player, start)
    for kind, number, position in start.creatures:
        _add_creature(player, kind, number, position)
    return world, player


def _place_player(player: Player, start: Start) -> None:
    layout = start.floors.get(start.level)
    chosen = start.position is not None or start.level > 0 or layout is not None
    if start.position is not None:
        player.row, player.col = start.position
    elif start.level > 0:
        player.row, player.col = player.floor.up_ladder
    if chosen and not _can_stand(player.floor, player.position, player, "land"):
        block = _block_at(player)
        raise OptionsError(
            f"The player cannot start at {player.position} of floor {start.level}: "
            f"the block there is {block}. Choose another cell with the option "
            "'position'."
        )
    if start.direction is not None:
        player.direction = start.direction


def _block_at(player: Player) -> str:
    cell = player.row * player.floor.size + player.col
    return player.world.tables.block_names[player.floor.blocks[cell]]


def _can_stand(floor: Floor, cell: Position, player: Player, movement: str) -> bool:
    return floor.is_open(*cell, player.world.tables.barred[movement])


def _equip(player: Player, start: Start) -> None:
    attributes = dict(start.attributes)
    player.xp = attributes.pop("xp", 0)
    player.attributes = {**player.attributes, **attributes}
    for name, amount in start.vitals.items():
        setattr(player, name, amount)
    for item, keys in player.world.tables.inventory_keys.items():
        for place, key in enumerate(keys or (item,)):
            if key in start.inventory and keys is None:
                player.inventory[item] = start.inventory[key]
            elif key in start.inventory:
                player.inventory[item][place] = start.inventory[key]
    for spell in start.spells:
        player.learned_spells[spell] = True


def _add_creature(player: Player, kind: str, number: int, at: Position) -> None:
    floor, species = player.floor, player.world.tables.species[kind][number]
    if at == player.position or not floor.is_open(*at, species.barred):
        raise OptionsError(
            f"A {species.name} cannot stand at {at} of floor {player.level}."
        )
    mob = next(mob for mob in getattr(floor, kind) if not mob.alive)
    mob.row, mob.col = at
    mob.type, mob.health, mob.alive = number, species.health, True
    floor.occupied[at[0] * floor.size + at[1]] = 1

"""The `options` of `Env.reset`: how an episode starts.

Everything is checked here, before anything changes.
"""

from __future__ import annotations

import dataclasses
import numbers
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import reset_options as shared
from crafter.core.clock import daylight
from crafter.core.reset_options import (
    OptionsError as OptionsError,  # users catch it here
)
from crafter.core.reset_options import (
    integer,
)
from crafter.core.short_repr import brief
from crafter.core.stream import episode_seed
from crafter.games.crafter.engine import World
from crafter.games.crafter.map_edits import (
    SYMMETRIES,
    Changes,
    Land,
    check_edit,
    creature_kinds,
    generated,
    land_of,
    rearranged,
)
from crafter.games.crafter.objects import (
    KINDS,
    Object,
    Player,
    checked_facing,
    make_object,
)
from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.state_layout import LARGEST, counter_values, is_counter
from crafter.games.crafter.worldgen import generate

Position = tuple[int, int]
Mark = tuple[int, int, int, int]

#: Option name -> what it means.
OPTIONS = {
    "state": "value of Env.get_state() to resume; excludes all other options",
    "episode": "number of the episode in the sequence of the seed, from 1",
    "daytime": "step of the day from 0, or the name of a moment, such as 'noon'",
    "map": "hand-made map of the whole area: text rows, or semantic ids [x, y]",
    "objects": "objects to add: (kind, position) or mappings with fields",
    "position": "cell (x, y) of the player",
    "facing": "direction (dx, dy) of the player",
    "inventory": "item name -> amount at the start",
    "symmetry": "number of a symmetry of the square that turns the world, 0 to 7",
    "edits": "changes to the map, in order; see crafter.games.crafter.map_edits.EDITS",
    "spawn": "cell (x, y) to which the player is moved in the finished world",
    "remove": "kind -> L1 distance from the player up to which it is removed",
    "counters": "counter of the body, such as 'hunger' -> its number at the start",
    "dynamics_seed": "seed of the random stream from the first step on",
    "marks": "name -> rectangle (x, y, width, height) that goals of tasks refer to",
}


_LAST_SEED = 2**63 - 1


@dataclasses.dataclass
class Layout:
    """A hand-made map.

    Attributes:
      materials: Material ids, uint8 of shape `area`.
      objects: Kinds and positions, x outer and y inner, without the player.
      player: Position of the player, if the map says it.
    """

    materials: np.ndarray
    objects: list[tuple[str, Position]]
    player: Position | None


@dataclasses.dataclass
class Start:
    """Checked options; `None` stands for the default."""

    state: Mapping[str, Any] | None = None
    episode: int | None = None
    clock_offset: int = 0
    layout: Layout | None = None
    objects: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    position: Position | None = None
    facing: Position | None = None
    inventory: dict[str, int] = dataclasses.field(default_factory=dict)
    counters: dict[str, float] = dataclasses.field(default_factory=dict)
    changes: Changes = Changes()
    marks: dict[str, Mark] = dataclasses.field(default_factory=dict)


def parse(
    options: Mapping[str, Any] | None,
    area: tuple[int, int],
    rules: Rules,
) -> Start:
    """Checks the options of reset.

    Args:
      options: Names of `OPTIONS` to values, or `None`.
      area: Map size (x, y) in cells.
      rules: Rules of the environment.

    Raises:
      OptionsError: If an option is unknown, has a wrong value or contradicts
        another one.
    """
    options = shared.named(options, OPTIONS)
    start = Start()
    if "state" in options:
        start.state = shared.state(options["state"])
    if "episode" in options:
        start.episode = shared.episode(options["episode"])
    if "daytime" in options:
        moments, day = rules.time["moments"], rules.time["day"]
        start.clock_offset = shared.daytime(options["daytime"], moments, day)
    if "map" in options:
        start.layout = parse_map(options["map"], area, rules)
    if "objects" in options:
        start.objects = _objects(options["objects"], area)
    if "position" in options:
        start.position = _position("position", options["position"], area)
    if "facing" in options:
        start.facing = _facing(options["facing"])
    if "inventory" in options:
        start.inventory = _inventory(options["inventory"], rules.items)
    if "counters" in options:
        start.counters = _counters(options["counters"], rules)
    if "marks" in options:
        start.marks = _marks(options["marks"], area)
    start.changes = _changes(options, area, rules)
    _check_one_start(start)
    return start


def _check_one_start(start: Start) -> None:
    on_map = start.layout.player if start.layout else None
    if on_map and start.position and on_map != start.position:
        raise OptionsError(
            f"The map has the player at {on_map}, the option 'position' says "
            f"{start.position}."
        )


def _position(name: str, value: Any, area: tuple[int, int]) -> Position:
    try:
        x, y = (int(operator.index(c)) for c in value)
    except (TypeError, ValueError):
        raise OptionsError(
            f"{name} must be two integers (x, y), got {brief(value)}."
        ) from None
    if not (0 <= x < area[0] and 0 <= y < area[1]):
        raise OptionsError(f"{name} {(x, y)} is outside the map of {area}.")
    return x, y


def _facing(value: Any) -> Position:
    try:
        return checked_facing(value)
    except ValueError as error:
        raise OptionsError(str(error)) from None


def _inventory(value: Any, items: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise OptionsError(f"inventory must be a mapping, got {brief(value)}.")
    unknown = [name for name in value if name not in items]
    if unknown:
        raise OptionsError(f"Unknown items {unknown}; valid ones are {list(items)}.")
    lowest = {"health": 1}  # an episode starts alive
    return {
        name: integer(
            f"inventory[{name!r}]", amount, lowest.get(name, 0), items[name]["max"]
        )
        for name, amount in value.items()
    }


def _counters(value: Any, rules: Rules) -> dict[str, float]:
    names = Player.fields[:-1]  # the last one follows from the health
    if not isinstance(value, Mapping):
        raise OptionsError(f"counters must be a mapping, got {brief(value)}.")
    unknown = [name for name in value if name not in names]
    if unknown:
        raise OptionsError(f"Unknown counters {unknown}; valid ones are {names}.")
    return {name: _counter(name, number, rules) for name, number in value.items()}


def _counter(name: str, value: Any, rules: Rules) -> float:
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not is_counter(name, value, rules):
        low, step = counter_values(name, rules)
        steps = "" if step is None else f" in steps of {step}"
        raise OptionsError(
            f"counters[{name!r}] must be a number from {low} to {LARGEST}{steps}, got "
            f"{brief(value)}."
        )
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _changes(
    options: Mapping[str, Any], area: tuple[int, int], rules: Rules
) -> Changes:
    given: dict[str, Any] = {}
    if "symmetry" in options:
        turn = integer("symmetry", options["symmetry"], 0, SYMMETRIES - 1)
        if turn & 4 and area[0] != area[1]:
            raise OptionsError(
                f"The symmetry {turn} exchanges columns and rows, which needs a square "
                f"map, not one of {area}."
            )
        given["symmetry"] = turn
    if "edits" in options:
        given["edits"] = _edits(options["edits"], area, rules)
    if "spawn" in options:
        given["spawn"] = _position("spawn", options["spawn"], area)
    if "remove" in options:
        given["remove"] = _remove(options["remove"])
    if "dynamics_seed" in options:
        seed = integer("dynamics_seed", options["dynamics_seed"], 0, _LAST_SEED)
        given["dynamics_seed"] = seed
    return Changes(**given)


def _edits(value: Any, area: tuple[int, int], rules: Rules) -> tuple[Any, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise OptionsError(f"edits must be a list, got {brief(value)}.")
    try:
        return tuple(check_edit(entry, area, rules) for entry in value)
    except ValueError as error:
        raise OptionsError(str(error)) from None


def _remove(value: Any) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, Mapping):
        raise OptionsError(f"remove must be a mapping, got {brief(value)}.")
    unknown = [kind for kind in value if kind not in creature_kinds()]
    if unknown:
        raise OptionsError(f"Unknown kinds {unknown}; valid are {creature_kinds()}.")
    return tuple(
        (kind, integer(f"remove[{brief(kind)}]", reach, 0, None))
        for kind, reach in value.items()
    )


def _marks(value: Any, area: tuple[int, int]) -> dict[str, Mark]:
    if not isinstance(value, Mapping):
        raise OptionsError(f"marks must be a mapping, got {brief(value)}.")
    return {name: _mark(name, box, area) for name, box in value.items()}


def _mark(name: Any, box: Any, area: tuple[int, int]) -> Mark:
    if not isinstance(name, str) or not name:
        raise OptionsError(f"The name of a mark is a text, got {brief(name)}.")
    try:
        x, y, width, height = (int(operator.index(number)) for number in box)
    except (TypeError, ValueError):
        raise OptionsError(
            f"marks[{name!r}] must be four integers (x, y, width, height), got "
            f"{brief(box)}."
        ) from None
    inside = 0 <= x <= area[0] - width and 0 <= y <= area[1] - height
    if not inside or min(width, height) < 1:
        raise OptionsError(
            f"marks[{name!r}] {(x, y, width, height)} is no rectangle inside the map "
            f"of {area}."
        )
    return x, y, width, height


def _objects(value: Any, area: tuple[int, int]) -> list[dict[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise OptionsError(f"objects must be a list, got {brief(value)}.")
    return [_object(entry, area) for entry in value]


def _object(entry: Any, area: tuple[int, int]) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        if not isinstance(entry, Sequence) or len(entry) != 2:
            raise OptionsError(
                f"An object is (kind, (x, y)) or a mapping, got {brief(entry)}."
            )
        entry = {"kind": entry[0], "position": entry[1]}
    kinds = [kind for kind in KINDS if kind != Player.kind]
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise OptionsError(
            f"Unknown object kind {brief(kind)}; valid ones are {kinds}."
        )
    fields = ["kind", "position", "health", *KINDS[kind].fields]
    fields += ["facing"] if KINDS[kind].turns else []
    unknown = [name for name in entry if name not in fields]
    if unknown:
        raise OptionsError(f"A {kind} has no fields {unknown}; it has {fields}.")
    checked: dict[str, Any] = {"kind": kind, "position": None}
    checked["position"] = _position(f"{kind} position", entry.get("position"), area)
    if "facing" in entry:
        checked["facing"] = _facing(entry["facing"])
    for name in ("health", *KINDS[kind].fields):
        if name in entry:
            checked[name] = integer(f"{kind} {name}", entry[name], 0, LARGEST)
    return checked


def parse_map(value: Any, area: tuple[int, int], rules: Rules | None = None) -> Layout:
    r"""Reads a hand-made map.

    Args:
      value: Text (rows from top to bottom, one character a cell, as one string
        with line breaks or a sequence of strings; symbols in `data.yaml`), or an
        integer array of shape `area` with semantic ids, [x, y].
      area: Map size (x, y) in cells.
      rules: The rules of the game; by default those of the published one.

    Raises:
      OptionsError: If the size differs from the area, a symbol or id is
        unknown, or there is more than one player.

    Example:
      >>> layout = parse_map("~~.\n~@T", (3, 2))
      >>> layout.player
      (1, 1)
      >>> layout.materials.tolist()
      [[1, 1], [1, 2], [2, 6]]
    """
    rules = default() if rules is None else rules
    if isinstance(value, str):
        value = value.strip("\n").split("\n")
    if isinstance(value, Sequence) and all(isinstance(row, str) for row in value):
        cells = _read_text(value, area, rules)
    else:
        cells = _read_ids(value, area, rules)
    materials = np.zeros(area, np.uint8)
    objects, players = [], []
    for (x, y), (material, kind) in cells.items():
        materials[x, y] = rules.material_ids[material]
        if kind == Player.kind:
            players.append((x, y))
        elif kind is not None:
            objects.append((kind, (x, y)))
    if len(players) > 1:
        raise OptionsError(f"The map has {len(players)} players, at {players}.")
    return Layout(materials, objects, players[0] if players else None)


def _read_text(
    rows: Sequence[str], area: tuple[int, int], rules: Rules
) -> dict[Position, tuple[str, str | None]]:
    widths = {len(row) for row in rows}
    if len(rows) != area[1] or widths != {area[0]}:
        raise OptionsError(
            f"The map must have {area[1]} rows of {area[0]} characters, the area of "
            f"this environment; got {len(rows)} rows of lengths {sorted(widths)}."
        )
    symbols: dict[str, tuple[str, str | None]] = {
        symbol: (name, None) for symbol, name in rules.symbols["materials"].items()
    }
    symbols |= {
        symbol: (ground, kind)
        for symbol, (kind, ground) in rules.symbols["objects"].items()
    }
    unknown = sorted(set("".join(rows)) - set(symbols))
    if unknown:
        raise OptionsError(f"Unknown map symbols {unknown}; valid ones are {symbols}.")
    return {(x, y): symbols[rows[y][x]] for x in range(area[0]) for y in range(area[1])}


def _read_ids(
    value: Any, area: tuple[int, int], rules: Rules
) -> dict[Position, tuple[str, str | None]]:
    try:
        ids = np.asarray(value)
    except ValueError:  # rows of different lengths
        ids = np.asarray(None)
    if ids.shape != tuple(area) or not np.issubdtype(ids.dtype, np.integer):
        raise OptionsError(
            f"The map must be text or an integer array of shape {tuple(area)}, "
            f"got a {type(value).__name__} of shape {ids.shape} and dtype {ids.dtype}."
        )
    meanings: dict[int, tuple[str, str | None]] = {
        i: (name, None) for name, i in rules.material_ids.items()
    }
    meanings |= {
        rules.object_ids[kind]: (ground, kind)
        for kind, ground in rules.symbols["objects"].values()
    }
    unknown = sorted(set(ids.ravel().tolist()) - set(meanings))
    if unknown:
        raise OptionsError(
            f"Unknown map ids {unknown}; valid ones are "
            f"{ {i: kind or ground for i, (ground, kind) in meanings.items()} }."
        )
    return {(x, y): meanings[i] for (x, y), i in np.ndenumerate(ids)}


def player_position(start: Start, area: tuple[int, int]) -> Position:
    """Returns where the player starts: as requested, or in the middle."""
    if start.position is not None:
        return start.position
    if start.layout is not None and start.layout.player is not None:
        return start.layout.player
    return area[0] // 2, area[1] // 2


def begin(
    options: Mapping[str, Any] | None,
    area: Position,
    rules: Rules,
    seed: int,
    episode: int = 1,
) -> tuple[World, Player]:
    """Makes the world with which `Env.reset` would begin, without an environment.

    Args:
      options: The options of reset, without a state.
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      seed: Seed of the sequence of episodes.
      episode: Number of the episode in it, from 1.

    Raises:
      OptionsError: If the options are wrong.
    """
    start = parse(options, area, rules)
    if start.state is not None:
        raise OptionsError("A state is a game that goes on; it has no beginning.")
    number = episode if start.episode is None else start.episode
    light = daylight(start.clock_offset, rules.time)
    return build(start, area, rules, episode_seed(seed, number), light)


def ordinary_land(
    area: Position, rules: Rules, seed: int, episode: int = 1, symmetry: int = 0
) -> Land:
    """Returns the land with which an episode without options begins, turned."""
    position = player_position(Start(), area)
    world = generated(area, episode_seed(seed, episode), rules, position)
    return land_of(world, symmetry)


def build(
    start: Start,
    area: Position,
    rules: Rules,
    seed: int,
    daylight: float,
) -> tuple[World, Player]:
    """Makes the world of an episode.

    Args:
      start: How it begins.
      area: Map size (x, y) in cells.
      rules: The rules of the game.
      seed: Seed of the episode.
      daylight: Brightness at the start, 0 to 1.

    Returns:
      The world, and the player in it.
    """
    position = player_position(start, area)
    if start.changes == Changes():
        world = World(area, seed, rules)
        player = Player(world, position)
        world.add(player)
        if start.layout is None:
            generate(world, player)
        else:
            world.fill(start.layout.materials)
    else:
        world, player = rearranged(_unchanged(start, area, rules, seed), start.changes)
    world.daylight = daylight
    world.marks = dict(start.marks)
    furnish(world, player, start)
    return world, player


def _unchanged(start: Start, area: Position, rules: Rules, seed: int) -> World:
    """Returns the world that the options change: generated, or a hand-made map."""
    position = player_position(start, area)
    if start.layout is None:
        return generated(area, seed, rules, position)
    world = World(area, seed, rules)
    player = Player(world, position)
    world.add(player)
    world.fill(start.layout.materials)
    for kind, cell in start.layout.objects:
        _add(world, make_object(kind, world, cell, player))
    return world


def furnish(world: World, player: Player, start: Start) -> None:
    """Adds to a world what the options ask for; materials and player are in place.

    Raises:
      OptionsError: If an object would stand where it cannot.
    """
    turned = start.changes != Changes()  # and has the objects of the map already
    for kind, position in start.layout.objects if start.layout and not turned else []:
        _add(world, make_object(kind, world, position, player))
    for entry in start.objects:
        fields = dict(entry)
        kind, position = fields.pop("kind"), fields.pop("position")
        obj = make_object(kind, world, position, player)
        for name, value in fields.items():
            setattr(obj, name, value)
        _add(world, obj)
    if start.facing is not None:
        player.facing = start.facing
    player.inventory |= start.inventory
    for name, number in start.counters.items():
        setattr(player, name, number)
    player.last_health = player.health
    _check_player(world, player)


def _add(world: World, obj: Object) -> None:
    if not obj.is_free(*obj.position):
        material, other = world[obj.position]
        there = other.kind if other is not None else material
        raise OptionsError(f"A {obj.kind} cannot stand at {obj.position}: {there}.")
    world.add(obj)


def _check_player(world: World, player: Player) -> None:
    material, _ = world[player.position]
    walkable = world.rules.walkable
    if material not in walkable:
        raise OptionsError(
            f"The player cannot start at {player.position}: the material there is "
            f"{material}, it must be one of {list(walkable)}. Choose another cell "
            f"with the option 'position', or mark it with '@' on a map."
        )

"""Types of the rules of Crafter; loading checks `data.yaml` and changes against them.

`crafter.core.schema` says how a type is checked. What must hold between sections is
checked by the functions at the end.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from crafter.core.schema import (
    Above,
    Amount,
    Between,
    Chance,
    Count,
    Id,
    Ids,
    Positive,
    Symbol,
    check,
    complete,
    distinct,
    filled,
    name_of,
    needs,
)
from crafter.core.validation import fail, one_of

CREATURES = ("cow", "zombie", "skeleton")
KINDS = ("player", *CREATURES, "arrow", "plant")
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Counters of the player's body that an item is used up by, and the one of its health.
NEEDS = ("hunger", "thirst", "fatigue")
COUNTERS = (*NEEDS, "recover")
#: Materials that world generation uses by name.
GROUNDS = ("water", "grass", "stone", "path", "sand", "tree", "lava")
_VERBS = {**dict.fromkeys(CREATURES, "strike"), "plant": "eat"}
_MOST_IDS = 255  # maps are bytes
_LUMA = 2**16

Material = Annotated[str, name_of("materials")]
Materials = Annotated[tuple[Material, ...], distinct]
Kind = Annotated[str, name_of("kinds")]
Creature = Literal["cow", "zombie", "skeleton"]
ItemName = Annotated[str, name_of("items")]
Amounts = Mapping[ItemName, Count]
Need = Literal["hunger", "thirst", "fatigue"]
Resets = tuple[Literal["hunger", "thirst", "fatigue", "recover"], ...]
Byte = Annotated[int, Between(0, 255)]
Level = Annotated[float, Between(0, 255)]
Color = tuple[Byte, Byte, Byte]
Step = tuple[int, int]
Directions = Annotated[Mapping[Literal["left", "right", "up", "down"], Step], complete]
Rewards = Annotated[Mapping[Literal["unlock", "health"], float], complete]
Target = Annotated[Mapping[Literal["constant", "per_daylight"], float], complete]


class Item(TypedDict):
    """How much of an item the player can have, and has at the start."""

    max: Count
    initial: Count


class _Collect(TypedDict):
    require: Amounts
    receive: Amounts
    leaves: Material


class Collect(_Collect, total=False):
    """What `do` on a material needs, gives and leaves."""

    probability: Chance
    resets: Resets


class _Do(TypedDict):
    verb: Literal["strike", "eat"]


class Do(_Do, total=False):
    """What `do` on an object gives."""

    food: Count
    resets: Resets
    achievement: Id


class Place(TypedDict):
    """What placing something costs, and where it may stand."""

    uses: Amounts
    where: Materials
    type: Literal["material", "object"]


class Make(TypedDict):
    """What making something costs, the materials near, and how many it gives."""

    uses: Amounts
    nearby: Materials
    gives: Positive


class Wear(TypedDict):
    """A counter that uses up an item."""

    item: ItemName
    awake: float
    asleep: float
    limit: float


class Fatigue(Wear):
    """The counter that sleeping lowers."""

    rested: float


class Recover(TypedDict):
    """The counter of health."""

    awake: float
    asleep: float
    needs_awake: Annotated[tuple[Need, ...], distinct]
    needs_asleep: Annotated[tuple[Need, ...], distinct]
    lacking_awake: float
    lacking_asleep: float
    gain: float
    loss: float


class Life(TypedDict):
    """Counters of the player's body."""

    hunger: Wear
    thirst: Wear
    fatigue: Fatigue
    recover: Recover


class Cow(TypedDict):
    """Numbers of cows."""

    health: Positive
    move_chance: Chance


class _Hunter(TypedDict):
    health: Positive
    sight: Amount
    chase_chance: Chance
    long_axis_chance: Chance


class Zombie(_Hunter):
    """Numbers of zombies; distances in cells."""

    reach: Amount
    damage: Count
    damage_asleep: Count
    cooldown: Count


class Skeleton(_Hunter):
    """Numbers of skeletons; distances in cells."""

    retreat_distance: Amount
    shoot_distance: Amount
    shoot_chance: Chance
    wander_chance: Chance
    reload: Count


class Arrow(TypedDict):
    """Numbers of arrows."""

    health: Count
    damage: Count
    destroys: Materials
    leaves: Material


class Plant(TypedDict):
    """Numbers of plants; `ripe` in steps."""

    health: Positive
    ripe: Count
    enemies: Annotated[tuple[Kind, ...], distinct]
    damage: Count


class Creatures(TypedDict):
    """Numbers of every kind of object besides the player."""

    cow: Cow
    zombie: Zombie
    skeleton: Skeleton
    arrow: Arrow
    plant: Plant


class Event(TypedDict):
    """Where and how likely creatures appear or vanish."""

    distance: Amount
    chance: Chance


class Population(TypedDict):
    """How creatures of a kind appear and vanish."""

    material: Material
    spawn: Event
    despawn: Event
    space: Positive
    minimum: Target
    maximum: Target


class Balance(TypedDict):
    """How creatures appear and vanish, every `interval` steps."""

    interval: Positive
    kinds: Mapping[Creature, Population]


class World(TypedDict):
    """Size of chunks, and reaches, in cells."""

    chunk: tuple[Positive, Positive]
    update_range: Amount
    nearby: Count


class Time(TypedDict):
    """Length of the day in steps, and parts of it."""

    day: Positive
    start: Chance
    dark: Chance


class Light(TypedDict):
    """What pictures look like by night and asleep."""

    outside: Byte
    luma: tuple[Count, Count, Count]
    noise: tuple[Level, Level]
    vignette: Above
    saturation: Chance
    night_tint: Color
    sleep_tint: Color


class _Noise(TypedDict):
    z: float
    octaves: Annotated[tuple[tuple[Above, float], ...], filled]


class Noise(_Noise, total=False):
    """A sum of octaves (size, weight) at one height."""

    divide: bool


class Start(TypedDict):
    """The meadow around the player."""

    noise: Noise
    radius: float
    noise_weight: float
    grass: float


class Water(TypedDict):
    """The field of water."""

    noise: Noise
    offset: float
    start_weight: float


class Mountain(TypedDict):
    """The field of mountains."""

    noise: Noise
    start_weight: float
    water_weight: float
    threshold: float


class _Height(TypedDict, total=False):
    mountain: float


class Mark(_Height):
    """Where a noise is above a number, and the mountain high enough."""

    noise: Noise
    above: float


class Tunnel(Mark):
    """A tunnel; factors on x and y stretch its noise."""

    stretch: tuple[Above, Above]


class Ore(_Height):
    """An ore, drawn where noise and mountain allow."""

    material: Material
    draw_above: float


class NoisyOre(Ore, total=False):
    """An ore with a noise of its own."""

    noise: Noise
    above: float


class Sand(Mark):
    """Beaches: where water is between two numbers."""

    water: tuple[float, float]


class Tree(Mark):
    """Trees, drawn where the noise allows."""

    draw_above: float


class _Dweller(TypedDict):
    ground: Materials
    draw_above: float


class Dweller(_Dweller, total=False):
    """A creature of a new world, at a distance from the player."""

    distance: float
    tunnels: bool


class Terrain(TypedDict):
    """World generation."""

    start: Start
    water: Water
    mountain: Mountain
    cave: Mark
    tunnels: tuple[Tunnel, ...]
    ores: tuple[NoisyOre, ...]
    lava: Mark
    sand: Sand
    lake: float
    tree: Tree
    creatures: Mapping[Creature, Dweller]


class Symbols(TypedDict):
    """Characters of hand-made maps: materials, and objects with the ground below."""

    materials: Mapping[Symbol, Material]
    objects: Mapping[Symbol, tuple[Kind, Material]]


class Data(TypedDict):
    """The sections of `data.yaml`; those that others refer to come first."""

    actions: Annotated[Ids, needs("noop")]
    directions: Directions
    materials: Annotated[Ids, needs(*GROUNDS)]
    objects: Annotated[tuple[Kind, ...], distinct, needs(*KINDS)]
    achievements: Ids
    items: Annotated[Mapping[Id, Item], needs("health")]
    walkable: Materials
    walkable_by: Mapping[Kind, Materials]
    deadly: Materials
    collect: Mapping[Material, Collect]
    do: Mapping[Literal["cow", "zombie", "skeleton", "plant"], Do]
    place: Mapping[str, Place]
    make: Mapping[ItemName, Make]
    rewards: Rewards
    life: Life
    damage: Annotated[
        Mapping[Annotated[str, name_of("weapons")], Count], needs("unarmed")
    ]
    creatures: Creatures
    balance: Balance
    world: World
    time: Time
    light: Light
    terrain: Terrain
    symbols: Symbols


def check_data(data: Any) -> None:
    """Checks all sections, but not what actions and achievements refer to.

    Args:
      data: The sections, as plain data.

    Raises:
      ValueError: If something is wrong; the message begins with its path.
    """
    sections = data if isinstance(data, Mapping) else {}
    items = sections.get("items", ())
    items = items if isinstance(items, Mapping) else {}
    names = {
        "materials": sections.get("materials", ()),
        "kinds": KINDS,
        "items": items,
        "weapons": ("unarmed", *items),
    }
    check(Data, "", data, names)
    _check_names(data)
    _check_rows(data)
    _check_terrain(data["terrain"])


def _check_names(data: Mapping[str, Any]) -> None:
    materials, objects = data["materials"], data["objects"]
    for index, kind in enumerate(materials):
        if kind in KINDS:
            raise ValueError(f"materials.{index}: {kind!r} is the name of an object.")
    most = _MOST_IDS - len(objects)
    if len(materials) > most:
        raise ValueError(
            f"materials: there can be at most {most}, got {len(materials)}."
        )
    for way, step in DIRECTIONS.items():
        if tuple(data["directions"][way]) != step:
            fail(f"directions.{way}", str(list(step)), data["directions"][way])


def _check_rows(data: Mapping[str, Any]) -> None:
    check(Positive, "items.health.initial", data["items"]["health"]["initial"])
    for kind, row in data["do"].items():
        one_of(f"do.{kind}.verb", row["verb"], (_VERBS[kind],), f"verbs for a {kind}")
    for what, row in data["place"].items():
        known = data["materials"] if row["type"] == "material" else ("plant",)
        one_of(f"place.{what}", what, known, f"{row['type']}s that can be placed")
    luma = data["light"]["luma"]
    if sum(luma) != _LUMA:
        fail("light.luma", f"a list with the sum {_LUMA}", luma)
    for character in data["symbols"]["objects"]:
        if character in data["symbols"]["materials"]:
            raise ValueError(
                f"symbols.objects.{character}: the symbol of a material already."
            )


def _check_terrain(terrain: Mapping[str, Any]) -> None:
    for index, ore in enumerate(terrain["ores"]):
        if ("noise" in ore) != ("above" in ore):
            raise ValueError(f"terrain.ores.{index}: noise and above go together.")
    rows = {name: row for name, row in terrain.items() if isinstance(row, Mapping)}
    for kind in ("tunnels", "ores"):
        rows |= {f"{kind}.{index}": row for index, row in enumerate(terrain[kind])}
    for name, row in rows.items():
        octaves = row.get("noise", {}).get("octaves")
        if octaves and not sum(weight for _, weight in octaves):
            fail(
                f"terrain.{name}.noise.octaves",
                "octaves whose weights do not add up to 0",
                octaves,
            )


def check_references(data: Mapping[str, Any]) -> None:
    """Checks that there is a rule for every action and every achievement.

    Args:
      data: Sections that passed `check_data`.

    Raises:
      ValueError: If there is none.
    """
    moves = [f"move_{way}" for way in DIRECTIONS]
    possible = ["noop", *moves, "do", "sleep", *recipe_actions(data)]
    for index, action in enumerate(data["actions"]):
        one_of(f"actions.{index}", action, possible, "actions")
    known = reachable(data)
    for index, achievement in enumerate(data["achievements"]):
        one_of(f"achievements.{index}", achievement, known, "achievements")


def check_starts(items: Mapping[str, Item]) -> None:
    """Checks that no item starts above its maximum.

    The published game allows it and cuts the amount in the first step. Asked
    for explicitly, it is a mistake.

    Raises:
      ValueError: If one does.
    """
    for item, amounts in items.items():
        if amounts["initial"] > amounts["max"]:
            most = f"at most the maximum of {amounts['max']}"
            fail(f"items.{item}.initial", most, amounts["initial"])


def recipe_actions(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the actions that place and make something."""
    return [f"{verb}_{what}" for verb in ("place", "make") for what in data[verb]]


def reachable(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the achievements that the rules can unlock."""
    rules = data["collect"].values()
    received = [f"collect_{item}" for rule in rules for item in rule["receive"]]
    done = [r["achievement"] for r in data["do"].values() if "achievement" in r]
    return list(dict.fromkeys([*received, *recipe_actions(data), *done, "wake_up"]))

"""Types of the rules of Crafter; loading checks `data.yaml` and changes against them.

`crafter.core.schema` says how a type is checked. What must hold between sections is
checked by the functions at the end.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from crafter.core.schema import (
    Above,
    Amount,
    Between,
    Chance,
    Count,
    Id,
    Ids,
    Positive,
    Record,
    Symbol,
    check,
    distinct,
    filled,
    name_of,
    needs,
    table,
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

Material = Annotated[str, name_of("materials")]
Materials = Annotated[tuple[Material, ...], distinct]
Kind = Annotated[str, name_of("kinds")]
Kinds = Annotated[tuple[Kind, ...], distinct]
Creature = Literal["cow", "zombie", "skeleton"]
ItemName = Annotated[str, name_of("items")]
Amounts = Mapping[ItemName, Count]
Needs = Annotated[tuple[Literal["hunger", "thirst", "fatigue"], ...], distinct]
Resets = tuple[Literal["hunger", "thirst", "fatigue", "recover"], ...]
Byte = Annotated[int, Between(0, 255)]
Level = Annotated[float, Between(0, 255)]
Color = tuple[Byte, Byte, Byte]
Step = tuple[int, int]

# Rows, in the order of their sections.

_ITEM = Record(max=Count, initial=Count)
_COLLECT = Record(require=Amounts, receive=Amounts, leaves=Material).optional(
    probability=Chance, resets=Resets
)
_DO = Record(verb=Literal["strike", "eat"]).optional(
    food=Count, resets=Resets, achievement=Id
)
_PLACE = Record(uses=Amounts, where=Materials, type=Literal["material", "object"])
_MAKE = Record(uses=Amounts, nearby=Materials, gives=Positive)

_WEAR = Record(item=ItemName, awake=float, asleep=float, limit=float)
_RECOVER = Record(
    awake=float,
    asleep=float,
    needs_awake=Needs,
    needs_asleep=Needs,
    lacking_awake=float,
    lacking_asleep=float,
    gain=float,
    loss=float,
)
_LIFE = Record(
    hunger=_WEAR, thirst=_WEAR, fatigue=_WEAR.needed(rested=float), recover=_RECOVER
)

_HUNTER = Record(
    health=Positive, sight=Amount, chase_chance=Chance, long_axis_chance=Chance
)
_ZOMBIE = _HUNTER.needed(
    reach=Amount, damage=Count, damage_asleep=Count, cooldown=Count
)
_SKELETON = _HUNTER.needed(
    retreat_distance=Amount,
    shoot_distance=Amount,
    shoot_chance=Chance,
    wander_chance=Chance,
    reload=Count,
)
_CREATURES = Record(
    cow=Record(health=Positive, move_chance=Chance),
    zombie=_ZOMBIE,
    skeleton=_SKELETON,
    arrow=Record(health=Count, damage=Count, destroys=Materials, leaves=Material),
    plant=Record(health=Positive, ripe=Count, enemies=Kinds, damage=Count),
)

_EVENT = Record(distance=Amount, chance=Chance)
_TARGET = Record(constant=float, per_daylight=float)
_POPULATION = Record(
    material=Material,
    spawn=_EVENT,
    despawn=_EVENT,
    space=Positive,
    minimum=_TARGET,
    maximum=_TARGET,
)

_LIGHT = Record(
    outside=Byte,
    luma=tuple[Count, Count, Count],
    noise=tuple[Level, Level],
    vignette=Above,
    saturation=Chance,
    night_tint=Color,
    sleep_tint=Color,
)

#: A sum of octaves (size, weight) at one height.
_NOISE = Record(
    z=float, octaves=Annotated[tuple[tuple[Above, float], ...], filled]
).optional(divide=bool)
#: Where a noise is above a number, and the mountain high enough.
_MARK = Record(noise=_NOISE, above=float).optional(mountain=float)
_TUNNEL: Any = _MARK.needed(stretch=tuple[Above, Above])
_ORE: Any = Record(material=Material, draw_above=float).optional(
    mountain=float, noise=_NOISE, above=float
)
_DWELLER = Record(ground=Materials, draw_above=float).optional(
    distance=float, tunnels=bool
)
_TERRAIN = Record(
    start=Record(noise=_NOISE, radius=float, noise_weight=float, grass=float),
    water=Record(noise=_NOISE, offset=float, start_weight=float),
    mountain=Record(
        noise=_NOISE, start_weight=float, water_weight=float, threshold=float
    ),
    cave=_MARK,
    tunnels=tuple[_TUNNEL, ...],
    ores=tuple[_ORE, ...],
    lava=_MARK,
    sand=_MARK.needed(water=tuple[float, float]),
    lake=float,
    tree=_MARK.needed(draw_above=float),
    creatures=table(Creature, _DWELLER),
)

#: The sections of `data.yaml`; those that others refer to come first.
DATA = Record(
    actions=Annotated[Ids, needs("noop")],
    directions=Record(**dict.fromkeys(DIRECTIONS, Step)),
    materials=Annotated[Ids, needs(*GROUNDS)],
    objects=Annotated[Kinds, needs(*KINDS)],
    achievements=Ids,
    items=Annotated[table(Id, _ITEM), needs("health")],
    walkable=Materials,
    walkable_by=Mapping[Kind, Materials],
    deadly=Materials,
    collect=table(Material, _COLLECT),
    do=table(Literal["cow", "zombie", "skeleton", "plant"], _DO),
    place=table(str, _PLACE),
    make=table(ItemName, _MAKE),
    rewards=Record(unlock=float, health=float),
    life=_LIFE,
    damage=Annotated[
        Mapping[Annotated[str, name_of("weapons")], Count], needs("unarmed")
    ],
    creatures=_CREATURES,
    balance=Record(interval=Positive, kinds=table(Creature, _POPULATION)),
    world=Record(chunk=tuple[Positive, Positive], update_range=Amount, nearby=Count),
    time=Record(day=Positive, start=Chance, dark=Chance),
    light=_LIGHT,
    terrain=_TERRAIN,
    symbols=Record(
        materials=Mapping[Symbol, Material],
        objects=Mapping[Symbol, tuple[Kind, Material]],
    ),
)


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
    check(DATA, "", data, names)
    _check_names(data)
    _check_rows(data)
    for index, ore in enumerate(data["terrain"]["ores"]):
        if ("noise" in ore) != ("above" in ore):
            raise ValueError(f"terrain.ores.{index}: noise and above go together.")


def _check_names(data: Mapping[str, Any]) -> None:
    for index, kind in enumerate(data["materials"]):
        if kind in KINDS:
            raise ValueError(f"materials.{index}: {kind!r} is the name of an object.")
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
    for character in data["symbols"]["objects"]:
        if character in data["symbols"]["materials"]:
            raise ValueError(
                f"symbols.objects.{character}: the symbol of a material already."
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


def check_starts(items: Mapping[str, Any]) -> None:
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

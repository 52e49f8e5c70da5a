"""Schema of the rules of Crafter, used to validate `data.yaml` and changes to it.

The published rules serve as the example: all rules have their sections and entries, and
tables have any number of rows. Numbers are non-negative integers unless `_KINDS`
differs. `crafter.core.schema` checks the types; functions at the end check across
sections.
"""

import functools
import pathlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from crafter.core import ruleset
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
    by_example,
    check,
    distinct,
    filled,
    name_of,
    needs,
)
from crafter.core.validation import fail, one_of

CREATURES = ("cow", "zombie", "skeleton")
KINDS = ("player", *CREATURES, "arrow", "plant")
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Body counters that use up an item, and the counter of health.
NEEDS = ("hunger", "thirst", "fatigue")
COUNTERS = (*NEEDS, "recover")
#: Materials that world generation refers to by name.
GROUNDS = ("water", "grass", "stone", "path", "sand", "tree", "lava")
_VERBS = {**dict.fromkeys(CREATURES, "strike"), "plant": "eat"}

Material = Annotated[str, name_of("materials")]
Materials = Annotated[tuple[Material, ...], distinct]
Kind = Annotated[str, name_of("kinds")]
Kinds = Annotated[tuple[Kind, ...], distinct]
ItemName = Annotated[str, name_of("items")]
_NEED = Literal["hunger", "thirst", "fatigue"]
Byte = Annotated[int, Between(0, 255)]
Level = Annotated[float, Between(0, 255)]

#: Kind of row names -> tables with such rows.
_TABLES = (
    (Id, "items"),
    (Kind, "walkable_by"),
    (Material, "collect"),
    (Literal[(*CREATURES, "plant")], "do"),
    (str, "place"),
    (ItemName, "make *.require *.receive *.uses"),
    (Annotated[str, name_of("weapons")], "damage"),
    (Literal[CREATURES], "balance.kinds terrain.creatures"),
    (Symbol, "symbols.*"),
)
#: Kind -> entries of this kind.
_KINDS = (
    # Strings.
    (Annotated[Ids, needs("noop")], "actions"),
    (Annotated[Ids, needs(*GROUNDS)], "materials"),
    (Annotated[Kinds, needs(*KINDS)], "objects"),
    (Ids, "achievements"),
    (Materials, "walkable* deadly *.where make.*.nearby *.destroys *.ground"),
    (Material, "*.leaves *.material symbols.materials.*"),
    (tuple[Kind, Material], "symbols.objects.*"),
    (Kinds, "*.enemies"),
    (tuple[Literal["hunger", "thirst", "fatigue", "recover"], ...], "*.resets"),
    (Annotated[tuple[_NEED, ...], distinct], "*.needs_*"),
    (ItemName, "life.*.item"),
    (Id, "*.achievement"),
    (Literal["strike", "eat"], "*.verb"),
    (Literal["material", "object"], "*.type"),
    (str, "*.does"),
    # Numbers.
    (tuple[int, int], "directions.*"),
    (tuple[Positive, Positive], "world.chunk"),
    (Count, "creatures.arrow.health"),
    (Positive, "creatures.*.health *.ripe *.gives *.space *.interval time.day"),
    (Chance, "*.probability *chance time.* light.saturation"),
    (Amount, "*.sight *.reach creatures.*_distance balance.*.distance *.update_range"),
    (Byte, "light.outside"),
    (tuple[Count, Count, Count], "light.luma"),
    (tuple[Level, Level], "light.noise"),
    (tuple[Byte, Byte, Byte], "light.*_tint"),
    (Above, "light.vignette"),
    (Annotated[tuple[tuple[Above, float], ...], filled], "*.octaves"),
    (tuple[Above, Above], "*.stretch"),
    (tuple[float, float], "terrain.sand.water"),
    (bool, "*.divide"),
    (float, "rewards.* life.* *.constant *.per_daylight terrain.*"),
)
#: Optional entries of mappings that no published one has.
_OPTIONAL = (
    (("divide",), "*.noise"),
    (("mountain",), "terrain.sand terrain.tree terrain.tunnels.*"),
)

#: The published rules.
PUBLISHED: Any = ruleset.read(pathlib.Path(__file__).parent / "data.yaml")


@functools.cache
def sections() -> Any:
    """Returns the schema of the sections of `data.yaml`."""
    return by_example(PUBLISHED, _TABLES, _KINDS, _OPTIONAL)


def check_data(data: Any) -> None:
    """Validates all sections, except the references of actions and achievements.

    Args:
      data: The sections, as plain values.

    Raises:
      ValueError: If an entry is invalid; the message starts with its path.
    """
    given = data if isinstance(data, Mapping) else {}
    items = given.get("items", ())
    items = items if isinstance(items, Mapping) else {}
    names = {
        "materials": given.get("materials", ()),
        "kinds": KINDS,
        "items": items,
        "weapons": ("unarmed", *items),
    }
    check(sections(), "", data, names)
    needs("health")("items", data["items"], names)
    needs("unarmed")("damage", data["damage"], names)
    _check_names(data)
    _check_rows(data)
    for index, ore in enumerate(data["terrain"]["ores"]):
        if ("noise" in ore) != ("above" in ore):
            raise ValueError(
                f"terrain.ores.{index}: noise and above must be given together."
            )


def _check_names(data: Mapping[str, Any]) -> None:
    for index, kind in enumerate(data["materials"]):
        if kind in KINDS:
            raise ValueError(
                f"materials.{index}: {kind!r} is already the name of an object."
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
    for character in data["symbols"]["objects"]:
        if character in data["symbols"]["materials"]:
            raise ValueError(
                f"symbols.objects.{character}: already the symbol of a material."
            )


def check_references(data: Mapping[str, Any]) -> None:
    """Checks that every action and achievement has a rule.

    Args:
      data: Sections that passed `check_data`.

    Raises:
      ValueError: If one has none.
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

    The published game allows it and clips the amount in the first step, but in explicit
    changes it is an error.

    Raises:
      ValueError: If one does.
    """
    for item, amounts in items.items():
        if amounts["initial"] > amounts["max"]:
            most = f"at most the maximum of {amounts['max']}"
            fail(f"items.{item}.initial", most, amounts["initial"])


def recipe_actions(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the place and make actions."""
    return [f"{verb}_{what}" for verb in ("place", "make") for what in data[verb]]


def reachable(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the achievements that the rules can unlock."""
    rules = data["collect"].values()
    received = [f"collect_{item}" for rule in rules for item in rule["receive"]]
    done = [r["achievement"] for r in data["do"].values() if "achievement" in r]
    return list(dict.fromkeys([*received, *recipe_actions(data), *done, "wake_up"]))

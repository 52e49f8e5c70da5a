"""Schema of the scene section of task files, and of the difficulty levels."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from crafter.core.schema import Count, Names, table
from crafter.core.schema import check as check_schema
from crafter.core.validation import mapping, one_of, raising
from crafter.games.crafter.map_edits import check_edit
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import tables, zones
from crafter.tasks.catalogue.amounts import amount_schema, range_schema
from crafter.tasks.catalogue.files import TEXT, levels, record, sequence_of

#: Needs besides those of the rules: places on every map.
_PLACES = ("corner",)


@functools.lru_cache(maxsize=8)
def schema(rules: Rules) -> tuple[Any, Mapping[str, Any]]:
    """Returns the schemas of `needs` and `scene` in task files."""
    thing: Any = Literal[(*rules.materials, *rules.objects)]
    need: Any = Literal[(*rules.materials, *rules.objects, *zones.names(), *_PLACES)]
    return need, _scene_schema(rules, thing)


def _scene_schema(rules: Rules, thing: Any) -> dict[str, Any]:
    most = {item: row["max"] for item, row in rules.items.items()}
    bodily = (rules.life[name]["item"] for name in ("hunger", "thirst", "fatigue"))
    vitals = {vital: range_schema(0, most[vital]) for vital in bodily}
    near = {"what": thing, **dict.fromkeys(("n", "ring", "grown"), range_schema())}
    mob = dict.fromkeys(
        ("n", "ring", "health", "cooldown", "reload", "grown"), range_schema()
    )
    feature = {"what": Literal[tuple(tables.features())], "ring": range_schema()}
    edit = Annotated[Any, lambda where, value, names: _check_edit(where, value, rules)]
    land = Annotated[Any, _check_terrain]
    threat, distance, obstruction = map(_axis, ("threat", "distance", "obstruction"))
    return {
        "inventory": record((), **{item: amount_schema(n) for item, n in most.items()}),
        "vitals": record((), health=range_schema(1, most["health"]), **vitals),
        "clock": range_schema(0, rules.time["day"] - 1),
        "near": sequence_of(record(("what",), **near)),
        "features": sequence_of(record(tuple(feature), **feature)),
        "mobs": sequence_of(record(("kind",), kind=thing, at=TEXT, **mob)),
        "distance": _mapping_or(distance, range_schema()),
        "threat": threat,
        "obstruction": _mapping_or(obstruction, Count),
        "clutter": range_schema(),
        "wording": Literal["main", "train", "test"],
        "biome": Literal[zones.names()],
        "base": Literal["natural", "meadow"],
        "terrain": sequence_of(land),
        "marks": table(str, tuple[int, int, int, int]),
        "edits": sequence_of(edit),
    }


def _mapping_or(fields: Any, kind: Any) -> Any:
    """Returns the schema of a mapping, or else of a single value."""

    def condition(where: str, value: Any, names: Names) -> None:
        check_schema(fields if isinstance(value, Mapping) else kind, where, value)

    return Annotated[Any, condition]


def _axis(name: str) -> Any:
    """Returns the schema of an axis: ranges where its levels have ranges."""
    usual = tables.levels()["axes"][name][levels()[0]]
    kinds = {
        n: range_schema() if isinstance(v, list) else Count for n, v in usual.items()
    }
    return record((), **kinds)


def _check_terrain(where: str, value: Any, names: Names) -> None:
    kinds = tables.levels()["terrain"]
    what = one_of(f"{where}.what", mapping(where, value).get("what"), kinds)
    numbers = dict.fromkeys(kinds[what], range_schema())
    check_schema(record((), what=str, **numbers), where, value)


def _check_edit(where: str, value: Any, rules: Rules) -> None:
    with raising(ValueError, f"{where}: "):
        check_edit(value, None, rules)

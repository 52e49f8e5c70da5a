"""The checks of every section of `data.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.craftax.schema import (
    Check,
    Data,
    RulesError,
    every,
    like,
    list_of,
    name_in,
    one_of,
    real,
    record,
    span,
    table,
    text,
    truth,
    whole,
)

_CHANCE = real(0, 1)
_ANY = real(float("-inf"))
_BLOCK, _ITEM = name_in("blocks"), name_in("items")
_THING, _ACHIEVEMENT = name_in("inventory"), name_in("achievements")
_VITAL = name_in("maxima")
_VECTOR = list_of(real(), 3)
_DEFENCE = list_of(_CHANCE, 3)
_AMOUNTS = table(_THING, whole())
_ATTRIBUTE = one_of("dexterity", "strength", "intelligence")
_COUNTER = one_of("hunger", "thirst", "fatigue", "recover", "recover_mana")
_KINDS = ("ground", "solid", "water", "lava")

#: Verb -> the section that has what it is applied to, or `None` for nothing.
_VERBS: dict[str, tuple[str, ...] | None] = {
    "noop": None,
    "move": ("directions",),
    "do": None,
    "sleep": None,
    "rest": None,
    "place": ("place",),
    "make": ("recipes",),
    "descend": None,
    "ascend": None,
    "shoot": ("projectiles",),
    "cast": ("spells",),
    "drink": ("inventory", "potions", "each"),
    "read": None,
    "enchant": ("inventory",),
    "level_up": ("player",),
}


def _action(value: Any, path: str, data: Data) -> None:
    record({"what": text}, verb=one_of(*_VERBS), key=text)(value, path, data)
    section = _VERBS[value["verb"]]
    if section is None and "what" in value:
        raise RulesError(f"{path}.what: {value['verb']} is applied to nothing")
    if section is not None:
        name_in(*section)(value.get("what"), f"{path}.what", data)


def _first_does_nothing(value: Any, path: str, data: Data) -> None:
    name, row = next(iter(value.items()))
    if row["verb"] != "noop":
        raise RulesError(f"{path}.{name}: the first action must do nothing")


def _weights(value: Any, path: str, data: Data) -> None:
    list_of(real())(value, path, data)
    if not sum(value) > 0:
        raise RulesError(f"{path}: expected a weight above 0, got {value!r}")


def _ore_weights(value: Any, path: str, data: Data) -> None:
    _weights([row["weight"] for row in value.values()], path, data)


def _as_many_as_colours(value: Any, path: str, data: Data) -> None:
    colours = data["inventory"]["potions"]["each"]
    if len(value) != len(colours):
        raise RulesError(
            f"{path}: expected an effect for each of the colours {colours}, "
            f"got {len(value)}"
        )


def _something_to_make(value: Any, path: str, data: Data) -> None:
    if not (value.get("raises") or value.get("gives")):
        raise RulesError(f"{path}: a recipe raises or gives something")


def _something_to_put(value: Any, path: str, data: Data) -> None:
    if ("block" in value) == ("item" in value):
        raise RulesError(f"{path}: expected either a block or an item to place")


def _where(value: Any, path: str, data: Data) -> None:
    if value not in ("free", "torch"):
        _BLOCK(value, path, data)


def _tier(value: Any, path: str, data: Data) -> None:
    """Checks the tiers that a recipe raises things to."""
    for name, tier in value.items():
        _THING(name, f"{path}.{name}", data)
        tiers = data["inventory"][name].get("tiers", ())
        whole(1, len(tiers) - 1)(tier, f"{path}.{name}", data)


def _damage_by_tier(value: Any, path: str, data: Data) -> None:
    list_of(real(), len(data["inventory"]["sword"]["tiers"]))(value, path, data)


def _creatures(**optional: Check) -> Check:
    row = record(
        {"defence": _DEFENCE, "spawns_on": list_of(_BLOCK)},
        health=real(0.001),
        moves=name_in("movements"),
        achievement=_ACHIEVEMENT,
        **optional,
    )
    return table(text, row)


_ITEM_ROW = record(
    {"tiers": list_of(text), "each": list_of(text)}, max=whole(1), god=whole()
)
_FLOOR = record(
    {"achievement": _ACHIEVEMENT},
    passive=name_in("creatures", "passive"),
    melee=name_in("creatures", "melee"),
    ranged=name_in("creatures", "ranged"),
    chances=record(passive=_CHANCE, melee=_CHANCE, ranged=_CHANCE, night=_CHANCE),
)
_COLLECT = record(
    {
        "pickaxe": whole(),
        "gives": _AMOUNTS,
        "chance": _CHANCE,
        "restores": table(_VITAL, whole()),
        "resets": _COUNTER,
        "achievement": _ACHIEVEMENT,
        "leaves": _BLOCK,
    }
)
_PLACE = every(
    record(
        {"block": _BLOCK, "item": _ITEM, "over_items": list_of(_BLOCK)},
        uses=_AMOUNTS,
        where=list_of(_where),
        achievement=_ACHIEVEMENT,
    ),
    _something_to_put,
)
_RECIPE = every(
    record(
        {"raises": _tier, "gives": _AMOUNTS, "achievement": _ACHIEVEMENT},
        near=list_of(_BLOCK),
        uses=_AMOUNTS,
    ),
    _something_to_make,
)
_CHEST = record(
    leaves=_BLOCK,
    achievement=_ACHIEVEMENT,
    torches=record(chance=_CHANCE, count=span(0)),
    ores=record(
        chance=_CHANCE,
        kinds=every(table(_THING, record(weight=real(), count=span(0))), _ore_weights),
    ),
    potions=record(chance=_CHANCE, count=span(0)),
    arrows=record(chance=_CHANCE, count=span(0)),
    tools=record(
        chance=_CHANCE, kinds=list_of(one_of("pickaxe", "sword")), tiers=_weights
    ),
    first=table(whole(), _THING),
)
_INTRINSICS = record(
    hunger=record(lowers=_VITAL, awake=_ANY, asleep=_ANY, limit=_ANY),
    thirst=record(lowers=_VITAL, awake=_ANY, asleep=_ANY, limit=_ANY),
    fatigue=record(lowers=_VITAL, awake=_ANY, asleep=_ANY, limit=_ANY, rested=_ANY),
    recover=record(
        awake=_ANY,
        asleep=_ANY,
        lacking_awake=_ANY,
        lacking_asleep=_ANY,
        gain=_ANY,
        loss=_ANY,
    ),
    recover_mana=record(raises=_VITAL, awake=_ANY, asleep=_ANY, limit=_ANY),
)
_BEHAVIOUR = record(
    passive=record(food=whole(), stays=_CHANCE),
    melee=record(
        sight=whole(),
        chase_chance=_CHANCE,
        reach=whole(),
        cooldown=whole(),
        asleep_factor=real(),
    ),
    ranged=record(wander_chance=_CHANCE, far=whole(), near=whole(), cooldown=whole()),
    projectile=record(breaks=list_of(_BLOCK), leaves=_BLOCK),
)


def _checks(published: Mapping[str, Any]) -> Check:
    """Returns the check of a whole set of rules."""
    vitals = dict.fromkeys(("food", "drink", "energy", "mana"), whole())
    attributes = dict.fromkeys(("dexterity", "strength", "intelligence"), whole(1))
    grows = record(attribute=_ATTRIBUTE, per=_ANY)
    maximum = record(base=real(), attribute=_ATTRIBUTE, per=real())
    elements = record(block=_BLOCK, gem=_THING)
    return record(
        parameters=like_parameters(published["parameters"]),
        directions=_unchanged(published["directions"]),
        actions=every(table(text, _action), _first_does_nothing),
        blocks=table(text, record({"torch": truth}, kind=one_of(*_KINDS))),
        items=list_of(text),
        movements=table(text, list_of(one_of(*_KINDS))),
        inventory=table(text, _ITEM_ROW),
        player=record(
            direction=name_in("directions"),
            health=real(0.001),
            god_health=real(0.001),
            **vitals,
            **attributes,
        ),
        maxima=record(**dict.fromkeys(published["maxima"], maximum)),
        factors=record(**dict.fromkeys(published["factors"], grows)),
        intrinsics=_INTRINSICS,
        collect=table(_BLOCK, _COLLECT),
        place=table(text, _PLACE),
        torch_light=record(reach=whole(), fade=real(0.001)),
        recipes=table(text, _RECIPE),
        chest=_CHEST,
        melee_damage=_damage_by_tier,
        shot=record(uses=_AMOUNTS, achievement=_ACHIEVEMENT),
        spells=table(
            name_in("projectiles"),
            record(mana=whole(), learned=_ACHIEVEMENT, achievement=_ACHIEVEMENT),
        ),
        potions=record(
            achievement=_ACHIEVEMENT,
            effects=every(list_of(table(_VITAL, whole(-(10**6)))), _as_many_as_colours),
        ),
        enchanting=record(
            mana=whole(),
            elements=record(fire=elements, ice=elements),
            weapon=real(),
            achievements=table(_THING, _ACHIEVEMENT),
        ),
        defence=record(tier=_CHANCE, enchantment=_CHANCE),
        creatures=record(
            passive=_creatures(),
            melee=_creatures(damage=_VECTOR),
            ranged=_creatures(shoots=name_in("projectiles")),
        ),
        projectiles=table(
            text, record({"grows": one_of("bow", "spell")}, damage=_VECTOR)
        ),
        behaviour=_BEHAVIOUR,
        floors=record(**dict.fromkeys(published["floors"], _FLOOR)),
        ladders=record(monsters=whole(), killed_at_start=whole()),
        spawning=record(
            blocks=list_of(_BLOCK),
            graveyard_blocks=list_of(_BLOCK),
            beyond=record(passive=whole(), melee=whole(), ranged=whole()),
            graveyard_reach=whole(1),
            uncleared=whole(),
            wave=whole(),
        ),
        plants=record(ripe=whole(1)),
        boss=record(
            block=_BLOCK,
            hits=whole(1),
            wave_steps=whole(),
            damage_factor=real(),
            achievements=record(hit=_ACHIEVEMENT, won=_ACHIEVEMENT),
        ),
        achievements=table(text, name_in("rewards")),
        rewards=table(text, _ANY),
        possessions=table(_THING, table(whole(1), _ACHIEVEMENT)),
        waking=_ACHIEVEMENT,
        time=record(start=_CHANCE, dark=_CHANCE, moments=table(text, whole())),
        view=like(published["view"]),
        terrain=like(published["terrain"]),
        rooms=like(published["rooms"]),
        repairs=record(
            **dict.fromkeys(
                published["repairs"], record(number=whole(), does=text, applied=truth)
            )
        ),
        symbols=record(
            blocks=table(text, _BLOCK),
            items=table(text, list_of(text, 2)),
        ),
    )


def like_parameters(published: Mapping[str, Any]) -> Check:
    """Checks the usual arguments of an environment."""
    return record(
        **{
            name: truth if isinstance(value, bool) else whole(1)
            for name, value in published.items()
        }
    )


def _unchanged(published: Any) -> Check:
    def check(value: Any, path: str, data: Data) -> None:
        if value != published:
            raise RulesError(f"{path}: it cannot be changed, got {value!r}")

    return check


def check_rules(data: Data, published: Mapping[str, Any]) -> None:
    """Checks a set of rules.

    Args:
      data: The rules, merged.
      published: The published rules.

    Raises:
      RulesError: If they are impossible; the message begins with the place.
    """
    _checks(published)(data, "", data)

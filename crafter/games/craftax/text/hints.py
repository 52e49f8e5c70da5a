"""Which actions of Craftax would have an effect now, as far as can be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crafter.games.craftax.tables import Tables
from crafter.lm.rendering.facts import DARKNESS, VECTORS
from crafter.lm.rendering.observation import Observation


def available(obs: Observation) -> tuple[str, ...]:
    """Returns the actions that would have an effect, in the order of their ids."""
    if obs.asleep or obs.status["resting"]:
        return ("noop",)
    tables: Tables = obs.words.rules
    rows = tables.data["actions"].items()
    return tuple(
        name for name, row in rows if _VERBS[row["verb"]](obs, name, row.get("what"))
    )


def _tier(obs: Observation, tool: str) -> int:
    """Returns the tier of a tool, 0 without one."""
    tiers = obs.words.rules.data["inventory"][tool]["tiers"]
    owned = [
        n
        for n, tier in enumerate(tiers)
        if obs.inventory.get(tool if tier == tool else f"{tier}_{tool}")
    ]
    return max(owned, default=0)


def _has(obs: Observation, needs: Mapping[str, int]) -> bool:
    return all(obs.inventory.get(item, 0) >= amount for item, amount in needs.items())


def _near(obs: Observation, stations: tuple[str, ...]) -> bool:
    reach = range(-obs.words.book.reach, obs.words.book.reach + 1)
    around = {obs.material((dx, dy)) for dx in reach for dy in reach}
    return around >= set(stations)


def _noop(obs: Observation, action: str, what: Any) -> bool:
    return True


def _move(obs: Observation, action: str, what: str) -> bool:
    ahead = obs.at(VECTORS[what])
    return what != obs.facing or ahead in {*obs.words.book.walkable, DARKNESS}


def _do(obs: Observation, action: str, what: Any) -> bool:
    front = obs.front
    if front in obs.words.creatures or front in ("chest", "necromancer_vulnerable"):
        return True
    rule = obs.words.rules.data["collect"].get(front)
    return rule is not None and rule.get("pickaxe", 0) <= _tier(obs, "pickaxe")


def _below_maximum(vital: str) -> Callable[[Observation, str, Any], bool]:
    return lambda obs, action, what: obs.inventory[vital] < obs.limits[vital]


def _place(obs: Observation, action: str, what: str) -> bool:
    recipe = obs.words.book.recipes[action]
    return _has(obs, recipe.uses) and obs.front in recipe.where


def _make(obs: Observation, action: str, what: str) -> bool:
    recipe, rule = obs.words.book.recipes[action], obs.words.rules.data["recipes"][what]
    wanted = all(
        _lowest(obs, tool) < tier for tool, tier in rule.get("raises", {}).items()
    )
    room = all(obs.inventory[n] < obs.limits[n] for n in rule.get("gives", ()))
    return wanted and room and _has(obs, recipe.uses) and _near(obs, recipe.near)


def _lowest(obs: Observation, tool: str) -> int:
    row = obs.words.rules.data["inventory"][tool]
    if "each" not in row:
        return _tier(obs, tool)
    names = [[f"{tier}_{piece}" for tier in row["tiers"]] for piece in row["each"]]
    return min(
        max((n for n, name in enumerate(own) if obs.inventory.get(name)), default=0)
        for own in names
    )


def _ladder(item: str) -> Callable[[Observation, str, Any], bool]:
    return lambda obs, action, what: item in obs.here


def _shoot(obs: Observation, action: str, what: Any) -> bool:
    return _tier(obs, "bow") > 0 and _has(obs, obs.words.rules.data["shot"]["uses"])


def _cast(obs: Observation, action: str, what: str) -> bool:
    mana = obs.words.rules.data["spells"][what]["mana"]
    return what in obs.status["spells"] and obs.inventory["mana"] >= mana


def _drink(obs: Observation, action: str, what: str) -> bool:
    return obs.inventory[f"potion_{what}"] > 0


def _read(obs: Observation, action: str, what: Any) -> bool:
    return obs.inventory["books"] > 0


def _enchant(obs: Observation, action: str, what: str) -> bool:
    rules = obs.words.rules.data["enchanting"]
    elements = rules["elements"].values()
    gem = next((row["gem"] for row in elements if row["block"] == obs.front), None)
    if gem is None or obs.inventory["mana"] < rules["mana"]:
        return False
    owned = obs.words.groups["armour"]
    worn = any(obs.inventory[name] for name in owned)
    return obs.inventory[gem] > 0 and (
        worn if what == "armour" else _tier(obs, what) > 0
    )


def _level_up(obs: Observation, action: str, what: str) -> bool:
    most = obs.words.rules.data["parameters"]["max_attribute"]
    attributes = obs.status["attributes"]
    return attributes["xp"] > 0 and attributes[what] < most


_VERBS: dict[str, Callable[[Observation, str, Any], bool]] = {
    "noop": _noop,
    "move": _move,
    "do": _do,
    "sleep": _below_maximum("energy"),
    "rest": _below_maximum("health"),
    "place": _place,
    "make": _make,
    "descend": _ladder("ladder_down"),
    "ascend": _ladder("ladder_up"),
    "shoot": _shoot,
    "cast": _cast,
    "drink": _drink,
    "read": _read,
    "enchant": _enchant,
    "level_up": _level_up,
}

"""What a player of Craftax can do now, as far as it can be seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from crafter.games.craftax.rows import Action, Recipe
from crafter.games.craftax.snapshot import MobRecord, Snapshot
from crafter.games.craftax.tables import Tables


def possible(rules: Tables, now: Snapshot) -> dict[str, str]:
    """Returns the achievements that an action would serve now, and the action."""
    if now.sleeping or now.resting:
        return {}
    scene = Surroundings(rules, now)
    found = dict(_by_hand(rules, now, scene))
    for action in rules.actions:
        for name in _served(rules, now, action):
            if ready(rules, now, action, scene):
                found[name] = action.name
    return found


class Surroundings:
    """What is around the player, as far as there is light.

    Args:
      rules: The rules of the game.
      now: The moment.

    Attributes:
      front: Name of the block in front; empty if it is not seen.
      item: Name of the item in front, likewise.
      creature: The creature in front, or None.
      under: Name of the item under the player.
      near: Ids of the blocks in the eight cells around the player.
    """

    def __init__(self, rules: Tables, now: Snapshot) -> None:
        row, column = (p - c for p, c in zip(now.position, now.corner))
        lit = now.light > rules.data["view"]["dim"]
        ahead = row + now.facing[0], column + now.facing[1]
        inside = all(0 <= n < most for n, most in zip(ahead, lit.shape))
        sees = inside and bool(lit[ahead])
        self.front = rules.block_names[now.blocks[ahead]] if sees else ""
        self.item = rules.item_names[now.items[ahead]] if sees else ""
        self.under = rules.item_names[now.items[row, column]]
        target = now.position[0] + now.facing[0], now.position[1] + now.facing[1]
        self.creature = _creature(rules, now, target) if sees else None
        around = np.s_[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        self.near = set(now.blocks[around][lit[around]].tolist())


def _creature(rules: Tables, now: Snapshot, cell: tuple[int, int]) -> MobRecord | None:
    creatures = (mob for mob in now.mobs if mob.kind in rules.species)
    return next((mob for mob in creatures if mob.position == cell), None)


def _by_hand(
    rules: Tables, now: Snapshot, scene: Surroundings
) -> Iterator[tuple[str, str]]:
    """Yields achievements that `do`, sleep and ladders may bring, and the action."""
    names = {action.verb: action.name for action in rules.actions}
    hand = _of_do(rules, now, scene)
    if hand:
        yield hand, names["do"]
    if now.inventory["energy"] < now.maxima["energy"]:
        yield rules.data["waking"], names["sleep"]
    below = now.level + 1
    if scene.under == "ladder_down" and now.ladder_open and below < len(rules.floors):
        number = rules.floors[below].achievement
        if number is not None:
            yield rules.achievement_names[number], names["descend"]


def _of_do(rules: Tables, now: Snapshot, scene: Surroundings) -> str:
    """Returns the achievement that using what is in front may bring, or ''."""
    if scene.creature is not None:
        rows = rules.species[scene.creature.kind]
        species = next(row for row in rows if row.name == scene.creature.name)
        return rules.achievement_names[species.achievement]
    if scene.front == "chest":
        return str(rules.data["chest"]["achievement"])
    if scene.front == rules.data["boss"]["block"]:
        return rules.data["boss"]["achievements"]["hit"] if now.boss_vulnerable else ""
    rule = rules.collect.get(rules.block_ids.get(scene.front, -1))
    if rule is None or rule.pickaxe > now.inventory["pickaxe"]:
        return ""
    if rule.achievement is not None:
        return rules.achievement_names[rule.achievement]
    owned = (rules.data["possessions"].get(item, {}) for item in rule.gives)
    return next((name for row in owned for name in row.values()), "")


def _served(rules: Tables, now: Snapshot, action: Action) -> list[str]:
    """Returns the achievements that an action which works unlocks."""
    data, what, names = rules.data, action.what or "", rules.achievement_names
    if action.verb == "place":
        return [names[rules.place[what].achievement]]
    if action.verb == "make":
        return _of_recipe(rules, rules.recipes[what])
    if action.verb == "shoot":
        return [data["shot"]["achievement"]]
    if action.verb == "cast":
        return [names[rules.spells[what].achievement]]
    if action.verb == "drink":
        return [data["potions"]["achievement"]]
    if action.verb == "enchant":
        return [n for n in [data["enchanting"]["achievements"].get(what)] if n]
    if action.verb == "read":
        return [
            names[spell.learned]
            for name, spell in rules.spells.items()
            if name not in now.spells
        ]
    return []


def _of_recipe(rules: Tables, recipe: Recipe) -> list[str]:
    if recipe.achievement is not None:
        return [rules.achievement_names[recipe.achievement]]
    rows = rules.data["possessions"]
    raised = [
        name  # also those of lower tiers
        for item, tier in recipe.raises.items()
        for number, name in rows.get(item, {}).items()
        if number <= tier
    ]
    given = [next(iter(rows.get(i, {}).values()), None) for i in recipe.gives]
    return [name for name in [*raised, *given] if name]


def ready(rules: Tables, now: Snapshot, action: Action, scene: Surroundings) -> bool:
    """Tells whether an action would work now.

    Args:
      rules: The rules of the game.
      now: The moment.
      action: One that places, makes, shoots, casts, drinks, reads, enchants or levels
        up; others count as not ready.
      scene: What is around the player.
    """
    has, what = now.inventory, action.what or ""
    if now.sleeping or now.resting or now.dead:
        return False
    if action.verb == "place":
        return _can_place(rules, has, what, scene)
    if action.verb == "make":
        return _can_make(rules, has, rules.recipes[what], scene)
    if action.verb == "shoot":
        return bool(has["bow"]) and _has(has, rules.data["shot"]["uses"])
    if action.verb == "cast":
        return what in now.spells and has["mana"] >= rules.spells[what].mana
    if action.verb == "drink":
        return has[f"potion_{what}"] >= 1
    if action.verb == "read":
        return has["books"] >= 1
    if action.verb == "enchant":
        return _can_enchant(rules, has, what, scene)
    if action.verb == "level_up":
        most: int = rules.data["parameters"]["max_attribute"]
        return has["xp"] >= 1 and has[what] < most
    return False


def _has(has: Mapping[str, float], needs: Mapping[str, int]) -> bool:
    return all(has[item] >= number for item, number in needs.items())


def _can_place(
    rules: Tables, has: Mapping[str, float], what: str, scene: Surroundings
) -> bool:
    rule = rules.place[what]
    if not scene.front or scene.creature is not None or not _has(has, rule.uses):
        return False
    block = rules.block_ids[scene.front]
    free = scene.item == rules.item_names[0] or rule.over_items[block]
    return bool(free and rule.where[block])


def _can_make(
    rules: Tables, has: Mapping[str, float], recipe: Recipe, scene: Surroundings
) -> bool:
    if not (set(recipe.near) <= scene.near and _has(has, recipe.uses)):
        return False
    for item, tier in recipe.raises.items():
        if _least_tier(rules, has, item) >= tier:
            return False
    limits = rules.data["inventory"]
    return all(has[item] < limits[item]["max"] for item in recipe.gives)


def _least_tier(rules: Tables, has: Mapping[str, float], item: str) -> float:
    """Returns the tier of a tool, or that of the worst piece of armour."""
    return min(has[name] for name in rules.inventory_keys[item] or (item,))


def _can_enchant(
    rules: Tables, has: Mapping[str, float], what: str, scene: Surroundings
) -> bool:
    element = rules.elements.get(rules.block_ids.get(scene.front, -1))
    if element is None or has["mana"] < rules.data["enchanting"]["mana"]:
        return False
    owned = any(has[name] for name in rules.inventory_keys[what] or (what,))
    return has[element.gem] >= 1 and owned

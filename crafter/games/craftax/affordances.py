"""Affordances: which actions would have an effect now, and why the others would not.

`CHECKS` has one function per verb. Each returns the reason why the action would have no
effect, as in `rejected` events, or `None` if it may have one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crafter.core.events import Refusal
from crafter.games.craftax import boss
from crafter.games.craftax.engine import Mob
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Action, Collect, Recipe

# What the player faces.


def block_ahead(player: Player) -> int:
    """Returns the id of the block in front; off the map, of the cell read instead."""
    return player.floor.blocks[player.floor.seen_cell(*player.target)]


def creature_ahead(player: Player) -> tuple[str, Mob] | None:
    """Returns the class and slot of a living creature in front."""
    row, col = player.target
    for kind, mobs in player.floor.creatures():
        for mob in mobs:
            if mob.alive and mob.row == row and mob.col == col:
                return kind, mob
    return None


def reads_ahead(player: Player) -> bool:
    """Returns whether the game reads the cell in front, even off the map."""
    closed = "closed_map" in player.world.tables.applied
    return not closed or player.target in player.floor


def _can_hit_boss(player: Player) -> bool:
    return player.in_graveyard and reads_ahead(player) and boss.is_vulnerable(player)


def _opens_beyond(player: Player) -> bool:
    """Returns whether using a chest read from off the map counts as opening one."""
    bounded = player.world.tables.applied & {"chest_bounds", "closed_map"}
    return not bounded and not player.floor.chest_opened


def _is_useless(player: Player, rule: Collect) -> bool:
    """Returns whether collecting a block would change nothing."""
    limits = player.world.tables.data["inventory"]
    return (
        rule.leaves is None
        and all(player.inventory[n] >= limits[n]["max"] for n in rule.gives)
        and all(getattr(player, n) >= player.maxima[n] for n in rule.restores)
        and (rule.resets is None or getattr(player, rule.resets) == 0)
        and (rule.achievement is None or player.achievements[rule.achievement])
    )


def _hit_may_come(player: Player) -> bool:
    """Returns whether the player may be hit in this step, before the rest begins.

    Ignores that a walled-in shooter may use up the last projectile slot before another
    shooter.
    """
    floor, rules = player.floor, player.world.tables.data["behaviour"]
    reach, far = rules["melee"]["reach"], rules["ranged"]["far"]
    for mob in floor.melee:
        if mob.alive and mob.cooldown <= 0 and _distance(player, mob) == reach:
            return True
    for shot in floor.mob_projectiles:
        then = shot.row + shot.drow, shot.col + shot.dcol
        if shot.alive and player.position in (shot.position, then):
            return True
    slots = sum(not shot.alive for shot in floor.mob_projectiles)
    for mob in floor.ranged:
        if slots and mob.alive and mob.cooldown <= 0:
            distance = _distance(player, mob)
            if distance <= 1:
                return True
            slots -= rules["ranged"]["near"] < distance < far
    return False


def _distance(player: Player, mob: Mob) -> int:
    return abs(mob.row - player.row) + abs(mob.col - player.col)


# Verbs.


def _noop(player: Player, what: str) -> Refusal | None:
    return None


def _move(player: Player, what: str) -> Refusal | None:
    world, tables = player.world, player.world.tables
    direction = tables.direction_names.index(what) + 1
    row, col = tables.vectors[direction]
    to = player.row + row, player.col + col
    free = player.floor.is_open(*to, tables.barred["land"])
    possible = free or direction != player.direction or world.parameters.god_mode
    return None if possible else Refusal("blocked")


def _do(player: Player, what: str) -> Refusal | None:
    if creature_ahead(player) is not None:
        return None
    tables, block = player.world.tables, block_ahead(player)
    name, inside = tables.block_names[block], player.target in player.floor
    if name == tables.data["boss"]["block"] and (inside or _can_hit_boss(player)):
        return None if _can_hit_boss(player) else Refusal("boss_protected")
    if name == "chest" and (inside or _opens_beyond(player)):
        return None
    if not inside:
        return Refusal("off_the_map")
    refused = collecting(player)
    if refused is None and _is_useless(player, tables.collect[block]):
        return Refusal("useless")
    return refused


def collecting(player: Player) -> Refusal | None:
    """Returns why the block in front cannot be collected, or `None` if it can."""
    tables, block = player.world.tables, block_ahead(player)
    rule = tables.collect.get(block)
    if rule is None:
        unripe = tables.block_names[block] == "plant"
        return Refusal("unripe" if unripe else "nothing_there")
    short = rule.pickaxe - player.inventory["pickaxe"]
    return Refusal("no_tool", {"pickaxe": short}) if short > 0 else None


def _sleep(player: Player, what: str) -> Refusal | None:
    return None if player.energy < player.maxima["energy"] else Refusal("not_tired")


def _rest(player: Player, what: str) -> Refusal | None:
    lacking = [name for name in ("food", "drink") if getattr(player, name) <= 0]
    if lacking:  # the player would get up at once
        return Refusal("useless", dict.fromkeys(lacking, 1))
    hurt = player.health < player.maxima["health"] or _hit_may_come(player)
    return None if hurt else Refusal("not_hurt")


def _stands_on(player: Player, ladder: str) -> bool:
    floor = player.floor
    item = floor.items[floor.seen_cell(*player.position)]
    god = player.world.parameters.god_mode
    return god or item == player.world.tables.item_ids[ladder]


def _descend(player: Player, what: str) -> Refusal | None:
    if player.in_graveyard or not _stands_on(player, "ladder_down"):
        return Refusal("no_ladder")
    needed = player.world.tables.data["ladders"]["monsters"]
    left = needed - player.floor.monsters_killed
    shut = left > 0 and not player.world.parameters.god_mode
    return Refusal("ladder_shut", {"monsters": left}) if shut else None


def _ascend(player: Player, what: str) -> Refusal | None:
    stands = player.level > 0 and _stands_on(player, "ladder_up")
    return None if stands else Refusal("no_ladder")


def _place(player: Player, what: str) -> Refusal | None:
    floor, tables = player.floor, player.world.tables
    rule = tables.place[what]
    missing = player.missing(rule.uses)
    if player.target not in floor:
        return Refusal("off_the_map", missing)
    cell = floor.seen_cell(*player.target)
    block = floor.blocks[cell]
    below = "crowded" in tables.applied and tables.below(what)[block]
    if floor.occupied[cell] and not below:
        return Refusal("occupied", missing)
    if (floor.items[cell] and not rule.over_items[block]) or not rule.where[block]:
        return Refusal("bad_target", missing)
    if missing:
        return Refusal("no_item", missing)
    kept = what != "plant" or "plant_slots" not in tables.applied
    kept = kept or not all(plant.growing for plant in player.world.plants)
    return None if kept else Refusal("no_plant_slot")


def _make(player: Player, what: str) -> Refusal | None:
    tables = player.world.tables
    rule = tables.recipes[what]
    around = player.floor.blocks_around(player.position)
    far = {tables.block_names[block]: 1 for block in rule.near if block not in around}
    missing = {**far, **player.missing(rule.uses)}
    if missing:
        return Refusal("no_station" if far else "no_item", missing)
    if not _keeps(player, rule):
        return None
    return Refusal("has_better" if rule.raises else "full")


def _keeps(player: Player, rule: Recipe) -> bool:
    """Returns whether the player already owns a recipe's product, or is full."""
    limits = player.world.tables.data["inventory"]
    for item, tier in rule.raises.items():
        owned = player.inventory[item]
        if (min(owned) if isinstance(owned, list) else owned) >= tier:
            return True
    return any(player.inventory[item] >= limits[item]["max"] for item in rule.gives)


def _shoot(player: Player, what: str) -> Refusal | None:
    missing = player.missing(player.world.tables.data["shot"]["uses"])
    if not player.inventory["bow"]:
        return Refusal("no_weapon", {"bow": 1, **missing})
    return Refusal("no_item", missing) if missing else _launch(player)


def _cast(player: Player, what: str) -> Refusal | None:
    spell = player.world.tables.spells[what]
    if not player.learned_spells[spell.id]:
        return Refusal("not_learned")
    return _spend(player, spell.mana) or _launch(player)


def _spend(player: Player, mana: int) -> Refusal | None:
    short = mana - player.mana
    return Refusal("no_mana", {"mana": short}) if short > 0 else None


def _launch(player: Player) -> Refusal | None:
    flying = all(shot.alive for shot in player.floor.player_projectiles)
    return Refusal("too_many_shots") if flying else None


def _drink(player: Player, what: str) -> Refusal | None:
    colours = player.world.tables.data["inventory"]["potions"]["each"]
    has = player.inventory["potions"][colours.index(what)]
    return None if has else Refusal("no_item", {what: 1})


def _read(player: Player, what: str) -> Refusal | None:
    return None if player.inventory["books"] else Refusal("no_item", {"books": 1})


def _enchant(player: Player, what: str) -> Refusal | None:
    tables = player.world.tables
    element = tables.elements.get(block_ahead(player)) if reads_ahead(player) else None
    if element is None:
        return Refusal("no_table")
    if not player.inventory[element.gem]:
        return Refusal("no_gem", {element.gem: 1})
    refused = _spend(player, tables.data["enchanting"]["mana"])
    if refused is not None:
        return refused
    owned = player.inventory[what]
    if not (any(owned) if isinstance(owned, list) else owned):
        return Refusal("no_weapon", {what: 1})
    if what == "armour" and "armour_enchantment" in tables.applied:
        pieces = zip(owned, player.armour_enchantments)
        if all(old == element.id for worn, old in pieces if worn):
            return Refusal("bad_target")
    return None


def _level_up(player: Player, what: str) -> Refusal | None:
    number = player.world.tables.floors[player.level].achievement
    due = number is not None and not player.achievements[number]  # granted on arrival
    due = due and "ladder_entry" not in player.world.tables.applied
    if player.xp + due < 1:
        return Refusal("no_experience", {"xp": 1})
    grown = player.attributes[what] >= player.world.parameters.max_attribute
    return Refusal("at_maximum") if grown else None


#: Verb of `data.yaml` -> function that returns why it would have no effect.
CHECKS: dict[str, Callable[[Player, str], Refusal | None]] = {
    "noop": _noop,
    "move": _move,
    "do": _do,
    "sleep": _sleep,
    "rest": _rest,
    "descend": _descend,
    "ascend": _ascend,
    "place": _place,
    "make": _make,
    "shoot": _shoot,
    "cast": _cast,
    "drink": _drink,
    "read": _read,
    "enchant": _enchant,
    "level_up": _level_up,
}


def refusal(player: Player, action: Action) -> Refusal | None:
    """Returns why an action would have no effect, or `None` if it may have one.

    Args:
      player: The player, neither asleep nor resting.
      action: The action.
    """
    return CHECKS[action.verb](player, action.what or "")


def action_mask(player: Player) -> np.ndarray:
    """Returns the mask of actions that may differ in effect from `noop`.

    While the player sleeps or rests, only `noop` is allowed.

    Args:
      player: The player.

    Returns:
      int8 of shape (actions,): 1 for `noop`, and for each action that leads to another
      state than `noop` for some random draw; else 0. `docs/craftax.md` lists the
      actions that are 1 without an effect.
    """
    rows = player.world.tables.actions
    if player.sleeping or player.resting:
        return np.array([row is rows[0] for row in rows], np.int8)
    return np.array([refusal(player, row) is None for row in rows], np.int8)


def puffer_mask(player: Player) -> np.ndarray:
    """Returns the mask of actions that the player can afford, as in PufferLib.

    The mask ignores the surroundings, and whether a projectile or plant slot is free.
    Masked actions that are sent anyway are carried out.

    Args:
      player: The player.

    Returns:
      int8 of shape (actions,).

    Source:
      PufferLib 5.0, Craftax.
    """
    rows = player.world.tables.actions
    if player.sleeping or player.resting:
        return np.array([row is rows[0] for row in rows], np.int8)
    return np.array([_has_means(player, row) for row in rows], np.int8)


def _has_means(player: Player, action: Action) -> bool:
    tables, has, what = player.world.tables, player.inventory, action.what or ""
    if action.verb == "rest":
        return player.health < player.maxima["health"]
    if action.verb == "place":
        return not player.missing(tables.place[what].uses)
    if action.verb == "make":
        rule = tables.recipes[what]
        return not player.missing(rule.uses) and not _keeps(player, rule)
    if action.verb == "shoot":
        return bool(has["bow"]) and not player.missing(tables.data["shot"]["uses"])
    if action.verb == "cast":
        spell = tables.spells[what]
        return player.learned_spells[spell.id] and player.mana >= spell.mana
    if action.verb == "enchant":
        gems = any(has[element.gem] for element in tables.elements.values())
        owned = has[what]
        owns = any(owned) if isinstance(owned, list) else owned
        return player.mana >= tables.data["enchanting"]["mana"] and gems and bool(owns)
    if action.verb == "level_up":
        most = player.world.parameters.max_attribute
        return player.xp >= 1 and player.attributes[what] < most
    if action.verb in ("noop", "move", "do"):
        return True
    return refusal(player, action) is None


#: Kind of mask -> function.
MASKS = {"exact": action_mask, "puffer": puffer_mask}

"""Affordances: which actions have an effect now, and why the others have none.

`CHECKS` has one function per verb. Each returns why the action would have no effect, as
`rejected` events name it, or `None` if it may have one. They read a `Scene`: `Exact`
knows the whole game, `Seen` what a snapshot shows.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crafter.games.craftax import boss
from crafter.games.craftax.engine import Position
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Action, Recipe
from crafter.games.craftax.tables import Tables

if TYPE_CHECKING:
    from crafter.games.craftax.snapshot import MobRecord, Snapshot


class Refusal(NamedTuple):
    """Why an action has no effect.

    Attributes:
      reason: One of `crafter.games.craftax.events.REASONS`; or `blocked`, or `useless`
        for what takes place and changes nothing.
      missing: What is short -> by how much.
    """

    reason: str
    missing: Mapping[str, Any] = {}


class Ahead(NamedTuple):
    """The cell that the player faces.

    Attributes:
      block: Name of its block; empty if it is not seen. Off the map it is the block
        that the game reads instead.
      item: Name of its item, likewise.
      inside: Whether it is on the map.
      occupied: Whether a creature keeps others out of it.
    """

    block: str
    item: str
    inside: bool
    occupied: bool


class Scene(abc.ABC):
    """What decides whether actions have an effect; a subclass for each source.

    The methods that are not abstract answer as if nothing unseen stood in the way.

    Attributes:
      tables: The rules.
    """

    tables: Tables

    @abc.abstractmethod
    def level(self) -> int:
        """Returns the number of the floor."""

    @abc.abstractmethod
    def facing(self) -> Position:
        """Returns the vector (rows, columns) that the player faces in."""

    @abc.abstractmethod
    def maximum(self, vital: str) -> float:
        """Returns the most of health, food, drink, energy or mana."""

    @abc.abstractmethod
    def amount(self, name: str) -> float:
        """Returns how much of something there is, named as in `info['inventory']`."""

    @abc.abstractmethod
    def ahead(self) -> Ahead:
        """Returns the cell that the player faces."""

    @abc.abstractmethod
    def under(self) -> str:
        """Returns the name of the item under the player."""

    @abc.abstractmethod
    def monsters_left(self) -> int:
        """Returns how many have to be killed until the way down opens."""

    @abc.abstractmethod
    def around(self) -> Collection[int]:
        """Returns the ids of the blocks in the cells around the player."""

    @abc.abstractmethod
    def is_free(self, direction: Position) -> bool:
        """Returns whether the player could enter the next cell in a direction."""

    @abc.abstractmethod
    def can_strike(self) -> bool:
        """Returns whether a living creature is in front."""

    @abc.abstractmethod
    def can_hit_boss(self) -> bool:
        """Returns whether the boss could be hit."""

    @abc.abstractmethod
    def knows(self, spell: str) -> bool:
        """Returns whether the player has learned a spell."""

    @abc.abstractmethod
    def enchantment(self, piece: str) -> str:
        """Returns the element of a piece of armour; empty for none."""

    def in_god_mode(self) -> bool:
        """Returns whether nothing stops the player."""
        return False

    def max_attribute(self) -> int:
        """Returns the most of an attribute."""
        most: int = self.tables.data["parameters"]["max_attribute"]
        return most

    def has_shot_slot(self) -> bool:
        """Returns whether another shot of the player can fly."""
        return True

    def has_plant_slot(self) -> bool:
        """Returns whether another plant can grow."""
        return True

    def hit_may_come(self) -> bool:
        """Returns whether the player may be hit in this step, before it rests."""
        return False

    def xp_due(self) -> int:
        """Returns the experience that this step brings before it can be spent."""
        return 0

    def opens_beyond(self) -> bool:
        """Returns whether a chest that is read beyond the map counts as opened."""
        return False

    def is_useless(self) -> bool:
        """Returns whether what the block in front gives would change nothing."""
        return False

    def missing(self, needs: Mapping[str, int]) -> dict[str, Any]:
        """Returns the items that are short, and by how many."""
        return {
            item: most - owned
            for item, most in needs.items()
            if (owned := self.amount(item)) < most
        }

    def pieces(self, item: str) -> tuple[str, ...]:
        """Returns the names of the numbers of a tool or of armour."""
        return self.tables.inventory_keys[item] or (item,)


class Exact(Scene):
    """The scene of a running game.

    Args:
      player: The player in its world.
    """

    def __init__(self, player: Player) -> None:
        self._player, self._floor = player, player.floor
        self.tables = player.world.tables
        self._around: set[int] | None = None

    def level(self) -> int:
        """Returns the number of the floor."""
        return self._player.level

    def facing(self) -> Position:
        """Returns the vector (rows, columns) that the player faces in."""
        return self._player.facing

    def maximum(self, vital: str) -> float:
        """Returns the most of health, food, drink, energy or mana."""
        return self._player.maxima[vital]

    def in_god_mode(self) -> bool:
        """Returns whether nothing stops the player."""
        return self._player.world.parameters.god_mode

    def max_attribute(self) -> int:
        """Returns the most of an attribute."""
        return self._player.world.parameters.max_attribute

    def amount(self, name: str) -> float:
        """Returns how much of something there is."""
        amount = self._player.inventory.get(name)
        if amount is None:
            amount = getattr(self._player, name, None)  # such as health, xp
        if amount is None and name.startswith("potion_"):
            number = self.pieces("potions").index(name)
            amount = self._player.inventory["potions"][number]
        return self._player.amounts()[name] if amount is None else amount

    def ahead(self) -> Ahead:
        """Returns the cell that the player faces."""
        floor, target = self._floor, self._player.target
        cell = floor.seen_cell(*target)
        inside = target in floor
        return Ahead(
            self.tables.block_names[floor.blocks[cell]],
            self.tables.item_names[floor.items[cell]],
            inside,
            inside and bool(floor.occupied[cell]),
        )

    def under(self) -> str:
        """Returns the name of the item under the player."""
        cell = self._floor.seen_cell(*self._player.position)
        return self.tables.item_names[self._floor.items[cell]]

    def monsters_left(self) -> int:
        """Returns how many have to be killed until the way down opens."""
        needed: int = self.tables.data["ladders"]["monsters"]
        return needed - self._floor.monsters_killed

    def around(self) -> Collection[int]:
        """Returns the ids of the blocks in the cells around the player."""
        if self._around is None:
            self._around = self._floor.blocks_around(self._player.position)
        return self._around

    def is_free(self, direction: Position) -> bool:
        """Returns whether the player could enter the next cell in a direction."""
        row, col = self._player.position
        to = row + direction[0], col + direction[1]
        free = self._floor.is_open(*to, self.tables.barred["land"])
        return free or self.in_god_mode()

    def can_strike(self) -> bool:
        """Returns whether a living creature is in front."""
        at = self._player.target
        kinds = self._floor.creatures()
        return any(m.alive and m.position == at for _, mobs in kinds for m in mobs)

    def can_hit_boss(self) -> bool:
        """Returns whether the boss could be hit."""
        return self._player.in_graveyard and boss.is_vulnerable(self._player)

    def knows(self, spell: str) -> bool:
        """Returns whether the player has learned a spell."""
        return self._player.learned_spells[self.tables.spells[spell].id]

    def enchantment(self, piece: str) -> str:
        """Returns the element of a piece of armour; empty for none."""
        number = self.pieces("armour").index(piece)
        element = self._player.armour_enchantments[number]
        names = (row.name for row in self.tables.elements.values() if row.id == element)
        return next(names, "")

    def has_shot_slot(self) -> bool:
        """Returns whether another shot of the player can fly."""
        return not all(shot.alive for shot in self._floor.player_projectiles)

    def has_plant_slot(self) -> bool:
        """Returns whether a plant is placed although it may not be kept."""
        plants = self._player.world.plants
        repaired = "plant_slots" in self.tables.repairs
        return not repaired or not all(plant.growing for plant in plants)

    def xp_due(self) -> int:
        """Returns the experience for being on a floor for the first time."""
        number = self.tables.floors[self._player.level].achievement
        return int(number is not None and not self._player.achievements[number])

    def opens_beyond(self) -> bool:
        """Returns whether a chest that is read beyond the map counts as opened."""
        repaired = "chest_bounds" in self.tables.repairs
        return not repaired and not self._floor.chest_opened

    def is_useless(self) -> bool:
        """Returns whether what the block in front gives would change nothing."""
        player, limits = self._player, self.tables.data["inventory"]
        rule = self.tables.collect.get(self.tables.block_ids[self.ahead().block])
        return rule is not None and (
            rule.leaves is None
            and all(player.inventory[n] >= limits[n]["max"] for n in rule.gives)
            and all(getattr(player, n) >= self.maximum(n) for n in rule.restores)
            and (rule.resets is None or getattr(player, rule.resets) == 0)
            and (rule.achievement is None or player.achievements[rule.achievement])
        )

    def hit_may_come(self) -> bool:
        """Returns whether the player may be hit in this step, before it rests.

        A shooter that has been walled in may take the last slot for a shot before
        another one; that it may is neglected.
        """
        player, floor, rules = self._player, self._floor, self.tables.data["behaviour"]
        reach, far = rules["melee"]["reach"], rules["ranged"]["far"]
        blows = (m.alive and m.cooldown <= 0 for m in floor.melee)
        distances = (_distance(player, mob) for mob in floor.melee)
        if any(blow and d == reach for blow, d in zip(blows, distances)):
            return True
        for shot in floor.mob_projectiles:
            then = shot.row + shot.drow, shot.col + shot.dcol
            if shot.alive and player.position in (shot.position, then):
                return True
        slots = sum(not shot.alive for shot in floor.mob_projectiles)
        for mob in floor.ranged:
            distance = _distance(player, mob)
            if slots and mob.alive and mob.cooldown <= 0:
                if distance <= 1:
                    return True
                slots -= rules["ranged"]["near"] < distance < far
        return False


def _distance(player: Player, mob: Any) -> int:
    return abs(mob.row - player.row) + abs(mob.col - player.col)


class Seen(Scene):
    """The scene as far as a snapshot shows it, where there is light.

    Args:
      rules: The rules of the game.
      now: The moment.

    Attributes:
      creature: The creature in front, or `None`.
    """

    def __init__(self, rules: Tables, now: Snapshot) -> None:
        self.tables, self._now = rules, now
        row, column = (p - c for p, c in zip(now.position, now.corner))
        self._lit = lit = now.light > rules.data["view"]["dim"]
        self._cell = row, column
        ahead = row + now.facing[0], column + now.facing[1]
        inside = all(0 <= n < most for n, most in zip(ahead, lit.shape))
        inside = inside and bool(lit[ahead])
        front = rules.block_names[now.blocks[ahead]] if inside else ""
        item = rules.item_names[now.items[ahead]] if inside else ""
        target = now.position[0] + now.facing[0], now.position[1] + now.facing[1]
        creatures = (mob for mob in now.mobs if mob.kind in rules.species)
        there = (mob for mob in creatures if mob.position == target)
        self.creature: MobRecord | None = next(there, None) if inside else None
        self._ahead = Ahead(front, item, inside, self.creature is not None)

    def level(self) -> int:
        """Returns the number of the floor."""
        return self._now.level

    def facing(self) -> Position:
        """Returns the vector (rows, columns) that the player faces in."""
        return self._now.facing

    def maximum(self, vital: str) -> float:
        """Returns the most of health, food, drink, energy or mana."""
        return self._now.maxima[vital]

    def amount(self, name: str) -> float:
        """Returns how much of something there is."""
        return self._now.inventory[name]

    def ahead(self) -> Ahead:
        """Returns the cell that the player faces."""
        return self._ahead

    def under(self) -> str:
        """Returns the name of the item under the player."""
        return self.tables.item_names[self._now.items[self._cell]]

    def monsters_left(self) -> int:
        """Returns how many have to be killed until the way down opens."""
        needed: int = self.tables.data["ladders"]["monsters"]
        return needed - self._now.monsters_killed

    def around(self) -> Collection[int]:
        """Returns the ids of the blocks in the cells around the player."""
        row, column = self._cell
        around = np.s_[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        return set(self._now.blocks[around][self._lit[around]].tolist())

    def is_free(self, direction: Position) -> bool:
        """Returns whether the player could enter the next cell in a direction."""
        return True

    def can_strike(self) -> bool:
        """Returns whether a living creature is in front."""
        return self.creature is not None

    def can_hit_boss(self) -> bool:
        """Returns whether the boss could be hit."""
        return self._now.boss_vulnerable

    def knows(self, spell: str) -> bool:
        """Returns whether the player has learned a spell."""
        return spell in self._now.spells

    def enchantment(self, piece: str) -> str:
        """Returns the element of a piece of armour; empty for none."""
        return self._now.enchantments.get(piece, "")


# Verbs.


def _noop(scene: Scene, what: str) -> Refusal | None:
    return None


def _move(scene: Scene, what: str) -> Refusal | None:
    number = scene.tables.direction_names.index(what) + 1
    direction = scene.tables.vectors[number]
    works = direction != scene.facing() or scene.is_free(direction)
    return None if works else Refusal("blocked")


def _do(scene: Scene, what: str) -> Refusal | None:
    if scene.can_strike():
        return None
    front, _, inside, _ = scene.ahead()
    boss_block = scene.tables.data["boss"]["block"]
    if front == boss_block and (inside or scene.can_hit_boss()):
        return None if scene.can_hit_boss() else Refusal("boss_protected")
    if front == "chest" and (inside or scene.opens_beyond()):
        return None
    if not inside:
        return Refusal("off_the_map")
    useless = Refusal("useless") if scene.is_useless() else None
    return collecting(scene) or useless


def collecting(scene: Scene) -> Refusal | None:
    """Returns why nothing can be collected from the block in front."""
    front = scene.ahead().block
    rule = scene.tables.collect.get(scene.tables.block_ids.get(front, -1))
    if rule is None:
        return Refusal("unripe" if front == "plant" else "nothing_there")
    short = rule.pickaxe - scene.amount("pickaxe")
    if short > 0:
        return Refusal("no_tool", {"pickaxe": short})
    return None


def _sleep(scene: Scene, what: str) -> Refusal | None:
    tired = scene.amount("energy") < scene.maximum("energy")
    return None if tired else Refusal("not_tired")


def _rest(scene: Scene, what: str) -> Refusal | None:
    lacking = [name for name in ("food", "drink") if scene.amount(name) <= 0]
    if lacking:  # it gets up at once
        return Refusal("useless", dict.fromkeys(lacking, 1))
    hurt = scene.amount("health") < scene.maximum("health") or scene.hit_may_come()
    return None if hurt else Refusal("not_hurt")


def _descend(scene: Scene, what: str) -> Refusal | None:
    god, lowest = scene.in_god_mode(), scene.level() == scene.tables.boss_floor
    if lowest or not (god or scene.under() == "ladder_down"):
        return Refusal("no_ladder")
    left = 0 if god else scene.monsters_left()
    return Refusal("ladder_shut", {"monsters": left}) if left > 0 else None


def _ascend(scene: Scene, what: str) -> Refusal | None:
    stands = scene.in_god_mode() or scene.under() == "ladder_up"
    return None if stands and scene.level() > 0 else Refusal("no_ladder")


def _place(scene: Scene, what: str) -> Refusal | None:
    rule = scene.tables.place[what]
    missing = scene.missing(rule.uses)
    front, item, inside, occupied = scene.ahead()
    if not inside:
        return Refusal("off_the_map", missing)
    block = scene.tables.block_ids[front]
    lies = item != scene.tables.item_names[0] and not rule.over_items[block]
    if occupied:
        return Refusal("occupied", missing)
    if lies or not rule.where[block]:
        return Refusal("bad_target", missing)
    if missing:
        return Refusal("no_item", missing)
    refused = what == "plant" and not scene.has_plant_slot()
    return Refusal("no_plant_slot") if refused else None


def _make(scene: Scene, what: str) -> Refusal | None:
    rule, names = scene.tables.recipes[what], scene.tables.block_names
    around = scene.around()
    far = {names[block]: 1 for block in rule.near if block not in around}
    missing = {**far, **scene.missing(rule.uses)}
    if missing:
        return Refusal("no_station" if far else "no_item", missing)
    limits = scene.tables.data["inventory"]
    for item, tier in rule.raises.items():
        if min(map(scene.amount, scene.pieces(item))) >= tier:
            return Refusal("has_better")
    full = any(scene.amount(item) >= limits[item]["max"] for item in rule.gives)
    return Refusal("has_better" if rule.raises else "full") if full else None


def _shoot(scene: Scene, what: str) -> Refusal | None:
    missing = scene.missing(scene.tables.data["shot"]["uses"])
    if not scene.amount("bow"):
        return Refusal("no_weapon", {"bow": 1, **missing})
    if missing:
        return Refusal("no_item", missing)
    return None if scene.has_shot_slot() else Refusal("too_many_shots")


def _cast(scene: Scene, what: str) -> Refusal | None:
    short = scene.tables.spells[what].mana - scene.amount("mana")
    if not scene.knows(what):
        return Refusal("not_learned")
    if short > 0:
        return Refusal("no_mana", {"mana": short})
    return None if scene.has_shot_slot() else Refusal("too_many_shots")


def _drink(scene: Scene, what: str) -> Refusal | None:
    has = scene.amount(f"potion_{what}") >= 1
    return None if has else Refusal("no_item", {what: 1})


def _read(scene: Scene, what: str) -> Refusal | None:
    return None if scene.amount("books") >= 1 else Refusal("no_item", {"books": 1})


def _enchant(scene: Scene, what: str) -> Refusal | None:
    tables = scene.tables
    element = tables.elements.get(tables.block_ids.get(scene.ahead().block, -1))
    if element is None:
        return Refusal("no_table")
    if scene.amount(element.gem) < 1:
        return Refusal("no_gem", {element.gem: 1})
    short = tables.data["enchanting"]["mana"] - scene.amount("mana")
    if short > 0:
        return Refusal("no_mana", {"mana": short})
    owned = [name for name in scene.pieces(what) if scene.amount(name)]
    if not owned:
        return Refusal("no_weapon", {what: 1})
    repaired = what == "armour" and "armour_enchantment" in tables.repairs
    done = repaired and all(scene.enchantment(n) == element.name for n in owned)
    return Refusal("bad_target") if done else None


def _level_up(scene: Scene, what: str) -> Refusal | None:
    if scene.amount("xp") + scene.xp_due() < 1:
        return Refusal("no_experience", {"xp": 1})
    grown = scene.amount(what) >= scene.max_attribute()
    return Refusal("at_maximum") if grown else None


#: Verb of `data.yaml` -> why it would have no effect on what the action names.
CHECKS: dict[str, Callable[[Scene, str], Refusal | None]] = {
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


def refusal(scene: Scene, action: Action) -> Refusal | None:
    """Returns why an action would have no effect, or `None` if it may have one.

    Args:
      scene: What decides it; the player neither sleeps nor rests.
      action: The action.
    """
    return CHECKS[action.verb](scene, action.what or "")


def is_possible(player: Player, action: Action) -> bool:
    """Returns whether an action takes place; if not, its rejection is an event."""
    refused = refusal(Exact(player), action)
    if refused is not None:
        player.reject(refused.reason, refused.missing)
    return refused is None


def action_mask(player: Player) -> np.ndarray:
    """Returns which actions may have an effect that waiting does not have.

    Who sleeps or rests does nothing, whatever the action is.

    Args:
      player: The player in its world.

    Returns:
      int8 of shape (actions,): 1 if there is an outcome of chance for which the next
      state differs from that after `noop`, and for `noop` itself; else 0. What stays 1
      without an effect is listed in `docs/craftax.md`.
    """
    rows = player.world.tables.actions
    if player.sleeping or player.resting:
        return np.array([row is rows[0] for row in rows], np.int8)
    scene = Exact(player)
    return np.array([refusal(scene, row) is None for row in rows], np.int8)


# Achievements.


def possible(rules: Tables, now: Snapshot) -> dict[str, str]:
    """Returns the achievements that an action would serve now, and the action."""
    if now.sleeping or now.resting:
        return {}
    scene = Seen(rules, now)
    return {
        name: action.name
        for action in rules.actions
        if not now.dead or action.verb in ("do", "sleep", "descend")
        if refusal(scene, action) is None
        for name in _served(rules, now, action, scene)
        if name is not None
    }


def _served(
    rules: Tables, now: Snapshot, action: Action, scene: Seen
) -> Iterator[str | None]:
    """Yields the achievements that an action which works may bring."""
    data, what, names = rules.data, action.what or "", rules.achievement_names
    if action.verb == "do":
        yield _of_do(rules, scene)
    elif action.verb == "sleep":
        yield data["waking"]
    elif action.verb == "descend":
        number = rules.floors[now.level + 1].achievement
        yield None if number is None else names[number]
    elif action.verb == "place":
        yield names[rules.place[what].achievement]
    elif action.verb == "make":
        yield from _of_recipe(rules, rules.recipes[what])
    elif action.verb == "shoot":
        yield data["shot"]["achievement"]
    elif action.verb == "cast":
        yield names[rules.spells[what].achievement]
    elif action.verb == "drink":
        yield data["potions"]["achievement"]
    elif action.verb == "enchant":
        yield data["enchanting"]["achievements"].get(what)
    elif action.verb == "read":
        unknown = (name for name in rules.spells if name not in now.spells)
        yield from (names[rules.spells[name].learned] for name in unknown)


def _of_do(rules: Tables, scene: Seen) -> str | None:
    """Returns the achievement that using what is in front may bring."""
    if scene.creature is not None:
        rows = rules.species[scene.creature.kind]
        species = next(row for row in rows if row.name == scene.creature.name)
        return rules.achievement_names[species.achievement]
    blocks = {
        "chest": rules.data["chest"]["achievement"],
        rules.data["boss"]["block"]: rules.data["boss"]["achievements"]["hit"],
    }
    front = scene.ahead().block
    if front in blocks:
        return str(blocks[front])
    rule = rules.collect[rules.block_ids[front]]
    if rule.achievement is not None:
        return rules.achievement_names[rule.achievement]
    return next(_of_possessions(rules, rule.gives), None)


def _of_recipe(rules: Tables, recipe: Recipe) -> Iterator[str]:
    if recipe.achievement is not None:
        yield rules.achievement_names[recipe.achievement]
        return
    rows = rules.data["possessions"]
    for item, tier in recipe.raises.items():  # also those of lower tiers
        yield from (name for n, name in rows.get(item, {}).items() if n <= tier)
    yield from _of_possessions(rules, recipe.gives)


def _of_possessions(rules: Tables, gives: Mapping[str, int]) -> Iterator[str]:
    """Yields the achievement of having one of each item, where there is one."""
    for item in gives:
        yield from list(rules.data["possessions"].get(item, {}).values())[:1]

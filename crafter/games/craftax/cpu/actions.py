"""The player's actions."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import affordances as a
from crafter.games.craftax.cpu import boss, combat, creatures, magic, world, worldgen
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.chests import open_chest
from crafter.games.craftax.cpu.draws import real
from crafter.games.craftax.cpu.player import achieve, melee_damage, restore, use

_VERBS = {name: place for place, name in enumerate(t.VERBS)}
_MOVE, _DO, _PLACE, _MAKE = (_VERBS[n] for n in ("move", "do", "place", "make"))
_SHOOT, _CAST, _DRINK = (_VERBS[name] for name in ("shoot", "cast", "drink"))
_READ, _ENCHANT, _LEVEL_UP = (_VERBS[name] for name in ("read", "enchant", "level_up"))
_DESCEND, _ASCEND = _VERBS["descend"], _VERBS["ascend"]
_SAPLING = t.DRAWS["sapling_u"]


@inner
def climbs(verb):
    """Returns whether an action uses a ladder; those come before all others."""
    return verb in (_DESCEND, _ASCEND)


@inner
def act(g, rules, d, unlocked, verb, what):
    """Carries out an action, if it has an effect."""
    if verb == _MOVE:
        _move(g, rules, what)
    elif verb == _DO:
        _do(g, rules, d, unlocked)
    elif not a.may_act(g, rules, verb, what):
        pass
    elif verb == _DESCEND:
        _change_floor(g, rules, d, g.level + 1)
    elif verb == _ASCEND:
        _change_floor(g, rules, d, g.level - 1)
    elif verb == _PLACE:
        _place(g, rules, unlocked, what)
    elif verb == _MAKE:
        _make(g, rules, unlocked, what)
    elif verb == _SHOOT:
        magic.shoot(g, rules, unlocked, what)
    elif verb == _CAST:
        magic.cast(g, rules, unlocked, what)
    elif verb == _DRINK:
        magic.drink(g, rules, unlocked, what)
    elif verb == _READ:
        magic.read(g, rules, d, unlocked)
    elif verb == _ENCHANT:
        magic.enchant(g, rules, d, unlocked, what)
    elif verb == _LEVEL_UP:
        magic.level_up(g, what)


@inner
def _change_floor(g, rules, ground, level):
    worldgen.make(g, rules, ground, level)
    place = g.up[level] if level > g.level else g.down[level]
    g.level, g.row, g.col = level, place[0], place[1]
    if rules.arrival_push:
        creatures.make_room(g, rules)


@inner
def _move(g, rules, direction):
    """Turns to a direction and goes there if the cell is free."""
    g.direction = direction
    row = g.row + rules.vectors[direction, 0]
    col = g.col + rules.vectors[direction, 1]
    if rules.god_mode or world.is_open(g, rules, row, col, rules.barred[rules.land]):
        g.row, g.col = row, col


@inner
def _do(g, rules, d, unlocked):
    """Attacks what is in front, or uses the block there."""
    row = g.row + rules.vectors[g.direction, 0]
    col = g.col + rules.vectors[g.direction, 1]
    damage = melee_damage(g, rules)
    struck = combat.strike(g, rules, unlocked, row, col, damage, True)
    block = a.block_ahead(g, rules)
    on_map = world.inside(g, row, col)
    usable = not struck and on_map
    if rules.closed_map and not on_map:
        return
    if block == rules.boss_block:
        if boss.can_be_hit(g, rules):
            boss.hit(g, rules, unlocked, usable)
    elif block == rules.chest_block:
        if usable:
            open_chest(g, rules, d, unlocked, row, col)
        elif not rules.chest_bounds:
            g.opened[g.level] = 1  # although nothing was opened
    elif usable and rules.yields[block]:
        able = g.items[rules.pickaxe] >= rules.needed_tier[block]
        if able and real(rules, d, _SAPLING, 0) < rules.collect_chance[block]:
            _collect(g, rules, unlocked, block, row, col)


@inner
def _collect(g, rules, unlocked, block, row, col):
    for i in range(len(g.items)):
        g.items[i] += rules.collected[block, i]
    for i in range(len(g.vitals)):
        if rules.restored[block, i]:
            restore(g, rules, i, rules.restored[block, i])
    if rules.reset_counter[block] >= 0:
        g.counters[rules.reset_counter[block]] = 0
    if rules.leaves[block] >= 0:
        world.set_block(g, rules, g.level, row, col, rules.leaves[block])
    if block == rules.ripe_plant:
        g.plants[_plant_at(g, row, col)].age = 0
    achieve(g, rules, unlocked, rules.collect_achievement[block])


@inner
def _plant_at(g, row, col):
    """Returns the slot of a plant; the first one if it has none of its own."""
    for i in range(len(g.plants)):
        if g.plants[i].row == row and g.plants[i].col == col:
            return i
    return 0


@inner
def _place(g, rules, unlocked, thing):
    """Puts something into the cell in front."""
    row = g.row + rules.vectors[g.direction, 0]
    col = g.col + rules.vectors[g.direction, 1]
    use(g, rules.place_uses[thing])
    if rules.place_block[thing] >= 0:
        world.set_block(g, rules, g.level, row, col, rules.place_block[thing])
    if rules.place_item[thing] >= 0:
        world.set_item(g, rules, row, col, rules.place_item[thing])
    if thing == rules.torch:
        world.add_light(g, rules, row, col)
    if thing == rules.plant:
        _sow(g, row, col)
    achieve(g, rules, unlocked, rules.place_achievement[thing])


@inner
def _sow(g, row, col):
    """Gives a plant the first free slot; without one it never ripens."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        if not plant.growing:
            plant.row, plant.col, plant.age, plant.growing = row, col, 0, 1
            return


@inner
def _make(g, rules, unlocked, recipe):
    """Makes a tool, a piece of armour, arrows or torches."""
    use(g, rules.make_uses[recipe])
    for i in range(len(g.items)):
        if rules.make_raises[recipe, i]:
            g.items[i] = rules.make_raises[recipe, i]
        g.items[i] += rules.make_gives[recipe, i]
    tier = rules.make_armour[recipe]
    for piece in range(len(g.armour_enchantments)):
        if g.items[rules.armour + piece] < tier:
            g.items[rules.armour + piece] = tier
            break
    achieve(g, rules, unlocked, rules.make_achievement[recipe])

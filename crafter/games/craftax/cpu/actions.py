"""Player actions."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import affordances as a
from crafter.games.craftax.cpu import boss, combat, creatures, magic, world, worldgen
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.chests import open_chest
from crafter.games.craftax.cpu.player import achieve, melee_damage, restore, use


@inner
def climbs(verb):
    """Returns whether a verb uses a ladder, and so runs before all others in a step."""
    return verb in (t.DESCEND, t.ASCEND)


@inner
def act(g, rules, scratch, verb, what):
    """Carries out an action, if it has an effect."""
    if verb == t.MOVE:
        _move(g, rules, what)
    elif verb == t.DO:
        _do(g, rules, scratch.draws)
    elif not a.may_act(g, rules, verb, what):
        pass
    elif verb == t.DESCEND:
        _change_floor(g, rules, scratch, g.level + 1)
    elif verb == t.ASCEND:
        _change_floor(g, rules, scratch, g.level - 1)
    elif verb == t.PLACE:
        _place(g, rules, what)
    elif verb == t.MAKE:
        _make(g, rules, what)
    elif verb == t.SHOOT:
        magic.shoot(g, rules, what)
    elif verb == t.CAST:
        magic.cast(g, rules, what)
    elif verb == t.DRINK:
        magic.drink(g, rules, what)
    elif verb == t.READ:
        magic.read(g, rules, scratch.draws)
    elif verb == t.ENCHANT:
        magic.enchant(g, rules, scratch.draws, what)
    elif verb == t.LEVEL_UP:
        magic.level_up(g, what)


@inner
def _change_floor(g, rules, scratch, level):
    worldgen.make(g, rules, scratch, level)
    place = g.up_ladder[level] if level > g.level else g.down_ladder[level]
    g.level, g.row, g.col = level, place[0], place[1]
    if rules.arrival_push:
        creatures.make_room(g, rules)


@inner
def _move(g, rules, direction):
    """Turns to a direction, then moves one cell if it is free."""
    g.direction = direction
    row = g.row + rules.vectors[direction, 0]
    col = g.col + rules.vectors[direction, 1]
    if rules.god_mode or world.is_open(g, rules, row, col, rules.barred):
        g.row, g.col = row, col


@inner
def _do(g, rules, d):
    """Attacks the creature in front, or uses the block there."""
    row, col = world.ahead(g, rules)
    damage = melee_damage(g, rules)
    struck = combat.strike(g, rules, row, col, damage, True)
    block = a.block_ahead(g, rules)
    on_map = world.inside(g, row, col)
    usable = not struck and on_map
    if rules.closed_map and not on_map:
        return
    if block == rules.boss_block:
        if boss.can_be_hit(g, rules):
            boss.hit(g, rules, usable)
    elif block == rules.chest_block:
        if usable:
            open_chest(g, rules, d, row, col)
        elif not rules.chest_bounds:
            g.chest_opened[g.level] = 1  # although no chest was opened
    elif usable and rules.yields[block]:
        able = g.items[rules.pickaxe] >= rules.collect_pickaxe[block]
        if able and d.sapling_u < rules.collect_chance[block]:
            _collect(g, rules, block, row, col)


@inner
def _collect(g, rules, block, row, col):
    for i in range(len(g.items)):
        g.items[i] += rules.collect_gives[block, i]
    for i in range(len(g.vitals)):
        if rules.collect_restores[block, i]:
            restore(g, rules, i, rules.collect_restores[block, i])
    if rules.collect_resets[block] >= 0:
        g.counters[rules.collect_resets[block]] = 0
    if rules.collect_leaves[block] >= 0:
        world.set_block(g, rules, g.level, row, col, rules.collect_leaves[block])
    if block == rules.ripe_plant_block:
        g.plants[_plant_at(g, row, col)].age = 0
    achieve(g, rules, rules.collect_achievement[block])


@inner
def _plant_at(g, row, col):
    """Returns the plant slot of a cell, or the first slot if it has none."""
    for i in range(len(g.plants)):
        if g.plants[i].row == row and g.plants[i].col == col:
            return i
    return 0


@inner
def _place(g, rules, thing):
    """Places a block or item in the cell in front."""
    row, col = world.ahead(g, rules)
    use(g, rules.place_uses[thing])
    if rules.place_block[thing] >= 0:
        world.set_block(g, rules, g.level, row, col, rules.place_block[thing])
    if rules.place_item[thing] >= 0:
        world.set_item(g, rules, row, col, rules.place_item[thing])
    if thing == rules.torch:
        world.add_light(g, rules, row, col)
    if thing == rules.plant:
        _sow(g, row, col)
    achieve(g, rules, rules.place_achievement[thing])


@inner
def _sow(g, row, col):
    """Assigns the first free plant slot; a sapling without a slot never ripens."""
    for i in range(len(g.plants)):
        plant = g.plants[i]
        if not plant.growing:
            plant.row, plant.col, plant.age, plant.growing = row, col, 0, 1
            return


@inner
def _make(g, rules, recipe):
    """Crafts a tool, a piece of armour, arrows or torches."""
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
    achieve(g, rules, rules.make_achievement[recipe])

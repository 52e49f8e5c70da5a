"""Movement and attacks of creatures and projectiles on the player's floor.

Slots act in order. As in the published game, dead creatures keep walking and dead
projectiles keep flying, which changes only their own fields.
"""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import combat, world
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.player import achieve, hit, projectile_damage


@inner
def update(g, rules, d):
    """Updates all creatures and projectiles on the player's floor."""
    for kind in range(3):
        stays = g.level == rules.boss_floor and kind != t.PASSIVE
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            distance = abs(mob.row - g.row) + abs(mob.col - g.col)
            if kind == t.MELEE:
                step = _step_melee(g, rules, d, mob, slot, distance)
            elif kind == t.PASSIVE:
                step = _vector(rules, d.passive_direction[slot])
            else:
                step = _step_ranged(g, rules, d, mob, slot, distance)
            _move(g, rules, kind, mob, step)
            if mob.alive and distance >= rules.mob_despawn_distance and not stays:
                mob.alive = 0
                world.free(g, rules, mob.row, mob.col)
    for slot in range(rules.shot_slots[t.MOB]):
        _fly(g, rules, t.MOB, slot)
    for slot in range(rules.shot_slots[t.PLAYER]):
        _fly(g, rules, t.PLAYER, slot)


@inner
def _vector(rules, direction):
    return rules.vectors[direction, 0], rules.vectors[direction, 1]


@inner
def _step_melee(g, rules, d, mob, slot, distance):
    """Approaches the player, and attacks when adjacent."""
    if mob.alive and mob.cooldown <= 0 and distance == rules.melee_reach:
        mob.cooldown = rules.melee_cooldown
        damage = rules.mob_damage[t.MELEE, mob.type]
        factor = rules.melee_asleep_factor if g.sleeping else 1.0
        if hit(g, rules, (damage[0], damage[1], damage[2]), factor):
            achieve(g, rules, rules.waking)
        return 0, 0
    mob.cooldown -= 1
    near = distance < rules.melee_sight or g.level == rules.boss_floor
    if near and d.melee_move_u[slot] < rules.melee_chase_chance:
        return _toward(g, mob, d.melee_tie_axis[slot])
    return _vector(rules, d.melee_direction[slot])


@inner
def _step_ranged(g, rules, d, mob, slot, distance):
    """Wanders, keeps its distance, and shoots."""
    near = distance <= rules.ranged_near
    toward = _toward(g, mob, d.ranged_tie_axis[slot])
    step = _vector(rules, d.ranged_direction[slot])
    if d.ranged_move_u[slot] > rules.ranged_wander_chance:
        if near:
            step = -toward[0], -toward[1]
        elif distance >= rules.ranged_far:
            step = toward
    shoots = mob.alive and mob.cooldown <= 0 and distance < rules.ranged_far
    if shoots and near:  # only if it cannot retreat
        barred = rules.mob_barred[t.RANGED, mob.type]
        shoots = not _is_free(g, rules, mob.row + step[0], mob.col + step[1], barred)
    if not shoots:
        mob.cooldown -= 1
        return step
    mob.cooldown = rules.ranged_cooldown
    kind = rules.mob_projectile[t.RANGED, mob.type]
    combat.launch(g, rules, t.MOB, kind, mob.row, mob.col, toward[0], toward[1])
    return 0, 0


@inner
def _toward(g, mob, tie_axis):
    """Returns the step toward the player along the longer axis; (0, 0) in its cell."""
    rows, cols = g.row - mob.row, g.col - mob.col
    along_rows = abs(rows) > abs(cols)
    if abs(rows) == abs(cols):
        along_rows = tie_axis == 0
    if along_rows:
        return (1 if rows > 0 else 0) - (1 if rows < 0 else 0), 0
    return 0, (1 if cols > 0 else 0) - (1 if cols < 0 else 0)


@inner
def _is_free(g, rules, row, col, barred):
    if row == g.row and col == g.col:
        return False
    return world.is_open(g, rules, row, col, barred)


@inner
def _move(g, rules, kind, mob, step):
    """Moves a creature one step if the cell is free."""
    row, col = mob.row + step[0], mob.col + step[1]
    barred = rules.mob_barred[kind, mob.type]
    moves = (step[0] or step[1]) and _is_free(g, rules, row, col, barred)
    if rules.ghosts and (moves or not mob.alive):
        world.free(g, rules, mob.row, mob.col)
    if moves:
        mob.row, mob.col = row, col
    mob.alive = 1 if mob.alive else 0


@inner
def make_room(g, rules):
    """Moves creatures out of the player's cell, or removes them."""
    for kind in (t.PASSIVE, t.MELEE, t.RANGED):
        for slot in range(rules.slots[kind]):
            mob = g.mobs[kind, g.level, slot]
            if mob.alive and mob.row == g.row and mob.col == g.col:
                _step_aside(g, rules, kind, mob)


@inner
def _step_aside(g, rules, kind, mob):
    barred = rules.mob_barred[kind, mob.type]
    for direction in range(1, len(rules.vectors)):
        row = mob.row + rules.vectors[direction, 0]
        col = mob.col + rules.vectors[direction, 1]
        if _is_free(g, rules, row, col, barred):
            world.free(g, rules, mob.row, mob.col)
            mob.row, mob.col, mob.alive = row, col, 1
            return
    mob.alive = 0
    world.free(g, rules, mob.row, mob.col)


# Projectiles.


@inner
def _fly(g, rules, shooter, slot):
    shot = g.shots[shooter, g.level, slot]
    row, col = shot.row, shot.col
    shot.row += shot.drow
    shot.col += shot.dcol
    if shot.alive and shooter == t.MOB:
        _arrive_from_mob(g, rules, shot, row, col)
    elif shot.alive:
        _arrive_from_player(g, rules, shot, row, col)


@inner
def _arrive_from_mob(g, rules, shot, row, col):
    """Hits the player, or breaks a block."""
    started_here = row == g.row and col == g.col
    if started_here or (shot.row == g.row and shot.col == g.col):
        shot.alive = 0
        damage = rules.shot_damage[shot.type]
        hit(g, rules, (damage[0], damage[1], damage[2]), 1.0)
    elif not world.is_open(g, rules, shot.row, shot.col, rules.solid):
        shot.alive = 0
    _break_station(g, rules, shot.row, shot.col)


@inner
def _break_station(g, rules, row, col):
    """Breaks a table or furnace at the cell where a projectile arrives."""
    bounded = rules.projectile_bounds or rules.closed_map
    if bounded and not world.inside(g, row, col):
        return
    size = g.cells.shape[1]
    row, col = world.written(row, size), world.written(col, size)
    if row >= 0 and col >= 0 and rules.breakable[world.block(g, rules, row, col)]:
        world.set_block(g, rules, g.level, row, col, rules.breaks_to)


@inner
def _arrive_from_player(g, rules, shot, row, col):
    """Hits a creature at the projectile's old or new cell."""
    damage = projectile_damage(g, rules, shot.type)
    hits = combat.strike(g, rules, row, col, damage, False)
    if not hits:
        hits = combat.strike(g, rules, shot.row, shot.col, damage, False)
    stops = hits or not world.inside(g, shot.row, shot.col)
    if stops or rules.solid[world.block(g, rules, shot.row, shot.col)]:
        shot.alive = 0

"""Movement and attacks of creatures and projectiles on the player's floor.

Slots act in order, each after the effects of those before it. Dead creatures keep
walking and dead projectiles keep flying, which changes only their own fields: the
published game does the same, and the symbolic observation shows it.
"""

from __future__ import annotations

from crafter.games.craftax import combat
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import Floor, Mob, Position, Projectile
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Species


def update(player: Player, draws: Draws) -> None:
    """Updates all creatures and projectiles on the player's floor."""
    floor, tables = player.floor, player.world.tables
    far = player.world.parameters.mob_despawn_distance
    row, col, hostiles_stay = player.row, player.col, player.in_graveyard
    for kind, choose in _STEPS.items():
        kinds, stays = tables.species[kind], hostiles_stay and kind != "passive"
        for slot, mob in enumerate(getattr(floor, kind)):
            species = kinds[mob.type]
            distance = abs(mob.row - row) + abs(mob.col - col)
            step = choose(player, species, slot, mob, distance, draws)
            _move(player, floor, mob, step, species.barred)
            if mob.alive and distance >= far and not stays:
                _despawn(player, species, slot, mob)
    for slots, arrive in (
        (floor.mob_projectiles, _arrive_from_mob),
        (floor.player_projectiles, _arrive_from_player),
    ):
        for slot, shot in enumerate(slots):
            shot.row += shot.drow
            shot.col += shot.dcol
            if shot.alive:
                start = shot.row - shot.drow, shot.col - shot.dcol
                arrive(player, slot, shot, start)


# Creatures: movement and attacks of each class.


def _step_melee(
    player: Player, species: Species, slot: int, mob: Mob, distance: int, draws: Draws
) -> Position:
    """Approaches the player, and attacks when adjacent."""
    tables = player.world.tables
    rule = tables.data["behaviour"]["melee"]
    if mob.alive and mob.cooldown <= 0 and distance == rule["reach"]:
        mob.cooldown = rule["cooldown"]
        factor = rule["asleep_factor"] if player.sleeping else 1.0
        if player.hit(species.damage, species.name, slot, factor):
            player.achieve(tables.achievement_ids[tables.data["waking"]])
        return 0, 0
    mob.cooldown -= 1
    near = distance < rule["sight"] or player.in_graveyard
    if near and draws.melee_move_u[slot] < rule["chase_chance"]:
        return _toward(player, mob, draws.melee_tie_axis[slot])
    return tables.vectors[draws.melee_direction[slot]]


def _step_passive(
    player: Player, species: Species, slot: int, mob: Mob, distance: int, draws: Draws
) -> Position:
    """Wanders at random."""
    return player.world.tables.vectors[draws.passive_direction[slot]]


def _step_ranged(
    player: Player, species: Species, slot: int, mob: Mob, distance: int, draws: Draws
) -> Position:
    """Wanders, keeps its distance, and shoots."""
    tables = player.world.tables
    rule = tables.data["behaviour"]["ranged"]
    near = distance <= rule["near"]
    toward = _toward(player, mob, draws.ranged_tie_axis[slot])
    step = tables.vectors[draws.ranged_direction[slot]]
    if draws.ranged_move_u[slot] > rule["wander_chance"]:
        if near:
            step = -toward[0], -toward[1]
        elif distance >= rule["far"]:
            step = toward
    shoots = mob.alive and mob.cooldown <= 0 and distance < rule["far"]
    if shoots and near:  # only if it cannot retreat
        shoots = not _is_free(player, player.floor, mob, step, species.barred)
    if not shoots:
        mob.cooldown -= 1
        return step
    mob.cooldown = rule["cooldown"]
    assert species.projectile is not None
    shots, shooter = player.floor.mob_projectiles, (species.name, slot)
    combat.launch(player, shots, species.projectile, mob.position, toward, shooter)
    return 0, 0


_STEPS = {"melee": _step_melee, "passive": _step_passive, "ranged": _step_ranged}


def _toward(player: Player, mob: Mob, tie_axis: int) -> Position:
    """Returns the step toward the player along the axis of larger distance.

    The step is (0, 0) if the creature is in the player's cell.

    Args:
      player: The player.
      mob: The creature.
      tie_axis: Axis to use if both distances are equal: 0 for rows, 1 for columns.
    """
    rows, cols = player.row - mob.row, player.col - mob.col
    along_rows = abs(rows) > abs(cols)
    if abs(rows) == abs(cols):
        along_rows = tie_axis == 0
    if along_rows:
        return (rows > 0) - (rows < 0), 0
    return 0, (cols > 0) - (cols < 0)


def _is_free(
    player: Player, floor: Floor, mob: Mob, step: Position, barred: bytes
) -> bool:
    row, col = mob.row + step[0], mob.col + step[1]
    on_player = row == player.row and col == player.col
    return not on_player and floor.is_open(row, col, barred)


def _move(
    player: Player, floor: Floor, mob: Mob, step: Position, barred: bytes
) -> None:
    """Moves a creature one step if the cell is free."""
    frees = mob.alive or "ghosts" in player.world.tables.applied
    if step == (0, 0) or not _is_free(player, floor, mob, step, barred):
        if frees:
            floor.occupied[mob.row * floor.size + mob.col] = mob.alive
        return
    if frees:
        floor.occupied[mob.row * floor.size + mob.col] = 0
    mob.row += step[0]
    mob.col += step[1]
    if mob.alive:
        floor.occupied[mob.row * floor.size + mob.col] = 1


def _despawn(player: Player, species: Species, slot: int, mob: Mob) -> None:
    mob.alive, floor = False, player.floor
    floor.occupied[mob.row * floor.size + mob.col] = 0
    player.world.emit("despawned", kind=species.name, slot=slot, at=mob.position)


def make_room(player: Player) -> None:
    """Moves creatures out of the player's cell, or removes them."""
    floor, tables = player.floor, player.world.tables
    for kind, mobs in floor.creatures():
        for slot, mob in enumerate(mobs):
            if mob.alive and mob.position == player.position:
                _step_aside(player, tables.species[kind][mob.type], slot, mob)


def _step_aside(player: Player, species: Species, slot: int, mob: Mob) -> None:
    floor = player.floor
    for step in player.world.tables.vectors[1:]:
        if _is_free(player, floor, mob, step, species.barred):
            _move(player, floor, mob, step, species.barred)
            return
    _despawn(player, species, slot, mob)


# Projectiles, at the cell where they arrive.


def _arrive_from_mob(
    player: Player, slot: int, shot: Projectile, start: Position
) -> None:
    """Hits the player, or breaks a block."""
    tables = player.world.tables
    kind = tables.projectiles[shot.type]
    if player.position in (start, shot.position):
        shot.alive = False
        player.hit(kind.damage, kind.name, slot)
    elif not _is_free(player, player.floor, shot, (0, 0), tables.solid):
        _stop(player, slot, shot, "mob")
    _break_station(player, shot)


def _stop(player: Player, slot: int, shot: Projectile, by: str) -> None:
    shot.alive, floor = False, player.floor
    tables, at, against = player.world.tables, shot.position, "edge"
    if at in floor:
        cell = at[0] * floor.size + at[1]
        against = tables.block_names[floor.blocks[cell]]
        if by == "mob" and floor.occupied[cell]:
            against = "creature"
    what = tables.projectiles[shot.type].name
    player.world.emit(
        "projectile_stopped", what=what, by=by, slot=slot, at=at, against=against
    )


def _break_station(player: Player, shot: Projectile) -> None:
    """Breaks a table or furnace at the cell where a projectile arrives.

    The published game does not check bounds: a projectile that leaves the map at the
    top or left breaks the block at the opposite edge.
    """
    floor, tables = player.floor, player.world.tables
    bounded = tables.applied & {"projectile_bounds", "closed_map"}
    if bounded and shot.position not in floor:
        return
    cell = floor.written_cell(shot.row, shot.col)
    if cell is not None and tables.breakable[floor.blocks[cell]]:
        name = tables.block_names[floor.blocks[cell]]
        leaves = tables.data["behaviour"]["projectile"]["leaves"]
        floor.blocks[cell] = tables.block_ids[leaves]
        at = divmod(cell, floor.size)
        player.world.emit("station_lost", what=name, at=at)


def _arrive_from_player(
    player: Player, slot: int, shot: Projectile, start: Position
) -> None:
    """Hits a creature at the projectile's old or new cell."""
    tables = player.world.tables
    by, damage = tables.projectiles[shot.type].name, player.projectile_damage(shot.type)
    if any(combat.strike(player, at, damage, by) for at in (start, shot.position)):
        shot.alive = False
        return
    floor, (row, col) = player.floor, shot.position
    if (row, col) not in floor or tables.solid[floor.blocks[row * floor.size + col]]:
        _stop(player, slot, shot, "player")

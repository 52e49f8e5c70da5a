"""Moves and attacks of creatures and projectiles, on the floor of the player.

Slots act in order, and each sees what the ones before did. The slot of a dead creature
goes on walking and a dead projectile goes on flying, without any effect but on its own
numbers: the published game does so, and shows it in the symbolic observation.
"""

from __future__ import annotations

from crafter.games.craftax import combat
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import Floor, Mob, Position, Projectile
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Species


def update(player: Player, draws: Draws) -> None:
    """Lets all creatures and projectiles of the floor act."""
    floor = player.floor
    for slot, mob in enumerate(floor.melee):
        _update_melee(player, floor, slot, mob, draws)
    for slot, mob in enumerate(floor.passive):
        _update_passive(player, floor, slot, mob, draws)
    for slot, mob in enumerate(floor.ranged):
        _update_ranged(player, floor, slot, mob, draws)
    for slot, shot in enumerate(floor.mob_projectiles):
        _update_mob_projectile(player, floor, slot, shot)
    for slot, shot in enumerate(floor.player_projectiles):
        _update_player_projectile(player, floor, slot, shot)


# Creatures.


def _update_melee(
    player: Player, floor: Floor, slot: int, mob: Mob, draws: Draws
) -> None:
    """Comes near, and strikes when next to the player."""
    tables = player.world.tables
    rule = tables.data["behaviour"]["melee"]
    species = tables.species["melee"][mob.type]
    distance = abs(mob.row - player.row) + abs(mob.col - player.col)
    strikes = mob.alive and mob.cooldown <= 0 and distance == rule["reach"]
    if strikes:
        drow = dcol = 0
        mob.cooldown = rule["cooldown"]
        factor = rule["asleep_factor"] if player.sleeping else 1.0
        if player.hit(species.damage, species.name, slot, factor):
            player.achieve(tables.achievement_ids[tables.data["waking"]])
    else:
        mob.cooldown -= 1
        near = distance < rule["sight"] or player.in_graveyard
        if near and draws.melee_move_u[slot] < rule["chase_chance"]:
            drow, dcol = _toward(player, mob, draws.melee_tie_axis[slot])
        else:
            drow, dcol = tables.vectors[draws.melee_direction[slot]]
    stays = distance < player.world.parameters.mob_despawn_distance
    _move(player, floor, mob, (drow, dcol), species.barred)
    if mob.alive and not (stays or player.in_graveyard):
        _despawn(player, floor, species, slot, mob)


def _update_passive(
    player: Player, floor: Floor, slot: int, mob: Mob, draws: Draws
) -> None:
    """Wanders about."""
    tables = player.world.tables
    species = tables.species["passive"][mob.type]
    distance = abs(mob.row - player.row) + abs(mob.col - player.col)
    direction = tables.vectors[draws.passive_direction[slot]]
    _move(player, floor, mob, direction, species.barred)
    if mob.alive and distance >= player.world.parameters.mob_despawn_distance:
        _despawn(player, floor, species, slot, mob)


def _update_ranged(
    player: Player, floor: Floor, slot: int, mob: Mob, draws: Draws
) -> None:
    """Wanders, keeps its distance, and shoots."""
    tables = player.world.tables
    rule = tables.data["behaviour"]["ranged"]
    species = tables.species["ranged"][mob.type]
    distance = abs(mob.row - player.row) + abs(mob.col - player.col)
    near = distance <= rule["near"]
    toward = _toward(player, mob, draws.ranged_tie_axis[slot])
    direction = tables.vectors[draws.ranged_direction[slot]]
    if draws.ranged_move_u[slot] > rule["wander_chance"]:
        if near:
            direction = -toward[0], -toward[1]
        elif distance >= rule["far"]:
            direction = toward
    shoots = mob.alive and mob.cooldown <= 0 and distance < rule["far"]
    if shoots and near:  # only if it cannot get away
        shoots = not _is_free(player, floor, mob, direction, species.barred)
    if shoots:
        direction = 0, 0
        mob.cooldown = rule["cooldown"]
        _shoot(player, floor, species, slot, mob, toward)
    else:
        mob.cooldown -= 1
    stays = distance < player.world.parameters.mob_despawn_distance
    _move(player, floor, mob, direction, species.barred)
    if mob.alive and not (stays or player.in_graveyard):
        _despawn(player, floor, species, slot, mob)


def _shoot(
    player: Player,
    floor: Floor,
    species: Species,
    slot: int,
    mob: Mob,
    direction: Position,
) -> None:
    assert species.projectile is not None
    shot = combat.launch(
        floor.mob_projectiles, species.projectile, mob.position, direction
    )
    if shot is not None:
        player.world.emit(
            "shot",
            what=player.world.tables.projectiles[species.projectile].name,
            by=species.name,
            slot=slot,
            frm=mob.position,
            direction=direction,
        )


def _toward(player: Player, mob: Mob, tie_axis: int) -> Position:
    """Returns the step to the player along the longer way; (0, 0) if it is there.

    Args:
      player: The player.
      mob: The creature.
      tie_axis: 0 for the rows, 1 for the columns, if both ways are as long.
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
    """Moves a creature by a step if the cell is free."""
    if step == (0, 0) or not _is_free(player, floor, mob, step, barred):
        if mob.alive:
            floor.occupied[mob.row * floor.size + mob.col] = 1
        return
    if mob.alive:
        floor.occupied[mob.row * floor.size + mob.col] = 0
    mob.row += step[0]
    mob.col += step[1]
    if mob.alive:
        floor.occupied[mob.row * floor.size + mob.col] = 1


def _despawn(
    player: Player, floor: Floor, species: Species, slot: int, mob: Mob
) -> None:
    mob.alive = False
    floor.occupied[mob.row * floor.size + mob.col] = 0
    player.world.emit("despawned", kind=species.name, slot=slot, at=mob.position)


def make_room(player: Player) -> None:
    """Lets creatures in the cell of the player step aside, or vanish."""
    floor, tables = player.floor, player.world.tables
    for kind, mobs in floor.creatures():
        for slot, mob in enumerate(mobs):
            if mob.alive and mob.position == player.position:
                _step_aside(player, floor, tables.species[kind][mob.type], slot, mob)


def _step_aside(
    player: Player, floor: Floor, species: Species, slot: int, mob: Mob
) -> None:
    for step in player.world.tables.vectors[1:]:
        if _is_free(player, floor, mob, step, species.barred):
            _move(player, floor, mob, step, species.barred)
            return
    _despawn(player, floor, species, slot, mob)


# Projectiles.


def _update_mob_projectile(
    player: Player, floor: Floor, slot: int, shot: Projectile
) -> None:
    """Flies on, hits the player, or breaks what it can break."""
    start = shot.position
    shot.row += shot.drow
    shot.col += shot.dcol
    if not shot.alive:
        return
    kind = player.world.tables.projectiles[shot.type]
    hits = player.position in (start, shot.position)
    if hits:
        shot.alive = False
        player.hit(kind.damage, kind.name, slot)
    elif not _is_free(player, floor, shot, (0, 0), player.world.tables.solid):
        _stop(player, floor, slot, shot, kind.name)
    _break_station(player, floor, shot)


def _stop(player: Player, floor: Floor, slot: int, shot: Projectile, what: str) -> None:
    shot.alive = False
    at = shot.position
    against = "edge"
    if at in floor:
        cell = at[0] * floor.size + at[1]
        against = player.world.tables.block_names[floor.blocks[cell]]
        against = "creature" if floor.occupied[cell] else against
    player.world.emit(
        "projectile_stopped", what=what, by="mob", slot=slot, at=at, against=against
    )


def _break_station(player: Player, floor: Floor, shot: Projectile) -> None:
    """Breaks a table or furnace where a projectile came to.

    The published game does not look where the map ends: a shot that leaves it at the
    top or the left breaks what stands at the opposite edge.
    """
    tables = player.world.tables
    if "projectile_bounds" in tables.repairs and shot.position not in floor:
        return
    cell = floor.written_cell(shot.row, shot.col)
    if cell is not None and tables.breakable[floor.blocks[cell]]:
        name = tables.block_names[floor.blocks[cell]]
        leaves = tables.data["behaviour"]["projectile"]["leaves"]
        floor.blocks[cell] = tables.block_ids[leaves]
        at = divmod(cell, floor.size)
        player.world.emit("station_lost", what=name, at=at)


def _update_player_projectile(
    player: Player, floor: Floor, slot: int, shot: Projectile
) -> None:
    """Flies on, or hits a creature where it is or where it comes to."""
    start = shot.position
    shot.row += shot.drow
    shot.col += shot.dcol
    if not shot.alive:
        return
    kind = player.world.tables.projectiles[shot.type]
    damage = player.projectile_damage(shot.type)
    if combat.strike(player, start, damage, by=kind.name) or combat.strike(
        player, shot.position, damage, by=kind.name
    ):
        shot.alive = False
        return
    at = shot.position
    if at not in floor or player.world.tables.solid[floor.blocks[_cell(floor, at)]]:
        shot.alive = False
        against = "edge"
        if at in floor:
            against = player.world.tables.block_names[floor.blocks[_cell(floor, at)]]
        player.world.emit(
            "projectile_stopped",
            what=kind.name,
            by="player",
            slot=slot,
            at=at,
            against=against,
        )


def _cell(floor: Floor, at: Position) -> int:
    return at[0] * floor.size + at[1]

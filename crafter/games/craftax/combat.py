"""Damage dealt by the player in melee and with projectiles."""

from __future__ import annotations

from collections.abc import Sequence

from crafter.games.craftax.engine import Floor, Mob, Position, Projectile
from crafter.games.craftax.player import Player, after_defence
from crafter.games.craftax.rows import ACTING, Species, Vector
from crafter.games.craftax.tables import single


def launch(
    player: Player,
    slots: Sequence[Projectile],
    kind: int,
    position: Position,
    direction: Position,
    shooter: tuple[str, int] | None = None,
) -> None:
    """Launches a projectile in the first free slot, if any.

    Args:
      player: The player in its world.
      slots: Projectiles of the floor.
      kind: Id of the projectile.
      position: Cell where it starts.
      direction: Rows and columns that it moves per step.
      shooter: Name and slot of the shooting creature; `None` for the player.
    """
    for number, shot in enumerate(slots):
        if not shot.alive:
            shot.row, shot.col = position
            shot.drow, shot.dcol = direction
            shot.alive = True
            shot.type = kind
            by, slot = shooter or ("player", number)
            what = player.world.tables.projectiles[kind].name
            player.world.emit(
                "shot", what=what, by=by, slot=slot, frm=position, direction=direction
            )
            return


def strike(
    player: Player, at: Position, damage: Vector, by: str, eats: bool = False
) -> bool:
    """Hits the first living creature of each class at a cell.

    With the switch `one_target`, only the first of these is hit.

    Args:
      player: The player, who struck or shot.
      at: The cell.
      damage: Physical, fire, ice.
      by: `player`, or the name of the projectile.
      eats: Whether the player eats a killed creature; true only for melee.

    Returns:
      Whether any creature was hit.
    """
    floor = player.floor
    struck, killed = False, []
    for kind in ACTING:
        mobs: list[Mob] = getattr(floor, kind)
        for slot, mob in enumerate(mobs):
            if mob.alive and mob.row == at[0] and mob.col == at[1]:
                struck = True
                if _damage(player, kind, slot, mob, damage, by):
                    killed.append(kind)
                    _reward(player, kind, mob, eats)
                break
        if struck and "one_target" in player.world.tables.applied:
            break
    if killed:
        _bury(player, floor, at, killed)
    return struck


def _damage(
    player: Player, kind: str, slot: int, mob: Mob, damage: Vector, by: str
) -> bool:
    """Lowers the health of a creature; returns whether it died."""
    world, species = player.world, _species(player, kind, mob)
    amount = after_defence(damage, species.defence)
    mob.health = single(mob.health - amount)
    world.emit(
        "hit",
        kind=species.name,
        slot=slot,
        at=mob.position,
        damage=amount,
        absorbed=single(sum(damage) - amount),
        left=max(mob.health, 0.0),
        by=by,
    )
    if mob.health > 0:
        return False
    mob.alive = False
    world.emit("defeated", kind=species.name, slot=slot, at=mob.position, by=by)
    return True


def _reward(player: Player, kind: str, mob: Mob, eats: bool) -> None:
    """Grants the rewards for killing a creature."""
    species = _species(player, kind, mob)
    if kind != "passive":
        player.achieve(species.achievement)
    elif eats:
        food = player.world.tables.data["behaviour"]["passive"]["food"]
        gain = player.restore("food", food)
        player.hunger = 0.0
        player.world.emit("ate", what=species.name, at=mob.position, gain=gain)
        player.achieve(species.achievement)
    elif "hunting" in player.world.tables.applied:
        player.achieve(species.achievement)


def _bury(player: Player, floor: Floor, at: Position, killed: list[str]) -> None:
    """Frees the cell of a killed creature, and counts killed monsters."""
    floor.occupied[at[0] * floor.size + at[1]] = 0
    if killed != ["passive"]:
        floor.monsters_killed += 1
        if floor.monsters_killed == player.world.tables.data["ladders"]["monsters"]:
            player.world.emit("ladder_opened", floor=player.level)


def _species(player: Player, kind: str, mob: Mob) -> Species:
    return player.world.tables.species[kind][mob.type]

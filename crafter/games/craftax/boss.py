"""Boss fight: waves of creatures, and when the boss is vulnerable."""

from __future__ import annotations

from crafter.games.craftax.player import Player


def is_vulnerable(player: Player) -> bool:
    """Returns whether the boss can be hit now, given a player on its floor.

    It can while the player's floor has no living melee or ranged creature and no wave
    is under way.
    """
    if player.world.boss_timer > 0:
        return False
    floor = player.floor
    return not any(mob.alive for mob in (*floor.melee, *floor.ranged))


def is_beaten(player: Player) -> bool:
    """Returns whether the boss has taken enough hits to be beaten."""
    world = player.world
    hits: int = world.tables.data["boss"]["hits"]
    return world.boss_progress >= hits


def is_won(player: Player) -> bool:
    """Returns whether beating the boss has ended the game."""
    return "endless" not in player.world.tables.applied and is_beaten(player)


def hit(player: Player, counts: bool = True) -> None:
    """Hits the boss, which starts the next wave.

    Args:
      player: The player.
      counts: Whether the achievement is unlocked.
    """
    world = player.world
    rule = world.tables.data["boss"]
    world.boss_progress += 1
    world.boss_timer = rule["wave_steps"]
    world.emit("boss_hit", progress=world.boss_progress, needed=rule["hits"])
    if counts:
        player.achieve(world.tables.achievement_ids[rule["achievements"]["hit"]])


def update(player: Player) -> None:
    """Rewards beating the boss, or counts down the timer of a wave."""
    world = player.world
    rule = world.tables.data["boss"]
    if is_beaten(player):
        player.achieve(world.tables.achievement_ids[rule["achievements"]["won"]])
    if not player.in_graveyard:
        return
    if world.boss_timer == rule["wave_steps"] and not is_won(player):
        world.emit("wave_started", wave=world.boss_progress, steps=world.boss_timer - 1)
    world.boss_timer -= 1
    if world.boss_timer == 0:
        world.emit("wave_ended", wave=world.boss_progress)

"""What a moment of a game is worth to a player that wants to win."""

from __future__ import annotations

from typing import Any

_HEALTH = ((4.0, 8.0), (7.0, 4.0), (99.0, 1.5))


def milestone(game: Any) -> float:
    """Returns how far the player has come; more is better."""
    world, player = game.world, game.player
    numbers = [floor.achievement for floor in game.tables.floors]
    deepest = max(
        (n for n, a in enumerate(numbers) if a is not None and player.achievements[a]),
        default=0,
    )
    value = 100.0 * deepest + 100.0 * world.boss_progress
    value += 10.0 * min(world.floors[deepest].monsters_killed, 8)
    value += 2.0 * sum(player.achievements)
    has = player.inventory
    return value + 2 * sum(has["armour"]) + 2 * (has["sword"] + has["pickaxe"])


def worth(game: Any) -> float:
    """Returns what the moment is worth; more is better."""
    player = game.player
    value, below = milestone(game), 0.0
    for bound, price in _HEALTH:
        value += price * (min(max(player.health, below), bound) - below)
        below = bound
    value += sum(min(getattr(player, v), 5) for v in ("food", "drink", "energy"))
    for low in (player.food, player.drink):
        value -= 4.0 * (low == 0)
    return value

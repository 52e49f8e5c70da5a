"""Step function of the game."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from crafter.games.craftax import actions, body, boss, creatures, plants, spawning
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import World
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Action
from crafter.games.craftax.tables import single

_PI = single(math.pi)


def step(
    world: World, player: Player, action: int, draw: Callable[[], Draws], last: int = 0
) -> float:
    """Plays one step: one tick of the clock, or several with `collapse`.

    Args:
      world: The world.
      player: Its player.
      action: Id of the action; `noop` is played while the player sleeps or rests.
      draw: Returns the random values of a tick.
      last: Time on the clock at which the game ends; `collapse` stops there.

    Returns:
      The reward.
    """
    health, armour = player.health, sum(player.inventory["armour"])
    player.hurt_by.clear()
    player.unlocked.clear()
    tick(world, player, action, draw())
    while _goes_on(player, last):
        tick(world, player, 0, draw())
    tell_end(player, health)
    return reward(player, health, armour)


def _goes_on(player: Player, last: int) -> bool:
    """Returns whether a collapsed step of sleep or rest has another tick."""
    world = player.world
    if "collapse" not in world.tables.applied or world.timestep >= last:
        return False
    return (player.sleeping or player.resting) and not is_over(player)


def tick(world: World, player: Player, action: int, draws: Draws) -> None:
    """Plays one tick; draws nothing. Arguments as for `step`."""
    level = player.level
    rule = begin(player, action)
    climbs = rule.verb in actions.LADDER_VERBS
    if climbs:
        actions.act(player, rule, draws)
    if player.level != level or "ladder_entry" not in world.tables.applied:
        enter_floor(player)
    # An action has one verb, and no verb depends on `boss.update`, so all verbs may run
    # before it.
    if not climbs:
        actions.act(player, rule, draws)
    boss.update(player)
    creatures.update(player, draws)
    spawning.update(player, draws)
    plants.update(world)
    body.update_rest(player, rule.verb)
    body.update_counters(player)
    body.limit(player)
    player.achieve_possessions()
    update_clock(world)


def begin(player: Player, action: int) -> Action:
    """Returns the action that the player carries out."""
    tables = player.world.tables
    wanted = tables.actions[action]
    if not (player.sleeping or player.resting):
        player.action = wanted.name
        return wanted
    nothing = tables.actions[0]
    if wanted is not nothing:
        player.action = wanted.name
        player.reject("asleep" if player.sleeping else "resting")
    player.action = nothing.name
    return nothing


def enter_floor(player: Player) -> None:
    """Rewards the player for reaching a floor for the first time."""
    number = player.world.tables.floors[player.level].achievement
    if number is not None and not player.achievements[number]:
        player.achieve(number)
        player.xp += 1


def update_clock(world: World) -> None:
    """Advances the clock by a step and updates the daylight."""
    was_dark = is_dark(world)
    world.timestep += 1
    world.light_level = daylight(
        world.timestep, world.parameters.day_length, world.tables.data["time"]["start"]
    )
    day, step_of_day = divmod(world.timestep, world.parameters.day_length)
    if is_dark(world) != was_dark:
        world.emit("dawn" if was_dark else "dusk", n=day)
    if step_of_day == 0:
        world.emit("new_day", n=day)


def is_dark(world: World) -> bool:
    """Returns whether it is night on the overworld."""
    dark: float = world.tables.data["time"]["dark"]
    return world.light_level < dark


@functools.lru_cache(maxsize=2**14)
def daylight(timestep: int, day_length: int = 300, start: float = 0.3) -> float:
    """Returns how bright the overworld is, computed in single precision.

    Args:
      timestep: Steps on the clock.
      day_length: Steps per day.
      start: Fraction of the day at which the clock starts.

    Returns:
      Brightness from 0 (darkest) to 1 (noon).

    Source:
      Craftax 1.6.1, `calculate_light_level`, as compiled: the timestep is multiplied
      by the inverse of the length of a day, in single precision.

    Example:
      >>> round(daylight(0), 3), round(daylight(60), 3), round(daylight(210), 3)
      (0.797, 1.0, 0.0)
    """
    progress = single(single(timestep * single(1 / day_length)) % 1 + single(start))
    wave = single(abs(math.cos(single(_PI * progress))))
    return single(1 - single(wave * wave) * wave)


def reward(player: Player, health: float, armour: int) -> float:
    """Returns the reward of a step.

    Args:
      player: The player after the step.
      health: Its health before the step.
      armour: The sum of the tiers of its armour before the step.
    """
    tables = player.world.tables
    new = sum(tables.weights[number] for number in player.unlocked)
    if "armour_reward" in tables.applied:
        if player.health <= 0:
            return -1.0
        return single(new + sum(player.inventory["armour"]) - armour)
    change = single(player.health - health)
    return single(new + change * single(tables.data["rewards"]["health"]))


def tell_end(player: Player, health: float) -> None:
    """Emits `died` or `won` if the game ended in this step."""
    if player.health <= 0 < health:
        player.world.emit("died", by=list(player.hurt_by))
    elif boss.is_won(player):
        player.world.emit("won")


def is_over(player: Player) -> bool:
    """Returns whether the player died or won."""
    return player.health <= 0 or boss.is_won(player)

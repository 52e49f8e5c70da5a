"""Simulates the next steps on a copy, with random numbers of its own.

The player knows the rules and the state, but not the random numbers to come. So it
tries each action several times with numbers that it draws itself, goes on in a simple
way for a few steps, and compares what that costs and brings.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from crafter.games.craftax import actions, body, boss, creatures, events, game
from crafter.games.craftax.draws import Draws, Sampler
from crafter.games.craftax.engine import Floor, Mob, World
from crafter.games.craftax.player import Player
from crafter.games.craftax.players.scene import HOSTILE, TURNS

_POOL = 256  # random steps to choose from
_MOB = ("row", "col", "health", "alive", "cooldown", "type")
_SHOT = (*_MOB, "drow", "dcol")


def _copied(mob: Mob) -> Mob:
    new = object.__new__(type(mob))
    for name in _SHOT if hasattr(mob, "drow") else _MOB:
        setattr(new, name, getattr(mob, name))
    return new


def _copied_floor(floor: Floor) -> Floor:
    new = object.__new__(Floor)
    new.__dict__.update(floor.__dict__)
    for name in ("blocks", "items", "occupied"):
        setattr(new, name, bytearray(getattr(floor, name)))
    new.passive = []
    for name in HOSTILE:  # the dead ones do nothing
        setattr(new, name, [_copied(mob) for mob in getattr(floor, name) if mob.alive])
    for name in ("mob_projectiles", "player_projectiles"):
        setattr(new, name, [_copied(mob) for mob in getattr(floor, name)])
    return new


def copied(player: Player) -> Player:
    """Returns a copy of the player, and of the floor and world around it.

    What the trials never change is shared with the original.
    """
    world: World = copy.copy(player.world)
    world.floors = list(world.floors)
    world.floors[player.level] = _copied_floor(player.floor)
    world.emit = events.ignore
    new = copy.copy(player)
    new.world = world
    new.inventory = {
        name: list(amount) if isinstance(amount, list) else amount
        for name, amount in player.inventory.items()
    }
    new.achievements = list(player.achievements)
    new.unlocked, new.hurt_by = [], []
    return new


def play(player: Player, action: int, draws: Draws) -> None:
    """Plays the part of a step that matters in a fight."""
    rule = game.begin(player, action)
    if rule.verb in actions.LADDER_VERBS:
        return
    actions.act(player, rule, draws)
    boss.update(player)
    creatures.update(player, draws)
    body.update_rest(player, rule.verb)


class Foresight:
    """Compares actions by playing on.

    Args:
      env: The environment, for its rules.
      trials: How often each action is tried.
      depth: Steps of a trial.

    Attributes:
      place: Where the next random numbers are in the pool of them.
    """

    def __init__(self, env: Any, trials: int = 5, depth: int = 7) -> None:
        sampler = Sampler(env.tables, env.parameters)
        rng = np.random.Generator(np.random.PCG64(12345))
        self._pool = [sampler.draw(rng) for _ in range(_POOL)]
        self.place = 0
        self._trials, self._depth = trials, depth
        self._ids = {name: number for number, name in enumerate(env.action_names)}

    def values(
        self, player: Player, names: Iterable[str], wanted: str, killing: float
    ) -> dict[str, float]:
        """Returns for each action how good it is; health counts by points.

        Args:
          player: The player; it is not changed.
          names: Actions to compare.
          wanted: The action that the player is about to repeat, if it moves.
          killing: What the health of a monster is worth.
        """
        self.place = (self.place + 37) % _POOL
        before = _strength(player)
        return {
            name: sum(
                self._trial(copied(player), name, wanted, trial, killing, before)
                for trial in range(self._trials)
            )
            / self._trials
            for name in names
        }

    def _trial(
        self,
        player: Player,
        name: str,
        wanted: str,
        trial: int,
        killing: float,
        before: float,
    ) -> float:
        start = self.place + trial * self._depth
        for number in range(self._depth):
            action = name if number == 0 else _reaction(player, wanted)
            play(player, self._ids[action], self._pool[(start + number) % _POOL])
            if player.health <= 0:
                return -60.0
        return _worth(player.health) + killing * (before - _strength(player))


def _worth(health: float) -> float:
    """Returns what health is worth: points are dearer when few are left."""
    return health - 12 * math.exp(-health / 2.5)


def _strength(player: Player) -> float:
    """Returns how much of the monsters is left, one for each in full health."""
    floor, species = player.floor, player.world.tables.species
    return sum(
        0.4 + 0.6 * max(mob.health, 0) / species[kind][mob.type].health
        for kind in HOSTILE
        for mob in getattr(floor, kind)
        if mob.alive
    )


def _reaction(player: Player, wanted: str) -> str:
    """Returns what to do in the later steps of a trial."""
    if player.sleeping or player.resting:
        return "noop"
    floor = player.floor
    beside = None
    for kind in HOSTILE:
        for mob in getattr(floor, kind):
            step = mob.row - player.row, mob.col - player.col
            if mob.alive and step in TURNS:
                if step == player.facing:
                    return "do"
                beside = TURNS[step]
    if beside is not None:
        return beside
    return wanted if wanted in TURNS.values() else "noop"

"""A copy of a game to try plans on, random stream included, with quick take-backs.

A step of the game draws the same number of values whatever happens in it, so the values
of every step to come are known from the state. The copy draws them once, and a mark of
a moment needs nothing but what can change: it is some hundred times as quick as
`Env.get_state` and `Env.set_state`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crafter.games.craftax import game, state
from crafter.games.craftax.draws import Draws, Sampler
from crafter.games.craftax.engine import Floor

_SLOTS = ("passive", "melee", "ranged", "mob_projectiles", "player_projectiles")
_MOB = ("row", "col", "health", "alive", "cooldown", "type")
_SHOT = (*_MOB, "drow", "dcol")
_WORLD = ("boss_progress", "boss_timer", "light_level", "timestep")
_PLANT = ("row", "col", "age", "growing")
#: What of a player is a list or a mapping, and copied one by one.
_LISTS = ("learned_spells", "armour_enchantments", "achievements", "unlocked")


class Mark(NamedTuple):
    """A moment of a replica.

    Attributes:
      time: Steps since the replica was made.
      world: What changes in the world, without its floors.
      floors: What changes on each floor.
      player: What changes of the player.
    """

    time: int
    world: tuple[Any, ...]
    floors: list[tuple[Any, ...]]
    player: dict[str, Any]


class Replica:
    """Plays on from the state of an environment, without changing it.

    Args:
      env: An environment of `crafter.games.craftax`, under way.

    Attributes:
      tables, action_names: As of the environment.
      world, player: Copies of those of the environment.
      time: Steps since the replica was made.
    """

    def __init__(self, env: Any) -> None:
        self.tables, self.action_names = env.tables, env.action_names
        moment, self.world, self.player = state.restore(
            env.get_state(), env.tables, env.parameters
        )
        self._stream, self._sampler = moment.rng, Sampler(env.tables, env.parameters)
        self._draws: list[Draws] = []
        self.time = 0
        self._latest: list[tuple[Any, ...]] = [()] * len(self.world.floors)

    def step(self, action: int) -> bool:
        """Plays a step, and tells whether the game is over."""
        if self.time == len(self._draws):
            self._draws.append(self._sampler.draw(self._stream))
        game.step(self.world, self.player, action, self._draws[self.time])
        self.time += 1
        return game.is_over(self.player)

    def mark(self) -> Mark:
        """Returns the moment, to go back to it."""
        world, player = self.world, self.player
        for level, floor in enumerate(world.floors):
            self._latest[level] = _floor_mark(floor, self._latest[level])
        kept = dict(vars(player))
        kept["inventory"] = {
            name: list(has) if isinstance(has, list) else has
            for name, has in player.inventory.items()
        }
        kept |= {name: list(kept[name]) for name in (*_LISTS, "hurt_by")}
        plants = [tuple(getattr(p, name) for name in _PLANT) for p in world.plants]
        numbers = tuple(getattr(world, name) for name in _WORLD)
        return Mark(self.time, (numbers, plants), list(self._latest), kept)

    def back(self, mark: Mark) -> None:
        """Goes to a moment that was marked."""
        self.time = mark.time
        numbers, plants = mark.world
        _assign(self.world, _WORLD, numbers)
        for plant, values in zip(self.world.plants, plants):
            _assign(plant, _PLANT, values)
        for floor, kept in zip(self.world.floors, mark.floors):
            _restore_floor(floor, kept)
        values = dict(mark.player)
        values["inventory"] = {
            name: list(has) if isinstance(has, list) else has
            for name, has in values["inventory"].items()
        }
        values |= {name: list(values[name]) for name in (*_LISTS, "hurt_by")}
        vars(self.player).update(values)
        self._latest = list(mark.floors)


def _assign(thing: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
    for name, value in zip(names, values):
        setattr(thing, name, value)


def _floor_mark(floor: Floor, latest: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns what changes on a floor; layers that did not change are shared."""
    layers: list[Any] = [
        bytes(floor.blocks),
        bytes(floor.items),
        bytes(floor.occupied),
        floor.light.tobytes(),
    ]
    if latest:
        layers = [old if old == new else new for old, new in zip(latest, layers)]
    slots = [
        (m.row, m.col, m.health, m.alive, m.cooldown, m.type)
        for name in _SLOTS[:3]
        for m in getattr(floor, name)
    ]
    shots = [
        (m.row, m.col, m.health, m.alive, m.cooldown, m.type, m.drow, m.dcol)
        for m in (*floor.mob_projectiles, *floor.player_projectiles)
    ]
    numbers = floor.chest_opened, floor.monsters_killed
    return (*layers, slots, shots, numbers)


def _restore_floor(floor: Floor, kept: tuple[Any, ...]) -> None:
    blocks, items, occupied, light, slots, shots, numbers = kept
    floor.blocks[:], floor.items[:], floor.occupied[:] = blocks, items, occupied
    floor.light[:] = np.frombuffer(light, np.float32).reshape(floor.light.shape)
    mobs = (*floor.passive, *floor.melee, *floor.ranged)
    for mob, values in zip(mobs, slots):
        mob.row, mob.col, mob.health, mob.alive, mob.cooldown, mob.type = values
    for shot, values in zip((*floor.mob_projectiles, *floor.player_projectiles), shots):
        _assign(shot, _SHOT, values)
    floor.chest_opened, floor.monsters_killed = numbers

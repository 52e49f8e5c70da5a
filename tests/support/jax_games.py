"""The object-oriented game with recorded draws, to compare with the JAX game."""

from __future__ import annotations

import pathlib
import unittest.mock
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import yaml

from crafter.core.clock import daylight
from crafter.core.stream import Stream
from crafter.engine import World
from crafter.games.crafter import constants, rules, spawning
from crafter.games.crafter import tables as t
from crafter.games.crafter.game import Rewards
from crafter.games.crafter.jax import creatures
from crafter.games.crafter.jax import spawning as jax_balance
from crafter.games.crafter.jax.state import NEVER, Config, State, fields
from crafter.games.crafter.jax.step import Draws
from crafter.games.crafter.rules import Rules
from crafter.objects import Object, Player
from crafter.worldgen import generate

_DIRECTIONS = [tuple(direction) for direction in t.DIRECTIONS.tolist()]


def load(
    config: Config,
    world: World,
    player: Player,
    step: int = 0,
    clock_offset: int = 0,
    rewarded_health: int | None = None,
) -> State:
    """Return the JAX state of a game.

    Args:
      config: Static configuration.
      world: The world.
      player: The player in it.
      step: Steps since reset.
      clock_offset: Steps added for the time of day.
      rewarded_health: Health at the end of the last step; by default the current one.
    """
    others = [obj for obj in world.objects if obj is not player]
    joined, chunk_joined, next_joined = _joining(config, world)
    columns: dict[str, Any] = {
        "kind": [obj.label for obj in others],
        "x": [obj.x for obj in others],
        "y": [obj.y for obj in others],
        "health": [obj.health for obj in others],
        "facing": [_facing(obj) for obj in others],
        "counter": [_counter(obj) for obj in others],
        "id": [obj.id for obj in others],
        "joined": [joined[obj.id] for obj in others],
    }
    padding = [0] * (config.max_objects - len(others))
    objects = {
        f"object_{name}": np.array(column + padding, np.int32)
        for name, column in columns.items()
    }
    health = player.health if rewarded_health is None else rewarded_health
    return fields(
        config,
        {
            **objects,
            "step": step,
            "clock_offset": clock_offset,
            "materials": np.array(world.materials),
            "player_x": player.x,
            "player_y": player.y,
            "player_facing": _DIRECTIONS.index(player.facing),
            "player_joined": joined[player.id],
            "inventory": np.array(list(player.inventory.values()), np.int32),
            "achievements": np.array(list(player.achievements.values()), np.int32),
            "sleeping": player.sleeping,
            "action": t.ACTION[player.executed],
            **{name: getattr(player, name) for name in t.COUNTERS},
            "last_health": player.last_health,
            "rewarded_health": health,
            "object_count": len(others),
            "next_id": world.next_id,
            "next_joined": next_joined,
            "chunk_joined": chunk_joined,
        },
    )


def _facing(obj: Object) -> int:
    return _DIRECTIONS.index(obj.facing) if obj.turns else -1


def _counter(obj: Object) -> int:
    return int(getattr(obj, obj.fields[0])) if obj.fields else 0


def _joining(config: Config, world: World) -> tuple[dict[int, int], np.ndarray, int]:
    """Return joining orders by object and by chunk, and the next one."""
    joined: dict[int, int] = {}
    chunk_joined = np.full(config.chunks, NEVER)
    chunks = world.chunks
    for rank, ((x, _, y, _), chunk) in enumerate(chunks.items()):
        chunk_joined[t.chunk_grid(world.area).number(x, y)] = rank
        for obj in chunk.members:
            joined[obj.id] = len(chunks) + len(joined)
    return joined, chunk_joined, len(chunks) + len(joined)


def changed_rules() -> Rules:
    """Return rules in which every number that the JAX engine reads is changed."""
    text = (pathlib.Path(__file__).parent / "crafter_changed.yaml").read_text("utf-8")
    return rules.load(yaml.safe_load(text))


class Recorded:
    """A random stream of multiples of 2**-24 that records its draws.

    Attributes:
        drawn: Draws since it was last emptied, as numbers in [0, 1).
    """

    def __init__(self, seed: int):
        self._stream = Stream(seed)
        self.drawn: list[float] = []

    def random(self) -> float:
        value = np.floor(self._stream.random() * 2**24) / 2**24
        self.drawn.append(value)
        return float(value)

    def below(self, n: int) -> int:
        value = self._stream.below(n)
        self.drawn.append((value + 0.5) / n)
        return value


class Game:
    """One object-oriented game, stepped with recorded draws.

    Args:
        config: Configuration of the JAX game.
        seed: Seed of its world and its draws.
        clock_offset: Steps added for the time of day.
    """

    def __init__(self, config: Config, seed: int, clock_offset: int = 0):
        self.config, self.seed, self.clock_offset = config, seed, clock_offset
        self._filler = np.random.RandomState(seed)
        self.episode = 0
        self.reset()

    def reset(self) -> None:
        self.episode += 1
        self.step_count = 0
        seed, own = 1000 * self.seed + self.episode, self.config.rules
        self.world = World(self.config.area, seed, own)
        center = self.config.area[0] // 2, self.config.area[1] // 2
        self.player = Player(self.world, center)
        self.world.add(self.player)
        generate(self.world, self.player)
        self.world.random = Recorded(self.seed)  # type: ignore[assignment]
        self.rewarded_health = self.player.health
        self.world.daylight = daylight(self.clock_offset, own.time)

    def enter(self, env: Any) -> None:
        """Continue from the start of an episode of an environment."""
        self.world, self.player = env.world, env.player
        self.clock_offset = int(env.get_state()["clock_offset"])
        self.step_count, self.rewarded_health = 0, self.player.health
        self.world.random = Recorded(self.seed)  # type: ignore[assignment]

    def state(self) -> State:
        """Return this game as a JAX state."""
        return load(
            self.config,
            self.world,
            self.player,
            self.step_count,
            self.clock_offset,
            self.rewarded_health,
        )

    def step(self, action: int) -> tuple[float, Draws]:
        """Take a step; return reward and draws, with random values for unused ones."""
        draws = self._fill()
        rows = self._rows()
        self.step_count += 1
        world, player, own = self.world, self.player, self.config.rules
        now = self.step_count + self.clock_offset
        world.daylight = daylight(now, own.time)
        player.action = constants.actions[action]
        before = sum(count > 0 for count in player.achievements.values())
        for obj in world.objects:
            if player.distance(obj) < self.config.reach:
                self._update(obj, draws, rows)
        if self.step_count % own.balance["interval"] == 0:
            self._balance(draws.balance)
        gained = player.health - self.rewarded_health
        self.rewarded_health = player.health
        after = sum(count > 0 for count in player.achievements.values())
        return Rewards(own.rewards)(gained, after > before), draws

    def _fill(self) -> Draws:
        config, draw = self.config, self._filler.uniform
        shapes = (
            (),
            (config.max_active, creatures.DRAWS),
            (config.chunks, jax_balance.KINDS, jax_balance.DRAWS),
        )
        return Draws(*(np.array(draw(0, 0.999, s), np.float32) for s in shapes))

    def _rows(self) -> dict[int, int]:
        others = [obj for obj in self.world.objects if obj is not self.player]
        near = [o for o in others if o.distance(self.player) <= self.config.reach + 1]
        return {obj.id: row for row, obj in enumerate(near)}

    def _update(self, obj: Any, draws: Draws, rows: dict[int, int]) -> None:
        drawn = self.world.random.drawn = []  # type: ignore[attr-defined]
        distance = obj.distance(self.player)
        obj.update()
        if obj is self.player:
            if drawn:
                draws.player[...] = drawn[0]
        elif drawn:
            sites = _sites(self.config.rules.creatures, obj.kind, distance, drawn)
            draws.objects[rows[obj.id], sites] = drawn

    def _balance(self, draws: np.ndarray) -> None:
        numbers = t.chunk_grid(self.config.area)
        kinds = list(constants.balance["kinds"])

        def note(decide: Any) -> Any:
            def decided(world: Any, player: Any, chunk: Any, kind: str) -> None:
                world.random.drawn = drawn = []
                decide(world, player, chunk, kind)
                number = numbers.number(chunk.bounds[0], chunk.bounds[2])
                draws[number, kinds.index(kind), : len(drawn)] = drawn

            return decided

        with unittest.mock.patch.multiple(
            spawning,
            _maybe_spawn=note(spawning._maybe_spawn),
            _maybe_despawn=note(spawning._maybe_despawn),
        ):
            spawning.balance(self.world, self.player)


def _sites(rules: Any, kind: str, distance: int, drawn: list[float]) -> list[int]:
    """Return the index in `creatures` of each draw of an update."""
    skeleton = rules["skeleton"]
    if kind == "cow":
        return [0, 3][: len(drawn)]
    if kind == "zombie":
        near = distance <= rules["zombie"]["sight"]
        return [0, 3] if near else [3]
    sites = [0] if distance <= skeleton["retreat_distance"] else []
    if len(sites) == len(drawn):
        return sites
    if distance <= skeleton["shoot_distance"]:
        sites.append(1)
        if drawn[len(sites) - 1] < skeleton["shoot_chance"]:
            return sites
    if distance <= skeleton["sight"]:
        sites.append(2)
        if drawn[len(sites) - 1] < skeleton["chase_chance"]:
            return [*sites, 3]
    sites.append(4)
    return [*sites, 3][: len(drawn)]


def stack(trees: list[Any]) -> Any:
    """Stack pytrees into a batch."""
    return jax.tree.map(lambda *leaves: jnp.asarray(np.stack(leaves)), *trees)


def put(trees: Any, places: list[int], some: Any) -> Any:
    """Return a batch of pytrees with some rows replaced.

    Uses NumPy, since JAX would compile a program for every shape.
    """

    def replaced(old: Any, new: Any) -> np.ndarray:
        leaf = np.array(old)
        leaf[places] = new
        return leaf

    return jax.tree.map(replaced, trees, some)


def facts(config: Config, game: State) -> dict[str, Any]:
    """Return everything that defines a game, independent of bookkeeping orders.

    Args:
        config: Static configuration.
        game: A single game, NumPy arrays.
    """
    alive = game.object_kind > 0
    values = {name: getattr(game, name) for name in State._fields}
    for name in State._fields:
        if name.startswith("object_") and name != "object_count":
            values[name] = values[name][alive]
    number = t.chunk_grid(config.area).number
    chunk = number(values["object_x"], values["object_y"])
    members = np.lexsort((values["object_joined"], chunk))
    values["members"] = values["object_id"][members]
    orders = game.chunk_joined
    existing = np.flatnonzero(orders < NEVER)
    values["chunks"] = existing[np.argsort(orders[existing])]
    own = chunk == number(game.player_x, game.player_y)
    values["before player"] = (values["object_joined"][own] < game.player_joined).sum()
    for name in ("object_joined", "chunk_joined", "next_joined", "player_joined"):
        del values[name]
    for name in ("object_count", "noise_seed", "invalid_actions"):
        del values[name]
    return values


def assert_same_game(config: Config, actual: State, expected: State) -> None:
    """Check that two games are equal in every field."""
    theirs = facts(config, expected)
    for name, value in facts(config, actual).items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)

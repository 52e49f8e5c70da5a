"""The compiled JAX step of Craftax shared by tests, and batches of states."""

import collections
import functools

import craftax_convert
import jax
import numpy as np
from craftax_golden import Steps, unequal
from jax_games import put

from crafter.games.craftax import (
    affordances,
    fields,
    game,
    parameters,
    tables,
    worldgen,
)
from crafter.games.craftax import draws as craftax_draws
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import World
from crafter.games.craftax.jax import affordances as jax_masks
from crafter.games.craftax.jax import observations, step
from crafter.games.craftax.jax.state import Config, EnvParams, StaticEnvParams
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import ATTRIBUTES

#: Batch size.
GAMES = 64


@functools.cache
def config(rules):
    own = tables.load(rules)
    return Config(own, StaticEnvParams.of(own))


@functools.cache
def compiled_step(rules):
    """Returns the compiled step with given draws, for `GAMES` games.

    It takes states, actions, draws and parameters, and returns states, rewards, dones
    and compact observations.
    """

    def play(state, action, draws, params):
        state, reward = step.step(config(rules), params, state, action, draws)
        over = step.is_over(config(rules), state)
        over |= state.timestep >= params.max_timesteps
        return state, reward, over, observations.compact(config(rules), state)

    return jax.jit(jax.vmap(play, (0, 0, 0, None)))


@functools.cache
def compiled_masks(rules):
    """Returns the exact action masks of a batch of states; may be slow to compile."""
    own = config(rules)
    return jax.jit(jax.vmap(functools.partial(jax_masks.action_mask, own), (None, 0)))


def stack(trees):
    """Stacks pytrees into a batch."""
    return jax.tree.map(lambda *leaves: np.stack(leaves), *trees)


def batches(name):
    """Yields the recorded transitions of a file in batches of `GAMES`.

    A batch has indices, states before, actions, draws and states after; the last one
    is padded by repetition.
    """
    steps = Steps(name)
    for start in range(0, len(steps), GAMES):
        numbers = np.minimum(np.arange(start, start + GAMES), len(steps) - 1)
        before, after, draws = (
            stack([part(number) for number in numbers])
            for part in (steps.before, steps.after, steps.draws)
        )
        yield numbers, before, steps.data["action"][numbers], Draws(**draws), after


def differing(expected, got):
    """Returns field -> rows in which batches of fields differ."""
    differences = {}
    for name in sorted(expected.keys() - craftax_convert.UNUSED.keys()):
        wrong = unequal(name, expected[name], got[name])
        rows = np.flatnonzero(wrong.reshape(len(wrong), -1).any(1)).tolist()
        if rows:
            differences[name] = rows
    return differences


#: Placed around players at times, so that they have much to do.
AROUND = (
    *("crafting_table", "furnace", "chest", "enchantment_table_fire"),
    *("enchantment_table_ice", "water", "tree", "stone", "iron", "diamond"),
    *("sapphire", "ruby", "ripe_plant", "grass", "lava", "fountain", "path"),
)


class Game:
    """A game of the object-oriented engine, on any floor, with random inventory.

    Args:
      number: Seed of everything random; the first episode starts on this floor.
      rules: Rules as in `tables.load`.
      **changes: Parameters that differ from the defaults.
    """

    def __init__(self, number, rules="published", **changes):
        self.tables = tables.load(rules)
        self.parameters = parameters.make(self.tables.data["parameters"], changes)
        self.random = np.random.default_rng(number)
        self._sampler = craftax_draws.Sampler(self.tables, self.parameters)
        self._generator = worldgen.WorldGenerator(self.tables, self.parameters)
        self._level = number
        self.reset()

    def reset(self):
        """Starts an episode one floor below the last one."""
        random, rules = self.random, self.tables
        maps = self._generator.generate(self._generator.draw(random))
        self.world = world = World(rules, self.parameters)
        world.fill(*maps[:-1])
        world.potion_mapping = maps.potion_mapping.tolist()
        world.timestep = int(random.integers(300))
        world.light_level = game.daylight(world.timestep, self.parameters.day_length)
        self.player = player = Player(world)
        player.level = self._level % len(world.floors)
        self._level += 1
        if player.level:
            player.row, player.col = player.floor.up_ladder
        for floor in world.floors[1:]:
            floor.monsters_killed = int(random.choice([0, 7, 8]))
        if random.random() < 0.8:
            self._equip()
        self._surround()

    def _equip(self):
        random, player = self.random, self.player
        for name, amount in player.inventory.items():
            most = {"pickaxe": 5, "sword": 5, "bow": 2, "armour": 3, "potions": 3}
            high = most.get(name, 12)
            if isinstance(amount, list):
                player.inventory[name] = random.integers(0, high, len(amount)).tolist()
            else:
                player.inventory[name] = int(random.integers(0, high))
        values = random.integers(1, 6, len(ATTRIBUTES)).tolist()
        player.attributes = dict(zip(ATTRIBUTES, values))
        player.xp = int(random.integers(4))
        for name in ("food", "drink", "energy", "mana"):
            setattr(player, name, int(random.integers(3, player.maxima[name] + 1)))
        player.learned_spells = [bool(random.integers(2)) for _ in range(2)]
        player.sword_enchantment = int(random.integers(3))
        player.bow_enchantment = int(random.integers(3))
        player.armour_enchantments = random.integers(0, 3, 4).tolist()

    def _surround(self):
        for row in (-1, 0, 1):
            for col in (-1, 0, 1):
                at = self.player.row + row, self.player.col + col
                if (row or col) and at in self.player.floor:
                    name = self.random.choice(AROUND)
                    if self.random.random() < 0.5:
                        block = self.tables.block_ids[name]
                        self.player.floor.block_map[at] = block

    def action(self):
        """Returns a random action, with moves and `do` more likely than others."""
        kinds = self.random.random()
        if kinds < 0.3:
            return int(self.random.integers(1, 5))
        if kinds < 0.55:
            return self.tables.action_names.index("do")
        return int(self.random.integers(len(self.tables.actions)))

    def step(self, action):
        """Plays a step; returns its draws, the reward and whether the game is over."""
        draws = self._sampler.draw(self.random)
        reward = game.step(self.world, self.player, action, lambda: draws)
        return draws, reward, game.is_over(self.player)

    def fields(self):
        """Returns the fields of the game."""
        return fields.capture(self.world, self.player)


def stack_draws(draws):
    """Stacks draws into a batch of 32-bit arrays."""
    columns = (np.array(column) for column in zip(*draws))
    return Draws(
        *(c.astype(np.float32 if c.dtype.kind == "f" else np.int32) for c in columns)
    )


def play(rules, games, steps, stride=1, tolerance=0, masks=False, **changes):
    """Plays `GAMES` games in both engines and compares them.

    Args:
      rules: Rules as in `tables.load`.
      games: Games such as `Game`.
      steps: Number of steps.
      stride: Compare fields only every so many steps.
      tolerance: Maximum difference of numbers.
      masks: Whether to compare exact action masks, too.
      **changes: Parameters that differ from the defaults.

    Returns:
      Event counts, to show that the games covered everything.
    """
    tally, own = collections.Counter(), config(rules)
    params = EnvParams.of(own.tables).replace(**changes)
    observer = Observer(own.tables, parameters.make(own.tables.data["parameters"], {}))
    state = craftax_convert.load(own, stack([one.fields() for one in games]))
    for number in range(steps):
        actions = [one.action() for one in games]
        before = [sum(one.player.achievements) for one in games]
        played = [one.step(action) for one, action in zip(games, actions)]
        draws, expected, ends = zip(*played)
        state, rewards, over, seen = compiled_step(rules)(
            state, np.array(actions, np.int32), stack_draws(draws), params
        )
        np.testing.assert_allclose(rewards, expected, atol=1e-6 + tolerance)
        np.testing.assert_array_equal(over, ends)
        if number % stride == 0 or number == steps - 1:
            assert_same(
                own, stack([one.fields() for one in games]), state, number, tolerance
            )
            views = stack([observer.compact(one.player) for one in games])
            np.testing.assert_array_equal(seen["map"], views["map"])
            np.testing.assert_allclose(seen["numbers"], views["numbers"], atol=1e-5)
        if masks:
            expected = [affordances.action_mask(one.player) for one in games]
            actual = compiled_masks(rules)(params, state)
            np.testing.assert_array_equal(actual, expected)
        tally.update(f"floor {one.player.level}" for one in games)
        tally.update(f"action {action}" for action in actions)
        tally["asleep"] += sum(one.player.sleeping for one in games)
        tally["achievements"] += sum(
            sum(one.player.achievements) - count for one, count in zip(games, before)
        )
        ended = np.flatnonzero(ends).tolist()
        tally["ends"] += len(ended)
        if ended:
            for place in ended:
                games[place].reset()
            new = stack([games[place].fields() for place in ended])
            state = put(state, ended, craftax_convert.load(own, new))
    return tally


def assert_same(config, expected, state, step, tolerance):
    """Checks that games are equal in every field."""
    actual = craftax_convert.save(config, state)
    for name in actual.keys() - craftax_convert.UNUSED.keys():
        rtol = 1e-7 if tolerance else 0
        np.testing.assert_allclose(
            actual[name],
            expected[name],
            rtol,
            tolerance,
            err_msg=f"{name} after {step}",
        )

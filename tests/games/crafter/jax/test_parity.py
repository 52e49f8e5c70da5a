"""JAX rules compared with the object-oriented ones, with equal draws."""

import pathlib

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
import jax_programs
import workshops
from batches import Sleeper
from budget import LONG, sample

import crafter
import crafter.batch.jax as crafter_jax
from crafter import constants
from crafter.games.crafter.jax import step as jax_step
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.players.random import RandomPlayer, Wanderer

STEPS = 200_000 if LONG else 8_000
#: Seed of the world -> actions of a player who unlocks all achievements.
PLAYED = np.load(
    pathlib.Path(__file__).parents[3] / "golden/compatibility/actions-side-by-side.npz"
)


def play_randomly(config, count, steps):
    """Play games of random players in both engines."""
    games = [jax_games.Game(config, i, clock_offset=i * 37 % 300) for i in range(count)]
    players = [(RandomPlayer, Wanderer, Sleeper)[g.seed % 3](g.seed) for g in games]
    actions = ([player.act(None, {}) for player in players] for _ in range(steps))
    return jax_programs.play(games, actions)


def test_short_games():
    tally = play_randomly(Config(), jax_programs.GAMES, 60)
    assert min(tally[name] for name in ("nights", "asleep", "plant")) > 0, tally


def test_changed_rules():
    tally = play_randomly(Config(rules=jax_games.changed_rules()), 12, 80)
    assert min(tally[name] for name in ("nights", "asleep", "deaths")) > 0, tally


@pytest.mark.slow
def test_long_games():
    """Games with nights, sleep and many deaths."""
    tally = play_randomly(Config(), 40, STEPS // 40)
    print(f"{STEPS:,} steps compared: {tally}")
    names = ("deaths", "nights", "asleep", "arrow", "plant")
    assert min(tally[name] for name in names) > 15, tally


@pytest.mark.slow
@pytest.mark.parametrize(
    "fixed",
    [
        {"area": (20, 33), "view": (11, 8)},
        {"area": (9, 7), "view": (5, 13), "max_objects": 63, "max_active": 40},
    ],
    ids=str,
)
def test_other_maps(fixed):
    play_randomly(Config(**fixed), 6, 150)


def pieces():
    """Return games at the starts of the pieces, and the actions of each.

    The pieces are cut from games with all achievements, to be played side by side.
    """
    count = jax_programs.GAMES // len(PLAYED.files)
    games, following = [], []
    for seed in PLAYED.files:
        actions = PLAYED[seed].tolist()
        length = -(-len(actions) // count)
        for start in range(0, len(actions), length):
            game = jax_games.Game(jax_programs.CONFIG, int(seed))
            for action in actions[:start]:
                game.step(action)
            games.append(game)
            following.append(actions[start : start + length])
    return games, following


def test_played_games():
    games, following = pieces()
    tally = jax_programs.play(games, zip(*following, strict=True), 5)
    assert tally.keys() >= {*constants.actions, *constants.achievements}


@pytest.mark.parametrize("first", sample([0, 100, 200, 300]))
def test_workshops(first):
    """A player crafts, builds, fights and farms, which random play rarely does."""
    games, following = [], []
    for seed in range(first, first + jax_programs.GAMES):
        worker = workshops.Worker(seed)
        env, game = begun(seed, workshops.start(seed))
        games.append(game)
        following.append([worker.act(env, {}) for _ in range(60)])
    tally = jax_programs.play(games, zip(*following), 5)
    done = tally.keys() & {*constants.actions, *constants.achievements}
    assert len(done) >= len(constants.actions) + 8, tally


def begun(seed, options):
    """Returns a single environment, and its game paired with a JAX game."""
    env = crafter.Env(seed=seed)
    env.reset(options=options)
    game = jax_games.Game(jax_programs.CONFIG, seed)
    game.enter(env)
    return env, game


def test_plants_that_are_eaten_up_wither():
    games = []
    for health in range(jax_programs.GAMES):
        plant = {"kind": "plant", "position": (32, 33), "health": health % 3}
        start = {"map": np.full((64, 64), 2), "objects": [plant]}
        games.append(begun(health, start)[1])
    jax_programs.play(games, [[0] * len(games)])


def test_creatures_enter_at_once_where_an_arrow_broke_a_table():
    ids = {name: number for number, name in enumerate(constants.materials, 1)}
    land = np.full((64, 64), ids["path"])
    land[34, 32] = ids["table"]
    objects = [{"kind": "arrow", "position": (33, 32), "facing": (1, 0)}]
    objects += [("cow", cell) for cell in ((34, 31), (35, 32), (34, 33))]
    start = {"map": land, "position": (30, 30), "objects": objects}
    games = [begun(seed, start)[1] for seed in range(jax_programs.GAMES)]
    jax_programs.play(games, [[0] * len(games)])
    assert any(game.world[34, 32][1] for game in games)


def decide(game, action, limit):
    """Steps until the player is awake; returns the rewards and draws of the ticks."""
    ticks = [game.step(action)]
    player = game.player
    while player.sleeping and player.health > 0 and game.step_count < limit:
        ticks.append(game.step(constants.actions.index("noop")))
    return zip(*ticks)


def test_sleep_as_one_decision(monkeypatch):
    """Compares every tick with its draws, also if time runs out during sleep."""
    env = crafter_jax.make("Crafter-Compact-v1", setup={"collapse": True})
    tick, limit, sleep = jax_step.step, 130, constants.actions.index("sleep")
    params = env.default_params.replace(max_timesteps=limit)
    games = [jax_games.Game(env.config, i, clock_offset=60 * i) for i in range(4)]
    for number, game in enumerate(games):
        game.player.inventory |= {"energy": 8 - 2 * number, "health": 9 - number}

    @jax.jit
    @jax.vmap
    def play(state, action, draws):
        def tick_with_draws(config, now, action, words):
            drawn = jax.tree.map(lambda part: part[now.step - state.step], draws)
            return tick(config, now, action, drawn)

        monkeypatch.setattr(jax_step, "step", tick_with_draws)
        return env.step_env(jax_programs.KEY, state, action, params)[1:]

    random, most = np.random.default_rng(0), 0
    for _ in range(12):
        states = jax_games.stack([game.state() for game in games])
        actions = random.choice([sleep, 0, 1, 5], len(games))
        rewards, draws = zip(*(decide(*pair, limit) for pair in zip(games, actions)))
        padded = [
            jax_games.stack([*ticks, *ticks[-1:] * limit][:limit]) for ticks in draws
        ]
        found, reward, done, info = play(states, actions, jax_games.stack(padded))
        jax_programs.assert_same(games, found, most)
        np.testing.assert_allclose(reward, [sum(each) for each in rewards], atol=1e-5)
        ticks = [game.step_count for game in games]
        np.testing.assert_array_equal(info["ticks"], ticks)
        np.testing.assert_array_equal(info["truncated"], np.array(ticks) >= limit)
        most = max(most, *map(len, draws))
    assert most > 20 and done.any()

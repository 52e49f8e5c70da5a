"""There is room for all objects where a player survives, too.

For random play see scripts/compare_jax.py, which counts over millions of steps.
"""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import crafter.batch.jax as crafter_jax
import jax
import jax_games
from budget import LONG

import crafter
from crafter import constants
from crafter.env import daylight
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.players.scripted import ScriptedPlayer

GAMES = 2
STEPS = 1500 if LONG else 1100


def info_of(game):
    """Return what a player reads of the info of `crafter.Env`."""
    semantic = game.materials.copy()
    alive = game.object_kind > 0
    semantic[game.object_x[alive], game.object_y[alive]] = game.object_kind[alive]
    position = int(game.player_x), int(game.player_y)
    semantic[position] = t.KIND["player"]
    return {
        "semantic": semantic,
        "player_pos": np.array(position),
        "player_facing": tuple(t.DIRECTIONS[game.player_facing].tolist()),
        "inventory": dict(zip(t.ITEMS, game.inventory.tolist())),
        "achievements": dict(zip(constants.achievements, game.achievements.tolist())),
        "sleeping": bool(game.sleeping),
        "daylight": daylight(int(game.step)),
        "view": np.array([9, 9]),
    }


def test_the_info_is_that_of_the_environment():
    single = crafter.Env(seed=0)
    single.reset()
    theirs = single.step(0)[-1]
    game = jax_games.load(Config(), single.world, single.player, 1)
    for name, value in info_of(jax.device_get(game)).items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)


@pytest.mark.slow
def test_a_surviving_player_meets_no_refusal():
    env = crafter_jax.make("Crafter-Compact-v1", auto_reset=False)
    single = crafter.Env()
    players = [ScriptedPlayer(i) for i in range(GAMES)]
    keys = jax.random.split(jax.random.key(0), GAMES)
    _, states = jax.jit(jax.vmap(env.reset))(keys)
    step = jax.jit(jax.vmap(env.step))
    lived = np.zeros(GAMES, int)
    most = 0
    for number in range(STEPS):
        games = jax.device_get(states)
        actions = [
            player.act(single, info_of(jax.tree.map(lambda leaf, i=i: leaf[i], games)))
            for i, player in enumerate(players)
        ]
        keys = jax.random.split(jax.random.fold_in(jax.random.key(1), number), GAMES)
        _, states, _, done, info = step(keys, states, np.array(actions))
        assert not info["dropped_objects"].any()
        lived += ~np.asarray(done)
        most = max(most, int(np.max(states.object_count)))
    reached = (np.asarray(states.achievements) > 0).sum(1)
    print(f"steps lived {lived}, achievements {reached}, most slots used {most}")
    assert lived.max() > 1000
    assert reached.max() > 15

"""Games on all floors in JAX and in the object-oriented engine, with equal draws."""

import copy
import itertools
import pathlib

import numpy as np
import pytest
import yaml

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import jax
from budget import LONG, sample
from craftax_jax import GAMES, Game, config, differing, play, stack
from craftax_scenes import Scene, random_setup

from crafter.core import setups
from crafter.games.craftax import Env, creatures, fields, tables
from crafter.games.craftax.jax import creatures as jax_creatures
from crafter.games.craftax.jax import engine
from crafter.games.craftax.rules import Rules

STEPS = 200_000 if LONG else 20_000
ACTIONS = 43
TESTS = pathlib.Path(__file__).parents[3]
CHANGED = yaml.safe_load((TESTS / "support/craftax_changed.yaml").read_text("utf-8"))
WON = TESTS / "golden/craftax_games"
PIECE = 60  # steps per piece of a winning game


def random_games(rules, **changes):
    return [Game(number, rules, **changes) for number in range(GAMES)]


@pytest.mark.slow
def test_short_games_with_other_parameters():
    """Changes only parameters that need no recompilation."""
    changes = {
        "god_mode": True,
        "day_length": 20,
        "mob_despawn_distance": 11,
        "max_attribute": 3,
    }
    games = random_games("published", **changes)
    assert play("published", games, 10, **changes)["achievements"] > 50


def test_short_games():
    tally = play("published", random_games("published"), 20)
    assert {f"floor {floor}" for floor in range(9)} <= tally.keys()
    assert min(tally[f"action {action}"] for action in range(ACTIONS)) > 0, tally
    assert tally["achievements"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["published", "repaired"])
def test_long_games(rules):
    """Games with sleep and many deaths."""
    tally = play(rules, random_games(rules), -(-STEPS // GAMES))
    print(f"{STEPS:,} steps compared: {dict(tally)}")
    assert min(tally[f"floor {floor}"] for floor in range(9)) > STEPS / 40, tally
    assert min(tally[f"action {action}"] for action in range(ACTIONS)) > STEPS / 200
    assert tally["ends"] > 50 and tally["asleep"] > 50, tally


class Piece:
    """A piece of a recorded game.

    Args:
      env: The game at the start of the piece.
      actions: Actions of the piece.
    """

    def __init__(self, env, actions):
        self._env, self._actions = copy.deepcopy(env), iter(actions)
        self._sampler = env._sampler
        self._env._sampler = self
        self.fields, self.player = self._env.get_state, self._env.player

    def draw(self, random):
        self._draws = self._sampler.draw(random)
        return self._draws

    def action(self):
        return next(self._actions)

    def step(self, action):
        _, reward, terminated, _, _ = self._env.step(action)
        return self._draws, reward, terminated


def pieces(rules):
    """Returns the pieces of a winning game with the most kinds of actions."""
    actions = np.load(WON / f"{rules}-0.npz")["actions"].tolist()
    env = Env("compact", rules=rules)
    env.reset(seed=0)
    starts = range(0, len(actions) - PIECE, PIECE)
    kinds = {start: len(set(actions[start : start + PIECE])) for start in starts}
    richest = sorted(starts, key=kinds.get)[-GAMES:]
    found = []
    for number, action in enumerate(actions):
        if number in richest:
            found.append(Piece(env, actions[number : number + PIECE]))
        env.step(action)
    return found


@pytest.mark.parametrize("rules", sample(["published", "repaired"]))
def test_a_won_game(rules):
    """Covers all nine floors, and actions that random play never reaches."""
    tally = play(rules, pieces(rules), PIECE, stride=8)
    assert {f"floor {floor}" for floor in range(9)} <= tally.keys()
    assert sum(name.startswith("action") for name in tally) > 25, tally


def test_creatures_make_room_as_in_the_object_oriented_game():
    """They step to the first free side, in the same order, or vanish."""
    repaired, found, expected = config("repaired"), [], []
    for walls in itertools.product((False, True), repeat=4):
        scene = Scene("repaired")
        scene.creature("cow", (0, 0))
        for side, wall in zip(scene.tables.vectors[1:], walls):
            scene.put("wall" if wall else "path", side)
        found.append(fields.capture(scene.world, scene.player))
        creatures.make_room(scene.player)
        expected.append(fields.capture(scene.world, scene.player))

    @jax.jit
    @jax.vmap
    def pushed(state):
        turn = engine.enter(engine.Turn(repaired, state))
        return engine.leave(jax_creatures.make_room(turn, True)).state

    states = stack([craftax_convert.load(repaired, one) for one in found])
    after = craftax_convert.save(repaired, pushed(states))
    assert not differing(stack(expected), after)


NAMED = sample(["puffer, other numbers", "puffer", "published, other numbers"])


@pytest.mark.parametrize("name", [*NAMED, *range(8 if LONG else 0)])
def test_setups(name, tmp_path):
    base, _, changed = str(name).partition(", ")
    if base.isdigit():
        setup = random_setup(name)
    else:
        setup = dict.fromkeys(tables.load(base).rules.applied, True)
    # A step is one tick here, and two creatures in a cell step aside in any order.
    setup["collapse"] = False
    setup["arrival_push"] = setup.get("arrival_push", False) and not setup.get("ghosts")
    rules = setups.expand(Rules, setup, "published")[0]
    rules |= CHANGED if changed else {}
    path, steps = tmp_path / "rules.yaml", 400 if LONG else 40
    path.write_text(yaml.safe_dump(rules))
    tolerance = 1e-5 if changed else 0
    games = random_games(str(path))
    tally = play(str(path), games, steps, tolerance=tolerance, masks=LONG)
    assert tally["ends"] or not changed
    print(f"{steps * GAMES:,} steps: {setups.label(tables.load(rules).rules)}")

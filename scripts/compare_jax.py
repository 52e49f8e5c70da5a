"""Is random play in JAX the random play of the game? 100,000 episodes of each.

    python scripts/compare_jax.py
    python scripts/compare_jax.py --episodes 2000 --games 100

The rules are compared step by step in tests/games/crafter/jax/test_parity.py, from the
same draws; this program compares what comes of own draws, worlds and spawning included.
The game is the batched engine on the CPU, which equals the single environment to the
bit.

Every game of a batch plays the same number of episodes, so that long ones count as
much as short ones. Then each achievement is tested to have one rate in both: Fisher's
exact test, two-sided. Lengths and returns are tested to have one distribution: the
Kolmogorov-Smirnov and Mann-Whitney tests. With that many tests each is made at 1 % /
their number (Bonferroni): if the games are the same, all pass with a probability of at
least 99 %. Objects that found no room in JAX are counted and have to be none.

Needs `pip install crafter[vector,jax,analysis]`.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import gymnasium
import jax
import numpy as np
from scipy import stats
from tqdm import tqdm

import crafter.games.crafter.jax as crafter_jax
from crafter.core import arguments
from crafter.games.crafter import constants

LEVEL = 0.01
_STRETCH = 64  # steps in JAX between looks at the results


class Played(NamedTuple):
    """Finished episodes, one row each.

    Attributes:
      lengths: Steps, int (episodes,).
      returns: Sum of rewards, float (episodes,).
      unlocked: Whether each achievement was unlocked, bool (episodes, 22).
      steps: Steps taken, those of unfinished episodes included.
      dropped_objects: Objects that found no room.
    """

    lengths: np.ndarray
    returns: np.ndarray
    unlocked: np.ndarray
    steps: int
    dropped_objects: int


class Ledger:
    """Keeps the first episodes of every game.

    Args:
      games: Number of games.
      episodes: How many episodes of each to keep.
      label: For the progress bar.
    """

    def __init__(self, games: int, episodes: int, label: str):
        self._bar = tqdm(total=games * episodes, desc=label, unit="episode")
        self._left = np.full(games, episodes)
        self._length, self._return = np.zeros(games, int), np.zeros(games)
        self._rows: list[tuple[int, float, np.ndarray]] = []
        self.steps = 0
        self.dropped_objects = 0

    @property
    def full(self) -> bool:
        """Whether every game has played its episodes."""
        return not self._left.any()

    def add(self, reward: np.ndarray, done: np.ndarray, unlocked: np.ndarray) -> None:
        """Add a step of all games; `unlocked` is read where `done` is set."""
        self.steps += len(done)
        self._length += 1
        self._return += reward
        for game in np.flatnonzero(done & (self._left > 0)):
            row = self._length[game], self._return[game], unlocked[game].copy()
            self._rows.append(row)
            self._left[game] -= 1
            self._bar.update()
        self._length[done], self._return[done] = 0, 0

    def close(self) -> Played:
        """Return the episodes."""
        self._bar.close()
        lengths, returns, unlocked = map(np.array, zip(*self._rows))
        return Played(lengths, returns, unlocked, self.steps, self.dropped_objects)


def play_game(games: int, episodes: int, seed: int) -> Played:
    """Play at random in the batched engine on the CPU."""
    envs = gymnasium.make_vec(
        "CrafterReward-v1",
        num_envs=games,
        observation="compact",
        autoreset_mode="SameStep",
        info_keys=["achievements"],
        copy=False,
    )
    envs.reset(seed=seed)
    random, ledger = np.random.default_rng(seed), Ledger(games, episodes, "game")
    unlocked = np.zeros((games, len(constants.achievements)), bool)
    while not ledger.full:
        actions = random.integers(len(constants.actions), size=games)
        _, reward, terminated, truncated, infos = envs.step(actions)
        done = terminated | truncated
        if done.any():
            counts = infos["final_info"]["achievements"]
            for column, name in enumerate(constants.achievements):
                unlocked[:, column] = counts[name] > 0
        ledger.add(reward, done, unlocked)
    envs.close()
    return ledger.close()


def play_jax(games: int, episodes: int, seed: int) -> Played:
    """Play at random in JAX."""
    env = crafter_jax.make("Crafter-Compact-v1")
    step = jax.vmap(env.step)

    def one(state: crafter_jax.State, key: jax.Array) -> tuple[crafter_jax.State, dict]:
        act_key, step_key = jax.random.split(key)
        actions = jax.random.randint(act_key, (games,), 0, env.num_actions)
        keys = jax.random.split(step_key, games)
        _, state, reward, done, info = step(keys, state, actions)
        seen = {
            "reward": reward,
            "done": done,
            "dropped_objects": info["dropped_objects"],
        }
        for name in constants.achievements:
            seen[name] = info["counts"][name] > 0
        return state, seen

    @jax.jit
    def play(
        state: crafter_jax.State, key: jax.Array
    ) -> tuple[crafter_jax.State, dict]:
        return jax.lax.scan(one, state, jax.random.split(key, _STRETCH))

    key = jax.random.key(seed)
    _, state = jax.jit(jax.vmap(env.reset))(jax.random.split(key, games))
    ledger, number = Ledger(games, episodes, "JAX"), 0
    while not ledger.full:
        number += 1
        state, seen = jax.device_get(play(state, jax.random.fold_in(key, number)))
        unlocked = np.stack([seen[name] for name in constants.achievements], -1)
        ledger.dropped_objects += int(seen["dropped_objects"][seen["done"]].sum())
        for row in zip(seen["reward"], seen["done"], unlocked):
            ledger.add(*row)
    return ledger.close()


def compare(game: Played, ours: Played) -> bool:
    """Print both side by side; tell whether they agree."""
    pvalues = {}
    print(f"{'':24} {'game':>9} {'JAX':>9} {'p':>7}")
    columns = zip(constants.achievements, game.unlocked.T, ours.unlocked.T)
    for name, one, other in columns:
        table = [[rates.sum(), len(rates) - rates.sum()] for rates in (one, other)]
        pvalues[name] = stats.fisher_exact(np.array(table, int)).pvalue
        print(f"{name:24} {one.mean():9.3%} {other.mean():9.3%} {pvalues[name]:7.3f}")
    for name, one, other in (
        ("length", game.lengths, ours.lengths),
        ("return", game.returns.round(1), ours.returns.round(1)),
    ):
        pvalues[f"{name} (KS)"] = stats.ks_2samp(one, other).pvalue
        pvalues[f"{name} (MW)"] = stats.mannwhitneyu(one, other).pvalue
        for test in ("KS", "MW"):
            label = f"{name} ({test})"
            print(f"{label:24} {one.mean():9.3f} {other.mean():9.3f} "
                  f"{pvalues[label]:7.3f}")  # fmt: skip
    limit, least = LEVEL / len(pvalues), min(pvalues.values())
    print(f"{len(game.lengths):,} and {len(ours.lengths):,} episodes")
    dropped = ours.dropped_objects
    print(f"{game.steps:,} and {ours.steps:,} steps; {dropped} objects dropped")
    print(f"least p {least:.4f}, limit {limit:.5f}")
    return bool(least > limit and ours.dropped_objects == 0)


def main() -> None:
    """Run the program with the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--episodes", type=arguments.positive, default=100_000, help="of each")
    add("--games", type=arguments.positive, default=1000, help="side by side")
    add("--seed", type=int, default=0)
    args = parser.parse_args()
    each = -(-args.episodes // args.games)
    game = play_game(args.games, each, args.seed)
    ours = play_jax(args.games, each, args.seed)
    agree = compare(game, ours)
    print("They agree." if agree else "They differ.")
    sys.exit(not agree)


if __name__ == "__main__":
    main()

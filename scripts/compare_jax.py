"""Compares random play in JAX with random play of the game, 100,000 episodes of each.

    python scripts/compare_jax.py
    python scripts/compare_jax.py --episodes 2000 --games 100

tests/games/crafter/jax/test_parity.py compares the rules step by step with the same
random draws; this program compares the outcome of independent draws, world generation
and spawning included. The reference is the batched engine on the CPU, which matches the
single environment to the bit.

Every game of a batch plays the same number of episodes, so that long ones count as
much as short ones. Then each achievement is tested for equal rates: Fisher's exact
test, two-sided. Lengths and returns are tested for equal distributions: the
Kolmogorov-Smirnov and Mann-Whitney tests. Each test is made at a level of 1 % divided
by the number of tests (Bonferroni): if the games are the same, all pass with a
probability of at least 99 %. No object may have been dropped for lack of capacity.

Needs `pip install crafter[vector,jax,analysis]`.
"""

import sys
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from scipy import stats
from tqdm import tqdm

import crafter.games.crafter.jax as crafter_jax
from crafter.core.arguments import positive
from crafter.core.options import Table, make_parser
from crafter.games.crafter import constants

LEVEL = 0.01
OPTIONS: Table = {
    "episodes": (100_000, positive, "of each"),
    "games": (1000, positive, "side by side"),
    "seed": (0, int, "seed"),
}


class Played(NamedTuple):
    """Finished episodes, one row each.

    Attributes:
      lengths: Steps, int (episodes,).
      returns: Sum of rewards, float (episodes,).
      unlocked: Whether each achievement was unlocked, bool (episodes, 22).
      steps: Steps taken, including those of unfinished episodes.
      dropped_objects: Objects dropped for lack of capacity.
    """

    lengths: np.ndarray
    returns: np.ndarray
    unlocked: np.ndarray
    steps: int
    dropped_objects: int


def play(envs: Any, episodes: int, seed: int) -> Played:
    """Plays at random; keeps the first episodes of every game.

    Args:
      envs: Batch with same-step auto-reset.
      episodes: How many episodes to keep per game.
      seed: Seed of worlds and actions.
    """
    games = envs.num_envs
    envs.reset(seed=seed)
    random, left = np.random.default_rng(seed), np.full(games, episodes)
    length, total = np.zeros(games, int), np.zeros(games)
    rows: list[tuple[int, float, np.ndarray]] = []
    steps = dropped = 0
    with tqdm(total=games * episodes, unit="episode") as bar:
        while left.any():
            actions = random.integers(len(constants.actions), size=games)
            _, reward, terminated, truncated, infos = envs.step(actions)
            steps, length, total = steps + games, length + 1, total + reward
            done = terminated | truncated
            if not done.any():
                continue
            unlocked = unlocked_in(infos)
            dropped += int(infos.get("dropped_objects", np.zeros(games))[done].sum())
            for game in np.flatnonzero(done & (left > 0)):
                rows.append((length[game], total[game], unlocked[game]))
                left[game] -= 1
                bar.update()
            length[done], total[done] = 0, 0
    envs.close()
    lengths, returns, flags = map(np.array, zip(*rows))
    return Played(lengths, returns, flags, steps, dropped)


def unlocked_in(infos: dict[str, Any]) -> np.ndarray:
    """Returns the achievements unlocked in ending episodes, bool (games, 22)."""
    if "final_info" not in infos:
        return np.asarray(infos["achievements"]) > 0
    counts = infos["final_info"]["achievements"]
    return np.stack([counts[name] > 0 for name in constants.achievements], -1)


def compare(game: Played, ours: Played) -> bool:
    """Prints both side by side; returns whether they agree."""
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
    """Runs the command line program."""
    args = make_parser(__doc__, OPTIONS).parse_args()
    each = -(-args.episodes // args.games)
    batch = gymnasium.make_vec(
        "CrafterReward-v1",
        num_envs=args.games,
        observation="compact",
        autoreset_mode="SameStep",
        info_keys=["achievements"],
        copy=False,
    )
    game = play(batch, each, args.seed)
    ours = play(
        crafter_jax.VectorEnv("Crafter-Compact-v1", args.games), each, args.seed
    )
    agree = compare(game, ours)
    print("They agree." if agree else "They differ.")
    sys.exit(not agree)


if __name__ == "__main__":
    main()

"""Train on levels worth learning in: prioritized level replay, and ACCEL.

    python scripts/train_plr_jax.py --game crafter
    python scripts/train_plr_jax.py --game craftax --mutate swap

In each round all games play levels of one kind: `new` ones, drawn at random; or levels
of a `replay` from the buffer, better scored and longer unplayed ones more often. With
`--mutate` each replay is followed by a round in `changed` copies of its levels. The
score of a level is the mean of the positive advantages in it: how much better than
expected the agent did there. The levels with the highest scores are kept. The agent
learns from replayed levels only; `--learn-from-new` lets it learn from all.

Writes `curve.csv` with a line per round: steps, kind of the levels, return per game and
round, mean score; and at the end `weights.npz`. Returns in new levels show what was
learned for levels that were never played.

Needs the extra 'jax'. The network and the loss are those of train_ppo_jax.py.

Source: Jiang et al. 2021, "Prioritized Level Replay" and "Replay-Guided Adversarial
Environment Design"; Parker-Holder et al. 2022, "Evolving Curricula with Regret-Based
Environment Design".
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from baselines import networks, options, ppo
from tqdm import tqdm

import crafter.games.craftax.jax as craftax_jax
import crafter.games.crafter.jax as crafter_jax
from crafter.core.arguments import positive, positive_number, share
from crafter.core.options import Table, make_parser
from crafter.functional.wrappers import AutoResetEnvWrapper, Wrapper

LEVELS = {"crafter": crafter_jax.levels, "craftax": craftax_jax.levels}
MUTATIONS = ("noise", "swap")
NETWORK = networks.KINDS["mlp"]
NEW, REPLAY, CHANGED = "new", "replay", "changed"


class OneLevel(Wrapper):
    """An environment in which all episodes begin in one level, given as parameters."""

    def reset(self, key: jax.Array, level: Any) -> tuple[Any, Any]:
        """Start an episode in the level."""
        return self.env.reset_to_level(key, level)

    def step(self, key: jax.Array, state: Any, action: jax.Array, level: Any) -> Any:
        """Play one step."""
        return self.env.step(key, state, action)


class Buffer(NamedTuple):
    """Levels that are worth playing again.

    Attributes:
        levels: Levels, with a leading axis.
        scores: Their scores; minus infinity for places without a level.
        played: Number of the round in which they were last played, int32.
    """

    levels: Any
    scores: jax.Array
    played: jax.Array


def insert(buffer: Buffer, levels: Any, scores: jax.Array, now: jax.Array) -> Buffer:
    """Return the buffer in which levels have replaced those with lower scores."""
    count = min(len(scores), len(buffer.scores))
    best, worst = jnp.argsort(-scores)[:count], jnp.argsort(buffer.scores)[:count]
    better = scores[best] > buffer.scores[worst]
    places = jnp.where(better, worst, len(buffer.scores))  # Beyond the end: dropped.
    new = Buffer(levels, scores, jnp.full(len(scores), now, jnp.int32))
    inserted: Buffer = jax.tree.map(
        lambda old, some: old.at[places].set(some[best], mode="drop"), buffer, new
    )
    return inserted


def chances(args: Any, buffer: Buffer, now: jax.Array) -> jax.Array:
    """Return the probability of each place to be replayed."""
    filled = buffer.scores > -jnp.inf
    ranks = 1 + jnp.argsort(jnp.argsort(-buffer.scores))
    by_score = jnp.where(filled, (1.0 / ranks) ** (1.0 / args.temperature), 0.0)
    by_age = jnp.where(filled, now - buffer.played, 0).astype(jnp.float32)
    by_age = jnp.where(by_age.any(), by_age, by_score)
    shares = (1 - args.staleness) * by_score / by_score.sum()
    return shares + args.staleness * by_age / by_age.sum()


def play(
    env: Any, args: Any, net: Any, levels: Any, key: jax.Array
) -> tuple[ppo.Batch, jax.Array]:
    """Play a round of every game in its level; return it with its advantages."""
    start_key, play_key = jax.random.split(key)
    obs, games = jax.vmap(env.reset)(jax.random.split(start_key, args.envs), levels)
    no_memory = jnp.zeros((args.envs, 0))

    def step(carry: Any, key: jax.Array) -> tuple[Any, ppo.Batch]:
        games, obs, fresh = carry
        act_key, step_key = jax.random.split(key)
        _, logits, value = NETWORK.look(net, no_memory, obs, fresh)
        action, log_prob = ppo.choose(act_key, logits)
        keys = jax.random.split(step_key, args.envs)
        seen, games, reward, done, _ = jax.vmap(env.step)(keys, games, action, levels)
        batch = ppo.Batch(
            obs, (), fresh, action, log_prob, value, reward[:, None], done
        )
        return (games, seen, done), batch

    carry = games, obs, jnp.ones(args.envs, bool)
    keys = jax.random.split(play_key, args.rollout)
    (_, obs, fresh), batch = jax.lax.scan(step, carry, keys)
    *_, last = NETWORK.look(net, no_memory, obs, fresh)
    done = batch.done[..., None]
    advantage = ppo.advantages(batch, done, last, args.discount, args.trace)
    return batch._replace(memory=no_memory[None]), advantage


def loss(args: Any, net: Any, part: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Return the loss of a part of what was played, and parts of it."""
    batch, advantage = part
    _, *found = NETWORK.follow(net, batch.memory[0], batch.obs, batch.fresh)
    return ppo.loss_of(*found, args, batch, advantage, jnp.ones(1))


class Rounds:
    """The compiled parts of a round.

    Args:
        args: The command line.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        name = f"{args.game.capitalize()}-Symbolic-v1"
        env = crafter_jax.make(name, auto_reset=False)
        self.env, self.optimizer = env, ppo.make_optimizer(args)
        self._played = AutoResetEnvWrapper(OneLevel(env))
        self.sample = jax.jit(self._sample)
        self.choose = jax.jit(self._choose)
        self.mutate = jax.jit(self._mutate)
        self.play = jax.jit(self._play, static_argnames="learns", donate_argnums=0)
        self.insert = jax.jit(insert, donate_argnums=0)

    def begin(self, key: jax.Array) -> tuple[Any, Any]:
        """Return the weights of the agent and the state of the optimizer."""
        shape = self.env.observation_space().shape
        actions, width = self.env.num_actions, self._args.width
        net = NETWORK.init(key, shape, actions, width)
        return net, self.optimizer.init(net)

    def empty_buffer(self) -> Buffer:
        """Return a buffer without levels."""
        level = jax.eval_shape(self.env.sample_level, jax.random.key(0))
        size = self._args.buffer
        levels = jax.tree.map(lambda x: jnp.zeros((size, *x.shape), x.dtype), level)
        return Buffer(levels, jnp.full(size, -jnp.inf), jnp.zeros(size, jnp.int32))

    def _sample(self, key: jax.Array) -> Any:
        return jax.vmap(self.env.sample_level)(jax.random.split(key, self._args.envs))

    def _choose(
        self, buffer: Buffer, key: jax.Array, now: jax.Array
    ) -> tuple[jax.Array, Any]:
        weights, shape = chances(self._args, buffer, now), (self._args.envs,)
        places = jax.random.choice(key, len(buffer.scores), shape, p=weights)
        return places, jax.tree.map(lambda leaf: leaf[places], buffer.levels)

    def _mutate(self, key: jax.Array, levels: Any) -> Any:
        mutation = getattr(LEVELS[self._args.game], f"mutate_{self._args.mutate}")
        keys = jax.random.split(key, self._args.envs)
        return jax.vmap(functools.partial(mutation, self.env.config))(keys, levels)

    def _play(
        self, learned: tuple[Any, Any], levels: Any, key: jax.Array, learns: bool
    ) -> tuple[tuple[Any, Any], jax.Array, jax.Array]:
        """Returns what was learned, the scores of the levels, and returns."""
        args = self._args
        play_key, learn_key = jax.random.split(key)
        batch, advantage = play(self._played, args, learned[0], levels, play_key)
        if learns:
            objective = functools.partial(loss, args)
            rows = batch, advantage
            learned, _ = ppo.learn(
                args, self.optimizer, objective, learned, rows, learn_key
            )
        scores = jnp.maximum(advantage[..., 0], 0).mean(0)
        return learned, scores, batch.reward[..., 0].sum(0)


def kinds(args: argparse.Namespace, random: np.random.Generator) -> Any:
    """Yield the kind of levels of each round; the first one is new."""
    yield NEW
    while True:
        if random.random() >= args.replay:
            yield NEW
            continue
        yield REPLAY
        if args.mutate:
            yield CHANGED


def train(args: argparse.Namespace) -> None:
    """Train, and write the curve and the weights."""
    args.outdir.mkdir(parents=True, exist_ok=True)
    rounds, key = Rounds(args), jax.random.key(args.seed)
    learned, buffer = rounds.begin(jax.random.fold_in(key, 0)), rounds.empty_buffer()
    number = -(-args.steps // (args.envs * args.rollout))
    order = kinds(args, np.random.default_rng(args.seed))
    levels: Any = None
    with (args.outdir / "curve.csv").open("w") as curve:
        for now in tqdm(range(1, number + 1), unit="round"):
            kind = next(order)
            level_key, play_key = jax.random.split(jax.random.fold_in(key, now))
            if kind == NEW:
                levels = rounds.sample(level_key)
            elif kind == REPLAY:
                places, levels = rounds.choose(buffer, level_key, now)
            else:
                levels = rounds.mutate(level_key, levels)
            learns = kind == REPLAY or args.learn_from_new
            learned, scores, returns = rounds.play(
                learned, levels, play_key, learns=learns
            )
            if kind == REPLAY:
                buffer = buffer._replace(
                    scores=buffer.scores.at[places].set(scores),
                    played=buffer.played.at[places].set(now),
                )
            else:
                buffer = rounds.insert(buffer, levels, scores, now)
            steps = now * args.envs * args.rollout
            curve.write(f"{steps},{kind},{returns.mean():.4f},{scores.mean():.4f}\n")
            curve.flush()
    leaves = jax.device_get(jax.tree.leaves_with_path(learned[0]))
    weights = {jax.tree_util.keystr(path): leaf for path, leaf in leaves}
    np.savez(args.outdir / "weights.npz", **weights)


OPTIONS: Table = {
    "outdir": (Path("runs/plr_jax"), Path, "folder"),
    "buffer": (1024, positive, "levels that are kept"),
    "replay": (0.5, share, "chance of a replay"),
    "temperature": (0.3, positive_number, "the lower, the more the best levels count"),
    "staleness": (0.3, share, "share of the age in chances"),
    "mutate": (None, MUTATIONS, "also play changed levels (ACCEL)"),
    "learn-from-new": (False, None, "learn from all levels"),
}


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = make_parser(__doc__, OPTIONS, options.LEARNING)
    args = parser.parse_args()
    options.check_learning(parser, args)
    return args


if __name__ == "__main__":
    train(parse_arguments())

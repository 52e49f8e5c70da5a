"""Trains one agent on all achievements as tasks, with PPO.

    python scripts/train_ppo_tasks.py --steps 1000000 --logdir ~/logdir/tasks
    python scripts/train_ppo_tasks.py --steps 3000000 --logdir ~/logdir/tasks \
        --games simple=6,medium=4,hard=2
    crafter-tasks run --suite achievements --agent ppo:~/logdir/tasks/policy.npz \
        --out ~/logdir/tasks/achievements

Every task has vector environments of its own, side by side, one per level, whose
compiled monitors say when it is done; --games says how many games each has. The network
of `crafter.games.crafter.players.policies` sees what is in view and which achievement
is asked for. The reward is 1 for the task, and --aux times that of the game, which
knows of health and of achievements on the way. An end is an end, also that of the
budget.

The same command goes on where it was stopped, and may then have other games, scenes and
--aux, and more steps: that is how levels are mixed, simple ones first. What was written
after the checkpoint, before the program was killed, moves to progress-dropped.jsonl and
success-dropped.jsonl. The folder gets:

- policy.npz, the policy, small enough to pass on;
- checkpoint.npz, all weights and the state of the optimizer;
- progress.jsonl, a line per update: success by level, return and speed;
- success.jsonl, attempts and successes by task and level since the line before.

Needs `pip install crafter[jax,vector]`. Source: Schulman et al. 2017, "Proximal Policy
Optimization Algorithms".
"""

from __future__ import annotations

import argparse
import collections
import pathlib
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from baselines import games as trees
from baselines import ppo
from gymnasium.vector import AutoresetMode
from training.run import Run, TrainingError

from crafter.core.arguments import not_negative, not_negative_number, positive
from crafter.core.options import REQUIRED, Table, exit_on, make_parser
from crafter.games.crafter import observations, sprites
from crafter.games.crafter.players import policies
from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.batched.env import TaskVectorEnv
from crafter.games.crafter.views import split_view
from crafter.tasks.catalogue.files import levels

ACHIEVEMENTS = list(default().achievements)
CELL, WIDTH, HIDDEN = 8, 256, 128  # features of a cell, of the view, and of a head
# Settings of PPO that are no options.
SETTINGS = {
    "clip": 0.2,
    "max_norm": 0.5,
    "discount": 0.99,
    "trace": 0.95,
    "anneal_steps": 0,
}
GROWING = ("progress.jsonl", "success.jsonl")  # files that grow
# Options that may change while training, besides its length.
FREE = ("logdir", "steps", "save_every", "games", "scenes", "aux")


Tally = collections.Counter[tuple[str, str, str]]


class Lane(NamedTuple):
    """The games of one task and level."""

    task: str
    level: str
    envs: TaskVectorEnv


OPTIONS: Table = {
    "logdir": (None, {"type": pathlib.Path, **REQUIRED}, "folder for all files"),
    "steps": (1_000_000, positive, "of all games together, those before included"),
    "scenes": (64, positive, "scenes of the split train per task and level"),
    "rollout": (64, positive, "steps of every game between two updates"),
    "epochs": (3, positive, "how often an update goes over its steps"),
    "minibatches": (8, positive, "parts into which an update cuts them"),
    "save-every": (10, positive, "updates between two checkpoints"),
    "games": ("simple=12", str, "per task by level, as in simple=6,medium=4,hard=2"),
    "tasks": (ACHIEVEMENTS, {"nargs": "+", "choices": ACHIEVEMENTS}, "achievements"),
    "seed": (0, not_negative, "seed"),
    "rate": (5e-4, not_negative_number, "learning rate"),
    "entropy": (0.01, not_negative_number, "weight of the entropy"),
    "aux": (0.1, not_negative_number, "weight of the game's reward"),
}


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    parser.set_defaults(**SETTINGS)
    args = parser.parse_args(argv)
    args.logdir = args.logdir.expanduser()
    try:
        games = games_of(args.games)
    except ValueError as error:
        parser.error(str(error))
    steps = args.rollout * len(args.tasks) * sum(games.values())
    if args.minibatches > steps:
        parser.error(
            f"--minibatches must be at most {steps}, the steps of all games between "
            f"two updates, not {args.minibatches}."
        )
    lanes = make_lanes(args.tasks, games, args.scenes)
    with (
        exit_on(parser, TrainingError, OSError),
        Run(args.logdir, vars(args), FREE, GROWING) as run,
    ):
        train(run, args, lanes)


def games_of(text: str) -> dict[str, int]:
    """Return the number of games per level.

    Raises:
      ValueError: If the text does not say it.

    Example:
      >>> games_of("simple=6,hard=2")
      {'simple': 6, 'hard': 2}
    """
    found = {}
    for part in text.split(","):
        level, _, number = part.partition("=")
        if level not in levels() or not number.isdigit() or not int(number):
            raise ValueError(
                f"--games must be such as simple=6,hard=2 with levels of "
                f"{levels()}, got {text!r}."
            )
        found[level] = int(number)
    return found


# Games.


def make_lanes(tasks: list[str], games: Mapping[str, int], scenes: int) -> list[Lane]:
    """Return the environments of all tasks and levels."""
    options: dict[str, Any] = {
        "scenes": scenes,
        "observation": "compact",
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "info_keys": ["reward"],
        "threads": 1,
    }
    return [
        Lane(task, level, TaskVectorEnv(count, task, level, **options))
        for task in tasks
        for level, count in games.items()
    ]


class Games:
    """All games of all tasks, as if they were one batch.

    Args:
      lanes: The environments.
      seed: Of the choice of scenes.
      aux: Weight of the game's own reward.

    Attributes:
      goals: Goals as the policy sees them, float32 (games, achievements).
      obs: What is seen, uint8 (games, n).
      fresh: Whether attempts have just begun, bool (games,).
      tally: (Task, level, `attempts` or `done`) -> how many, since it was cleared.
    """

    def __init__(self, lanes: list[Lane], seed: int, aux: float) -> None:
        self._lanes, self._aux = lanes, aux
        counts = [lane.envs.num_envs for lane in lanes]
        goals = [policies.weighed([lane.task], ACHIEVEMENTS) for lane in lanes]
        self.goals = np.repeat(goals, counts, axis=0)
        generator = np.random.default_rng(seed)
        seeds = [generator.integers(2**31, size=count).tolist() for count in counts]
        starts = [lane.envs.reset(seed=own)[0] for lane, own in zip(lanes, seeds)]
        self.obs = np.concatenate(starts)
        self.fresh = np.ones(len(self.obs), bool)
        self._ends = np.cumsum(counts)
        self.tally: Tally = collections.Counter()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play a step; return rewards, float32, and which attempts ended, bool."""
        rewards, over = [], []
        for lane, end in zip(self._lanes, self._ends):
            begin = end - lane.envs.num_envs
            obs, done, terminated, truncated, infos = lane.envs.step(actions[begin:end])
            self.obs[begin:end] = obs
            ended = terminated | truncated
            game = np.array(infos["reward"], np.float64)
            if ended.any():
                # The infos are those of the next attempts already.
                game[ended] = infos["final_info"]["reward"][ended]
                self.tally[lane.task, lane.level, "attempts"] += int(ended.sum())
                self.tally[lane.task, lane.level, "done"] += int(done.sum())
            rewards.append(done + self._aux * game)
            over.append(ended)
        self.fresh = np.concatenate(over)
        return np.concatenate(rewards).astype(np.float32), self.fresh


# The network.


def make_weights(key: jax.Array) -> dict[str, Any]:
    """Return new weights for the network of `policies`."""
    rules = default()
    (columns, rows), _ = split_view((9, 9), len(rules.items))
    own = len(rules.items) + len(sprites.FACINGS) + 2
    keys = iter(jax.random.split(key, 12))
    orthogonal = jax.nn.initializers.orthogonal
    root = float(np.sqrt(2))
    net = {
        "material": jax.random.normal(next(keys), (len(rules.materials) + 1, CELL)),
        "object": jax.random.normal(
            next(keys), (max(observations.CODES.values()) + 1, CELL)
        ),
        "cells": orthogonal(root)(next(keys), (columns * rows * CELL, WIDTH)) * 0.5,
        "own": orthogonal(root)(next(keys), (own, WIDTH)),
        "bias": jnp.zeros(WIDTH),
        "scale": jax.random.normal(next(keys), (len(rules.achievements), WIDTH)) * 0.5,
        "shift": jax.random.normal(next(keys), (len(rules.achievements), WIDTH)) * 0.5,
    }
    for name, outputs, scale in (("actor", len(rules.actions), 0.01), ("critic", 1, 1)):
        net[f"{name}_hidden"] = orthogonal(root)(next(keys), (WIDTH, HIDDEN))
        net[f"{name}_hidden_bias"] = jnp.zeros(HIDDEN)
        net[name] = orthogonal(scale)(next(keys), (HIDDEN, outputs))
        net[f"{name}_bias"] = jnp.zeros(outputs)
    return net


def judged(net: Any, obs: Any, goal: Any) -> tuple[jax.Array, jax.Array]:
    """Return log-probabilities of the actions, and values, (..., 1)."""
    x = policies.features(net, obs, goal, jnp)
    logits = jax.nn.log_softmax(policies.head(net, "actor", x, jnp))
    return logits, policies.head(net, "critic", x, jnp)


@jax.jit
def choose(net: Any, obs: Any, goal: Any, key: jax.Array) -> tuple[Any, Any, Any]:
    """Return actions, their log-probabilities, and values."""
    logits, value = judged(net, obs, goal)
    return *ppo.choose(key, logits), value


# Training.


def play(net: Any, games: Games, length: int, key: jax.Array) -> tuple[ppo.Batch, Any]:
    """Return what happened in some steps, and the values after them.

    What was seen is a pair: the observations and the goals.
    """
    rows = []
    for own in jax.random.split(key, length):
        obs, fresh = games.obs.copy(), games.fresh
        action, log_prob, value = map(np.asarray, choose(net, obs, games.goals, own))
        reward, done = games.step(action)
        rows.append((obs, fresh, action, log_prob, value, reward[:, None], done))
    last = np.asarray(choose(net, games.obs, games.goals, key)[2])
    parts: list[Any] = [np.stack(part) for part in zip(*rows)]
    obs, *others = parts
    goals = np.broadcast_to(games.goals, (length, *games.goals.shape))
    return ppo.Batch((obs, goals), (), *others), last


def make_update(args: argparse.Namespace, optimizer: Any) -> Any:
    """Return the compiled function that learns from what was played.

    It takes weights and the state of the optimizer, the batch, the values after it and
    a key, and returns the first two as they are then.
    """

    def objective(net: Any, part: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
        batch, advantage = part
        found = judged(net, *batch.obs)
        return ppo.loss_of(*found, args, batch, advantage, jnp.ones(1))

    def update(learned: Any, batch: ppo.Batch, last: Any, key: jax.Array) -> Any:
        done = batch.done[..., None]
        advantage = ppo.advantages(batch, done, last, args.discount, args.trace)
        # Without a memory, every step can be learned from by itself.
        steps = jax.tree.map(
            lambda leaf: leaf.reshape(1, -1, *leaf.shape[2:]), (batch, advantage)
        )
        return ppo.learn(args, optimizer, objective, learned, steps, key)[0]

    return jax.jit(update, donate_argnums=0)


def train(run: Run, args: argparse.Namespace, lanes: list[Lane]) -> None:
    """Play and learn up to the number of steps, from the checkpoint if there is one.

    Raises:
      TrainingError: If the folder holds another training, or what is no training.
    """
    optimizer = ppo.make_optimizer(args)
    net = make_weights(jax.random.key(args.seed))
    steps, learned = begin(run, (net, optimizer.init(net)))
    if steps >= args.steps:
        print(f"Nothing to train: {steps} steps are done.")
        return
    update = make_update(args, optimizer)
    key = jax.random.fold_in(jax.random.key(args.seed), steps)
    generator = np.random.default_rng([args.seed, steps])
    games = Games(lanes, int(generator.integers(2**31)), args.aux)
    begun, first, updates = time.time(), steps, 0
    counts: Tally = collections.Counter()  # since the last checkpoint
    while steps < args.steps:
        key, play_key, learn_key = jax.random.split(key, 3)
        batch, last = play(learned[0], games, args.rollout, play_key)
        learned = update(learned, batch, last, learn_key)
        steps += batch.done.size
        updates += 1
        line = {"steps": steps, "success": by_level(games.tally)}
        line["steps_per_second"] = round((steps - first) / (time.time() - begun))
        line["reward"] = round(float(batch.reward.mean()), 5)
        run.append("progress.jsonl", line)
        counts += games.tally
        games.tally.clear()
        if updates % args.save_every == 0 or steps >= args.steps:
            for task, level in dict.fromkeys(key[:2] for key in counts):
                row = {what: counts[task, level, what] for what in ("attempts", "done")}
                names = {"steps": steps, "task": task, "level": level}
                run.append("success.jsonl", names | row)
            counts.clear()
            policies.save(args.logdir / "policy.npz", learned[0])
            save(run, steps, learned)


def begin(run: Run, learned: Any) -> tuple[int, Any]:
    """Return where training stands: the steps, and what is learned.

    Args:
      run: The training.
      learned: What is learned at the beginning.
    """
    found = run.load()
    if found is None:
        save(run, 0, learned)
        return 0, learned
    return int(found["steps"]), trees.unpacked("leaf", found, learned)


def save(run: Run, steps: int, learned: Any) -> None:
    """Write the checkpoint; a crash leaves the old one."""
    run.save({"steps": steps, **trees.packed("leaf", learned)})


def by_level(tally: Tally) -> dict[str, float]:
    """Return the share of the attempts that were done, by level."""
    sums: collections.Counter[tuple[str, str]] = collections.Counter()
    for (_, level, what), count in tally.items():
        sums[level, what] += count
    levels = dict.fromkeys(level for level, _ in sums)
    return {x: round(sums[x, "done"] / sums[x, "attempts"], 4) for x in levels}


if __name__ == "__main__":
    main()

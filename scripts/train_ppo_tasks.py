"""Trains one agent on many tasks with PPO.

    python scripts/train_ppo_tasks.py --steps 1000000 --logdir ~/logdir/tasks
    python scripts/train_ppo_tasks.py --steps 3000000 --logdir ~/logdir/tasks \
        --games simple=6,medium=6 --lanes 16
    crafter-tasks run --suite achievements --agent trained:~/logdir/tasks/policy.npz \
        --out ~/logdir/tasks/achievements

Each task and level has its own vector environment, whose compiled monitors detect when
the task is done; --games sets the number of games in each. With --lanes, only that many
of them play until the next update, resampled each time in favour of tasks that succeed
only sometimes. The agent is a GRU that observes the local view, conditioned by --told
on `nothing`, on the `sentence` of the instruction in a training wording, or on the goal
as a `tree`. The reward is 1 for the task, plus --aux times the game's reward for health
and achievements. Episodes that exceed the step budget count as terminated.

The same command resumes an interrupted training, and may then change games, lanes,
scenes and --aux, and raise the steps, for curricula that begin with simple levels. What
was logged after the checkpoint, before the program was killed, moves to
progress-dropped.jsonl and success-dropped.jsonl. The folder gets:

- policy.npz, the agent, small enough to share;
- checkpoint.npz, all weights and the optimizer state;
- progress.jsonl, a line per update: success by level, return and speed;
- success.jsonl, attempts and successes by task and level since the last checkpoint.

Needs `pip install crafter[jax,vector]`. Source: Schulman et al. 2017, "Proximal Policy
Optimization Algorithms".
"""

import argparse
import collections
import pathlib
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from baselines import conditioning as frame
from baselines import ppo
from gymnasium.vector import AutoresetMode
from training.run import Run, TrainingError

from crafter.core.arguments import not_negative, not_negative_number, positive
from crafter.core.options import REQUIRED, Table, exit_on, make_parser
from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.batched.env import TaskVectorEnv
from crafter.tasks.catalogue.files import levels
from crafter.tasks.catalogue.tasks import all_tasks

ACHIEVEMENTS = list(default().achievements)
TASKS = {"nargs": "+", "choices": [*all_tasks()], "metavar": "TASK"}
#: Added to the sampling weight of every lane, and step size of its success average.
LEAST, FORGOTTEN = 0.05, 0.05
# Fixed settings of PPO.
SETTINGS = {
    "clip": 0.2,
    "value": 1.0,
    "max_norm": 0.5,
    "discount": 0.99,
    "trace": 0.95,
    "anneal_steps": 0,
}
GROWING = ("progress.jsonl", "success.jsonl")  # logs
# Options that may change when resuming.
FREE = ("logdir", "steps", "save_every", "games", "lanes", "scenes", "aux")


Tally = collections.Counter[tuple[str, str, str]]

OPTIONS: Table = {
    "logdir": (None, {"type": pathlib.Path, **REQUIRED}, "folder for all files"),
    "steps": (1_000_000, positive, "total steps of all games, including resumed ones"),
    "scenes": (64, positive, "scenes of the split train per task and level"),
    "rollout": (64, positive, "steps per game between updates"),
    "epochs": (3, positive, "epochs per update"),
    "minibatches": (8, positive, "minibatches per epoch"),
    "save-every": (10, positive, "updates between checkpoints"),
    "games": ("simple=12", str, "games per task by level: simple=6,medium=4,hard=2"),
    "lanes": (
        None,
        positive,
        "pairs of task and level that play at once (default: all)",
    ),
    "tasks": (ACHIEVEMENTS, TASKS, "catalogue tasks that batches support"),
    "told": ("sentence", ("nothing", "sentence", "tree"), "task input of the agent"),
    "width": (160, positive, "of hidden layers"),
    "seed": (0, not_negative, "seed"),
    "rate": (5e-4, not_negative_number, "learning rate"),
    "entropy": (0.01, not_negative_number, "weight of the entropy bonus"),
    "aux": (0.1, not_negative_number, "weight of the game's reward"),
}


def main(argv: list[str] | None = None) -> None:
    """Run the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    parser.set_defaults(**SETTINGS)
    args = parser.parse_args(argv)
    args.logdir = args.logdir.expanduser()
    try:
        games = games_of(args.games)
    except ValueError as error:
        parser.error(str(error))
    every = len(args.tasks) * len(games)
    if args.lanes and (args.lanes > every or len(set(games.values())) > 1):
        parser.error(
            f"--lanes must be at most {every}, with the same number of games on every "
            f"level, got {args.lanes} and {args.games}."
        )
    count = len(args.tasks) * sum(games.values())
    count = args.lanes * count // every if args.lanes else count
    if args.minibatches > count:
        parser.error(
            f"--minibatches must be at most {count}, the number of games that play at "
            f"once, got {args.minibatches}."
        )
    with exit_on(parser, TrainingError, OSError, ValueError):
        lanes = [
            Lane(task, level, number, args)
            for task in args.tasks
            for level, number in games.items()
        ]
    with (
        exit_on(parser, TrainingError, OSError),
        Run(args.logdir, vars(args), FREE, GROWING) as run,
    ):
        train(run, args, lanes)


def games_of(text: str) -> dict[str, int]:
    """Return the number of games per level.

    Raises:
      ValueError: If the text is malformed.

    Example:
      >>> games_of("simple=6,hard=2")
      {'simple': 6, 'hard': 2}
    """
    counts = {}
    for part in text.split(","):
        level, _, number = part.partition("=")
        if level not in levels() or not number.isdigit() or not int(number):
            raise ValueError(
                f"--games must look like simple=6,hard=2 with levels of {levels()}, "
                f"got {text!r}."
            )
        counts[level] = int(number)
    return counts


# Environments.


class Lane:
    """The games of one task and level.

    Args:
      task: The task.
      level: The level.
      count: Number of games.
      args: Command line arguments.

    Attributes:
      task: The task.
      level: The level.
      obs: Observations of kind `compact`, uint8 (games, n).
      words: Task conditioning, float32 (games, SIZE).
      fresh: Whether an episode has just begun, bool (games,).
      memory: Recurrent state of the agent, (games, width).
      success: Running success rate of recent episodes; initially one half.
    """

    def __init__(self, task: str, level: str, count: int, args: Any) -> None:
        self.task, self.level, self._aux = task, level, args.aux
        self._envs = TaskVectorEnv(
            count,
            task,
            level,
            scenes=args.scenes,
            observation="compact",
            autoreset_mode=AutoresetMode.SAME_STEP,
            info_keys=["reward"],
            threads=1,
        )
        self._encodings = frame.said_of(task, args.told)
        self.memory = np.zeros((count, args.width), np.float32)
        self.success = 0.5

    def begin(self, generator: np.random.Generator) -> None:
        """Resets all games."""
        self._random = generator
        count = len(self.memory)
        self.obs, _ = self._envs.reset(
            seed=generator.integers(2**31, size=count).tolist()
        )
        self.fresh = np.ones(count, bool)
        self.words = self._encodings[
            generator.integers(len(self._encodings), size=count)
        ]

    def step(self, actions: np.ndarray, tally: Tally) -> np.ndarray:
        """Takes a step, counts finished episodes, and returns rewards (games,)."""
        obs, done, terminated, truncated, infos = self._envs.step(actions)
        self.obs = obs.copy()
        self.fresh = ended = terminated | truncated
        game = np.array(infos["reward"], np.float64)
        if ended.any():
            # The infos already belong to the next episodes.
            game[ended] = infos["final_info"]["reward"][ended]
            tally[self.task, self.level, "attempts"] += int(ended.sum())
            tally[self.task, self.level, "done"] += int(done.sum())
            for one in done[ended]:
                self.success += FORGOTTEN * (float(one > 0) - self.success)
            drawn = self._random.integers(len(self._encodings), size=int(ended.sum()))
            self.words = self.words.copy()
            self.words[ended] = self._encodings[drawn]
        return (done + self._aux * game).astype(np.float32)


class Games:
    """The games of the active lanes as one batch.

    Args:
      lanes: All lanes.
      seed: Seed of the choice of scenes, wordings and lanes.
      count: Number of active lanes; `None` for all.

    Attributes:
      playing: The active lanes.
      tally: (Task, level, `attempts` or `done`) -> count since it was cleared.
    """

    def __init__(self, lanes: list[Lane], seed: int, count: int | None) -> None:
        self._lanes, self._count = lanes, count
        self._random = np.random.default_rng(seed)
        for lane in lanes:
            lane.begin(self._random)
        self.playing = lanes
        self.tally: Tally = collections.Counter()

    def draw(self) -> None:
        """Samples the active lanes, weighted by the variance of their success."""
        if self._count is not None:
            rates = np.array([lane.success for lane in self._lanes])
            chances = rates * (1 - rates) + LEAST
            which = self._random.choice(
                len(rates), self._count, replace=False, p=chances / chances.sum()
            )
            self.playing = [self._lanes[number] for number in sorted(which)]

    def now(self, name: str) -> np.ndarray:
        """Returns an attribute of the active lanes, concatenated over games."""
        return np.concatenate([getattr(lane, name) for lane in self.playing])

    def parts(self, rows: np.ndarray) -> list[np.ndarray]:
        """Splits rows of all games by lane."""
        ends = np.cumsum([len(lane.memory) for lane in self.playing])
        return np.split(rows, ends[:-1])

    def step(self, actions: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """Takes a step; returns rewards, float32 (games,)."""
        rewards = []
        parts = zip(self.playing, self.parts(actions), self.parts(memory))
        for lane, own, lane_memory in parts:
            lane.memory = lane_memory
            rewards.append(lane.step(own, self.tally))
        return np.concatenate(rewards)


# Training.


@jax.jit
def choose(net: Any, memory: Any, obs: Any, words: Any, fresh: Any, key: Any) -> Any:
    """Returns memory, sampled actions, their log-probabilities, and values."""
    x = frame.inputs(obs, words)
    memory, logits, value = frame.NETWORK.look(net, memory, x, fresh)
    return memory, *ppo.choose(key, logits), value


def play(net: Any, games: Games, length: int, key: jax.Array) -> tuple[ppo.Batch, Any]:
    """Collects a rollout; returns it and the values after it.

    Its observations are pairs of game observation and task conditioning.
    """
    games.draw()
    rows: list[Any] = []
    begin = games.now("memory")[None]
    for own in jax.random.split(key, length):
        seen = [games.now(name) for name in ("memory", "obs", "words", "fresh")]
        memory, *acted = map(np.asarray, choose(net, *seen, own))
        reward = games.step(acted[0], memory)
        rows.append((*seen[1:], *acted, reward[:, None], games.now("fresh")))
    seen = [games.now(name) for name in ("memory", "obs", "words", "fresh")]
    last = np.asarray(choose(net, *seen, key)[-1])
    parts: list[Any] = [np.stack(part) for part in zip(*rows)]
    obs, words, *others = parts
    return ppo.Batch((obs, words), begin, *others), last


def make_update(args: argparse.Namespace, optimizer: Any) -> Any:
    """Returns the compiled function that learns from a rollout.

    It takes (weights, optimizer state), the rollout, the values after it and a key, and
    returns the new (weights, optimizer state).
    """

    def objective(net: Any, part: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
        batch, advantage = part
        x = frame.inputs(*batch.obs)
        _, logits, value = frame.NETWORK.follow(net, batch.memory[0], x, batch.fresh)
        return ppo.loss_of(logits, value, args, batch, advantage, jnp.ones(1))

    def update(learned: Any, batch: ppo.Batch, last: Any, key: jax.Array) -> Any:
        done = batch.done[..., None]
        advantage = ppo.advantages(batch, done, last, args.discount, args.trace)
        rows = batch, advantage
        return ppo.learn(args, optimizer, objective, learned, rows, key)[0]

    return jax.jit(update, donate_argnums=0)


def train(run: Run, args: argparse.Namespace, lanes: list[Lane]) -> None:
    """Train up to the number of steps, from the checkpoint if there is one.

    Raises:
      TrainingError: If the folder holds another training, or none at all.
    """
    optimizer, steps, learned = frame.begin(run, args)
    if steps >= args.steps:
        print(f"Nothing to train: {steps} steps are done.")
        return
    update = make_update(args, optimizer)
    key = jax.random.fold_in(jax.random.key(args.seed), steps)
    generator = np.random.default_rng([args.seed, steps])
    games = Games(lanes, int(generator.integers(2**31)), args.lanes)
    started, first, updates = time.time(), steps, 0
    counts: Tally = collections.Counter()  # since the last checkpoint
    while steps < args.steps:
        key, play_key, learn_key = jax.random.split(key, 3)
        batch, last = play(learned[0], games, args.rollout, play_key)
        learned = update(learned, batch, last, learn_key)
        steps += batch.done.size
        updates += 1
        line = {"steps": steps, "success": by_level(games.tally)}
        line["steps_per_second"] = round((steps - first) / (time.time() - started))
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
            frame.keep(run, steps, learned)


def by_level(tally: Tally) -> dict[str, float]:
    """Return the success rate by level."""
    sums: collections.Counter[tuple[str, str]] = collections.Counter()
    for (_, level, what), count in tally.items():
        sums[level, what] += count
    levels = dict.fromkeys(level for level, _ in sums)
    return {x: round(sums[x, "done"] / sums[x, "attempts"], 4) for x in levels}


if __name__ == "__main__":
    main()

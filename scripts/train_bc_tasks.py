"""Trains an agent on recorded task episodes by behaviour cloning.

    crafter-tasks demos place_table collect_wood --count 60 --out demos/scout
    python scripts/train_bc_tasks.py --demos demos/* --told sentence --logdir logdir/bc
    crafter-tasks run --suite paper --agent trained:logdir/bc/policy.npz --out runs/bc

It imitates the actions of solved episodes and of achievements reached along the way,
see `crafter.tasks.episodes.demos`. --told sets the task conditioning: `nothing`, the
`sentence` of the instruction, the goal as a `tree`, or one of eight `recording`s of the
task. All use the same network and, with the same --seed, the same episodes in the same
order, balanced over tasks and levels. Tasks of --held-out are excluded from training.

The same command resumes an interrupted training. The folder gets:

- policy.npz, the agent, small enough to share;
- checkpoint.npz, all weights and the optimizer state;
- progress.jsonl: loss and action accuracy on every twentieth episode, which is held
  out from training.

Needs `pip install crafter[jax]`. Source: Pomerleau 1989, "ALVINN"; conditioning as in
Lynch and Sermanet 2021, "Language Conditioned Imitation Learning over Unstructured
Data".
"""

import argparse
import collections
import pathlib
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from baselines import conditioning as frame
from baselines import ppo
from training.run import Run, TrainingError

from crafter.core import npz
from crafter.core.arguments import not_negative, not_negative_number, positive
from crafter.core.options import MANY, REQUIRED, Table, exit_on, make_parser
from crafter.games.crafter.rules import default
from crafter.tasks.episodes import conditioning, demos

#: Episodes of every task and level per draw.
EACH = 24
#: Recordings of a task from which one is sampled.
REFERENCES = 8
COLUMNS, LENGTH = 32, 32  # parallel episodes, and their steps per update
#: Dropout rate of the task conditioning.
DROPOUT = 0.1
#: One episode in this many is held out for validation.
KEPT = 20
SETTINGS = {"max_norm": 1.0, "envs": COLUMNS, "rollout": LENGTH}
SETTINGS |= {"epochs": 1, "minibatches": 1}
FREE = ("logdir", "demos", "arrays", "save_every", "anneal_steps", *SETTINGS)

OPTIONS: Table = {
    "logdir": (None, {"type": pathlib.Path, **REQUIRED}, "folder for all files"),
    "demos": ([], {"nargs": "+", "type": pathlib.Path}, "folders of recorded runs"),
    "arrays": (None, pathlib.Path, "file to cache the arrays made from --demos"),
    "told": ("sentence", conditioning.KINDS, "task input of the agent"),
    "held-out": ([], MANY, "tasks held out from training"),
    "steps": (4_000_000, positive, "total training steps"),
    "save-every": (200, positive, "updates between checkpoints"),
    "width": (160, positive, "of hidden layers"),
    "rate": (1e-3, not_negative_number, "initial learning rate"),
    "seed": (0, not_negative, "seed"),
}


class Data(NamedTuple):
    """Episodes as arrays.

    Attributes:
        obs: Observations, uint8 (steps, n).
        action: Actions, (steps,).
        begin: First step of each episode, and the total number of steps at the end.
        task: Task of each episode.
        level: Its level.
        words: Features of its recording, (episodes, SIZE).
    """

    obs: np.ndarray
    action: np.ndarray
    begin: np.ndarray
    task: np.ndarray
    level: np.ndarray
    words: np.ndarray


def main(argv: list[str] | None = None) -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    parser.set_defaults(**SETTINGS)
    args = parser.parse_args(argv)
    args.anneal_steps, args.logdir = args.steps, args.logdir.expanduser()
    with (
        exit_on(parser, TrainingError, OSError, ValueError),
        Run(args.logdir, vars(args), FREE, ("progress.jsonl",)) as run,
    ):
        train(run, args, load(args.demos, args.arrays))


# Episodes.


def load(folders: list[pathlib.Path], path: pathlib.Path | None) -> Data:
    """Returns the episodes of runs, cached in a file if a path is given."""
    if path is not None and path.exists():
        return Data(**npz.read(path))
    data = collect(folders)
    if path is not None:
        with path.open("wb") as file:
            np.savez_compressed(file, **data._asdict())
    return data


def collect(folders: list[pathlib.Path]) -> Data:
    """Returns solved episodes, and segments that reach achievements."""
    attempts = []
    for folder in folders:
        for demo in demos.read(folder, "compact", list(default().achievements)):
            parts = [demo] if demo.solved else []
            for part in (*parts, *demos.hindsight(demo)):
                words = conditioning.bag(conditioning.happened(part.records))
                seen = part.observations, part.actions
                attempts.append((part.task, part.level, *seen, words))
        print(f"{folder}: {len(attempts)} attempts", flush=True)
    if not attempts:
        raise ValueError("--demos has no attempt that achieved anything.")
    tasks, levels, seen, actions, words = zip(*attempts)
    begin = np.cumsum([0, *map(len, actions)])
    whole = np.concatenate(seen), np.concatenate(actions)
    return Data(*whole, begin, np.array(tasks), np.array(levels), np.stack(words))


def groups(data: Data, held_out: list[str], kept: bool) -> list[np.ndarray]:
    """Returns the episodes of each task and level, for training or for validation."""
    episodes: dict[tuple[str, str], list[int]] = collections.defaultdict(list)
    for number, place in enumerate(zip(data.task.tolist(), data.level.tolist())):
        if place[0] not in held_out and (number % KEPT == 0) == kept:
            episodes[place].append(number)
    return [np.array(numbers) for numbers in episodes.values()]


def drawn(episodes: list[np.ndarray], generator: np.random.Generator) -> np.ndarray:
    """Returns `EACH` episodes of each group, shuffled, repeating some if needed."""
    parts = [np.resize(generator.permutation(numbers), EACH) for numbers in episodes]
    return generator.permutation(np.concatenate(parts))


class Words:
    """Task conditioning of the agent.

    Args:
        data: The episodes.
        kind: Kind of conditioning, one of `conditioning.KINDS`.
        seed: Seed of the choice of recordings.

    Attributes:
        table: All conditioning vectors, (rows, SIZE).
        references: Task -> vector of a recording, if that is the kind.
    """

    def __init__(self, data: Data, kind: str, seed: int) -> None:
        generator = np.random.default_rng(seed)
        rows: list[np.ndarray] = []
        self._rows: dict[str, np.ndarray] = {}
        self.references = {}
        for task in dict.fromkeys(data.task.tolist()):
            if kind == "recording":
                own = generator.permutation(np.flatnonzero(data.task == task))
                said = [data.words[number] for number in own[:REFERENCES]]
                self.references[task] = said[0]
            else:
                said = [*frame.said_of(task, kind)]
            self._rows[task] = np.arange(len(rows), len(rows) + len(said))
            rows += said
        self.table = np.stack(rows)

    def draw(self, tasks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Samples a row index of the table for each task."""
        return np.array([generator.choice(self._rows[task]) for task in tasks])


def streams(
    data: Data, order: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Concatenates episodes and splits them into columns of equal length.

    Args:
        data: The episodes.
        order: Indices of the episodes, in order.
        rows: Row of the conditioning table for each of these.

    Returns:
        Step indices; whether an episode begins there; conditioning rows; and loss
        weights, lower in long episodes; all of shape (steps, COLUMNS), with steps a
        multiple of `LENGTH`.
    """
    size = COLUMNS * LENGTH
    lengths = data.begin[order + 1] - data.begin[order]
    times = -(-size // lengths.sum())  # above 1 if there are too few
    order, rows, lengths = (np.tile(x, times) for x in (order, rows, lengths))
    ends = np.cumsum(lengths)
    steps = np.arange(ends[-1]) + np.repeat(data.begin[order] - ends + lengths, lengths)
    fresh = np.zeros(len(steps), bool)
    fresh[ends - lengths] = True
    weight = np.repeat(1 / np.sqrt(lengths), lengths)
    most = len(steps) // size * size

    def cut(values: np.ndarray) -> np.ndarray:
        return values[:most].reshape(COLUMNS, -1).T

    fresh = cut(fresh).copy()
    fresh[0] = True
    weight = cut(weight / weight.mean()).astype(np.float32)
    return cut(steps), fresh, cut(np.repeat(rows, lengths)), weight


# Training.


def make_update(optimizer: Any) -> tuple[Any, Any]:
    """Returns the compiled update and loss functions.

    Both take weights (the update with the optimizer state), memory, observations,
    episode starts, conditioning, actions, and loss weights.
    """

    def loss(net: Any, memory: Any, *part: Any) -> Any:
        obs, fresh, words, action, weight = part
        x = frame.inputs(obs, words)
        memory, logits, _ = frame.NETWORK.follow(net, memory, x, fresh)
        same = (logits.argmax(-1) == action).mean()
        return -(weight * ppo.chosen(logits, action)).mean(), (memory, same)

    def update(learned: Any, key: Any, memory: Any, *part: Any) -> Any:
        net, state = learned
        obs, fresh, words, *rest = part
        kept = jax.random.bernoulli(key, 1 - DROPOUT, words.shape[1:])
        part = obs, fresh, words * kept, *rest
        gradient = jax.value_and_grad(loss, has_aux=True)
        (value, (memory, _)), gradients = gradient(net, memory, *part)
        change, state = optimizer.update(gradients, state, net)
        return (optax.apply_updates(net, change), state), memory, value

    return jax.jit(update, donate_argnums=0), jax.jit(loss)


def train(run: Run, args: argparse.Namespace, data: Data) -> None:
    """Trains up to the number of steps, from the checkpoint if there is one.

    Raises:
        TrainingError: If the folder holds another training, or none at all.
    """
    optimizer, steps, learned = frame.begin(run, args)
    words = Words(data, args.told, args.seed)
    learning = groups(data, args.held_out, kept=False)
    kept = np.concatenate(groups(data, args.held_out, kept=True))
    update, measure = make_update(optimizer)
    updates = 0
    while steps < args.steps:
        generator = np.random.default_rng([args.seed, steps])
        order = drawn(learning, generator)
        memory = jnp.zeros((COLUMNS, args.width))
        for part in parts(data, words, order, generator):
            key = jax.random.fold_in(jax.random.key(args.seed), steps)
            learned, memory, _ = update(learned, key, memory, *part)
            steps, updates = steps + COLUMNS * LENGTH, updates + 1
            if updates % args.save_every == 0 or steps >= args.steps:
                line = measured(measure, learned[0], data, words, kept)
                run.append("progress.jsonl", {"steps": steps, **line})
                frame.keep(run, steps, learned, words.references)
            if steps >= args.steps:
                break


def parts(data: Data, words: Words, order: np.ndarray, generator: Any) -> Any:
    """Yields chunks of episodes in the form that `make_update` takes."""
    rows = words.draw(data.task[order], generator)
    steps, fresh, said, weight = streams(data, order, rows)
    for at in range(0, len(steps), LENGTH):
        own = slice(at, at + LENGTH)
        seen, done = data.obs[steps[own]], data.action[steps[own]].astype(np.int32)
        yield seen, fresh[own], words.table[said[own]], done, weight[own]


def measured(
    measure: Any, net: Any, data: Data, words: Words, kept: np.ndarray
) -> dict[str, float]:
    """Returns loss and action accuracy on the validation episodes."""
    memory = jnp.zeros((COLUMNS, len(net["candidate"]["b"])))
    pairs = []
    for part in parts(data, words, kept, np.random.default_rng(0)):
        value, (memory, same) = measure(net, memory, *part)
        pairs.append((float(value), float(same)))
    loss, same = np.mean(pairs, 0)
    return {"loss": round(loss, 4), "same": round(same, 4)}


if __name__ == "__main__":
    main()

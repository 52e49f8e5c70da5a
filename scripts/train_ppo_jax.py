"""Train PPO inside JAX: games, network and learning compiled together.

    python scripts/train_ppo_jax.py --steps 2000000 --outdir runs/jax
    python scripts/train_ppo_jax.py --engine compiled --outdir runs/compiled
    python scripts/train_ppo_jax.py --network gru --envs 1024 --steps 1000000000
    python scripts/train_ppo_jax.py --game craftax --network gru --outdir runs/craftax

The games are spread over all devices, each of which plays its share, and gradients are
those of all. For several machines, run the same command on each with `--coordinator`,
`--processes` and `--process`; the first one writes the files.

With `--engine compiled` the program steps the batched engine, which is faster than the
games in JAX where there is no GPU, and plays the worlds of `crafter.Env`.

Needs the extra 'jax', and for the compiled engine also 'vector'. Writes `stats.jsonl`,
one line per finished episode in the format of the Recorder, so that scores can be
computed from it; `curve.csv`; and `checkpoint.npz`, from which the same command goes
on.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; the defaults
follow PureJaxRL and the Craftax baselines.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax
from tqdm import tqdm

import crafter.batch.jax as crafter_jax
from crafter import constants
from crafter.functional import devices
from crafter.recorder import StatsFile

GAMES = ("crafter", "craftax")
ENGINES = ("jax", "compiled")
OBSERVATIONS = {"mlp": "Symbolic", "gru": "Symbolic", "cnn": "Pixels"}
CONVOLUTIONS = ((8, 4, 32), (4, 2, 64), (3, 1, 64))  # side, stride and channels
PREFIX = "Achievements/"  # of infos


class Batch(NamedTuple):
    """What happened, (steps, games, ...) each."""

    obs: Any
    memory: Any
    fresh: Any  # whether the game had just begun
    action: Any
    value: Any
    log_prob: Any
    reward: Any
    done: Any


class Runner(NamedTuple):
    """All that changes while training; this is what a checkpoint holds."""

    params: Any
    optimizer: Any
    games: Any
    obs: Any
    memory: Any
    fresh: Any
    returns: Any
    lengths: Any
    key: Any


# The network: plain functions on a dict of weights.


def dense(key: jax.Array, inputs: int, outputs: int, scale: float) -> dict[str, Any]:
    """Return the weights of a layer, orthogonal as usual for PPO."""
    make = jax.nn.initializers.orthogonal(scale)
    return {"w": make(key, (inputs, outputs)), "b": jnp.zeros(outputs)}


def apply(layer: dict[str, Any], x: jax.Array) -> jax.Array:
    """Return the output of a layer."""
    return x @ layer["w"] + layer["b"]


def make_network(
    key: jax.Array, kind: str, shape: tuple[int, ...], actions: int, width: int
) -> dict[str, Any]:
    """Return the weights of a network for observations of a shape."""
    keys = iter(jax.random.split(key, 12))
    root = float(np.sqrt(2))
    net: dict[str, Any] = {}
    inputs = int(np.prod(shape))
    if kind == "cnn":
        make = jax.nn.initializers.orthogonal(root)
        sides, channels = list(shape[:2]), shape[2]
        net["convolutions"] = []
        for side, stride, filters in CONVOLUTIONS:
            weights = make(next(keys), (side, side, channels, filters))
            net["convolutions"].append({"w": weights, "b": jnp.zeros(filters)})
            sides = [(length - side) // stride + 1 for length in sides]
            channels = filters
        inputs = int(np.prod(sides)) * channels
    net["first"] = dense(next(keys), inputs, width, root)
    if kind == "gru":
        net["gates"] = dense(next(keys), 2 * width, 2 * width, 1.0)
        net["candidate"] = dense(next(keys), 2 * width, width, 1.0)
    for head in ("actor", "critic"):
        net[f"{head}_hidden"] = dense(next(keys), width, width, root)
    net["actor"] = dense(next(keys), width, actions, 0.01)
    net["critic"] = dense(next(keys), width, 1, 1.0)
    return net


def encode(net: dict[str, Any], obs: jax.Array) -> jax.Array:
    """Return features of observations of any leading shape."""
    if "convolutions" in net:
        lead = obs.shape[:-3]
        x = obs.reshape(-1, *obs.shape[-3:]).astype(jnp.float32) / 255
        for layer, (_, stride, _) in zip(net["convolutions"], CONVOLUTIONS):
            x = jax.lax.conv_general_dilated(
                x, layer["w"], (stride, stride), "VALID",
                dimension_numbers=("NHWC", "HWIO", "NHWC"),
            )  # fmt: skip
            x = jax.nn.relu(x + layer["b"])
        obs = x.reshape(*lead, -1)
    return jnp.tanh(apply(net["first"], obs))


def recur(
    net: dict[str, Any], memory: jax.Array, x: jax.Array, fresh: jax.Array
) -> jax.Array:
    """Return the new memory of a GRU; without one, the features themselves."""
    if "gates" not in net:
        return x
    memory = jnp.where(fresh[..., None], 0.0, memory)
    gates = jax.nn.sigmoid(apply(net["gates"], jnp.concatenate([memory, x], -1)))
    update, reset = jnp.split(gates, 2, -1)
    both = jnp.concatenate([reset * memory, x], -1)
    return (1 - update) * memory + update * jnp.tanh(apply(net["candidate"], both))


def heads(net: dict[str, Any], x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return log-probabilities of the actions, and values."""
    actor = jnp.tanh(apply(net["actor_hidden"], x))
    critic = jnp.tanh(apply(net["critic_hidden"], x))
    logits = jax.nn.log_softmax(apply(net["actor"], actor))
    return logits, apply(net["critic"], critic)[..., 0]


# Games. Both engines have `reset(key)`, which returns observations and games, and
# `step(key, games, action)`, which returns observations, games, rewards, whether
# episodes ended, and how often these reached each achievement.


class JaxGames:
    """Games in JAX, spread over devices.

    Args:
        env: The environment.
        mesh: The devices.
        count: Number of games.
    """

    def __init__(self, env: Any, mesh: Any, count: int) -> None:
        axes = (0, 0, 0, None)
        self._env, self._count = env, count
        self._reset = devices.spread(jax.vmap(env.reset), mesh, (0,))
        self._step = devices.spread(jax.vmap(env.step, axes), mesh, axes)

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Start all games."""
        obs, games = self._reset(jax.random.split(key, self._count))
        return obs, games

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Take a step in all games."""
        keys = jax.random.split(key, self._count)
        obs, games, reward, done, info = self._step(
            keys, games, action, self._env.default_params
        )
        return obs, games, reward, done, achievements(self._env, info)


class CompiledGames:
    """Games of the batched engine, which draw their own random numbers.

    Args:
        kind: Kind of the observation.
        count: Number of games.
        seed: Game i is that of `seed + i`.

    Attributes:
        names: Names of the achievements.
        num_actions: Number of actions.
        handle: Stands for the games in programs.
    """

    def __init__(self, kind: str, count: int, seed: int) -> None:
        self._envs = make_batch(kind, count)
        self._envs.reset(seed=seed)
        self.names = tuple(sorted(constants.achievements))
        self.num_actions = int(self._envs.single_action_space.n)
        self.handle, self._recv, _, self._step = self._envs.xla()

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Look at all games."""
        handle, (obs, *_) = self._recv(self.handle)
        return obs, handle

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Take a step in all games."""
        handle, (obs, reward, terminated, truncated, info) = self._step(games, action)
        reached = info["final_info"]["achievements"]
        counts = jnp.stack([reached[name] for name in self.names], -1)
        return obs, handle, reward, terminated | truncated, counts

    def state(self) -> dict[str, np.ndarray]:
        """Return the whole games, for a checkpoint."""
        return {
            f"game_{i}/{name}": value
            for i, state in enumerate(self._envs.get_state())
            for name, value in state.items()
        }

    def restore(self, found: Any) -> None:
        """Go on with the games of a checkpoint."""
        states: list[dict[str, np.ndarray]] = [{} for _ in range(self._envs.num_envs)]
        for key in found:
            game, _, name = key.partition("/")
            if name:
                states[int(game.removeprefix("game_"))][name] = found[key]
        self._envs.set_state(states)


def make_batch(kind: str, count: int) -> Any:
    """Return a batch; it has a method `xla`, which others do not."""
    return gymnasium.make_vec(
        "crafter:CrafterReward-v1",
        num_envs=count,
        observation=kind,
        autoreset_mode="SameStep",
        info_keys=["achievements"],
        copy=False,
    )


def games_of(env: Any, mesh: Any, args: Any) -> Any:
    """Return the games of an environment, on the engine that it has."""
    return env if hasattr(env, "handle") else JaxGames(env, mesh, args.envs)


# Training.


def achievements(env: Any, info: dict[str, Any]) -> jax.Array:
    """Return how often each achievement was reached, where an episode ends, int32."""
    names = achievement_names(env)
    if "counts" in info:
        return jnp.stack([info["counts"][name] for name in names], -1)
    return jnp.stack([info[PREFIX + name] > 0 for name in names], -1).astype(jnp.int32)


@functools.cache
def achievement_names(env: Any) -> tuple[str, ...]:
    """Return the names of the achievements in the order of infos, that of words."""
    if isinstance(env, CompiledGames):
        return env.names
    key = jax.random.key(0)
    _, state = jax.eval_shape(env.reset, key)
    *_, info = jax.eval_shape(env.step_env, key, state, np.int32(0))
    names = (name for name in info if name.startswith(PREFIX))
    return tuple(name.removeprefix(PREFIX) for name in names)


def collect(
    env: Any, mesh: Any, args: Any, runner: Runner
) -> tuple[Runner, Batch, dict[str, Any]]:
    """Play `args.rollout` steps in all games."""
    step = games_of(env, mesh, args).step

    def play(runner: Runner, _: None) -> tuple[Runner, Any]:
        key, act_key, step_key = jax.random.split(runner.key, 3)
        features = encode(runner.params, runner.obs)
        memory = recur(runner.params, runner.memory, features, runner.fresh)
        logits, value = heads(runner.params, memory)
        action = jax.random.categorical(act_key, logits)
        log_prob = jnp.take_along_axis(logits, action[:, None], 1)[:, 0]
        obs, games, reward, done, counts = step(step_key, runner.games, action)
        batch = Batch(
            runner.obs, runner.memory, runner.fresh, action, value, log_prob, reward,
            done,
        )  # fmt: skip
        returns, lengths = runner.returns + reward, runner.lengths + 1
        ends = {
            "done": done,
            "return": returns,
            "length": lengths,
            "counts": counts,
        }
        runner = runner._replace(
            games=games, obs=obs, memory=memory, fresh=done, key=key,
            returns=jnp.where(done, 0.0, returns),
            lengths=jnp.where(done, 0, lengths),
        )  # fmt: skip
        return runner, (batch, ends)

    runner, (batch, ends) = jax.lax.scan(play, runner, None, args.rollout)
    return runner, batch, ends


def advantages(args: Any, batch: Batch, last: jax.Array) -> jax.Array:
    """Return generalized advantage estimates."""

    def back(carry: Any, row: Any) -> Any:
        advantage, following = carry
        value, reward, done = row
        alive = 1.0 - done
        delta = reward + args.discount * following * alive - value
        advantage = delta + args.discount * args.trace * alive * advantage
        return (advantage, value), advantage

    rows = (batch.value, batch.reward, batch.done)
    start = (jnp.zeros_like(last), last)
    return jax.lax.scan(back, start, rows, reverse=True)[1]


def loss(net: Any, args: Any, batch: Batch, advantage: jax.Array) -> jax.Array:
    """Return the loss of PPO on whole rollouts of some games."""
    features = encode(net, batch.obs)

    def along(memory: jax.Array, row: Any) -> tuple[jax.Array, jax.Array]:
        memory = recur(net, memory, *row)
        return memory, memory

    if "gates" in net:
        _, features = jax.lax.scan(along, batch.memory[0], (features, batch.fresh))
    logits, value = heads(net, features)
    log_prob = jnp.take_along_axis(logits, batch.action[..., None], -1)[..., 0]
    target = advantage + batch.value
    clipped = batch.value + jnp.clip(value - batch.value, -args.clip, args.clip)
    error = jnp.maximum((value - target) ** 2, (clipped - target) ** 2).mean()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = jnp.exp(log_prob - batch.log_prob)
    gain = jnp.minimum(
        ratio * advantage, jnp.clip(ratio, 1 - args.clip, 1 + args.clip) * advantage
    ).mean()
    entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
    return 0.5 * error - gain - args.entropy * entropy


def learn(
    args: Any,
    optimizer: Any,
    learned: tuple[Any, Any],
    batch: Batch,
    advantage: jax.Array,
    key: jax.Array,
) -> tuple[Any, Any]:
    """Return the weights and the state of the optimizer after learning of a batch."""

    def minibatch(carry: Any, games: jax.Array) -> tuple[Any, None]:
        params, state = carry
        some = jax.tree.map(lambda leaf: leaf[:, games], batch)
        gradient = jax.grad(loss)(params, args, some, advantage[:, games])
        change, state = optimizer.update(gradient, state, params)
        return (optax.apply_updates(params, change), state), None

    keys = jax.random.split(key, args.epochs)
    parts = [
        jax.random.permutation(k, args.envs).reshape(args.minibatches, -1) for k in keys
    ]
    last: tuple[Any, Any]
    last, _ = jax.lax.scan(minibatch, learned, jnp.concatenate(parts))
    return last


def make_optimizer(args: Any) -> Any:
    """Return what makes steps of gradients."""
    return optax.chain(
        optax.clip_by_global_norm(args.max_norm), optax.adam(args.rate, eps=1e-5)
    )


def make_update(env: Any, mesh: Any, args: Any, optimizer: Any) -> Any:
    """Return the compiled function for one round of play and learning."""

    def update(runner: Runner) -> tuple[Runner, dict[str, Any]]:
        runner, batch, ends = collect(env, mesh, args, runner)
        features = encode(runner.params, runner.obs)
        memory = recur(runner.params, runner.memory, features, runner.fresh)
        advantage = advantages(args, batch, heads(runner.params, memory)[1])
        key, learn_key = jax.random.split(runner.key)
        learned = runner.params, runner.optimizer
        params, state = learn(args, optimizer, learned, batch, advantage, learn_key)
        return runner._replace(params=params, optimizer=state, key=key), ends

    layout = places(mesh), devices.everywhere(mesh)
    return jax.jit(update, donate_argnums=0, out_shardings=layout)


def places(mesh: Any) -> Runner:
    """Return on which devices the parts of a runner lie."""
    games, whole = devices.shared(mesh), devices.everywhere(mesh)
    return Runner(
        params=whole, optimizer=whole, games=games, obs=games, memory=games,
        fresh=games, returns=games, lengths=games, key=whole,
    )  # fmt: skip


def start(env: Any, mesh: Any, args: Any, optimizer: Any) -> Runner:
    """Return the runner at the beginning of training."""
    reset = games_of(env, mesh, args).reset

    def begin() -> Runner:
        key, net_key, game_key = jax.random.split(jax.random.PRNGKey(args.seed), 3)
        obs, games = reset(game_key)
        params = make_network(
            net_key, args.network, obs.shape[1:], env.num_actions, args.width
        )
        return Runner(
            params=params,
            optimizer=optimizer.init(params),
            games=games,
            obs=obs,
            memory=jnp.zeros((args.envs, args.width)),
            fresh=jnp.ones(args.envs, bool),
            returns=jnp.zeros(args.envs),
            lengths=jnp.zeros(args.envs, jnp.int32),
            key=key,
        )

    runner: Runner = jax.jit(begin, out_shardings=places(mesh))()
    return runner


class Log:
    """Writes what came of training: `stats.jsonl` and `curve.csv`.

    Args:
        args: The command line.
        names: Names of the achievements.
    """

    def __init__(self, args: argparse.Namespace, names: tuple[str, ...]):
        self._stats, self._names = StatsFile(args.outdir), names
        self._curve = args.outdir / "curve.csv"
        self._game = None if args.game == "crafter" else args.game
        self._begin = time.time()

    def add(self, steps: int, episodes: int, ends: dict[str, np.ndarray]) -> None:
        """Write a line per finished episode, and one of this round."""
        for t, b in np.argwhere(ends["done"]):
            episodes += 1
            counts = dict(zip(self._names, ends["counts"][t, b].tolist()))
            length, reward = int(ends["length"][t, b]), float(ends["return"][t, b])
            self._stats.append(episodes, length, reward, counts, game=self._game)
        with self._curve.open("a") as file:
            seconds = time.time() - self._begin
            file.write(f"{steps},{seconds:.1f},{mean_return(ends):.4f}\n")


def mean_return(ends: dict[str, np.ndarray]) -> float:
    """Return the mean return of the episodes that ended; NaN if none did."""
    done = ends["done"]
    return float(ends["return"][done].mean()) if done.any() else float("nan")


class Saved(NamedTuple):
    """Where training stands."""

    steps: int
    episodes: int
    runner: Runner


def save(
    path: Path, args: argparse.Namespace, env: Any, mesh: Any, saved: Saved
) -> None:
    """Write a checkpoint; a crash leaves the old one. All processes take part."""
    gather = jax.jit(lambda tree: tree, out_shardings=devices.everywhere(mesh))
    leaves = jax.device_get(jax.tree.leaves(gather(saved.runner)))
    if jax.process_index():
        return
    arrays = {f"leaf_{i}": leaf for i, leaf in enumerate(leaves)}
    if isinstance(env, CompiledGames):
        arrays.update(env.state())
    partial = path.with_suffix(".partial.npz")
    np.savez(
        partial,
        steps=saved.steps,
        episodes=saved.episodes,
        settings=json.dumps(settings(args)),
        **arrays,
    )
    partial.replace(path)


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options that a checkpoint depends on."""
    free = ("outdir", "steps", "save_every", "coordinator", "processes", "process")
    return {name: value for name, value in vars(args).items() if name not in free}


def load(path: Path, args: argparse.Namespace, env: Any, runner: Runner) -> Saved:
    """Read a checkpoint, and cut what was logged after it.

    Raises:
        SystemExit: If it was made with other settings.
    """
    with np.load(path) as found:
        theirs, ours = json.loads(str(found["settings"])), settings(args)
        if theirs != ours:
            other = {k: v for k, v in theirs.items() if ours.get(k) != v}
            sys.exit(f"{path} was made with {other}. Give these, or another --outdir.")
        leaves = [found[f"leaf_{i}"] for i in range(len(jax.tree.leaves(runner)))]
        steps, episodes = int(found["steps"]), int(found["episodes"])
        if isinstance(env, CompiledGames):
            env.restore(found)
    if not jax.process_index():
        cut(args.outdir / "stats.jsonl", episodes)
        cut(args.outdir / "curve.csv", steps // (args.envs * args.rollout))
    placed = jax.tree.map(
        lambda old, new: jax.make_array_from_callback(
            old.shape, old.sharding, lambda part: new[part]
        ),
        runner,
        jax.tree.unflatten(jax.tree.structure(runner), leaves),
    )
    if isinstance(env, CompiledGames):
        placed = placed._replace(games=runner.games)  # a handle of this process
    return Saved(steps, episodes, placed)


def cut(path: Path, lines: int) -> None:
    """Keep the first lines of a file."""
    kept = path.read_text().splitlines(keepends=True)[:lines] if path.exists() else []
    path.write_text("".join(kept))


def train(args: argparse.Namespace) -> None:
    """Train, from the checkpoint if there is one."""
    if args.processes > 1:
        jax.distributed.initialize(args.coordinator, args.processes, args.process)
    args.outdir.mkdir(parents=True, exist_ok=True)
    env = make_env(args)
    compiled = isinstance(env, CompiledGames)
    mesh = devices.make_mesh(
        args.envs, jax.devices("cpu")[:1] if compiled else jax.devices()
    )
    optimizer = make_optimizer(args)
    saved = Saved(0, 0, start(env, mesh, args, optimizer))
    checkpoint = args.outdir / "checkpoint.npz"
    if checkpoint.exists():
        saved = load(checkpoint, args, env, saved.runner)
    is_first = jax.process_index() == 0
    log = Log(args, achievement_names(env)) if is_first else None
    update = make_update(env, mesh, args, optimizer)
    bar = tqdm(
        total=args.steps, initial=saved.steps, unit="step", unit_scale=True,
        disable=not is_first,
    )  # fmt: skip
    saved_at, per_update = saved.steps, args.envs * args.rollout
    while saved.steps < args.steps:
        runner, ends = update(saved.runner)
        ends = jax.device_get(ends)
        steps = saved.steps + per_update
        if log:
            log.add(steps, saved.episodes, ends)
        saved = Saved(steps, saved.episodes + int(ends["done"].sum()), runner)
        bar.update(per_update)
        bar.set_postfix(episodes=saved.episodes, mean_return=f"{mean_return(ends):.2f}")
        if steps - saved_at >= args.save_every or steps >= args.steps:
            saved_at = steps
            save(checkpoint, args, env, mesh, saved)
    bar.close()


def make_env(args: argparse.Namespace) -> Any:
    """Return the game to train on."""
    if args.engine == "compiled":
        kind = OBSERVATIONS[args.network].lower()
        return CompiledGames(kind, args.envs, args.seed)
    name = f"{args.game.capitalize()}-{OBSERVATIONS[args.network]}-v1"
    options = {"float_pixels": False} if args.network == "cnn" else {}
    return crafter_jax.make(name, **options)


def add_learning_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what PPO needs."""
    add = parser.add_argument
    add("--game", choices=GAMES, default=GAMES[0])
    add("--steps", type=int, default=2_000_000, help="environment steps in all")
    add("--seed", type=int, default=0)
    add("--envs", type=int, default=256)
    add("--rollout", type=int, default=32)
    add("--epochs", type=int, default=4)
    add("--minibatches", type=int, default=8, help="divides --envs")
    add("--width", type=int, default=256)
    add("--rate", type=float, default=3e-4)
    add("--discount", type=float, default=0.99)
    add("--trace", type=float, default=0.8)
    add("--clip", type=float, default=0.2)
    add("--entropy", type=float, default=0.01)
    add("--max-norm", type=float, default=1.0)


def check_learning_arguments(
    parser: argparse.ArgumentParser, args: argparse.Namespace
) -> None:
    """End the program if the arguments of PPO are impossible."""
    if args.envs % args.minibatches:
        parser.error(f"--minibatches must divide --envs {args.envs}.")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--network", choices=list(OBSERVATIONS), default="mlp")
    add("--engine", choices=ENGINES, default=ENGINES[0], help="what plays the games")
    add("--outdir", type=Path, default=Path("runs/ppo_jax"))
    add("--save-every", type=int, default=1_000_000, help="steps between checkpoints")
    add_learning_arguments(parser)
    group = parser.add_argument_group("several machines")
    group.add_argument("--coordinator", help="address:port of the first process")
    group.add_argument("--processes", type=int, default=1, help="how many in all")
    group.add_argument("--process", type=int, default=0, help="which one this is")
    args = parser.parse_args()
    check_learning_arguments(parser, args)
    if args.processes > 1 and not args.coordinator:
        parser.error("--processes needs --coordinator.")
    if args.engine == "compiled" and (args.game != "crafter" or args.processes > 1):
        parser.error("--engine compiled plays Crafter, in one process.")
    return args


if __name__ == "__main__":
    train(parse_arguments())

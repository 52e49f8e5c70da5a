"""Train PPO inside JAX: games, network and learning compiled together.

    python scripts/train_ppo_jax.py --steps 2000000 --outdir runs/jax
    python scripts/train_ppo_jax.py --network gru --envs 1024 --steps 1000000000

Needs the extra 'jax'. Writes `stats.jsonl`, one line per finished episode in the format
of the Recorder, so that scores can be computed from it; `curve.csv`; and
`checkpoint.npz`, from which the same command goes on.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; the defaults
follow PureJaxRL and the Craftax baselines.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tqdm import tqdm

import crafter.batch.jax as crafter_jax
from crafter import constants
from crafter.recorder import StatsFile

ACTIONS = len(constants.actions)
OBSERVATIONS = {"mlp": "Symbolic", "gru": "Symbolic", "cnn": "Pixels"}


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


def make_network(key: jax.Array, kind: str, inputs: int, width: int) -> dict[str, Any]:
    """Return the weights of a network."""
    keys = iter(jax.random.split(key, 12))
    root = float(np.sqrt(2))
    net: dict[str, Any] = {}
    if kind == "cnn":
        make = jax.nn.initializers.orthogonal(root)
        shapes = [(8, 8, 3, 32), (4, 4, 32, 64), (3, 3, 64, 64)]
        net["convolutions"] = [
            {"w": make(next(keys), shape), "b": jnp.zeros(shape[-1])}
            for shape in shapes
        ]
        inputs = 4 * 4 * 64
    net["first"] = dense(next(keys), inputs, width, root)
    if kind == "gru":
        net["gates"] = dense(next(keys), 2 * width, 2 * width, 1.0)
        net["candidate"] = dense(next(keys), 2 * width, width, 1.0)
    for head in ("actor", "critic"):
        net[f"{head}_hidden"] = dense(next(keys), width, width, root)
    net["actor"] = dense(next(keys), width, ACTIONS, 0.01)
    net["critic"] = dense(next(keys), width, 1, 1.0)
    return net


def encode(net: dict[str, Any], obs: jax.Array) -> jax.Array:
    """Return features of observations of any leading shape."""
    if "convolutions" in net:
        lead = obs.shape[:-3]
        x = obs.reshape(-1, *obs.shape[-3:]).astype(jnp.float32) / 255
        for layer, stride in zip(net["convolutions"], (4, 2, 1)):
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


# Training.


def collect(
    env: Any, args: Any, runner: Runner
) -> tuple[Runner, Batch, dict[str, Any]]:
    """Play `args.rollout` steps in all games."""
    step = jax.vmap(env.step, (0, 0, 0, None))

    def play(runner: Runner, _: None) -> tuple[Runner, Any]:
        key, act_key, step_key = jax.random.split(runner.key, 3)
        features = encode(runner.params, runner.obs)
        memory = recur(runner.params, runner.memory, features, runner.fresh)
        logits, value = heads(runner.params, memory)
        action = jax.random.categorical(act_key, logits)
        log_prob = jnp.take_along_axis(logits, action[:, None], 1)[:, 0]
        keys = jax.random.split(step_key, args.envs)
        obs, games, reward, done, info = step(
            keys, runner.games, action, env.default_params
        )
        batch = Batch(
            runner.obs, runner.memory, runner.fresh, action, value, log_prob, reward,
            done,
        )  # fmt: skip
        returns, lengths = runner.returns + reward, runner.lengths + 1
        ends = {
            "done": done,
            "return": returns,
            "length": lengths,
            "counts": jnp.stack([*info["counts"].values()], -1),
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


def make_update(env: Any, args: Any, optimizer: Any) -> Any:
    """Return the compiled function for one round of play and learning."""

    def update(runner: Runner) -> tuple[Runner, dict[str, Any]]:
        runner, batch, ends = collect(env, args, runner)
        features = encode(runner.params, runner.obs)
        memory = recur(runner.params, runner.memory, features, runner.fresh)
        advantage = advantages(args, batch, heads(runner.params, memory)[1])

        def minibatch(carry: Any, games: jax.Array) -> tuple[Any, None]:
            params, state = carry
            some = jax.tree.map(lambda leaf: leaf[:, games], batch)
            gradient = jax.grad(loss)(params, args, some, advantage[:, games])
            change, state = optimizer.update(gradient, state, params)
            return (optax.apply_updates(params, change), state), None

        key, *keys = jax.random.split(runner.key, args.epochs + 1)
        parts = [
            jax.random.permutation(k, args.envs).reshape(args.minibatches, -1)
            for k in keys
        ]
        carry = (runner.params, runner.optimizer)
        (params, state), _ = jax.lax.scan(minibatch, carry, jnp.concatenate(parts))
        return runner._replace(params=params, optimizer=state, key=key), ends

    return jax.jit(update, donate_argnums=0)


def start(env: Any, args: Any, optimizer: Any) -> Runner:
    """Return the runner at the beginning of training."""
    key, net_key, game_key = jax.random.split(jax.random.PRNGKey(args.seed), 3)
    keys = jax.random.split(game_key, args.envs)
    obs, games = jax.jit(jax.vmap(env.reset))(keys)
    params = make_network(net_key, args.network, int(obs[0].size), args.width)
    zeros = jnp.zeros(args.envs)
    return Runner(
        params=params,
        optimizer=optimizer.init(params),
        games=games,
        obs=obs,
        memory=jnp.zeros((args.envs, args.width)),
        fresh=jnp.ones(args.envs, bool),
        returns=zeros,
        lengths=jnp.zeros(args.envs, jnp.int32),
        key=key,
    )


def record(stats: StatsFile, ends: dict[str, np.ndarray], episodes: int) -> int:
    """Write a line per finished episode; return the number of all."""
    for t, b in np.argwhere(ends["done"]):
        episodes += 1
        counts = dict(zip(constants.achievements, ends["counts"][t, b].tolist()))
        length, reward = int(ends["length"][t, b]), float(ends["return"][t, b])
        stats.append(episodes, length, reward, counts)
    return episodes


class Saved(NamedTuple):
    """Where training stands."""

    steps: int
    episodes: int
    runner: Runner


def save(path: Path, args: argparse.Namespace, saved: Saved) -> None:
    """Write a checkpoint; a crash leaves the old one."""
    leaves = jax.device_get(jax.tree.leaves(saved.runner))
    arrays = {f"leaf_{i}": leaf for i, leaf in enumerate(leaves)}
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
    free = ("outdir", "steps", "save_every")
    return {name: value for name, value in vars(args).items() if name not in free}


def load(path: Path, args: argparse.Namespace, runner: Runner) -> Saved:
    """Read a checkpoint, and cut what was logged after it.

    Raises:
        SystemExit: If it was made with other settings.
    """
    with np.load(path) as found:
        theirs, ours = json.loads(str(found["settings"])), settings(args)
        if theirs != ours:
            other = {k: v for k, v in theirs.items() if ours.get(k) != v}
            sys.exit(f"{path} was made with {other}. Give these, or another --outdir.")
        leaves = [jnp.asarray(found[f"leaf_{i}"]) for i in range(len(found.files) - 3)]
        steps, episodes = int(found["steps"]), int(found["episodes"])
    cut(args.outdir / "stats.jsonl", episodes)
    cut(args.outdir / "curve.csv", steps // (args.envs * args.rollout))
    return Saved(
        steps, episodes, jax.tree.unflatten(jax.tree.structure(runner), leaves)
    )


def cut(path: Path, lines: int) -> None:
    """Keep the first lines of a file."""
    kept = path.read_text().splitlines(keepends=True)[:lines] if path.exists() else []
    path.write_text("".join(kept))


def train(args: argparse.Namespace) -> None:
    """Train, from the checkpoint if there is one."""
    args.outdir.mkdir(parents=True, exist_ok=True)
    env = crafter_jax.make(f"Crafter-{OBSERVATIONS[args.network]}-v1")
    optimizer = optax.chain(
        optax.clip_by_global_norm(args.max_norm), optax.adam(args.rate, eps=1e-5)
    )
    runner = start(env, args, optimizer)
    checkpoint, done_steps, episodes = args.outdir / "checkpoint.npz", 0, 0
    if checkpoint.exists():
        done_steps, episodes, runner = load(checkpoint, args, runner)
    update = make_update(env, args, optimizer)
    stats = StatsFile(args.outdir)
    begin, per_update = time.time(), args.envs * args.rollout
    bar = tqdm(total=args.steps, initial=done_steps, unit="step", unit_scale=True)
    saved_at = done_steps
    while done_steps < args.steps:
        runner, ends = update(runner)
        ends = jax.device_get(ends)
        episodes = record(stats, ends, episodes)
        done_steps += per_update
        mean = ends["return"][ends["done"]].mean() if ends["done"].any() else np.nan
        with (args.outdir / "curve.csv").open("a") as file:
            file.write(f"{done_steps},{time.time() - begin:.1f},{mean:.4f}\n")
        bar.update(per_update)
        bar.set_postfix(episodes=episodes, mean_return=f"{mean:.2f}")
        if done_steps - saved_at >= args.save_every or done_steps >= args.steps:
            saved_at = done_steps
            save(checkpoint, args, Saved(done_steps, episodes, runner))
    bar.close()


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--network", choices=list(OBSERVATIONS), default="mlp")
    add("--outdir", type=Path, default=Path("runs/ppo_jax"))
    add("--steps", type=int, default=2_000_000, help="environment steps in all")
    add("--save-every", type=int, default=1_000_000, help="steps between checkpoints")
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
    args = parser.parse_args()
    if args.envs % args.minibatches:
        parser.error(f"--minibatches must divide --envs {args.envs}.")
    return args


if __name__ == "__main__":
    train(parse_arguments())

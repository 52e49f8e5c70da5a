"""Training loop: rounds of play and learning, resuming from a checkpoint if any."""

import argparse
import contextlib
import functools
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from training.run import NAME, Run, TrainingError, check_settings, read_arrays

from baselines import games, networks, options, ppo, rollouts
from baselines.bonuses import BONUSES
from baselines.bonuses.frame import Bonus, Played, Scale, scaled
from baselines.logs import FILES, Log
from baselines.rollouts import Ends, Runner
from crafter.functional import devices

SPARSE = 1024  # observation size from which unused inputs are dropped
STEP = 512  # granularity of the reduced sizes; each is compiled once


def make_bonus(args: Any) -> Bonus | None:
    """Creates the bonus of the command line, if any."""
    return BONUSES[args.bonus](args) if args.bonus else None


def make_optimizers(args: Any) -> dict[str, Any]:
    """Returns the optimizers of the policy and of a bonus."""
    return {
        "policy": ppo.make_optimizer(args),
        "bonus": ppo.make_optimizer(args, args.bonus_rate),
    }


def make_parts(play: Any, mesh: Any, args: Any, bonus: Bonus | None) -> tuple[Any, Any]:
    """Returns the compiled parts of a round.

    `collect(runner)` returns the runner, the rollout, the episodes that ended, and the
    mask of inputs in use. `learn(runner, batch, used)` returns the runner, and means
    over the round: the `loss` and its terms, and the unscaled `bonus` per step.
    """
    inputs = play.shape[0] if len(play.shape) == 1 else 0
    # Normalised observations have no zeros.
    sparse = inputs >= SPARSE and not (bonus and bonus.is_scaled)

    def collect(runner: Runner) -> tuple[Runner, Any, Ends, Any]:
        runner, batch, ends = rollouts.collect(play, args, runner)
        used = networks.used(inputs, batch.obs, runner.obs) if sparse else ()
        return runner, batch, ends, used

    layout, whole = rollouts.places(mesh), devices.everywhere(mesh)
    collect = jax.jit(
        collect, donate_argnums=0, out_shardings=(layout, None, whole, whole)
    )
    compiled = jax.jit(
        functools.partial(learn_round, args, make_optimizers(args), bonus),
        static_argnames="size",
        donate_argnums=0,
        out_shardings=(layout, whole),
    )

    def learn(runner: Runner, batch: ppo.Batch, used: Any) -> Any:
        size = min(inputs, -(-int(np.sum(used)) // STEP) * STEP) if sparse else None
        return compiled(runner, batch, used, size=size)

    return collect, learn


def make_update(play: Any, mesh: Any, args: Any, bonus: Bonus | None) -> Any:
    """Returns the function for one round of play and learning.

    It returns the runner, the episodes that ended, and the means of `make_parts`. With
    `args.agent`, nothing is learned.
    """
    collect, learn = make_parts(play, mesh, args, bonus)

    def update(runner: Runner) -> tuple[Runner, Ends, dict[str, jax.Array]]:
        runner, batch, ends, used = collect(runner)
        means: dict[str, jax.Array] = {}
        if not args.agent:
            runner, means = learn(runner, batch, used)
        return runner, ends, means

    return update


def learn_round(
    args: Any,
    optimizers: dict[str, Any],
    bonus: Bonus | None,
    runner: Runner,
    batch: ppo.Batch,
    used: Any,
    size: int | None,
) -> tuple[Runner, dict[str, jax.Array]]:
    """Updates the weights from a rollout; returns the runner and means.

    Args:
        args: The command line.
        optimizers: Result of `make_optimizers`.
        bonus: The bonus, if any.
        runner: The runner after the rollout.
        batch: The rollout.
        used: Result of `networks.used`.
        size: Argument of `networks.narrow`.
    """
    kind = networks.KINDS[args.network]
    *_, last = kind.look(
        runner.params["policy"], runner.memory, runner.obs, runner.fresh
    )
    cut, (seen, after) = networks.narrow(used, size, batch.obs, runner.obs)
    batch = batch._replace(obs=seen)
    params, state, means = dict(runner.params), dict(runner.optimizer), {}
    key, policy_key, bonus_key = jax.random.split(runner.key, 3)
    if bonus:
        seen = bonus.view(jnp.concatenate([batch.obs, after[None]]))
        played = Played(seen[:-1], batch.action, seen[1:], batch.done)
        episode, raw = bonus.reward(cut(params["bonus"]), runner.episode, played)
        raw = jnp.where(batch.done, 0.0, raw)
        means["bonus"] = raw.mean()
        scale, batch = add_bonus(args, bonus, runner.scale, batch, raw)
        learned = params["bonus"], state["bonus"]
        (params["bonus"], state["bonus"]), losses = learn_bonus(
            args, optimizers["bonus"], bonus, cut, learned, (seen, batch), bonus_key
        )
        params["bonus"] = bonus.observe(params["bonus"], seen[:-1])
        means["bonus_loss"] = losses["loss"]
        runner = runner._replace(episode=episode, scale=scale)
    rows = batch, estimate(args, bonus, batch, last)
    rows = ppo.single_steps(*rows) if args.parts == "steps" else rows
    (params["policy"], state["policy"]), losses = ppo.learn(
        args, optimizers["policy"], objective(args, cut),
        (params["policy"], state["policy"]), rows, policy_key,
    )  # fmt: skip
    runner = runner._replace(params=params, optimizer=state, key=key)
    return runner, {**losses, **means}


def add_bonus(
    args: Any, bonus: Bonus, scale: Scale, batch: ppo.Batch, raw: jax.Array
) -> tuple[Scale, ppo.Batch]:
    """Adds bonuses (steps, games) to a batch by `--bonus-use`; returns scale, batch."""
    if args.bonus_use == "reward":
        reward = batch.reward + args.bonus_weight * raw[..., None]
        return scale, batch._replace(reward=reward)
    if bonus.is_scaled:
        scale, raw = scaled(scale, raw, args.discount)
    own = [] if args.bonus_use == "alone" else [batch.reward]
    return scale, batch._replace(reward=jnp.concatenate([*own, raw[..., None]], -1))


def learn_bonus(
    args: Any,
    optimizer: Any,
    bonus: Bonus,
    cut: Any,
    learned: tuple[Any, Any],
    rows: tuple[jax.Array, ppo.Batch],
    key: jax.Array,
) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
    """Trains the networks of a bonus on single steps; see `ppo.learn`.

    Args:
        args: `bonus_epochs` and `minibatches`.
        optimizer: Result of `ppo.make_optimizer`.
        bonus: The bonus.
        cut: Function from `networks.narrow`, or the identity.
        learned: Weights, and the state of the optimizer.
        rows: Observations, (steps + 1, games, ...), and the rollout.
        key: Key of `jax.random`.
    """
    seen, batch = rows
    games = batch.done.shape[1]
    seen = seen.reshape(-1, *seen.shape[2:])
    action, done = batch.action.reshape(-1), batch.done.reshape(-1)

    def take(i: jax.Array) -> Played:
        return Played(seen[i], action[i], seen[i + games], done[i])

    def loss(params: Any, part: Played) -> tuple[jax.Array, dict[str, jax.Array]]:
        return bonus.loss(cut(params), part), {}

    orders = ppo.orders(key, len(done), args.bonus_epochs, args.minibatches)
    return ppo.descend(optimizer, loss, learned, take, orders)


def estimate(
    args: Any, bonus: Bonus | None, batch: ppo.Batch, last: jax.Array
) -> jax.Array:
    """Returns the advantages of each reward, (steps, games, rewards)."""
    done = [] if bonus and args.bonus_use == "alone" else [batch.done]
    if bonus and args.bonus_use != "reward":
        done.append(batch.done & bonus.episodic)
    ends = jnp.stack(done, -1)
    return ppo.advantages(batch, ends, last, args.discount, args.trace)


def look_around(
    play: Any, mesh: Any, args: Any, bonus: Bonus, runner: Runner
) -> tuple[Runner, Ends]:
    """Plays `args.bonus_random` random steps to initialize the bonus's statistics."""
    steps = max(1, args.bonus_random // args.envs)

    def random(runner: Runner) -> tuple[Runner, Ends]:
        policy = jax.tree.map(jnp.zeros_like, runner.params["policy"])
        still = runner._replace(params={"policy": policy})
        moved, batch, ends = rollouts.collect(play, args, still, steps)
        weights = bonus.observe(runner.params["bonus"], bonus.view(batch.obs))
        return moved._replace(params={**runner.params, "bonus": weights}), ends

    whole = rollouts.places(mesh), devices.everywhere(mesh)
    return jax.jit(random, donate_argnums=0, out_shardings=whole)(runner)


def objective(args: Any, cut: Any) -> ppo.Objective:
    """Returns the loss of an agent, reduced to the inputs in use, on a minibatch."""
    kind = networks.KINDS[args.network]

    def loss(net: Any, part: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
        batch, advantage = part
        _, logits, value = kind.follow(
            cut(net), batch.memory[0], batch.obs, batch.fresh
        )
        both = [1.0, args.bonus_weight][args.bonus_use == "alone" :]
        weights = jnp.array(both[: advantage.shape[-1]])
        return ppo.loss_of(logits, value, args, batch, advantage, weights)

    return loss


def read_agent(args: Any, like: Any) -> Any:
    """Loads the weights of the training run in `args.agent`.

    Raises:
        TrainingError: If there are none, or they belong to another network.
    """
    path = Path(args.agent, NAME)
    arrays = read_arrays(path)
    settings = json.loads(str(arrays["note"]))["settings"]
    theirs, ours = ({n: o[n] for n in options.AGENT} for o in (settings, vars(args)))
    check_settings(path, theirs, ours)
    return games.unpacked("runner", arrays, like)


class Saved(NamedTuple):
    """Progress of training, as saved in a checkpoint.

    Attributes:
        steps: Steps of all games; ticks, if a step may last longer.
        episodes: Number of finished episodes.
        seconds: Duration over all starts of the program.
        runner: The training state.
    """

    steps: int
    episodes: int
    seconds: float
    runner: Runner


def begin(run: Run, play: Any, runner: Runner) -> Saved | None:
    """Loads the progress from a checkpoint, if any.

    Raises:
        TrainingError: If the folder belongs to another run, or to none.
    """
    arrays = run.load(writes=not jax.process_index())
    if arrays is None:
        return None
    rest = games.unpacked("runner", arrays, runner._replace(games=()))
    runner = rest._replace(games=play.unpack(arrays, runner.games))
    steps, episodes = int(arrays["steps"]), int(arrays["episodes"])
    return Saved(steps, episodes, float(arrays["seconds"]), runner)


def save(run: Run, play: Any, mesh: Any, saved: Saved) -> None:
    """Saves a checkpoint; all processes must call this, and the first one writes."""
    runner = jax.device_get(_gather(mesh)(saved.runner))
    if not jax.process_index():
        counts = {n: getattr(saved, n) for n in ("steps", "episodes", "seconds")}
        rest = games.packed("runner", runner._replace(games=()))
        run.save({**counts, **rest, **play.pack(runner.games)})


@functools.cache
def _gather(mesh: Any) -> Any:
    """Returns the compiled function that gathers all shards of a tree."""
    return jax.jit(lambda tree: tree, out_shardings=devices.everywhere(mesh))


def train(args: argparse.Namespace) -> None:
    """Runs training, resuming from a checkpoint if any.

    Raises:
        SystemExit: If the folder belongs to another run, or another process trains.
    """
    if args.processes > 1:
        jax.distributed.initialize(args.coordinator, args.processes, args.process)
    run = Run(args.outdir, vars(args), options.FREE, FILES)
    try:
        with contextlib.nullcontext() if jax.process_index() else run:
            _train(run, args)
    except TrainingError as error:
        sys.exit(str(error))


def _train(run: Run, args: argparse.Namespace) -> None:
    try:
        play, mesh = games.make(args)
    except ValueError as error:
        raise TrainingError(str(error)) from error
    bonus = make_bonus(args)
    runner = rollouts.begin(play, mesh, args, make_optimizers(args), bonus)
    if args.agent:
        runner = runner._replace(params=read_agent(args, runner.params))
    saved = begin(run, play, runner)
    first = not jax.process_index()
    if saved is None:
        saved = Saved(0, 0, 0.0, runner)
        save(run, play, mesh, saved)
    log = Log(run, args, play, saved.steps, saved.seconds) if first else None

    def went_on(saved: Saved, runner: Runner, ends: Ends, means: Any) -> Saved:
        ends, means = jax.device_get((ends, means))
        steps = saved.steps + int(ends.played)
        if log:
            log.add(steps, saved.episodes, ends, means)
        episodes = saved.episodes + int(np.sum(ends.done))
        return Saved(steps, episodes, log.seconds if log else 0.0, runner)

    update = make_update(play, mesh, args, bonus)
    saved_at = saved.steps
    if bonus and args.bonus_random and not saved.steps:
        moved, ends = look_around(play, mesh, args, bonus, saved.runner)
        saved = went_on(saved, moved, ends, {})
    while saved.steps < args.steps:
        saved = went_on(saved, *update(saved.runner))
        if saved.steps - saved_at >= args.save_every or saved.steps >= args.steps:
            saved_at = saved.steps
            save(run, play, mesh, saved)

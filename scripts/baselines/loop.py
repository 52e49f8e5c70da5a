"""Training: rounds of play and learning, from the checkpoint if there is one."""

from __future__ import annotations

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
import optax
from training.run import NAME, Run, TrainingError, check_settings, read_arrays

from baselines import bonuses, games, networks, options, ppo, rollouts
from baselines.logs import FILES, Log
from baselines.rollouts import Ends, Runner
from crafter.functional import devices


def make_bonus(args: Any) -> bonuses.Bonus | None:
    """Returns the bonus that the command line asks for, if it does."""
    if args.bonus is None:
        return None
    sizes = args.bonus_width, args.bonus_features
    if args.bonus == "e3b":
        return bonuses.E3B(*sizes, args.bonus_ridge)
    return {"rnd": bonuses.RND, "icm": bonuses.ICM}[args.bonus](*sizes)


def make_optimizer(args: Any) -> Any:
    """Returns what learns all weights; those of a bonus have a rate of their own."""
    parts = {"policy": ppo.make_optimizer(args)}
    if args.bonus:
        parts["bonus"] = ppo.make_optimizer(args, args.bonus_rate)
    return optax.multi_transform(parts, lambda params: {name: name for name in params})


def make_update(
    play: Any, mesh: Any, args: Any, optimizer: Any, bonus: bonuses.Bonus | None
) -> Any:
    """Returns the compiled function for one round of play and learning.

    With `args.agent` nothing is learned.

    It gives the runner, the episodes that ended, and means over the round: the `loss`
    and parts of it, and the `bonus` of a step before it is scaled.
    """

    def update(runner: Runner) -> tuple[Runner, Ends, dict[str, jax.Array]]:
        runner, batch, ends = rollouts.collect(play, args, bonus, runner)
        if args.agent:
            return runner, ends, {}
        _, _, last = networks.look(
            runner.params["policy"], runner.memory, runner.obs, runner.fresh
        )
        means = {}
        if bonus:
            means["bonus"] = batch.reward[..., 1].mean()
            runner, batch = scale_bonus(args, runner, batch)
        advantage = estimate(args, bonus, batch, last)
        key, learn_key = jax.random.split(runner.key)
        learned, rows = (runner.params, runner.optimizer), (batch, advantage)
        (params, state), losses = ppo.learn(
            args, optimizer, objective(args, bonus), learned, rows, learn_key
        )
        if bonus:
            seen = bonus.observe(params["bonus"], batch.obs)
            params = {**params, "bonus": seen}
        runner = runner._replace(params=params, optimizer=state, key=key)
        return runner, ends, {**losses, **means}

    whole = devices.everywhere(mesh)
    layout = rollouts.places(mesh), whole, whole
    return jax.jit(update, donate_argnums=0, out_shardings=layout)


def scale_bonus(
    args: Any, runner: Runner, batch: ppo.Batch
) -> tuple[Runner, ppo.Batch]:
    """Returns runner and batch with bonuses in units of their size."""
    raw = batch.reward[..., 1]
    scale, scaled = bonuses.scaled(runner.scale, raw, args.bonus_discount)
    reward = batch.reward.at[..., 1].set(scaled)
    return runner._replace(scale=scale), batch._replace(reward=reward)


def estimate(
    args: Any, bonus: bonuses.Bonus | None, batch: ppo.Batch, last: jax.Array
) -> jax.Array:
    """Returns advantages by each reward, (steps, games, rewards)."""
    done, discounts = [batch.done], [args.discount]
    if bonus:
        done.append(batch.done & bonus.episodic)
        discounts.append(args.bonus_discount)
    ends, per_step = jnp.stack(done, -1), jnp.array(discounts)
    return ppo.advantages(batch, ends, last, per_step, args.trace)


def objective(args: Any, bonus: bonuses.Bonus | None) -> Any:
    """Returns the loss of all weights on a batch and its advantages."""
    weights = jnp.array([1.0, args.bonus_weight] if bonus else [1.0])

    def total(params: Any, part: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
        batch, advantage = part
        loss, parts = ppo.loss(params["policy"], args, batch, advantage, weights)
        if not bonus:
            return loss, parts
        more = bonus.loss(params["bonus"], batch)
        return loss + more, {**parts, "bonus_loss": more}

    return total


def read_agent(args: Any, like: Any) -> Any:
    """Returns the weights that the training in `args.agent` has saved.

    Raises:
        TrainingError: If there are none, or they are of another network.
    """
    path = Path(args.agent, NAME)
    found = read_arrays(path)
    settings = json.loads(str(found["note"]))["settings"]
    theirs, ours = ({n: o[n] for n in options.AGENT} for o in (settings, vars(args)))
    check_settings(path, theirs, ours)
    return games.unpacked("runner", found, like)


class Saved(NamedTuple):
    """Progress of the training; the content of a checkpoint.

    Attributes:
        steps: Steps of all games; ticks, where a step may last longer.
        episodes: Episodes that ended.
        seconds: How long it took, over all starts of the program.
        runner: The rest.
    """

    steps: int
    episodes: int
    seconds: float
    runner: Runner


def begin(run: Run, play: Any, runner: Runner) -> Saved | None:
    """Returns where training stands, if there is a checkpoint.

    Raises:
        TrainingError: If the folder holds another training, or none.
    """
    found = run.load(writes=not jax.process_index())
    if found is None:
        return None
    rest = games.unpacked("runner", found, runner._replace(games=()))
    runner = rest._replace(games=play.unpack(found, runner.games))
    steps, episodes = int(found["steps"]), int(found["episodes"])
    return Saved(steps, episodes, float(found["seconds"]), runner)


def save(run: Run, play: Any, mesh: Any, saved: Saved) -> None:
    """Writes the checkpoint; all processes take part, and the first one writes."""
    runner = jax.device_get(_gather(mesh)(saved.runner))
    if not jax.process_index():
        counts = {n: getattr(saved, n) for n in ("steps", "episodes", "seconds")}
        rest = games.packed("runner", runner._replace(games=()))
        run.save({**counts, **rest, **play.pack(runner.games)})


@functools.cache
def _gather(mesh: Any) -> Any:
    """Returns the compiled function that brings all parts of a tree together."""
    return jax.jit(lambda tree: tree, out_shardings=devices.everywhere(mesh))


def train(args: argparse.Namespace) -> None:
    """Trains, from the checkpoint if there is one.

    Raises:
        SystemExit: If the folder holds another training, or another process trains.
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
    optimizer, bonus = make_optimizer(args), make_bonus(args)
    runner = rollouts.begin(play, mesh, args, optimizer, bonus)
    if args.agent:
        runner = runner._replace(params=read_agent(args, runner.params))
    saved = begin(run, play, runner)
    if saved is None:
        saved = Saved(0, 0, 0.0, runner)
        save(run, play, mesh, saved)
    first, (steps, _, seconds, _) = not jax.process_index(), saved
    log = Log(run, args, play, steps, seconds) if first else None
    update = make_update(play, mesh, args, optimizer, bonus)
    saved_at = saved.steps
    while saved.steps < args.steps:
        runner, ends, means = update(saved.runner)
        ends, means = jax.device_get((ends, means))
        steps = saved.steps + int(ends.played)
        episodes = saved.episodes + int(np.sum(ends.done))
        if log:
            log.add(steps, saved.episodes, ends, means)
        saved = Saved(steps, episodes, log.seconds if log else 0.0, runner)
        if steps - saved_at >= args.save_every or steps >= args.steps:
            saved_at = steps
            save(run, play, mesh, saved)

"""Rollouts: the training state, and collecting experience."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from baselines import networks, ppo
from baselines.bonuses.frame import Bonus, Scale, no_moments
from crafter.functional import devices


class Runner(NamedTuple):
    """Training state, as saved in checkpoints.

    Attributes:
        params: Weights of the `policy`, and of the `bonus` if any.
        optimizer: States of their optimizers, by the same names.
        games: States of the games.
        obs: Current observations.
        memory: Memory of the agent, (games, width or 0).
        fresh: Whether episodes have just started, bool (games,).
        returns: Returns of the current episodes so far, (games,).
        lengths: Steps of the current episodes so far, int32 (games,).
        ticks: Clock ticks in them; more than steps if steps last longer.
        episode: Episodic state of the bonus.
        scale: Running scale of the bonuses.
        key: Key of `jax.random`.
    """

    params: Any
    optimizer: Any
    games: Any
    obs: Any
    memory: Any
    fresh: Any
    returns: Any
    lengths: Any
    ticks: Any
    episode: Any
    scale: Any
    key: Any


class Ends(NamedTuple):
    """Ends of episodes, (steps, games, ...); values so far in other steps.

    Attributes:
        done: Whether an episode ended.
        returns: Its return.
        lengths: Its steps.
        ticks: Its ticks.
        counts: Its achievement counts.
        played: Total ticks of all games in these steps, int32 ().
    """

    done: Any
    returns: Any
    lengths: Any
    ticks: Any
    counts: Any
    played: Any = ()


def places(mesh: Any) -> Runner:
    """Returns the shardings of a runner."""
    games, whole = devices.shared(mesh), devices.everywhere(mesh)
    return Runner(
        params=whole, optimizer=whole, games=games, obs=games, memory=games,
        fresh=games, returns=games, lengths=games, ticks=games,
        episode=games, scale=Scale(games, whole), key=whole,
    )  # fmt: skip


def fresh(
    params: Any, optimizer: Any, games: Any, obs: Any, key: jax.Array, width: int
) -> Runner:
    """Returns a runner of games that have just started, with a memory width."""
    zeros = jnp.zeros(len(obs))
    steps = zeros.astype(jnp.int32)
    return Runner(
        params, optimizer, games, obs, memory=jnp.zeros((len(obs), width)),
        fresh=zeros == 0, returns=zeros, lengths=steps, ticks=steps, episode=(),
        scale=Scale(zeros, no_moments()), key=key,
    )  # fmt: skip


def begin(
    games: Any, mesh: Any, args: Any, optimizers: Any, bonus: Bonus | None
) -> Runner:
    """Returns the initial runner of a training run."""
    kind = networks.KINDS[args.network]

    def start() -> Runner:
        key, net_key, bonus_key, game_key = jax.random.split(
            jax.random.PRNGKey(args.seed), 4
        )
        obs, state = games.reset(game_key)
        actions = games.num_actions
        # Values of the game, of the bonus, or of both.
        critics = 1 + (
            args.bonus is not None and args.bonus_use in ("scaled", "critic")
        )
        net = kind.init(net_key, games.shape, actions, args.width, critics)
        params = {"policy": net}
        if bonus:
            shape = bonus.view(obs).shape[1:]
            params["bonus"] = bonus.init(bonus_key, shape, actions)
        learning = {name: optimizers[name].init(params[name]) for name in params}
        width = args.width * kind.memory
        runner = fresh(params, learning, state, obs, key, width)
        return runner._replace(episode=bonus.begin(args.envs) if bonus else ())

    runner: Runner = jax.jit(start, out_shardings=places(mesh))()
    return runner


def collect(
    games: Any, args: Any, runner: Runner, steps: int | None = None
) -> tuple[Runner, ppo.Batch, Ends]:
    """Collects steps of all games, by default `args.rollout`."""
    kind = networks.KINDS[args.network]

    def play(runner: Runner, _: None) -> tuple[Runner, Any]:
        key, act_key, step_key = jax.random.split(runner.key, 3)
        memory, logits, value = kind.look(
            runner.params["policy"], runner.memory, runner.obs, runner.fresh
        )
        action, log_prob = ppo.choose(act_key, logits)
        obs, state, reward, done, counts, ticks = games.step(
            step_key, runner.games, action
        )
        batch = ppo.Batch(
            runner.obs, (), runner.fresh, action, log_prob, value, reward[:, None], done
        )
        ticks = runner.ticks + 1 if ticks is None else ticks.astype(jnp.int32)
        ends = Ends(done, runner.returns + reward, runner.lengths + 1, ticks, counts)
        runner = runner._replace(
            games=state, obs=obs, memory=memory, fresh=done, key=key,
            returns=jnp.where(done, 0.0, ends.returns),
            lengths=jnp.where(done, 0, ends.lengths),
            ticks=jnp.where(done, 0, ticks),
        )  # fmt: skip
        return runner, (batch, ends)

    after, (batch, ends) = jax.lax.scan(play, runner, None, steps or args.rollout)
    ended = jnp.where(ends.done, ends.ticks, 0).sum()
    ends = ends._replace(played=ended + after.ticks.sum() - runner.ticks.sum())
    return after, batch._replace(memory=runner.memory[None]), ends

"""Training loop on a curriculum of levels, resuming from a checkpoint if any."""

import argparse
import functools
import sys
import time
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from tqdm import tqdm
from training.run import Run, TrainingError

from baselines import games, loop, networks, rollouts
from baselines.rollouts import Runner
from baselines.ued import buffer as buffers
from baselines.ued import levels, options, scores
from baselines.ued.evaluation import Evaluation, start
from baselines.ued.logs import CURVE, EVALUATION, FILES, Log, ended
from baselines.ued.options import CHANGED, KINDS, NEW, REPLAY
from crafter.functional import devices

CHECKPOINTS = 10  # evaluations per training run
MAPS = 4  # maps of levels saved at each of them


class State(NamedTuple):
    """Training state between rounds.

    Attributes:
        params: Weights of the `policy`.
        optimizer: State of its optimizer.
        buffer: Levels to replay.
        places: Its slots of the last replay, int32 (games,).
        kind: Index of the last round's kind in `KINDS`, int32 ().
        rounds: Number of rounds, int32 ().
        seconds: Their duration, float32 ().
    """

    params: Any
    optimizer: Any
    buffer: buffers.Buffer
    places: jax.Array
    kind: jax.Array
    rounds: jax.Array
    seconds: jax.Array


class Curriculum:
    """Parts of a training round; all steps of a round use the same levels.

    Args:
        args: The command line.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self.env = games.make_env(args, auto_reset=False)
        self.mesh = devices.make_mesh(args.envs, jax.devices()[:1])
        self.play = levels.LevelGames(self.env, self.mesh, args.envs)
        self._collect, self._learn = loop.make_parts(self.play, self.mesh, args, None)
        begin = functools.partial(start, self.play)
        self._start = jax.jit(begin, donate_argnums=(0, 1))
        self._measure = jax.jit(self._measured)
        self._sample = jax.jit(jax.vmap(levels.maker(args, self.env)))
        self._draw = jax.jit(self._drawn)
        self._keep = jax.jit(self._kept, static_argnames="kind", donate_argnums=0)
        if args.mutate:
            self._change = jax.jit(jax.vmap(levels.changer(args, self.env)))

    def begin(self) -> State:
        """Returns the state before the first round."""
        args, optimizers = self._args, loop.make_optimizers(self._args)
        runner = rollouts.begin(self.play, self.mesh, args, optimizers, None)
        level = jax.eval_shape(levels.maker(args, self.env), jax.random.key(0))
        buffer = buffers.empty(level, args.buffer)
        nothing = jnp.zeros(args.envs, jnp.int32), jnp.int32(0), jnp.int32(0)
        return State(runner.params, runner.optimizer, buffer, *nothing, jnp.float32(0))

    def next_kind(self, state: State, key: jax.Array) -> str:
        """Returns the kind of the next round."""
        if self._args.mutate and KINDS[int(state.kind)] == REPLAY:
            return CHANGED
        full = float(buffers.filled(state.buffer).mean()) >= buffers.FULL_ENOUGH
        replays = full and float(jax.random.uniform(key)) < self._args.replay
        return REPLAY if replays else NEW

    def choose(self, state: State, kind: str, key: jax.Array) -> tuple[State, Any]:
        """Returns the levels of a round of a kind."""
        keys = jax.random.split(key, self._args.envs)
        if kind == NEW:
            return state, self._sample(keys)
        if kind == REPLAY:
            buffer, places = self._draw(state.buffer, key)
            state = state._replace(buffer=buffer, places=places)
        chosen = jax.tree.map(lambda leaf: leaf[state.places], state.buffer.levels)
        return state, self._change(keys, chosen) if kind == CHANGED else chosen

    def _drawn(self, buffer: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        return buffers.draw(self._args, buffer, key, self._args.envs)

    def maps(self, buffer: buffers.Buffer) -> np.ndarray:
        """Returns maps of the levels most likely to be replayed, (number, ...)."""
        order = jnp.argsort(-buffers.chances(self._args, buffer))
        order = order[: min(MAPS, int(buffers.filled(buffer).sum()))]
        likely = jax.tree.map(lambda leaf: leaf[order], buffer.levels)
        return np.asarray(levels.MODULES[self._args.game].map_of(likely))

    def round(
        self, state: State, key: jax.Array
    ) -> tuple[State, dict[str, Any], list[Any]]:
        """Plays a round; returns its statistics, and the ends of episodes."""
        args = self._args
        kind_key, level_key, play_key = jax.random.split(key, 3)
        kind = self.next_kind(state, kind_key)
        state, chosen = self.choose(state, kind, level_key)
        runner = self._start(state.params, state.optimizer, chosen, play_key)
        sums, means, ends = scores.no_sums(args.envs), [], []
        for _ in range(args.outer):
            runner, batch, finished, used = self._collect(runner)
            sums = self._measure(sums, runner, batch, finished)
            ends.append(jax.device_get(finished))
            if kind in args.learn_from:
                runner, parts = self._learn(runner, batch, used)
                means.append(jax.device_get(parts))
        buffer, values = self._keep(state.buffer, state.places, chosen, sums, kind=kind)
        finite = np.asarray(values)[np.isfinite(values)]
        row = {"kind": kind, "score": finite.mean() if len(finite) else np.nan}
        row |= {n: np.mean([p[n] for p in means]) for n in (means[0] if means else ())}
        row["levels"] = int(buffers.filled(buffer).sum())
        state = state._replace(
            params=runner.params, optimizer=runner.optimizer, buffer=buffer,
            kind=jnp.int32(KINDS.index(kind)), rounds=state.rounds + 1,
        )  # fmt: skip
        return state, row, ends

    def _measured(self, sums: Any, runner: Runner, batch: Any, ends: Any) -> Any:
        """Returns the sums of a round after a rollout, before learning from it."""
        kind, net = networks.KINDS[self._args.network], runner.params["policy"]
        *_, last = kind.look(net, runner.memory, runner.obs, runner.fresh)
        advantages = loop.estimate(self._args, None, batch, last)[..., 0]
        values = batch.value[..., 0]
        return scores.measure(self._args.score, sums, values, advantages, ends)

    def _kept(
        self, buffer: Any, places: jax.Array, chosen: Any, sums: Any, kind: str
    ) -> tuple[Any, jax.Array]:
        """Updates the buffer after a round; returns it and the scores of its levels."""
        best = sums.best
        if kind == REPLAY:
            best = jnp.maximum(best, buffer.best[places])
        values = scores.scores(self._args.score, sums, best)
        if kind == REPLAY:
            return buffers.update(buffer, places, values, best), values
        return buffers.insert(self._args, buffer, chosen, values, best), values


def train(args: argparse.Namespace) -> None:
    """Runs training, resuming from a checkpoint if any.

    Raises:
        SystemExit: If the folder belongs to another run, or another process trains.
    """
    try:
        with Run(args.outdir, vars(args), options.FREE, FILES) as run:
            _train(run, args)
    except TrainingError as error:
        sys.exit(str(error))


def _train(run: Run, args: argparse.Namespace) -> None:
    curriculum = Curriculum(args)
    evaluation = Evaluation(curriculum.env, curriculum.mesh, args)
    state = curriculum.begin()
    arrays = run.load()
    if arrays is not None:
        state = games.unpacked("state", arrays, state)
    log, key = Log(run, curriculum.play.names), jax.random.key(args.seed)
    size = args.envs * args.rollout * args.outer
    number, saved = max(1, args.steps // size), int(state.rounds)
    checks = {-(-number * k // CHECKPOINTS) for k in range(1, CHECKPOINTS + 1)}
    begin = time.monotonic() - float(state.seconds)
    for now in tqdm(range(saved + 1, number + 1), unit="round", disable=None):
        round_key = jax.random.fold_in(key, now)
        state, row, ends = curriculum.round(state, round_key)
        seconds, steps = time.monotonic() - begin, now * size
        row |= {"round": now, "steps": steps, "seconds": seconds}
        log.add(CURVE, row, ended(ends))
        if now in checks:
            results = evaluation.play(state.params, jax.random.fold_in(round_key, 0))
            for level, result in enumerate(results):
                log.add(EVALUATION, {"steps": steps, "level": level}, result)
            log.add_maps(steps, curriculum.maps(state.buffer))
        if (now - saved) * size >= args.save_every or now == number:
            saved, state = now, state._replace(seconds=jnp.float32(seconds))
            run.save(games.packed("state", jax.device_get(state)))

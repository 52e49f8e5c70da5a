"""The part of scripts/benchmark.py that measures the engine in JAX.

    python scripts/benchmark.py --jax                         our engine
    python scripts/benchmark.py --jax --published-craftax     and Craftax-Classic
    python scripts/benchmark.py --jax --stages                where our time goes
    python scripts/benchmark.py --jax --games 1024 65536 1048576 --craftax-games 1024 \
        65536 --published-craftax --stages                    for a GPU

Each size of each package is compiled once and then played in alternating rounds, with
random actions and auto-reset, all inside one scan. Craftax is installed into a folder
of its own; it uses the same JAX.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

import crafter.batch.jax as crafter_jax
from crafter.batch.jax import balance, levels, step
from crafter.functional import random

CRAFTAX = "craftax"
_ACTIONS = 17
# Games that start together die together; after so many steps they no longer do.
_WARM_UP = 400
# Craftax makes a world in every step, so its speed does not depend on the warm-up.
_LONGEST_WARM_UP = 30.0  # seconds


class Subject(NamedTuple):
    """What is measured.

    Attributes:
        label: Package, observation and number of games.
        run: Plays a number of steps in all games and returns steps per second.
        steps: How many it plays in each game.
        compile_seconds: Time to compile reset and step.
        bytes_per_game: Size of a state.
    """

    label: str
    run: Callable[[], float]
    steps: int
    compile_seconds: float
    bytes_per_game: int


def install_craftax(folder: Path) -> None:
    """Install Craftax, unless the folder has it; our own packages come first."""
    if not any(folder.glob(f"{CRAFTAX}-*.dist-info")):
        command = [sys.executable, "-m", "pip", "install", "--quiet"]
        subprocess.run([*command, "--target", str(folder), CRAFTAX], check=True)
    sys.path.append(str(folder))


def make_craftax(kind: str) -> Any:
    """Return Craftax-Classic with auto-reset."""
    from craftax.craftax_env import (  # type: ignore[import-not-found]
        make_craftax_env_from_name,
    )

    name = f"Craftax-Classic-{kind.capitalize()}-v1"
    return make_craftax_env_from_name(name, auto_reset=True)


def prepare(label: str, env: Any, games: int, steps: int) -> Subject:
    """Compile an environment for a number of games."""
    params, key = env.default_params, jax.random.key(0)
    step_all = jax.vmap(env.step, (0, 0, 0, None))
    keys = jax.random.split(key, games)
    reset = jax.jit(jax.vmap(env.reset, (0, None)))
    start = time.perf_counter()
    compiled_reset = reset.lower(keys, params).compile()
    obs, state = compiled_reset(keys, params)
    actions = jnp.zeros(games, jnp.int32)
    jax.jit(step_all).lower(keys, state, actions, params).compile()
    compile_seconds = time.perf_counter() - start

    def play(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        def one(carry: Any, key: jax.Array) -> tuple[Any, jax.Array]:
            act_key, step_key = jax.random.split(key)
            actions = jax.random.randint(act_key, (games,), 0, _ACTIONS)
            keys = jax.random.split(step_key, games)
            obs, state, reward, _, _ = step_all(keys, carry[0], actions, params)
            return (state, obs), reward.sum()

        (state, obs), rewards = jax.lax.scan(
            one, (state, obs_zero), jax.random.split(key, steps)
        )
        return state, rewards.sum() + obs.sum(dtype=jnp.float32)

    obs_zero = jnp.zeros_like(obs)
    play_compiled = jax.jit(play, donate_argnums=0).lower(state, key).compile()
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(state)) // games
    games_now = [state, 0]

    def run() -> float:
        begin = time.perf_counter()
        games_now[1] += 1
        games_now[0], total = play_compiled(
            games_now[0], jax.random.fold_in(key, games_now[1])
        )
        jax.block_until_ready(total)
        return games * steps / (time.perf_counter() - begin)

    return Subject(f"{label} {games:,} games", run, steps, compile_seconds, size)


def warm_up(subject: Subject) -> None:
    """Let games come to different moments of their lives."""
    begin = time.perf_counter()
    for _ in range(-(-_WARM_UP // subject.steps)):
        subject.run()
        if time.perf_counter() - begin > _LONGEST_WARM_UP:
            break


def measure(args: argparse.Namespace) -> None:
    """Measure all kinds and sizes and print a table."""
    if args.stages:
        for games in args.games:
            print_stages(args.kinds, games, args.rounds)
    else:
        print_rates(args)


def print_stages(kinds: list[str], games: int, rounds: int) -> None:
    """Print what the parts of a step cost, each compiled by itself."""
    env = crafter_jax.make("Crafter-Compact-v1")
    config = env.config
    key = jax.random.key(0)
    _, state = jax.jit(jax.vmap(env.reset))(jax.random.split(key, games))
    shapes = step.draw_shapes(config)
    draws = {
        name: jax.random.uniform(key, (games, *shape)) for name, shape in shapes.items()
    }
    actions = jax.random.randint(key, (games,), 0, _ACTIONS)
    words = jax.vmap(random.words)(jax.random.split(key, games))

    def act(state: Any, action: Any, player: Any, objects: Any) -> Any:
        return step.act(config, state, action, player, objects)

    def balanced(state: Any, numbers: Any) -> Any:
        return balance.balance(config, state, numbers)

    stages: dict[str, tuple[Any, ...]] = {
        "player and creatures": (
            act,
            state,
            actions,
            draws["player"],
            draws["objects"],
        ),
        "balance, every 10 steps": (balanced, state, draws["balance"]),
        "new world": (lambda words: levels.sample(config, words), words),
    }
    for kind in kinds:
        see = crafter_jax.make(f"Crafter-{kind.capitalize()}-v1").get_obs
        stages[f"{kind} observation"] = (see, state)
    print(f"{jax.devices()[0].device_kind}, {games:,} games, microseconds per game")
    for name, (function, *arguments) in stages.items():
        compiled = jax.jit(jax.vmap(function)).lower(*arguments).compile()
        jax.block_until_ready(compiled(*arguments))
        times = []
        for _ in range(rounds):
            begin = time.perf_counter()
            jax.block_until_ready(compiled(*arguments))
            times.append(time.perf_counter() - begin)
        print(f"{name:36} {statistics.median(times) / games * 1e6:12.4f}")


def print_rates(args: argparse.Namespace) -> None:
    """Print steps per second and compile times."""
    subjects = []
    for kind in args.kinds:
        for games in args.games:
            env = crafter_jax.make(f"Crafter-{kind.capitalize()}-v1")
            subjects.append(prepare(f"ours {kind}", env, games, args.jax_steps))
    if args.published_craftax:
        install_craftax(args.craftax_folder)
        for kind in args.kinds:
            for games in args.craftax_games if kind != "compact" else ():
                env = make_craftax(kind)
                label = f"{CRAFTAX} {kind}"
                subjects.append(prepare(label, env, games, args.craftax_steps))
    for subject in subjects:
        warm_up(subject)
    rounds = [[subject.run() for subject in subjects] for _ in range(args.rounds)]
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}")
    print(f"{'':36} {'steps/s':>12} {'compile s':>10} {'bytes/game':>11}")
    for subject, rates in zip(subjects, zip(*rounds)):
        rate = statistics.median(rates)
        print(
            f"{subject.label:36} {rate:12,.0f} {subject.compile_seconds:10.1f} "
            f"{subject.bytes_per_game:11,}"
        )

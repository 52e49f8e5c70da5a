"""Timed random play: `python -m crafter.run_random`.

Source:
  Crafter 1.8.3, `run_random`: the same options, printed lines, and actions for a given
  seed.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.core import arguments, options
from crafter.games.crafter.env import Env
from crafter.recorder import Recorder

_COUNTED = {"Coal": "coal", "Iron": "iron", "Diamonds": "diamond"}
_COLUMN = 15  # width of the names of counters
OPTIONS: options.Table = {
    "length": (10000, arguments.not_negative, "steps per episode; 0: no limit"),
    "health": (None, arguments.positive, "maximum and initial health (default: 9)"),
    "record": (None, str, "record statistics, videos and episodes into this folder"),
    "episodes": (1, arguments.positive, "number of episodes"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program.

    Args:
      argv: Command-line arguments; those of the process by default.

    Raises:
      SystemExit: If an argument is invalid.
    """
    parser = make_parser()
    args = parser.parse_args(argv)
    try:
        random = np.random.RandomState(args.seed)
        env = open_env(args)
    except (ValueError, OSError, gymnasium.error.DependencyNotInstalled) as error:
        parser.error(str(error))
    try:
        for _ in range(args.episodes):
            play_episode(env, random)
    except KeyboardInterrupt:
        print("Interrupted.")
    finally:
        env.close()


def make_parser() -> argparse.ArgumentParser:
    """Returns the command-line parser."""
    text = "Play episodes with random actions and report the speed."
    name = "python -m crafter.run_random"
    return options.make_parser(text, OPTIONS, arguments.WORLD, prog=name)


def open_env(args: argparse.Namespace) -> gymnasium.Env:
    """Returns the environment described by the options, with a recorder if requested.

    Raises:
      ValueError: If the environment rejects an option.
      OSError: If the folder of recordings cannot be written.
      gymnasium.error.DependencyNotInstalled: If the video writer is missing.
    """
    env = Env(
        area=tuple(args.area),
        length=args.length,
        seed=args.seed,
        textures=args.textures,
        items=arguments.item_overrides(args.health),
        rules=args.rules,
    )
    return Recorder(env, args.record)


def play_episode(env: gymnasium.Env, random: np.random.RandomState) -> None:
    """Plays one episode with random actions and prints its statistics."""
    start = time.perf_counter()
    env.reset()
    print(f"\nReset time: {1000 * (time.perf_counter() - start):.2f}ms")
    game: Any = env.unwrapped
    for name, material in _COUNTED.items():
        if material in game.rules.materials:
            count = game.world.count(material)
            print(f"{name + ' exist:':<{_COLUMN}} {count}")
    start = time.perf_counter()
    steps, done = 0, False
    while not done:
        action = random.randint(0, env.action_space.n)  # type: ignore[attr-defined]
        _, _, terminated, truncated, _ = env.step(action)
        done = terminated or truncated
        steps += 1
    duration = (time.perf_counter() - start) / steps
    print(f"Step time: {1000 * duration:.2f}ms ({int(1 / duration)} FPS)")
    print(f"Episode length: {steps}")


if __name__ == "__main__":
    main()

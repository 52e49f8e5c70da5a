"""Success rates of agents on a task, on held-out scenes."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np

from crafter.scoring.statistics import wilson_interval

SPLIT = "val"
_ENV = "CrafterTask-v1"

#: Maps observations, one per game, to an action per game.
Act = Callable[[Any], np.ndarray]


def describe(row: Mapping[str, Any]) -> str:
    """Formats a row of `success.jsonl`, with the 95 % Wilson interval.

    Args:
      row: `agent`, its name; `steps` of training; and how many `attempts` were `done`.
    """
    done, attempts = row["done"], row["attempts"]
    low, high = wilson_interval(done, attempts)
    return (
        f"{row['agent']} after {row['steps']} steps does {done} of {attempts} scenes, "
        f"{100 * done / attempts:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
    )


def random_actions(seed: int, actions: int = 17) -> Act:
    """Return an agent that samples actions uniformly."""
    generator = np.random.default_rng(seed)
    return lambda obs: generator.integers(actions, size=len(obs))


def measure(act: Act, count: int, batched: bool, **game: Any) -> np.ndarray:
    """Play one episode in each of the first scenes of the split.

    Args:
      act: The agent.
      count: Number of scenes.
      batched: Whether to use the batched engine.
      **game: Environment arguments, such as `task`.

    Returns:
      Whether each episode was successful, bool (count,).
    """
    mode = {"scenes": count} if batched else {"vectorization_mode": "sync"}
    envs = gymnasium.make_vec(_ENV, count, split=SPLIT, **mode, **game)
    with contextlib.closing(envs):
        obs, _ = envs.reset(seed=0)
        playing = np.ones(count, bool)
        done = np.zeros(count, bool)
        while playing.any():
            obs, rewards, terminated, truncated, _ = envs.step(act(obs))
            done |= playing & (rewards > 0)  # 1 in the step that achieves the goal
            playing &= ~(terminated | truncated)
    return done

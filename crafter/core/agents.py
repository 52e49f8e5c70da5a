"""Pretrained agents shipped with the package; NumPy only.

    agent = load_agent("crafter/ppo-gru")
    env = gymnasium.make("CrafterReward-v1", observation=agent.observation)
    obs, _ = env.reset()
    memory = agent.start()
    chances, memory = agent.act(obs, memory)

A file is an npz with the network weights and a text `about`: JSON with the game, the
observation kind, the digest of the rules and the training options. Task inputs are
appended to the observation; `crafter.tasks.episodes.conditioning` creates them.
`scripts/export_agent.py` writes such files.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crafter.core import npz

_ACTIVATIONS: Mapping[str, Callable[[Any], Any]] = {
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}


@dataclasses.dataclass(frozen=True)
class Agent:
    """A pretrained agent, as returned by `load_agent`.

    Attributes:
      name: Its name.
      weights: Weights by name, float32.
      about: Metadata of the file: `game`, `observation`, `setup`, `digest` of the
        rules, `activation` and training options; `told` holds the `kind` and `size` of
        the task input, if any.
    """

    name: str
    weights: Mapping[str, np.ndarray]
    about: Mapping[str, Any]

    @property
    def game(self) -> str:
        """Name of the game."""
        return str(self.about["game"])

    @property
    def observation(self) -> str:
        """Kind of observations."""
        return str(self.about["observation"])

    @property
    def told_size(self) -> int:
        """Size of the task input; 0 for none."""
        return int(self.about.get("told", {}).get("size", 0))

    def start(self, games: int | None = None) -> np.ndarray:
        """Returns the initial memory of an episode.

        Args:
          games: Batch size; without it, the result has no batch axis.

        Returns:
          Zeros, (width,) or (games, width); width is 0 for agents without memory.
        """
        width = len(self.weights["candidate/b"]) if "gates/w" in self.weights else 0
        return np.zeros((width,) if games is None else (games, width), np.float32)

    def act(
        self, obs: Any, memory: np.ndarray, told: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns action probabilities and the updated memory.

        Args:
          obs: Observation of any engine, (size,) or (games, size).
          memory: Memory of the previous step, or from `start`; rows of games that have
            just been reset must be 0.
          told: Task input, float32 (..., size); zeros by default.

        Raises:
          ValueError: If the observation has the wrong shape.
        """
        x = np.asarray(obs, np.float32)
        inputs = len(self.weights[f"{self._first}/0/w"])
        size = inputs - self.told_size
        if x.shape[-1:] != (size,) or x.ndim != memory.ndim:
            shapes = f"({size},) or (games, {size})"
            raise ValueError(
                f"{self.name} expects {self.observation} observations of shape "
                f"{shapes}, like its memory {memory.shape}, got {x.shape}."
            )
        if self.told_size:
            words = np.zeros(self.told_size) if told is None else told
            rows = np.broadcast_to(words, (*x.shape[:-1], self.told_size))
            x = np.concatenate([x, rows.astype(np.float32)], -1)
        activation = _ACTIVATIONS[self.about["activation"]]
        if self._first == "encoder":
            x = activation(self._layer("encoder/0", x))
        if "gates/w" in self.weights:
            memory = x = self._recur(memory, x)
        depth = sum(n.startswith("actor/") for n in self.weights) // 2
        for number in range(depth - 1):
            x = activation(self._layer(f"actor/{number}", x))
        logits = self._layer(f"actor/{depth - 1}", x).astype(np.float64)
        chances = np.exp(logits - logits.max(-1, keepdims=True))
        return chances / chances.sum(-1, keepdims=True), memory

    def check(self, env: Any) -> None:
        """Checks that an environment has this agent's game and rules.

        Raises:
          ValueError: If the game or the rules differ.
        """
        game, digest = env.unwrapped.game, env.unwrapped.rules.digest
        if game != self.game or digest != self.about["digest"]:
            raise ValueError(
                f"{self.name} plays {self.game} with the rules "
                f"{self.about['digest']}, got {game} with {digest}."
            )

    @property
    def _first(self) -> str:
        return "encoder" if "encoder/0/w" in self.weights else "actor"

    def _layer(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}/w"] + self.weights[f"{name}/b"]

    def _recur(self, memory: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Returns the next GRU state."""
        gates = self._layer("gates", np.concatenate([memory, x], -1))
        update, reset = np.split(1 / (1 + np.exp(-gates)), 2, -1)
        both = np.concatenate([reset * memory, x], -1)
        return (1 - update) * memory + update * np.tanh(self._layer("candidate", both))


def _agent_files() -> dict[str, pathlib.Path]:
    """Returns the files of the shipped agents, by name."""
    paths = pathlib.Path(__file__).parents[1].glob("games/*/agents/*.npz")
    return {f"{path.parents[1].name}/{path.stem}": path for path in sorted(paths)}


def agent_names() -> tuple[str, ...]:
    """Returns the names of the shipped agents."""
    return tuple(_agent_files())


def load_agent(name: str) -> Agent:
    """Loads a pretrained agent.

    Args:
      name: One of `agent_names`, or the path of an `.npz` file.

    Raises:
      OSError: If the file cannot be read.
      ValueError: If there is no such agent, or the file is not one.
    """
    shipped = _agent_files()
    if name not in shipped and not name.endswith(".npz"):
        raise ValueError(
            f"Unknown agent {name!r}; choose from {', '.join(shipped)} or an .npz file."
        )
    try:
        arrays = npz.read(shipped.get(name, pathlib.Path(name).expanduser()))
        about = json.loads(str(arrays.pop("about")))
        weights = {key: value.astype(np.float32) for key, value in arrays.items()}
        return Agent(name, weights, about)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{name} is not an agent: {error!r}") from error

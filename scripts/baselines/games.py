"""Games, on the engine in JAX or on the compiled one, behind one interface.

All have `names`, the achievements; `num_actions`; `shape`, that of an observation;
`reset(key)`, which returns observations and games; `step(key, games, action)`, which
returns observations, games, rewards, whether episodes ended, and how often these
reached each achievement; and `pack` and `unpack` for checkpoints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np

import crafter.games.crafter.jax as crafter_jax
from crafter import constants
from crafter.functional import devices

GAMES = ("crafter", "craftax")
ENGINES = ("jax", "compiled")
OBSERVATIONS = {"mlp": "Symbolic", "gru": "Symbolic", "cnn": "Pixels"}  # of networks
PREFIX = "Achievements/"  # of infos


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
        self.num_actions = int(env.num_actions)
        key = jax.random.key(0)
        obs, state = jax.eval_shape(env.reset, key)
        *_, info = jax.eval_shape(env.step_env, key, state, np.int32(0))
        self.shape = obs.shape
        self.names = tuple(n.removeprefix(PREFIX) for n in info if n.startswith(PREFIX))

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Starts all games."""
        obs, games = self._reset(jax.random.split(key, self._count))
        return obs, games

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Takes a step in all games."""
        keys = jax.random.split(key, self._count)
        obs, games, reward, done, info = self._step(
            keys, games, action, self._env.default_params
        )
        return obs, games, reward, done, self._counts(info)

    def _counts(self, info: dict[str, Any]) -> jax.Array:
        """Returns counts int32 (games, achievements); 0 or 1 if a game counts none."""
        if "counts" in info:
            return jnp.stack([info["counts"][name] for name in self.names], -1)
        reached = [info[PREFIX + name] > 0 for name in self.names]
        return jnp.stack(reached, -1).astype(jnp.int32)

    def pack(self, games: Any) -> dict[str, np.ndarray]:
        """Returns games as named arrays."""
        return packed("games", games)

    def unpack(self, found: Mapping[str, np.ndarray], games: Any) -> Any:
        """Returns the games of `pack`; some games say how they are laid out."""
        return unpacked("games", found, games)


class CompiledGames:
    """Games of the batched engine, which draw their own random numbers.

    Args:
        kind: Kind of the observation.
        count: Number of games.
        seed: Game i is that of `seed + i`.
    """

    def __init__(self, kind: str, count: int, seed: int) -> None:
        self._envs = make_batch(kind, count)
        self._envs.reset(seed=seed)
        self.names = tuple(sorted(constants.achievements))
        self.num_actions = int(self._envs.single_action_space.n)
        self.shape = self._envs.single_observation_space.shape
        self._handle, self._recv, _, self._step = self._envs.xla()

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Looks at all games."""
        handle, (obs, *_) = self._recv(self._handle)
        return obs, handle

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Takes a step in all games."""
        handle, (obs, reward, terminated, truncated, info) = self._step(games, action)
        reached = info["final_info"]["achievements"]
        counts = jnp.stack([reached[name] for name in self.names], -1)
        return obs, handle, reward, terminated | truncated, counts

    def pack(self, games: Any) -> dict[str, np.ndarray]:
        """Returns the games, which are in this process, as named arrays."""
        return {
            f"games/{i}/{name}": value
            for i, state in enumerate(self._envs.get_state())
            for name, value in state.items()
        }

    def unpack(self, found: Mapping[str, np.ndarray], games: Any) -> Any:
        """Goes on with the games of `pack`; returns the handle of this process."""
        states: list[dict[str, np.ndarray]] = [{} for _ in range(self._envs.num_envs)]
        for key in found:
            if key.startswith("games/"):
                _, number, name = key.split("/", 2)
                states[int(number)][name] = found[key]
        self._envs.set_state(states)
        return games


def make_batch(kind: str, count: int) -> Any:
    """Returns a batch; it has a method `xla`, which others do not."""
    return gymnasium.make_vec(
        "crafter:CrafterReward-v1",
        num_envs=count,
        observation=kind,
        autoreset_mode="SameStep",
        info_keys=["achievements"],
        copy=False,
    )


def packed(name: str, tree: Any) -> dict[str, Any]:
    """Returns the leaves of a tree as named arrays."""
    return {f"{name}/{i}": leaf for i, leaf in enumerate(jax.tree.leaves(tree))}


def unpacked(name: str, found: Mapping[str, np.ndarray], like: Any) -> Any:
    """Returns the tree of `packed`, on the devices on which a tree like it lies."""

    def placed(old: jax.Array, new: np.ndarray) -> jax.Array:
        part_of = new.__getitem__
        return jax.make_array_from_callback(old.shape, old.sharding, part_of)

    leaves, tree = jax.tree.flatten(like)
    rows = [placed(leaf, found[f"{name}/{i}"]) for i, leaf in enumerate(leaves)]
    return jax.tree.unflatten(tree, rows)


def make_env(args: Any) -> Any:
    """Returns the game in JAX that the command line asks for."""
    name = f"{args.game.capitalize()}-{OBSERVATIONS[args.network]}-v1"
    options = {"float_pixels": False} if args.network == "cnn" else {}
    return crafter_jax.make(name, **options)


def make(args: Any) -> tuple[Any, Any]:
    """Returns the games that the command line asks for, and the devices."""
    if args.engine == "compiled":
        mesh = devices.make_mesh(args.envs, jax.devices("cpu")[:1])
        kind = OBSERVATIONS[args.network].lower()
        return CompiledGames(kind, args.envs, args.seed), mesh
    mesh = devices.make_mesh(args.envs, jax.devices())
    return JaxGames(make_env(args), mesh, args.envs), mesh

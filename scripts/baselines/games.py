"""Games on the JAX engine or the compiled one, behind one interface.

All have `names`, the achievements; `num_actions`; `setup`, the label of the rules;
`shape`, that of an observation; `reset(key)`, which returns observations and games;
`step(key, games, action)`, which returns observations, games, rewards, dones,
achievement counts of episodes, and ticks of episodes so far, or `None` if every step is
one tick; and `pack` and `unpack` for checkpoints. With masks, observations end with the
action mask.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np

import crafter.games.crafter.jax as crafter_jax
from crafter.core.game import DEFAULT_SETUP
from crafter.core.pictures import nearest_indices
from crafter.functional import devices

GAMES = ("crafter", "craftax")
ENGINES = ("jax", "compiled")
PICTURES = ("pixels", "grey")
OBSERVATIONS = ("symbolic", "puffer", *PICTURES)
#: Game -> id of its batched environment.
BATCHES = {"crafter": "CrafterReward-v1", "craftax": "Craftax-Symbolic-v1"}
PREFIX = "Achievements/"  # of infos
SIDE, FRAMES = 84, 4  # pixels of grey frames, and how many are stacked


class JaxGames:
    """JAX games, sharded over devices.

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
        self.setup = getattr(env, "setup", DEFAULT_SETUP)
        key = jax.random.key(0)
        obs, state = jax.eval_shape(env.reset, key)
        *_, info = jax.eval_shape(env.step_env, key, state, np.int32(0))
        self.shape = obs.shape
        self.names = tuple(n.removeprefix(PREFIX) for n in info if n.startswith(PREFIX))

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Starts all games."""
        obs, games = self._reset(jax.random.split(key, self._count))
        return self._with_mask(obs, games), games

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Steps all games."""
        keys = jax.random.split(key, self._count)
        obs, games, reward, done, info = self._step(
            keys, games, action, self._env.default_params
        )
        seen, ticks = self._with_mask(obs, games), info.get("ticks")
        return seen, games, reward, done, self._counts(info), ticks

    def _with_mask(self, obs: jax.Array, games: Any) -> jax.Array:
        if getattr(self._env, "action_masks", None) is None:
            return obs
        return with_mask(obs, jax.vmap(self._env.action_mask)(games))

    def _counts(self, info: dict[str, Any]) -> jax.Array:
        """Returns counts, int32 (games, achievements); 0 or 1 without game counts."""
        if "counts" in info:
            return jnp.stack([info["counts"][name] for name in self.names], -1)
        reached = [info[PREFIX + name] > 0 for name in self.names]
        return jnp.stack(reached, -1).astype(jnp.int32)

    def pack(self, games: Any) -> dict[str, np.ndarray]:
        """Converts games to named arrays."""
        return packed("games", games)

    def unpack(self, arrays: Mapping[str, np.ndarray], games: Any) -> Any:
        """Restores the games of `pack`, with the shardings of given games."""
        return unpacked("games", arrays, games)


class CompiledGames:
    """Games of the batched engine, which draw their own random numbers.

    Args:
        envs: The vector environment, which has a method `xla`.
        seed: Game i has the seed `seed + i`.
    """

    def __init__(self, envs: Any, seed: int) -> None:
        self._envs = envs
        self._envs.reset(seed=seed)
        self.names = tuple(sorted(envs.achievement_names))
        self.num_actions = int(envs.single_action_space.n)
        self.setup = getattr(envs, "setup", DEFAULT_SETUP)
        self.shape = self._envs.single_observation_space.shape
        self._handle, self._recv, _, self._step = self._envs.xla()

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Returns the current observations of all games."""
        handle, (obs, *_, info) = self._recv(self._handle)
        return self._with_mask(obs, info), handle

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Steps all games."""
        handle, (obs, reward, terminated, truncated, info) = self._step(games, action)
        reached = info["final_info"]["achievements"]
        counts = jnp.stack([reached[name] for name in self.names], -1)
        done, ticks = terminated | truncated, None
        if "ticks" in info:
            ticks = jnp.where(done, info["final_info"]["ticks"], info["ticks"])
        return self._with_mask(obs, info), handle, reward, done, counts, ticks

    @staticmethod
    def _with_mask(obs: jax.Array, info: Mapping[str, Any]) -> jax.Array:
        mask = info.get("action_mask")
        return obs if mask is None else with_mask(obs, mask)

    def pack(self, games: Any) -> dict[str, np.ndarray]:
        """Converts the games of this process to named arrays."""
        return {
            f"games/{i}/{name}": value
            for i, state in enumerate(self._envs.get_state())
            for name, value in state.items()
        }

    def unpack(self, arrays: Mapping[str, np.ndarray], games: Any) -> Any:
        """Restores the games of `pack`; returns the handle of this process."""
        states: list[dict[str, np.ndarray]] = [{} for _ in range(self._envs.num_envs)]
        for key in arrays:
            if key.startswith("games/"):
                _, number, name = key.split("/", 2)
                states[int(number)][name] = arrays[key]
        self._envs.set_state(states)
        return games


class GreyGames:
    """Games with stacked grey frames, the newest last.

    Args:
        games: Games with colour images, uint8 (games, height, width, 3).

    Source: RND in the code of the Crafter paper, which enlarges the image of the game.
    """

    def __init__(self, games: Any) -> None:
        self._games = games
        self.names, self.num_actions = games.names, games.num_actions
        self.setup, self.shape = games.setup, (SIDE, SIDE, FRAMES)

    def reset(self, key: jax.Array) -> tuple[jax.Array, Any]:
        """Starts all games; the first frame is repeated for earlier ones."""
        obs, state = self._games.reset(key)
        frames = jnp.repeat(_grey(obs), FRAMES, -1)
        return frames, (state, frames)

    def step(self, key: jax.Array, games: Any, action: jax.Array) -> tuple[Any, ...]:
        """Steps all games."""
        state, frames = games
        obs, state, reward, done, *rest = self._games.step(key, state, action)
        last = _grey(obs)
        frames = jnp.concatenate([frames[..., 1:], last], -1)
        frames = jnp.where(done[:, None, None, None], last, frames)
        return frames, (state, frames), reward, done, *rest

    def pack(self, games: Any) -> dict[str, np.ndarray]:
        """Converts games to named arrays."""
        return {**self._games.pack(games[0]), **packed("frames", games[1])}

    def unpack(self, arrays: Mapping[str, np.ndarray], games: Any) -> Any:
        """Restores the games of `pack`."""
        frames = unpacked("frames", arrays, games[1])
        return self._games.unpack(arrays, games[0]), frames


def _grey(obs: jax.Array) -> jax.Array:
    """Converts images to enlarged grey ones, uint8 (games, SIDE, SIDE, 1)."""
    rows, columns = (nearest_indices(length, SIDE) for length in obs.shape[1:3])
    grey = obs.astype(jnp.int32).sum(-1, keepdims=True) // obs.shape[-1]
    return grey.astype(jnp.uint8)[:, rows][:, :, columns]


def with_mask(obs: jax.Array, mask: jax.Array) -> jax.Array:
    """Appends action masks to observations."""
    return jnp.concatenate([obs, mask.astype(obs.dtype)], -1)


def packed(name: str, tree: Any) -> dict[str, Any]:
    """Flattens a tree to named arrays."""
    return {f"{name}/{i}": leaf for i, leaf in enumerate(jax.tree.leaves(tree))}


def unpacked(name: str, arrays: Mapping[str, np.ndarray], like: Any) -> Any:
    """Restores the tree of `packed`, on the devices of a tree like it."""

    def placed(old: jax.Array, new: np.ndarray) -> jax.Array:
        part_of = new.__getitem__
        return jax.make_array_from_callback(old.shape, old.sharding, part_of)

    leaves, tree = jax.tree.flatten(like)
    rows = [placed(leaf, arrays[f"{name}/{i}"]) for i, leaf in enumerate(leaves)]
    return jax.tree.unflatten(tree, rows)


def arguments(args: Any) -> dict[str, Any]:
    """Returns the environment arguments from the command line."""
    names = {"setup": args.setup, "action_masks": args.masks}
    names["world_pool"] = args.world_pool
    return {name: value for name, value in names.items() if value is not None}


def shown(args: Any) -> str:
    """Returns the observation of the environment."""
    return "pixels" if args.observation == "grey" else str(args.observation)


def make_env(args: Any, **more: Any) -> Any:
    """Creates the JAX environment of the command line, with more arguments."""
    name = f"{args.game}-{shown(args)}".title() + "-v1"
    options = {"float_pixels": False} if args.observation in PICTURES else {}
    return crafter_jax.make(name, **options, **arguments(args), **more)


def make_batch(args: Any) -> Any:
    """Creates the batched environment of the command line."""
    return gymnasium.make_vec(
        BATCHES[args.game],
        num_envs=args.envs,
        autoreset_mode="SameStep",
        info_keys=["achievements"],
        copy=False,
        observation=shown(args),
        **arguments(args),
    )


def make(args: Any) -> tuple[Any, Any]:
    """Creates the games of the command line; returns them and the devices."""
    play: Any
    if args.engine == "compiled":
        mesh = devices.make_mesh(args.envs, jax.devices("cpu")[:1])
        play = CompiledGames(make_batch(args), args.seed)
    else:
        mesh = devices.make_mesh(args.envs, jax.devices())
        play = JaxGames(make_env(args), mesh, args.envs)
    return (GreyGames(play) if args.observation == "grey" else play), mesh

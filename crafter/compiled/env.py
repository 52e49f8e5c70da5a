"""Gymnasium vector environment over a compiled engine.

A game derives its class from `VectorEnv`.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space, iterate

from crafter.compiled import arguments as checks
from crafter.compiled import info
from crafter.compiled.signals import Deferred
from crafter.core import validation
from crafter.core.cores import cores
from crafter.core.env import GameEnv
from crafter.core.reset_options import OptionsError, how_it_starts
from crafter.core.validation import integer, one_of, pair, short_repr

#: Attributes of a single environment that have one value per game here.
_OWN = ("np_random", "np_random_seed", "started")
#: Attributes shared by all games of a batch.
_SHARED = (
    *("area", "view", "size", "length", "action_names", "observation", "rules"),
    *("setup", "render_mode"),
)
#: Method of a single environment -> method that calls it for all games.
_METHODS = {"frame": "frames", "get_state": "get_state", "snapshot": "snapshots"}


F = TypeVar("F", bound=Callable[..., Any])


def exclusive(method: F) -> F:
    """Makes a method wait for other threads and for programs of `xla()`.

    Raises:
      gymnasium.error.ClosedEnvironmentError: If the environment was closed.
    """

    @functools.wraps(method)
    def call(self: VectorEnv, *args: Any, **kwargs: Any) -> Any:
        if self.wait_for_programs is not None:
            self.wait_for_programs()
        with self.lock:
            if self.closed:
                raise ClosedEnvironmentError("This environment was closed.")
            return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, np.ndarray]):
    """Gymnasium vector environment that runs compiled code on every core.

    A game derives its class from this one and defines the class attributes below and
    `make_engine`. `_env` is a single environment of the same configuration, which
    parses options and renders.

    Methods are thread-safe: they wait for each other, and for programs of `xla()` that
    their thread has started.

    Args:
      num_envs: Number of games.
      seed: Game i plays the sequence of episodes of `seed + i`, or of `seed[i]` for a
        sequence; by default, seeds are drawn at the first reset.
      autoreset_mode: When the next episode starts: `NextStep`, `SameStep` or
        `Disabled`; see `gymnasium.vector.AutoresetMode`.
      info_keys: Keys of `readers` to include in infos, or `all`. None by default, since
        computing them takes longer than the games.
      threads: Number of threads; by default one per core. Results do not depend on
        it.
      copy: Whether observations are copies. If false, every `reset` and `step`
        overwrites and returns the same arrays.
      render_mode: `rgb_array`, an image of each world, as expected by Gymnasium's
        wrappers; or `None`.
      render_size: Size (width, height) of images of `render`; by default that of an
        observation.
      reward: If false, the returned rewards are always 0; `info['reward']` is
        unaffected.
      events: Not supported; must be false.
      channels_first: Whether pixels are (num_envs, 3, height, width), as in PyTorch,
        instead of (num_envs, height, width, 3): views of the same memory.
      **arguments: Further arguments of the single environment. `action_masks` adds
        `action_mask` to infos: whether each action of each game may have an effect,
        int8 (num_envs, actions).

    Attributes:
      single: Class of the single environment.
      readers: Key of infos -> reader.
      arguments_readers: Likewise, for keys added by arguments.
      fields: Attribute of a game -> field of the records that stores it.
      rules: The rules of the games.
      area: Lengths of the axes of the map, in cells.
      view: Lengths of the axes of the agent's view, in cells.
      size: (width, height) of an observation in pixels.
      length: Step limit or `None`.
      observation: Observation kind.
      render_size: (width, height) of images of `render`; by default `size`.
      num_envs: Number of games.
      action_names: Names of the actions, by index.
      achievement_names: Names of the achievements, by index.
      autoreset_mode: When the next episode starts.
      info_keys: The keys in infos.
      threads: Number of threads.
      channels_first: Whether pixels have their channels before height and width.
      setup: Label of the setup, as in the single environment.
      started: Origin of each game, as in the single environment; an array.
      loads: Number of saved games loaded into each game, int64 (num_envs,).
      lock: Lock of the games.
      wait_for_programs: Waits for programs of `xla()` that this thread has started;
        `None` without any.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.

    Source:
      Behaviour of `gymnasium.vector.SyncVectorEnv` (Gymnasium 1.4).
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 5}
    single: ClassVar[Callable[..., Any]]
    readers: Mapping[str, info.Reader] = {}  # noqa: RUF012
    arguments_readers: ClassVar[Mapping[str, info.Reader]] = {
        "action_mask": lambda engine, indices: engine.action_masks(indices),
        "ticks": lambda engine, indices: engine.games["step"][indices],
    }
    fields: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        seed: int | Sequence[int] | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        info_keys: Sequence[str] | str = (),
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        render_size: tuple[int, int] | int | None = None,
        reward: bool = True,
        events: bool = False,
        channels_first: bool = False,
        **arguments: Any,
    ) -> None:
        if events:
            raise ValueError(
                "The batched engine records no events. gymnasium.make_vec("
                "..., vectorization_mode='sync', events=True) does."
            )
        self.render_size = None
        if render_size is not None:
            self.render_size = pair("render_size", render_size)
            arguments["render_size"] = self.render_size
        env = self._env = self.single(reward=reward, **arguments)
        self.num_envs = integer("num_envs", num_envs, 1)
        self._describe(env, channels_first)
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        modes = [known.value for known in AutoresetMode]
        self.autoreset_mode = AutoresetMode(one_of("autoreset_mode", mode, modes))
        self.info_keys = checks.info_keys(info_keys, self.readers)
        added = {"action_mask": env._masks_in_info, "ticks": env._has_ticks}
        self.info_keys += tuple(name for name, is_there in added.items() if is_there)
        threads = cores() if threads is None else threads
        self.threads = integer("threads", threads, 1)
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._copy, self._reward = bool(copy), bool(reward)
        self.lock = threading.RLock()
        self.wait_for_programs: Callable[[], None] | None = None
        self._engine = self.make_engine(min(self.threads, self.num_envs))
        for b, number in enumerate(checks.seeds(seed, self.num_envs)):
            if number is not None:
                self._engine.reseed(b, integer(f"seed of environment {b}", number))
        self._random_seeds: list[int | None] = [None] * self.num_envs
        self._generators: dict[int, np.random.Generator] = {}
        self._everyone = np.arange(self.num_envs)
        self._nobody = np.zeros(self.num_envs, bool)
        self._started = np.zeros(self.num_envs, bool)
        self._over = np.zeros(self.num_envs, bool)
        self.loads = np.zeros(self.num_envs, np.int64)
        self.started = np.full(self.num_envs, None, object)

    def _describe(self, env: Any, channels_first: bool) -> None:
        """Copies the shared attributes of all games from the single environment."""
        self.rules, self.setup = env.rules, env.setup
        self.area, self.view, self.size = env.area, env.view, env.size
        self.length, self.observation = env.length, env.observation
        self.action_names = list(env.action_names)
        self.achievement_names = list(self.rules.data["achievements"])
        self.single_action_space = gymnasium.spaces.Discrete(len(self.action_names))
        self.channels_first, space = bool(channels_first), env.observation_space
        if self.channels_first:
            space = self._with_channels_first(space)
        self.single_observation_space = space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(space, self.num_envs)

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles the environment without its lock."""
        return {**self.__dict__, "lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the environment with a new lock."""
        self.__dict__.update(state, lock=threading.RLock())

    # Implemented by a game.

    def make_engine(self, threads: int) -> Any:
        """Returns the engine, a `crafter.compiled.engine.Engine`."""
        raise NotImplementedError

    def parse_options(self, options: Any) -> Any:
        """Parses and validates options of `reset` without `reset_mask`.

        Returns:
          Options for `Engine.stage_starts`, with the attributes `state`, a saved game
          or `None`, and `episode`, the number of an episode or `None`.

        Raises:
          crafter.core.reset_options.OptionsError: If the options are invalid.
        """
        return self._env._read_options(options)

    # Gymnasium.

    @exclusive
    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode of all games, or of some.

        Args:
          seed: Game i starts the sequence of episodes of `seed + i`, or of `seed[i]` if
            given a sequence; games without a seed continue their sequence.
          options: Reset options of the single environment, the same for all games. They
            use its world generator, which is slower. Also `reset_mask`: bool array of
            shape (num_envs,), true for games to start.

        Returns:
          Observations, and infos as from `step`, of the games that started.

        Raises:
          ValueError: If the number of seeds is wrong, a seed is not a non-negative
            integer, or the mask is invalid or all false.
          crafter.core.reset_options.OptionsError: If the options are invalid.
          crafter.core.state_io.StateError: If the option `state` does not match. In all
            cases, no game changes.
        """
        indices, rest = checks.split_options(options, self.num_envs)
        start = self.parse_options(rest)
        seeds = checks.seeds(seed, self.num_envs)
        given = {
            b: integer(f"seed of environment {b}", seeds[b], 0)
            for b in indices.tolist()
            if seeds[b] is not None
        }
        self._renew()
        with Deferred():
            self._start(indices, start, rest, given)
            for b, number in given.items():
                self._random_seeds[b] = number
                self._generators.pop(b, None)
            self._started[indices] = True
        return self._observations(), self._infos(indices)

    def _start(
        self, indices: np.ndarray, start: Any, options: Any, given: dict[int, Any]
    ) -> None:
        """Starts the next episode of some games, with or without options."""
        if start.state is not None:
            if given:
                raise OptionsError(
                    "The option 'state' cannot be combined with seeds (it has its "
                    f"own), got {short_repr(list(given.values()))}."
                )
            games = indices.tolist()
            staged = self._engine.stage_states(games, [start.state] * len(games))
            self._install(games, staged)
        elif options:
            self._start_with_options(indices, start, given)
        else:
            for b in indices.tolist():
                if b in given or self._engine.seeds[b] is None:
                    self._engine.reseed(b, self._seed_of(b, given))
            self._engine.reset(indices)
            self._over[indices] = False
        self.started[indices] = how_it_starts(options)

    def _start_with_options(
        self, indices: np.ndarray, start: Any, given: dict[int, int]
    ) -> None:
        games, played = indices.tolist(), self._engine.games["episode"].tolist()
        seeds = [self._seed_of(b, given) for b in games]
        episodes = [start.episode or (b not in given) * played[b] + 1 for b in games]
        self._install(games, self._engine.stage_starts(games, seeds, episodes, start))

    def _seed_of(self, b: int, given: dict[int, int]) -> int:
        """Returns the seed of a game, drawn if none is given."""
        if b in given:
            return given[b]
        seed: int | None = self._engine.seeds[b]
        return int(self._generator(b).integers(2**31 - 1)) if seed is None else seed

    def _install(self, indices: list[int], staged: Any) -> None:
        self._engine.install(indices, staged)
        self._over[indices] = [moment.ended for moment in staged.moments]

    @exclusive
    def step(
        self, actions: Any
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one step of every game.

        Args:
          actions: Index of the action per game, integers of shape (num_envs,).

        Returns:
          Observations; rewards, float64 (num_envs,); terminated (the player is dead),
          bool; truncated (the step limit is reached alive), bool; and infos. With
          `SameStep`, infos have `final_obs` and `final_info` of finished episodes.

        Raises:
          gymnasium.error.ResetNeeded: If a game was never reset, or is over and the
            autoreset mode is `Disabled`.
          gymnasium.error.InvalidAction: If an action is invalid. In both cases no game
            is stepped.
          KeyboardInterrupt: On Ctrl-C, after all games are stepped. A second one acts
            at once, and leaves games at different steps.
        """
        self._need_games()
        last, finals = len(self.action_names) - 1, {}
        waits = self.autoreset_mode == AutoresetMode.NEXT_STEP
        over = self._over if waits else self._nobody
        taken, order, resets = checks.actions(actions, self.num_envs, last, over)
        self._renew(whole=True)
        with Deferred():
            rewards, terminated, truncated = self._advance(order, resets, taken)
            self._over = terminated | truncated
            if self.autoreset_mode == AutoresetMode.SAME_STEP and _any(self._over):
                finals = self._start_anew(np.flatnonzero(self._over))
        infos = {**finals, **self._infos(self._everyone)}
        return self._observations(), rewards, terminated, truncated, infos

    def _advance(
        self, order: np.ndarray, resets: int, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Starts the next episode of games that are over, and steps the others.

        Args:
          order: All games, those to reset first.
          resets: Number of games to reset.
          actions: Action per game.

        Returns:
          Rewards, terminated and truncated, of shape (num_envs,); new arrays.
        """
        self._engine.step(order, resets, actions)
        if resets:
            self.started[order[:resets]] = None
        results = self._engine.results
        rewards = results["reward"].copy() if self._reward else np.zeros(self.num_envs)
        return rewards, results["terminated"].copy(), results["truncated"].copy()

    def _start_anew(self, over: np.ndarray) -> dict[str, Any]:
        """Resets finished games; returns `final_obs` and `final_info`, with masks."""
        observations = np.full(self.num_envs, None, object)
        value = self._observations()
        named = isinstance(value, dict)
        last = {n: a[over] for n, a in value.items()} if named else value[over]
        for b, row in zip(over.tolist(), iterate(self.observation_space, last)):
            observations[b] = row
        finals = {"final_obs": observations, "final_info": self._infos(over)}
        masks = {f"_{name}": info.mask(over, self.num_envs) for name in finals}
        self._begin_next(over)
        return {**finals, **masks}

    def _begin_next(self, over: np.ndarray) -> None:
        """Starts the next episode of finished games in the same step."""
        self._engine.reset(over)
        self.started[over] = None

    def _infos(self, indices: np.ndarray) -> dict[str, Any]:
        both = self.readers, self.arguments_readers
        readers = {key: both[key not in self.readers][key] for key in self.info_keys}
        return info.collect(self._engine, readers, indices)

    def _step_into(
        self, observations: Any, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one step of every game, and observes into arrays of a program.

        Args:
          observations: Contiguous array of `observation_space`, or a dict of them.
            Filled without copies, and not used afterwards.
          actions: As for `step`.

        Returns:
          The results of `step` except observations.
        """
        copy, self._copy = self._copy, False
        try:
            with self._engine.observing_into(observations):
                _, rewards, terminated, truncated, infos = self.step(actions)
        finally:
            self._copy = copy
        return rewards, terminated, truncated, infos

    @exclusive
    def xla(
        self, *, final_obs: bool = False
    ) -> tuple[np.ndarray, Callable, Callable, Callable]:
        """Returns functions that step these games in compiled JAX programs, on CPUs.

        The API is that of EnvPool. Call `reset` before programs run. A program passes
        the handle from call to call, which orders them:

            handle, recv, send, step = envs.xla()
            envs.reset(seed=0)
            handle, (obs, rewards, terminated, truncated, infos) = step(handle, actions)

        Observations, flags and infos are those of `step`, and rewards are float32;
        64-bit numbers in infos become 32-bit, and infos have no masks. With `SameStep`,
        `infos['final_info']` is 0 for games that are not over.

        Args:
          final_obs: With `SameStep`, whether `infos['final_obs']` has the last
            observations of finished episodes, and 0 for other games.

        Returns:
          handle: Identifies the games, int32 (1,). Functions of batches with the same
            shapes accept each other's handles.
          recv: `recv(handle)` plays the sent actions, and returns the handle and the
            results. Without sent actions, the games do not change.
          send: `send(handle, action)` sends an action per game, and returns the handle.
          step: `step(handle, action)` does both.

        Raises:
          ValueError: If `info_keys` has a key whose values are Python objects, or
            `final_obs` is used in another mode.
          ImportError: If JAX is missing.
          jax.errors.JaxRuntimeError: From a program, with the message of the error that
            `step` raises.

        Source:
          `xla()` of EnvPool 1.2.
        """
        from crafter.compiled import xla

        self.wait_for_programs = xla.wait_for_programs
        return xla.make(self, final_obs)

    @exclusive
    def render(self) -> tuple[np.ndarray, ...] | None:
        """Renders the games for humans; never changes them.

        Returns:
          With render_mode `rgb_array`, a tuple of one image per game, uint8 of shape
          (height, width, 3); otherwise `None`.
        """
        self._need_games(playable=False)
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, one of "
                f"{self.metadata['render_modes']}: make_vec(..., render_mode=...)"
            )
            return None
        return tuple(self.frames(self.render_size))

    @exclusive
    def close_extras(self, **kwargs: Any) -> None:
        """Stops the threads."""
        self._engine.close()

    # Inspection.

    @exclusive
    def latest_observations(self) -> Any:
        """Returns the latest observation of every game.

        After `set_state`, these are of the loaded games.

        Returns:
          An array, or a dict of arrays, of `observation_space`.
        """
        self._renew()
        return self._observations()

    def _observations(self) -> Any:
        value = self._engine.observations()
        return np.moveaxis(value, -1, 1) if self.channels_first else value

    def _with_channels_first(self, space: gymnasium.Space[Any]) -> gymnasium.Space[Any]:
        if self.observation != "pixels":
            validation.fail("channels_first", "False without pixels", True)
        assert isinstance(space, gymnasium.spaces.Box)
        low, high = (np.moveaxis(limit, -1, 0) for limit in (space.low, space.high))
        return gymnasium.spaces.Box(low, high, dtype=space.dtype.type)

    def _renew(self, whole: bool = False) -> None:
        if self._copy:
            self._engine.renew(whole)

    @exclusive
    def latest_infos(self) -> dict[str, Any]:
        """Returns the current infos of every game, in the layout of `step`."""
        return self._infos(self._everyone)

    @exclusive
    def frames(self, size: tuple[int, int] | int | None = None) -> np.ndarray:
        """Draws the games for humans, in any render mode; never changes them.

        Args:
          size: (width, height) in pixels, one number for a square; by default that of
            the observation.

        Returns:
          `frame` of the single environment for every game: uint8 of shape (num_envs,
          height, width, 3).
        """
        size = self.size if size is None else pair("size", size)
        return np.stack(
            [self._env_in_state(game).frame(size) for game in self.get_state()]
        )

    @exclusive
    def snapshots(self, whole_map: bool = False) -> tuple[Any, ...]:
        """Returns `snapshot` of the single environment, per game."""
        states = self.get_state()
        return tuple(self._env_in_state(state).snapshot(whole_map) for state in states)

    def _env_in_state(self, state: Mapping[str, Any]) -> GameEnv:
        self._env.set_state(state)
        return self._env

    # Save and resume.

    @exclusive
    def get_state(self, indices: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """Returns the states of games, as from `get_state` of the single environment.

        Args:
          indices: Indices of the games; all by default.

        Returns:
          A state per game. An environment of the same configuration, batched or
          single, can resume it.

        Raises:
          gymnasium.error.ResetNeeded: If one of the games was never reset.
        """
        games = checks.indices(indices, self.num_envs)
        self._need_games(games, playable=False)
        return [self._engine.get_state(b) for b in games]

    @exclusive
    def set_state(
        self, states: Sequence[Mapping[str, Any]], indices: Sequence[int] | None = None
    ) -> None:
        """Resumes games exactly, including their random streams.

        A game that was over when its state was saved is over again: in the autoreset
        mode `NextStep`, the next step resets it.

        Args:
          states: A state per index, from `get_state` here or of the single
            environment.
          indices: Indices of games to replace, without repetition; all by default.

        Raises:
          ValueError: If the numbers of states and indices differ.
          crafter.core.state_io.StateError: If a state comes from another version or
            configuration, or is damaged; no game changes then.
        """
        games = checks.indices(indices, self.num_envs)
        if isinstance(states, Mapping) or len(states) != len(games):
            amount = "one state" if isinstance(states, Mapping) else len(states)
            raise ValueError(
                f"Expected a sequence of {len(games)} states, one per game; "
                f"got {amount}."
            )
        staged = self._engine.stage_states(games, states)
        self._renew()
        self._install(games, staged)
        self._started[games] = True
        self.started[games] = "state"
        self.loads[games] += 1

    # Attributes of the games.

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method of every game, or reads an attribute.

        Args:
          name: `frame`, `get_state` or `snapshot` of the single environment, or a name
            for `get_attr`.
          *args: Arguments of the method.
          **kwargs: Arguments of the method.

        Returns:
          A result per game.

        Raises:
          AttributeError: If the name is unknown.
        """
        if name not in _METHODS:
            return self.get_attr(name)
        return tuple(getattr(self, _METHODS[name])(*args, **kwargs))

    @exclusive
    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Reads an attribute of every game.

        Args:
          name: `episode`, `started`, `step_count`, `unlocked`, `world_seed`,
            `np_random` or `np_random_seed`, or another one of the game; or an attribute
            shared by all games, such as `action_space`.

        Returns:
          A value per game.

        Raises:
          AttributeError: If the name is unknown.
        """
        if name in _OWN:
            return tuple(getattr(self, name))
        shared = {key: getattr(self, key) for key in _SHARED}
        shared["action_space"] = self.single_action_space
        shared["observation_space"] = self.single_observation_space
        if name in shared:
            return (shared[name],) * self.num_envs
        games = self._engine.games
        fields = {"episode": "episode", "step_count": "step", **self.fields}
        read: dict[str, Callable[[], Iterable[Any]]] = {
            "world_seed": lambda: self._engine.seeds,
            "unlocked": lambda: info.names_of(
                games["achievements"] > 0, self.achievement_names
            ),
            **{key: games[field].tolist for key, field in fields.items()},
        }
        if name not in read:
            raise AttributeError(
                f"The games of a batch have no attribute {short_repr(name)}; valid: "
                f"{sorted([*_OWN, *shared, *read])} and the methods {list(_METHODS)}. "
                "Everything else is in the states that get_state() returns."
            )
        self._need_games(playable=False)
        return tuple(read[name]())

    @property
    def np_random_seed(self) -> Any:
        """Seeds of the generators of all games, a tuple; see `np_random`."""
        for b in range(self.num_envs):
            self._generator(b)
        return tuple(self._random_seeds)

    @property  # type: ignore[misc]
    def np_random(self) -> Any:
        """Generators of all games, a tuple; draws missing seeds."""
        return tuple(self._generator(b) for b in range(self.num_envs))

    def _generator(self, b: int) -> np.random.Generator:
        if b not in self._generators:
            made = seeding.np_random(self._random_seeds[b])
            self._generators[b], self._random_seeds[b] = made
        return self._generators[b]

    # Internals.

    def _need_games(
        self, indices: Sequence[int] | None = None, playable: bool = True
    ) -> None:
        """Raises an error if a game was never reset, or is over for good."""
        started = self._started if indices is None else self._started[indices]
        if np.count_nonzero(started) < len(started):
            missing = short_repr(np.flatnonzero(~self._started).tolist())
            raise ResetNeeded(
                f"Environments {missing} have no game yet: call reset() first."
            )
        disabled = self.autoreset_mode == AutoresetMode.DISABLED
        if playable and disabled and _any(self._over):
            over = short_repr(np.flatnonzero(self._over).tolist())
            raise ResetNeeded(
                f"The episodes of environments {over} have ended: call "
                "reset(options={'reset_mask': ...}) first."
            )


def _any(marks: np.ndarray) -> bool:
    """Returns whether any mark is set; faster than `marks.any()`."""
    return bool(np.count_nonzero(marks))

"""The Gymnasium face of the batched engine."""

from __future__ import annotations

import operator
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from crafter.core import signals
from crafter.core.reset_options import how_it_starts
from crafter.core.short_repr import brief
from crafter.core.validation import pair, whole
from crafter.games.crafter import start as options_module
from crafter.games.crafter import tables
from crafter.games.crafter.cpu import arguments, info, observers
from crafter.games.crafter.cpu.engine import Engine
from crafter.games.crafter.game import Game
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.settings import check
from crafter.games.crafter.snapshot import Snapshot
from crafter.games.crafter.views import FrameView

#: What `info_keys` may hold.
INFO_KEYS = info.KEYS

_SHARED = ("area", "view", "size", "length", "action_names", "observation", "rules")
_OWN = (
    "daylight",
    "episode",
    "np_random",
    "np_random_seed",
    "started",
    "step_count",
    "unlocked",
    "world_seed",
)
_METHODS = ("frame", "get_state", "snapshot")


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, np.ndarray]):
    """Many games at once, in compiled code on every core.

    Game i is the single `crafter.Env` with the seed that it gets here, bit for bit:
    observations, rewards, ends, infos and random stream. `gymnasium.make_vec` makes
    this class:

        envs = gymnasium.make_vec("CrafterReward-v1", num_envs=1024)

    Args:
      num_envs: Number of games.
      area: Map size (x, y) in cells.
      view: Cells shown (columns, rows), inventory rows included; one number for a
        square.
      size: Observation size (width, height) in pixels; one number for a square.
      reward: If false, the returned rewards are always 0; `info['reward']` stays.
      length: Steps after which an episode is truncated; `None` or 0 for no limit.
      seed: Game i plays the sequence of episodes of `seed + i`, or of `seed[i]` for
        a sequence; by default seeds are drawn at the first reset.
      textures: Folder of a texture pack; see `crafter.games.crafter.views.Textures`.
      observation: `pixels`, `compact`, `symbolic` or `semantic`; see
        `crafter.games.crafter.observations`.
      night_noise: `published` draws the noise of dark pixels from the stream of
        the game; `private` leaves the game alone, and is cheaper. Without pixels
        nothing is drawn.
      autoreset_mode: When the next episode starts: `NextStep`, `SameStep` or
        `Disabled`; see `gymnasium.vector.AutoresetMode`.
      info_keys: Which of `INFO_KEYS` to give in infos, or `all`. None by default,
        since making them takes longer than the games.
      threads: Number of threads; by default one per core. Results do not depend on
        it.
      copy: Whether observations are copies. If false, every `reset` and `step`
        returns the same arrays and writes over what they held.
      render_mode: `rgb_array`, a picture of each world, as Gymnasium's wrappers take
        them; or `None`.
      render_size: Size (width, height) of a world in `render()`, in pixels; by
        default that of the observation.
      events: Not offered here: it must be false.
      items: Changes to the item table, such as `{'health': {'max': 5, 'initial':
        5}}`.
      rules: As for `crafter.Env`; but the amounts of items alone may differ from the
        default rules. All others are compiled into the engine, and compiling them
        anew for each set of rules would take a minute each time.

    Attributes:
      rules: The rules of the games.
      num_envs: Number of games.
      area: Map size (x, y).
      view: View size (columns, rows).
      size: Observation size (width, height).
      length: Step limit or `None`.
      action_names: Names of the actions, by index.
      observation: Kind of the observation.
      autoreset_mode: When the next episode starts.
      info_keys: The keys in infos.
      threads: Number of threads.
      started: How each game began, as `crafter.Env.started` says it; a list.
      loads: How often a saved game took the place of each, int64 (num_envs,).

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules are wrong, or not those of
      this engine. crafter.games.crafter.views.TextureError: If the texture pack is not
      usable.
      ImportError: If numba is missing.

    Source:
      Behaviour of `gymnasium.vector.SyncVectorEnv` (Gymnasium 1.4) over games of
      Crafter 1.8.3.

    Example:
      >>> envs = VectorEnv(3, seed=1, observation="compact", info_keys=["sleeping"])
      >>> obs, infos = envs.reset()
      >>> obs.shape, infos["sleeping"]
      ((3, 145), array([False, False, False]))
      >>> obs, rewards, terminated, truncated, infos = envs.step([5, 0, 6])
      >>> rewards
      array([0., 0., 0.])
    """

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 5,
    }

    def __init__(
        self,
        num_envs: int = 1,
        area: tuple[int, int] = (64, 64),
        view: tuple[int, int] | int = (9, 9),
        size: tuple[int, int] | int = (64, 64),
        reward: bool = True,
        length: int | None = 10000,
        seed: int | Sequence[int] | None = None,
        *,
        textures: str | os.PathLike | None = None,
        observation: str = "pixels",
        night_noise: str = "published",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        info_keys: Sequence[str] | str = (),
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        render_size: tuple[int, int] | int | None = None,
        events: bool = False,
        items: Mapping[str, Mapping[str, int]] | None = None,
        rules: Rules | Mapping[str, Any] | str | os.PathLike | None = None,
    ) -> None:
        if events:
            raise ValueError(
                "The batched engine records no events. "
                "gymnasium.make_vec(..., vectorization_mode='sync', events=True) does."
            )
        self.num_envs = whole("num_envs", num_envs)
        self.autoreset_mode = arguments.autoreset_mode(autoreset_mode)
        self.info_keys = arguments.info_keys(info_keys)
        self.threads = whole(
            "threads", arguments.cores() if threads is None else threads
        )
        self.render_mode = arguments.render_mode(
            render_mode, self.metadata["render_modes"]
        )
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._settings = settings = check(
            area,
            view,
            size,
            reward,
            length,
            textures=textures,
            render_size=render_size,
            observation=observation,
            night_noise=night_noise,
            items=items,
            rules=rules,
        )
        tables.check_rules(settings.rules)
        arguments.check_amounts(settings.rules)
        arguments.check_length(settings.length)
        self.rules = settings.rules
        self.area, self.view, self.size = settings.area, settings.view, settings.size
        self.length, self.observation = settings.length, settings.observation
        self.action_names = list(settings.rules.actions)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.action_names))
        self.single_observation_space = settings.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(
            self.single_observation_space, self.num_envs
        )
        self._copy = bool(copy)
        self._views: dict[tuple[int, int], FrameView] = {}
        self._render_size = settings.render_size or self.size
        self._engine = self._make_engine()
        for b, number in enumerate(self._spread_seeds(seed)):
            if number is not None:
                self._engine.reseed(b, arguments.checked_seed(number, b))
        self._random_seeds: list[int | None] = [None] * self.num_envs
        self._generators: dict[int, np.random.Generator] = {}
        self._everyone = np.arange(self.num_envs)
        self._started = np.zeros(self.num_envs, bool)
        self._over = np.zeros(self.num_envs, bool)
        self.loads = np.zeros(self.num_envs, np.int64)
        self.started: list[str | None] = [None] * self.num_envs

    def _make_engine(self) -> Engine:
        settings, space = self._settings, self.single_observation_space
        limits = [item["max"] for item in settings.rules.items.values()]
        view = self._frame_view(self.size)
        observer: Any
        if self.observation == "pixels":
            published = settings.draws_noise
            observer = observers.Pixels(self.num_envs, view, limits, published)
        elif self.observation == "compact":
            observer = observers.Compact(space, self.num_envs, view.grid)
        elif self.observation == "symbolic":
            observer = observers.Symbolic(space, self.num_envs, view.grid, limits)
        else:
            observer = observers.Semantic(space, self.num_envs)
        threads = min(self.threads, self.num_envs)
        return Engine(self.num_envs, settings, observer, threads)

    # Gymnasium.

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode of all games, or of some.

        Args:
          seed: Game i starts the sequence of episodes of `seed + i`, or of
            `seed[i]` for a sequence; where there is none, the sequence goes on.
          options: How to start, the same for all; see
            `crafter.games.crafter.start.OPTIONS`. Options take the worlds from the
            generator of the single environment, which is slower. Also `reset_mask`:
            bool array of shape (num_envs,) that says which games to start.

        Returns:
          Observations, and infos as from `step`, of the games that started.

        Raises:
          ValueError: If there are too few or too many seeds, or the mask has the
            wrong shape or is all false.
          TypeError: If the mask is not a bool array.
          gymnasium.error.Error: If a seed is not an integer of at least 0.
          crafter.games.crafter.start.OptionsError: If the options are wrong.
          crafter.games.crafter.state.StateError: If the option `state` does not fit. In
            all cases all games are as they were.
        """
        self._need_open()
        which, rest = self._split_options(options)
        start = options_module.parse(rest, self.area, self.rules)
        seeds = self._spread_seeds(seed)
        given = {b: seeds[b] for b in which.tolist() if seeds[b] is not None}
        for b, number in given.items():
            arguments.check_reset_seed(number, b)
        signals.prepare(signal.SIGINT)
        with signals.deferred():
            self._start(which, start, bool(rest), given)
            self._note_start(which, how_it_starts(rest))
        return self.latest_observations(), self._infos(which)

    def _start(
        self,
        which: np.ndarray,
        start: options_module.Start,
        has_options: bool,
        given: dict[int, Any],
    ) -> None:
        """Starts the next episode of some games, by whatever way."""
        if start.state is not None:
            self._reset_to_state(which, start.state, given)
        elif has_options:
            self._reset_with_options(which, start, given)
        else:
            self._reset(which, given)
        for b, number in given.items():
            self._random_seeds[b] = number
            self._generators.pop(b, None)
        self._started[which] = True

    def step(
        self, actions: Any
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one step of every game.

        Args:
          actions: Index of the action per game, integers in 0 ... 16 of shape
            (num_envs,).

        Returns:
          Observations; rewards, float64 (num_envs,); terminated (health is 0),
          bool; truncated (the step limit is reached, alive), bool; and infos. With
          `SameStep`, infos have `final_obs` and `final_info` of episodes that ended.

        Raises:
          gymnasium.error.ResetNeeded: If a game did not start, or is over and the
            autoreset mode is `Disabled`.
          gymnasium.error.InvalidAction: If an action is not a valid one. In
            both cases no game is stepped.
          KeyboardInterrupt: At Ctrl-C, when all games are stepped. The second one acts
            at once, and leaves games at different steps.
        """
        self._need_open()
        self._need_games()
        going, over = self._everyone, self._everyone[:0]
        if _any(self._over) and self.autoreset_mode == AutoresetMode.NEXT_STEP:
            (going,), (over,) = np.nonzero(~self._over), np.nonzero(self._over)
        checked, finals = self._checked_actions(actions, going), {}
        with signals.deferred():
            rewards, terminated, truncated = self._advance(going, checked, over)
            self._over = terminated | truncated
            if self.autoreset_mode == AutoresetMode.SAME_STEP and _any(self._over):
                finals = self._start_anew(np.flatnonzero(self._over))
        infos = {**finals, **self._infos(self._everyone)}
        return self.latest_observations(), rewards, terminated, truncated, infos

    def step_into(
        self, observations: Any, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one step of every game, and observes into arrays of the caller.

        No observation is copied, and the arrays are not used afterwards.

        Args:
          observations: Arrays as in `observation_space`, contiguous, whatever is in
            them: one, or a dict.
          actions: As for `step`.

        Returns:
          What `step` returns after the observations.

        Raises:
          ValueError: If the arrays do not have the shapes and dtypes of the space.
          gymnasium.error.Error: As from `step`.
        """
        self._check_arrays(observations)
        copy, self._copy = self._copy, False
        try:
            with self._engine.observing_into(observations):
                _, rewards, terminated, truncated, infos = self.step(actions)
        finally:
            self._copy = copy
        return rewards, terminated, truncated, infos

    def xla(
        self, *, final_obs: bool = False
    ) -> tuple[np.ndarray, Callable, Callable, Callable]:
        """Returns functions that step these games in compiled JAX programs, on CPUs.

        The interface is that of EnvPool. Call `reset` before programs run. A program
        hands on the handle from call to call, which puts them in order:

            handle, recv, send, step = envs.xla()
            envs.reset(seed=0)
            handle, (obs, rewards, terminated, truncated, infos) = step(handle, actions)

        Observations, ends and infos are those of `step`, rewards are float32; 64-bit
        numbers of infos have 32 bits, and there are no masks, which are all true. With
        `SameStep`, `infos['final_info']` is 0 for games that go on.

        Args:
          final_obs: With `SameStep`, whether `infos['final_obs']` holds the last
            observations of episodes that ended, and 0 for games that go on.

        Returns:
          handle: Says which games are meant, int32 (1,). All functions of batches of
            the same shapes take the handles of each other.
          recv: `recv(handle)` plays the actions that were sent, and returns the handle
            and what came of them. If none were, the games stay as they are.
          send: `send(handle, action, env_id=None)` hands over an action per game, and
            returns the handle. `env_id` says in which order, int (num_envs,).
          step: `step(handle, action, env_id=None)` does both.

        Raises:
          ValueError: If `info_keys` holds a key whose values are Python objects, or
            `final_obs` is asked for in another mode.
          ImportError: If JAX is missing.
          jax.errors.JaxRuntimeError: From a program, in the words of the error that
            `step` raises.

        Source:
          `xla()` of EnvPool 1.2.
        """
        from crafter.games.crafter.cpu import xla

        return xla.make(self, final_obs)

    def render(self) -> tuple[np.ndarray, ...] | None:
        """Shows the games to people; never changes them.

        Returns:
          With render_mode `rgb_array` a tuple of a picture for each, uint8 of shape
          (height, width, 3); otherwise `None`.
        """
        self._need_open()
        self._need_games(playable=False)
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, one of "
                f"{self.metadata['render_modes']}: make_vec(..., render_mode=...)"
            )
            return None
        return tuple(self.frames(self._render_size))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._engine.close()

    # Looking.

    def latest_observations(self) -> Any:
        """Returns the latest observation of every game.

        After `set_state` it is that of the new games.

        Returns:
          What `reset` and `step` return: an array, or a dict of arrays, of
          `observation_space`.
        """
        value = self._engine.observations()
        if not self._copy:
            return value
        if isinstance(value, dict):
            return {name: array.copy() for name, array in value.items()}
        return value.copy()

    def latest_infos(self) -> dict[str, Any]:
        """Returns the infos of every game as it is now, as `step` lays them out."""
        self._need_open()
        return self._infos(self._everyone)

    def frames(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draws the games for people, in any render mode; never changes them.

        Args:
          size: (width, height) in pixels; by default that of the observation.

        Returns:
          What `crafter.Env.frame` returns, for every game: uint8 of shape
          (num_envs, height, width, 3).
        """
        self._need_open()
        self._need_games(playable=False)
        size = self.size if size is None else (int(size[0]), int(size[1]))
        if size == self.size and self.observation == "pixels":
            frames: np.ndarray = self._engine.observations().copy()
            return frames
        view = self._frame_view(size)
        return np.stack([self._engine.picture(view, b) for b in range(self.num_envs)])

    def _frame_view(self, size: tuple[int, int]) -> FrameView:
        if size not in self._views:
            if len(self._views) > 1:
                self._views.popitem()  # the size of the observation came first
            self._views[size] = self._settings.frame_view(size)
        return self._views[size]

    # Save and resume.

    def get_state(self, indices: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """Returns whole games, as `crafter.Env.get_state` does.

        Args:
          indices: Which games; all by default.

        Returns:
          A state per game. An environment of the same configuration, batched or
          single, can resume it.

        Raises:
          gymnasium.error.ResetNeeded: If one of the games did not start.
        """
        self._need_open()
        which = self._checked_indices(indices)
        self._need_games(which, playable=False)
        return [self._engine.get_state(b) for b in which]

    def set_state(
        self, states: Sequence[Mapping[str, Any]], indices: Sequence[int] | None = None
    ) -> None:
        """Resumes games exactly, their random streams included.

        A game that was over when its state was taken is over again: the next step
        resets it in the autoreset mode `NextStep`.

        Args:
          states: A state per index, from `get_state` here or of `crafter.Env`.
          indices: Which games to replace, without repetition; all by default.

        Raises:
          ValueError: If there are more or fewer states than indices.
          crafter.games.crafter.state.StateError: If a state comes from another version
            or configuration, or is damaged. No game is changed then.
        """
        self._need_open()
        which = self._checked_indices(indices)
        if isinstance(states, Mapping) or len(states) != len(which):
            found = "one state" if isinstance(states, Mapping) else len(states)
            raise ValueError(
                f"Expected a sequence of {len(which)} states, one per game; "
                f"got {found}."
            )
        self._install(which, self._engine.stage_states(which, states))
        self._started[which] = True
        self._note_start(which, "state")
        self.loads[which] += 1

    # Attributes of the games.

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method of every game, or reads an attribute.

        Args:
          name: `frame`, `get_state` or `snapshot` of `crafter.Env`, or what
            `get_attr` takes.
          *args: For the method.
          **kwargs: For the method.

        Returns:
          A result per game.

        Raises:
          AttributeError: If there is no such name.
        """
        if name not in _METHODS:
            return self.get_attr(name)
        method: Callable[..., tuple[Any, ...]] = getattr(self, f"_call_{name}")
        return method(*args, **kwargs)

    def _call_frame(
        self, size: tuple[int, int] | int | None = None
    ) -> tuple[np.ndarray, ...]:
        return tuple(self.frames(None if size is None else pair("size", size)))

    def _call_get_state(self) -> tuple[dict[str, Any], ...]:
        return tuple(self.get_state())

    def _call_snapshot(self, whole_map: bool = False) -> tuple[Snapshot, ...]:
        games = [Game.resume(self._settings, value) for value in self.get_state()]
        return tuple(game.snapshot(whole_map) for game in games)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Reads an attribute of every game.

        Args:
          name: `daylight`, `episode`, `started`, `step_count`, `unlocked`,
            `world_seed`, `np_random` or `np_random_seed`; or what all have in common,
            such as `area`.

        Returns:
          A value per game.

        Raises:
          AttributeError: If there is no such name.
        """
        self._need_open()
        shared = {key: getattr(self, key) for key in _SHARED}
        shared["action_space"] = self.single_action_space
        shared["observation_space"] = self.single_observation_space
        if name in shared:
            return (shared[name],) * self.num_envs
        if name not in _OWN:
            raise AttributeError(
                f"The games of a batch have no {brief(name)}; they have "
                f"{sorted([*shared, *_OWN])}, and the methods {list(_METHODS)}. "
                "Everything else is in the states that get_state() returns."
            )
        if name == "world_seed":
            return tuple(self._engine.seeds)
        if name == "started":
            return tuple(self.started)
        if name in ("np_random", "np_random_seed"):
            found: tuple[Any, ...] = getattr(self, name)
            return found
        if name == "episode":
            return tuple(self._engine.games["episode"].tolist())
        self._need_games(playable=False)
        if name == "unlocked":
            names = info.ACHIEVEMENTS
            rows = self._engine.games["achievements"] > 0
            return tuple({names[a] for a in np.flatnonzero(row)} for row in rows)
        field = {"step_count": "step"}.get(name, name)
        return tuple(self._engine.games[field].tolist())

    def set_attr(self, name: str, values: Any) -> None:
        """Raises an error: the games of a batch have no attributes to set.

        Raises:
          AttributeError: Always.
        """
        raise AttributeError(
            f"The games of a batch have no attributes to set, and so no {brief(name)}. "
            "set_state() and the options of reset() change a game."
        )

    @property
    def np_random_seed(self) -> Any:
        """Seed of the generator of every game, a tuple; see `np_random`."""
        for b in range(self.num_envs):
            self._generator(b)
        return tuple(self._random_seeds)

    @property  # type: ignore[misc]
    def np_random(self) -> Any:
        """Generator of every game, a tuple; draws the seeds of games without one."""
        return tuple(self._generator(b) for b in range(self.num_envs))

    def _generator(self, b: int) -> np.random.Generator:
        if b not in self._generators:
            made = seeding.np_random(self._random_seeds[b])
            self._generators[b], self._random_seeds[b] = made
        return self._generators[b]

    # Inside.

    def _need_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("This environment was closed.")

    def _need_games(
        self, which: Sequence[int] | None = None, playable: bool = True
    ) -> None:
        """Refuses to go on if a game did not start, or is over for good."""
        chosen = slice(None) if which is None else which
        if _any(~self._started[chosen]):
            missing = arguments.short(np.flatnonzero(~self._started).tolist())
            raise ResetNeeded(
                f"There is no game yet in the environments {missing}: "
                "call reset() first."
            )
        disabled = self.autoreset_mode == AutoresetMode.DISABLED
        if playable and disabled and _any(self._over):
            over = arguments.short(np.flatnonzero(self._over).tolist())
            raise ResetNeeded(
                f"The episodes of the environments {over} are over: call "
                "reset(options={'reset_mask': ...}) first."
            )

    def _checked_actions(self, actions: Any, going: np.ndarray) -> np.ndarray:
        """Returns actions as int64 (num_envs,); those of other games are ignored."""
        array = arguments.whole_numbers(actions, self.num_envs)
        last = len(self.action_names) - 1
        if array.dtype != object:
            checked = array.astype(np.int64)
            # Without a sign, negative numbers are large ones.
            if checked.view(np.uint64).max() <= last:
                return checked
        wrong = going[(array[going] < 0) | (array[going] > last)]
        if len(wrong):
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise InvalidAction(
                f"Expected integers in 0 ... {last}, got {array[wrong[0]]} for "
                f"environment {wrong[0]}{more}."
            )
        checked = np.zeros(self.num_envs, np.int64)
        checked[going] = array[going]
        return checked

    def _check_arrays(self, observations: Any) -> None:
        """Refuses arrays that the engine cannot observe into."""
        space: Any = self.observation_space
        named = isinstance(observations, Mapping)
        parts = dict(space.spaces) if hasattr(space, "spaces") else {"": space}
        arrays = dict(observations) if named else {"": observations}
        if set(arrays) != set(parts):
            raise ValueError(f"Expected observations of {sorted(parts)}.")
        for name, array in arrays.items():
            shape, dtype = parts[name].shape, parts[name].dtype
            fits = isinstance(array, np.ndarray) and array.flags.carray
            if not fits or (array.shape, array.dtype) != (shape, dtype):
                found = (
                    f"{array.dtype} of shape {array.shape}"
                    if isinstance(array, np.ndarray)
                    else type(array).__name__
                )
                raise ValueError(
                    f"Expected a contiguous, writable array of {dtype} of shape "
                    f"{shape} for observations{' of ' * bool(name)}{name}, got {found}."
                )

    def _checked_indices(self, indices: Sequence[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        try:
            which = [operator.index(b) for b in indices]
        except TypeError:
            raise ValueError(
                f"indices must be a sequence of integers, got {brief(indices)}."
            ) from None
        wrong = [b for b in which if not 0 <= b < self.num_envs]
        if wrong or len(set(which)) < len(which):
            fault = f"got {wrong[0]}" if wrong else "got one twice"
            raise ValueError(
                f"indices must be different and lie in 0 ... {self.num_envs - 1}, "
                f"{fault}."
            )
        return which

    def _split_options(self, options: Any) -> tuple[np.ndarray, Any]:
        """Returns which games to reset, and the options of the single environment."""
        if not isinstance(options, Mapping) or "reset_mask" not in options:
            return self._everyone, options
        rest = {name: value for name, value in options.items() if name != "reset_mask"}
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            found = f"an array of {mask.dtype}" if hasattr(mask, "dtype") else mask
            raise TypeError(f"reset_mask must be a NumPy array of bools, got {found}.")
        if mask.shape != (self.num_envs,):
            raise ValueError(
                f"reset_mask must have shape ({self.num_envs},), got {mask.shape}."
            )
        if not mask.any():
            raise ValueError("reset_mask must have at least one True value.")
        return np.flatnonzero(mask), rest

    def _spread_seeds(self, seed: Any) -> list[Any]:
        """Returns a seed per game, as Gymnasium spreads them."""
        if seed is None or isinstance(seed, (int, np.integer)):
            numbers = range(self.num_envs)
            return [None if seed is None else seed + i for i in numbers]
        if isinstance(seed, (str, Mapping)) or not hasattr(seed, "__len__"):
            raise ValueError(
                f"seed must be an integer or a sequence of integers, got {brief(seed)}."
            )
        if len(seed) != self.num_envs:
            raise ValueError(
                f"Expected {self.num_envs} seeds, one per environment, got {len(seed)}."
            )
        return list(seed)

    def _seed_of(self, b: int, given: dict[int, int]) -> int:
        """Returns the seed of a game, drawn if none is given."""
        if b in given:
            return given[b]
        seed = self._engine.seeds[b]
        return int(self._generator(b).integers(2**31 - 1)) if seed is None else seed

    def _reset(self, which: np.ndarray, given: dict[int, int]) -> None:
        for b in which.tolist():
            if b in given or self._engine.seeds[b] is None:
                self._engine.reseed(b, self._seed_of(b, given))
        self._engine.reset(which)
        self._over[which] = False

    def _reset_with_options(
        self, which: np.ndarray, start: options_module.Start, given: dict[int, int]
    ) -> None:
        seeds = [self._seed_of(b, given) for b in which.tolist()]
        episodes = self._engine.games["episode"][which]
        episodes[np.isin(which, list(given))] = 0
        numbers = [
            n + 1 if start.episode is None else start.episode for n in episodes.tolist()
        ]
        staged = self._engine.stage_starts(which.tolist(), seeds, numbers, start)
        self._install(which.tolist(), staged, fresh=True)

    def _reset_to_state(
        self, which: np.ndarray, value: Mapping[str, Any], given: dict[int, int]
    ) -> None:
        if given:
            seeds = arguments.short(list(given.values()))
            raise options_module.OptionsError(
                f"The option 'state' excludes seeds, got {seeds}: it has its own."
            )
        games = which.tolist()
        self._install(games, self._engine.stage_states(games, [value] * len(games)))

    def _install(self, which: list[int], staged: Any, fresh: bool = False) -> None:
        self._engine.install(which, staged, fresh)
        self._over[which] = [moment.ended for moment in staged.moments]

    def _advance(
        self, going: np.ndarray, actions: np.ndarray, over: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Steps games, and starts the next episode of those that are over.

        Returns:
          Rewards, terminated and truncated, of shape (num_envs,); new arrays.
        """
        engine = self._engine
        engine.step(going, actions, over)
        self._note_start(over, None)
        terminated, truncated = engine.terminated.copy(), engine.truncated.copy()
        if not self._settings.reward:
            return np.zeros(self.num_envs), terminated, truncated
        return engine.rewards.copy(), terminated, truncated

    def _start_anew(self, over: np.ndarray) -> dict[str, Any]:
        """Starts the next episode in the same step; returns the ends of the old."""
        observations = np.full(self.num_envs, None, object)
        value = self._engine.observations()
        for b in over.tolist():
            if isinstance(value, dict):
                observations[b] = {
                    name: array[b].copy() for name, array in value.items()
                }
            else:
                observations[b] = value[b].copy()
        finals = {"final_obs": observations, "final_info": self._infos(over)}
        masks = {f"_{name}": info.mask(over, self.num_envs) for name in finals}
        self._begin_next(over)
        return {**finals, **masks}

    def _begin_next(self, over: np.ndarray) -> None:
        """Starts the next episode of games in the step in which one ended."""
        self._engine.reset(over)
        self._note_start(over, None)

    def _note_start(self, which: Iterable[int], start: str | None) -> None:
        """Notes how some games began."""
        for b in which:
            self.started[b] = start

    def _infos(self, which: np.ndarray) -> dict[str, Any]:
        return info.collect(self._engine, self.info_keys, which)


def _any(marks: np.ndarray) -> bool:
    """Returns whether one of some marks is set; faster than `marks.any()`."""
    return bool(np.count_nonzero(marks))

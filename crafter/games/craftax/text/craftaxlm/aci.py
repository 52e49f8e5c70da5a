"""Interfaces of craftaxlm to both games, with their faults corrected."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import validation
from crafter.games.craftax.text.craftaxlm import state as states
from crafter.games.craftax.text.craftaxlm.env import (
    CraftaxClassicEnv,
    CraftaxFullEnv,
)
from crafter.games.craftax.text.craftaxlm.metadata import CLASSIC, FULL, Names, to_title
from crafter.games.craftax.text.craftaxlm.state import CraftaxFullState, CraftaxState
from crafter.lm.play.aci import ON_INVALID, CrafterACI
from crafter.lm.rendering.observation import Observation
from crafter.lm.runs import scores

_LEGACY_VIEW = (9, 11)  # a map of 9 x 9 cells and two rows of items


class CraftaxBaseACI(CrafterACI):
    """The interface of craftaxlm to a game; a subclass says to which.

    Args:
      seed: Of the sequence of worlds.
      actions_to_start_with: Indices of actions that are executed at once.
      verbose: Tell every cell, and items of which there are none.
      formatting: `md` or `xml`.
      map_format: `full` in words, or `compact` as characters.
      vantage: Cells that are told in each direction; by default all in the picture.
      on_invalid: `skip` leaves unknown actions out, `reject` then takes no step at all,
        `noop` reads them as noop, as craftaxlm does.

    Raises:
      ValueError: If an argument is impossible.
    """

    #: What craftaxlm calls things of the game.
    names: Names

    def __init__(
        self,
        seed: int | None = 0,
        actions_to_start_with: Sequence[int] = (),
        verbose: bool = True,
        formatting: str = "md",
        map_format: str = "full",
        vantage: int | None = None,
        *,
        on_invalid: str = "skip",
    ) -> None:
        if isinstance(seed, str):
            raise ValueError(
                f"The first argument is a seed, not {seed!r}; give formatting and what "
                "follows by name."
            )
        if vantage is not None:
            validation.integer("vantage", vantage, 1)
        validation.one_of("formatting", formatting, states.FORMATTINGS)
        validation.one_of("map_format", map_format, states.MAP_FORMATS)
        validation.one_of("on_invalid", on_invalid, ON_INVALID)
        self.verbose, self.formatting, self.map_format = verbose, formatting, map_format
        self.vantage, self.on_invalid = vantage, on_invalid
        self._seen: dict[str, Any] = {}
        env = self.make_env(seed or 0)
        told = states.style(verbose, states.words_in(env))
        super().__init__(
            env,
            seed=seed or 0,
            format=formatting,
            verbosity=told.verbosity,
            detail=told.detail,
            glyphs=told.glyphs,
            stop_on="none",
            on_invalid=on_invalid,
            invalid_limit=None,
            allow_undo=True,
        )
        self.go_forward(actions_to_start_with)

    # What a game says.

    def make_env(self, seed: int = 0) -> Any:
        """Returns an environment of the game, which `functional` can call, too."""
        raise NotImplementedError

    def _told(self, text: str, image: Callable[[], np.ndarray]) -> dict[str, Any]:
        """Returns what a step info says of a moment.

        Args:
          text: The moment in words.
          image: Draws it.
        """
        raise NotImplementedError

    # Names of craftaxlm.

    def reset(
        self,
        seed: int | None = None,
        next: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Any:
        """Starts the same world again; returns and keeps `starting_obs`."""
        super().reset(seed, next, options)
        self._seen = {}
        self.starting_obs = self.create_starting_obs()
        return self.starting_obs

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the present moment as a step info without reward."""
        return self._info(self.observe(), 0.0)

    def create_step_info(
        self, state: CraftaxState, reward: float, done: bool
    ) -> dict[str, Any]:
        """Returns a state as a step info.

        Args:
          state: A value of `state`.
          reward: Reward of the step that led to it.
          done: Whether the game is over.
        """
        told = self._told(self.describe(state.observation), lambda: state.image)
        return {**told, "reward": float(reward), "done": bool(done)}

    def _step(self, action: int) -> dict[str, Any]:
        """Takes one step by the index of an action and returns its step info."""
        turn = self.act([self._action_name(action)])
        return self._info(turn.observation, sum(turn.rewards), turn.error)

    def multistep(
        self, actions: Sequence[str]
    ) -> tuple[list[dict[str, Any]], list[float], bool]:
        """Takes the actions one after the other until the game is over.

        What was not understood is under `error` in the last step info. If nothing was
        executed, there is one step info, which repeats the moment.

        Returns:
          Step infos, rewards, and whether the game is over.
        """
        known, told = self._read(actions)
        infos = []
        for action in known:
            if self.done:
                break
            infos.append(self._step(action))
        if told and not infos:
            infos = [self._info(self.observe(), 0.0)]
        if told:
            infos[-1]["error"] = " ".join(told)
        return infos, [info["reward"] for info in infos], self.done

    def _read(self, actions: Sequence[str]) -> tuple[list[int], list[str]]:
        """Returns the actions that are executed, and what was not understood."""
        known, told = [], []
        for action in actions:
            try:
                known.append(self.map_action_string_to_int(action))
            except ValueError as error:
                told.append(str(error))
        return ([] if told and self.on_invalid == "reject" else known), told

    def go_forward(self, actions: Iterable[int]) -> dict[str, Any]:
        """Takes steps by the indices of actions and returns the last step info."""
        info = self._info(self.observe(), 0.0)
        for action in actions:
            info = self._step(action)
        return info

    def map_action_string_to_int(self, action: str) -> int:
        """Returns the index of an action.

        Raises:
          ValueError: If it is unknown; with `on_invalid="noop"` it is noop instead.
        """
        result = self._parser.parse(action, macros=False)
        if result.error is None and len(result.actions) == 1:
            return self.names.actions.index(result.actions[0])
        if self.on_invalid == "noop":
            return self.names.actions.index("noop")
        raise ValueError(
            result.error.message if result.error else "Expected one action."
        )

    def get_achievements(self, state: Any) -> dict[str, dict[str, bool]]:
        """Returns `achievements`: title -> whether it was reached in a state."""
        snapshot = getattr(state, "snapshot", state)
        return {"achievements": states.achievements_of(snapshot, self.names)}

    def get_achievement_delta(
        self, achievements: Mapping[str, Mapping[str, Any]]
    ) -> list[str]:
        """Returns the titles reached since it was called last in this game.

        Args:
          achievements: A value of `get_achievements`.
        """
        now = dict(achievements["achievements"])
        fresh = [title for title, reached in now.items() if reached]
        delta = [title for title in fresh if not self._seen.get(title)]
        self._seen = now
        return delta

    @property
    def achievements(self) -> dict[str, Any]:
        """Title -> whether it was reached."""
        return states.achievements_of(self.moment.snapshot, self.names)

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """For each step, the titles of the achievements reached in it."""
        return [
            [to_title(name) for name in names] for names in super().achievement_deltas
        ]

    @property
    def state(self) -> CraftaxState | CraftaxFullState:
        """The present moment as a state of its game."""
        return states.state_of(self, self.vantage)

    @state.setter
    def state(self, state: CraftaxState) -> None:
        self.env.set_state(state.saved)
        self.look()

    @property
    def env_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        params: dict[str, Any] = self.env.default_params
        return params

    @property
    def rngs(self) -> tuple[int, int, int]:
        """Keys for `env.reset` and `env.step`: the seed of the worlds."""
        return self.seed, self.seed, self.seed

    def describe(self, observation: Observation) -> str:
        """Returns an observation as Markdown or XML."""
        told = states.near(observation, self.vantage)
        return states.render(told, self.verbose, self.formatting, self.map_format)

    def _info(
        self, observation: Observation, reward: float, error: Any = None
    ) -> dict[str, Any]:
        told = self._told(self.describe(observation), self._picture)
        info = {**told, "reward": float(reward), "done": observation.done}
        return info if error is None else {**info, "error": error.message}

    def _picture(self) -> np.ndarray:
        picture: np.ndarray = self.env.frame(self.picture_size)
        return picture

    def _action_name(self, action: Any) -> str:
        index = int(action)
        if not 0 <= index < len(self.names.actions):
            raise ValueError(
                f"Expected an action of 0 ... {len(self.names.actions) - 1}, "
                f"got {action!r}."
            )
        return self.names.actions[index]


class CraftaxClassicACI(CraftaxBaseACI):
    """The interface of craftaxlm to Craftax-Classic, with its faults corrected.

    The other arguments are those of `CraftaxBaseACI`.

    Args:
      strict_legacy: Read unknown actions as noop, and show 9 x 9 cells, as craftaxlm
        does. For comparisons only.

    Raises:
      ValueError: If an argument is impossible.
    """

    names = CLASSIC

    def __init__(
        self,
        seed: int | None = 0,
        actions_to_start_with: Sequence[int] = (),
        verbose: bool = True,
        formatting: str = "md",
        map_format: str = "full",
        vantage: int | None = None,
        *,
        on_invalid: str = "skip",
        strict_legacy: bool = False,
    ) -> None:
        self._legacy = strict_legacy
        if strict_legacy:
            warnings.warn(
                "strict_legacy reads unknown actions as noop and shows cells that the "
                "picture does not show; use it for comparisons only.",
                stacklevel=2,
            )
        super().__init__(
            seed,
            actions_to_start_with,
            verbose,
            formatting,
            map_format,
            vantage,
            on_invalid="noop" if strict_legacy else on_invalid,
        )

    def make_env(self, seed: int = 0) -> CraftaxClassicEnv:
        """Returns an environment of the game."""
        if self._legacy:
            size = (7 * _LEGACY_VIEW[0], 7 * _LEGACY_VIEW[1])
            return CraftaxClassicEnv(seed=seed, view=_LEGACY_VIEW, size=size)
        return CraftaxClassicEnv(seed=seed)

    def _told(self, text: str, image: Callable[[], np.ndarray]) -> dict[str, Any]:
        return {"state_image": image(), "state_text": text}


class CraftaxACI(CraftaxBaseACI):
    """The interface of craftaxlm to the larger game: a text as `state`, no picture.

    Arguments, members and results are those of `CraftaxClassicACI`, with 43 actions and
    67 achievements; a step info has `state`, `reward` and `done`, and `starting_obs`
    has `state` alone.

    Example:
      >>> aci = CraftaxACI(seed=1)
      >>> infos, rewards, done = aci.multistep(["left", "do"])
      >>> sorted(infos[0]), len(rewards), done
      (['done', 'reward', 'state'], 2, False)
    """

    names = FULL

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the present moment as `state`."""
        return self._told(self.describe(self.observe()), self._picture)

    def make_env(self, seed: int = 0) -> Any:
        """Returns an environment of the game."""
        return CraftaxFullEnv(seed=seed)

    def _told(self, text: str, image: Callable[[], np.ndarray]) -> dict[str, Any]:
        return {"state": text}


def canonical_crafter_score_classic(runs: Sequence[Mapping[str, Any]]) -> float:
    """Returns the score of craftaxlm's function: a geometric mean of 1 + p, less 1.

    Args:
      runs: Title -> whether it was reached, for each rollout.

    Raises:
      ValueError: If there is no rollout.
    """
    if not runs:
        raise ValueError("A score needs at least one rollout.")
    table = np.array([[bool(run[title]) for title in runs[0]] for run in runs])
    return float(scores.geometric01(table.mean(0))) / 100

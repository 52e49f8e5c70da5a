"""The names of craftaxlm 0.0.22 to 0.0.37, with their faults corrected.

A script only changes its import, `craftaxlm` to `crafter.lm.craftaxlm`; differences in
behaviour are explained on the page about language models. The modules `aci`, `env`,
`metadata` and `state` of its folders `classic` and `full` are aliases of this one.
`CraftaxACI` plays the larger game, which craftaxlm names but could not play.
"""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import game, validation
from crafter.games.craftax.env import Env
from crafter.games.craftax.text.words import FOLDER
from crafter.lm.parsing.parse import parse_for
from crafter.lm.play.aci import CrafterACI, Options
from crafter.lm.play.record import EpisodeRecorder as EpisodeRecorder
from crafter.lm.rendering import ascii_map, observation
from crafter.lm.rendering.facts import DARKNESS, OUTSIDE, UNCLEAR, Style
from crafter.lm.rendering.observation import Observation
from crafter.lm.rendering.text import belongings
from crafter.lm.rendering.words import Words, load
from crafter.lm.runs import scores

#: Makes this module a package for the import system; see `crafter.core.aliases`.
__path__: list[str] = []

_TABLE: dict[str, Any] = load("craftaxlm", FOLDER)
_ClassicEnv: Any = game.find("crafter").part("env")
#: View of 9 x 9 cells plus two rows of items.
_LEGACY: dict[str, Any] = {"view": (9, 11), "size": (63, 77)}


# Names and tables.


def to_title(name: str) -> str:
    """Converts the name of an achievement to craftaxlm's form.

    Example:
      >>> to_title("collect_wood")
      'Collect Wood'
    """
    return name.replace("_", " ").title()


def from_title(title: str) -> str:
    """Converts an achievement name of craftaxlm to ours, in either game.

    Raises:
      ValueError: If there is no such achievement.

    Example:
      >>> from_title("Collect Wood"), from_title("Enter Dungeon")
      ('collect_wood', 'enter_dungeon')
    """
    name = title.strip().replace(" ", "_").lower()
    validation.one_of("title", name, _TABLE["full_achievements"])
    return name


def mob_id_to_name(id: int) -> str | None:
    """Returns the name of a creature or projectile of the larger game.

    Args:
      id: Id of the creature or projectile, 0 to 39.

    Returns:
      The name, or `None` if the id is unused.

    Example:
      >>> mob_id_to_name(0), mob_id_to_name(17), mob_id_to_name(12)
      ('Zombie', 'Gnome Archer', None)
    """
    return _MOBS.get(id)


_MOBS: dict[int, str] = {
    number: name
    for first, names in _TABLE["mobs"].items()
    for number, name in enumerate(names, first)
}
_TITLES = [to_title(name) for name in _TABLE["full_achievements"]]
CRAFTAX_FULL_ACHIEVEMENTS = dict(enumerate(_TITLES))
CRAFTAX_FULL_ACTION_MAPPING = {name: n for n, name in enumerate(_TABLE["full_actions"])}
CRAFTAX_CLASSIC_ACHIEVEMENTS = dict(enumerate(_TITLES[:22]))
CRAFTAX_CLASSIC_ACTION_MAPPING = dict(list(CRAFTAX_FULL_ACTION_MAPPING.items())[:17])

_SALIENCE: dict[str, dict[str, list[str]]] = _TABLE["salience"]
CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES = _SALIENCE["classic"]["backdrop"]
CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS = _SALIENCE["classic"]["low_objects"]
CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS = _SALIENCE["classic"]["high_objects"]
CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS = _SALIENCE["classic"]["high_mobs"]
CRAFTAX_FULL_BACKDROP_BLOCK_TYPES = _SALIENCE["full"]["backdrop"]
CRAFTAX_FULL_LOW_SALIENCE_OBJECTS = _SALIENCE["full"]["low_objects"]
CRAFTAX_FULL_HIGH_SALIENCE_OBJECTS = _SALIENCE["full"]["high_objects"]
CRAFTAX_FULL_LOW_SALIENCE_ITEMS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_ITEMS = _SALIENCE["full"]["high_items"]
CRAFTAX_FULL_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_MOBS = list(dict.fromkeys(_MOBS.values()))


def canonical_crafter_score_classic(runs: Sequence[Mapping[str, Any]]) -> float:
    """Returns the score of craftaxlm's function: a geometric mean of 1 + p, minus 1.

    Args:
      runs: Title -> whether it was reached, for each rollout; at least one rollout.
    """
    table = np.array([[bool(run[title]) for title in runs[0]] for run in runs])
    return float(scores.geometric01(table.mean(0))) / 100


# States.


@dataclasses.dataclass(frozen=True)
class CraftaxState:
    """State of either game, ready for rendering.

    Attributes:
      map_full: Cells in view: `position` with `x` and `y`, `visible`, `block` and
        optionally `mob` and `item`; as in craftaxlm, `x` counts downwards in the
        smaller game and to the right in the larger one.
      map_compact: The map as characters.
      inventory: `resources`, `tools` by kind and material, and other items.
      player: Vitals, attributes and facing direction.
      environment: Light, sleep, floor and the like.
      achievements: Title -> whether it was reached.
      image: The picture, uint8 of shape (height, width, 3).
      observation: The same as an observation of `CrafterACI`.
      snapshot: The complete state, including what players cannot see.
      saved: Value of `Env.get_state`, for continuing from here.
    """

    map_full: list[dict[str, Any]]
    map_compact: str
    inventory: dict[str, Any]
    player: dict[str, Any]
    environment: dict[str, Any]
    achievements: dict[str, bool]
    image: np.ndarray
    observation: Observation
    snapshot: Any
    saved: Mapping[str, np.ndarray]

    @property
    def map(self) -> list[dict[str, Any]]:
        """The cells in view, as `map_full`."""
        return self.map_full

    def render_to_text_simple(
        self, verbose: bool = True, formatting: str = "md", map_format: str = "full"
    ) -> str:
        """Returns the state as text.

        Args:
          verbose: Whether to include every cell, and items with amount 0.
          formatting: `md` or `xml`.
          map_format: `full` in words, or `compact` as characters.

        Raises:
          ValueError: If a format is unknown.
        """
        return _render(self.observation, verbose, formatting, map_format)


CraftaxClassicState = CraftaxFullState = CraftaxState


def render_craftax_text_custom(state: CraftaxState) -> CraftaxState:
    """Returns a state ready for rendering; ours already is."""
    return state


render_craftax_classic_text_custom = render_craftax_text_custom


def _render(obs: Observation, verbose: bool, formatting: str, map_format: str) -> str:
    validation.one_of("formatting", formatting, ("md", "xml"))
    validation.one_of("map_format", map_format, ("full", "compact"))
    form = observation.render_md if formatting == "md" else observation.render_xml
    return form(obs, _style(verbose, obs.words), map_format == "compact")


def _style(verbose: bool, words: Words) -> Style:
    """Returns the rendering settings, with craftaxlm's characters where it had any."""
    glyphs = "craftaxlm" if "craftaxlm" in words["glyphs"] else "crafter"
    detail = "all" if verbose else "nearest"
    return Style(verbosity=1 + verbose, detail=detail, glyphs=glyphs)


def _state_of(aci: CrafterACI) -> CraftaxState:
    """Returns the current state of a game."""
    style, frame = _style(True, aci.words), aci.env.frame(aci.picture_size)
    now = aci.observe()
    obs = dataclasses.replace(now, style=style, picture=lambda size: frame)
    snapshot = aci.moment.snapshot
    return CraftaxState(
        map_full=list(_cells(obs, aci.game)),
        map_compact=ascii_map.render(obs, style),
        inventory=_inventory(obs),
        player={
            **{name: obs.inventory[name] for name in aci.words.vitals},
            **obs.status.get("attributes", {}),
            "direction_facing": obs.facing,
        },
        environment={
            **obs.status,
            "light_level": snapshot.daylight,
            "is_sleeping": obs.asleep,
            "floor": obs.status.get("floor", {}).get("number", 0),
        },
        achievements=_achievements(snapshot),
        image=frame,
        observation=obs,
        snapshot=snapshot,
        saved=aci.env.get_state(),
    )


def _achievements(snapshot: Any) -> dict[str, bool]:
    """Returns title -> whether it was reached, in craftaxlm's order."""
    reached = snapshot.achievements
    names = _TABLE["full_achievements"][: len(reached)]
    return {to_title(name): bool(reached[name]) for name in names}


def _cells(obs: Observation, name: str) -> Iterator[dict[str, Any]]:
    called, axes = _TABLE["called"], "yx" if name == "crafter" else "xy"
    for offset, block in obs.rows.cells():
        if block == OUTSIDE:
            continue
        cell = {"block": block}
        for thing in obs.things:
            if thing.offset == offset:
                alive = thing.kind in {*obs.words.creatures, *obs.words.dangers}
                layer = "mob" if alive else "item" if thing.flat else "block"
                cell[layer] = to_title(thing.kind) if alive else thing.name
        seen = block not in (UNCLEAR, DARKNESS)
        yield {
            "position": dict(zip(axes, offset)),
            "visible": seen,
            **({n: called.get(what, what) for n, what in cell.items()} if seen else {}),
        }


def _inventory(obs: Observation) -> dict[str, Any]:
    groups: dict[str, Any] = belongings(obs, zeros=True)
    tools: dict[str, dict[str, int]] = {}
    for name, count in groups["tools"].items():
        material, _, kind = name.rpartition("_")
        tools.setdefault(kind, {})[material or kind] = count
    return {**groups, "tools": tools}


# Environments.


class Functional:
    """Mixin with the call signatures of both Gymnasium and Craftax.

    As in Craftax, `reset(key, params)` returns observation and state, and
    `step(key, state, action, params)` returns observation, next state, reward, done and
    info; neither affects the environment's own game. A key is an integer or an array
    that ends with one; it selects the world. A state contains its random stream, so the
    keys of steps are ignored.

    Args:
      auto_reset: Whether the functional `step` starts the next game after the end of
        one.
      **settings: Arguments of the environment.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        settings, self._auto_reset = {"events": True, **settings}, auto_reset
        self._make_twin: Any = functools.partial(type(self), **settings)
        super().__init__(**settings)

    @functools.cached_property
    def _twin(self) -> CrafterACI:
        """The game used for functional calls."""
        return CrafterACI(self._make_twin())

    def _state_in_twin(self) -> CraftaxState:
        self._twin.look()
        return _state_of(self._twin)

    def reset(
        self,
        key: Any = None,
        params: Any = None,
        *,
        seed: int | None = None,
        options: Options = None,
    ) -> Any:
        """Starts a game; returns observation and info, or with a key the state."""
        if key is None:
            inherited: Any = super()
            return inherited.reset(seed=seed, options=options)
        seed = int(np.ravel(key)[-1])
        obs, _ = self._twin.env.reset(seed=seed, options=options)
        return obs, self._state_in_twin()

    def step(self, *arguments: Any) -> Any:
        """Performs one step; takes an action, or key, state, action and parameters."""
        if len(arguments) == 1:
            inherited: Any = super()
            return inherited.step(*arguments)
        _, state, action, *_ = arguments
        env = self._twin.env
        env.set_state(state.saved)
        obs, reward, dead, truncated, info = env.step(action)
        done = dead or truncated
        if done and self._auto_reset:
            obs, _ = env.reset()
        return obs, self._state_in_twin(), reward, done, info


class CraftaxClassicEnv(Functional, _ClassicEnv):
    """Crafter with the call signatures of both Gymnasium and Craftax-Classic.

    Args:
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.Env`.
    """

    @property
    def default_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return {"area": self.area, "view": self.view, "length": self.length}


class CraftaxFullEnv(Functional, Env):
    """Craftax with the call signatures of both Gymnasium and the published package.

    Args:
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.craftax.Env`.
    """

    @property
    def default_params(self) -> dict[str, Any]:
        """Arguments of the game."""
        return dataclasses.asdict(self.parameters)


#: Name -> environment and its settings; Craftax-Classic stands for Crafter.
_NAMES: dict[str, tuple[type[Functional], dict[str, Any]]] = {
    "Craftax-Classic-Symbolic-v1": (CraftaxClassicEnv, {}),
    "Craftax-Classic-Pixels-v1": (CraftaxClassicEnv, {}),
    "Craftax-Symbolic-v1": (CraftaxFullEnv, {"observation": "symbolic"}),
    "Craftax-Pixels-v1": (CraftaxFullEnv, {"observation": "pixels"}),
}


def make_craftax_env_from_name(
    name: str, auto_reset: bool = False, **settings: Any
) -> Any:
    """Returns the equivalent environment for a Craftax id.

    Args:
      name: The id; Craftax-Classic stands for Crafter.
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.Env` or `crafter.craftax.Env`.

    Raises:
      ValueError: If the id is unknown.
    """
    validation.one_of("name", name, tuple(_NAMES))
    env_class, fixed = _NAMES[name]
    return env_class(auto_reset=auto_reset, **fixed, **settings)


# Interfaces.


class CraftaxBaseACI(CrafterACI):
    """The interface of craftaxlm; a subclass chooses the game.

    Args:
      seed: Seed of the sequence of worlds.
      actions_to_start_with: Indices of actions to execute first.
      verbose: Whether to include every cell, and items with amount 0.
      formatting: `md` or `xml`.
      map_format: `full` in words, or `compact` as characters.
      on_invalid: `skip` and `reject` take no step for an unknown action, `noop` reads
        it as noop, as craftaxlm does.
      strict_legacy: Read unknown actions as noop, and show 9 x 9 cells of the smaller
        game, as craftaxlm does. For comparisons only.

    Raises:
      ValueError: If an argument is invalid.
    """

    #: Craftax's name of the environment.
    env_name: str

    def __init__(
        self,
        seed: int | None = 0,
        actions_to_start_with: Sequence[int] = (),
        verbose: bool = True,
        formatting: str = "md",
        map_format: str = "full",
        *,
        on_invalid: str = "skip",
        strict_legacy: bool = False,
    ) -> None:
        self.verbose, self.formatting, self.map_format = verbose, formatting, map_format
        self._legacy = strict_legacy
        if strict_legacy:
            on_invalid = "noop"
            warnings.warn(
                "strict_legacy reads unknown actions as noop and shows cells that the "
                "picture does not show; use it for comparisons only.",
                stacklevel=2,
            )
        self.on_invalid = on_invalid
        super().__init__(
            self.make_env(seed or 0),
            seed=seed or 0,
            stop_on="none",
            on_invalid=on_invalid,
            invalid_limit=None,
            macros=False,
            allow_undo=True,
        )
        self.go_forward(actions_to_start_with)

    def make_env(self, seed: int = 0) -> Any:
        """Returns an environment of the game that also supports functional calls."""
        return make_craftax_env_from_name(self.env_name, seed=seed)

    def _info_fields(self, obs: Observation) -> dict[str, Any]:
        """Returns the step-info fields for an observation."""
        raise NotImplementedError

    def _info(self, obs: Observation, reward: float, done: bool) -> dict[str, Any]:
        return {**self._info_fields(obs), "reward": float(reward), "done": bool(done)}

    # Names of craftaxlm.

    def reset(
        self, seed: int | None = None, next: bool = False, options: Options = None
    ) -> Any:
        """Restarts the same world; returns and stores `starting_obs`."""
        super().reset(seed, next, options)
        self._seen: dict[str, Any] = {}
        self.starting_obs = self.create_starting_obs()
        return self.starting_obs

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the current state as a step info without reward."""
        return self._info(self.observe(), 0.0, self.done)

    def create_step_info(
        self, state: CraftaxState, reward: float, done: bool
    ) -> dict[str, Any]:
        """Returns a state as a step info.

        Args:
          state: A value of `state`.
          reward: Reward of the step that led to it.
          done: Whether the game is over.
        """
        return self._info(state.observation, reward, done)

    def _step(self, action: int) -> dict[str, Any]:
        """Takes one step by action index and returns its step info."""
        names = self.words.actions
        return self._act(names[validation.integer("action", action, 0, len(names) - 1)])

    def _act(self, action: str) -> dict[str, Any]:
        turn = self.act([action])
        info = self._info(turn.observation, sum(turn.rewards), turn.done)
        if turn.error is not None and self.on_invalid != "noop":
            info["error"] = turn.error.message
        return info

    def multistep(
        self, actions: Sequence[str]
    ) -> tuple[list[dict[str, Any]], list[float], bool]:
        """Executes actions one after another until the game is over.

        An unknown action takes no step; its step info repeats the state and has the
        reason in `error`.

        Returns:
          Step infos, rewards, and whether the game is over.
        """
        infos = [self._act(action) for action in actions if not self.done]
        return infos, [info["reward"] for info in infos], self.done

    def go_forward(self, actions: Iterable[int]) -> dict[str, Any]:
        """Executes actions by index and returns the last step info."""
        infos = [self._step(action) for action in actions]
        return infos[-1] if infos else {}

    def map_action_string_to_int(self, action: str) -> int:
        """Returns the index of an action.

        Raises:
          ValueError: If it is unknown; with `on_invalid="noop"` it is noop instead.
        """
        result = parse_for(self.words, action, macros=False, max_batch=1)
        if result.error is None:
            return self.words.actions.index(result.actions[0])
        if self.on_invalid == "noop":
            return self.words.actions.index("noop")
        raise ValueError(result.error.message)

    def get_achievements(self, state: CraftaxState) -> dict[str, dict[str, bool]]:
        """Returns `achievements`: title -> whether it was reached in a state."""
        return {"achievements": state.achievements}

    def get_achievement_delta(
        self, achievements: Mapping[str, Mapping[str, Any]]
    ) -> list[str]:
        """Returns the titles reached since the last call in this game.

        Args:
          achievements: A value of `get_achievements`.
        """
        before, self._seen = self._seen, dict(achievements["achievements"])
        return [n for n, reached in self._seen.items() if reached and not before.get(n)]

    @property
    def achievements(self) -> dict[str, Any]:
        """Title -> whether it was reached."""
        return _achievements(self.moment.snapshot)

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """Titles of the achievements reached in each step."""
        return [[*map(to_title, names)] for names in super().achievement_deltas]

    @property
    def state(self) -> CraftaxState:
        """The current state."""
        return _state_of(self)

    @state.setter
    def state(self, state: CraftaxState) -> None:
        self.env.set_state(state.saved)
        self.look()

    @property
    def env_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return dict(self.env.default_params)

    @property
    def rngs(self) -> tuple[int, int, int]:
        """Keys for `env.reset` and `env.step`: the seed of the worlds."""
        return (self.seed or 0,) * 3

    def describe(self, observation: Observation) -> str:
        """Returns an observation as Markdown or XML."""
        return _render(observation, self.verbose, self.formatting, self.map_format)


class CraftaxClassicACI(CraftaxBaseACI):
    """craftaxlm's interface to Craftax-Classic; arguments of `CraftaxBaseACI`."""

    env_name = "Craftax-Classic-Symbolic-v1"

    def make_env(self, seed: int = 0) -> CraftaxClassicEnv:
        """Returns an environment of the game."""
        return CraftaxClassicEnv(seed=seed, **(_LEGACY if self._legacy else {}))

    def _info_fields(self, obs: Observation) -> dict[str, Any]:
        return {"state_image": obs.image(), "state_text": self.describe(obs)}


class CraftaxACI(CraftaxBaseACI):
    """craftaxlm's interface to the larger game: `state` is text, without a picture.

    Arguments, members and results are those of `CraftaxClassicACI`, with 43 actions and
    67 achievements; a step info has `state`, `reward` and `done`, and `starting_obs`
    has `state` alone.

    Example:
      >>> aci = CraftaxACI(seed=1)
      >>> infos, rewards, done = aci.multistep(["left", "do"])
      >>> sorted(infos[0]), len(rewards), done
      (['done', 'reward', 'state'], 2, False)
    """

    env_name = "Craftax-Symbolic-v1"

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the current state as `state`."""
        return self._info_fields(self.observe())

    def _info_fields(self, obs: Observation) -> dict[str, Any]:
        return {"state": self.describe(obs)}

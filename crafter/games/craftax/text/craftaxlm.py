"""The names of craftaxlm 0.0.22 to 0.0.37, with the faults behind them corrected.

A script changes its import, `craftaxlm` to `crafter.lm.craftaxlm`, and runs; what
behaves differently, and why, is on the page about language models. The modules
`aci`, `env`, `metadata` and `state` of its folders `classic` and `full` are second
names of this one. `CraftaxACI` plays the larger game, which craftaxlm names but could
not play.
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

#: It has folders for the import system, which `crafter.core.aliases` fills.
__path__: list[str] = []

_TABLE: dict[str, Any] = load("craftaxlm", FOLDER)
_ClassicEnv: Any = game.find("crafter").part("env")
#: A view of 9 x 9 cells and two rows of items.
_LEGACY: dict[str, Any] = {"view": (9, 11), "size": (63, 77)}


# Names and tables.


def to_title(name: str) -> str:
    """Returns the name of an achievement as craftaxlm writes it.

    Example:
      >>> to_title("collect_wood")
      'Collect Wood'
    """
    return name.replace("_", " ").title()


def from_title(title: str) -> str:
    """Returns our name for an achievement of craftaxlm, in either game.

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
      id: Its number, 0 to 39.

    Returns:
      The name, or `None` if no creature has the number.

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
    """Returns the score of craftaxlm's function: a geometric mean of 1 + p, less 1.

    Args:
      runs: Title -> whether it was reached, for each rollout; at least one.
    """
    table = np.array([[bool(run[title]) for title in runs[0]] for run in runs])
    return float(scores.geometric01(table.mean(0))) / 100


# States.


@dataclasses.dataclass(frozen=True)
class CraftaxState:
    """A moment of either game, ready to be written.

    Attributes:
      map_full: Cells in view: `position` with `x` and `y`, `visible`, `block` and
        perhaps `mob` and `item`; as in craftaxlm, `x` counts downwards in the smaller
        game and to the right in the larger one.
      map_compact: The map as characters.
      inventory: `resources`, `tools` by kind and material, and what else there is.
      player: Vitals, attributes, and the direction it faces.
      environment: Light, sleep, floor and the like.
      achievements: Title -> whether it was reached.
      image: The picture, uint8 of shape (height, width, 3).
      observation: The same in the form of `CrafterACI`.
      snapshot: Everything, also what players do not see.
      saved: Value of `Env.get_state`, to go on from here.
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
        """Returns the moment as text.

        Args:
          verbose: Tell every cell, and items of which there are none.
          formatting: `md` or `xml`.
          map_format: `full` in words, or `compact` as characters.

        Raises:
          ValueError: If a form is unknown.
        """
        return _render(self.observation, verbose, formatting, map_format)


CraftaxClassicState = CraftaxFullState = CraftaxState


def render_craftax_text_custom(state: CraftaxState) -> CraftaxState:
    """Returns a state ready to be written; ours are already."""
    return state


render_craftax_classic_text_custom = render_craftax_text_custom


def _render(obs: Observation, verbose: bool, formatting: str, map_format: str) -> str:
    validation.one_of("formatting", formatting, ("md", "xml"))
    validation.one_of("map_format", map_format, ("full", "compact"))
    form = observation.render_md if formatting == "md" else observation.render_xml
    return form(obs, _style(verbose, obs.words), map_format == "compact")


def _style(verbose: bool, words: Words) -> Style:
    """Returns the style of a text, with the characters of craftaxlm if it had any."""
    glyphs = "craftaxlm" if "craftaxlm" in words["glyphs"] else "crafter"
    detail = "all" if verbose else "nearest"
    return Style(verbosity=1 + verbose, detail=detail, glyphs=glyphs)


def _state_of(aci: CrafterACI) -> CraftaxState:
    """Returns the present moment of a game."""
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
    """Returns title -> whether it was reached, in the order of craftaxlm."""
    reached = snapshot.achievements
    names = _TABLE["full_achievements"][: len(reached)]
    return {to_title(name): bool(reached[name]) for name in names}


def _cells(obs: Observation, name: str) -> Iterator[dict[str, Any]]:
    called, axes = _TABLE["called"], "yx" if name == "crafter" else "xy"
    for offset, block in obs.rows.cells():
        if block == OUTSIDE:
            continue
        told = {"block": block}
        for thing in obs.things:
            if thing.offset == offset:
                alive = thing.kind in {*obs.words.creatures, *obs.words.dangers}
                layer = "mob" if alive else "item" if thing.flat else "block"
                told[layer] = to_title(thing.kind) if alive else thing.name
        seen = block not in (UNCLEAR, DARKNESS)
        yield {
            "position": dict(zip(axes, offset)),
            "visible": seen,
            **({n: called.get(what, what) for n, what in told.items()} if seen else {}),
        }


def _inventory(obs: Observation) -> dict[str, Any]:
    told: dict[str, Any] = belongings(obs, zeros=True)
    tools: dict[str, dict[str, int]] = {}
    for name, count in told["tools"].items():
        material, _, kind = name.rpartition("_")
        tools.setdefault(kind, {})[material or kind] = count
    return {**told, "tools": tools}


# Environments.


class Functional:
    """Mixin with the call signatures of both Gymnasium and Craftax.

    As in Craftax, `reset(key, params)` returns observation and state, and
    `step(key, state, action, params)` observation, next state, reward, whether the game
    is over, and info; both leave the game of the environment itself alone. A key is an
    integer or an array that ends with one; it chooses the world. A state has its own
    random numbers, so the keys of steps play no part.

    Args:
      auto_reset: Whether `step` of the functional form starts the next game after the
        end of one.
      **settings: Arguments of the environment.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        settings, self._auto_reset = {"events": True, **settings}, auto_reset
        self._make_twin: Any = functools.partial(type(self), **settings)
        super().__init__(**settings)

    @functools.cached_property
    def _twin(self) -> CrafterACI:
        """The game in which functional calls are carried out."""
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
        """Plays one step; takes an action, or key, state, action and parameters."""
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


#: Name -> environment, and settings of it; those of Craftax-Classic stand for Crafter.
_NAMES: dict[str, tuple[type[Functional], dict[str, Any]]] = {
    "Craftax-Classic-Symbolic-v1": (CraftaxClassicEnv, {}),
    "Craftax-Classic-Pixels-v1": (CraftaxClassicEnv, {}),
    "Craftax-Symbolic-v1": (CraftaxFullEnv, {"observation": "symbolic"}),
    "Craftax-Pixels-v1": (CraftaxFullEnv, {"observation": "pixels"}),
}


def make_craftax_env_from_name(
    name: str, auto_reset: bool = False, **settings: Any
) -> Any:
    """Returns the environment that stands for a name of Craftax.

    Args:
      name: The id; those of Craftax-Classic stand for Crafter.
      auto_reset: See `Functional`.
      **settings: Arguments of `crafter.Env` or `crafter.craftax.Env`.

    Raises:
      ValueError: If it is another id.
    """
    validation.one_of("name", name, tuple(_NAMES))
    made, fixed = _NAMES[name]
    return made(auto_reset=auto_reset, **fixed, **settings)


# Interfaces.


class CraftaxBaseACI(CrafterACI):
    """The interface of craftaxlm; a subclass chooses the game.

    Args:
      seed: Of the sequence of worlds.
      actions_to_start_with: Indices of actions that are executed at once.
      verbose: Tell every cell, and items of which there are none.
      formatting: `md` or `xml`.
      map_format: `full` in words, or `compact` as characters.
      on_invalid: `skip` and `reject` take no step for an unknown action, `noop` reads
        it as noop, as craftaxlm does.
      strict_legacy: Read unknown actions as noop, and show 9 x 9 cells of the smaller
        game, as craftaxlm does. For comparisons only.

    Raises:
      ValueError: If an argument is impossible.
    """

    #: The environment, by its name in Craftax.
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
        """Returns an environment of the game, which `functional` can call, too."""
        return make_craftax_env_from_name(self.env_name, seed=seed)

    def _told(self, obs: Observation) -> dict[str, Any]:
        """Returns what a step info says of a moment."""
        raise NotImplementedError

    def _info(self, obs: Observation, reward: float, done: bool) -> dict[str, Any]:
        return {**self._told(obs), "reward": float(reward), "done": bool(done)}

    # Names of craftaxlm.

    def reset(
        self, seed: int | None = None, next: bool = False, options: Options = None
    ) -> Any:
        """Starts the same world again; returns and keeps `starting_obs`."""
        super().reset(seed, next, options)
        self._seen: dict[str, Any] = {}
        self.starting_obs = self.create_starting_obs()
        return self.starting_obs

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the present moment as a step info without reward."""
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
        """Takes one step by the index of an action and returns its step info."""
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
        """Takes the actions one after the other until the game is over.

        For an unknown action no step is taken; its step info repeats the moment and
        says why under `error`.

        Returns:
          Step infos, rewards, and whether the game is over.
        """
        infos = [self._act(action) for action in actions if not self.done]
        return infos, [info["reward"] for info in infos], self.done

    def go_forward(self, actions: Iterable[int]) -> dict[str, Any]:
        """Takes steps by the indices of actions and returns the last step info."""
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
        """Returns the titles reached since it was called last in this game.

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
        """For each step, the titles of the achievements reached in it."""
        return [[*map(to_title, names)] for names in super().achievement_deltas]

    @property
    def state(self) -> CraftaxState:
        """The present moment as a state."""
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
    """The interface of craftaxlm to Craftax-Classic; arguments of `CraftaxBaseACI`."""

    env_name = "Craftax-Classic-Symbolic-v1"

    def make_env(self, seed: int = 0) -> CraftaxClassicEnv:
        """Returns an environment of the game."""
        return CraftaxClassicEnv(seed=seed, **(_LEGACY if self._legacy else {}))

    def _told(self, obs: Observation) -> dict[str, Any]:
        return {"state_image": obs.image(), "state_text": self.describe(obs)}


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

    env_name = "Craftax-Symbolic-v1"

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the present moment as `state`."""
        return self._told(self.observe())

    def _told(self, obs: Observation) -> dict[str, Any]:
        return {"state": self.describe(obs)}

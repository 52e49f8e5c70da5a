"""The names of craftaxlm, for scripts that were written for it.

Only the import changes: `from crafter.lm import CraftaxClassicACI`. What behaves
differently, and why, is in docs/language-models.md. The larger game of craftaxlm is not
included.

Source: the interface of craftaxlm 0.0.22.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import crafter
from crafter.lm.hear.parse import parse
from crafter.lm.play.aci import CrafterACI
from crafter.lm.play.observer import CELL
from crafter.lm.tell import markup
from crafter.lm.tell.observation import Observation
from crafter.lm.tell.words import CRAFTER
from crafter.rules import default
from crafter.snapshot import Snapshot

FORMATTINGS = ("md", "xml")
MAP_FORMATS = ("full", "compact")
_LEGACY_VIEW = (9, 11)  # a map of 9 x 9 cells and two rows of items

#: Our names of the achievements in the order of craftaxlm.
_ORDER: tuple[str, ...] = tuple(CRAFTER["craftaxlm_order"])


def to_title(name: str) -> str:
    """Returns the name of an achievement as craftaxlm writes it.

    Example:
      >>> to_title("collect_wood")
      'Collect Wood'
    """
    return name.replace("_", " ").title()


def from_title(title: str) -> str:
    """Returns our name of an achievement of craftaxlm.

    Raises:
      ValueError: If there is no such achievement.

    Example:
      >>> from_title("Collect Wood")
      'collect_wood'
    """
    name = title.strip().replace(" ", "_").lower()
    if name not in default().achievements:
        titles = [to_title(known) for known in _ORDER]
        raise ValueError(f"Unknown achievement {title!r}; there are {titles}.")
    return name


CRAFTAX_CLASSIC_ACHIEVEMENTS = {i: to_title(name) for i, name in enumerate(_ORDER)}
CRAFTAX_CLASSIC_ACTION_MAPPING = {name: i for i, name in enumerate(default().actions)}
CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES = ["grass", "sand"]
CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS = ["water", "stone", "tree", "path", "plant"]
CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS = [
    "coal",
    "iron",
    "diamond",
    "table",
    "furnace",
    "lava",
    "ripe plant",
]
CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS = ["zombie", "cow", "skeleton", "arrow"]
_ENVIRONMENTS = ("Craftax-Classic-Symbolic-v1", "Craftax-Classic-Pixels-v1")

CraftaxBaseACI = CrafterACI


def make_craftax_env_from_name(name: str, **options: Any) -> crafter.Env:
    """Returns the environment that stands for a name of Craftax-Classic.

    Args:
      name: The id.
      **options: Arguments of `crafter.Env`.

    Raises:
      ValueError: If it is another id.
    """
    if name not in _ENVIRONMENTS:
        raise ValueError(f"Unknown environment {name!r}; there are {_ENVIRONMENTS}.")
    return crafter.Env(**{"events": True, **options})


@dataclasses.dataclass(frozen=True)
class CraftaxState:
    """The present moment, ready to be written.

    Attributes:
      map: What is around, as text or rows.
      inventory: Resources and tools.
      player: Vitals and facing.
      environment: Light, sleep and time.
      achievements: Title -> whether it was reached.
      image: The picture, uint8 of shape (height, width, 3).
      snapshot: Everything.
    """

    map: Any
    inventory: dict[str, Any]
    player: dict[str, Any]
    environment: dict[str, Any]
    achievements: dict[str, bool]
    image: np.ndarray
    snapshot: Snapshot


class CraftaxClassicACI(CrafterACI):
    """The working interface of craftaxlm, with its faults mended.

    Args:
      seed: Of the sequence of worlds.
      actions_to_start_with: Indices of actions that are executed at once.
      verbose: Tell every cell, and items of which there are none.
      formatting: `md` or `xml`.
      map_format: `full` in words, or `compact` as characters.
      strict_legacy: Read unknown actions as noop, and show 9 x 9 cells, as craftaxlm
        does. For comparisons only.

    Raises:
      ValueError: If an argument is impossible.
    """

    def __init__(
        self,
        seed: int = 0,
        actions_to_start_with: Sequence[int] = (),
        verbose: bool = True,
        formatting: str = "md",
        map_format: str = "full",
        *,
        strict_legacy: bool = False,
    ) -> None:
        if formatting not in FORMATTINGS:
            raise ValueError(
                f"formatting must be one of {FORMATTINGS}, not {formatting!r}."
            )
        if map_format not in MAP_FORMATS:
            raise ValueError(
                f"map_format must be one of {MAP_FORMATS}, not {map_format!r}."
            )
        self.verbose, self.formatting, self.map_format = verbose, formatting, map_format
        self._legacy = strict_legacy
        if strict_legacy:
            warnings.warn(
                "strict_legacy reads unknown actions as noop and shows cells that the "
                "picture does not show; use it for comparisons only.",
                stacklevel=2,
            )
        super().__init__(
            _make_env(seed, strict_legacy),
            seed=seed,
            format=formatting,
            verbosity=2 if verbose else 1,
            detail="all" if verbose else "nearest",
            glyphs="craftaxlm",
            stop_on="none",
            invalid_limit=None,
            allow_undo=True,
        )
        for action in actions_to_start_with:
            self._step(action)

    # Names of craftaxlm.

    def reset(
        self,
        seed: int | None = None,
        next: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Any:
        """Starts the same world again; returns and keeps `starting_obs`."""
        observation = super().reset(seed, next, options)
        self.starting_obs = self._info(observation, 0.0)
        return self.starting_obs

    def _step(self, action: int) -> dict[str, Any]:
        """Takes one step by the index of an action and returns its step info."""
        name = _action_name(action)
        turn = self.act([name])
        return self._info(turn.observation, sum(turn.rewards), turn.error)

    def multistep(
        self, actions: Sequence[str]
    ) -> tuple[list[dict[str, Any]], list[float], bool]:
        """Takes the actions one after the other until the game is over.

        Nothing is executed if one of them is unknown: the only step info then repeats
        the moment and has the message under `error`.

        Returns:
          Step infos, rewards, and whether the game is over.
        """
        if not self._legacy:
            unknown = parse(list(actions), max_batch=max(1, len(actions)))
            if unknown.error is not None:
                info = self._info(self.observe(), 0.0, unknown.error)
                return [info], [0.0], self.done
        infos: list[dict[str, Any]] = []
        for action in actions:
            if self.done:
                break
            infos.append(self._step(self.map_action_string_to_int(action)))
        return infos, [info["reward"] for info in infos], self.done

    def go_forward(self, actions: Iterable[int]) -> dict[str, Any]:
        """Takes steps by the indices of actions and returns the last step info."""
        info = self._info(self.observe(), 0.0)
        for action in actions:
            info = self._step(action)
        return info

    def map_action_string_to_int(self, action: str) -> int:
        """Returns the index of an action.

        Raises:
          ValueError: If it is unknown; with `strict_legacy` it is noop instead.
        """
        result = parse(action, macros=False)
        if result.error is None and len(result.actions) == 1:
            return default().actions.index(result.actions[0])
        if self._legacy:
            return default().actions.index("noop")
        told = result.error.message if result.error else "Expected one action."
        raise ValueError(told)

    def get_achievements(self, state: Any) -> dict[str, bool]:
        """Returns title -> whether it was reached, in the order of craftaxlm."""
        counts = getattr(state, "snapshot", state).achievements
        return {to_title(name): bool(counts[name]) for name in _ORDER}

    @property
    def achievements(self) -> dict[str, Any]:
        """Title -> whether it was reached."""
        return self.get_achievements(super().state)

    @property
    def achievement_deltas(self) -> list[list[str]]:
        """For each step, the titles of the achievements reached in it."""
        return [
            [to_title(name) for name in names] for names in super().achievement_deltas
        ]

    @property
    def state(self) -> Any:
        """The present moment as a `CraftaxState`."""
        observation = self.observe()
        told = markup.sections(observation, observation.style, self._compact)
        return CraftaxState(
            map=told["map"],
            inventory=told["inventory"],
            player=told["player"],
            environment=told["environment"],
            achievements=self.achievements,
            image=self._picture(),
            snapshot=super().state,
        )

    @property
    def env_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return {"area": self.env.area, "view": self.env.view, "length": self.env.length}

    @property
    def rngs(self) -> int:
        """Seed of the worlds; the game has its own stream of random numbers."""
        return self.seed

    @property
    def _compact(self) -> bool:
        return self.map_format == "compact"

    def describe(self, observation: Observation) -> str:
        """Returns an observation as Markdown or XML."""
        form = markup.render_md if self.formatting == "md" else markup.render_xml
        return form(observation, observation.style, self._compact)

    def _info(
        self, observation: Observation, reward: float, error: Any = None
    ) -> dict[str, Any]:
        info = {
            "state_image": self._picture(),
            "state_text": self.describe(observation),
            "reward": float(reward),
            "done": observation.done,
        }
        return info if error is None else {**info, "error": error.message}

    def _picture(self) -> np.ndarray:
        columns, rows = self.env.view
        return self.env.frame((CELL * columns, CELL * rows))


def _make_env(seed: int, legacy: bool) -> crafter.Env:
    if legacy:
        size = (7 * _LEGACY_VIEW[0], 7 * _LEGACY_VIEW[1])
        return crafter.Env(seed=seed, events=True, view=_LEGACY_VIEW, size=size)
    return crafter.Env(seed=seed, events=True)


def _check(name: str, value: str, valid: tuple[str, ...]) -> None:
    if value not in valid:
        raise ValueError(f"{name} must be one of {valid}, not {value!r}.")


def _action_name(action: Any) -> str:
    index, count = int(action), len(default().actions)
    if not 0 <= index < count:
        raise ValueError(f"Expected an action of 0 ... {count - 1}, got {action!r}.")
    return default().actions[index]

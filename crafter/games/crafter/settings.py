"""Settings of an environment, and argument validation."""

from __future__ import annotations

import dataclasses
from typing import Any

from gymnasium import spaces

from crafter.core.ruleset import thaw
from crafter.core.validation import as_integer, fail, mapping, one_of, raising
from crafter.games.crafter import constants, observations
from crafter.games.crafter.rules import Rules, RulesError, default, load
from crafter.games.crafter.views import FrameView, Textures, cell_size, split_view

NIGHT_NOISES = ("published", "private")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings shared by all episodes of an environment.

    Attributes:
      area: Map size (x, y) in cells.
      view: View size (columns, rows) in cells, including the inventory rows.
      size: Observation size (width, height) in pixels.
      reward: Whether rewards are returned.
      length: Steps after which an episode is truncated; `None` or 0 for no limit.
      textures: The texture pack.
      observation: Observation kind; see `crafter.games.crafter.observations.KINDS`.
      night_noise: Random stream of the night noise, one of `NIGHT_NOISES`.
      render_size: Size (width, height) of `render()`; `None` for the default.
      rules: The rules of the game, including the item table.

    Raises:
      ValueError: If a setting is invalid; the message says what is valid.
    """

    area: tuple[int, int]
    view: tuple[int, int]
    size: tuple[int, int]
    reward: bool
    length: int | None
    textures: Textures
    observation: str
    night_noise: str
    render_size: tuple[int, int] | None
    rules: Rules

    def __post_init__(self) -> None:
        for pixels in (self.size, self.render_size):
            if pixels is not None:
                cell_size(self.view, pixels)  # raises if it is too small
        assert self.observation_space is not None  # raises if it is invalid
        one_of("night_noise", self.night_noise, NIGHT_NOISES)

    @property
    def draws_noise(self) -> bool:
        """Whether the night noise draws from the stream of the game."""
        return self.observation == "pixels" and self.night_noise == "published"

    @property
    def noise_shape(self) -> tuple[int, int]:
        """Map part of the observation (width, height) in pixels."""
        width, height = cell_size(self.view, self.size)
        (columns, rows), _ = split_view(self.view, len(self.rules.items))
        return columns * width, rows * height

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """Space of the observations."""
        return observations.space(
            self.observation, self.area, self.view, self.size, self.rules
        )

    @property
    def state_config(self) -> dict[str, Any]:
        """Settings that a saved state must match to be resumed.

        The size is included, since the night noise draws a number per pixel. The rules
        are included as their digest.
        """
        return {
            "area": self.area,
            "view": self.view,
            "size": self.size,
            "length": self.length or 0,
            "reward": self.reward,
            "draws_noise": self.draws_noise,
            "limits": [item["max"] for item in self.rules.items.values()],
            "rules": self.rules.digest,
        }

    def frame_view(self, size: tuple[int, int]) -> FrameView:
        """Returns the renderer of frames of a size, (width, height) in pixels."""
        return FrameView(self.textures, self.view, size, self.rules)


def rules_of(rules: Any, items: Any) -> Rules:
    """Returns the rules for the arguments `rules` and `items`.

    Changes apply to the default rules with the items of
    `crafter.games.crafter.constants`.

    Raises:
      crafter.games.crafter.rules.RulesError: If the rules are invalid.
    """
    base = default()
    if constants.items != base.items:
        base = Rules({**thaw(base.data), "items": constants.items})
    rules = load(rules, base)
    if items is None:
        return rules
    with raising(RulesError):
        mapping("items", items, rules.items)
    return rules.changed({"items": items})


def checked_length(length: Any) -> int | None:
    """Validates a step limit.

    Raises:
      ValueError: If it is not a number of steps, None or 0.
    """
    number = 0 if length is None else as_integer(length)
    if number is None or number < 0:
        fail("length", "a number of steps, or None or 0 for no limit", length)
    return None if length is None else number

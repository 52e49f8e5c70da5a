"""Argument validation, the same for single environments and batches."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from gymnasium import spaces

from crafter.core.ruleset import thaw
from crafter.core.validation import as_integer, fail, mapping, one_of, pair, raising
from crafter.games.crafter import constants, observations
from crafter.games.crafter.rules import Rules, RulesError, default, load
from crafter.games.crafter.views import FrameView, Textures, cell_size, split_view

NIGHT_NOISES = ("published", "private")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings that all episodes of an environment share.

    `check` makes one from arguments.

    Attributes:
      area: Map size (x, y) in cells.
      view: View size (columns, rows) in cells, inventory rows included.
      size: Observation size (width, height) in pixels.
      reward: Whether rewards are returned.
      length: Steps after which an episode is truncated; `None` or 0 for no limit.
      textures: The texture pack.
      observation: Kind of the observation; see
        `crafter.games.crafter.observations.KINDS`.
      night_noise: Where the noise of dark pixels comes from, of `NIGHT_NOISES`.
      render_size: Size (width, height) of pictures for people; `None` for the default.
      rules: The rules of the game, the item table included.
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

    @property
    def draws_noise(self) -> bool:
        """Whether dark pixels draw from the stream of the game."""
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

        At night a number is drawn for each pixel, so the size is part of the game; the
        rules are there as their digest.
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
        """Returns the renderer for pictures of a size, (width, height) in pixels."""
        return FrameView(self.textures, self.view, size, self.rules)


def check(
    area: Any,
    view: Any,
    size: Any,
    reward: Any,
    length: Any,
    *,
    textures: str | os.PathLike | None = None,
    observation: Any = "pixels",
    night_noise: Any = "published",
    render_size: Any = None,
    items: Any = None,
    rules: Any = None,
) -> Settings:
    """Returns the settings that arguments of `crafter.Env` ask for.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules or items are wrong.
      crafter.games.crafter.views.TextureError: If the texture pack is not usable.
    """
    settings = Settings(
        area=pair("area", area, scalar=False),
        view=pair("view", view),
        size=pair("size", size),
        reward=bool(reward),
        length=checked_length(length),
        textures=Textures(textures),
        observation=observation,
        night_noise=night_noise,
        render_size=None if render_size is None else pair("render_size", render_size),
        rules=_with_items(load(rules, _base_rules()), items),
    )
    for pixels in (settings.size, settings.render_size):
        if pixels is not None:
            cell_size(settings.view, pixels)  # raises if it is too small
    assert settings.observation_space is not None  # raises if it is impossible
    one_of("night_noise", night_noise, NIGHT_NOISES)
    return settings


def _base_rules() -> Rules:
    """Returns the default rules with the items of `crafter.games.crafter.constants`."""
    rules = default()
    if constants.items == rules.items:
        return rules
    return Rules({**thaw(rules.data), "items": constants.items})


def _with_items(rules: Rules, items: Any) -> Rules:
    """Returns rules with other amounts of the existing items."""
    if items is None:
        return rules
    with raising(RulesError):
        mapping("items", items, rules.items)
    return rules.changed({"items": items})


def checked_length(length: Any) -> int | None:
    """Returns a step limit.

    Raises:
      ValueError: If it is not a number of steps, None or 0.
    """
    number = 0 if length is None else as_integer(length)
    if number is None or number < 0:
        fail("length", "a number of steps, or None or 0 for no limit", length)
    return None if length is None else number

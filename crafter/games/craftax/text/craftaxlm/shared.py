"""State of craftaxlm."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax.text.craftaxlm.titles import TABLE, Names, to_title
from crafter.lm import game as games
from crafter.lm.play.session import Observer, Session, picture_size
from crafter.lm.rendering import ascii_map, markup
from crafter.lm.rendering.facts import Style
from crafter.lm.rendering.observation import Observation
from crafter.lm.rendering.words import Words

FORMATTINGS = ("md", "xml")
MAP_FORMATS = ("full", "compact")


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
    for first, names in TABLE["mobs"].items():
        if first <= id < first + len(names):
            name: str = names[id - first]
            return name
    return None


@dataclasses.dataclass(frozen=True)
class CraftaxState:
    """A moment, ready to be written.

    Attributes:
      map_full: Cells in view: `position` with `x` and `y`, `visible`, `block` and
        perhaps `mob` and `item`; as in craftaxlm, `x` counts downwards in the smaller
        game and to the right in the larger one.
      map_compact: The map as characters.
      inventory: `resources`, `tools` and, in the larger game, `potions` and `armor`.
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
        return render(self.observation, verbose, formatting, map_format)


def style(verbose: bool, glyphs: str = "craftaxlm") -> Style:
    """Returns the style of a text."""
    if verbose:
        return Style(verbosity=2, detail="all", glyphs=glyphs)
    return Style(verbosity=1, detail="nearest", glyphs=glyphs)


def render(
    obs: Observation, verbose: bool, formatting: str = "md", map_format: str = "full"
) -> str:
    """Returns an observation as Markdown or XML; see `CraftaxState`.

    Raises:
      ValueError: If a form is unknown.
    """
    check("formatting", formatting, FORMATTINGS)
    check("map_format", map_format, MAP_FORMATS)
    form = markup.render_md if formatting == "md" else markup.render_xml
    return form(obs, style(verbose, obs.style.glyphs), map_format == "compact")


def check(name: str, value: Any, valid: tuple[str, ...]) -> None:
    """Checks a choice.

    Raises:
      ValueError: If the value is none of the valid ones.
    """
    if value not in valid:
        raise ValueError(f"{name} must be one of {valid}, not {value!r}.")


def near(obs: Observation, vantage: int | None) -> Observation:
    """Returns an observation of the cells around the player alone.

    Args:
      obs: The observation.
      vantage: Cells in each direction; `None` for all in the picture.
    """
    if vantage is None:
        return obs
    columns, lines = (min(vantage, middle) for middle in obs.middle)
    left, top = obs.middle[0] - columns, obs.middle[1] - lines
    rows = obs.rows[top : top + 2 * lines + 1]
    return dataclasses.replace(
        obs,
        rows=tuple(row[left : left + 2 * columns + 1] for row in rows),
        things=tuple(
            t for t in obs.things if abs(t.dx) <= columns and abs(t.dy) <= lines
        ),
    )


# From a game to a state.


def told(state: CraftaxState, vantage: int | None) -> CraftaxState:
    """Returns a state of no more cells than that in each direction."""
    return dataclasses.replace(state, observation=near(state.observation, vantage))


def session_of(env: Any) -> Session:
    """Returns what plays in an environment, at its present moment."""
    session = Session(env, words_in(env))
    session.look()
    return session


def observation_of(session: Session, vantage: int | None = None) -> Observation:
    """Returns the present moment of a game in the form of `CrafterACI`."""
    told = style(verbose=True, glyphs=glyphs_of(session.words))
    return near(Observer(session, told).observe(), vantage)


def words_in(env: Any) -> Words:
    """Returns the words of the game of an environment."""
    game = games.of(env)
    return game.words(game.rules_of(env))


def glyphs_of(words: Words) -> str:
    """Returns the characters of maps: those of craftaxlm, where it had any."""
    known = words["glyphs"]
    return "craftaxlm" if "craftaxlm" in known else str(next(iter(known)))


def common(session: Session, obs: Observation, names: Names) -> dict[str, Any]:
    """Returns the attributes of a state that are the same in all games."""
    snapshot = session.moment.snapshot
    return {
        "map_compact": ascii_map.render(obs, obs.style),
        "achievements": achievements_of(snapshot, names),
        "image": session.env.frame(picture_size(session)),
        "observation": obs,
        "snapshot": snapshot,
        "saved": session.env.get_state(),
    }


def achievements_of(snapshot: Any, names: Names) -> dict[str, bool]:
    """Returns title -> whether it was reached, in the order of craftaxlm."""
    reached = snapshot.achievements
    return {to_title(name): bool(reached[name]) for name in names.achievements}

"""The state of craftaxlm: a moment, ready to be written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from crafter.lm.craftaxlm.titles import ORDER, TABLE, to_title
from crafter.lm.play.aci import CrafterACI
from crafter.lm.play.limits import Limits
from crafter.lm.play.observer import Observer, picture_size
from crafter.lm.play.session import Session
from crafter.lm.tell import ascii_map, markup
from crafter.lm.tell.facts import Style
from crafter.lm.tell.observation import Observation
from crafter.lm.tell.situation import Situation
from crafter.lm.tell.words import OUTSIDE
from crafter.snapshot import Snapshot

FORMATTINGS = ("md", "xml")
MAP_FORMATS = ("full", "compact")
_TOOL_MATERIALS = ("wood", "stone", "iron")

CraftaxBaseACI = CrafterACI


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
      map_full: Cells in view: `position` with `x` (down) and `y` (to the right),
        `visible`, `block` and perhaps `mob`.
      map_compact: The map as characters.
      inventory: `resources`, and `tools` by kind and material.
      player: Vitals and `direction_facing`.
      environment: `light_level`, `is_sleeping` and `floor`.
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
    snapshot: Snapshot
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


def style(verbose: bool) -> Style:
    """Returns how things are told."""
    if verbose:
        return Style(verbosity=2, detail="all", glyphs="craftaxlm")
    return Style(verbosity=1, detail="nearest", glyphs="craftaxlm")


def render(
    obs: Situation, verbose: bool, formatting: str = "md", map_format: str = "full"
) -> str:
    """Returns an observation as Markdown or XML; see `CraftaxState`.

    Raises:
      ValueError: If a form is unknown.
    """
    check("formatting", formatting, FORMATTINGS)
    check("map_format", map_format, MAP_FORMATS)
    form = markup.render_md if formatting == "md" else markup.render_xml
    return form(obs, style(verbose), map_format == "compact")


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


def state_of(session: Session, vantage: int | None = None) -> CraftaxState:
    """Returns the present moment of a game."""
    observer = Observer(session, Limits(), style(verbose=True))
    observation = near(observer.observe(), vantage)
    snapshot = session.moment.snapshot
    return CraftaxState(
        map_full=list(_cells(observation)),
        map_compact=ascii_map.render(observation, observation.style),
        inventory=_inventory(snapshot.inventory),
        player={
            **{name: snapshot.inventory[name] for name in session.words.vitals},
            "direction_facing": observation.facing,
        },
        environment={
            "light_level": snapshot.daylight,
            "is_sleeping": snapshot.sleeping,
            "floor": 0,
        },
        achievements=achievements_of(snapshot),
        image=session.env.frame(picture_size(session)),
        observation=observation,
        snapshot=snapshot,
        saved=session.env.get_state(),
    )


def achievements_of(snapshot: Snapshot) -> dict[str, bool]:
    """Returns title -> whether it was reached, in the order of craftaxlm."""
    return {to_title(name): bool(snapshot.achievements[name]) for name in ORDER}


def _cells(obs: Observation) -> Iterator[dict[str, Any]]:
    things = {thing.offset: thing.name for thing in obs.things}
    creatures = obs.words.creatures | obs.words.dangers
    for y, row in enumerate(obs.rows):
        for x, name in enumerate(row):
            offset = x - obs.middle[0], y - obs.middle[1]
            if name == OUTSIDE:
                continue
            on = things.get(offset)
            is_mob = on in creatures
            block = name if on is None or is_mob else on
            cell = {
                "position": {"x": offset[1], "y": offset[0]},
                "visible": True,
                "block": TABLE["blocks"].get(block, block),
            }
            yield {**cell, "mob": str(on).title()} if is_mob else cell


def _inventory(owned: Mapping[str, int]) -> dict[str, Any]:
    resources = ("wood", "stone", "coal", "iron", "diamond", "sapling")
    tools = {
        kind: {material: owned[f"{material}_{kind}"] for material in _TOOL_MATERIALS}
        for kind in ("pickaxe", "sword")
    }
    return {"resources": {name: owned[name] for name in resources}, "tools": tools}

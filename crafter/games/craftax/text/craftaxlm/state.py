"""States of craftaxlm: moments of either game, ready to be written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from crafter.core import validation
from crafter.games.craftax.text import published_text
from crafter.games.craftax.text.book import VITALS
from crafter.games.craftax.text.craftaxlm.metadata import (
    CLASSIC,
    FULL,
    TABLE,
    Names,
    to_title,
)
from crafter.lm import game as games
from crafter.lm.play.aci import CrafterACI
from crafter.lm.rendering import ascii_map, markup
from crafter.lm.rendering.facts import OUTSIDE, Style
from crafter.lm.rendering.observation import Observation
from crafter.lm.rendering.words import Words

FORMATTINGS = ("md", "xml")
MAP_FORMATS = ("full", "compact")
_RESOURCES = ("wood", "stone", "coal", "iron", "diamond")
_ATTRIBUTES = ("xp", "dexterity", "strength", "intelligence")
_TOOL_MATERIALS = ("wood", "stone", "iron")
#: Resources of the larger game -> what craftaxlm calls them.
_FULL_RESOURCES = {
    **{name: name for name in (*_RESOURCES, "sapphire", "ruby", "sapling")},
    "torches": "torch",
    "arrows": "arrow",
    "books": "book",
}


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


class CraftaxFullState(CraftaxState):
    """A moment of the larger game, ready to be written."""

    @property
    def map(self) -> list[dict[str, Any]]:
        """The cells in view, as `map_full`."""
        return self.map_full


CraftaxClassicState = CraftaxState


def style(verbose: bool, words: Words) -> Style:
    """Returns the style of a text, with the characters of craftaxlm if it had any."""
    known = words["glyphs"]
    glyphs = "craftaxlm" if "craftaxlm" in known else str(next(iter(known)))
    detail = "all" if verbose else "nearest"
    return Style(verbosity=1 + verbose, detail=detail, glyphs=glyphs)


def render(
    obs: Observation, verbose: bool, formatting: str = "md", map_format: str = "full"
) -> str:
    """Returns an observation as Markdown or XML; see `CraftaxState`.

    Raises:
      ValueError: If a form is unknown.
    """
    validation.one_of("formatting", formatting, FORMATTINGS)
    validation.one_of("map_format", map_format, MAP_FORMATS)
    form = markup.render_md if formatting == "md" else markup.render_xml
    return form(obs, style(verbose, obs.words), map_format == "compact")


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


def render_craftax_text_custom(
    state: CraftaxState, vantage: int | None = None
) -> CraftaxState:
    """Returns a state ready to be written; ours are already.

    Args:
      state: The state, from an environment or an interface.
      vantage: Cells that are told in each direction; by default all in the picture.
    """
    return dataclasses.replace(state, observation=near(state.observation, vantage))


render_craftax_classic_text_custom = render_craftax_text_custom


# From a game to a state.


def words_in(env: Any) -> Words:
    """Returns the words of the game of an environment."""
    game = games.of(env)
    return game.words(game.rules_of(env))


def state_of(aci: CrafterACI, vantage: int | None = None) -> CraftaxState:
    """Returns the present moment of a game."""
    made, names, read = _GAMES[aci.game]
    told = dataclasses.replace(aci.observe(), style=style(True, aci.words))
    obs = near(told, vantage)
    snapshot = aci.moment.snapshot
    cells, inventory, player, environment = read(aci, obs, vantage)
    return made(
        map_full=list(cells),
        map_compact=ascii_map.render(obs, obs.style),
        inventory=inventory,
        player=player,
        environment=environment,
        achievements=achievements_of(snapshot, names),
        image=aci.env.frame(aci.picture_size),
        observation=obs,
        snapshot=snapshot,
        saved=aci.env.get_state(),
    )


def achievements_of(snapshot: Any, names: Names) -> dict[str, bool]:
    """Returns title -> whether it was reached, in the order of craftaxlm."""
    reached = snapshot.achievements
    return {to_title(name): bool(reached[name]) for name in names.achievements}


# The smaller game.

_Parts = tuple[Iterator[dict[str, Any]], dict[str, Any], dict[str, Any], dict[str, Any]]


def _classic(aci: CrafterACI, obs: Observation, vantage: int | None) -> _Parts:
    snapshot = aci.moment.snapshot
    owned = snapshot.inventory
    tools = {
        kind: {material: owned[f"{material}_{kind}"] for material in _TOOL_MATERIALS}
        for kind in ("pickaxe", "sword")
    }
    resources = {name: owned[name] for name in (*_RESOURCES, "sapling")}
    vitals = {name: owned[name] for name in aci.words.vitals}
    light, asleep = snapshot.daylight, snapshot.sleeping
    return (
        _classic_cells(obs),
        {"resources": resources, "tools": tools},
        {**vitals, "direction_facing": obs.facing},
        {"light_level": light, "is_sleeping": asleep, "floor": 0},
    )


def _classic_cells(obs: Observation) -> Iterator[dict[str, Any]]:
    things = {thing.offset: thing.name for thing in obs.things}
    creatures = obs.words.creatures | obs.words.dangers
    for y, row in enumerate(obs.rows, -obs.middle[1]):
        for x, name in enumerate(row, -obs.middle[0]):
            if name == OUTSIDE:
                continue
            on = things.get((x, y))
            is_mob = on in creatures
            block = name if on is None or is_mob else on
            cell = {
                "position": {"x": y, "y": x},
                "visible": True,
                "block": TABLE["blocks"].get(block, block),
            }
            yield {**cell, "mob": str(on).title()} if is_mob else cell


# The larger game.


def _full(aci: CrafterACI, obs: Observation, vantage: int | None) -> _Parts:
    env = aci.env
    seen = env.observer.compact(env.player)
    numbers = dict(zip((row.name for row in env.observer.numbers), seen["numbers"]))
    flags = ("is_sleeping", "is_resting", "learned_fireball", "learned_iceball")
    player = {name: int(numbers[name]) for name in (*VITALS, *_ATTRIBUTES)}
    environment = {
        "light_level": float(numbers["light_level"]),
        **{name: bool(numbers[name]) for name in flags},
        "floor": int(numbers["floor"]),
        "ladder_open": bool(numbers["ladder_open"]),
        "is_boss_vulnerable": bool(numbers["boss_vulnerable"]),
    }
    return (
        _full_cells(seen["map"], env.tables, vantage),
        _full_inventory(numbers, env.tables),
        {**player, "health": float(numbers["health"]), "direction": obs.facing},
        environment,
    )


def _full_cells(
    layers: np.ndarray, tables: Any, vantage: int | None
) -> Iterator[dict[str, Any]]:
    rows, columns = layers.shape[:2]
    for y, row in enumerate(layers, -(rows // 2)):
        for x, cell in enumerate(row, -(columns // 2)):
            if vantage is None or max(abs(x), abs(y)) <= vantage:
                seen = published_text.cell(cell, tables)
                yield {"position": {"x": x, "y": y}, "visible": bool(seen), **seen}


def _full_inventory(numbers: Mapping[str, Any], tables: Any) -> dict[str, Any]:
    rules = tables.data["inventory"]
    elements = ["No", *(e.name.title() for e in tables.elements.values())]

    def tool(name: str, kind: str) -> dict[str, str]:
        row = {}
        if kind != "bow":
            row["material"] = rules[kind]["tiers"][int(numbers[name])].title()
        if kind != "pickaxe":
            row["enchantment"] = elements[int(numbers[f"{name}_enchantment"])]
        return row

    tools, pieces = ("pickaxe", "sword", "bow"), rules["armour"]["each"]
    potions = rules["potions"]["each"]
    return {
        "resources": {told: int(numbers[n]) for n, told in _FULL_RESOURCES.items()},
        "tools": {name: tool(name, name) for name in tools if numbers[name]},
        "potions": {name: int(numbers[f"potion_{name}"]) for name in potions},
        "armor": {name: tool(name, "armour") for name in pieces if numbers[name]},
    }


#: Game -> class of its states, its names, and what reads the rest.
_GAMES: dict[str, tuple[type[CraftaxState], Names, Callable[..., _Parts]]] = {
    "crafter": (CraftaxState, CLASSIC, _classic),
    "craftax": (CraftaxFullState, FULL, _full),
}

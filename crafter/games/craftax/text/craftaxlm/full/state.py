"""States of the larger game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.games.craftax.text.craftaxlm.shared import (
    CraftaxState,
    common,
    observation_of,
    told,
)
from crafter.games.craftax.text.craftaxlm.titles import FULL
from crafter.lm.play.session import Session

_VITALS = ("health", "food", "drink", "energy", "mana")
_ATTRIBUTES = ("xp", "dexterity", "strength", "intelligence")
_NAMES = {"torches": "torch", "arrows": "arrow", "books": "book"}
_RESOURCES = (
    *("wood", "stone", "coal", "iron", "diamond", "sapphire", "ruby", "sapling"),
    *_NAMES,
)


class CraftaxFullState(CraftaxState):
    """A moment of the larger game, ready to be written."""

    @property
    def map(self) -> list[dict[str, Any]]:
        """The cells in view, as `map_full`."""
        return self.map_full


def render_craftax_text_custom(
    state: CraftaxState, vantage: int | None = None
) -> CraftaxState:
    """Returns a state ready to be written; ours are already.

    Args:
      state: The state, from an environment or an interface.
      vantage: Cells that are told in each direction; by default all in the picture.
    """
    return told(state, vantage)


def state_of(session: Session, vantage: int | None = None) -> CraftaxFullState:
    """Returns the present moment of a game."""
    observation, env = observation_of(session, vantage), session.env
    seen = env.observer.compact(env.player)
    numbers = {
        row.name: value for row, value in zip(env.observer.numbers, seen["numbers"])
    }
    player = {
        "health": float(numbers["health"]),
        **{name: int(numbers[name]) for name in (*_VITALS[1:], *_ATTRIBUTES)},
        "direction": observation.facing,
    }
    return CraftaxFullState(
        map_full=list(_cells(seen["map"], env.tables, vantage)),
        inventory=_inventory(numbers, env.tables),
        player=player,
        environment=_environment(numbers),
        **common(session, observation, FULL),
    )


def _cells(
    layers: np.ndarray, tables: Any, vantage: int | None
) -> Iterator[dict[str, Any]]:
    from crafter.games.craftax.text import (
        published_text,  # only those who play the larger game wait for it
    )

    rows, columns = layers.shape[:2]
    for row in range(rows):
        for column in range(columns):
            x, y = column - columns // 2, row - rows // 2
            if vantage is not None and max(abs(x), abs(y)) > vantage:
                continue
            seen = published_text.cell(layers[row, column], tables)
            yield {"position": {"x": x, "y": y}, "visible": bool(seen), **seen}


def _inventory(numbers: dict[str, Any], tables: Any) -> dict[str, Any]:
    rules = tables.data["inventory"]
    elements = ["No", *(e.name.title() for e in tables.elements.values())]

    def tool(kind: str, name: str, *, element: bool = True) -> dict[str, str]:
        row = {"material": rules[kind]["tiers"][int(numbers[name])].title()}
        if kind == "bow":
            row = {}
        if element:
            row["enchantment"] = elements[int(numbers[f"{name}_enchantment"])]
        return row

    tools = {
        name: tool(name, name, element=name != "pickaxe")
        for name in ("pickaxe", "sword", "bow")
        if numbers[name]
    }
    pieces = rules["armour"]["each"]
    armour = {name: tool("armour", name) for name in pieces if numbers[name]}
    potions = {
        name: int(numbers[f"potion_{name}"]) for name in rules["potions"]["each"]
    }
    resources = {_NAMES.get(name, name): int(numbers[name]) for name in _RESOURCES}
    return {
        "resources": resources,
        "tools": tools,
        "potions": potions,
        "armor": armour,
    }


def _environment(numbers: dict[str, Any]) -> dict[str, Any]:
    flags = ("is_sleeping", "is_resting", "learned_fireball", "learned_iceball")
    return {
        "light_level": float(numbers["light_level"]),
        **{name: bool(numbers[name]) for name in flags},
        "floor": int(numbers["floor"]),
        "ladder_open": bool(numbers["ladder_open"]),
        "is_boss_vulnerable": bool(numbers["boss_vulnerable"]),
    }

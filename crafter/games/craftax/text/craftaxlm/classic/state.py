"""States of the smaller game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.games.craftax.text.craftaxlm.shared import (
    CraftaxState,
    common,
    observation_of,
    told,
)
from crafter.games.craftax.text.craftaxlm.titles import CLASSIC, TABLE
from crafter.lm.play.session import Session
from crafter.lm.rendering.facts import OUTSIDE
from crafter.lm.rendering.observation import Observation

CraftaxClassicState = CraftaxState

_RESOURCES = ("wood", "stone", "coal", "iron", "diamond", "sapling")
_TOOL_MATERIALS = ("wood", "stone", "iron")


def render_craftax_classic_text_custom(
    state: CraftaxState, vantage: int | None = None
) -> CraftaxState:
    """Returns a state ready to be written; ours are already.

    Args:
      state: The state, from an environment or an interface.
      vantage: Cells that are told in each direction; by default all in the picture.
    """
    return told(state, vantage)


def state_of(session: Session, vantage: int | None = None) -> CraftaxState:
    """Returns the present moment of a game."""
    observation = observation_of(session, vantage)
    snapshot = session.moment.snapshot
    return CraftaxState(
        map_full=list(_cells(observation)),
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
        **common(session, observation, CLASSIC),
    )


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
    tools = {
        kind: {material: owned[f"{material}_{kind}"] for material in _TOOL_MATERIALS}
        for kind in ("pickaxe", "sword")
    }
    return {"resources": {name: owned[name] for name in _RESOURCES}, "tools": tools}

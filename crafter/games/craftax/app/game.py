"""What the window has to know of Craftax: keys, goal, costs, what is possible, the map.

What it says of a step is in `craftax_words`, what the panel shows in `craftax_panel`.

Source:
  Craftax 1.6.1 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

import numpy as np

from crafter.core.pictures import Pack
from crafter.games.craftax import sprites, tables
from crafter.games.craftax.affordances import possible
from crafter.games.craftax.app import messages
from crafter.games.craftax.app import panel as panel_module
from crafter.games.craftax.app.messages import called, counted, effect
from crafter.games.craftax.parameters import Parameters, make
from crafter.games.craftax.scene import Scene
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import MapView
from crafter.gui import charts
from crafter.gui.game import Chart, Form, Game, Sight, Tier
from crafter.gui.keys import is_key, with_spare_keys
from crafter.gui.words import listed, one

#: Columns and rows of a published picture, those of the inventory included.
CELLS = sprites.frame_cells(tables.load())
_ARROWS = ("left", "right", "up", "down")


def keys(rules: Tables) -> dict[str, str]:
    """Returns the keys that the rules give actions, and the arrow keys."""
    published = {row.key: row.name for row in rules.actions if is_key(row.key)}
    moves = {row.what: row.name for row in rules.actions if row.verb == "move"}
    return {**published, **{way: moves[way] for way in _ARROWS if way in moves}}


#: Key -> action, in the published rules.
KEYS = keys(tables.load())

#: Least width and height of a cell of pictures.
LEAST = sprites.LEAST_CELL

_COLORS = {
    "health": (226, 88, 88),
    "food": (226, 152, 82),
    "drink": (86, 158, 232),
    "energy": (232, 206, 88),
    "mana": (150, 122, 232),
}

_GOAL = (
    "Go down through {floors} floors, and defeat the necromancer in the lowest. On the "
    "way, unlock as many of the {count} achievements as you can.",
    "Below the overworld, a ladder opens when {monsters} creatures of its floor are "
    "defeated. Each new floor gives a point of experience to spend. Bring torches, "
    "food and water.",
)
_VICTORY = "The necromancer is defeated, and the world is saved."

_FORM = Form(
    size=(614, 600),
    goals=182,
    vitals=(206, 26),
    achievements=(314, 26, 284, 544),
    groups=(288, 590),
)
# Which tiers stand below each other, so that the columns are about as long.
_COLUMNS = (("basic", "very_advanced"), ("intermediate", "advanced"))

_NAMES = {
    "noop": "Wait",
    "do": "Collect, hit, eat, drink, open",
    "left": "Move left",
    "right": "Move right",
    "up": "Move up",
    "down": "Move down",
    "descend": "Go down a ladder",
    "ascend": "Go up a ladder",
}


def game(rules: Tables, parameters: Parameters | None = None) -> Game:
    """Returns what the window has to know of Craftax.

    Args:
      rules: The rules of the game.
      parameters: Arguments of the game; by default the usual ones.
    """
    parameters = parameters or make(rules.data["parameters"], {})
    facts = {
        "floors": len(rules.floors),
        "count": len(rules.achievement_names),
        "monsters": rules.data["ladders"]["monsters"],
    }
    panel = panel_module.Panel(rules, parameters)
    return Game(
        key="craftax",
        name="Craftax",
        goal=[text.format(**facts) for text in _GOAL],
        action_names=rules.action_names,
        actions=with_spare_keys(keys(rules), rules.action_names),
        items=items(rules),
        tiers=tiers(rules),
        achievements=rules.achievement_names,
        form=_FORM,
        colors=_COLORS,
        icon=("grass", "necromancer"),
        names={**_NAMES, **_drinks(rules)},
        recipes=dict(_recipes(rules)),
        victory=_VICTORY,
        least_pixels=LEAST,
        idles=True,
        chart=_chart(rules, parameters),
        cells=lambda env: sprites.frame_cells(env.tables),
        length=lambda env: env.parameters.max_timesteps,
        greet=lambda env: "",
        limits=panel.limits,
        facts=panel.facts,
        learn=learn,
        tell=functools.partial(messages.tell, rules),
        death=messages.death,
        possible=functools.partial(possible, rules),
        menu=panel.menu,
    )


def items(rules: Tables) -> list[str]:
    """Returns the names of all that the player has as a number."""
    names = [*rules.maxima, "xp", *panel_module.ATTRIBUTES]
    for name, parts in rules.inventory_keys.items():
        names += [name] if parts is None else parts
    return names


def tiers(rules: Tables) -> list[list[Tier]]:
    """Returns the achievements by tier, in two columns."""
    every = rules.data["achievements"]
    known = [tier for column in _COLUMNS for tier in column]
    others = [tier for tier in dict.fromkeys(every.values()) if tier not in known]
    columns = [*_COLUMNS[:-1], (*_COLUMNS[-1], *others)]
    return [
        [
            Tier(
                tier.replace("_", " ").capitalize(),
                tuple(name for name, own in every.items() if own == tier),
            )
            for tier in column
        ]
        for column in columns
    ]


def _drinks(rules: Tables) -> dict[str, str]:
    drinks = (row for row in rules.actions if row.verb == "drink")
    return {row.name: f"Drink {row.what} potion" for row in drinks}


def _recipes(rules: Tables) -> Iterator[tuple[str, str]]:
    """Yields what actions take."""
    for action in rules.actions:
        what = action.what or ""
        if action.verb == "place":
            yield action.name, _amounts(rules.place[what].uses)
        elif action.verb == "make":
            recipe = rules.recipes[what]
            near = [one(called(rules.block_names[block])) for block in recipe.near]
            yield action.name, f"{_amounts(recipe.uses)}, near {listed(near, 'and')}"
        elif action.verb == "cast":
            yield action.name, f"{rules.spells[what].mana} mana"
        elif action.verb == "enchant":
            gems = [element.gem for element in rules.elements.values()]
            mana = rules.data["enchanting"]["mana"]
            yield action.name, f"{mana} mana, a {listed(gems)}"


def _amounts(uses: Mapping[str, int]) -> str:
    return ", ".join(counted(number, item) for item, number in uses.items())


def learn(now: Snapshot) -> dict[str, str]:
    """Returns what potions that were just drunk have done: name -> effect."""
    return {
        f"potion_{event['colour']}": effect(event["name"], event["change"])
        for event in now.events
        if event["type"] == "potion"
    }


# The map.


def _chart(rules: Tables, parameters: Parameters) -> Chart:
    size = parameters.map_size, parameters.map_size
    return Chart(
        floors=tuple(name.replace("_", " ") for name in rules.floor_names),
        size=size,
        layers=2,
        look=functools.partial(look, rules),
        player=lambda now: now.position,
        draw=functools.partial(_draw_map, rules),
    )


def look(rules: Tables, now: Snapshot) -> Sight:
    """Returns blocks and items that the player sees; what is dark is not seen."""
    seen = now.light > rules.data["view"]["dim"]
    if now.level == 0:
        seen &= charts.by_daylight(seen.shape, now.daylight)
    ladder, shut = (rules.item_ids[n] for n in ("ladder_down", "ladder_down_blocked"))
    items = now.items
    if not now.ladder_open:
        items = np.where(items == ladder, np.uint8(shut), items)
    return Sight(now.level, now.corner, np.stack([now.blocks, items], -1), seen)


def _draw_map(rules: Tables, pack: Pack, cells: np.ndarray) -> np.ndarray:
    assert isinstance(pack, Textures)
    view = MapView(pack, charts.CELL, (cells.shape[0], cells.shape[1]), rules)
    light = np.ones(cells.shape[:2], np.float32)
    return view(Scene(cells[..., 0], cells[..., 1], light, []))

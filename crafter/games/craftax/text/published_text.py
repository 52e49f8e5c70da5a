"""The published text of what a player sees, line for line.

It says the same as the `symbolic` observation, cell by cell: what stands on what, in
the light or not; then what the player has and how it is. Interfaces for language models
offer it as the format `craftax`.

Source: Craftax 1.6.1, `render_craftax_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from crafter.games.craftax.observations import CLASSES, Observer
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

_RESOURCES = {
    **{name: name.title() for name in ("wood", "stone", "coal", "iron", "diamond")},
    **{name: name.title() for name in ("sapphire", "ruby", "sapling")},
    "torches": "Torch",
    "arrows": "Arrow",
    "books": "Book",
}
_BODY = {
    **{name: name.title() for name in ("health", "food", "drink", "energy", "mana")},
    "xp": "XP",
    **{name: name.title() for name in ("dexterity", "strength", "intelligence")},
}
#: Of the lines after the direction; what begins like this is either true or false.
_MOMENT = {
    "light_level": "Light",
    "is_sleeping": "Is Sleeping",
    "is_resting": "Is Resting",
    "learned_fireball": "Learned Fireball",
    "learned_iceball": "Learned Iceball",
    "floor": "Floor",
    "ladder_open": "Ladder Open",
    "boss_vulnerable": "Is Boss Vulnerable",
}
_REAL = ("health", "light_level")
_WHOLE = ("floor",)
_PUBLISHED_NAMES = {"Knight Archer": "Archer"}


def render(player: Player, observer: Observer) -> str:
    """Returns the text.

    Args:
      player: Who looks around.
      observer: Looks; such as `Env.observer`.

    Example:
      >>> from crafter.games.craftax.env import Env
      >>> env = Env(seed=1)
      >>> _ = env.reset()
      >>> text = render(env.player, env.observer)
      >>> text.splitlines()[:2], text.splitlines()[-4:-2]
      (['Map:', '-5, -4: water'], ['Learned Iceball: False', 'Floor: 0'])
    """
    seen, tables = observer.compact(player), player.world.tables
    numbers = {row.name: n for row, n in zip(observer.numbers, seen["numbers"])}
    lines = ["Map:", *_map(seen["map"], tables), "", "Inventory:"]
    lines += [*_inventory(numbers, tables), *_body(numbers, tables)]
    return "".join(line + "\n" for line in lines)


def mob_name(tables: Tables, kind: str, number: int) -> str:
    """Returns what the published game calls a creature or projectile.

    Args:
      tables: The rules.
      kind: A name of `crafter.games.craftax.observations.CLASSES`.
      number: Its type.
    """
    rows: Any = tables.species.get(kind, tables.projectiles)
    name = rows[number].name.rstrip("2").replace("_", " ").title()
    name = _PUBLISHED_NAMES.get(name, name)
    return f"{name} (Player)" if kind == "player_projectiles" else name


def _map(layers: np.ndarray, tables: Tables) -> Iterator[str]:
    rows, columns = layers.shape[:2]
    for row in range(rows):
        for column in range(columns):
            what = " on ".join(_cell(layers[row, column].tolist(), tables))
            yield f"{column - columns // 2}, {row - rows // 2}: {what or 'Darkness'}"


def _cell(layers: list[int], tables: Tables) -> Iterator[str]:
    """Yields what is seen in a cell, from the top; nothing if it is dark."""
    block, item, *classes = layers
    for kind, bits in zip(CLASSES, classes):
        if block and bits:
            yield mob_name(tables, kind, (bits & -bits).bit_length() - 1)
            break
    if block and item:
        yield tables.item_names[item]
    if block:
        yield tables.block_names[block - 1]


def _inventory(numbers: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    rules, elements = tables.data["inventory"], _elements(tables)
    for name, title in _RESOURCES.items():
        yield f"{title}: {int(numbers[name])}"
    if numbers["pickaxe"]:
        yield f"{_tier(rules['pickaxe'], numbers['pickaxe'])} Pickaxe"
    if numbers["sword"]:
        title = f"{_tier(rules['sword'], numbers['sword'])} Sword"
        yield _enchanted(title, numbers["sword_enchantment"], elements)
    if numbers["bow"]:
        yield _enchanted("Bow", numbers["bow_enchantment"], elements)
    for name in rules["potions"]["each"]:
        yield f"{name.title()} potion: {int(numbers[f'potion_{name}'])}"
    for name in rules["armour"]["each"]:
        if numbers[name]:
            title = f"{_tier(rules['armour'], numbers[name])} {name.title()}"
            yield _enchanted(title, numbers[f"{name}_enchantment"], elements)


def _elements(tables: Tables) -> list[str]:
    return ["No", *(e.name.title() for e in tables.elements.values())]


def _enchanted(title: str, element: float, elements: list[str]) -> str:
    return f"{title} with {elements[int(element)]} enchantment"


def _tier(rule: Mapping[str, Any], number: float) -> str:
    return str(rule["tiers"][int(number)]).title()


def _body(numbers: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    for name, title in _BODY.items():
        yield f"{title}: {_number(name, numbers[name])}"
    yield f"Direction: {tables.direction_names[int(numbers['direction']) - 1]}"
    for name, title in _MOMENT.items():
        value = numbers[name]
        known = name in _REAL + _WHOLE
        yield f"{title}: {_number(name, value) if known else bool(value)}"


def _number(name: str, value: Any) -> str:
    return str(float(value) if name in _REAL else int(value))

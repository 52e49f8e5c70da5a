"""The published text of what a player sees, line for line.

It says the same as the `symbolic` observation, cell by cell: what stands on what, in
the light or not; then what the player has and how it is. Interfaces for language models
offer it as the format `craftax`.

Source: Craftax 1.6.1, `render_craftax_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from crafter.games.craftax.observations import CLASSES, Observer
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

_RESOURCES = ["wood", "stone", "coal", "iron", "diamond", "sapphire", "ruby"]
_RESOURCES += ["sapling", "torches", "arrows", "books"]
_BODY = ["health", "food", "drink", "energy", "mana"]
_BODY += ["xp", "dexterity", "strength", "intelligence"]
#: Of the lines after the direction; what is not a number is true or false.
_MOMENT = ["light_level", "is_sleeping", "is_resting", "learned_fireball"]
_MOMENT += ["learned_iceball", "floor", "ladder_open", "boss_vulnerable"]
_FORMS: dict[str, Callable[[Any], Any]] = {"health": float, "light_level": float}
_FORMS |= dict.fromkeys((*_RESOURCES, *_BODY[1:], "floor"), int)
#: Names whose titles are not the names themselves.
_TITLES = {"torches": "Torch", "arrows": "Arrow", "books": "Book", "xp": "XP"}
_TITLES |= {"light_level": "Light", "boss_vulnerable": "Is Boss Vulnerable"}
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


def _told(names: list[str], numbers: Mapping[str, Any]) -> Iterator[str]:
    for name in names:
        title = _TITLES.get(name) or name.replace("_", " ").title()
        yield f"{title}: {_FORMS.get(name, bool)(numbers[name])}"


def _inventory(numbers: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    rules = tables.data["inventory"]
    elements = ["No", *(e.name.title() for e in tables.elements.values())]

    def tool(name: str, kind: str) -> Iterator[str]:
        tiers = rules[kind]["tiers"] if kind != "bow" else None
        tier = f"{tiers[int(numbers[name])].title()} " if tiers else ""
        element = numbers.get(f"{name}_enchantment")
        more = (
            f" with {elements[int(element)]} enchantment" if element is not None else ""
        )
        if numbers[name]:
            yield f"{tier}{name.title()}{more}"

    yield from _told(_RESOURCES, numbers)
    for name in ("pickaxe", "sword", "bow"):
        yield from tool(name, name)
    for name in rules["potions"]["each"]:
        yield f"{name.title()} potion: {int(numbers[f'potion_{name}'])}"
    for name in rules["armour"]["each"]:
        yield from tool(name, "armour")


def _body(numbers: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    yield from _told(_BODY, numbers)
    yield f"Direction: {tables.direction_names[int(numbers['direction']) - 1]}"
    yield from _told(_MOMENT, numbers)

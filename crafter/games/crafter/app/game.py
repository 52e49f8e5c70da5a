"""What the window has to know of Crafter: keys, goal, recipes, sentences.

Source:
  Crafter 1.8.3 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.pictures import Pack
from crafter.games.crafter import keyboard
from crafter.games.crafter.affordances import Seen, available
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.snapshot import Snapshot
from crafter.gui import charts, words
from crafter.gui.game import (
    Cell,
    Chart,
    Entry,
    Event,
    Form,
    Game,
    Menu,
    Sight,
    Tier,
)
from crafter.gui.keys import readable, with_spare_keys
from crafter.gui.status import Facts, Group, Slot, clock_at, is_low
from crafter.gui.words import listed, one

_NAMES = {" ": "space", "\t": "tab"}
_ARROWS = {f"move_{way}": way for way in ("left", "right", "up", "down")}

#: Key -> action, in the default rules. There is no key for noop.
KEYS: dict[str, str] = {
    name: action
    for key, action in keyboard.KEYS.items()
    for name in (_NAMES.get(key, key), _ARROWS.get(action))
    if name is not None
}

#: Least width and height of a cell of pictures.
LEAST = 2

_COLORS = {
    "health": (226, 88, 88),
    "food": (226, 152, 82),
    "drink": (86, 158, 232),
    "energy": (232, 206, 88),
}

_GOAL = (
    "Survive, and unlock as many of the {count} achievements as you can.",
    "Collect wood, build a table, make tools, mine, fight and farm. Eat, drink and "
    "sleep before it is too late, and beware of the night.",
)

_HURTS = {
    "arrow": ("An arrow hits you", "You were shot by a skeleton"),
    "lava": ("You walk into lava", "You walked into lava"),
}

_FORM = Form(
    size=(300, 600),
    goals=180,
    vitals=(198, 32),
    achievements=(16, 282, 268, 198),
    groups=(514, 586),
)
_IN_A_ROW = 6  # slots of the inventory

#: What is said of a death, from its causes.
death = functools.partial(words.death, own=_HURTS)


def game(rules: Rules, area: tuple[int, int] = (64, 64)) -> Game:
    """Returns what the window has to know of Crafter.

    Args:
      rules: The rules of the game.
      area: Size of the map (x, y) in cells.
    """
    return Game(
        key="crafter",
        name="Crafter",
        goal=[text.format(count=len(rules.achievements)) for text in _GOAL],
        action_names=rules.actions,
        actions=with_spare_keys(KEYS, rules.actions),
        items=list(rules.items),
        tiers=_halves(rules.achievements),
        achievements=rules.achievements,
        form=_FORM,
        colors=_COLORS,
        icon=("grass", "player-down"),
        names={"do": "Collect, hit, eat, drink"},
        recipes=dict(_recipes(rules)),
        victory="",
        least_pixels=LEAST,
        idles=False,
        chart=_chart(rules, area),
        cells=lambda env: env.view,
        length=lambda env: env.length or None,
        greet=functools.partial(_greet, rules),
        limits=lambda amounts: limits(rules),
        facts=functools.partial(_facts, rules),
        learn=lambda now: {},
        tell=functools.partial(tell, rules),
        death=death,
        possible=functools.partial(possible, rules),
        menu=functools.partial(menu, rules),
    )


def _halves(names: Sequence[str]) -> list[list[Tier]]:
    """Returns achievements in two columns."""
    middle = -(-len(names) // 2)
    return [[Tier("", tuple(half))] for half in (names[:middle], names[middle:])]


def _greet(rules: Rules, env: Any) -> str:
    """Returns what the published program prints of a new world."""
    if "diamond" not in rules.materials:
        return ""
    return f"Diamonds exist: {env.world.count('diamond')}"


def limits(rules: Rules) -> dict[str, int]:
    """Returns the largest amounts of what keeps the player alive, as in the panel."""
    needs = [need["item"] for need in rules.life.values() if "item" in need]
    return {name: rules.items[name]["max"] for name in ["health", *needs]}


def _facts(
    rules: Rules,
    amounts: Mapping[str, float] | None,
    now: Snapshot | None,
    learned: Mapping[str, str],
) -> Facts:
    vitals = limits(rules)
    return Facts(
        inventory=amounts,
        limits=vitals,
        idle="asleep" if now is not None and now.sleeping else "",
        clock=None if now is None else clock_at(now.clock, now.daylight, rules.time),
        groups=() if amounts is None else (_inventory(amounts, vitals),),
    )


def _inventory(amounts: Mapping[str, float], vitals: Mapping[str, int]) -> Group:
    """Returns a slot for every item, in two rows, or more where these are full."""
    carried = {name: amount for name, amount in amounts.items() if name not in vitals}
    slots = tuple(
        Slot(name, (name,) if amount else (), str(amount) if amount else "")
        for name, amount in carried.items()
    )
    rows = max(2, -(-len(slots) // _IN_A_ROW))
    height = (_FORM.groups[1] - _FORM.groups[0]) / rows
    return Group(slots, max(1, -(-len(slots) // rows)), height)


# The map.


def _chart(rules: Rules, area: tuple[int, int]) -> Chart:
    return Chart(
        floors=("world",),
        size=(area[1], area[0]),
        layers=1,
        look=look,
        player=lambda now: (now.position[1], now.position[0]),
        draw=functools.partial(_draw_map, rules),
    )


def look(now: Snapshot) -> Sight:
    """Returns the materials that the player sees; rows and columns, as of pictures."""
    ground = np.ascontiguousarray(now.ground.T)
    seen = (ground > 0) & charts.by_daylight(ground.shape, now.daylight)
    rows, columns = ground.shape
    corner: Cell = now.position[1] - rows // 2, now.position[0] - columns // 2
    return Sight(0, corner, ground[..., None], seen)


def _draw_map(rules: Rules, pack: Pack, cells: np.ndarray) -> np.ndarray:
    names = [name or "path" for name in rules.semantic_names]
    size = charts.CELL, charts.CELL
    tiles = np.stack([pack.get(name, size)[..., :3] for name in names])
    return charts.laid(tiles, cells[..., 0])


def _recipes(rules: Rules) -> Iterator[tuple[str, str]]:
    for name, rule in rules.place.items():
        yield f"place_{name}", _amounts(rule["uses"])
    for name, rule in rules.make.items():
        near = " and ".join(map(one, rule["nearby"]))
        place = f", near {near}" if near else ""
        yield f"make_{name}", _amounts(rule["uses"]) + place


def _amounts(uses: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {item.replace('_', ' ')}" for item, n in uses.items())


# Sentences.


def tell(rules: Rules, events: Sequence[Event], now: Snapshot) -> list[str]:
    """Returns what a player should know of a step: failures, wounds, low vitals.

    Args:
      rules: The rules of the game.
      events: What happened in the step.
      now: The moment after it.
    """
    return [text for event in events if (text := _sentence(rules, event, now))]


def _sentence(rules: Rules, event: Event, now: Snapshot) -> str | None:
    kind = event["type"]
    if kind == "rejected":
        return f"{_rejection(rules, event, now)}."
    if kind == "missed":
        return f"No {event['what']} this time: try again."
    if kind == "hurt":
        return words.wounds(event["by"], str(event["amount"]), _HURTS)
    if kind == "collected" and not event["gain"]:
        limit = rules.items[event["what"]]["max"]
        return f"You cannot carry more than {limit} {event['what']}."
    if kind == "vital" and event["to"] < event["frm"]:
        limit = rules.items[event["name"]]["max"]
        if is_low(event["to"], limit) and not is_low(event["frm"], limit):
            return f"{readable(event['name'])} is low."
    if kind == "woke" and event["cause"] == "rested":
        return "You wake up, rested."
    return None


def _rejection(rules: Rules, event: Event, now: Snapshot) -> str:
    """Returns why an action failed, without the full stop."""
    action, reason, missing = event["action"], event["reason"], event["missing"]
    verb, _, name = action.partition("_")
    what = readable(name)
    items = {n: amount for n, amount in missing.items() if n in rules.items}
    if reason == "no_station":
        stations = " and ".join(one(n) for n in missing if n not in rules.items)
        return f"{what} needs {stations} nearby" + _also(rules, action, items, now)
    if reason == "no_item":
        return f"{what} needs {_needs(rules, action, items, now)}"
    if reason == "no_tool":
        front = Seen(rules, now).material or "that"
        return f"{readable(front)} needs {' and '.join(map(one, missing))}"
    if reason == "bad_target" and verb == "place":
        return f"{what} can only be placed on {listed(rules.place[name]['where'])}"
    return {
        "bad_target": "That cannot be used",
        "occupied": "Something stands in the way",
        "not_tired": "You are not tired: energy is full",
        "unripe": "The plant is not ripe yet",
        "nothing_there": "There is nothing to use",
        "edge_quirk": "At the left and upper edge of the world nothing counts as "
        "nearby; go one step away from it",
    }[reason]


def _also(rules: Rules, action: str, items: Mapping[str, int], now: Snapshot) -> str:
    return f", and {_needs(rules, action, items, now)}" if items else ""


def _needs(rules: Rules, action: str, items: Mapping[str, int], now: Snapshot) -> str:
    """Returns what an action takes of the missing items, and how much is there."""
    verb, _, name = action.partition("_")
    uses = {"place": rules.place, "make": rules.make}[verb][name]["uses"]
    parts = [
        f"{uses[item]} {item.replace('_', ' ')}, you have {now.inventory[item]}"
        for item in items
    ]
    return "; ".join(parts)


# What can be done.


def menu(rules: Rules, now: Snapshot, learned: Mapping[str, str]) -> list[Menu]:
    """Returns what can be placed and made, and what it takes."""
    works = () if now.sleeping or now.dead else available(Seen(rules, now))
    lines = [
        Entry(name, f"{readable(name)}: {takes}", name in works)
        for name, takes in _recipes(rules)
    ]
    return [
        Menu(title, tuple(e for e in lines if e.action.startswith(title.lower())))
        for title in ("Place", "Make")
    ]


def possible(rules: Rules, now: Snapshot) -> dict[str, str]:
    """Returns the achievements that an action would serve now, and the action."""
    if now.sleeping:
        return {}
    scene = Seen(rules, now)
    serves = {"do": _use(scene), "sleep": "wake_up"}
    found = {serves.get(action, action): action for action in available(scene)}
    return {name: found[name] for name in rules.achievements if name in found}


def _use(scene: Seen) -> str:
    """Returns the achievement that `do` may bring, or ''."""
    rules = scene.rules
    if scene.kind in rules.do:
        return str(rules.do[scene.kind].get("achievement", ""))
    rule = rules.collect.get(scene.material)
    return f"collect_{next(iter(rule['receive']), '')}" if rule else ""

"""What the window has to know of Crafter: keys, goal, recipes, sentences.

Source:
  Crafter 1.8.3 for the keys; the arrow keys are additions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from crafter import keyboard
from crafter.gui.game import Event, Game
from crafter.gui.keys import readable, with_spare_keys
from crafter.gui.status import is_low
from crafter.recipes import has, ready
from crafter.rules import Rules
from crafter.snapshot import Snapshot

_NAMES = {" ": "space", "\t": "tab"}
_ARROWS = {f"move_{way}": way for way in ("left", "right", "up", "down")}

#: Key -> action, in the default rules. There is no key for noop.
KEYS: dict[str, str] = {
    name: action
    for key, action in keyboard.KEYS.items()
    for name in (_NAMES.get(key, key), _ARROWS.get(action))
    if name is not None
}

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

# How something hurts, and what is said of a death by it.
_HURTS = {
    "zombie": ("A zombie hits you", "You were killed by a zombie"),
    "skeleton": ("A skeleton hits you", "You were killed by a skeleton"),
    "arrow": ("An arrow hits you", "You were shot by a skeleton"),
    "lava": ("You walk into lava", "You walked into lava"),
    "hunger": ("Hunger weakens you", "You starved"),
    "thirst": ("Thirst weakens you", "You died of thirst"),
    "fatigue": ("Exhaustion weakens you", "You died of exhaustion"),
}


def game(rules: Rules) -> Game:
    """Returns what the window has to know of Crafter under some rules."""
    return Game(
        name="Crafter",
        goal=[text.format(count=len(rules.achievements)) for text in _GOAL],
        actions=with_spare_keys(KEYS, rules.actions),
        colors=_COLORS,
        icon=("grass", "player-down"),
        names={"do": "Collect, hit, eat, drink"},
        recipes=dict(_recipes(rules)),
        tell=functools.partial(tell, rules),
        death=death,
        possible=functools.partial(possible, rules),
    )


def _recipes(rules: Rules) -> Iterator[tuple[str, str]]:
    for name, rule in rules.place.items():
        yield f"place_{name}", _amounts(rule["uses"])
    for name, rule in rules.make.items():
        near = " and ".join(map(_one, rule["nearby"]))
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
        told = [_hurts(cause)[0] for cause in dict.fromkeys(event["by"])]
        others = [text[0].lower() + text[1:] for text in told[1:]]
        return f"{' and '.join([*told[:1], *others])}: health -{event['amount']}."
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
    front = _front(rules, now)
    if reason == "no_station":
        stations = " and ".join(_one(n) for n in missing if n not in rules.items)
        return f"{what} needs {stations} nearby" + _also(rules, action, items, now)
    if reason == "no_item":
        return f"{what} needs {_needs(rules, action, items, now)}"
    if reason == "no_tool":
        return f"{readable(front)} needs {' and '.join(map(_one, missing))}"
    if reason == "bad_target" and verb == "place":
        return f"{what} can only be placed on {_listed(rules.place[name]['where'])}"
    return {
        "bad_target": "That cannot be used",
        "occupied": "Something stands in the way",
        "not_tired": "You are not tired: energy is full",
        "unripe": "The plant is not ripe yet",
        "nothing_there": "There is nothing to use",
        "edge_quirk": "At the left and upper edge of the world nothing counts as "
        "nearby; go one step away from it",
    }[reason]


def _one(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name.replace('_', ' ')}"


def _listed(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


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


def death(causes: Sequence[str]) -> str:
    """Returns what killed the player, in a sentence.

    Example:
      >>> death(["zombie", "thirst"]), death([])
      ('You were killed by a zombie. You died of thirst.', 'You died.')
    """
    told = [f"{_hurts(cause)[1]}." for cause in dict.fromkeys(causes)]
    return " ".join(told) or "You died."


def _hurts(cause: str) -> tuple[str, str]:
    name = cause.replace("_", " ")
    return _HURTS.get(cause, (f"{name.capitalize()} hurts you", f"Killed by {name}"))


# What can be done.


def possible(rules: Rules, now: Snapshot) -> dict[str, str]:
    """Returns the achievements that an action would serve now, and the action."""
    actions = ready(rules, now.inventory, _front(rules, now), _nearby(rules, now))
    found = {name: name for name in actions if name in rules.achievements}
    used = _use(rules, now)
    if used in rules.achievements:
        found[used] = "do"
    energy = rules.life["fatigue"]["item"]
    if now.inventory[energy] < rules.items[energy]["max"]:
        found |= {"wake_up": "sleep"} if "wake_up" in rules.achievements else {}
    return found if not now.sleeping else {}


def _use(rules: Rules, now: Snapshot) -> str:
    """Returns the achievement that `do` may bring, or ''."""
    front = _front(rules, now)
    if front in rules.do:
        ripe = rules.do[front]["verb"] == "strike" or _ripe(rules, now)
        return rules.do[front].get("achievement", "") if ripe else ""
    rule = rules.collect.get(front)
    if rule is None or not has(now.inventory, rule["require"]):
        return ""
    return f"collect_{next(iter(rule['receive']), '')}"


def _ripe(rules: Rules, now: Snapshot) -> bool:
    target = _target(now)
    ages = [o.counters.get("grown", 0) for o in now.objects if o.position == target]
    return any(age > rules.creatures["plant"]["ripe"] for age in ages)


def _target(now: Snapshot) -> tuple[int, int]:
    return now.position[0] + now.facing[0], now.position[1] + now.facing[1]


def _front(rules: Rules, now: Snapshot) -> str:
    """Returns the kind of the object in front, or else the material."""
    columns, rows = now.local_view.shape
    x, y = columns // 2 + now.facing[0], rows // 2 + now.facing[1]
    if not (0 <= x < columns and 0 <= y < rows):
        return "nothing"  # a view of one cell
    return rules.semantic_names[now.local_view[x, y]] or "the edge of the world"


def _nearby(rules: Rules, now: Snapshot) -> set[str]:
    """Returns the materials near enough for crafting, as far as they are in sight."""
    reach = rules.world["nearby"]
    if min(now.position) < reach:
        return set()  # See World.nearby.
    columns, rows = now.ground.shape
    x, y = columns // 2, rows // 2
    area = now.ground[
        max(x - reach, 0) : x + reach + 1, max(y - reach, 0) : y + reach + 1
    ]
    return {str(rules.semantic_names[number]) for number in set(area.flat) if number}

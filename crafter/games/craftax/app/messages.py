"""Messages of Craftax: failures, finds, wounds, low vitals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.games.craftax.rows import Action
from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.gui import sentences
from crafter.gui.game import Event
from crafter.gui.sentences import listed, one

_HURTS = {"potion": ("The potion was poison", "You drank poison")}

# Things that are not called what their names in the rules say.
_CALLED = {
    "arrow2": "arrow",
    "fireball2": "fireball",
    "iceball2": "iceball",
    "crafting_table": "table",
    "enchantment_table_fire": "fire enchantment table",
    "enchantment_table_ice": "ice enchantment table",
    "necromancer_vulnerable": "necromancer",
}
_SINGULAR = {"torches": "torch", "arrows": "arrow", "books": "book"}
_STOOD_UP = {
    "healthy": "You get up, healthy.",
    "hungry": "You get up: you need to eat.",
    "thirsty": "You get up: you need to drink.",
}


def called(name: str) -> str:
    """Returns what a thing of the rules is called in sentences.

    Example:
      >>> called("arrow2"), called("potion_red"), called("stone_pickaxe")
      ('arrow', 'red potion', 'stone pickaxe')
    """
    if name.startswith("potion_"):
        return f"{name.removeprefix('potion_')} potion"
    return _CALLED.get(name, name.replace("_", " "))


def counted(number: int, name: str) -> str:
    """Returns how many there are of something.

    Example:
      >>> counted(1, "torches"), counted(4, "torches"), counted(2, "potion_red")
      ('1 torch', '4 torches', '2 red potions')
    """
    text = called(name)
    if number == 1:
        text = _SINGULAR.get(name, text)
    elif name.startswith("potion_"):
        text += "s"
    return f"{number} {text}"


def death(causes: Sequence[str]) -> str:
    """Returns what killed the player, in a sentence for each cause.

    Example:
      >>> death(["orc_mage", "fireball2"])
      'You were killed by an orc mage. You were killed by a fireball.'
    """
    return sentences.death([called(cause) for cause in causes], _HURTS)


def amount(number: float) -> str:
    """Returns a number with at most one decimal.

    Example:
      >>> amount(9.0), amount(2.7999999)
      ('9', '2.8')
    """
    return f"{round(float(number), 1):g}"


def effect(name: str, change: float) -> str:
    """Returns what a potion does: `+8 health`."""
    return f"{change:+g} {name}"


def messages(tables: Tables, events: Sequence[Event], now: Snapshot) -> list[str]:
    """Returns what a player should know of a step.

    Args:
      tables: The rules of the game.
      events: What happened in the step.
      now: The moment after it.
    """
    told = [text for event in events for text in _sentences(tables, event, now)]
    return [*told, *_finds(events)]


def _sentences(tables: Tables, event: Event, now: Snapshot) -> Iterator[str]:
    kind = event["type"]
    if kind in _TELLERS:
        yield from _TELLERS[kind](event)
    elif kind == "rejected" and event["reason"] not in ("asleep", "resting"):
        yield f"{rejection(tables, event, now)}."
    elif kind == "hurt" and event["by"] != "potion":
        yield sentences.wounds([called(event["by"])], amount(event["amount"]), _HURTS)
    elif kind == "limited" and event["name"] not in now.maxima:
        yield f"You cannot carry more than {counted(event['to'], event['name'])}."
    elif kind == "entered":
        name = tables.floor_names[event["floor"]].replace("_", " ")
        yield f"Floor {event['floor']}: the {name}."
    elif text := sentences.usual(event, now.maxima):
        yield text


def _told(text: str) -> Any:
    """Returns a function that tells an event in one sentence."""
    return lambda event: [
        text.format(
            **{n: called(v) if isinstance(v, str) else v for n, v in event.items()}
        )
    ]


def _potion(event: Event) -> list[str]:
    return [f"The {event['colour']} potion: {effect(event['name'], event['change'])}."]


def _enchanted(event: Event) -> list[str]:
    what = event["what"]
    verb = "are" if what.endswith("s") else "is"
    return [f"Your {what} {verb} enchanted with {event['element']}."]


def _read(event: Event) -> list[str]:
    if event["spell"] is None:
        return ["The book teaches you nothing new."]
    return [f"The book teaches you to cast {called(event['spell'])}s."]


def _stood_up(event: Event) -> list[str]:
    return [_STOOD_UP[event["cause"]]] if event["cause"] in _STOOD_UP else []


_TELLERS: Mapping[str, Any] = {
    "potion": _potion,
    "read": _read,
    "stood_up": _stood_up,
    "enchanted": _enchanted,
    "levelled_up": _told("Your {attribute} is {to} now."),
    "ladder_opened": _told("The ladder down is open."),
    "boss_hit": _told("You hit the necromancer: {progress} of {needed}."),
    "wave_started": _told("The necromancer calls creatures from their graves."),
    "station_lost": _told("A shot destroys the {what}."),
}


def _finds(events: Sequence[Event]) -> list[str]:
    """Returns what a chest holds, in one sentence."""
    if not any(event["type"] == "opened" for event in events):
        return []
    found = [event for event in events if event["type"] == "found"]
    parts = [
        counted(event["gain"], event["what"])
        if event["gain"]
        else f"{one(event['what'])} that you do not need"
        for event in found
    ]
    return [f"The chest holds {listed(parts, 'and')}." if parts else "It is empty."]


# Why an action failed.


def rejection(tables: Tables, event: Event, now: Snapshot) -> str:
    """Returns why an action failed, without the full stop."""
    name, reason = event["action"], event["reason"]
    action = tables.actions[tables.action_names.index(name)]
    explain = _EXPLAINERS.get(reason)
    if explain is not None:
        return explain(tables, action, event["missing"], now)
    short = called(next(iter(event["missing"]), name))
    what = called(action.what or name)
    return _REASONS[reason].format(
        what=what,
        What=what.capitalize(),
        way="down" if action.verb == "descend" else "up",
        short=short,
        a_short=one(short),
    )


_REASONS = {
    **sentences.REASONS,
    "asleep": "You are asleep",
    "resting": "You are resting",
    "off_the_map": "The world ends there",
    "not_hurt": "You are not hurt: health is full",
    "too_many_shots": "Wait until one of your shots is gone",
    "no_table": "You have to face an enchantment table",
    "no_experience": "You have no experience to spend; each new floor gives one point",
    "boss_protected": "The necromancer is protected: defeat the creatures around it",
    "no_plant_slot": "No more plants can grow",
    "no_weapon": "You have no {short}",
    "no_ladder": "You do not stand on a ladder {way}",
    "not_learned": "You do not know how to cast {what}s: find a book",
    "no_gem": "This table needs {a_short}",
    "at_maximum": "{What} cannot grow further",
}


def _uses(tables: Tables, action: Action) -> Mapping[str, int]:
    """Returns the items that an action uses up."""
    what = action.what or ""
    if action.verb == "place":
        return tables.place[what].uses
    return tables.recipes[what].uses if action.verb == "make" else {}


def _what(action: Action) -> str:
    """Returns what an action is about, at the beginning of a sentence."""
    return called(action.what or action.name).capitalize()


def _needs(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    uses = _uses(tables, action)
    return "; ".join(
        f"{counted(uses[item], item)}, you have {now.inventory[item]}"
        for item in uses
        if item in missing
    )


def _no_item(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    if action.verb == "drink":
        return f"You have no {action.what} potion"
    if action.verb in ("read", "shoot"):
        return f"You have no {listed([called(item) for item in missing])}"
    return f"{_what(action)} needs {_needs(tables, action, missing, now)}"


def _no_station(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    far = [one(called(n)) for n in missing if n not in _uses(tables, action)]
    others = _needs(tables, action, missing, now)
    near = f"{_what(action)} needs {listed(far, 'and')} nearby"
    return f"{near}, and {others}" if others else near


def _no_tool(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    tier = int(now.inventory["pickaxe"]) + missing["pickaxe"]
    tool = f"{tables.data['inventory']['pickaxe']['tiers'][tier]}_pickaxe"
    return f"{called(front(tables, now)).capitalize()} needs {one(tool)}"


def _has_better(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    what = _what(action).lower()
    if what.endswith("armour"):
        return f"You wear {what} already, or better"
    return f"You have {one(what)} already, or a better one"


def _full(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    item = next(iter(tables.recipes[action.what or ""].gives))
    most = tables.data["inventory"][item]["max"]
    return f"You cannot carry more than {most} {called(item)}"


def _bad_target(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    if action.verb == "enchant":
        return "All that you wear has this enchantment already"
    where = tables.data["place"][action.what]["where"]
    if tuple(where) == ("torch",):
        blocks = tables.data["blocks"].items()
        where = [block for block, row in blocks if row.get("torch")]
    where = ["free ground" if block == "free" else called(block) for block in where]
    return f"{_what(action)} can only be placed on {listed(where)}"


def _ladder_shut(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    left = missing["monsters"]
    creatures = "creature" if left == 1 else "creatures"
    return f"The ladder is shut: defeat {left} more {creatures} of this floor"


def _no_mana(tables: Tables, action: Action, missing: Any, now: Snapshot) -> str:
    has = int(now.inventory["mana"])
    return f"That needs {has + missing['mana']} mana, you have {has}"


def front(tables: Tables, now: Snapshot) -> str:
    """Returns the block that the player faces; empty outside the view."""
    row = now.position[0] - now.corner[0] + now.facing[0]
    column = now.position[1] - now.corner[1] + now.facing[1]
    rows, columns = now.blocks.shape
    if not (0 <= row < rows and 0 <= column < columns):
        return ""
    return tables.block_names[now.blocks[row, column]]


_EXPLAINERS = {
    "no_item": _no_item,
    "no_station": _no_station,
    "no_tool": _no_tool,
    "has_better": _has_better,
    "full": _full,
    "bad_target": _bad_target,
    "ladder_shut": _ladder_shut,
    "no_mana": _no_mana,
}

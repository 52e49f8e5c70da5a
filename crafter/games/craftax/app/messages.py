"""Messages of Craftax: failures, finds, wounds, low vitals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crafter.games.craftax.snapshot import Snapshot
from crafter.games.craftax.tables import Tables
from crafter.gui import sentences
from crafter.gui.game import Event
from crafter.gui.sentences import listed, one

HURTS = {"potion": ("The potion was poison", "You drank poison")}

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
    if template := _EVENTS.get(kind):
        fields = event.items()
        words = {n: called(v) if isinstance(v, str) else v for n, v in fields}
        yield template.format(**words)
    elif kind == "read":
        spell = event["spell"]
        taught = "nothing new" if spell is None else f"to cast {called(spell)}s"
        yield f"The book teaches you {taught}."
    elif kind == "stood_up" and event["cause"] in _STOOD_UP:
        yield f"You get up{_STOOD_UP[event['cause']]}."
    elif kind == "enchanted":
        verb = "are" if event["what"].endswith("s") else "is"
        yield f"Your {event['what']} {verb} enchanted with {event['element']}."
    elif kind == "rejected" and event["reason"] not in ("asleep", "resting"):
        yield f"{rejection(tables, event, now)}."
    elif kind == "hurt" and event["by"] != "potion":
        yield sentences.wounds([called(event["by"])], amount(event["amount"]), HURTS)
    elif kind == "limited" and event["name"] not in now.maxima:
        yield f"You cannot carry more than {counted(event['to'], event['name'])}."
    elif kind == "entered":
        name = tables.floor_names[event["floor"]].replace("_", " ")
        yield f"Floor {event['floor']}: the {name}."
    elif text := sentences.usual(event, now.maxima):
        yield text


_STOOD_UP = {
    "healthy": ", healthy",
    "hungry": ": you need to eat",
    "thirsty": ": you need to drink",
}
_EVENTS = {
    "potion": "The {colour} potion: {change:+g} {name}.",
    "levelled_up": "Your {attribute} is {to} now.",
    "ladder_opened": "The ladder down is open.",
    "boss_hit": "You hit the necromancer: {progress} of {needed}.",
    "wave_started": "The necromancer calls creatures from their graves.",
    "station_lost": "A shot destroys the {what}.",
}


def _finds(events: Sequence[Event]) -> list[str]:
    """Returns what a chest holds, in one sentence."""
    if not any(event["type"] == "opened" for event in events):
        return []
    parts = [
        counted(event["gain"], event["what"])
        if event["gain"]
        else f"{one(event['what'])} that you do not need"
        for event in events
        if event["type"] == "found"
    ]
    return [f"The chest holds {listed(parts, 'and')}." if parts else "It is empty."]


# Why an action failed.


def rejection(tables: Tables, event: Event, now: Snapshot) -> str:
    """Returns why an action failed, without the full stop."""
    words = _Words(tables, event, now)
    reason = event["reason"]
    template = _REASONS.get(f"{reason} {words.action.verb}") or _REASONS[reason]
    return template.format(words)


#: Reason, perhaps with the verb of the action -> sentence with words of `_Words`.
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
    "no_weapon": "You have no {0.short}",
    "no_ladder descend": "You do not stand on a ladder down",
    "no_ladder": "You do not stand on a ladder up",
    "ladder_shut": "The ladder is shut: defeat {0.left} of this floor",
    "not_learned": "You do not know how to cast {0.what}s: find a book",
    "no_gem": "This table needs {0.a_short}",
    "at_maximum": "{0.What} cannot grow further",
    "no_item drink": "You have no {0.what} potion",
    "no_item read": "You have no {0.lacking}",
    "no_item shoot": "You have no {0.lacking}",
    "no_item": "{0.What} needs {0.needs}",
    "no_station": "{0.What} needs {0.stations}",
    "no_tool": "{0.front} needs {0.tool}",
    "no_mana": "That needs {0.mana}",
    "has_better": "You {0.better}",
    "full": "You cannot carry more than {0.most}",
    "bad_target enchant": "All that you wear has this enchantment already",
    "bad_target": "{0.What} can only be placed on {0.places}",
}


class _Words:
    """Words about a rejected action.

    Args:
      tables: The rules.
      event: The rejection.
      now: The moment after it.
    """

    def __init__(self, tables: Tables, event: Event, now: Snapshot) -> None:
        number = tables.action_names.index(event["action"])
        self.action = tables.actions[number]
        self._tables, self._now, self._missing = tables, now, event["missing"]
        self.what = called(self.action.what or self.action.name)
        self.What = self.what.capitalize()
        self.short = called(next(iter(event["missing"]), self.action.name))
        self.a_short = one(self.short)
        self.lacking = listed([called(item) for item in self._missing] or [""])

    @property
    def _uses(self) -> Mapping[str, int]:
        """The items that the action uses up."""
        what = self.action.what or ""
        if self.action.verb == "place":
            return self._tables.place[what].uses
        return self._tables.recipes[what].uses if self.action.verb == "make" else {}

    @property
    def needs(self) -> str:
        return "; ".join(
            f"{counted(amount, item)}, you have {self._now.inventory[item]}"
            for item, amount in self._uses.items()
            if item in self._missing
        )

    @property
    def stations(self) -> str:
        far = [one(called(name)) for name in self._missing if name not in self._uses]
        near = f"{listed(far, 'and')} nearby"
        return f"{near}, and {self.needs}" if self.needs else near

    @property
    def left(self) -> str:
        number = self._missing["monsters"]
        return f"{number} more creature{'s' * (number != 1)}"

    @property
    def tool(self) -> str:
        tier = int(self._now.inventory["pickaxe"]) + self._missing["pickaxe"]
        tiers = self._tables.data["inventory"]["pickaxe"]["tiers"]
        return one(f"{tiers[tier]}_pickaxe")

    @property
    def front(self) -> str:
        """The block that the player faces; empty outside the view."""
        now = self._now
        row, col = (p - c + f for p, c, f in zip(now.position, now.corner, now.facing))
        rows, columns = now.blocks.shape
        if not (0 <= row < rows and 0 <= col < columns):
            return ""
        return called(self._tables.block_names[now.blocks[row, col]]).capitalize()

    @property
    def mana(self) -> str:
        has = int(self._now.inventory["mana"])
        return f"{has + self._missing['mana']} mana, you have {has}"

    @property
    def better(self) -> str:
        if self.what.endswith("armour"):
            return f"wear {self.what} already, or better"
        return f"have {one(self.what)} already, or a better one"

    @property
    def most(self) -> str:
        item = next(iter(self._tables.recipes[self.action.what or ""].gives))
        return f"{self._tables.most[item]} {called(item)}"

    @property
    def places(self) -> str:
        data = self._tables.data
        where = data["place"][self.action.what]["where"]
        if tuple(where) == ("torch",):
            where = [name for name, row in data["blocks"].items() if row.get("torch")]
        return listed(["free ground" if b == "free" else called(b) for b in where])

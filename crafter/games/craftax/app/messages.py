"""Messages of Craftax: failures, finds, wounds, low vitals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crafter.gui import sentences
from crafter.gui.sentences import Event, listed, one

# Things that are not called what their names in the rules say.
_CALLED = {
    "arrow2": "arrow",
    "fireball2": "fireball",
    "iceball2": "iceball",
    "crafting_table": "table",
    "enchantment_table_fire": "fire enchantment table",
    "enchantment_table_ice": "ice enchantment table",
    "necromancer_vulnerable": "necromancer",
    "free": "free ground",
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


def effect(name: str, change: float) -> str:
    """Returns what a potion does: `+8 health`."""
    return f"{change:+g} {name}"


def finds(events: Sequence[Event]) -> list[str]:
    """Returns what a chest holds, in one sentence."""
    if not any(event["type"] == "opened" for event in events):
        return []
    parts = [
        Words.counted(event["gain"], event["what"])
        if event["gain"]
        else f"{one(event['what'])} that you do not need"
        for event in events
        if event["type"] == "found"
    ]
    return [f"The chest holds {listed(parts, 'and')}." if parts else "It is empty."]


class Words(sentences.Words):
    """Words about an event of Craftax; see `crafter.gui.sentences.Words`."""

    templates = {
        **sentences.Words.templates,
        "potion": "The {colour} potion: {change:+g} {name}.",
        "levelled_up": "Your {attribute} is {to} now.",
        "ladder_opened": "The ladder down is open.",
        "boss_hit": "You hit the necromancer: {progress} of {needed}.",
        "wave_started": "The necromancer calls creatures from their graves.",
        "station_lost": "A shot destroys the {what}.",
        "read": "The book teaches you to cast {spell}s.",
        "read None": "The book teaches you nothing new.",
        "stood_up healthy": "You get up, healthy.",
        "stood_up hungry": "You get up: you need to eat.",
        "stood_up thirsty": "You get up: you need to drink.",
        "enchanted": "Your {what} {verb_of_what} enchanted with {element}.",
        "limited": "You cannot carry more than {most}.",
        "entered": "Floor {floor}: the {floor_name}.",
        "rejected off_the_map": "The world ends there.",
        "rejected not_hurt": "You are not hurt: health is full.",
        "rejected too_many_shots": "Wait until one of your shots is gone.",
        "rejected no_table": "You have to face an enchantment table.",
        "rejected no_experience": "You have no experience to spend; each new floor "
        "gives one point.",
        "rejected boss_protected": "The necromancer is protected: defeat the creatures "
        "around it.",
        "rejected no_plant_slot": "No more plants can grow.",
        "rejected no_weapon": "You have no {first}.",
        "rejected no_ladder descend": "You do not stand on a ladder down.",
        "rejected no_ladder": "You do not stand on a ladder up.",
        "rejected ladder_shut": "The ladder is shut: defeat {left} of this floor.",
        "rejected not_learned": "You do not know how to cast {what}s: find a book.",
        "rejected no_gem": "This table needs a {first}.",
        "rejected at_maximum": "{What} cannot grow further.",
        "rejected no_item drink": "You have no {what} potion.",
        "rejected no_item read": "You have no {lacking}.",
        "rejected no_item shoot": "You have no {lacking}.",
        "rejected no_mana": "That needs {mana}.",
        "rejected has_better": "You {better}.",
        "rejected full": "You cannot carry more than {most}.",
        "rejected bad_target enchant": "All that you wear has this enchantment "
        "already.",
    }
    hurts = {
        **sentences.Words.hurts,
        "potion": ("The potion was poison", "You drank poison"),
    }
    called = staticmethod(called)

    @classmethod
    def counted(cls, number: int, name: str) -> str:
        """Returns how many there are of something.

        Example:
          >>> Words.counted(1, "torches"), Words.counted(4, "torches")
          ('1 torch', '4 torches')
          >>> Words.counted(2, "potion_red")
          '2 red potions'
        """
        text = called(name)
        if number == 1:
            text = _SINGULAR.get(name, text)
        elif name.startswith("potion_"):
            text += "s"
        return f"{number} {text}"

    def parts(self, action: str) -> tuple[str, str]:
        """Returns verb and object of an action."""
        row = next(row for row in self.game.rules.actions if row.name == action)
        return row.verb, row.what or action

    @property
    def matters(self) -> bool:
        """Whether there is something to say."""
        kind, event = self.event["type"], self.event
        if kind == "hurt" and event["by"] == "potion":
            return False  # another event says it
        if kind == "limited" and event["name"] in self.now.maxima:
            return False
        return super().matters

    @property
    def uses(self) -> Mapping[str, int]:
        """The items that the action uses up."""
        rules = self.game.rules
        rows = {"place": rules.place, "make": rules.recipes}.get(self.verb, {})
        return rows[self.what].uses if rows else {}

    @property
    def where(self) -> Sequence[str]:
        """What can be placed on."""
        data = self.game.rules.data
        where = data["place"][self.what]["where"]
        if tuple(where) != ("torch",):
            return tuple(where)
        return [name for name, row in data["blocks"].items() if row.get("torch")]

    @property
    def front(self) -> str:
        """The block that the player faces; empty outside the view."""
        now = self.now
        row, col = (p - c + f for p, c, f in zip(now.position, now.corner, now.facing))
        rows, columns = now.blocks.shape
        if not (0 <= row < rows and 0 <= col < columns):
            return ""
        return called(self.game.rules.block_names[now.blocks[row, col]]).capitalize()

    @property
    def tool(self) -> str:
        """The tool that is missing."""
        tier = int(self.now.inventory["pickaxe"]) + self.event["missing"]["pickaxe"]
        tiers = self.game.rules.data["inventory"]["pickaxe"]["tiers"]
        return one(f"{tiers[tier]}_pickaxe")

    @property
    def lacking(self) -> str:
        """What is missing, by name."""
        return listed([called(item) for item in self.event["missing"]])

    @property
    def first(self) -> str:
        """The first thing that is missing."""
        return str(next(iter(self.event["missing"])))

    @property
    def left(self) -> str:
        """The creatures that are left to defeat."""
        number = self.event["missing"]["monsters"]
        return f"{number} more creature{'s' * (number != 1)}"

    @property
    def mana(self) -> str:
        """The mana that is needed, and what there is."""
        has = int(self.now.inventory["mana"])
        return f"{has + self.event['missing']['mana']} mana, you have {has}"

    @property
    def better(self) -> str:
        """What the player has that is as good."""
        what = called(self.what)
        if what.endswith("armour"):
            return f"wear {what} already, or better"
        return f"have {one(what)} already, or a better one"

    @property
    def most(self) -> str:
        """The most that can be carried."""
        if self.event["type"] == "limited":
            return self.counted(self.event["to"], self.event["name"])
        item = next(iter(self.game.rules.recipes[self.what].gives))
        return f"{self.game.rules.most[item]} {called(item)}"

    @property
    def verb_of_what(self) -> str:
        """The verb that fits the number of what is enchanted."""
        return "are" if self.what.endswith("s") else "is"

    @property
    def floor_name(self) -> str:
        """The name of the floor that was entered."""
        return called(self.game.rules.floor_names[self.event["floor"]])

"""Messages of Craftax: failures, finds, wounds, low vitals."""

from __future__ import annotations

from crafter.core.phrases import listed, one
from crafter.gui import sentences

TEXTS = sentences.read_texts(__file__)


def called(name: str) -> str:
    """Returns what a thing of the rules is called in sentences.

    Example:
      >>> called("arrow2"), called("potion_red"), called("stone_pickaxe")
      ('arrow', 'red potion', 'stone pickaxe')
    """
    if name.startswith("potion_"):
        return f"{name.removeprefix('potion_')} potion"
    return str(TEXTS["called"].get(name, name.replace("_", " ")))


class Words(sentences.Words):
    """Words about an event of Craftax; see `crafter.gui.sentences.Words`."""

    templates = {**sentences.Words.templates, **TEXTS["events"]}
    hurts = {**sentences.Words.hurts, **TEXTS["hurts"]}
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
            text = TEXTS["singular"].get(name, text)
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
        return one(f"{tiers[tier]} pickaxe")

    @property
    def lacking(self) -> str:
        """What is missing, by name."""
        return listed([called(item) for item in self.event["missing"]], "or")

    @property
    def first(self) -> str:
        """The first thing that is missing."""
        return str(next(iter(self.event["missing"])))

    @property
    def short(self) -> str:
        """How much is missing."""
        rows = self.event["missing"].items()
        return listed([self.counted(number, name) for name, number in rows], "or")

    @property
    def found(self) -> str:
        """What was found, and how much of it."""
        return self.counted(self.event["gain"], self.event["what"])

    @property
    def most(self) -> str:
        """The most that can be carried."""
        return self.counted(self.event["to"], self.event["name"])

    @property
    def floor_name(self) -> str:
        """The name of the floor that was entered."""
        return called(self.game.rules.floor_names[self.event["floor"]])

"""A worked route through the game, with numbers from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crafter.games.crafter.rules import load
from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.words import CRAFTER, Source, Words, words_of


def tutorial(tables: Source = None) -> str:
    """Returns a worked route through the game as text.

    Args:
      tables: The rules, as `crafter.games.crafter.rules.load` takes them; by default
        those of the published game.
    """
    return route(words_of(load(tables)))


def route(words: Words) -> str:
    """Returns a worked route through a game of some words as text."""
    guide = Guide(words)
    return "\n".join(["A good way to play:", *guide.stages(), *guide.upkeep()])


def needs(crafts: Iterable[str], words: Words = CRAFTER) -> dict[str, int]:
    """Returns the items that some actions use up together.

    Example:
      >>> needs(("place_table", "make_wood_pickaxe"))
      {'wood': 3}
    """
    total: dict[str, int] = {}
    for action in crafts:
        for item, amount in words.book.uses(action).items():
            total[item] = total.get(item, 0) + amount
    return total


class Guide:
    """Writes the route.

    Args:
      words: The words of the game, and its rules.

    Attributes:
      crafts: For each stage, what is made and placed in it.
    """

    def __init__(self, words: Words) -> None:
        self._text, self._rules = words.more("tutorial"), words.rules
        self._words, known = words, set(words.book.actions)
        self.crafts = [
            [action for action in stage["crafts"] if action in known]
            for stage in self._text["stages"]
        ]

    def stages(self) -> Iterator[str]:
        """Yields the stages in order, then what the route leaves out."""
        rules, text = self._rules, self._text
        known = [pair for pair in zip(text["stages"], self.crafts) if pair[1]]
        for number, (stage, crafts) in enumerate(known, 1):
            yield text["stage"].format(
                number=number,
                title=stage["title"],
                total=self._words.amounts(needs(crafts, self._words)),
                crafts=listed(crafts),
                hint=stage["hint"],
            )
        if "diamond" in rules.collect:
            tool = listed(list(rules.collect["diamond"]["require"]) or ["do"])
            yield text["diamond"].format(number=len(known) + 1, tool=tool)
        told = {action for crafts in self.crafts for action in crafts}
        for action in rules.actions:
            uses = self._words.book.uses(action)
            if uses and action not in {*told, *text["upkeep_crafts"]}:
                yield text["more"].format(
                    action=action, total=self._words.amounts(uses)
                )

    def upkeep(self) -> Iterator[str]:
        """Yields what is to be looked after all the time."""
        rules = self._rules
        plant = rules.creatures["plant"]
        fields = {
            "cow": rules.do["cow"]["food"],
            "energy": rules.items["energy"]["max"],
            "enemies": listed([f"{name}s" for name in plant["enemies"]]),
            "ripe": plant["ripe"],
            **rules.time["moments"],
        }
        for sentence in self._text["upkeep"]:
            yield sentence.format(**fields)

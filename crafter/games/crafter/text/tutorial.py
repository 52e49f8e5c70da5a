"""Tutorial of Crafter, with numbers from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.words import Words


def route(words: Words) -> str:
    """Returns a worked route through the game as text."""
    guide = Guide(words)
    return "\n".join(["A good way to play:", *guide.stages(), *guide.upkeep()])


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
                total=self._words.amounts(self._words.book.total_uses(crafts)),
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

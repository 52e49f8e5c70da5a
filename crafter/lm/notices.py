"""Messages for people who play: what failed and why, wounds, finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crafter.core.phrases import listed
from crafter.lm import game as games
from crafter.lm.rendering.facts import Event
from crafter.lm.rendering.messages import Reporter
from crafter.lm.rendering.perception import Moment

#: Types of events that people are told; of vitals, that they become low.
TOLD = frozenset(
    [
        *("rejected", "missed", "hit", "defeated", "boss_hit", "ate", "hurt"),
        *("potion", "read", "enchanted", "levelled_up", "found", "entered"),
        *("woke", "stood_up", "station_lost"),
    ]
)


class Notices:
    """Says what a person should know of a step, in the words that models read.

    Args:
      game: Name of the game.
      rules: The rules of the game.
      health: Kind of creature -> its health when it appears, where players know it.

    Attributes:
      words: The words of the game.
      needs: Action -> what it needs.
    """

    def __init__(
        self, game: str, rules: Any, health: Mapping[str, float] | None = None
    ) -> None:
        found = games.find(game)
        self.words = found.words(rules)
        self._people, self._health = self.words["people"], health or {}
        where = "near" if self.words.book.reach == 1 else "within"
        self.needs = self.words.needs_where(self._people[where])
        self._perception = found.perception(self.words)

    def told(self, now: Any) -> list[str]:
        """Returns what is said of the step that led to a snapshot."""
        moment = self._perception.look(now)
        events = self._perception.events(moment)
        reporter = Reporter(self.words, moment.inventory, moment.limits)
        matters = (event for event in events if _matters(event, moment))
        left = {e["kind"]: e["left"] for e in now.events if e["type"] == "hit"}
        told = (self._with_health(t, left) for t in reporter.sentences(matters))
        return [_sentence(text) for text in told]

    def _with_health(self, text: str, left: Mapping[str, float]) -> str:
        """Returns a sentence, with the health that is left if it tells of a hit."""
        for kind, health in left.items():
            if f" hit the {self.words.name(kind)}: " in text and kind in self._health:
                most = self._health[kind]
                text = self._people["left"].format(text=text, left=health, most=most)
        return text

    def death(self, causes: Sequence[str]) -> str:
        """Returns what killed the player, in a sentence."""
        told = [self.words.with_article(cause) for cause in dict.fromkeys(causes)]
        return _sentence(f"{listed(told)} killed you") if told else ""


def _matters(event: Event, moment: Moment) -> bool:
    if event["type"] == "vital":
        return bool(3 * event["to"] <= moment.limits[event["name"]] < 3 * event["frm"])
    return event["type"] in TOLD or event.get("gain") == 0


def _sentence(text: str) -> str:
    text = text.removeprefix("do failed: ").replace("_", " ")
    return f"{text[0].upper()}{text[1:]}."

"""Sentences about what happens, from templates that all games share."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import yaml

from crafter.core.phrases import listed, one
from crafter.gui.keys import readable
from crafter.gui.status import is_low

#: Something that happened, as `crafter.core.events` describes it.
Event = Mapping[str, Any]


def read_texts(module: str) -> dict[str, Any]:
    """Returns the texts of `words.yaml` beside a module, given as its `__file__`."""
    text = pathlib.Path(module).with_name("words.yaml").read_text("utf-8")
    texts: dict[str, Any] = yaml.safe_load(text)
    return texts


_TEXTS = read_texts(__file__)

# Fields of events that choose between templates.
_KINDS = ("reason", "cause", "spell", "gain")


class Words:
    """Words about an event, by name, for the templates of its sentence.

    They are the fields of the event and the properties of this class, which the
    subclass of a game completes.

    Args:
      game: The adapter of the game.
      event: What happened.
      now: The snapshot after it.

    Attributes:
      templates: Type of event, perhaps with its kind (see `_KINDS`), perhaps with the
        verb of the action -> sentence; the most specific counts.
      hurts: What hurts -> how it hurts, and what is said of a death by it.
      verb: What the action does, of events about actions.
      what: To or with what.
    """

    templates: ClassVar[Mapping[str, str]] = _TEXTS["events"]
    hurts: ClassVar[Mapping[str, Sequence[str]]] = _TEXTS["hurts"]

    def __init__(self, game: Any, event: Event, now: Any) -> None:
        self.game, self.event, self.now = game, event, now
        self.verb, self.what = "", event.get("what", "")
        if "action" in event:
            self.verb, self.what = self.parts(event["action"])

    def __getitem__(self, name: str) -> Any:
        """Returns a word for a template."""
        value = getattr(self, name) if hasattr(self, name) else self.event[name]
        return self.called(value) if isinstance(value, str) else value

    def parts(self, action: str) -> tuple[str, str]:
        """Returns verb and object of an action."""
        verb, _, what = action.partition("_")
        return verb, what

    @property
    def sentence(self) -> str:
        """What is said of the event, or ''."""
        if not self.matters:
            return ""
        kind = next((str(self.event[k]) for k in _KINDS if k in self.event), "")
        names = [self.event["type"], kind, self.verb]
        keys = (" ".join(names[:n]) for n in (3, 2, 1))
        found = (self.templates[key] for key in keys if key in self.templates)
        return next(found, "").format_map(self)

    @property
    def matters(self) -> bool:
        """Whether there is something to say."""
        event = self.event
        if event["type"] != "vital":
            return True
        limit = self.game.limits(self.now.inventory)[event["name"]]
        return is_low(event["to"], limit) and not is_low(event["frm"], limit)

    # Words.

    @staticmethod
    def called(name: str) -> str:
        """Returns what a thing of the rules is called in sentences."""
        return name.replace("_", " ")

    @classmethod
    def counted(cls, number: int, name: str) -> str:
        """Returns a number with a name, such as `3 wood`."""
        return f"{number} {cls.called(name)}"

    @property
    def uses(self) -> Mapping[str, int]:
        """The items that the action uses up."""
        recipe = self.game.recipes.get(self.event.get("action"))
        return recipe.uses if recipe else {}

    @property
    def where(self) -> Sequence[str]:
        """What can be placed on: names of materials."""
        where: Sequence[str] = self.game.recipes[self.event["action"]].where
        return where

    @property
    def front(self) -> str:
        """What the player faces."""
        return "that"

    @property
    def What(self) -> str:
        """What the action is about, at the start of a sentence."""
        return self.called(self.what).capitalize()

    @property
    def Name(self) -> str:
        """The name in the event, at the start of a sentence."""
        return readable(self.event["name"])

    @property
    def wounds(self) -> str:
        """How the causes hurt."""
        by = self.event["by"]
        told = self._hurts([by] if isinstance(by, str) else by, 0)
        return " and ".join([*told[:1], *(t[0].lower() + t[1:] for t in told[1:])])

    @property
    def loss(self) -> str:
        """The health that was lost."""
        return f"{round(float(self.event['amount']), 1):g}"

    @property
    def needs(self) -> str:
        """The items that are short: how many it takes, and how many there are."""
        return "; ".join(
            f"{self.counted(amount, item)}, you have {self.now.inventory[item]}"
            for item, amount in self.uses.items()
            if item in self.event["missing"]
        )

    @property
    def stations(self) -> str:
        """The stations that are missing, and the items that are short."""
        missing = self.event["missing"]
        far = [one(self.called(name)) for name in missing if name not in self.uses]
        near = f"{listed(far)} nearby"
        return f"{near}, and {self.needs}" if self.needs else near

    @property
    def tool(self) -> str:
        """The tool that is missing."""
        return listed([one(self.called(name)) for name in self.event["missing"]])

    @property
    def places(self) -> str:
        """The materials on which something can be placed."""
        return listed([self.called(name) for name in self.where], "or")

    @property
    def death(self) -> str:
        """What killed the player, in a sentence for each cause."""
        told = [f"{text}." for text in self._hurts(self.event["by"], 1)]
        return " ".join(told) or "You died."

    def _hurts(self, causes: Sequence[str], which: int) -> list[str]:
        """Returns how causes hurt (0), or what is said of a death by them (1)."""
        told = []
        for cause in dict.fromkeys(map(self.called, causes)):
            by = one(cause)
            usual = f"{by[0].upper()}{by[1:]} hits you", f"You were killed by {by}"
            told.append(self.hurts.get(cause, usual)[which])
        return told

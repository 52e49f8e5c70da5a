"""Names of actions, from the synonyms of a game and its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crafter.lm.rendering.words import INTERFACE, Words

_GAP = re.compile(r"[\s_\-]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALL = re.compile(r"\(\s*\)$")


class Vocabulary:
    """All phrases that are understood, in normal form.

    Args:
      words: The words of the game, and its rules.

    Attributes:
      words: The words of the game.
      names: The actions of the rules, by index.
      actions: Phrase -> action.
      uses: Phrase for `do` with a target -> names the target may have in front.
      ambiguous: Phrase -> the actions it may mean.
      conditions: Phrase -> condition of a macro.
      until: Conditions of macros.

    Example:
      >>> from crafter.lm import game
      >>> vocabulary = Vocabulary(game.find("crafter").words())
      >>> vocabulary.normalise("Make_a  Wooden-Pick")
      'make wood pickaxe'
      >>> vocabulary.actions[vocabulary.normalise("MoveLeft()")]
      'move_left'
    """

    def __init__(self, words: Words) -> None:
        self.words, self._book = words, words.book
        self._synonyms: dict[str, Any] = words.more("synonyms")
        self._articles = frozenset(self._synonyms["articles"])
        self._replaced: dict[str, str] = self._synonyms["words"]
        self.names: list[str] = list(words.book.actions)
        self.actions: dict[str, str] = {}
        for action, phrase in self._phrases():
            self.actions.setdefault(self.normalise(phrase), action)
        self.uses = dict(self._uses())
        self.ambiguous = dict(self._ambiguous())
        self.until: list[str] = list(INTERFACE["until"])
        self.conditions = {
            self.normalise(phrase): name
            for name, phrases in INTERFACE["until"].items()
            for phrase in phrases
        }

    def normalise(self, text: str) -> str:
        """Returns text in small letters with single blanks and without articles."""
        text = _GAP.sub(" ", _CAMEL.sub(" ", _CALL.sub("", text))).strip().lower()
        text = text.replace("pick axe", "pickaxe").replace("'", " ")
        words = text.split()
        if len(words) > 1:
            words = [word for word in words if word not in self._articles] or words
        return " ".join(self._replaced.get(word, word) for word in words)

    def _phrases(self) -> Iterator[tuple[str, str]]:
        synonyms, actions = self._synonyms, self._book.actions
        for action in actions:
            yield action, action
        for action, phrases in synonyms["actions"].items():
            if action in actions:
                yield from ((action, phrase) for phrase in phrases)
        for name in self._made("place"):
            verbs = synonyms["place"] + synonyms["place_also"].get(name, [])
            for noun in synonyms["place_names"].get(name, [name]):
                yield from ((f"place_{name}", f"{verb} {noun}") for verb in verbs)
            for phrase in synonyms["place_alone"].get(name, []):
                yield f"place_{name}", phrase
        for name in self._made("make"):
            for noun in {name, " ".join(reversed(name.split("_")))}:
                yield f"make_{name}", noun
                yield from ((f"make_{name}", f"{v} {noun}") for v in synonyms["make"])
        for family, table in synonyms.get("families", {}).items():
            for name, nouns in table["names"].items():
                for noun in nouns:
                    yield from (
                        (f"{family}_{name}", f"{v} {noun}") for v in table["verbs"]
                    )

    def _uses(self) -> Iterator[tuple[str, list[str]]]:
        known = [*self._book.materials, *self._book.kinds, "player"]
        targets = {name: [name] for name in known} | self._synonyms["targets"]
        for verb in self._synonyms["do"]:
            for word, names in targets.items():
                phrase = self.normalise(f"{verb} {word}")
                if phrase not in self.actions:
                    yield phrase, names

    def _ambiguous(self) -> Iterator[tuple[str, list[str]]]:
        """Yields phrases that can mean several actions."""
        for phrase, readings in [*self._synonyms["ambiguous"].items(), *self._kinds()]:
            known = [action for action in readings if action in self._book.actions]
            if known:
                yield self.normalise(phrase), known

    def _kinds(self) -> Iterator[tuple[str, list[str]]]:
        """Yields kinds of tools without a material."""
        for kind in self._synonyms["tool_kinds"]:
            made = [f"make_{n}" for n in self._made("make") if n.endswith(kind)]
            for verb in ["", *self._synonyms["make"]]:
                yield f"{verb} {kind}".strip(), made

    def _made(self, verb: str) -> list[str]:
        """Returns what can be placed or made, by the recipes of the rules."""
        start = f"{verb}_"
        recipes = (name for name in self._book.recipes if name.startswith(start))
        return [name.removeprefix(start) for name in recipes]

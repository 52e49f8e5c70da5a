"""What the actions may be called, made from synonyms.yaml and the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crafter import constants
from crafter.lm.tell.words import load

_SYNONYMS: dict[str, Any] = load(__file__, "synonyms.yaml")
LIMITS: dict[str, int] = _SYNONYMS["limits"]
_ARTICLES = frozenset(_SYNONYMS["articles"])
_WORDS: dict[str, str] = _SYNONYMS["words"]
_GAP = re.compile(r"[\s_\-]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALL = re.compile(r"\(\s*\)$")


def normalise(text: str) -> str:
    """Returns text in small letters with single blanks and without articles.

    Example:
      >>> normalise("Make_a  Wooden-Pick"), normalise("MoveLeft()")
      ('make wood pickaxe', 'move left')
    """
    text = _GAP.sub(" ", _CAMEL.sub(" ", _CALL.sub("", text))).strip().lower()
    text = text.replace("pick axe", "pickaxe").replace("'", " ")
    words = text.split()
    if len(words) > 1:
        words = [word for word in words if word not in _ARTICLES] or words
    return " ".join(_WORDS.get(word, word) for word in words)


class Vocabulary:
    """All phrases that are understood, in normal form.

    Attributes:
      actions: Phrase -> action.
      uses: Phrase for `do` with a target -> names the target may have in front.
      ambiguous: Phrase -> the actions it may mean.
      conditions: Phrase -> condition of a macro.
      until: Conditions of macros.
    """

    def __init__(self) -> None:
        self.actions: dict[str, str] = {}
        for action, phrase in self._phrases():
            self.actions.setdefault(normalise(phrase), action)
        self.uses = dict(self._uses())
        self.ambiguous = {
            normalise(phrase): readings
            for phrase, readings in [*_SYNONYMS["ambiguous"].items(), *_kinds()]
        }
        self.until: list[str] = list(_SYNONYMS["until"])
        self.conditions = {
            normalise(phrase): name
            for name, phrases in _SYNONYMS["until"].items()
            for phrase in phrases
        }

    def _phrases(self) -> Iterator[tuple[str, str]]:
        for action in constants.actions:
            yield action, action
        for action, phrases in _SYNONYMS["actions"].items():
            yield from ((action, phrase) for phrase in phrases)
        for name in constants.place:
            verbs = _SYNONYMS["place"] + _SYNONYMS["place_also"].get(name, [])
            for noun in _SYNONYMS["place_names"].get(name, [name]):
                yield from ((f"place_{name}", f"{verb} {noun}") for verb in verbs)
            for phrase in _SYNONYMS["place_alone"].get(name, []):
                yield f"place_{name}", phrase
        for name in constants.make:
            for noun in {name, " ".join(reversed(name.split("_")))}:
                yield f"make_{name}", noun
                yield from ((f"make_{name}", f"{v} {noun}") for v in _SYNONYMS["make"])

    def _uses(self) -> Iterator[tuple[str, list[str]]]:
        targets = {name: [name] for name in [*constants.materials, *constants.objects]}
        targets |= _SYNONYMS["targets"]
        for verb in _SYNONYMS["do"]:
            for word, names in targets.items():
                phrase = normalise(f"{verb} {word}")
                if phrase not in self.actions:
                    yield phrase, names


def _kinds() -> Iterator[tuple[str, list[str]]]:
    """Yields kinds of tools without a material, which can mean several."""
    for kind in _SYNONYMS["tool_kinds"]:
        readings = [f"make_{name}" for name in constants.make if name.endswith(kind)]
        for verb in ["", *_SYNONYMS["make"]]:
            yield f"{verb} {kind}".strip(), readings

"""Names and templates of the text interface, read once from YAML files."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from crafter import constants


def load(module: str, name: str) -> Any:
    """Returns the content of a YAML file.

    Args:
      module: `__file__` of the module that it lies beside.
      name: Name of the file.
    """
    path = pathlib.Path(module).with_name(name)
    return yaml.safe_load(path.read_text(encoding="utf-8"))


WORDS: dict[str, Any] = load(__file__, "words.yaml")
VITALS: list[str] = WORDS["vitals"]
BACKGROUND = frozenset(WORDS["background"])
TOOLS: tuple[str, ...] = tuple(constants.make)
#: Direction name -> (dx, dy), and back.
VECTORS: dict[str, tuple[int, int]] = constants.directions
FACINGS = {vector: name for name, vector in VECTORS.items()}
EDGE = "edge of the world"
OUTSIDE, UNCLEAR = "outside", "unclear"

_ARTICLES = {noun: a for a, nouns in WORDS["articles"].items() for noun in nouns}


def with_article(name: str) -> str:
    """Returns a noun with its article, or alone if it has none.

    Example:
      >>> with_article("arrow"), with_article("grass"), with_article("outside")
      ('an arrow', 'grass', 'the edge of the world')
    """
    name = EDGE if name in (OUTSIDE, "edge") else name
    article = _ARTICLES.get(name)
    return f"{article} {name}" if article else name


def listed(words: list[str], last: str = "and") -> str:
    """Returns words as a list in a sentence.

    Example:
      >>> listed(["wood", "coal", "iron"])
      'wood, coal and iron'
    """
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def packed(actions: Iterable[str]) -> Iterator[str]:
    """Yields actions with repetitions counted.

    Example:
      >>> list(packed(["do", "do", "left"]))
      ['do x2', 'left']
    """
    for action, group in itertools.groupby(actions):
        count = sum(1 for _ in group)
        yield f"{action} x{count}" if count > 1 else action


def amounts(needs: dict[str, int]) -> str:
    """Returns items with their amounts.

    Example:
      >>> amounts({"wood": 1, "stone": 4})
      '1 wood and 4 stone'
    """
    return listed([f"{amount} {item}" for item, amount in needs.items()])

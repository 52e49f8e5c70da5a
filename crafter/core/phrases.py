"""Phrases: lists, amounts and repetitions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Joins words to a list for a sentence.

    Example:
      >>> listed(["wood", "coal", "iron"])
      'wood, coal and iron'
    """
    if not words:
        return ""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def amounts(needs: Mapping[str, int]) -> str:
    """Returns items with their amounts, in words.

    Example:
      >>> amounts({"wood": 1, "stone": 4})
      '1 wood and 4 stone'
    """
    return listed([f"{amount} {item}" for item, amount in needs.items()]) or "nothing"


def packed(actions: Iterable[str]) -> Iterator[str]:
    """Yields actions, with consecutive repetitions counted.

    Example:
      >>> list(packed(["do", "do", "left"]))
      ['do x2', 'left']
    """
    for action, group in itertools.groupby(actions):
        count = sum(1 for _ in group)
        yield f"{action} x{count}" if count > 1 else action


def one(noun: str) -> str:
    """Returns a noun with its indefinite article.

    Example:
      >>> one("iron_sword"), one("table")
      ('an iron_sword', 'a table')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def printable(text: str) -> str:
    r"""Replaces lone surrogates by `?`, so that the text can be encoded.

    Example:
      >>> printable("a\ud800b")
      'a?b'
    """
    return text.encode("utf-8", "replace").decode()

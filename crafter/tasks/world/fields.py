"""Classes of the goal language, with typed fields as arguments.

The type of a field determines how an argument is validated and which words of the rules
it accepts. Parsing, printing, the linter and encodings use these declarations.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from crafter.core.validation import integer, one_of

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        """Does nothing; for type checkers."""
        return lambda kind: kind


class Mistake(NamedTuple):
    """A word that the rules do not know.

    Attributes:
      word: The word.
      what: Expected kind of word, such as `material`.
      valid: Valid words.
    """

    word: str
    what: str
    valid: tuple[str, ...]


#: Largest integer in expressions: the steps of the longest episode. It also limits time
#: and memory.
MOST = 10_000

#: Pairs of arguments of which the first is at most the second.
RANGES = (("lo", "hi"), ("least", "most"), ("left", "right"), ("top", "bottom"))


class Whole(NamedTuple):
    """Integer in a range."""

    least: int
    most: int = MOST

    def check(self, word: str, name: str, value: Any) -> None:
        """Raises ValueError if an argument is invalid."""
        integer(f"{word}: {name}", value, self.least, self.most)


class Words(NamedTuple):
    """Word of the rules."""

    what: str
    valid: Callable[[Any], Collection[str]]

    def check(self, word: str, name: str, value: Any) -> None:
        """Raises ValueError if an argument is not a string; the rules come later."""
        if not isinstance(value, str):
            raise ValueError(f"{word}: {name} is a name, got {value!r}.")

    def mistakes(self, value: Any, rules: Any) -> Iterator[Mistake]:
        """Yields the words of an argument that the rules do not know."""
        valid = self.valid(rules)
        for word in value if isinstance(value, tuple) else (value,):
            if isinstance(word, str) and word not in valid:
                yield Mistake(word, self.what, tuple(valid))


class Choice(NamedTuple):
    """One of several fixed words."""

    valid: Collection[str]

    def check(self, word: str, name: str, value: Any) -> None:
        """Raises ValueError if an argument is invalid."""
        one_of(f"{word}: {name}", value, self.valid)


Count = Annotated[int, Whole(0)]
Positive = Annotated[int, Whole(1)]
Side = Annotated[int, Whole(1, 100)]  # of a figure of up to `MOST` cells


@functools.cache
def types_of(kind: Any) -> dict[str, Any]:
    """Returns field -> type, for the validated fields of a dataclass."""
    hints = typing.get_type_hints(kind, include_extras=True)
    marked = {f.name: hints[f.name] for f in dataclasses.fields(kind)}
    return {
        name: hint.__metadata__[0]
        for name, hint in marked.items()
        if hasattr(hint, "__metadata__")
    }


@dataclass_transform(frozen_default=True)
class Declared:
    """Base class of values that expressions create with a word and arguments.

    A subclass with a word becomes a frozen dataclass.

    Attributes:
      word: The word; class attribute.
    """

    word: ClassVar[str] = ""

    def __init_subclass__(cls, word: str = "") -> None:
        """Turns a class with a word into a frozen dataclass."""
        if word:
            cls.word = word
            dataclasses.dataclass(frozen=True)(cls)

    def __post_init__(self) -> None:
        """Raises ValueError if an argument is invalid."""
        kind: Any = self.__class__
        types = types_of(kind)
        for name, type in types.items():
            type.check(self.word, name, getattr(self, name))
        for low, high in RANGES:
            if {low, high} <= types.keys() and getattr(self, low) > getattr(self, high):
                ends = f"{low} {getattr(self, low)}", f"{high} {getattr(self, high)}"
                raise ValueError(f"{self.word}: {' is more than '.join(ends)}.")

    def mistakes(self, rules: Any) -> Iterator[Mistake]:
        """Yields the words of its arguments that the rules do not know."""
        kind: Any = self.__class__
        for name, type in types_of(kind).items():
            if isinstance(type, Words):
                yield from type.mistakes(getattr(self, name), rules)


def declared(base: type[Declared], *modules: Any) -> dict[str, Any]:
    """Returns word -> class, for the classes in modules that have a word.

    Args:
      base: Their base class.
      *modules: The modules.
    """
    classes: list[Any] = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base)
    ]
    return {kind.word: kind for kind in classes if vars(kind).get("word")}


def at_least(word: str, **amounts: int) -> None:
    """Raises ValueError if an argument is not a positive integer."""
    for name, amount in amounts.items():
        Whole(1).check(word, name, amount)

"""The words of rules that goals may use: materials, things, items, values of events."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from crafter.core.events import REASONS
from crafter.games.crafter.rules import Rules
from crafter.tasks import zones
from crafter.tasks.conditions import Built, Condition, Facing, Near, On, Sees, Walk
from crafter.tasks.goals import Event, Goal, Reach
from crafter.tasks.routes import Circled, Rounded
from crafter.tasks.verdicts import Verdict

Words = Callable[[Rules], Collection[str]]


class Mistake(NamedTuple):
    """A word that rules do not have where it stands.

    Attributes:
      word: The word.
      what: What should stand there, such as `material`.
      valid: The words that may.
    """

    word: str
    what: str
    valid: tuple[str, ...]


def mistakes(part: Goal | Condition, rules: Rules) -> Iterator[Mistake]:
    """Yields what is wrong with the words of a goal or condition under some rules.

    Args:
      part: The goal or condition; its parts are not looked at.
      rules: The rules of the game.

    Example:
      >>> from crafter.games.crafter.rules import default
      >>> [mistake.word for mistake in mistakes(Near("watr"), default())]
      ['watr']
    """
    for value, what, valid in _words(part, rules):
        for word in value if isinstance(value, tuple) else (value,):
            if isinstance(word, str) and word not in valid:
                yield Mistake(word, what, tuple(valid))


def _words(
    part: Goal | Condition, rules: Rules
) -> Iterator[tuple[Any, str, Collection[str]]]:
    """Yields the words of a part, what they should be, and which ones there are."""
    if isinstance(part, Reach) and isinstance(part.condition, Walk):
        part = part.condition  # as find(...) makes it
    if isinstance(part, On):
        yield part.material, "material", rules.materials
    if isinstance(part, (Circled, Rounded)):
        yield part.what, "material", rules.materials
    if isinstance(part, (Facing, Near, Sees, Walk)):
        yield part.what, "material or object", things(rules)
    if isinstance(part, Built):
        fields = {field.name for field in dataclasses.fields(part.structure)}
        for name in sorted(fields & {"material", "wall"}):
            usual = ("any",) if name == "wall" else ()
            value = getattr(part.structure, name)
            yield value, "material", (*rules.materials, *usual)
    if isinstance(part, Event):
        for name, value in part.filters:
            found = _VALUES.get((part.type, name)) or _VALUES.get(("", name))
            if found is not None:
                yield value, f"{name} of the event {part.type!r}", found(rules)


def things(rules: Rules) -> tuple[str, ...]:
    """Returns the materials and objects of rules."""
    return (*rules.materials, *rules.objects)


def _causes(rules: Rules) -> Collection[str]:
    wants = [name for name, rule in rules.life.items() if "item" in rule]
    return (*rules.objects, *rules.materials, *wants, "edge")


#: Type of the event (of any, if it is empty) and field -> the words that may be in it.
_VALUES: dict[tuple[str, str], Words] = {
    ("collected", "what"): lambda rules: rules.items,
    ("missed", "what"): lambda rules: rules.items,
    ("placed", "what"): lambda rules: rules.place,
    ("made", "what"): lambda rules: rules.make,
    ("ate", "what"): lambda rules: rules.objects,
    ("saw", "what"): things,
    ("station_lost", "what"): lambda rules: rules.materials,
    ("placed", "on"): lambda rules: rules.materials,
    ("collected", "tool"): lambda rules: rules.items,
    ("", "kind"): lambda rules: rules.objects,
    ("", "action"): lambda rules: rules.actions,
    ("", "reason"): lambda rules: REASONS,
    ("", "cause"): lambda rules: ("rested", "hurt"),
    ("", "name"): lambda rules: rules.items,
    ("", "achievement"): lambda rules: rules.achievements,
    ("", "zone"): lambda rules: zones.names(),
    ("", "verdict"): lambda rules: [str(verdict) for verdict in Verdict],
    ("", "by"): _causes,
}

"""The rules of the game together with how it is played here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from crafter.lm.play import stops
from crafter.lm.tell.phrases import listed
from crafter.lm.tell.rules_text import rules_text
from crafter.lm.tell.words import INTERFACE, LIMITS, Source, words_of
from crafter.rules import load

_CONTROLS: dict[str, Any] = INTERFACE["controls"]


def rules(
    level: str = "full",
    hide: Collection[str] = (),
    *,
    tables: Source = None,
    max_batch: int = LIMITS["batch"],
    macros: bool = True,
    stop_on: str | Iterable[str] = "default",
) -> str:
    """Returns the rules of the game and of the interface.

    Args:
      level: `full`, `brief`, or `actions` for the names of the actions alone.
      hide: What to withhold: `costs`, `numbers`, `stations`, `creatures`.
      tables: The rules, as `crafter.rules.load` takes them; by default those of the
        published game.
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.

    Raises:
      ValueError: If the level or something to hide is unknown.
    """
    told = controls(max_batch, macros, stop_on, brief=level != "full")
    return "\n".join([rules_text(words_of(load(tables)), level, hide), *told])


def controls(
    max_batch: int, macros: bool, stop_on: str | Iterable[str], brief: bool = False
) -> Iterator[str]:
    """Yields sentences about how actions are given.

    Args:
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.
      brief: Whether to give examples of these events instead of all.
    """
    events = stops.chosen(stop_on)
    if max_batch == 1:
        yield _CONTROLS["single"]
        return
    yield _CONTROLS["batch"].format(max_batch=max_batch)
    if macros:
        yield _CONTROLS["macros"]
    if events and brief:
        yield _CONTROLS["stops_brief"]
    elif events:
        names = [_CONTROLS["stop_names"][n] for n in stops.REASONS if n in events]
        yield _CONTROLS["stops"].format(stops=listed(names, "or"))

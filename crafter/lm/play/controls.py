"""Rules of a game, with the controls of this interface, as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from crafter.core.phrases import listed
from crafter.core.validation import one_of
from crafter.lm import game as games
from crafter.lm.play import stops
from crafter.lm.rendering.rules_text import LEVELS, SECRETS
from crafter.lm.rendering.words import INTERFACE, LIMITS

_CONTROLS: dict[str, Any] = INTERFACE["controls"]


def rules(
    level: str = "full",
    hide: Collection[str] = (),
    *,
    game: str = games.DEFAULT,
    tables: Any = None,
    max_batch: int = LIMITS["batch"],
    macros: bool = True,
    stop_on: str | Iterable[str] = "default",
) -> str:
    """Returns the rules of the game and of the interface.

    Args:
      level: `full`, `brief`, or `actions` for the names of the actions alone.
      hide: What to withhold: `costs`, `numbers`, `stations`, `creatures`.
      game: `crafter` or `craftax`.
      tables: The rules, as `rules` of the environment; by default those of the
        published game.
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.

    Raises:
      ValueError: If the game, the level or something to hide is unknown.
    """
    one_of("level", level, LEVELS)
    for name in hide:
        one_of("hide", name, SECRETS)
    found = games.find(game)
    words = found.words(tables)
    writer = found.writer(words, frozenset(hide))
    left = words.book.moves["left"]
    told = _controls(max_batch, macros, stop_on, level != "full", left)
    return "\n".join([writer.write(level), *told])


def tutorial(tables: Any = None, *, game: str = games.DEFAULT) -> str:
    """Returns a worked route through a game as text.

    Args:
      tables: The rules, as `rules` of the environment; by default those of the
        published game.
      game: `crafter` or `craftax`.

    Raises:
      ValueError: If the game is unknown.
    """
    found = games.find(game)
    return "\n".join(found.writer(found.words(tables)).tutorial())


def _controls(
    max_batch: int, macros: bool, stop_on: str | Iterable[str], brief: bool, left: str
) -> Iterator[str]:
    """Yields sentences about how actions are given.

    Args:
      max_batch: Most actions of one call.
      macros: Whether `X until Y` may be used.
      stop_on: Events that end a list of actions early.
      brief: Whether to give examples of these events instead of all.
      left: Action that goes to the left, for an example.
    """
    events = stops.chosen(stop_on)
    if max_batch == 1:
        yield _CONTROLS["single"]
        return
    yield _CONTROLS["batch"].format(max_batch=max_batch)
    if macros:
        yield _CONTROLS["macros"].format(left=left)
    if events and brief:
        yield _CONTROLS["stops_brief"]
    elif events:
        names = [_CONTROLS["stop_names"][n] for n in stops.REASONS if n in events]
        yield _CONTROLS["stops"].format(stops=listed(names, "or"))

"""Game descriptions: a name, and parts that are imported on demand."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

#: Setup of files that name none.
DEFAULT_SETUP = "published"

_PACKAGE = "crafter.games"
#: Part -> its location within the package of a game.
_PARTS = {
    "env": "env:Env",
    "app": "app.adapter:App",
    "text": "text.game:GAME",
    "tasks": "tasks.game:GAME",
    "benchmarks": "scoring:BENCHMARKS",
    "functional": "jax.env:make",
}
_registered: dict[str, Game] = {}


@dataclasses.dataclass(frozen=True)
class Game:
    """A game, as seen by game-independent code.

    Each package `crafter.games.<name>` has one as its attribute `GAME`. Games outside
    this package are added by `register`.

    Attributes:
      name: Name in files, in `env.game` and on the command line.
      title: Name in sentences.
      parts: Part -> its location, as `module:attribute`. The interface of each part:
        `env` (a `crafter.core.env.GameEnv`), `app` (`crafter.gui.game`), `text`
        (`crafter.lm.game`), `tasks` (`crafter.tasks.game`), `benchmarks` (of
        `crafter.scoring.Benchmark`), `functional` (creates a
        `crafter.functional.env.Env`, see `crafter.functional.registry`).
    """

    name: str
    title: str
    parts: Mapping[str, str]

    def part(self, name: str) -> Any:
        """Imports and returns a part.

        Raises:
          ValueError: If the game lacks it.
        """
        if name not in self.parts:
            raise ValueError(
                f"{self.title} has no part {name!r}; valid: {', '.join(self.parts)}."
            )
        module, _, attribute = self.parts[name].partition(":")
        return getattr(importlib.import_module(module), attribute)


def shipped(title: str, *lacks: str) -> Game:
    """Returns a game of this package, with its parts in their default places.

    Args:
      title: Name in sentences.
      *lacks: Parts that it lacks.
    """
    name = title.lower()
    places = {part: place for part, place in _PARTS.items() if part not in lacks}
    parts = {part: f"{_PACKAGE}.{name}.{place}" for part, place in places.items()}
    return Game(name, title, parts)


def register(game: Game) -> None:
    """Registers a game from outside this package."""
    _registered[game.name] = game


def names(part: str | None = None) -> tuple[str, ...]:
    """Returns the names of all games, or of those with a given part.

    Example:
      >>> names("app")
      ('crafter', 'craftax')
    """
    package = importlib.import_module(_PACKAGE)
    shipped = [module.name for module in pkgutil.iter_modules(package.__path__)]
    known = [*sorted(shipped, reverse=True), *_registered]  # Crafter comes first.
    return tuple(name for name in known if part is None or part in find(name).parts)


def find(name: str) -> Game:
    """Returns a game by its name.

    Raises:
      ValueError: If there is no such game.

    Example:
      >>> find("craftax").title
      'Craftax'
    """
    if name in _registered:
        return _registered[name]
    if name not in names():
        raise ValueError(f"Unknown game {name!r}; valid: {list(names())}.")
    game: Game = importlib.import_module(f"{_PACKAGE}.{name}").GAME
    return game


def of(env: Any) -> Game:
    """Returns the game that an environment belongs to.

    Raises:
      ValueError: If it is not an environment of a known game.
    """
    inner = getattr(env, "unwrapped", env)
    name = getattr(inner, "game", None)
    if name not in names():
        raise ValueError(
            f"Expected an environment of one of the games {list(names())}, got "
            f"{inner!r}."
        )
    return find(name)

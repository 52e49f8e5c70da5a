"""JAX environments by name."""

from __future__ import annotations

from typing import Any

from crafter.core import game


def make(name: str, auto_reset: bool = True, **kwargs: Any) -> Any:
    """Creates an environment of a game.

    Args:
      name: Name of the game, observation kind and version, such as
        `Crafter-Symbolic-v1` or `Craftax-Pixels-v1`.
      auto_reset: Whether the last step of an episode starts the next one.
      **kwargs: As for the `Env` of the game.

    Raises:
      ValueError: If the environment is unknown, or an argument is invalid.
    """
    titles = {game.find(known).title: known for known in game.names("functional")}
    title = name.partition("-")[0]
    if title not in titles:
        raise ValueError(
            f"Expected an environment id that starts with one of {list(titles)}, such "
            f"as 'Crafter-Symbolic-v1', got {name!r}."
        )
    return game.find(titles[title]).part("functional")(name, auto_reset, **kwargs)

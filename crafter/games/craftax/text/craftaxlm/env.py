"""Environments by the names of Craftax."""

from __future__ import annotations

from typing import Any

#: Name -> settings of our environment, for each game.
_CLASSIC: dict[str, dict[str, Any]] = {
    "Craftax-Classic-Symbolic-v1": {},
    "Craftax-Classic-Pixels-v1": {},
}
_FULL: dict[str, dict[str, Any]] = {
    "Craftax-Symbolic-v1": {"observation": "symbolic"},
    "Craftax-Pixels-v1": {"observation": "pixels"},
}


def make_craftax_env_from_name(
    name: str, auto_reset: bool = False, **settings: Any
) -> Any:
    """Returns the environment that stands for a name of Craftax.

    Args:
      name: The id; those of Craftax-Classic stand for Crafter.
      auto_reset: See `crafter.lm.craftaxlm.functional.Functional`.
      **settings: Arguments of `crafter.Env` or `crafter.craftax.Env`.

    Raises:
      ValueError: If it is another id.
    """
    if name in _CLASSIC:
        from crafter.games.craftax.text.craftaxlm.classic.env import CraftaxClassicEnv

        return CraftaxClassicEnv(auto_reset=auto_reset, **_CLASSIC[name], **settings)
    if name in _FULL:
        from crafter.games.craftax.text.craftaxlm.full.env import CraftaxFullEnv

        return CraftaxFullEnv(auto_reset=auto_reset, **_FULL[name], **settings)
    names = (*_CLASSIC, *_FULL)
    raise ValueError(f"Unknown environment {name!r}; there are {names}.")

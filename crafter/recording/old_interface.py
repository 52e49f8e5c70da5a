"""Adapter for environments with the old Gym interface."""

from __future__ import annotations

from typing import Any

import gymnasium


class Modern(gymnasium.Env):
    """Wraps an old Gym environment in the Gymnasium interface.

    Args:
      env: `crafter.legacy.Env`, possibly inside old Gym wrappers.

    Raises:
      TypeError: If it is anything else.
    """

    def __init__(self, env: Any):
        inside: Any = getattr(env, "unwrapped", None)
        game = getattr(inside, "_env", None)
        if not isinstance(game, gymnasium.Env) or not hasattr(inside, "info"):
            raise TypeError(
                "Expected an environment of Gymnasium or crafter.legacy.Env, "
                f"got {env!r}."
            )
        self._old, self._inside = env, inside
        for name in ("action_space", "observation_space"):  # simple wrappers lack them
            setattr(self, name, getattr(env, name, getattr(game, name)))

    def __getattr__(self, name: str) -> Any:
        """Looks up attributes in the old environment."""
        if name.startswith("__") or "_old" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self._old, name)

    @property
    def unwrapped(self) -> Any:
        """The old environment without wrappers."""
        return self._inside

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode.

        Raises:
          TypeError: If a seed or options are given; the old interface has none.
        """
        if seed is not None or options is not None:
            raise TypeError(
                "The old interface has reset() without arguments; give the seed to "
                "the environment."
            )
        return self._old.reset(), self._inside.info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Performs one step; `done` becomes `terminated`, whatever the reason."""
        observation, reward, done, info = self._old.step(action)
        return observation, reward, bool(done), False, info

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the old environment."""
        return self._old.render(*args, **kwargs)

    def close(self) -> None:
        """Closes the old environment."""
        self._old.close()

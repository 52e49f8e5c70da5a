"""Sleep and rest as a single decision, for agents of any game."""

from __future__ import annotations

from typing import Any

import gymnasium


class CollapseSleep(gymnasium.Wrapper):
    """Extends a step in which the player falls asleep or rests until it is up again.

    The wrapper repeats `noop` until the player neither sleeps nor rests, or the episode
    ends, like the switch `collapse` inside the game. However, the night noise in
    pictures of Crafter is still drawn in every game step.
    Observations, infos and action masks are those of the last game step; rewards are
    summed, as are `reward`, `unlocked` and `events` of infos.

    Infos have two more entries, both counted since `reset`: `decisions`, the steps of
    this wrapper, and `ticks`, the steps of the game.

    Args:
      env: An environment of Crafter or Craftax, or a wrapper of one. A Recorder around
        `CollapseSleep` counts decisions, one inside it ticks.

    Example:
      >>> import crafter
      >>> env = CollapseSleep(crafter.Env(seed=2))
      >>> _ = env.reset(options={"inventory": {"energy": 8}})
      >>> *_, info = env.step(env.unwrapped.action_names.index("sleep"))
      >>> info["decisions"], info["ticks"], info["sleeping"]
      (1, 12, False)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._decisions = self._ticks = 0

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode; see the environment."""
        self._decisions = self._ticks = 0
        obs, info = self.env.reset(**arguments)
        return obs, {**info, "decisions": 0, "ticks": 0}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Performs a decision; see the environment."""
        obs, reward, terminated, truncated, info = self._tick(action)
        self._decisions += 1
        total, paid = float(reward), info["reward"]
        unlocked, events = set(info["unlocked"]), info["events"]
        while not (terminated or truncated) and _is_down(info):
            obs, reward, terminated, truncated, info = self._tick(0)
            total, paid = total + float(reward), paid + info["reward"]
            unlocked, events = unlocked | info["unlocked"], events + info["events"]
        counts = {"decisions": self._decisions, "ticks": self._ticks}
        info |= {"reward": paid, "unlocked": unlocked, "events": events, **counts}
        return obs, total, terminated, truncated, info

    def _tick(self, action: Any) -> Any:
        results = self.env.step(action)
        self._ticks += 1
        return results


def _is_down(info: dict[str, Any]) -> bool:
    """Returns whether the player is asleep or resting."""
    return info["sleeping"] or info.get("resting", False)

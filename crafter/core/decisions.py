"""Sleep and rest as one decision, for agents of any game."""

from __future__ import annotations

from typing import Any

import gymnasium


class CollapseSleep(gymnasium.Wrapper):
    """Makes a step in which the player falls asleep or rests last until it is up.

    The wrapper goes on with `noop` until the player neither sleeps nor rests, or the
    episode is over, as the switch `collapse` does inside the game. But the noise of the
    night in pictures of Crafter is drawn in every step of the game.
    Observations, infos and action masks are those of the last step of the game;
    rewards are added up, as are `reward`, `unlocked` and `events` of infos.

    Infos have two more entries, both counted since `reset`: `decisions`, the steps of
    this wrapper, and `ticks`, those of the game.

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
        """Plays a decision; see the environment."""
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
    """Returns whether the player sleeps or, where a game has it, rests."""
    return info["sleeping"] or info.get("resting", False)

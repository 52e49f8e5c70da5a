"""Text of what changed since the last observation.

A changed line is told whole and replaces the one with the same key; the keys of lines
that are gone are listed. Every few calls everything is told again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crafter.lm.rendering.text import lines

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation

EVERY = 10  # calls after which everything is repeated
HEADER = "Changed since the last observation (the rest is as it was):"
_GONE = "No longer there: "


class Delta:
    """Turns a sequence of observations into texts that tell what changed.

    Args:
      every: Calls after which everything is repeated.
    """

    def __init__(self, every: int = EVERY) -> None:
        self._every = every
        self._calls = 0
        self._known: dict[str, str] = {}

    def reset(self) -> None:
        """Makes the next observation a full one."""
        self._calls = 0

    def tell(self, obs: Observation) -> str:
        """Returns the full text, or what changed since the last call."""
        now = dict(lines(obs, obs.style))
        before, self._known = self._known, now
        full = self._calls % self._every == 0
        self._calls += 1
        if full:
            return "\n".join(now.values())
        changed = [line for key, line in now.items() if before.get(key) != line]
        gone = [key for key in before if key not in now]
        told = [HEADER, *changed]
        if gone:
            told.append(f"{_GONE}{', '.join(gone)}.")
        return "\n".join(told)

"""Event counts: what a comparison or a set of recordings covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from reference.trace import RESET, Moment


@dataclass
class Tally:
    """Counts of events in games.

    Attributes:
        counts: Event -> count: games, finished episodes, steps, frames (one per reset
            and step), deaths, nights (nightfalls), dark frames (with night noise), and
            steps asleep.
        longest: Length of the longest episode, in steps.
        edges: Edges of the map that the player touched.
        achievements: Names of the achievements unlocked.
    """

    counts: Counter[str] = field(default_factory=Counter)
    longest: int = 0
    edges: set[str] = field(default_factory=set)
    achievements: set[str] = field(default_factory=set)

    def watch(self, rows: Iterator[tuple[int, Moment]]) -> Iterator[tuple[int, Moment]]:
        """Count events in the rows of one game while passing them on."""
        self.counts["games"] += 1
        was_done = was_dark = False
        for action, moment in rows:
            dark = moment["daylight"] < 0.5
            done = moment["done"] and not was_done
            self.counts["nights"] += dark and not was_dark
            self.counts["dark frames"] += dark
            self.counts["episodes"] += done
            self.counts["deaths"] += done and moment["info"][0] == 0
            self._add(action, moment)
            was_done, was_dark = moment["done"], dark
            yield action, moment

    def _add(self, action: int, moment: Moment) -> None:
        self.counts["frames"] += 1
        self.counts["steps"] += action != RESET
        self.counts["steps asleep"] += moment["player"][0]
        self.longest = max(self.longest, moment["step"])
        self.achievements.update(moment["unlocked"])
        x, y = moment["info"][-1]
        width, height = moment["materials"].shape
        at = {"left": x == 0, "right": x == width - 1}
        at |= {"top": y == 0, "bottom": y == height - 1}
        self.edges.update(edge for edge, reached in at.items() if reached)

    def add(self, other: Tally) -> None:
        """Add the counts of other games."""
        self.counts.update(other.counts)
        self.longest = max(self.longest, other.longest)
        self.edges |= other.edges
        self.achievements |= other.achievements

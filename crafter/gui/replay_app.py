"""Window of a recorded episode that is played back."""

import sys

from crafter.gui.app import App
from crafter.gui.replay import Replay

#: Command -> how many steps to go; positions beyond an end are the end.
_JUMPS = {
    "back": -1,
    "forward": 1,
    "far_back": -50,
    "far_forward": 50,
    "first": -sys.maxsize,
    "last": sys.maxsize,
}
#: Command -> how many floors to go, while the map is shown.
_FLOORS = {"far_back": -1, "far_forward": 1}


class ReplayApp(App):
    """Window of a recorded episode that is played back.

    Args:
      source: The episode.
      screen: The window.
      bindings: What every key does.
      args: Options of the command line; see `crafter.gui.options`.
    """

    source: Replay

    def step(self) -> None:
        """Shows the next moment; pauses when the last one is reached."""
        self.source.seek(self.source.index + 1)
        self.paused = self.paused or self.source.at_end

    def toggle_pause(self) -> None:
        """Pauses, or goes on; at the end, goes on from the beginning."""
        if self.paused and self.source.at_end:
            self.source.seek(0)
        super().toggle_pause()

    def _pause_text(self) -> str:
        ways = ("back", "back"), ("forward", "on")
        return f"Paused. {self._bindings.hint(*ways, ('toggle_pause', 'resume'))}"

    def _press(self, meaning: str) -> None:
        if self.floor is not None and meaning in _FLOORS:
            self.next_floor(_FLOORS[meaning])
        elif meaning in _JUMPS:
            self.paused = True
            self.source.seek(self.source.index + _JUMPS[meaning])
        else:
            super()._press(meaning)

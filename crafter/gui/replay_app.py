"""Window of a recorded episode that is played back."""

from crafter.gui.app import App
from crafter.gui.replay import Replay

_FAR = 50  # steps


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

    def back(self) -> None:
        """Shows the moment before."""
        self._seek(self.source.index - 1)

    def forward(self) -> None:
        """Shows the moment after."""
        self._seek(self.source.index + 1)

    def far_back(self) -> None:
        """Shows a moment long before, or on the map the floor before."""
        self._far(-1)

    def far_forward(self) -> None:
        """Shows a moment long after, or on the map the next floor."""
        self._far(1)

    def _far(self, way: int) -> None:
        if self.floor is None:
            self._seek(self.source.index + way * _FAR)
        self.next_floor(way)

    def first(self) -> None:
        """Shows the first moment."""
        self._seek(0)

    def last(self) -> None:
        """Shows the last moment."""
        self._seek(self.source.last)

    def _seek(self, index: int) -> None:
        self.paused = True
        self.source.seek(index)

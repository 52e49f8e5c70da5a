"""Messages of Crafter: failures, wounds, low vitals."""

from __future__ import annotations

from crafter.gui import sentences

TEXTS = sentences.read_texts(__file__)


class Words(sentences.Words):
    """Words about an event of Crafter; see `crafter.gui.sentences.Words`."""

    templates = {**sentences.Words.templates, **TEXTS["events"]}
    hurts = {**sentences.Words.hurts, **TEXTS["hurts"]}

    @property
    def front(self) -> str:
        """The material that the player faces."""
        ground, (dx, dy) = self.now.ground, self.now.facing
        number = ground[ground.shape[0] // 2 + dx, ground.shape[1] // 2 + dy]
        return self.called(self.game.rules.semantic_names[number]).capitalize()

    @property
    def most(self) -> int:
        """The most that can be carried."""
        return int(self.game.rules.items[self.what]["max"])

"""Plays long games: prepares on the overworld, then fights at the ladders.

It plays like the player that sees everything, `crafter.games.craftax.players`: it
closes a room around the way down, goes down from there in full health, kills the
monsters of the next floor at the door of a room around the way up, and flees into the
room above. What it works with is only what it believes; when that is not enough, it has
to look around.
"""

from __future__ import annotations

from crafter.games.craftax.players import gear
from crafter.games.craftax.players.pathfinding import Reach
from crafter.games.craftax.players.player import CraftaxPlayer
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.siege import Siege

#: What `Delver.choose` returns when it knows nothing to do here.
EXPLORE = "explore"
_WAYS_DOWN = ("ladder_down", "ladder_down_blocked")
#: Materials that are enough, and how far to go for any: time is better spent below.
_ENOUGH, _FAR = {"stone": 45, "wood": 12, "coal": 14}, 40.0
#: Steps to wait for monsters at the door of a room before going out.
_PATIENCE = 40
#: Arrows that are enough without a bow and with one.
_ARROWS = (6, 30)
_FOUND_BY_LOOKING = {"food", "drink"}


class Delver(CraftaxPlayer):
    """Chooses actions from what is believed."""

    def __init__(self) -> None:
        super().__init__()
        self._besieged = Siege(self._survival, _PATIENCE)

    def choose(self, scene: Scene) -> str:
        """Returns the next action, or `EXPLORE`."""
        self.wanted = self._plan(scene)
        if self.doing == "wait":
            self.wanted = EXPLORE
        intended = "noop" if self.wanted == EXPLORE else self.wanted
        refuge = self._survival.refuge(scene)
        action = self._guard.check(scene, intended, self._survival.running, refuge)
        return action if action != intended else self.wanted

    def _keep(self, scene: Scene, reach: Reach) -> str | None:
        action = super()._keep(scene, reach)
        lacks = self._survival.needs & _FOUND_BY_LOOKING
        if action is None and lacks and not self._crosses(scene):
            self.doing = f"look for it ({self.doing})"
            return EXPLORE
        return action

    def _recipe(self, scene: Scene) -> str | None:
        recipe, has = super()._recipe(scene), scene.has
        enough = has["arrows"] >= _ARROWS[bool(has["bow"])]
        return None if recipe == "arrow" and enough else recipe

    def _supplies(self, scene: Scene) -> list[gear.Supply]:
        return [
            supply._replace(longest=min(supply.longest, _FAR))
            for supply in super()._supplies(scene)
            if scene.has[supply.item] < _ENOUGH.get(supply.item, supply.amount)
        ]

    def _crosses(self, scene: Scene) -> bool:
        return _knows_way(scene) and super()._crosses(scene)

    def _light(self, scene: Scene) -> bool:
        return True  # nothing is worth staying for

    def _leave(self, scene: Scene, reach: Reach) -> str | None:
        if scene.kills_left:
            return None
        if _knows_way(scene):
            return super()._leave(scene, reach)
        if not scene.level or scene.at != scene.floor.up_ladder:
            return None
        self.doing = "get ready to look around"
        if self._sallies(scene):
            return "noop"
        self._survival.prepare(scene, False)
        return self._survival.action(scene, reach) if self._survival.needs else None


def _knows_way(scene: Scene) -> bool:
    return scene.item(scene.floor.down_ladder) in _WAYS_DOWN

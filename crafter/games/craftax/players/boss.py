"""How to beat the boss: waves killed from closed rooms, and a hit after each."""

from __future__ import annotations

import math

from crafter.core.grid import Cell, neighbours
from crafter.games.craftax.players import errands, shelter
from crafter.games.craftax.players.hunt import Hunt
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.upkeep import Upkeep
from crafter.games.craftax.players.ways import Reach, use

#: How near graves have to be to let monsters of the boss appear.
_WAKES = 6


class BossFight:
    """Plays on the floor of the boss.

    Args:
      upkeep: Builds rooms, and rests in them.
      hunt: Kills the monsters of a wave.
    """

    def __init__(self, upkeep: Upkeep, hunt: Hunt) -> None:
        self._upkeep = upkeep
        self._hunt = hunt

    def action(self, scene: Scene, reach: Reach) -> str | None:
        """Kills a wave from a closed room with one door, then hits the boss."""
        for goal in (self._hunt.hold, self._hunt_wave, self._besiege):
            action = goal(scene, reach)
            if action is not None:
                return action
        return None

    def _hunt_wave(self, scene: Scene, reach: Reach) -> str | None:
        if not scene.hostile:
            return None
        if scene.player.health < 0.8 * scene.most("health"):
            self._upkeep.needs.add("health")
            return self._upkeep.action(scene, reach)
        return self._hunt.hunt(scene, reach)

    def _besiege(self, scene: Scene, reach: Reach) -> str | None:
        """Closes a room beside the boss, rests there, and hits it."""
        boss = scene.find(["necromancer"])[0]
        post = _post(scene, reach, boss)
        if post is None:
            return errands.go_use(scene, reach, [boss])
        room = shelter.enclosure(scene)
        if room is None or post not in room:
            action = self._upkeep.hide(scene, post)
            if action is not None:
                return action
        if scene.player.health < scene.most("health") - 1:
            self._upkeep.needs.add("health")
            return self._upkeep.action(scene, reach)
        if scene.at != post:
            return errands.go_to(scene, reach, post)
        if scene.ahead == boss and scene.world.boss_timer > 0:
            return "noop"
        return use(scene, boss)


def _post(scene: Scene, reach: Reach, boss: Cell) -> Cell | None:
    """Returns the cell beside the boss with the fewest graves around."""
    graves = scene.find(["grave", "grave2", "grave3"])
    posts = [c for c in neighbours(boss) if not scene.solid(c)]
    if scene.at in posts and shelter.enclosure(scene) is not None:
        return scene.at

    def waking(cell: Cell) -> int:
        return sum(math.dist(cell, grave) <= _WAKES for grave in graves)

    reached = [cell for cell in posts if reach.to([cell]) is not None]
    return min(reached, default=None, key=waking)

"""Safety checks: blows, shots, and waiting for the right moment."""

from __future__ import annotations

from typing import Any

from crafter.core.grid import distance, shift
from crafter.games.craftax.players.guard import aims, shot, strike, threatened
from crafter.games.craftax.players.scene import MOVES, Creature, Scene
from crafter.games.craftax.text.agent.foresight import Foresight

#: How near monsters and shots are when the player thinks of them.
_RANGED_NEAR, _SHOT_NEAR = 7, 6
#: Health that dodging has to save, at first and more with each time in a row.
_WORTH, _HASTE = 0.4, 0.35


class Guard:
    """Replaces actions that are not safe.

    Args:
      env: The environment, for its rules.
    """

    def __init__(self, env: Any) -> None:
        self._foresight = Foresight(env, trials=6, depth=4)
        self._refused = 0

    def check(self, scene: Scene, wanted: str, running: bool) -> str:
        """Returns the wanted action, or one against monsters that are near.

        Args:
          scene: The moment.
          wanted: The action that the player would do.
          running: Whether it runs for the ladder instead of fighting.
        """
        if wanted in ("descend", "ascend", "sleep") or not threatened(scene):
            return wanted
        beside = [c for c in scene.hostile if distance(c.cell, scene.at) == 1]
        if beside:
            if running and wanted in MOVES and _flees(scene, wanted, beside):
                return wanted
            beside.sort(
                key=lambda c: (c.kind != "melee", c.cell != scene.ahead, c.mob.health)
            )
            return strike(scene, beside[0])
        shoot = shot(scene)
        if shoot is not None and aims(scene):
            return shoot
        near = any(
            c.kind == "melee" and distance(c.cell, scene.at) == 2 for c in scene.hostile
        )
        if near and wanted in MOVES and self._refused < 3:
            self._refused += 1
            return "noop"
        if (wanted in MOVES or wanted == "noop") and _under_fire(scene):
            return self._dodge(scene, wanted)
        self._refused = 0
        return wanted

    def _dodge(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted move, or an action that saves health for sure."""
        names = list(dict.fromkeys([wanted, "noop", *MOVES]))
        if scene.has["stone"] and scene.can_place(scene.ahead):
            names.append("place_stone")
        values = self._foresight.values(scene.player, names, wanted, 0.5)
        best = max(names, key=values.__getitem__)
        if values[best] - values[wanted] > _WORTH + _HASTE * self._refused:
            self._refused += 1
            return best
        self._refused = max(self._refused - 1, 0)
        return wanted


def _under_fire(scene: Scene) -> bool:
    """Returns whether something may shoot at the player in the next steps."""
    shots = scene.floor.mob_projectiles
    if any(s.alive and distance(s.position, scene.at) <= _SHOT_NEAR for s in shots):
        return True
    return any(c.kind == "ranged" for c in scene.near(_RANGED_NEAR))


def _flees(scene: Scene, wanted: str, beside: list[Creature]) -> bool:
    """Returns whether running on is possible, and not too dangerous."""
    after = shift(scene.at, MOVES[wanted])
    if not scene.can_enter(after):
        return False
    worst = max(scene.harm(c) for c in beside)
    return scene.player.health > worst or distance(after, scene.floor.up_ladder) == 0

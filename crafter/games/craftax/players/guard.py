"""Guard: replaces actions while monsters or shots are near."""

from __future__ import annotations

from crafter.core.grid import Cell, distance, shift
from crafter.games.craftax.player import after_defence
from crafter.games.craftax.players import shelter
from crafter.games.craftax.players.pathfinding import use
from crafter.games.craftax.players.scene import MOVES, Creature, Scene

#: How near monsters and shots are when the player thinks of them.
_MELEE_NEAR, _RANGED_NEAR, _SHOT_NEAR = 4, 7, 6
#: How often in a row it lets a monster come, rather than move.
_PATIENCE = 3
_ARROW_REACH = 6
#: Action that shoots -> the projectile.
SHOTS = {
    "shoot_arrow": "arrow2",
    "cast_fireball": "fireball",
    "cast_iceball": "iceball",
}


class Guard:
    """Replaces actions that are not safe."""

    def __init__(self) -> None:
        self._waited = 0

    def check(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted action, or one against monsters that are near."""
        if wanted in ("descend", "ascend", "sleep") or not threatened(scene):
            return wanted
        beside = [c for c in scene.hostile if distance(c.cell, scene.at) == 1]
        if beside:
            beside.sort(
                key=lambda c: (c.kind != "melee", c.cell != scene.ahead, c.mob.health)
            )
            return strike(scene, beside[0])
        shoot = shot(scene)
        if shoot is not None and aims(scene):
            return shoot
        near = any(c.kind == "melee" for c in scene.near(2))
        if near and wanted in MOVES and self._waited < _PATIENCE:
            self._waited += 1
            return "noop"
        self._waited = 0
        return wanted


def strike(scene: Scene, creature: Creature) -> str:
    """Returns the action to hit a creature beside the player in the best way."""
    player, spared = scene.player, creature.species.defence
    shoot = shot(scene, creature)
    if creature.cell == scene.ahead and shoot is not None:
        hurts = _shot_damage(scene, SHOTS[shoot], creature)
        blow = after_defence(player.melee_damage(), spared)
        if blow < creature.mob.health and hurts > blow:
            return shoot
    return use(scene, creature.cell)


def threatened(scene: Scene) -> bool:
    """Returns whether a monster or a shot is near enough to think of it."""
    at = scene.at
    for shot in scene.floor.mob_projectiles:
        if shot.alive and distance(shot.position, at) <= _SHOT_NEAR:
            return True
    near = [
        c
        for c in scene.hostile
        if distance(c.cell, at) <= (_MELEE_NEAR if c.kind == "melee" else _RANGED_NEAR)
    ]
    if not near:
        return False
    if any(distance(c.cell, at) == 1 for c in near):
        return True
    return shelter.enclosure(scene) is None


def shot(scene: Scene, target: Creature | None = None) -> str | None:
    """Returns the action that shoots best at a monster, by default the nearest one."""
    if target is None:
        target = min(
            scene.hostile, default=None, key=lambda c: distance(c.cell, scene.at)
        )
    if target is None:
        return None
    known = {}
    if scene.has["bow"] and scene.has["arrows"]:
        known["shoot_arrow"] = "arrow2"
    rules = scene.tables.data["spells"]
    known |= {
        f"cast_{name}": name
        for name, learned in zip(rules, scene.player.learned_spells)
        if learned and scene.player.mana >= rules[name]["mana"]
    }
    return max(known, default=None, key=lambda n: _shot_damage(scene, known[n], target))


def _shot_damage(scene: Scene, projectile: str, target: Creature) -> float:
    number = scene.tables.projectile_ids[projectile]
    damage = scene.player.projectile_damage(number)
    return after_defence(damage, target.species.defence)


def aims(scene: Scene) -> bool:
    """Returns whether a monster is in the line that the player faces."""
    cells = {c.cell for c in scene.hostile}
    cell: Cell = scene.at
    for steps in range(1, _ARROW_REACH + 1):
        cell = shift(cell, scene.player.facing)
        if cell in cells:
            return steps > 1
        if scene.solid(cell):
            return False
    return False

"""Safe actions: blows, shots, and stepping out of the way."""

from __future__ import annotations

from crafter.core.grid import Cell, distance, shift
from crafter.games.craftax.player import after_defence
from crafter.games.craftax.players import dangers, shelter
from crafter.games.craftax.players.pathfinding import use
from crafter.games.craftax.players.scene import MOVES, TURNS, Creature, Scene

#: How near monsters and shots are when the player thinks of them.
_MELEE_NEAR, _RANGED_NEAR, _SHOT_NEAR = 4, 7, 6
#: How often in a row a wanted move is put off, and how soon a shot has to hit.
_PATIENCE, _SOON = 5, 3
#: Health that has to be left after a step if there is a way out.
_RESERVE = 0.5
_ARROW_REACH = 6
#: Arrows that are kept for monsters that have to be killed.
_ARROWS_KEPT = 60
#: Action that shoots -> the projectile.
SHOTS = {
    "shoot_arrow": "arrow2",
    "cast_fireball": "fireball",
    "cast_iceball": "iceball",
}


class Guard:
    """Replaces actions that are not safe."""

    def __init__(self) -> None:
        self._put_off = 0

    def check(
        self, scene: Scene, wanted: str, running: bool, refuge: str | None
    ) -> str:
        """Returns the wanted action, or one against monsters that are near.

        Args:
          scene: The moment.
          wanted: The action that the player would do.
          running: Whether it passes monsters instead of fighting them.
          refuge: Action that takes it to a safe place at once, if there is one.
        """
        if wanted in ("descend", "ascend", "sleep") or not threatened(scene):
            return wanted
        harm, health = dangers.harm_at(scene, scene.at), scene.player.health
        if refuge is not None and harm and harm >= health - _RESERVE:
            return refuge
        if harm >= health and not _kills(scene, harm - health):
            return _flee(scene, harm) or wanted
        beside = [c for c in scene.hostile if distance(c.cell, scene.at) == 1]
        if beside:
            return self._meet(scene, wanted, running, beside)
        action = self._dodge(scene, wanted)
        shoot = shot(scene) if _spares_arrows(scene) else None
        if action == wanted and shoot is not None:
            if aims(scene):
                return shoot
            return (None if refuge else self._face(scene)) or wanted
        return action

    def _meet(
        self, scene: Scene, wanted: str, running: bool, beside: list[Creature]
    ) -> str:
        """Returns what to do with monsters beside the player."""
        if running and wanted in MOVES:
            after = shift(scene.at, MOVES[wanted])
            if scene.can_enter(after) and not dangers.harm_at(scene, after):
                return wanted
        beside.sort(
            key=lambda c: (c.kind != "melee", c.cell != scene.ahead, c.mob.health)
        )
        return strike(scene, beside[0])

    def _face(self, scene: Scene) -> str | None:
        """Returns the step towards a melee monster in line, to shoot at it then."""
        for creature in scene.hostile:
            rows, cols = creature.cell[0] - scene.at[0], creature.cell[1] - scene.at[1]
            far = abs(rows) + abs(cols)
            if creature.kind != "melee" or (rows and cols) or not 3 <= far <= 4:
                continue
            step = (rows > 0) - (rows < 0), (cols > 0) - (cols < 0)
            cells = [shift(scene.at, step, number) for number in range(1, far)]
            if all(scene.can_enter(cell) for cell in cells) and not dangers.harm_at(
                scene, cells[0]
            ):
                return TURNS[step]
        return None

    def _dodge(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted action, or one that avoids a blow or a shot."""
        after = scene.at
        if wanted in MOVES and scene.can_enter(shift(scene.at, MOVES[wanted])):
            after = shift(scene.at, MOVES[wanted])
        soon = dangers.incoming(scene, after, _SOON)
        harm = dangers.harm_at(scene, after)
        if self._put_off < _PATIENCE and (soon or harm):
            better = _aside(
                scene, harm + sum(dangers.shot_harm(scene, s) for s in soon)
            )
            if better is not None:
                self._put_off += 1
                return better
        self._put_off = max(self._put_off - 1, 0)
        return wanted


def _aside(scene: Scene, harm: float) -> str | None:
    """Returns an action that costs less than some health."""
    best, least = None, harm
    if scene.has["stone"] and scene.can_place(scene.ahead):
        shots = dangers.incoming(scene, scene.at, _SOON)
        line = shift((0, 0), scene.player.facing, -1)
        if shots and all((s.drow, s.dcol) == line for s in shots):
            best, least = "place_stone", dangers.harm_at(scene, scene.at)
    for name, step in [("noop", (0, 0)), *MOVES.items()]:
        cell = shift(scene.at, step)
        if cell != scene.at and not scene.can_enter(cell):
            continue
        shots = dangers.incoming(scene, cell, _SOON)
        cost = dangers.harm_at(scene, cell)
        cost += sum(dangers.shot_harm(scene, shot) for shot in shots)
        cost += 0.1 * len(dangers.in_line(scene, cell))
        if cost < least - 0.5:
            best, least = name, cost
    return best


def _flee(scene: Scene, harm: float) -> str | None:
    """Returns what saves the player from a step that may kill it."""
    best, least = None, harm
    for name, step in MOVES.items():
        cell = shift(scene.at, step)
        if scene.can_enter(cell) and dangers.harm_at(scene, cell) < least:
            best, least = name, dangers.harm_at(scene, cell)
    return best


def _kills(scene: Scene, spare: float) -> bool:
    """Returns whether a blow kills what is ahead, and the rest costs less than health.

    Args:
      scene: The moment.
      spare: What all monsters together cost beyond the health.
    """
    blow = scene.player.melee_damage()
    return any(
        c.cell == scene.ahead
        and c.mob.health <= after_defence(blow, c.species.defence)
        and dangers.ready(c)
        and scene.harm(c) > spare
        for c in scene.hostile
    )


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


def _spares_arrows(scene: Scene) -> bool:
    """Returns whether the player may shoot at what does not have to be killed."""
    needed = scene.kills_left or scene.player.in_graveyard
    return bool(needed or scene.has["arrows"] > _ARROWS_KEPT)


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

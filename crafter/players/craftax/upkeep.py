"""Health, food, drink and sleep: when to care for which, and how."""

from __future__ import annotations

from crafter.craftax.player import after_defence
from crafter.players.craftax import errands, shelter
from crafter.players.craftax.scene import HOSTILE, Scene
from crafter.players.craftax.ways import Reach, towards
from crafter.players.grid import Cell

#: Floors with neither prey nor hunger, and without water.
NO_FOOD, NO_WATER, BOSS = (7,), (6,), 8
#: At and below which to care for a need, and until how much is missing at most.
_LOW = {"food": 4, "drink": 5, "energy": 3}
_MISSING = {"food": 3, "drink": 0, "energy": 0, "health": 1}
#: How near water and prey have to be not to look for them on the floor above.
_THERE = 20.0
#: Floors that are good to prepare on for the next ones.
_QUIET = (0, 2, 5)
#: How far to go for a room on the floor above, in steps; farther if hurt.
_HAVEN_NEAR, _HAVEN_FAR = 30.0, 50.0


class Upkeep:
    """Keeps the player alive while nothing attacks.

    Attributes:
      needs: What it cares for now, until there is enough.
      room: The room that it closes, or closed last.
      running: Whether it is on the way to the room on the floor above.
      havens: Floors with a closed room around the way down.
    """

    def __init__(self) -> None:
        self.needs: set[str] = set()
        self.havens: set[int] = set()
        self.room: shelter.Room | None = None
        self._level = 0
        self.visited: set[int] = set()
        self.running = False

    def notice(self, scene: Scene) -> None:
        """Notices what is short, and what is enough again."""
        player, calm = scene.player, not self.needs
        self.visited.add(scene.level)
        if scene.level != self._level:
            self._level, self.room = scene.level, None
        for vital, low in _LOW.items():
            if getattr(player, vital) <= low and scene.level != BOSS:
                self.needs.add(vital)
        if player.health <= self.danger(scene):
            self.needs.add("health")
        if calm and self.needs:
            self.room = None
        for vital, gap in _MISSING.items():
            if getattr(player, vital) >= scene.most(vital) - gap:
                self.needs.discard(vital)

    def danger(self, scene: Scene) -> float:
        """Returns the health at and below which the player hides."""
        worst = max(self.worst(scene), 2.0)
        return min(max(2.0 * worst, 4.5), 0.6 * scene.most("health"))

    def worst(self, scene: Scene) -> float:
        """Returns the most health that one hit costs on this floor."""
        tables, defence = scene.tables, scene.player.defence()
        level = scene.level
        factor = 1.0
        if level == BOSS:
            factor, level = 1.5, min(scene.world.boss_progress, 7)
        hits = []
        for kind in HOSTILE:
            row = tables.species[kind][tables.floors[level].species[kind]]
            shot = row.projectile
            damage = row.damage if shot is None else tables.projectiles[shot].damage
            hits.append(after_defence(damage, defence))
        return factor * max(hits)

    def prepare(self, scene: Scene, visited: bool) -> None:
        """Makes the player care for what the next floor may need.

        Args:
          scene: The moment.
          visited: Whether it was there before.
        """
        for vital, gap in {**_MISSING, "energy": scene.most("energy") // 3}.items():
            enough: float = scene.most(vital) - gap - 1
            if visited or scene.level not in _QUIET:
                enough = min(enough, _LOW.get(vital, enough) + 2)
            if vital == "health" and scene.level not in _QUIET:
                enough = 0.7 * scene.most(vital)
            if getattr(scene.player, vital) < enough:
                self.needs.add(vital)

    def action(self, scene: Scene, reach: Reach) -> str | None:
        """Returns what to do about the most urgent need."""
        player = scene.player
        self.running = False
        early = scene.level in (1, 3, 4) and scene.level + 1 not in self.visited
        if self.needs and (scene.kills_left or early):
            far = _HAVEN_FAR if "health" in self.needs else _HAVEN_NEAR
            action = self._go_up(scene, reach, far)
            if action is not None:
                self.running = True
                return action
        share = player.health / scene.most("health")
        least = 6 if share > 0.5 else 4 if share > 0.4 else 3
        urgent = [v for v in ("drink", "food") if getattr(player, v) <= least]
        order = [*urgent, "health", "drink", "food", "energy"]
        if player.health <= 2.5 and all(getattr(player, v) for v in urgent):
            order = ["health", *order]
        for vital in order:
            if vital in self.needs:
                action = getattr(self, f"_mend_{vital}")(scene, reach)
                if action is not None:
                    return str(action)
        return None

    def _mend_health(self, scene: Scene, reach: Reach) -> str | None:
        if scene.level != BOSS and not (scene.player.food and scene.player.drink):
            return None
        return self._rest(scene)

    def _mend_energy(self, scene: Scene, reach: Reach) -> str | None:
        return self._rest(scene)

    def _go_up(self, scene: Scene, reach: Reach, far: float) -> str | None:
        """Goes up to the room that it left, if that is near."""
        if scene.level - 1 not in self.havens or shelter.enclosure(scene) is not None:
            return None
        ladder = scene.floor.up_ladder
        if scene.at == ladder:
            return "ascend"
        way = reach.to([ladder], far)
        return None if way is None else towards(scene, way[1][0])

    def _rest(self, scene: Scene) -> str | None:
        """Sleeps or waits in a closed room, and makes one."""
        if shelter.enclosure(scene) is not None:
            tired = scene.player.energy < scene.most("energy")
            return "sleep" if tired else "noop"
        return self.hide(scene)

    def hide(self, scene: Scene, near: Cell | None = None) -> str | None:
        """Closes a room around the player, which holds a cell if one is given."""
        action = None
        if near is not None and self.room is not None and near not in self.room:
            self.room = None
        if self.room is not None:
            action = shelter.close(scene, self.room)
        if action is None:
            plan = shelter.find(scene, near)
            self.room = None if plan is None else plan.room
            action = None if plan is None else shelter.close(scene, plan.room)
        return action

    def _mend_drink(self, scene: Scene, reach: Reach) -> str | None:
        way = reach.to_block(["water", "fountain"])
        return self._climb_instead(scene, reach, way) or errands.use_way(scene, way)

    def _mend_food(self, scene: Scene, reach: Reach) -> str | None:
        way = reach.to([c.cell for c in scene.passive()])
        return self._climb_instead(scene, reach, way) or errands.use_way(scene, way)

    def _climb_instead(
        self, scene: Scene, reach: Reach, way: tuple[float, list[Cell]] | None
    ) -> str | None:
        """Goes up to a quieter floor if that is nearer than what is needed here."""
        if scene.level in (0, 2, BOSS) or (way is not None and way[0] <= _THERE):
            return None
        up = reach.to([scene.floor.up_ladder])
        if up is None or (way is not None and way[0] <= up[0] + _THERE):
            return None
        return towards(scene, up[1][0]) if up[1] else "ascend"

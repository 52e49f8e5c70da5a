"""Health, food, drink and sleep: when to care for which, and how."""

from __future__ import annotations

from crafter.core.grid import Cell, distance
from crafter.games.craftax.player import after_defence
from crafter.games.craftax.players import errands, shelter
from crafter.games.craftax.players.pathfinding import Reach, towards
from crafter.games.craftax.players.scene import HOSTILE, Scene

#: Floors with neither prey nor hunger, and without water.
NO_FOOD, NO_WATER, LAST = (7,), (6,), 8
#: Amounts at and below which to care for a need, and how much may be missing then.
_LOW = {"food": 3, "drink": 4, "energy": 2}
#: How far to go for a fountain to rest beside.
_SPRING = 10.0
_MISSING = {"food": 3, "drink": 0, "energy": 0, "health": 1}
#: The same from this floor on, where looking for food costs more than it gives.
_DEEP, _LOW_BELOW = 6, {"food": 2, "drink": 4, "energy": 1}
#: Share below which food or drink is seen to together with the other one.
_ALONG = 0.7
#: The first floor where looking for food that is not needed yet is too dangerous.
_HARD = 5
#: Shares to have before an unknown floor, on quiet floors and else; and of health.
_FRESH = {"food": 0.8, "drink": 0.95, "energy": 0.6}
_READY = {"food": 0.65, "drink": 0.7, "energy": 0.4}
_HEALTHY = 0.88
_SOURCES = ("water", "fountain")
#: Prey nearer than this need not be looked for on another floor.
_FAR_PREY = 15
#: How near water and prey have to be not to look for them on the floor above.
_THERE = 20.0
#: Floors that are good to prepare on for the next ones.
_QUIET = (0, 2)
#: How far to go for a room on the floor above: hurt with monsters near, hurt, and else.
_HAVEN_HURT, _HAVEN_HERE, _HAVEN_NEAR = 16.0, 8.0, 30.0
#: How near monsters are that hinder the player from making a room.
_CLOSE = 4


class Survival:
    """Keeps the player alive while nothing attacks.

    Attributes:
      needs: What it cares for now, until there is enough.
      room: The room that it closes, or closed last.
      running: Whether it passes monsters: on the way up to a room, or to the way down.
    """

    def __init__(self) -> None:
        self.needs: set[str] = set()
        self.room: shelter.Room | None = None
        self._level = 0
        self.running = False

    def notice(self, scene: Scene) -> None:
        """Notices what is short, and what is enough again."""
        player, calm = scene.player, not self.needs
        if scene.level != self._level:
            self._level, self.room = scene.level, None
        deep = scene.level >= _DEEP
        for vital, low in (_LOW_BELOW if deep else _LOW).items():
            if getattr(player, vital) <= low:
                self.needs.add(vital)
        if self.needs & {"food", "drink"} and scene.level < _HARD:
            for vital in ("food", "drink"):  # both on one way
                if getattr(player, vital) < _ALONG * scene.most(vital):
                    self.needs.add(vital)
        danger = self.danger(scene)
        if self.refuge(scene):
            danger = min(danger, 0.4 * scene.most("health"))
        if player.health <= danger:
            self.needs.add("health")
        if calm and self.needs:
            self.room = None
        for vital, gap in _MISSING.items():
            if getattr(player, vital) >= scene.most(vital) - gap:
                self.needs.discard(vital)

    def refuge(self, scene: Scene) -> str | None:
        """Returns the action that takes the player to a closed room at once."""
        at_ladder = scene.item(scene.at) == "ladder_up"
        return (
            "ascend" if at_ladder and shelter.is_haven(scene, scene.level - 1) else None
        )

    def danger(self, scene: Scene) -> float:
        """Returns the health at and below which the player hides."""
        worst = max(self.worst(scene), 2.0)
        return min(max(2.0 * worst, 4.5), 0.6 * scene.most("health"))

    def worst(self, scene: Scene) -> float:
        """Returns the most health that one hit costs on this floor."""
        tables, defence = scene.tables, scene.player.defence()
        hits = []
        for kind in HOSTILE:
            row = tables.species[kind][tables.floors[scene.level].species[kind]]
            shot = row.projectile
            damage = row.damage if shot is None else tables.projectiles[shot].damage
            hits.append(after_defence(damage, defence))
        return max(hits)

    def prepare(self, scene: Scene, visited: bool) -> None:
        """Makes the player care for what the next floor may need.

        Args:
          scene: The moment.
          visited: Whether it was there before.
        """
        enough = {name: low + 2 for name, low in _LOW.items()}
        if scene.level >= _DEEP:
            enough = dict(_LOW_BELOW)
        elif not visited:
            shares = _FRESH if scene.level in _QUIET else _READY
            enough = {n: int(shares[n] * scene.most(n)) for n in shares}
        for vital, amount in enough.items():
            if getattr(scene.player, vital) < amount:
                self.needs.add(vital)
        if scene.player.health < _HEALTHY * scene.most("health"):
            self.needs.add("health")

    def action(self, scene: Scene, reach: Reach) -> str | None:
        """Returns what to do about the most urgent need."""
        early = scene.level in (1, 3, 4) and not scene.visited(scene.level + 1)
        drinks = "drink" in self.needs and scene.block(scene.ahead) in _SOURCES
        if self._found_above(scene) and (scene.kills_left or early) and not drinks:
            far = _HAVEN_NEAR
            if "health" in self.needs:
                far = _HAVEN_HURT if scene.near(_CLOSE) else _HAVEN_HERE
            action = self._go_up(scene, reach, far)
            if action is not None:
                self.running = True
                return action
        order = self._order(scene, reach)
        for vital in order:
            if vital in self.needs:
                action = getattr(self, f"_mend_{vital}")(scene, reach)
                if action is not None:
                    return str(action)
        return None

    def _found_above(self, scene: Scene) -> bool:
        """Returns whether what is needed is better found on the floor above."""
        above, here = scene.level - 1, scene.level
        lacks = set()
        up, at = scene.world.floors[above].down_ladder, scene.at
        if nearest_source(scene, above, up) >= nearest_source(scene, here, at):
            lacks.add("drink")
        prey = [distance(c.cell, at) for c in scene.passive()]
        if above in NO_FOOD or min(prey, default=_FAR_PREY) < _FAR_PREY:
            lacks.add("food")
        return bool(self.needs - lacks)

    def found_below(self, scene: Scene) -> bool:
        """Returns whether water is nearer on the floor below, where the player was."""
        ladder, below = scene.floor.down_ladder, scene.level + 1
        if "drink" not in self.needs or below >= LAST or not scene.visited(below):
            return False
        strong = scene.player.health >= 0.8 * scene.most("health")
        arrival = scene.world.floors[below].up_ladder
        there = nearest_source(scene, below, arrival) + distance(scene.at, ladder)
        return strong and there < nearest_source(scene, scene.level, scene.at)

    def _order(self, scene: Scene, reach: Reach) -> list[str]:
        """Returns the needs by urgency: health first, if waiting can restore it."""
        player = scene.player
        if scene.block(scene.ahead) in _SOURCES and not scene.near(2):
            return ["drink", "health", "food", "energy"]
        if shelter.enclosure(scene) is not None and self._spring(reach, 4.0):
            return ["drink", "health", "food", "energy"]
        share = player.health / scene.most("health")
        scant = 3 if share >= 0.6 else 1 if share >= 0.35 else 0
        lacking = [v for v in ("drink", "food") if getattr(player, v) <= scant]
        return [*lacking, "health", "drink", "food", "energy"]

    def _mend_health(self, scene: Scene, reach: Reach) -> str | None:
        if not (scene.player.food and scene.player.drink):
            return None
        return self._rest(scene, reach)

    def _mend_energy(self, scene: Scene, reach: Reach) -> str | None:
        return self._rest(scene, reach)

    def _go_up(self, scene: Scene, reach: Reach, far: float) -> str | None:
        """Goes up to the room that it left, if that is near."""
        if (
            not shelter.is_haven(scene, scene.level - 1)
            or shelter.enclosure(scene) is not None
        ):
            return None
        ladder = scene.floor.up_ladder
        if scene.at == ladder:
            return "ascend"
        way = reach.to([ladder], far)
        return None if way is None else towards(scene, way[1][0])

    def _spring(self, reach: Reach, longest: float) -> tuple[float, list[Cell]] | None:
        """Returns the way to a fountain, which can be a wall of a room."""
        return reach.to_block(["fountain"], longest)

    def _rest(self, scene: Scene, reach: Reach) -> str | None:
        """Sleeps or waits in a closed room, and makes one, best beside a fountain."""
        if shelter.enclosure(scene) is not None:
            tired = scene.player.energy < scene.most("energy")
            return "sleep" if tired else "noop"
        spring = None
        if scene.player.drink < 0.6 * scene.most("drink"):
            spring = self._spring(reach, _SPRING)
        if spring is not None:
            near = [scene.at, *spring[1]][-2]
            action = self.hide(scene, near)
            if action is not None:
                return action
        return self.hide(scene)

    def hide(
        self, scene: Scene, near: Cell | None = None, porch: bool = False
    ) -> str | None:
        """Closes a room around the player, which holds a cell if one is given."""
        action = None
        if near is not None and self.room is not None and near not in self.room:
            self.room = None
        if self.room is not None:
            action = shelter.close(scene, self.room)
        if action is None:
            plan = shelter.find(scene, near, porch)
            self.room = None if plan is None else plan.room
            action = None if plan is None else shelter.close(scene, plan.room)
        return action

    def _mend_drink(self, scene: Scene, reach: Reach) -> str | None:
        way = reach.to_block(_SOURCES)
        if way is not None and not self._found_above(scene):
            return errands.use_way(scene, way)
        return self._climb_instead(scene, reach, way) or errands.use_way(scene, way)

    def _mend_food(self, scene: Scene, reach: Reach) -> str | None:
        way = reach.to([c.cell for c in scene.passive()])
        return self._climb_instead(scene, reach, way) or errands.use_way(scene, way)

    def _climb_instead(
        self, scene: Scene, reach: Reach, way: tuple[float, list[Cell]] | None
    ) -> str | None:
        """Goes up to a quieter floor if that is nearer than what is needed here."""
        if scene.level in (0, 2) or (way is not None and way[0] <= _THERE):
            return None
        up = reach.to([scene.floor.up_ladder])
        if up is None or (way is not None and way[0] <= up[0] + _THERE):
            return None
        return towards(scene, up[1][0]) if up[1] else "ascend"


def nearest_source(scene: Scene, level: int, start: Cell) -> float:
    """Returns how far away the nearest water of a floor is, as the crow flies."""
    floor = scene.world.floors[level]
    one, other = (floor.block_map == scene.tables.block_ids[n] for n in _SOURCES)
    rows, cols = (one | other).nonzero()
    if not len(rows):
        return float("inf")
    return float((abs(rows - start[0]) + abs(cols - start[1])).min())

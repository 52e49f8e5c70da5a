"""The player: what it does in a step, by priority."""

from __future__ import annotations

from typing import Any

from crafter.players.craftax import errands, gear, shelter
from crafter.players.craftax.foresight import Foresight
from crafter.players.craftax.scene import MOVES, Scene
from crafter.players.craftax.upkeep import BOSS, NO_FOOD, NO_WATER, Upkeep
from crafter.players.craftax.ways import Reach
from crafter.players.grid import Cell, distance, neighbours, shift

#: Attributes by priority, with the value up to which they are raised.
_ATTRIBUTES = (("strength", 5), ("dexterity", 5), ("intelligence", 5))
#: How near monsters and shots are when each action is thought over.
_MELEE_NEAR, _RANGED_NEAR, _SHOT_NEAR = 4, 7, 6
#: What keeping to the plan is worth in health, at first and more with each refusal.
_PLAN, _PATIENCE = 0.8, 0.4
#: How far to go for a monster.
_HUNT = 40.0


class CraftaxPlayer:
    """Plays Craftax through to the end.

    Example:
        player = CraftaxPlayer()
        observation, info = env.reset(seed=3)
        done = False
        while not done:
            action = player.act(env, info)
            observation, reward, terminated, truncated, info = env.step(action)
            done = terminated or truncated
    """

    def __init__(self) -> None:
        self._foresight: Foresight | None = None
        self._upkeep = Upkeep()
        self._refused = 0.0
        self.doing = self.wanted = ""

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action.

        Args:
          env: An environment of `crafter.craftax`.
          info: What it returned last; not used, everything is in the environment.
        """
        if self._foresight is None:
            self._foresight = Foresight(env)
        scene = Scene(env)
        name = self._choose(scene)
        return int(env.action_names.index(name))

    def _choose(self, scene: Scene) -> str:
        if scene.player.sleeping or scene.player.resting:
            return "noop"
        self.wanted = self._plan(scene)
        return self._guard(scene, self.wanted)

    # What is wanted.

    def _plan(self, scene: Scene) -> str:
        reach = Reach(scene)
        self._upkeep.notice(scene)
        for rule in (self._at_once, self._keep, self._progress):
            action = rule(scene, reach)
            if action is not None:
                return action
        self.doing = "wait"
        return "noop"

    def _at_once(self, scene: Scene, reach: Reach) -> str | None:
        """What takes one step and is always right."""
        player = scene.player
        self.doing = "at once"
        if player.health <= 4 and (colour := self._potion(scene, 0)):
            return f"drink_potion_{colour}"
        if player.xp and not scene.near(4):
            for name, most in _ATTRIBUTES:
                if player.attributes[name] < most:
                    return f"level_up_{name}"
        if scene.has["books"] and not scene.near(4):
            return "read_book"
        return None

    def _potion(self, scene: Scene, effect: int) -> str | None:
        """Returns the colour of an owned potion with an effect."""
        names = scene.tables.data["inventory"]["potions"]["each"]
        for colour, owned in enumerate(scene.has["potions"]):
            if owned and scene.world.potion_mapping[colour] == effect:
                return str(names[colour])
        return None

    def _keep(self, scene: Scene, reach: Reach) -> str | None:
        needs = self._upkeep.needs
        if not needs:
            self._upkeep.forget()
            return None
        self.doing = "keep " + "+".join(sorted(needs))
        action = self._upkeep.action(scene, reach)
        if action is None:
            action = self._keep_elsewhere(scene, reach)
        return action

    def _keep_elsewhere(self, scene: Scene, reach: Reach) -> str | None:
        """Goes where there is what this floor lacks, or waits for prey."""
        needs = self._upkeep.needs
        lacks_food = "food" in needs and scene.level in NO_FOOD
        lacks_water = "drink" in needs and scene.level in NO_WATER
        if lacks_food or lacks_water:
            return self._climb(scene, reach)
        return None

    # Getting on.

    def _progress(self, scene: Scene, reach: Reach) -> str | None:
        if scene.level == BOSS:
            return self._fight_boss(scene, reach)
        goals = (self._hunt, self._make, self._loot, self._gather, self._enchant)
        for goal in goals:
            action = goal(scene, reach)
            if action is not None:
                self.doing = goal.__name__[1:]
                return action
        return self._leave(scene, reach)

    def _hunt(self, scene: Scene, reach: Reach) -> str | None:
        if not scene.kills_left:
            return None
        return errands.kill(scene, reach, scene.hostile, _HUNT)

    def _make(self, scene: Scene, reach: Reach) -> str | None:
        recipe = gear.next_recipe(scene)
        if recipe is None:
            return None
        return errands.make(scene, reach, recipe)

    def _loot(self, scene: Scene, reach: Reach) -> str | None:
        return errands.gather(scene, reach, ["chest"], 90)

    def _gather(self, scene: Scene, reach: Reach) -> str | None:
        for supply in gear.missing(scene):
            action = errands.gather(scene, reach, supply.blocks, supply.longest)
            if action is not None:
                return action
        return None

    def _enchant(self, scene: Scene, reach: Reach) -> str | None:
        here = [e for floor, e in gear.enchantments(scene) if floor == scene.level]
        if not here:
            return None
        cost = scene.tables.data["enchanting"]["mana"]
        if scene.player.mana < cost:
            if (colour := self._potion(scene, 2)) is not None:
                return f"drink_potion_{colour}"
            if shelter.enclosure(scene) is not None:
                tired = scene.player.energy < scene.most("energy")
                return "sleep" if tired else "noop"
            return self._upkeep.hide(scene)
        tables = scene.find([here[0].table])
        if scene.ahead in tables:
            return here[0].action
        return errands.go_use(scene, reach, tables)

    def _leave(self, scene: Scene, reach: Reach) -> str | None:
        above = [floor for floor, _ in gear.enchantments(scene) if floor < scene.level]
        if above and scene.level <= 5 and self._strong(scene):
            self.doing = "back to enchant"
            return self._climb(scene, reach)
        self.doing = "leave"
        ladder = scene.floor.down_ladder
        if scene.kills_left:
            if distance(ladder, scene.at) > 6:
                return errands.go_to(scene, reach, ladder)
            return None
        if distance(ladder, scene.at) <= 4:
            self._upkeep.prepare(scene)
            if self._upkeep.needs:
                return self._upkeep.action(scene, reach) or "noop"
        if scene.at == ladder:
            return "descend"
        return errands.go_to(scene, reach, ladder)

    def _strong(self, scene: Scene) -> bool:
        return scene.level == 5

    def _climb(self, scene: Scene, reach: Reach) -> str | None:
        if scene.at == scene.floor.up_ladder:
            return "ascend"
        return errands.go_to(scene, reach, scene.floor.up_ladder)

    # The boss.

    def _fight_boss(self, scene: Scene, reach: Reach) -> str | None:
        self.doing = f"boss {scene.world.boss_progress}"
        if scene.hostile:
            return errands.kill(scene, reach, scene.hostile)
        boss = scene.find(["necromancer"])
        action = errands.go_use(scene, reach, boss)
        if action == "do" and scene.world.boss_timer > 0 and scene.ahead in boss:
            return "noop"
        return action

    # What is safe.

    def _guard(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted action, or one that is so much safer."""
        if wanted in ("descend", "ascend") or not self._threatened(scene):
            self._refused = 0.0
            return wanted
        assert self._foresight is not None
        names = self._candidates(scene, wanted)
        killing = 4.0 if scene.kills_left or scene.level == BOSS else 1.0
        values = self._foresight.values(scene.player, names, wanted, killing)
        values[wanted] += _PLAN + _PATIENCE * self._refused
        best = max(values, key=values.__getitem__)
        self._refused = max(self._refused - 0.5, 0) if best == wanted else self._refused + 1
        return best

    def _threatened(self, scene: Scene) -> bool:
        at = scene.at
        for shot in scene.floor.mob_projectiles:
            if shot.alive and distance(shot.position, at) <= _SHOT_NEAR:
                return True
        near = [
            c
            for c in scene.hostile
            if distance(c.cell, at)
            <= (_MELEE_NEAR if c.kind == "melee" else _RANGED_NEAR)
        ]
        if not near:
            return False
        if any(distance(c.cell, at) == 1 for c in near):
            return True
        return shelter.enclosure(scene) is None

    def _candidates(self, scene: Scene, wanted: str) -> list[str]:
        names = [wanted, "noop", "do", *MOVES]
        if scene.has["stone"] and scene.can_place(scene.ahead):
            names.append("place_stone")
        if scene.has["bow"] and scene.has["arrows"] and self._aims(scene):
            names.append("shoot_arrow")
        return list(dict.fromkeys(names))

    def _aims(self, scene: Scene) -> bool:
        """Tells whether a monster is in the line that the player faces."""
        cells = {c.cell for c in scene.hostile}
        cell: Cell = scene.at
        for _ in range(8):
            cell = shift(cell, scene.player.facing)
            if cell in cells:
                return True
            if scene.solid(cell):
                return False
        return False


__all__ = ["CraftaxPlayer", "neighbours"]

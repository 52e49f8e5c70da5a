"""The player: what it does in a step, by priority."""

from __future__ import annotations

from typing import Any

from crafter.craftax.player import after_defence
from crafter.players.craftax import errands, gear, shelter
from crafter.players.craftax.foresight import Foresight
from crafter.players.craftax.scene import MOVES, Creature, Scene
from crafter.players.craftax.upkeep import BOSS, NO_FOOD, NO_WATER, Upkeep
from crafter.players.craftax.ways import Reach, towards, use
from crafter.players.grid import Cell, distance, neighbours, shift

#: Attributes by priority, with the value up to which they are raised.
_ATTRIBUTES = (
    ("strength", 3),
    ("dexterity", 5),
    ("strength", 5),
    ("intelligence", 5),
)
#: How near monsters and shots are when each action is thought over.
_MELEE_NEAR, _RANGED_NEAR, _SHOT_NEAR = 4, 7, 6
#: Health that dodging has to save, at first and more with each time in a row.
_WORTH, _HASTE = 0.4, 0.35
#: Floors to leave as soon as the way down is open.
_CROSSED = (1, 3, 4, 6, 7)
#: Stones that are enough once the player is ready to leave a floor.
_STONES = 50
#: Steps to spend on a room around a ladder.
_TRIES = 60
#: Steps after which to look again for what was not found.
_FORGET = 60
#: How far to go for a monster.
_HUNT = 40.0
#: Steps to wait for monsters that come.
_HOLD, _HOLD_BOSS = 40, 150
#: How far from the ladder to hunt while there is a room above it.
_LEASH = 3
#: Steps of waiting after which the player goes one cell farther.
_BORED = 60


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
        self._refused = 0
        self._patience = 0
        self._crossing = 0
        self._waited: dict[int, int] = {}
        self._tries = 0
        self._packed: set[int] = set()
        self._not_found: dict[tuple[int, str, float], int] = {}
        self._visited: set[int] = set()
        self.doing = self.wanted = ""

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action.

        Args:
          env: An environment of `crafter.craftax`.
          info: What it returned last; not used, everything is in the environment.
        """
        if self._foresight is None:
            self._foresight = Foresight(env, trials=6, depth=4)
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
        self._visited.add(scene.level)
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
        if not needs or self._crosses(scene):
            return None
        self.doing = "keep " + "+".join(sorted(needs))
        action = self._upkeep.action(scene, reach)
        if action is None:
            action = self._keep_elsewhere(scene, reach)
        return action

    def _crosses(self, scene: Scene) -> bool:
        """Tells whether the player runs for the way down, whatever it lacks."""
        player = scene.player
        ready = scene.level in _CROSSED and not scene.kills_left and self._light(scene)
        if not ready or scene.level + 1 in self._visited:
            return False
        if self._crossing == scene.level:
            return player.health > 0.3 * scene.most("health") and player.drink > 0
        if (
            player.health >= 0.8 * scene.most("health")
            and min(player.drink, player.food) >= 6
            and player.energy >= 4
        ):
            self._crossing = scene.level
            return True
        if scene.level - 1 in self._upkeep.havens:
            self._upkeep.prepare(scene, False)
        return False

    def _light(self, scene: Scene) -> bool:
        """Tells whether there is nothing to do on this floor but to leave it."""
        if any(floor == scene.level for floor, _ in gear.enchantments(scene)):
            return False
        return scene.level in (1, 6, 7) or scene.floor.chest_opened

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
        goals = [self._hold, self._hunt, self._make, self._loot, self._gather]
        goals.append(self._enchant)
        if scene.level == 2 and scene.player.health > 0.6 * scene.most("health"):
            goals = [self._make, self._gather, *goals]
        for goal in goals:
            action = goal(scene, reach)
            if action is not None:
                self.doing = goal.__name__[1:]
                return action
        return self._leave(scene, reach)

    def _hold(self, scene: Scene, reach: Reach) -> str | None:
        """Waits at the ladder, or in a room with one door, for those who come."""
        if not scene.kills_left and scene.level != BOSS:
            return None
        coming = any(c.kind == "melee" for c in scene.near(9))
        longest = _HOLD_BOSS if scene.level == BOSS else _HOLD
        if not coming or self._patience > longest:
            self._patience = max(self._patience - 1, 0)
            return None
        room = self._upkeep.room
        if room is not None and scene.at in room:
            sides = shelter.open_sides(scene, room)
            if len(sides) > 1:
                return None
            self._patience += 1
            if sides:
                return "noop"
            self._patience = 0
            return self._open(scene, reach, room)
        if scene.level - 1 in self._upkeep.havens:
            ladder = scene.floor.up_ladder
            way = reach.to([ladder], 12)
            if way is not None:
                self._patience += 1
                return towards(scene, way[1][0]) if way[1] else "noop"
        return None

    def _open(self, scene: Scene, reach: Reach, room: shelter.Room) -> str | None:
        """Opens the side of a closed room that is nearest to a monster."""
        monsters = [c.cell for c in scene.near(9) if c.kind == "melee"]
        doors = [
            (min(distance(out, m) for m in monsters), cell, out)
            for cell in room
            for out in neighbours(cell)
            if out not in room and scene.block(out) == "stone"
        ]
        if not doors:
            return None
        _, cell, out = min(doors)
        if scene.at != cell:
            return errands.go_to(scene, reach, cell)
        return use(scene, out)

    def _hunt(self, scene: Scene, reach: Reach) -> str | None:
        if not scene.kills_left and scene.level != BOSS:
            return None
        if self._can_shoot(scene) and self._aims(scene):
            return "shoot_arrow"
        prey = scene.hostile
        if scene.level - 1 in self._upkeep.havens and scene.level != BOSS:
            ladder = scene.floor.up_ladder
            leash = _LEASH + self._waited.get(scene.level, 0) // _BORED
            prey = [c for c in prey if distance(c.cell, ladder) <= leash]
            if not prey:
                self._waited[scene.level] = self._waited.get(scene.level, 0) + 1
                return errands.go_to(scene, reach, ladder)
        return errands.kill(scene, reach, prey, _HUNT)

    def _make(self, scene: Scene, reach: Reach) -> str | None:
        recipe = gear.next_recipe(scene)
        if recipe is None:
            return None
        return errands.make(scene, reach, recipe)

    def _loot(self, scene: Scene, reach: Reach) -> str | None:
        worth = scene.level in (3, 4)
        if not scene.has["bow"]:
            worth = scene.level == 1 and min(scene.has["armour"]) > 0
        first = worth and not scene.floor.chest_opened
        if scene.player.health < 0.8 * scene.most("health"):
            return None
        return errands.gather(scene, reach, ["chest"], 90 if first else 8)

    def _gather(self, scene: Scene, reach: Reach) -> str | None:
        later = scene.level in (0, 1) and scene.level + 1 in self._visited
        if later and scene.has["stone"] >= 30:
            return None
        now = scene.world.timestep
        for supply in gear.missing(scene):
            enough = scene.has["stone"] >= _STONES and scene.level in self._packed
            if supply.item == "stone" and enough:
                continue
            key = scene.level, supply.item, supply.longest
            if self._not_found.get(key, -_FORGET) > now - _FORGET:
                continue
            action = errands.gather(scene, reach, supply.blocks, supply.longest)
            if action is not None:
                return action
            self._not_found[key] = now
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
        above = [e for _, e in gear.enchantments(scene) if e.action != "enchant_armour"]
        back = scene.level == 5 and bool(above)
        if scene.level == 2 and not scene.has["bow"] and min(scene.has["armour"]) > 0:
            back = True
        if back:
            self.doing = "back to enchant"
            return self._climb(scene, reach)
        self.doing = "leave"
        ladder = scene.floor.down_ladder
        if scene.kills_left:
            if distance(ladder, scene.at) > 6:
                return errands.go_to(scene, reach, ladder)
            return None
        visited = scene.level + 1 in self._visited
        if distance(ladder, scene.at) <= 4:
            self._packed.add(scene.level)
            if self._crossing != scene.level or visited:
                self._upkeep.prepare(scene, visited)
                if self._upkeep.needs:
                    return self._upkeep.action(scene, reach) or "noop"
            wants = self._tries < _TRIES and scene.level + 1 != BOSS
            if shelter.enclosure(scene) is None and wants:
                self._tries += 1
                action = self._upkeep.hide(scene, ladder)
                if action is not None:
                    return action
        if scene.at == ladder:
            if shelter.enclosure(scene) is not None:
                self._upkeep.havens.add(scene.level)
            else:
                self._upkeep.havens.discard(scene.level)
            self._tries = 0
            return "descend"
        return errands.go_to(scene, reach, ladder)

    def _climb(self, scene: Scene, reach: Reach) -> str | None:
        if scene.at == scene.floor.up_ladder:
            return "ascend"
        return errands.go_to(scene, reach, scene.floor.up_ladder)

    # The boss.

    def _fight_boss(self, scene: Scene, reach: Reach) -> str | None:
        """Kills a wave from a closed room with one door, then hits the boss."""
        self.doing = f"boss {scene.world.boss_progress}"
        for goal in (self._hold, self._hunt_wave, self._besiege):
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
        return self._hunt(scene, reach)

    def _besiege(self, scene: Scene, reach: Reach) -> str | None:
        """Closes a room beside the boss, rests there, and hits it."""
        boss = scene.find(["necromancer"])[0]
        post = self._post(scene, reach, boss)
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

    def _post(self, scene: Scene, reach: Reach, boss: Cell) -> Cell | None:
        """Returns the cell beside the boss with the fewest graves around."""
        graves = scene.find(["grave", "grave2", "grave3"])
        posts = [c for c in neighbours(boss) if not scene.solid(c)]
        if scene.at in posts and shelter.enclosure(scene) is not None:
            return scene.at
        posts = [c for c in posts if reach.to([c]) is not None]
        return min(
            posts,
            default=None,
            key=lambda c: sum(
                (c[0] - g[0]) ** 2 + (c[1] - g[1]) ** 2 <= 36 for g in graves
            ),
        )

    # What is safe.

    def _guard(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted action, or one against monsters that are near."""
        if wanted in ("descend", "ascend", "sleep") or not self._threatened(scene):
            return wanted
        beside = [c for c in scene.hostile if distance(c.cell, scene.at) == 1]
        if beside:
            if wanted in MOVES and self._flees(scene, wanted, beside):
                return wanted
            beside.sort(
                key=lambda c: (c.kind != "melee", c.cell != scene.ahead, c.mob.health)
            )
            return self._strike(scene, beside[0])
        if self._can_shoot(scene) and self._aims(scene):
            return "shoot_arrow"
        near = any(
            c.kind == "melee" and distance(c.cell, scene.at) == 2 for c in scene.hostile
        )
        if near and wanted in MOVES and self._refused < 3:
            self._refused += 1
            return "noop"
        if wanted in MOVES and self._under_fire(scene):
            return self._dodge(scene, wanted)
        self._refused = 0
        return wanted

    def _under_fire(self, scene: Scene) -> bool:
        """Tells whether something may shoot at the player in the next steps."""
        shots = scene.floor.mob_projectiles
        if any(s.alive and distance(s.position, scene.at) <= _SHOT_NEAR for s in shots):
            return True
        return any(c.kind == "ranged" for c in scene.near(_RANGED_NEAR))

    def _dodge(self, scene: Scene, wanted: str) -> str:
        """Returns the wanted move, or an action that saves health for sure."""
        assert self._foresight is not None
        names = [wanted, "noop", *(name for name in MOVES if name != wanted)]
        if scene.has["stone"] and scene.can_place(scene.ahead):
            names.append("place_stone")
        values = self._foresight.values(scene.player, names, wanted, 0.5)
        best = max(names, key=values.__getitem__)
        if values[best] - values[wanted] > _WORTH + _HASTE * self._refused:
            self._refused += 1
            return best
        self._refused = max(self._refused - 1, 0)
        return wanted

    def _strike(self, scene: Scene, creature: Creature) -> str:
        """Returns the action to hit a creature beside the player in the best way."""
        player, spared = scene.player, creature.species.defence
        if creature.cell == scene.ahead and self._can_shoot(scene):
            arrow = player.projectile_damage(scene.tables.projectile_ids["arrow2"])
            blow = after_defence(player.melee_damage(), spared)
            left = creature.mob.health
            if blow < left and after_defence(arrow, spared) > blow:
                return "shoot_arrow"
        return use(scene, creature.cell)

    def _flees(self, scene: Scene, wanted: str, beside: list[Creature]) -> bool:
        """Tells whether to run for the ladder instead of fighting."""
        if not self._upkeep.running:
            return False
        after = shift(scene.at, MOVES[wanted])
        if not scene.can_enter(after):
            return False
        worst = max(scene.harm(c) for c in beside)
        return (
            scene.player.health > worst or distance(after, scene.floor.up_ladder) == 0
        )

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

    def _can_shoot(self, scene: Scene) -> bool:
        return bool(scene.has["bow"] and scene.has["arrows"])

    def _aims(self, scene: Scene) -> bool:
        """Tells whether a monster is in the line that the player faces."""
        cells = {c.cell for c in scene.hostile}
        cell: Cell = scene.at
        for steps in range(1, 7):
            cell = shift(cell, scene.player.facing)
            if cell in cells:
                return steps > 1
            if scene.solid(cell):
                return False
        return False

"""Scripted player: its decisions in a step, by priority."""

from __future__ import annotations

from typing import Any

from crafter.core.grid import distance, neighbours
from crafter.games.craftax.players import dangers, errands, gear, shelter
from crafter.games.craftax.players.guard import Guard
from crafter.games.craftax.players.hunt import Hunt
from crafter.games.craftax.players.pathfinding import Reach, Trail
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.siege import Siege
from crafter.games.craftax.players.survival import LAST, NO_FOOD, NO_WATER, Survival

#: Attributes by priority, with the value up to which they are raised.
_ATTRIBUTES = (
    ("strength", 3),
    ("dexterity", 5),
    ("strength", 5),
    ("intelligence", 5),
)
#: Floors to leave as soon as the way down is open.
_CROSSED = (1, 3, 4, 6, 7)
#: Stones that are enough once the player is ready to leave a floor.
_STONES = 50
#: Wood to take along from the overworld, and how far to go for it later on.
_WOOD, _FAR_TREES = 40, 400.0
#: Steps to spend on a room around a ladder.
_TRIES = 400
#: Steps after which to look again for what was not found.
_FORGET = 60
#: How near monsters are that it waits for in a door.
_AMBUSH, _AMBUSH_LONG = 6, 60
#: Share of health with which it gathers things on the lower floors.
_FIT = 0.75
#: How near monsters keep it at the way up, and for how many steps.
_AROUND, _LINGER = 8, 40
#: How near monsters are that it does not work beside.
_CROWD = 7


class CraftaxPlayer:
    """Plays Craftax from the overworld downwards.

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
        self._guard = Guard()
        self._trail = Trail()
        self._survival = Survival()
        self._besieged = Siege(self._survival)
        self._hunt = Hunt(self._survival)
        self._ambushed = self._lingered = 0
        self._crossing = 0
        self._tries = 0
        self._packed: set[int] = set()
        self._not_found: dict[tuple[int, str, float], int] = {}
        self.doing = self.wanted = ""

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Returns the index of the next action.

        Args:
          env: An environment of `crafter.games.craftax`.
          info: What it returned last; not used, everything is in the environment.
        """
        name = self._choose(Scene(env))
        return int(env.action_names.index(name))

    def _choose(self, scene: Scene) -> str:
        if scene.player.sleeping or scene.player.resting:
            return "noop"
        self.wanted = self._plan(scene)
        refuge = self._survival.refuge(scene)
        return self._guard.check(scene, self.wanted, self._survival.running, refuge)

    # What is wanted.

    def _plan(self, scene: Scene) -> str:
        reach = Reach(scene, self._trail)
        self._survival.notice(scene)
        self._survival.running = False
        for rule in (self._at_once, self._ambush, self._keep, self._progress):
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
        needs = self._survival.needs
        if not needs or self._crosses(scene):
            return None
        self.doing = "keep " + "+".join(sorted(needs))
        if self._survival.found_below(scene):
            return self._descend(scene, reach)
        action = self._survival.action(scene, reach)
        if action is None:
            action = self._keep_elsewhere(scene, reach)
        return action

    def _crosses(self, scene: Scene) -> bool:
        """Returns whether the player runs for the way down, whatever it lacks."""
        player = scene.player
        ready = scene.level in _CROSSED and not scene.kills_left and self._light(scene)
        if not ready or scene.visited(scene.level + 1):
            return False
        if self._crossing == scene.level:
            fed = min(player.food, player.drink, player.energy) > 0
            return player.health > 0.45 * scene.most("health") and fed
        if (
            player.health >= 0.9 * scene.most("health")
            and player.drink >= 0.6 * scene.most("drink")
            and player.food >= 0.55 * scene.most("food")
            and player.energy >= 4
        ):
            self._crossing = scene.level
            return True
        if shelter.is_haven(scene, scene.level - 1):
            self._survival.prepare(scene, False)
        return False

    def _light(self, scene: Scene) -> bool:
        """Returns whether there is nothing to do on this floor but to leave it."""
        return bool(scene.has["bow"]) or scene.level != 1 or scene.floor.chest_opened

    def _ambush(self, scene: Scene, reach: Reach) -> str | None:
        """Waits in a room with one door for monsters that are near."""
        coming = any(c.kind == "melee" for c in scene.near(_AMBUSH))
        strong = scene.player.health > 0.6 * scene.most("health")
        strong = strong and not dangers.in_line(scene, scene.at)
        sides = [cell for cell in neighbours(scene.at) if not scene.solid(cell)]
        if not coming or not strong or sides != [scene.ahead]:
            self._ambushed = max(self._ambushed - 1, 0)
            return None
        self._ambushed += 2
        self.doing = "ambush"
        return "noop" if self._ambushed < _AMBUSH_LONG else None

    def _keep_elsewhere(self, scene: Scene, reach: Reach) -> str | None:
        """Goes where there is what this floor lacks, or waits for prey."""
        needs = self._survival.needs
        lacks_food = "food" in needs and scene.level in NO_FOOD
        lacks_water = "drink" in needs and scene.level in NO_WATER
        if lacks_water and scene.visited(scene.level + 1) and not lacks_food:
            return self._descend(scene, reach)
        if lacks_food or lacks_water:
            return self._climb(scene, reach)
        return None

    # Getting on.

    def _progress(self, scene: Scene, reach: Reach) -> str | None:
        fights = [self._siege, self._hunt.hold, self._hunt.hunt]
        for goal in [*fights, self._make, self._loot, self._gather]:
            action = goal(scene, reach)
            if action is not None:
                self.doing = goal.__name__.lstrip("_")
                return action
        return self._leave(scene, reach)

    def _siege(self, scene: Scene, reach: Reach) -> str | None:
        """Fights at the way up while there is a closed room above."""
        if not scene.kills_left or not shelter.is_haven(scene, scene.level - 1):
            return None
        way = reach.to([scene.floor.up_ladder], 60)
        return None if way is None else self._besieged.action(scene, reach)

    def _make(self, scene: Scene, reach: Reach) -> str | None:
        recipe = self._recipe(scene)
        if recipe is None or (scene.level in _CROSSED and scene.near(_CROWD)):
            return None
        return errands.make(scene, reach, recipe)

    def _recipe(self, scene: Scene) -> str | None:
        """Returns what to make."""
        return gear.next_recipe(scene)

    def _supplies(self, scene: Scene) -> list[gear.Supply]:
        """Returns what to gather."""
        return gear.missing(scene)

    def _loot(self, scene: Scene, reach: Reach) -> str | None:
        first = scene.level == 1 and not scene.has["bow"]
        first = first and not scene.floor.chest_opened
        if scene.player.health < 0.8 * scene.most("health"):
            return None
        return errands.gather(scene, reach, ["chest"], 90 if first else 8)

    def _gather(self, scene: Scene, reach: Reach) -> str | None:
        if scene.level > 2 and scene.player.health < _FIT * scene.most("health"):
            return None
        later = scene.level in (0, 1) and scene.visited(scene.level + 1)
        if later and scene.has["stone"] >= 30:
            if scene.level or scene.has["wood"] >= _WOOD:
                return None
            return errands.gather(scene, reach, ["tree"], _FAR_TREES)
        now = scene.world.timestep
        for supply in self._supplies(scene):
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

    def _leave(self, scene: Scene, reach: Reach) -> str | None:
        armed = scene.has["bow"] or min(scene.has["armour"]) == 0
        if (scene.level == 2 and not armed) or (scene.level and gear.lacks_wood(scene)):
            self.doing = "back"
            return self._climb(scene, reach)
        self.doing = "leave"
        ladder = scene.floor.down_ladder
        if scene.kills_left:
            if distance(ladder, scene.at) > 6:
                return errands.go_to(scene, reach, ladder)
            return None
        visited = scene.visited(scene.level + 1)
        if self._sallies(scene):
            return "noop"
        if distance(ladder, scene.at) <= 4:
            self._packed.add(scene.level)
            if self._crossing != scene.level or visited:
                self._survival.prepare(scene, visited)
                if self._survival.needs:
                    return self._survival.action(scene, reach) or "noop"
            wants = self._tries < _TRIES and scene.level + 1 != LAST
            if shelter.enclosure(scene) is None and wants:
                self._tries += 1
                action = self._survival.hide(scene, ladder)
                if action is not None:
                    return action
        if scene.at == ladder:
            self._tries = self._lingered = 0
            return "descend"
        self._survival.running = True
        return errands.go_to(scene, reach, ladder)

    def _sallies(self, scene: Scene) -> bool:
        """Returns whether to wait at the way up until the monsters around are dead."""
        at_ladder = scene.at == scene.floor.up_ladder
        if not at_ladder or not scene.near(_AROUND) or self._lingered > _LINGER:
            return False
        self._lingered += 1
        return True

    def _descend(self, scene: Scene, reach: Reach) -> str | None:
        if scene.at == scene.floor.down_ladder:
            return "descend"
        return errands.go_to(scene, reach, scene.floor.down_ladder)

    def _climb(self, scene: Scene, reach: Reach) -> str | None:
        if scene.at == scene.floor.up_ladder:
            return "ascend"
        return errands.go_to(scene, reach, scene.floor.up_ladder)

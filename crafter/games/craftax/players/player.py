"""Scripted player of Craftax: rules by priority.

It makes what it can on the way, opens chests, fights what comes, hides when it is hurt,
and goes down as soon as the way is open.
"""

from __future__ import annotations

import math
from typing import Any

from crafter.games.craftax.player import after_defence
from crafter.games.craftax.players import shelter, survey, wishes
from crafter.games.craftax.players.belief import Belief
from crafter.games.craftax.players.guard import Guard
from crafter.games.craftax.players.outlook import Outlook, Plan
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.wishes import HURT, LOW, SHOOT, STRONG, WATER
from crafter.games.craftax.tables import Tables

#: Part of the game after which it hurries on the overworld, and steps.
_EARLY, _LATEST = 0.3, 450
#: Energy at which it goes to bed, and to have on the way down.
_TIRED, _RESTED = 2, 5
#: Most actions of hiding that are thought out at once, and steps to wait in a room.
_AT_ONCE, _WAIT = 8, 10
_PATIENCE = 3  # times in a row that something may fail before it does something else
_ATTRIBUTES = ("strength", "dexterity", "intelligence")


class CraftaxPlayer:
    """Chooses actions from observations; one object plays one game.

    Args:
      tables: The rules.
      steps: Steps after which the game ends, or `None`.
      batch: Most actions at once.
      macros: Whether `sleep until awake` is an action.

    Attributes:
      doing: What it does now, for people.
    """

    def __init__(
        self, tables: Tables, steps: int | None, batch: int, macros: bool
    ) -> None:
        self._belief, self._guard = Belief(tables), Guard()
        self._late = min(_EARLY * (steps or math.inf), _LATEST)
        self._sleep = ["sleep until awake"] if macros else ["sleep"] * batch
        self._heading = (0.0, 0.0)
        self._room: shelter.Room | None = None
        self._hiding = False
        self._vain = 0
        self.doing = ""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""
        belief = self._belief
        belief.update(data)
        failed = any(event["type"] == "rejected" for event in data["events"])
        self._vain = self._vain + 1 if failed else 0
        if belief.player.sleeping or belief.player.resting:
            self.doing = "sleep"
            return self._sleep
        late = belief.world.timestep > self._late
        outlook = Outlook(belief, data["achievements"], late, self._sleep)
        actions = self._plan(outlook)
        checked = self._guard.check(outlook.scene, actions[0])
        if checked != actions[0]:
            self.doing += ", on guard"
            actions = [checked]
        return ["do"] * _strokes(outlook.scene) if actions == ["do"] else actions

    def _plan(self, outlook: Outlook) -> list[str]:
        for rule in (_at_once, self._hide) if self._vain < _PATIENCE else ():
            actions = rule(outlook)
            if actions:
                self.doing = rule.__name__[1:]
                return actions
        plans = [*wishes.plans(outlook), *self._going_down(outlook)]
        best = min(plans, key=lambda plan: plan.cost, default=None)
        if (best is None or best.cost > 1) and _lacks(outlook):
            self.doing = "look for it"
            sought = self._seek(outlook)
            if best is None or sought != ["noop"]:
                return sought
        if best is not None and self._vain < 2 * _PATIENCE:
            self.doing = best.name
            return best.actions
        self.doing = "explore"
        return self._explore(outlook)

    # Hiding.

    def _hide(self, outlook: Outlook) -> list[str]:
        scene, player = outlook.scene, outlook.player
        weak = player.health <= (STRONG if self._hiding else wishes.hurt(outlook))
        tired = player.energy <= (scene.most("energy") - 2 if self._hiding else _TIRED)
        self._hiding = (weak or tired) and min(player.food, player.drink) > 1
        return self._rest(outlook) if self._hiding else []

    def _rest(self, outlook: Outlook) -> list[str]:
        """Sleeps or waits in a closed room, and makes one first."""
        scene, player = outlook.scene, outlook.player
        if shelter.enclosure(scene) is not None:
            sleepy = player.energy < scene.most("energy")
            return self._sleep if sleepy else ["noop"] * _WAIT
        return self._think_ahead(outlook)

    def _think_ahead(self, outlook: Outlook) -> list[str]:
        """Returns the actions that close a room, as far as they are sure to work."""
        actions: list[str] = []
        if not all(map(outlook.is_room, self._room or ())):
            self._room = None  # it looked better from afar
        with self._belief.trying():
            while len(actions) < _AT_ONCE:
                scene = Scene(self._belief.player)
                action = None
                if shelter.enclosure(scene) is None:
                    action = self._close(scene)
                if action is None:
                    break
                actions.append(action)
                if not self._belief.imagine(action):
                    break
        return actions

    def _close(self, scene: Scene) -> str | None:
        """Closes the room that was chosen last, or else another one."""
        action = shelter.close(scene, self._room) if self._room else None
        if action is None:
            self._room = shelter.find(scene)
            action = shelter.close(scene, self._room) if self._room else None
        return action

    # Getting on.

    def _going_down(self, outlook: Outlook) -> list[Plan]:
        scene = outlook.scene
        ladder = self._belief.ladders.get(scene.level)
        if ladder is None or not outlook.is_settled or scene.kills_left:
            return []
        patience = 2.0 if scene.level else outlook.detour
        if scene.at == ladder:
            rest = [] if _is_fit(outlook) else self._rest(outlook)
            return [Plan(patience, rest or ["descend"], "descend")]
        way = outlook.reach.to([ladder])
        if way is None:
            return []
        return [Plan(way.cost + patience, outlook.walk(way.cells), "go down")]

    def _seek(self, outlook: Outlook) -> list[str]:
        """Goes up for what this floor lacks, if it is urgent, or looks around."""
        player = outlook.player
        up = self._belief.arrivals.get(outlook.scene.level)
        way = None if up is None else outlook.reach.to([up])
        if way is not None and min(player.food, player.drink) <= 2:
            return outlook.walk(way.cells) if way.cells else ["ascend"]
        return self._explore(outlook)

    def _explore(self, outlook: Outlook) -> list[str]:
        actions, self._heading = survey.explore(outlook, self._heading)
        return actions


# What takes one step and is always right.


def _at_once(outlook: Outlook) -> list[str]:
    scene, player = outlook.scene, outlook.player
    if (colour := _potion(outlook)) is not None:
        return [f"drink_potion_{colour}"]
    if scene.near(4):
        return []
    most = outlook.tables.data["parameters"]["max_attribute"]
    for name in _ATTRIBUTES if player.xp else ():
        if player.attributes[name] < most:
            return [f"level_up_{name}"]
    return ["read_book"] if scene.has["books"] else _place_ahead(outlook)


def _place_ahead(outlook: Outlook) -> list[str]:
    """Places a torch or a sapling for the first time, if there is room ahead."""
    scene, tables = outlook.scene, outlook.tables
    if not scene.can_place(scene.ahead):
        return []
    on = tables.block_ids[scene.block(scene.ahead)]
    for name, item in (("torch", "torches"), ("plant", "sapling")):
        fits = scene.has[item] and tables.place[name].where[on]
        if fits and outlook.wants(f"place_{name}"):
            return [f"place_{name}"]
    return []


def _potion(outlook: Outlook) -> str | None:
    """Returns a colour to drink: what heals when hurt, or what nobody knows."""
    scene, health = outlook.scene, outlook.player.health
    names = outlook.tables.data["inventory"]["potions"]["each"]
    mapping = outlook.belief.world.potion_mapping
    for name, owned, effect in zip(names, scene.has["potions"], mapping):
        if owned and effect == 0 and scene.most("health") - health >= 5:
            return str(name)
        safe = health > STRONG or (health > HURT + 1 and not scene.near(SHOOT))
        if owned and effect < 0 and safe:
            return str(name)
    return None


# The state of the player.


def _lacks(outlook: Outlook) -> bool:
    """Returns whether it needs something soon and knows no way to it here."""
    player, reach = outlook.player, outlook.reach
    if player.drink <= LOW and not reach.to_block(WATER):
        return True
    prey = [creature.cell for creature in outlook.scene.passive()]
    return player.food < LOW and not reach.to(prey)


def _is_fit(outlook: Outlook) -> bool:
    """Returns whether it can start on a floor where it is more dangerous."""
    player, scene = outlook.player, outlook.scene
    rested = player.energy >= _RESTED and player.health >= scene.most("health") - 2
    return rested or min(player.food, player.drink) <= LOW or scene.level > 0


def _strokes(scene: Scene) -> int:
    """Returns how often to hit what stands ahead, once if it is no monster."""
    for creature in scene.hostile:
        if creature.cell == scene.ahead:
            damage = scene.player.melee_damage()
            blow = after_defence(damage, creature.species.defence)
            return math.ceil(creature.species.health / max(blow, 0.5))
    return 1

"""Scripted agent of Craftax: rules by priority.

It makes what it can on the way, opens chests, fights what comes, hides when it is hurt,
and goes down as soon as the way is open. In a long game it goes down with patience
instead, as `delver` says. How to fight, dodge and close rooms it has from the player
that sees everything; what it works with here is only what it believes.
"""

from __future__ import annotations

import math
from typing import Any

from crafter.games.craftax.player import after_defence
from crafter.games.craftax.players import shelter
from crafter.games.craftax.players.scene import Scene
from crafter.games.craftax.players.survival import Survival
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.text.agent import survey, wishes
from crafter.games.craftax.text.agent.belief import Belief
from crafter.games.craftax.text.agent.delver import EXPLORE, Delver
from crafter.games.craftax.text.agent.guard import Guard
from crafter.games.craftax.text.agent.outlook import Outlook, Plan
from crafter.games.craftax.text.agent.wishes import HURT, LOW, SHOOT, STRONG, WATER
from crafter.lm.agents.base import Briefing

#: Part of the game after which it hurries on the overworld, and steps.
_EARLY, _LATEST = 0.3, 450
_LONG = 10_000  # steps of a game whose end is not known
#: Steps of a game from which on it takes its time, steps to wait at once, and how near
#: monsters are that it waits for step by step.
_LONG_ENOUGH, _PAUSE, _FAR_OFF = 2_000, 5, 9
#: Energy at which it goes to bed, and to have on the way down.
_TIRED, _RESTED = 2, 5
#: Most actions of hiding that are thought out at once, and steps to wait in a room.
_AT_ONCE, _WAIT = 8, 10
_PATIENCE = 3  # times in a row that something may fail before it does something else
_ATTRIBUTES = ("strength", "dexterity", "intelligence")


class Descender:
    """Chooses actions from observations.

    Args:
      briefing: What is known before the game.

    Attributes:
      doing: What it does now, for people.
    """

    def __init__(self, briefing: Briefing) -> None:
        self._tables: Tables = briefing.words.rules
        self._belief = Belief(self._tables)
        self._guard = Guard(self._belief)
        self._survival = Survival()
        self._delver = Delver()
        self._heading = (0.0, 0.0)
        self._hiding = False
        self._vain = 0
        limit = briefing.max_actions or _LONG
        self._patient = limit >= _LONG_ENOUGH and briefing.max_calls is None
        self._late = min(_EARLY * limit, _LATEST)
        self._sleep = ["sleep"] * briefing.max_batch
        if briefing.macros:
            self._sleep = ["sleep until awake"]
        self.doing = ""

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation in its JSON form."""
        belief = self._belief
        belief.update(data)
        failed = any(event["type"] == "rejected" for event in data["events"])
        self._vain = self._vain + 1 if failed else 0
        late = belief.world.timestep > self._late
        outlook = Outlook(belief, data["achievements"], late, self._sleep)
        if belief.player.sleeping or belief.player.resting:
            self.doing = "sleep"
            return self._sleep
        if self._patient and (late or belief.player.level):
            return self._delve(outlook)
        actions = self._plan(outlook)
        checked = self._guard.check(outlook.scene, actions[0], False)
        if checked != actions[0]:
            self.doing += ", on guard"
            actions = [checked]
        return ["do"] * _strokes(outlook.scene) if actions == ["do"] else actions

    def _plan(self, outlook: Outlook) -> list[str]:
        for rule in (self._at_once, self._hide) if self._vain < _PATIENCE else ():
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

    def _delve(self, outlook: Outlook) -> list[str]:
        """Plays with patience: it makes itself strong first, and fights at ladders."""
        actions = self._at_once(outlook)
        if actions:
            self.doing = "at once"
            return actions
        action = self._delver.choose(outlook.scene)
        self.doing = self._delver.doing
        if action == EXPLORE:
            return self._explore(outlook)
        if action == "sleep":
            return self._sleep
        if action == "noop" and not outlook.scene.near(_FAR_OFF):
            return ["noop"] * _PAUSE
        return [action]

    # What takes one step and is always right.

    def _at_once(self, outlook: Outlook) -> list[str]:
        scene, player = outlook.scene, outlook.player
        if (colour := _potion(outlook)) is not None:
            return [f"drink_potion_{colour}"]
        if scene.near(4):
            return []
        most = self._belief.parameters.max_attribute
        for name in _ATTRIBUTES if player.xp else ():
            if player.attributes[name] < most:
                return [f"level_up_{name}"]
        return ["read_book"] if scene.has["books"] else _place_ahead(outlook)

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
        if not all(map(outlook.is_room, self._survival.room or ())):
            self._survival.room = None  # it looked better from afar
        with self._belief.trying():
            while len(actions) < _AT_ONCE:
                scene = Scene(self._belief)
                closed = shelter.enclosure(scene) is not None
                action = None if closed else self._survival.hide(scene)
                if action is None:
                    break
                actions.append(action)
                if not self._belief.imagine(action):
                    break
        return actions

    # Getting on.

    def _going_down(self, outlook: Outlook) -> list[Plan]:
        scene = outlook.scene
        ladder = self._belief.ladders.get(scene.level)
        ready = outlook.is_settled and not scene.kills_left and not self._patient
        if ladder is None or not ready:
            return []
        patience = 2.0 if scene.level else outlook.detour
        if scene.at == ladder:
            rest = [] if _is_fit(outlook) else self._rest(outlook)
            return [Plan(patience, rest or ["descend"], "descend")]
        way = outlook.reach.to([ladder])
        if way is None:
            return []
        return [Plan(way[0] + patience, outlook.walk(way[1]), "go down")]

    def _seek(self, outlook: Outlook) -> list[str]:
        """Goes up for what this floor lacks, if it is urgent, or looks around."""
        player = outlook.player
        up = self._belief.arrivals.get(outlook.scene.level)
        way = None if up is None else outlook.reach.to([up])
        if way is not None and min(player.food, player.drink) <= 2:
            return outlook.walk(way[1]) if way[1] else ["ascend"]
        return self._explore(outlook)

    def _explore(self, outlook: Outlook) -> list[str]:
        actions, self._heading = survey.explore(outlook, self._heading)
        return actions


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


def _strokes(scene: Scene) -> int:
    """Returns how often to hit what stands ahead, once if it is no monster."""
    for creature in scene.hostile:
        if creature.cell == scene.ahead:
            damage = scene.player.melee_damage()
            blow = after_defence(damage, creature.species.defence)
            return math.ceil(creature.species.health / max(blow, 0.5))
    return 1

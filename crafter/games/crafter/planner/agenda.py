"""What a goal still asks for: aims to reach, and limits to keep, from its monitor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from crafter.games.crafter.planner.actor import Actor
from crafter.tasks import goals
from crafter.tasks.conditions import (
    TIERS,
    VITALS,
    AllOf,
    Amount,
    Asleep,
    Away,
    Best,
    Comparison,
    Condition,
    Opposite,
    leaves,
)
from crafter.tasks.goals import Event, Goal, Reach
from crafter.tasks.monitors import Node
from crafter.tasks.routes import Still
from crafter.tasks.terms import Guard

Guards = tuple[Guard, ...]

#: Steps before a limit runs out from which on what is asked for then counts.
SOON = 50
#: Words of goals that the night is needed for.
NIGHTLY = {"night", "light", "zombie", "dusk", "dawn", "new_day"}
_WORD = re.compile(r"[a-z_]+")


class Aim(NamedTuple):
    """A part of a goal that is to be reached now.

    Attributes:
      goal: An event, a state, or what must not happen for a while.
      node: Its monitor.
      guards: What else has to hold, such as a place.
      steps: Steps that are left for it; `None` for no limit of its own.
    """

    goal: Goal
    node: Node
    guards: Guards = ()
    steps: int | None = None

    @property
    def starts(self) -> list[Condition]:
        """Conditions at the start of the deciding step."""
        return [g.condition for g in self.guards if g.kind != "where"]

    @property
    def places(self) -> list[Condition]:
        """Conditions on the place."""
        return [g.condition for g in self.guards if g.kind == "where"]


Order = Callable[[Aim], float]


def aims(goal: Goal, node: Node, order: Order, guards: Guards = ()) -> list[Aim]:
    """Returns what can be done next for a goal, the best first.

    Args:
      goal: The goal.
      node: Its monitor.
      order: What an aim costs, about.
      guards: Of goals around it.
    """
    if node.verdict.final:
        return []
    if isinstance(goal, goals.Times):
        return _times(goal, node, order, guards)
    if isinstance(goal, (goals.Event, goals.Reach, goals.Not)):
        return [Aim(goal, node, guards)]
    if isinstance(goal, goals.Name):
        return aims(goal.meaning, node, order, guards)
    if isinstance(goal, goals.Hold):
        state = goals.state_of(goal)
        assert state is not None
        return [Aim(state, node, guards)]
    if isinstance(goal, (goals.And, goals.Or)):
        operands = dict.fromkeys(goal.operands(guards))
        pairs = list(zip(operands, node.children))
        found = [aims(g, child, order, own) for (g, own), child in pairs]
        return _sorted(found, order)
    if isinstance(goal, goals.Then):
        stage = len(node.children) - 1
        part, own = goal.operands(guards)[stage]
        return aims(part, node.children[stage], order, own)
    if isinstance(goal, (goals.Within, goals.Without)):
        return aims(goal.goal, node.children[0], order, guards)
    assert isinstance(goal, (goals.When, goals.Where, goals.Using, goals.FromScratch))
    return aims(goal.goal, node, order, (*goal.guards(), *guards))


def _times(goal: goals.Times, node: Node, order: Order, guards: Guards) -> list[Aim]:
    if not node.children:
        return [Aim(goal, node, guards)]  # structures that exist at once
    return aims(goal.goal, node.children[-1], order, guards)


def _sorted(found: list[list[Aim]], order: Order) -> list[Aim]:
    """Returns the aims of several goals: what has to be done before what must not."""
    flat = [aim for part in found for aim in part]
    return sorted(flat, key=lambda aim: (isinstance(aim.goal, goals.Not), order(aim)))


def forbidden(goal: Goal, node: Node) -> Iterator[tuple[Goal, Node]]:
    """Yields what must not happen now, with its monitor."""
    if node.verdict.final:
        return
    if isinstance(goal, goals.Not):
        yield goal.goal, node.children[0]
    elif isinstance(goal, goals.Name):
        yield from forbidden(goal.meaning, node)
    elif isinstance(goal, (goals.And, goals.Or)):
        operands = dict.fromkeys(goal.operands(()))
        for (part, _), child in zip(operands, node.children):
            yield from forbidden(part, child)
    elif isinstance(goal, goals.Then):
        stage = len(node.children) - 1
        yield from forbidden(goal.operands(())[stage][0], node.children[stage])
    elif isinstance(goal, goals.Within):
        yield from forbidden(goal.goal, node.children[0])
    elif isinstance(goal, goals.Without):
        yield from forbidden(goal.goal, node.children[0])
        for thing, child in zip(goal.things, node.children[1:]):
            yield thing, child.children[0]
    elif isinstance(goal, (goals.When, goals.Where, goals.Using, goals.FromScratch)):
        yield from forbidden(goal.goal, node)


def _soon(goal: Goal, node: Node) -> dict[str, int]:
    """Returns the vitals that are asked for as soon as a limit has run out."""
    while isinstance(goal, goals.Name):
        goal = goal.meaning
    if isinstance(goal, goals.And) and node.children:
        pairs = zip(dict.fromkeys(goal.operands(())), node.children)
        found = [_soon(part, child) for (part, _), child in pairs]
        return {item: n for part in found for item, n in part.items()}
    if not isinstance(goal, goals.Then):
        return {}
    stages, stage = goal.operands(()), len(node.children) - 1
    now = stages[stage][0]
    if not isinstance(now, goals.Within) or stage + 1 >= len(stages):
        return {}
    left = now.n * (1 - node.children[stage].progress)
    states = goals.walk_over(stages[stage + 1][0])
    if left > SOON:
        return {}
    return {
        leaf.quantity.item: int(leaf.number)
        for part in states
        if isinstance(part, Reach)
        for leaf in leaves(part.condition)
        if isinstance(leaf, Comparison) and isinstance(leaf.quantity, Amount)
    }


def set_limits(me: Actor, goal: Goal, node: Node) -> None:
    """Makes an actor keep to what must not happen now."""
    me.forbids, me.floors = [], _soon(goal, node)
    me.thrifty = frozenset()
    me.careful = me.peaceful = False
    me.post = me.restless = None
    me.lethal = False
    for part in goals.walk_over(goal):
        if isinstance(part, Reach) and part.steps > 1:
            _hold(me, part.condition)
    _look_ahead(me, goal, node)
    for around in goals.walk_over(goal):
        if isinstance(around, goals.Using) and around.tool.startswith(TIERS[0]):
            tool = around.tool.partition(":")[2]
            me.forbids.append({f"make_{tier}_{tool}" for tier in TIERS}.__contains__)
    for part, child in forbidden(goal, node):
        while isinstance(part, goals.Name):
            part = part.meaning
        if isinstance(part, Event):
            _forbid_event(me, part, child)
        elif isinstance(part, Reach):
            _forbid_state(me, part.condition)


def _hold(me: Actor, condition: Condition) -> None:
    """Takes note of the vitals that a state which has to last asks for."""
    if isinstance(condition, AllOf):
        for part in condition.conditions:
            _hold(me, part)
    elif isinstance(condition, Comparison) and isinstance(condition.quantity, Amount):
        item = condition.quantity.item
        if item in VITALS and condition.relation in (">=", ">"):
            least = int(condition.number) + (condition.relation == ">")
            me.floors[item] = max(me.floors.get(item, 0), least)


def _look_ahead(me: Actor, goal: Goal, node: Node) -> None:
    """Keeps a player that waits for dusk ready for what the night asks of it."""
    while isinstance(goal, goals.Name):
        goal = goal.meaning
    if isinstance(goal, (goals.And, goals.Or)):
        for (part, _), child in zip(dict.fromkeys(goal.operands(())), node.children):
            _look_ahead(me, part, child)
        return
    if not isinstance(goal, goals.Then):
        return
    stages, stage = [part for part, _ in goal.operands(())], len(node.children) - 1
    now = stages[stage]
    if isinstance(now, Event) and now.type == "dusk" and stage + 1 < len(stages):
        for part in goals.walk_over(stages[stage + 1]):
            if isinstance(part, Reach):
                if isinstance(part.condition, Away):
                    me.post = part.condition.n
                if isinstance(part.condition, Asleep) and not me.dark:
                    me.forbids.append(lambda action: action == "sleep")


def _leaves_post(me: Actor, action: str) -> bool:
    step = {name: by for by, name in me.moves.items()}.get(action)
    if step is None or not me.at_post(me.pos):
        return False
    cell = me.pos[0] + step[0], me.pos[1] + step[1]
    return me.free(cell) and not me.at_post(cell)


def _forbid_event(me: Actor, event: Event, node: Node) -> None:
    filters = dict(event.filters)
    if event.type == "hurt":
        me.careful = True
    elif event.type == "hit" and "left" in filters:
        me.lethal = True
        me.forbids.append(lambda action: action == "do" and _leaves(me, filters))
    elif event.type in ("hit", "defeated"):
        me.peaceful = True
    elif event.type == "dawn" and me.dark:
        me.left = min(me.left, me.dawn_in)
    elif event.type == "fell_asleep":
        me.forbids.append(lambda action: action == "sleep")
    elif event.type == "act":
        me.forbids.append(lambda action: action == filters.get("action"))
    elif event.type in ("placed", "made"):
        verb = "place" if event.type == "placed" else "make"
        what = filters.get("what")
        # The event that would be the last one must not come.
        if round(node.progress * event.n) >= event.n - 1:
            me.forbids.append(
                lambda action: (
                    action == f"{verb}_{what}"
                    if what
                    else action.startswith(f"{verb}_")
                )
            )
    elif event.type == "collected":
        me.forbids.append(lambda action: action == "do" and _collects(me, filters))
        if filters.get("gain") == 0:
            me.thrifty |= _items(filters.get("what", tuple(me.rules.items)))


def _leaves(me: Actor, filters: dict) -> bool:
    """Returns whether a stroke now would leave a creature with such a health."""
    thing = me.thing(me.target)
    if thing is None or thing.kind != filters.get("kind", thing.kind):
        return False
    left = filters["left"] if isinstance(filters["left"], tuple) else (filters["left"],)
    return max(0, thing.health - me.damage) in left


def _collects(me: Actor, filters: dict) -> bool:
    """Returns whether a stroke now would collect what must not be collected."""
    rule = me.rules.collect.get(me.material(me.target) or "")
    if rule is None or me.thing(me.target) is not None:
        return False
    items = _items(filters.get("what", tuple(rule["receive"])))
    hit = [item for item in rule["receive"] if item in items]
    if filters.get("gain") == 0:
        hit = [item for item in hit if me.room(item) <= 0]
    return bool(hit)


def _items(what: str | tuple[str, ...]) -> frozenset[str]:
    return frozenset(what if isinstance(what, tuple) else (what,))


def _forbid_state(me: Actor, condition: Condition) -> None:
    if isinstance(condition, Away):
        me.post = condition.n
        me.tied = True
        me.forbids.append(lambda action: _leaves_post(me, action))
    for leaf in leaves(condition):
        if isinstance(leaf, Still):
            me.restless = leaf.n
    if isinstance(condition, Comparison) and isinstance(condition.quantity, Amount):
        item = condition.quantity.item
        if item in VITALS and condition.relation in ("<=", "<"):
            least = int(condition.number) + (condition.relation == "<=")
            me.floors[item] = max(me.floors.get(item, 0), least)
    if isinstance(condition, Opposite) and isinstance(condition.condition, Comparison):
        quantity = condition.condition.quantity
        if isinstance(quantity, Best):
            tools = {f"make_{tier}_{quantity.tool}" for tier in TIERS}
            me.forbids.append(tools.__contains__)


def of_night(goal: Goal) -> bool:
    """Returns whether a goal is about the night, haste, or keeping something up."""
    parts = goals.walk_over(goal)
    lasting = any(isinstance(part, Reach) and part.steps > SOON for part in parts)
    words = {word for part in parts for word in _WORD.findall(str(part))}
    hurried = any(isinstance(part, goals.Within) for part in parts)
    return hurried or lasting or bool(words & NIGHTLY)


def is_waiting(aim: Aim) -> bool:
    """Returns whether an aim is that something does not happen."""
    return isinstance(aim.goal, goals.Not)

"""Requirements of a goal, derived backwards from the rules.

The event or state of an atom determines the items and blocks that it requires.
`closure` derives from them what the player lacks: tools, stations and amounts. For
structures and traps, the consumption of the reference is used.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from crafter.core.grid import distance
from crafter.games.crafter.planner.recipes import Step, recipe
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks.structures import Structure
from crafter.games.crafter.tasks.structures.ground import Cleared
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes.reasons import Unsolved
from crafter.tasks.language.goals import Event
from crafter.tasks.language.monitors import Term
from crafter.tasks.scoring.references import Reference
from crafter.tasks.scoring.score import Closure
from crafter.tasks.world import common
from crafter.tasks.world.conditions import AnyOf, Built, Comparison, Condition

#: Vital -> effects that restore it.
_FOR_VITALS = {
    "food": ("ate cow", "hit cow", "ate plant"),
    "drink": ("collected drink",),
    "energy": ("fell_asleep",),
    "health": ("fell_asleep",),
}
#: Steps (L1) from the start within which a station counts as given.
NEAR = 12
_PAST = {"collect": "collected", "place": "placed", "make": "made"}


def alternatives(term: Term) -> list[list[Term]]:
    """Returns the atoms of each alternative of a goal; negated parts have none.

    Example:
      >>> ways = alternatives(Task("hurt | slept").goal.term())
      >>> [[str(atom.goal) for atom in way] for way in ways]
      [["event('hurt')"], ["event('fell_asleep')"]]
    """
    if term.op in ("event", "state"):
        return [[term]]
    if term.op == "not":
        return [[]]
    if term.op == "sequence" and term.n > 1:
        return [way * term.n for way in alternatives(term.parts[0])]
    choices = list(map(alternatives, term.parts))
    if term.op == "any":
        return [way for part in choices for way in part]
    return [list(itertools.chain(*way)) for way in itertools.product(*choices)]


def closure(
    atoms: Iterable[Term],
    rules: Rules,
    inventory: Mapping[str, int],
    stations: Collection[str] = (),
    reference: Reference | None = None,
) -> Closure:
    """Returns what atoms require at the start; items to be made are not owned yet.

    Args:
      atoms: The atoms of one alternative of a goal.
      rules: The rules of the game.
      inventory: What the player has.
      stations: Stations within reach.
      reference: A solution, for what the rules do not determine.
    """
    wanted = _Demand(rules)
    for atom in atoms:
        wanted.add(atom)
    items, effects = Counter(wanted.items), Counter(wanted.effects)
    blocks = wanted.placed | wanted.standing
    if wanted.by_reference and reference is not None:
        blocks |= Counter(dict(reference.blocks))
        items |= Counter(reference.tools)
    need = Counter[str]()
    for block, count in blocks.items():
        effects |= Counter({f"placed {block}": count})
        _use(need, rules.place[block], count)
    start = {item: n for item, n in inventory.items() if item not in wanted.fresh}
    milestones, verbs = {}, {}
    # Stations that are wanted anyway need not be placed once more.
    for verb, what, amount in _steps(items + need, rules, start, {*stations, *blocks}):
        effects |= Counter({f"{_PAST[verb]} {what}": amount})
        if verb != "collect":
            _use(need, getattr(rules, verb)[what], amount)
        if what not in wanted.items:  # what is wanted itself, the atom measures
            milestones[what] = amount if verb == "collect" else 1
            verbs[what] = verb
    if wanted.by_reference and reference is not None:
        need = Counter(dict(reference.spent))
    placed = frozenset(wanted.placed)
    return Closure(milestones, verbs, +effects, +need, placed, wanted.by_reference)


def demands(task: Task) -> Closure | None:
    """Returns what a task requires from nothing; `None` with several alternatives."""
    ways = alternatives(task.goal.term())
    return closure(ways[0], task.rules, {}) if len(ways) == 1 else None


def _use(need: Counter[str], rule: Mapping[str, Any], times: int) -> None:
    need.update({item: amount * times for item, amount in rule["uses"].items()})


def _steps(
    items: Mapping[str, int],
    rules: Rules,
    inventory: Mapping[str, int],
    stations: Collection[str],
) -> list[Step]:
    """Returns the steps to items; none if the rules do not allow it."""

    def turn(item: str) -> int:  # a tool after what it is made for
        tier = item.partition("_")[0]
        return -c.TIERS.index(tier) if item.endswith(c.CLASSES) else -len(c.TIERS)

    most = {
        item: min(items[item], rules.items[item]["max"])
        for item in sorted(items, key=turn)
        if items[item]
    }
    try:
        return recipe(rules, most, inventory, stations)
    except Unsolved:
        return []


class _Demand:
    """Requirements of atoms, whatever the player already has.

    Attributes:
      items: Item -> amount to have at once, over all; tools, or what is gathered.
      fresh: Items that are to be made or collected.
      placed: What is placed, by event -> how often.
      standing: What has to stand -> how many; one can serve several structures.
      effects: Effects that belong to it -> how often.
      by_reference: Whether only a reference determines it.
    """

    def __init__(self, rules: Rules) -> None:
        self.items, self.placed = Counter[str](), Counter[str]()
        self.standing, self.effects = Counter[str](), Counter[str]()
        self.fresh: set[str] = set()
        self.by_reference = False
        self._rules = rules

    def add(self, atom: Term) -> None:
        """Adds the requirements of an atom."""
        goal = atom.goal
        if isinstance(goal, Event):
            self._add_event(goal)
        else:
            self._add_state(goal.condition)
        for condition in atom.conditions("using"):
            self._add_state(condition)

    def _need(self, item: str, amount: int) -> None:
        had = self.items[item]  # a tool that is wanted twice is needed once
        tool = item.endswith(c.CLASSES)
        self.items[item] = max(had, amount) if tool else had + amount

    def _add_event(self, goal: Event) -> None:
        fields, count = dict(goal.filters), goal.n
        what = fields.get("what", fields.get("kind"))
        if isinstance(what, str):
            self.effects[f"{goal.type} {what}"] += count
            if goal.type == "placed" and what in self._rules.place:
                self.placed[what] += count
            elif goal.type in ("made", "collected") and what in self._rules.items:
                self._need(what, count)
                self.fresh.add(what)
            elif goal.type in ("ate", "defeated"):
                self.effects[f"hit {what}"] += 8 * count  # it takes several blows
        elif goal.type in ("woke", "fell_asleep"):
            self.effects["fell_asleep"] += count
        elif goal.type == "arrow_stopped" and fields.get("by") in self._rules.place:
            self.standing |= Counter([fields["by"]])
        elif goal.type == "plant_ripe":
            self.effects["placed plant"] += 1

    def _add_state(self, condition: Condition) -> None:
        if isinstance(condition, AnyOf):
            # The first one decides what is needed, all of them what is useful.
            first, *others = condition.conditions
            self._add_state(first)
            for other in others:
                alone = _Demand(self._rules)
                alone._add_state(other)
                self.effects |= alone.effects
        elif condition.parts():
            for part in condition.parts():
                self._add_state(part)
        elif isinstance(condition, Comparison):
            self._add_comparison(condition)
        elif isinstance(condition, Built):
            self._add_structure(condition.structure, condition.count)
        elif isinstance(condition, common.Asleep):
            self.effects |= Counter({"fell_asleep": 4})
        elif isinstance(condition, c.Enclosed):
            self.by_reference |= condition.own > 0

    def _add_comparison(self, condition: Comparison) -> None:
        quantity, wanted = condition.quantity, condition.number
        item = getattr(quantity, "item", None)
        if condition.relation not in (">=", "==", ">"):
            return
        if isinstance(quantity, c.Best) and wanted != "none":
            self._need(f"{wanted}_{quantity.tool}", 1)
        elif item in c.VITALS:
            for effect in _FOR_VITALS[item]:
                self.effects[effect] += 8
        elif item is not None:
            self._need(item, int(wanted) + (condition.relation == ">"))

    def _add_structure(self, structure: Structure, count: int) -> None:
        if isinstance(structure, Cleared):
            received = self._rules.collect[structure.material]["receive"]
            for item, amount in received.items():
                self._need(item, amount * structure.least * count)
                self.effects[f"collected {item}"] += structure.most * count
            return
        blocks = structure.blocks()
        self.standing |= Counter({what: count * n for what, n in blocks.items()})
        self.by_reference |= not blocks


def given(view: TaskView) -> tuple[str, ...]:
    """Returns what is given at the start and therefore no progress.

    Args:
      view: The game at the start.

    Returns:
      Such as `3 wood in the inventory` and `a table at (30, 32)`.
    """
    items = view.player.inventory.items()
    texts = [
        f"{amount} {item.replace('_', ' ')} in the inventory"
        for item, amount in items
        if amount and item not in c.VITALS
    ]
    rules = view.rules
    stations = {name for rule in rules.make.values() for name in rule["nearby"]}
    for name in sorted(stations):
        xs, ys = (view.materials == rules.material_ids[name]).nonzero()
        cells = [(int(a), int(b)) for a, b in zip(xs, ys)]
        near = [cell for cell in cells if distance(cell, view.player.pos) <= NEAR]
        texts += [f"a {name} at {cell}" for cell in near]
    return tuple(texts)

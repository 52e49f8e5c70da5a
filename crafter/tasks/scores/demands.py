"""What a goal takes, worked out backwards from the rules.

An atom of a goal is decided by an event or a state. `demand` says which items and
blocks that takes, and `closure` goes back from them to what the player lacks: tools,
stations and amounts. For structures and traps, what the reference used stands in.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.recipes import recipe
from crafter.games.crafter.rules import Rules
from crafter.tasks.conditions import (
    CLASSES,
    TIERS,
    VITALS,
    AnyOf,
    Asleep,
    Best,
    Built,
    Comparison,
    Condition,
    Enclosed,
)
from crafter.tasks.goals import Event, Goal, Reach
from crafter.tasks.scores.references import Reference
from crafter.tasks.structures import Structure
from crafter.tasks.structures.ground import Cleared
from crafter.tasks.terms import Term

#: What the player does for a vital.
_FOR_VITALS = {
    "food": ("ate cow", "hit cow", "ate plant"),
    "drink": ("collected drink",),
    "energy": ("fell_asleep",),
    "health": ("fell_asleep",),
}


class Atom(NamedTuple):
    """An event or a state that a goal asks for.

    Attributes:
      term: It, with what else has to hold.
      times: How often it has to be done.
    """

    term: Term
    times: int = 1

    @property
    def goal(self) -> Event | Reach:
        """The event or state."""
        goal: Event | Reach = self.term.goal
        return goal


def ways(goal: Goal) -> list[list[Atom]]:
    """Returns the atoms of each way to do a goal; what must not happen is no atom.

    Example:
      >>> [[str(atom.goal) for atom in way] for way in ways(Goal.parse("hurt | slept"))]
      [["event('hurt')"], ["event('fell_asleep')"]]
    """
    return _ways(goal.term())


def _ways(term: Term) -> list[list[Atom]]:
    if term.op in ("event", "state"):
        return [[Atom(term)]]
    if term.op == "not":
        return [[]]
    if term.op == "sequence" and term.n > 1:
        once = _ways(term.parts[0])
        return [[a._replace(times=a.times * term.n) for a in way] for way in once]
    found = [_ways(part) for part in term.parts]
    if term.op == "any":
        return [way for part in found for way in part]
    return [list(itertools.chain(*way)) for way in itertools.product(*found)]


@dataclasses.dataclass
class Demand:
    """What something takes, before asking what there is.

    Attributes:
      items: Item -> amount to have at once, over all; tools, or what is gathered.
      placed: What is placed, by event -> how often.
      standing: What has to stand -> how many; one can serve several structures.
      deeds: Deeds that belong to it -> how often.
      by_reference: Whether only a reference can say it.
    """

    items: Counter[str] = dataclasses.field(default_factory=Counter)
    placed: Counter[str] = dataclasses.field(default_factory=Counter)
    standing: Counter[str] = dataclasses.field(default_factory=Counter)
    deeds: Counter[str] = dataclasses.field(default_factory=Counter)
    by_reference: bool = False

    @property
    def blocks(self) -> Counter[str]:
        """What is placed, at least -> how often."""
        return self.placed | self.standing

    def add(self, other: Demand) -> None:
        """Adds another demand to it; a tool that both need is needed once."""
        for item, amount in other.items.items():
            tool = item.endswith(CLASSES)
            self.items[item] = (
                max(self.items[item], amount) if tool else self.items[item] + amount
            )
        self.placed += other.placed
        self.standing |= other.standing
        self.deeds += other.deeds
        self.by_reference |= other.by_reference


def demand(atom: Atom, rules: Rules) -> Demand:
    """Returns what an atom takes."""
    if isinstance(atom.goal, Event):
        found = _of_event(atom.goal, atom.times, rules)
    else:
        found = _of_condition(atom.goal.condition, atom.times, rules)
    for condition in atom.term.conditions("using"):
        found.add(_of_condition(condition, 1, rules))
    return found


def _of_event(goal: Event, times: int, rules: Rules) -> Demand:
    fields = dict(goal.filters)
    what = fields.get("what", fields.get("kind"))
    count = goal.n * times
    found = Demand()
    if not isinstance(what, str):
        if goal.type in ("woke", "fell_asleep"):
            found.deeds["fell_asleep"] += count
        if goal.type == "arrow_stopped" and fields.get("by") in rules.place:
            found.standing[fields["by"]] = 1
        if goal.type == "plant_ripe":
            found.deeds["placed plant"] += 1
        return found
    found.deeds[f"{goal.type} {what}"] += count
    if goal.type == "placed" and what in rules.place:
        found.placed[what] += count
    elif goal.type in ("made", "collected") and what in rules.items:
        found.items[what] += count
    elif goal.type in ("ate", "defeated"):
        # A creature takes several blows.
        found.deeds[f"hit {what}"] += 8 * count
    return found


def _of_condition(condition: Condition, times: int, rules: Rules) -> Demand:
    if isinstance(condition, AnyOf):
        # The first one decides what is needed, all of them what is useful.
        found = _of_condition(condition.conditions[0], times, rules)
        for other in condition.conditions[1:]:
            found.deeds |= _of_condition(other, times, rules).deeds
        return found
    found = Demand()
    if condition.parts():
        for part in condition.parts():
            found.add(_of_condition(part, times, rules))
    elif isinstance(condition, Comparison):
        _add_comparison(found, condition)
    elif isinstance(condition, Built):
        _add_structure(found, condition.structure, condition.count * times, rules)
    elif isinstance(condition, Asleep):
        found.deeds["fell_asleep"] += 4
    elif isinstance(condition, Enclosed):
        found.by_reference = condition.own > 0
    return found


def _add_comparison(found: Demand, condition: Comparison) -> None:
    quantity, wanted = condition.quantity, condition.number
    if condition.relation not in (">=", "==", ">"):
        return
    if isinstance(quantity, Best) and wanted != "none":
        found.items[f"{wanted}_{quantity.tool}"] = 1
    item = getattr(quantity, "item", None)
    if item in VITALS:
        for deed in _FOR_VITALS.get(item, ()):
            found.deeds[deed] += 8
    elif item is not None:
        found.items[item] = int(wanted) + (condition.relation == ">")


def _add_structure(
    found: Demand, structure: Structure, count: int, rules: Rules
) -> None:
    if isinstance(structure, Cleared):
        for item, amount in rules.collect[structure.material]["receive"].items():
            found.items[item] += amount * structure.least * count
            found.deeds[f"collected {item}"] += structure.most * count
        return
    blocks = structure.blocks()
    found.standing.update({what: count * n for what, n in blocks.items()})
    found.by_reference = not blocks


class Closure(NamedTuple):
    """What has to be done for a demand, given what there is.

    Attributes:
      milestones: Tool, station or material that is lacking -> how many.
      deeds: Useful deeds -> how often.
      need: Item -> how much of it is used up.
    """

    milestones: Mapping[str, int]
    deeds: Counter[str]
    need: Counter[str]


def closure(
    wanted: Demand,
    rules: Rules,
    inventory: Mapping[str, int],
    stations: Collection[str] = (),
    reference: Reference | None = None,
) -> Closure:
    """Returns what has to be done for a demand.

    Args:
      wanted: The demand.
      rules: The rules of the game.
      inventory: What the player has.
      stations: Stations within reach.
      reference: A solution, for what the rules do not say.
    """
    items, blocks = Counter(wanted.items), wanted.blocks
    if wanted.by_reference and reference is not None:
        blocks = blocks | Counter(dict(reference.blocks))
        for tool in reference.tools:
            items[tool] = max(items[tool], 1)
    for block, count in blocks.items():
        for item, amount in rules.place[block]["uses"].items():
            items[item] += amount * count
    # Stations that are wanted anyway need not be placed once more.
    steps = list(_steps(items, rules, inventory, {*stations, *blocks}))
    need = Counter[str]()
    deeds = Counter(wanted.deeds)
    for block, count in blocks.items():
        deeds[f"placed {block}"] = max(deeds[f"placed {block}"], count)
        _use(need, rules.place[block]["uses"], count)
    milestones = {}
    for verb, what, amount in steps:
        deed = f"{_PAST[verb]} {what}"
        deeds[deed] = max(deeds[deed], amount)
        if verb != "collect":
            _use(need, getattr(rules, verb)[what]["uses"], amount)
        if what not in wanted.items:  # what is wanted itself, the atom measures
            milestones[what] = amount if verb == "collect" else 1
    if wanted.by_reference and reference is not None:
        need = Counter(dict(reference.spent))
    return Closure(milestones, +deeds, +need)


_PAST = {"collect": "collected", "place": "placed", "make": "made"}


def _use(need: Counter[str], uses: Mapping[str, int], times: int) -> None:
    for item, amount in uses.items():
        need[item] += amount * times


def _steps(
    items: Mapping[str, int],
    rules: Rules,
    inventory: Mapping[str, int],
    stations: Collection[str],
) -> Iterator[tuple[str, str, int]]:
    """Yields how to get items, as far as the rules let one."""
    most = {
        item: min(items[item], rules.items[item]["max"])
        for item in sorted(items, key=_turn)
        if items[item]
    }
    try:
        yield from recipe(rules, most, inventory, stations)
    except Unsolved:
        return


def _turn(item: str) -> int:
    """Returns when an item is wanted: a tool after what it is made for."""
    tier = item.partition("_")[0]
    return -TIERS.index(tier) if item.endswith(CLASSES) else -len(TIERS)


def total(
    atoms: list[Atom],
    rules: Rules,
    inventory: Mapping[str, int],
    stations: Collection[str] = (),
    reference: Reference | None = None,
) -> Closure:
    """Returns what a way to do a goal takes from the start, each tool once."""
    wanted = Demand()
    start: Mapping[str, int] = inventory
    for atom in atoms:
        wanted.add(demand(atom, rules))
        start = start_of(atom, start, rules)
    return closure(wanted, rules, start, stations, reference)


def start_of(atom: Atom, inventory: Mapping[str, int], rules: Rules) -> dict[str, int]:
    """Returns the inventory without what an atom wants to see made or collected."""
    if not isinstance(atom.goal, Event):
        return dict(inventory)
    made = _of_event(atom.goal, atom.times, rules).items
    return {item: n for item, n in inventory.items() if item not in made}

"""Online detectors of the emergent behaviours in the Crafter paper.

D denotes the open cells dug by the player, S the blocks it placed that still stand;
distances are in steps unless stated otherwise. Structures shared with task goals are in
`crafter.games.crafter.tasks.structures`.
"""

import collections
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.grid import Cell, mask_of, neighbours, shift
from crafter.core.regions import components, holds, region, waves
from crafter.games.crafter.tasks import structures
from crafter.games.crafter.tasks.regions import open_mask
from crafter.games.crafter.tasks.structures import ground, patterns, rooms
from crafter.games.crafter.tasks.view import CREATURES, TaskView

Events = Sequence[Mapping[str, Any]]
#: A behaviour, and the cells of its structure, if it has a place.
Seen = tuple[str, frozenset[Cell]]

#: Behaviour -> structures that count as it. Crossings count when the player arrives on
#: the opposite shore.
BUILT: Mapping[str, Sequence[structures.Structure]] = {
    "breakthrough": [ground.Breakthrough()],
    "bridge": [ground.Crossing("water", 3, 1)],
    "house": [rooms.Hut(), rooms.DoorHouse(2, 12, 4)],
    "plantation of 3": [rooms.Plot(3, 5, 5)],
    "plantation of 6": [rooms.Plot(6, 5, 5)],
    "plantation of 9": [rooms.Plot(9, 5, 5)],
}
#: Names of the behaviours, in table order.
BEHAVIOURS = (
    *("tunnel", "tunnel system", "breakthrough", "bridge", "dodging", "blocking"),
    *("flank", "cave shelter", "closed shelter", "dug shelter", "house"),
    *("plantation of 3", "plantation of 6", "plantation of 9"),
    *("guarding", "fence", "steady food"),
)


class Watch:
    """Counts behaviours in one episode; call `step` after each step of the game.

    Behaviours with a place count once per place: again only if they share no cell with
    an earlier one.

    Args:
      view: The game, from its first step on.
      objects: Returns the objects of the world with their facing.

    Attributes:
      counts: Behaviour -> number of occurrences.
    """

    def __init__(self, view: TaskView, objects: Any) -> None:
        self.view, self._objects = view, objects
        self.counts: collections.Counter[str] = collections.Counter()
        self._places: dict[str, set[Cell]] = collections.defaultdict(set)
        self._changes = self._nights = self._ripe = 0
        self._aimed: list[tuple[int, int]] = []
        self._evaded: collections.deque[int] = collections.deque()
        self._placed: dict[Cell, int] = {}
        self._skeletons: dict[int, Cell] = {}
        self._aware: dict[int, bool] = {}

    @property
    def now(self) -> int:
        """Index of the latest step."""
        return len(self.view.trail) - 1

    def step(self, events: Events) -> list[str]:
        """Processes the latest step of the view.

        Args:
          events: Events of the step.

        Returns:
          The behaviours detected in the step.
        """
        changes = len(self.view.provenance.changes)
        changed, self._changes = changes != self._changes, changes
        behaviours = [*self._dodged(events), *self._built(changed), *self._shelters()]
        behaviours += [*(self._tunnels() if changed else ()), *self._fences()]
        for event in events:
            behaviours += self._of_event(event)
        self._look_at_skeletons(events)
        seen = []
        for name, cells in behaviours:
            if not cells & self._places[name]:
                seen.append(name)
            self._places[name] |= cells
        self.counts.update(seen)
        return seen

    def _built(self, changed: bool) -> Iterator[Seen]:
        """Yields the existing structures; without a change of the map, only bridges."""
        for name, kinds in BUILT.items():
            for kind in kinds if changed or name == "bridge" else ():
                for match in kind.matches(self.view):
                    if match.share >= 1:
                        yield name, match.cells

    def _tunnels(self) -> Iterator[Seen]:
        mask = open_mask(self.view)
        for part in map(frozenset, components(patterns.SYMBOLS["m"](self.view))):
            closed = [
                sum(not holds(mask, c) for c in neighbours(cell)) for cell in part
            ]
            if len(part) < 10 or 4 * sum(n >= 2 for n in closed) < 3 * len(part):
                continue
            yield "tunnel", part
            forks = any(len(part & set(neighbours(cell))) >= 3 for cell in part)
            if forks or len(part) >= 20:
                yield "tunnel system", part

    def _fences(self) -> Iterator[Seen]:
        view = self.view
        for match in rooms.Fenced(1).matches(view) if view.own.any() else ():
            shut = match.share >= 1 and view.player.pos not in match.cells
            if shut and rooms.own_in(view, match.cells):
                yield "fence", match.cells & view.provenance.own_plants

    def _shelters(self) -> Iterator[Seen]:
        view = self.view
        room = None
        if view.daylight < view.rules.time["dark"]:
            room = region(open_mask(view), view.player.pos, 6)
        alone = room is not None and not room.cells & view.creatures(*CREATURES)
        self._nights = self._nights + 1 if alone else 0
        if room is None or self._nights != 20:
            return
        dug = 2 * sum(bool(view.dug[cell]) for cell in room.cells) >= len(room.cells)
        own = rooms.own_in(view, room.boundary)
        yield f"{('dug' if dug else 'closed') if own else 'cave'} shelter", frozenset()

    def _dodged(self, events: Events) -> Iterator[Seen]:
        """Yields escapes from arrows 6 steps ago."""
        if any(e["type"] == "hurt" and "arrow" in e["by"] for e in events):
            self._evaded.clear()
        if self._evaded and self._evaded[0] + 6 <= self.now:
            self._evaded.popleft()
            yield "dodging", frozenset()
        here = self.view.player.pos
        # Per arrow that flew at the player: the axis across its line, and the position.
        if any(here[axis] != line for axis, line in self._aimed):
            self._evaded.append(self.now)
        self._aimed = []
        arrow = self.view.rules.object_ids["arrow"]
        if not (self.view.labels == arrow).any():
            return
        for obj in self._objects():
            if obj.kind == "arrow" and any(
                shift(obj.position, obj.facing, n) == here for n in range(1, 5)
            ):
                axis = int(obj.facing[0] != 0)
                self._aimed.append((axis, here[axis]))

    def _of_event(self, event: Mapping[str, Any]) -> Iterator[Seen]:
        kind, view, once = event["type"], self.view, frozenset[Cell]()
        if kind == "placed" and event["what"] == "stone":
            self._placed[event["at"]] = self.now
        elif kind == "arrow_stopped" and event["by"] == "stone":
            placed = self._placed.get(event["at"], -9)
            if view.own[event["at"]] and self.now - placed <= 5:
                yield "blocking", once
        elif kind == "ate" and event["what"] == "plant":
            self._ripe += 1
            if self._ripe % 3 == 0:
                yield "steady food", once
        elif kind == "hit" and event["kind"] == "skeleton":
            if not self._aware.get(event["id"], True) and self._cut():
                yield "flank", once
        elif kind == "hit":
            x, y = view.player.target
            plants = view.provenance.own_plants
            if any(max(abs(x - px), abs(y - py)) <= 2 for px, py in plants):
                yield "guarding", once

    def _cut(self) -> bool:
        """Returns whether recent digging shortened the path to the target."""
        view = self.view
        opened = view.provenance.opened.items()
        digs = {c: t for c, t in opened if self.now - t <= 10 and view.dug[c]}
        if not digs:
            return False
        start = view.trail[min(digs.values()) - 1].pos
        target, mask = mask_of(view.area, [view.player.target]), open_mask(view)
        with_digs = waves(mask.astype(np.int16), target)[start]
        without = waves((mask & ~mask_of(view.area, digs)).astype(np.int16), target)
        return bool(without[start] >= with_digs + 8)

    def _look_at_skeletons(self, events: Events) -> None:
        """Tracks the position of each skeleton, and whether it pursues the player."""
        shots = {event["frm"] for event in events if event["type"] == "arrow_shot"}
        x, y = self.view.player.pos
        for one in self.view.objects("skeleton"):
            before = self._skeletons.get(one.id, one.pos)
            if one.pos in shots:
                self._aware[one.id] = True
            elif one.pos != before:
                (dx, dy), (bx, by) = one.pos, before
                toward = (dx - bx) * (x - bx) + (dy - by) * (y - by)
                self._aware[one.id] = toward > 0
            self._aware.setdefault(one.id, False)
            self._skeletons[one.id] = one.pos

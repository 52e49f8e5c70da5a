"""Reader of recorded Crafter games that cannot be replayed.

Rows store states but not events: these are inferred from two consecutive rows, the
action, and the achievements between them.
"""

import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from crafter.core import clock
from crafter.core.grid import Cell, cells_of, shift
from crafter.core.regions import holds
from crafter.games.crafter.rules import default
from crafter.games.crafter.sprites import DOWN, FACINGS

Event = dict[str, Any]


class PlainGame:
    """Steps through the rows of an episode like an environment.

    Provides only the attributes and events that detectors and
    `crafter.games.crafter.tasks.view.TaskView` use. Objects are the arrows with a known
    direction.

    Args:
      episode: Result of `crafter.load_episode`. Row 0 is skipped.
    """

    events, view = True, (9, 9)

    def __init__(self, episode: Mapping[str, np.ndarray]) -> None:
        self.rules, self._episode, self.clock = default(), episode, 0
        self._ids = {number: kind for kind, number in self.rules.object_ids.items()}
        ids = episode["semantic"]
        self._ground = np.where(ids <= len(self.rules.materials), ids, 0)
        first = (self._ground[1:] > 0).argmax(0)[None]
        materials = np.take_along_axis(self._ground[1:], first, 0)[0]
        self.world = types.SimpleNamespace(
            rules=self.rules, area=materials.shape, tunnels=None, marks={},
            materials=materials, labels=np.zeros_like(materials), objects=[],
        )  # fmt: skip
        self._plants: set[Cell] = set()
        self.player = types.SimpleNamespace(
            facing=DOWN, sleeping=False, executed="noop", kind="player", id=1, health=9
        )
        self._look(1)

    def step(self, action: int) -> tuple[Mapping[str, Any]]:
        """Advances by a row; returns an info with the `events`."""
        self.clock += 1
        player, world, name = self.player, self.world, self.rules.actions[action]
        target, health = (
            shift(player.position, player.facing),
            player.inventory["health"],
        )
        before = world.materials.copy(), world.labels, world.objects
        self._look(self.clock)
        hurt = health - player.inventory["health"]
        unlocked = self._new_achievements()
        player.executed = "sleep" if player.sleeping else name
        events = [*self._action_events(player.executed, unlocked, target, *before)]
        events += self._world_events(*before)
        if hurt > 0:
            events.append({"type": "hurt", "by": ["arrow"]})
        tired = player.inventory["energy"] < self.rules.items["energy"]["max"]
        falls_asleep = player.executed == "sleep" and tired
        player.sleeping = falls_asleep and "wake_up" not in unlocked and hurt <= 0
        verb, _, direction = player.executed.partition("_")
        if verb == "move":
            player.facing = self.rules.directions[direction]
        return ({"events": tuple(events)},)

    def _look(self, row: int) -> None:
        """Loads the state of a row."""
        world, episode, ground = self.world, self._episode, self._ground[row]
        world.materials[ground > 0] = ground[ground > 0]
        before = world.labels
        world.labels = np.where(ground > 0, 0, episode["semantic"][row])
        world.daylight = clock.daylight(self.clock, self.rules.time)
        self.player.position = tuple(episode["player_pos"][row].tolist())
        self.player.inventory = {
            name: int(episode[f"ainventory_{name}"][row]) for name in self.rules.items
        }
        arrow, shooter = (self.rules.object_ids[k] for k in ("arrow", "skeleton"))
        world.objects = [
            types.SimpleNamespace(kind="arrow", position=cell, facing=facing)
            for cell in cells_of(world.labels == arrow)
            for facing in FACINGS
            if holds(before == arrow, shift(cell, facing, -1))
            or holds(before == shooter, shift(cell, facing, -1))
        ]

    def _new_achievements(self) -> set[str]:
        """Returns the achievements of this step."""
        now = self.clock
        rows = {n: self._episode[f"achievement_{n}"] for n in self.rules.achievements}
        return {n for n, row in rows.items() if row[now] > row[now - 1]}

    def _action_events(
        self,
        action: str,
        unlocked: set[str],
        target: Cell,
        ground: Any,
        labels: Any,
        _: Any,
    ) -> Iterator[Event]:
        """Yields the events caused by the player at the faced cell."""
        if not holds(ground >= 0, target):  # outside the map
            return
        material = self.rules.semantic_names[ground[target]]
        gains = self.rules.collect.get(material, {}).get("receive", ())
        for verb, _, what in (name.partition("_") for name in sorted(unlocked)):
            if verb == "collect" and what in gains:
                yield {"type": "collected", "what": what, "at": target}
            elif verb == "place":
                if what == "plant":
                    self._plants.add(target)
                yield {"type": "placed", "what": what, "at": target}
            elif verb == "eat":
                yield {"type": "ate", "what": what}
        kind = self._ids.get(int(labels[target]))
        if action == "do" and kind in ("zombie", "skeleton", "cow"):
            yield {"type": "hit", "kind": kind, "id": None}

    def _world_events(self, ground: Any, labels: Any, arrows: Any) -> Iterator[Event]:
        """Yields events of plants and stations, and of arrows that stopped."""
        world, ids = self.world, self.rules.object_ids
        for cell in [c for c in self._plants if world.labels[c] != ids["plant"]]:
            self._plants.discard(cell)
            yield {"type": "plant_lost", "at": cell}
        for what in ("table", "furnace"):
            lost = ground == self.rules.material_ids[what]
            for cell in cells_of(lost & (world.materials != ground)):
                yield {"type": "station_lost", "what": what, "at": cell}
        stone = world.materials == self.rules.material_ids["stone"]
        for one in arrows:
            at = shift(one.position, one.facing)
            if world.labels[one.position] != ids["arrow"] and holds(stone, at):
                yield {"type": "arrow_stopped", "at": at, "by": "stone"}

"""What Gold brings to the text interface."""

from __future__ import annotations

import pathlib
import types
from collections.abc import Iterator
from typing import Any

from toy_game.env import ACHIEVEMENTS, ACTIONS, CELLS, Env, State

from crafter.games.crafter.rules import default
from crafter.lm.game import TextGame
from crafter.lm.rendering.facts import OUTSIDE, Event, Offset, Rows, Thing
from crafter.lm.rendering.perception import Moment, Perception
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Words

MIDDLE = CELLS // 2


def words_of(rules: Any) -> Words:
    """Returns the rules of Gold for texts and parser."""
    return Words(
        folder=pathlib.Path(__file__).with_name("words"),
        rules=rules,
        actions=ACTIONS,
        moves={"left": "left", "right": "right"},
        achievements=ACHIEVEMENTS,
        recipes={},
        sources={},
        plantable=(),
        vitals=("health",),
        tools=(),
        groups={},
        ores=("gold",),
        stations=(),
        creatures={},
        materials=("ground",),
        kinds=("gold",),
        walkable=frozenset(["ground", "gold"]),
        deadly=frozenset(),
        symbols={},
        reach=1,
        rewards=(1.0, 1.0),
        tiers={},
        time=default().time,
    )


class GoldPerception(Perception):
    """Reads what the player of Gold can see: the row around it."""

    def look(self, snapshot: State) -> Moment:
        """Returns what is seen in a snapshot."""
        reached = [name for name, count in snapshot.achievements.items() if count]
        names = ("step", "achievements", "events", "inventory", "gold")
        fields = {name: getattr(snapshot, name) for name in names}
        more = {"clock": snapshot.step, "sleeping": False, "unlocked": tuple(reached)}
        more |= {"position": (snapshot.position, 0), "facing": (1, 0)}
        return super().look(types.SimpleNamespace(**fields, **more))

    def _view(self, snapshot: Any) -> tuple[Rows, Iterator[Thing]]:
        left = snapshot.position[0] - MIDDLE
        cells = range(left, left + CELLS)
        row = tuple("ground" if 0 <= x < CELLS else OUTSIDE for x in cells)
        gold = Thing("gold", snapshot.gold - snapshot.position[0], 0, flat=True)
        return Rows([row]), iter([gold] * (abs(gold.dx) <= MIDDLE))

    def _moment_fields(self, snapshot: Any) -> dict[str, Any]:
        limits = {"health": 9, "gold": 99}
        return {"inventory": snapshot.inventory, "limits": limits, "daylight": 1.0}

    def privileged(self, snapshot: State) -> dict[str, Any]:
        """Returns what players cannot see: nothing."""
        return {}

    def _offset(self, position: Offset, centre: Offset) -> Offset:
        return position[0] - centre[0], 0

    def _noise(self, offset: Offset, rows: Rows) -> float:
        return 0.0

    def _event(self, event: Event, moment: Moment) -> Event | None:
        return {"t": moment.snapshot.step, "missing": {}, **event}


class Digger:
    """Walks to the gold and digs."""

    def __init__(self, briefing: Any) -> None:
        pass

    def choose(self, data: dict[str, Any]) -> list[str]:
        """Returns the next actions after an observation."""
        gold = data["objects"][0]["dx"] if data["objects"] else 1
        return ["left" if gold < 0 else "right"] * abs(gold) or ["dig"]


TEXT = TextGame(
    name="gold",
    load=lambda rules: rules,
    restore=lambda data: None,
    make_env=lambda seed, rules: Env(seed=seed),
    make_words=words_of,
    perception=GoldPerception,
    writer=Writer,
    score="progress",
    scripted=Digger,
)

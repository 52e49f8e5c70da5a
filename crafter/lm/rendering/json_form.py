"""Observations as JSON; `observation.schema.json` describes the form."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from crafter.lm.rendering.facts import Thing

if TYPE_CHECKING:
    from crafter.lm.rendering.observation import Observation
    from crafter.tasks.env.single import GoalState

VERSION = 1
_THING = ("kind", "dx", "dy", "facing", "ripe")


def render(obs: Observation) -> dict[str, Any]:
    """Returns what the observation says, for JSON."""
    vitals = obs.words.vitals
    form: dict[str, Any] = {
        "schema": VERSION,
        "step": obs.step,
        "step_limit": obs.step_limit,
        "calls_left": obs.calls_left,
        "clock": obs.clock,
        "day": obs.day,
        "phase": obs.phase,
        "light": None if obs.daylight is None else round(obs.daylight, 2),
        "player": {
            "facing": obs.facing,
            "on": obs.on,
            "front": _front(obs),
            "asleep": obs.asleep,
        },
        "vitals": {
            **{name: obs.inventory[name] for name in vitals},
            "max": max(obs.limits[name] for name in vitals),
        },
        "inventory": {
            name: n for name, n in obs.inventory.items() if n and name not in vitals
        },
        "view": _view(obs),
        "objects": [_known(thing, *_THING) for thing in obs.things],
        "events": [event for step in obs.steps for event in step.events],
        "achievements": list(obs.achievements),
        "new": list(obs.unlocked),
        "free": list(obs.open_ground),
        "done": obs.done,
        "reward": round(obs.reward, 6),
    }
    optional = {
        "available": list(obs.available or ()),
        "reason": obs.reason,
        "goal": obs.goal and _goal(obs.goal),
        "notes": list(obs.notes),
        "memory": obs.memory,
        "privileged": obs.privileged,
    }
    told = {name: value for name, value in optional.items() if value}
    return form | copy.deepcopy(dict(obs.status)) | told


def _view(obs: Observation) -> dict[str, Any]:
    names = sorted({name for row in obs.rows for name in row})
    table = obs.words.glyphs()
    return {
        "width": len(obs.rows[0]),
        "height": len(obs.rows),
        "rows": ["".join(table[name] for name in row) for row in obs.rows],
        "legend": {table[name]: name for name in names},
    }


def _front(obs: Observation) -> dict[str, Any]:
    ahead = next((t for t in obs.things if t.name == obs.front), None)
    if ahead is not None and ahead.ripe is not None:
        return {"kind": ahead.kind, "ripe": ahead.ripe}
    return {"kind": obs.front}


def _goal(goal: GoalState) -> dict[str, Any]:
    told = _known(goal, "text", "progress", "steps_left", "verdict", "why")
    return {**told, "progress": round(goal.progress, 4)}


def _known(record: GoalState | Thing, *names: str) -> dict[str, Any]:
    """Returns the fields of a record that have a value."""
    fields = {name: getattr(record, name) for name in names}
    return {name: value for name, value in fields.items() if value is not None}

"""Games for the tests of the text interface."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from helpers import LONG_GAME, LONG_GAME_SEED

import crafter
from crafter.lm import CrafterACI, Observation
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.rendering import facts
from crafter.lm.runs.runner import Outcome, Run

#: Observation format for structured data.
SCHEMA = json.loads(
    pathlib.Path(facts.__file__).with_name("observation.schema.json").read_text("utf-8")
)
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "lm"
#: Whether to update the golden files.
WRITE = "WRITE_GOLDEN" in os.environ


def run(*settings: Any, **more: Any) -> list[Outcome]:
    """Run a protocol; arguments as for `Run`."""
    return Run(*settings, **more).play()


def start(picture: str, facing: tuple[int, int] = (0, 1), **options: Any) -> CrafterACI:
    """Return an interface to a hand-made world; the map shows the player as @."""
    settings = options.pop("settings", {})
    rows = picture.split()
    area = (len(rows[0]), len(rows))
    env = crafter.Env(area=area, events=True, length=None)
    env.reset(seed=0, options={"map": rows, "facing": facing, **options})
    aci = CrafterACI(env, **settings)
    aci.reset(options={"map": rows, "facing": facing, **options})
    return aci


def recorded_game(**settings: Any) -> Iterator[tuple[CrafterACI, Observation]]:
    """Play the recorded game, step by step."""
    aci = CrafterACI(seed=LONG_GAME_SEED, **settings)
    yield aci, aci.starting_obs
    for letter in LONG_GAME:
        action = aci.env.action_names[ord(letter) - ord("a")]
        yield aci, aci.act([action], stop_on="none").observation


def random_game(
    seed: int, steps: int, **settings: Any
) -> Iterator[tuple[CrafterACI, Observation]]:
    """Take random actions."""
    aci = CrafterACI(seed=seed, **settings)
    rng = np.random.default_rng(seed)
    yield aci, aci.starting_obs
    while not aci.done and aci.steps_taken < steps:
        action = str(rng.choice(aci.env.action_names))
        yield aci, aci.act([action], stop_on="none").observation


def play(aci: CrafterACI, agent: LMAgent, seed: int = 0, **known: Any) -> list[str]:
    """Let an agent play to the end; return its replies."""
    agent.reset(Briefing(seed=seed, **known))
    message = Message(aci.describe(aci.starting_obs), aci.starting_obs.json())
    replies = []
    while not aci.done:
        replies.append(agent.act(message))
        turn = aci.act(replies[-1])
        message = Message(turn.text, turn.observation.json())
    return replies


def seen(aci: CrafterACI, turn: Any) -> dict[str, Any]:
    """Return the facts of a turn, by their names in the table."""
    steps, error = turn.steps, turn.error
    return {
        "steps": len(steps),
        "numbers": [step.t for step in steps],
        "actions": [step.action for step in steps],
        "executed": [step.executed for step in steps],
        "forced": [step.forced for step in steps],
        "last": steps[-1].action if steps else None,
        "unlocked": [name for step in steps for name in step.unlocked],
        "rewards": list(turn.rewards),
        "stopped": turn.stopped_by,
        "skipped": list(turn.skipped),
        "error": error and error.kind,
        "meant": list(error.suggestions) if error else [],
        "done": turn.done,
        "reason": aci.reason,
        "limit": turn.observation.step_limit,
        "asleep": aci.state.sleeping,
    }


def check_turns(aci: CrafterACI, turns: list[dict[str, Any]]) -> None:
    """Play the turns of a table and compare their facts and texts.

    Args:
      aci: The game.
      turns: Turns: `act` with `stop_on`, parts that the text `has` or `lacks`, and
        facts by their names in `seen`.
    """
    for expected in map(dict, turns):
        turn = aci.act(expected.pop("act"), stop_on=expected.pop("stop_on", None))
        assert all(part in turn.text for part in expected.pop("has", [])), turn.text
        assert not any(part in turn.text for part in expected.pop("lacks", []))
        values = seen(aci, turn)
        assert {name: values[name] for name in expected} == expected


class ReplayAgent(LMAgent):
    """Replays a list of replies, then does nothing."""

    name = "replay"

    def __init__(self, replies: Iterable[str]) -> None:
        self._replies = iter(list(replies))

    def act(self, message: Message) -> str:
        """Return the next reply."""
        return next(self._replies, "noop")


def numbers(value: Any) -> Iterator[float]:
    """Yield all numbers in rules, without their signs."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(key)
            yield from numbers(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield abs(float(value))

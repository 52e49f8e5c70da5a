"""Logged rollouts as replayable episodes, with the agent's replies."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.lm.runs import logs, protocols
from crafter.lm.runs.game import Game
from crafter.recording.reader import episode_of

_LONGEST = 400  # characters of a reply shown


class Playback(NamedTuple):
    """A replayed rollout.

    Attributes:
      game: Name of the game.
      rules: Its rules.
      start: State at the start, as from `get_state`.
      episode: The episode, as from `crafter.load_episode`, without images.
      words: Row -> reply before its step, on one line.
    """

    game: str
    rules: Any
    start: dict[str, np.ndarray]
    episode: dict[str, np.ndarray]
    words: dict[int, str]


def is_rollout(path: pathlib.Path) -> bool:
    """Returns whether a file is the log of a rollout."""
    with contextlib.suppress(OSError, ValueError), path.open(encoding="utf-8") as file:
        first = json.loads(file.readline())
        return isinstance(first, dict) and first.get("type") == "run_start"
    return False


def play(path: pathlib.Path) -> Playback:
    """Replays a rollout.

    Raises:
      LogError: If the log is damaged.
      ValueError: If its game cannot be replayed.
    """
    with logs.readable(path):
        log = logs.read_rollout(path)
        assert log is not None, "see `is_rollout`"
        game = Game(protocols.from_dict(log.start["protocol"]), log.start["seed"])
        env = game.aci.env
        start = env.get_state()
        actions: list[str] = []
        words: dict[int, str] = {}
        for call in log.calls:
            before, reply = len(actions), call["reply"]
            lines = game.play(reply)
            actions += [line["action"] for line in lines if line["type"] == "step"]
            row = min(before + 1, len(actions))
            words[row] = " ".join(filter(None, [words.get(row), _one_line(reply)]))
        episode = episode_of(_steps(env, start, actions))
    return Playback(env.game, env.rules, start, episode, words)


def _one_line(reply: Any) -> str:
    """Returns a reply as one short line."""
    text = " ".join((reply if isinstance(reply, str) else json.dumps(reply)).split())
    return f"“{text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}”"


def _steps(
    env: Any, start: Mapping[str, np.ndarray], actions: list[str]
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Plays actions from a start; yields the index of each and the resulting info."""
    numbers = [env.action_names.index(name) for name in actions]
    yield 0, env.reset(options={"state": start})[1]
    for number in numbers:
        yield number, env.step(number)[-1]

"""Text adapter of Crafter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crafter.games.crafter.env import Env
from crafter.games.crafter.planner import Planner
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.rules import Rules, load
from crafter.games.crafter.text.perception import CrafterPerception
from crafter.games.crafter.text.words import CrafterWriter, words_of
from crafter.lm.game import TextGame


def make_starts(rules: Rules) -> Callable[[int], dict[str, Any]]:
    """Returns a function that makes the first game of a seed in compiled code.

    Raises:
      ImportError: If numba is missing.
      ValueError: If the compiled engine does not support the rules.
    """
    from crafter.games.crafter.cpu.env import VectorEnv  # Only batches need numba.

    games = VectorEnv(1, rules=rules, threads=1)

    def start(seed: int) -> dict[str, Any]:
        games.reset(seed=seed)
        return games.get_state()[0]

    return start


GAME = TextGame(
    name="crafter",
    load=load,
    restore=Rules,
    make_env=lambda seed, rules: Env(seed=seed, events=True, rules=rules),
    make_words=words_of,
    perception=CrafterPerception,
    writer=CrafterWriter,
    score="craftaxlm",
    scripted=ScriptedPlayer,
    make_starts=make_starts,
    planner=lambda goal, attempt: Planner(goal, attempt.monitor, attempt.view),
)

"""Many conversations at once, in worker processes on all cores.

Texts describe events, such as what blocked a step or who attacked, which only the
object-oriented games record; texts are composed in Python, which uses one core. Each
process therefore plays a share of the games, and each game is a single `Conversation`.
A game that follows another one with the same settings restarts it, in a world made by
the compiled engine if there is one.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from crafter.core.cores import cores
from crafter.core.validation import fail, integer
from crafter.lm.game import find
from crafter.lm.trainers import Conversation, settings_of

_SEEDS = 2**31  # of random worlds


class Outcome(NamedTuple):
    """The result of a reply.

    text: The model's next input.
    reward: Same as `Conversation.reward`.
    terminated: Whether the game itself is over.
    truncated: Whether the game was cut off, for example by a limit.
    error: Kind of parse error of the reply, if any.
    metrics: Metrics of the whole game when it is over; else empty.
    """

    text: str
    reward: float
    terminated: bool
    truncated: bool
    error: str | None
    metrics: dict[str, float]


class Conversations:
    """Many games as conversations; each behaves like a single `Conversation`.

    Programs must guard their main part with `if __name__ == "__main__":`, since the
    worker processes import it.

    Args:
      processes: Number of processes; by default one per core.
      **settings: Arguments of `Conversation` for all games.

    Raises:
      ValueError: If the number of processes is invalid.

    Example:
      >>> from crafter.lm.trainers import rows
      >>> with Conversations(1, style="direct", max_actions=20) as talks:
      ...     openings = talks.reset(list(rows(2)))
      ...     outcomes = talks.reply(["move_right", "Action: move_left x30"])
      >>> [outcome.truncated for outcome in outcomes]
      [False, False]
    """

    def __init__(self, processes: int | None = None, **settings: Any) -> None:
        count = integer("processes", cores() if processes is None else processes, 1)
        context = get_context("spawn")
        self._pools = [ProcessPoolExecutor(1, context) for _ in range(count)]
        self._settings, self._count = settings, 0

    def reset(
        self, rows: Sequence[Mapping[str, Any]], which: Sequence[int] | None = None
    ) -> list[str]:
        """Starts games: all of them, or some that are over or abandoned.

        Args:
          rows: Settings of each game, such as `seed`, `game` and `task`; see
            `crafter.lm.trainers.rows`. Without a seed, each game has a new world.
          which: Indices of the games to replace, one per row; by default all, with as
            many games as rows.

        Returns:
          The opening of each: the system prompt and the first observation.

        Raises:
          ValueError: If an argument is invalid. Other games may have started by then.
        """
        if which is None:
            self._count = len(rows)
        starts = [settings_of(row, **self._settings) for row in rows]
        return self._ask(_reset, "rows", starts, which)

    def reply(
        self, texts: Sequence[str], which: Sequence[int] | None = None
    ) -> list[Outcome]:
        """Executes replies of the model.

        Args:
          texts: One reply per game. A game that is over only says so, as always.
          which: Indices of the games to reply to, each once; by default all. The others
            wait.

        Raises:
          ValueError: If the number of texts is wrong, or there is no such game.
        """
        return self._ask(_reply, "texts", texts, which)

    def close(self) -> None:
        """Stops the processes."""
        for pool in self._pools:
            pool.shutdown()

    def __enter__(self) -> Conversations:
        """Returns self."""
        return self

    def __exit__(self, *error: object) -> None:
        """Stops the processes."""
        self.close()

    def _ask(
        self,
        function: Callable[[int, Any], Any],
        name: str,
        values: Sequence[Any],
        which: Iterable[int] | None,
    ) -> list[Any]:
        """Calls a function with each game and its value, in the game's process."""
        games = list(range(self._count) if which is None else which)
        if set(games) - set(range(self._count)) or len(set(games)) < len(games):
            fail("which", f"numbers below {self._count}, each once", which)
        if len(games) != len(values):
            fail(name, f"one for each of {len(games)} games", len(values))
        asked = [
            self._pools[game % len(self._pools)].submit(function, game, value)
            for game, value in zip(games, values)
        ]
        return [answer.result() for answer in asked]


# Within a worker process: its games, and their settings without the seed.

_talks: dict[int, Conversation] = {}
_settings: dict[int, dict[str, Any]] = {}


def _reset(game: int, settings: dict[str, Any]) -> str:
    seed = settings.pop("seed", None)
    if _settings.get(game) == settings:
        _restart(_talks[game], seed)
    else:
        _talks[game] = Conversation(**settings, seed=seed)
        _settings[game] = settings
    return _talks[game].opening


def _restart(talk: Conversation, seed: int | None) -> None:
    """Starts another game with the same settings."""
    if seed is None:
        seed = int(np.random.default_rng().integers(_SEEDS))
    aci = talk.aci
    make = None if aci.task_env else _maker(aci.text_game.name, aci.rules)
    if make is None:
        talk.restart(seed)
    else:
        talk.restart(options={"state": make(seed)})


@functools.cache
def _maker(game: str, rules: Any) -> Callable[[int], Any] | None:
    """Returns a function that makes worlds in compiled code, if there is one."""
    make_starts = find(game).make_starts
    with contextlib.suppress(ImportError, ValueError):  # not with all rules
        return make_starts and make_starts(rules)
    return None


def _reply(game: int, text: str) -> Outcome:
    talk = _talks[game]
    turn = talk.reply(text)
    return Outcome(
        turn.text,
        talk.reward,
        turn.terminated,
        turn.truncated,
        turn.error and turn.error.kind,
        talk.metrics() if turn.done else {},
    )

"""Many conversations at once, in processes that share the cores.

Texts tell events, such as what blocked a step or who struck, and only the
object-oriented games record those; the words are put together in Python, which uses one
core. So each process has a share of the games, and a game is the single `Conversation`
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

from crafter.core.cores import cores
from crafter.core.validation import fail, integer
from crafter.lm.trainers import Conversation, settings_of


class Outcome(NamedTuple):
    """The result of a reply.

    Attributes:
      text: What the model is told.
      reward: As `Conversation.reward`.
      terminated: Whether the game itself is over.
      truncated: Whether something else ended it, such as a limit.
      error: Kind of the error if the reply was not understood.
      metrics: Those of the whole game once it is over; else empty.
    """

    text: str
    reward: float
    terminated: bool
    truncated: bool
    error: str | None
    metrics: dict[str, float]


class Conversations:
    """Many games as conversations, each the one that `Conversation` would be.

    Programs that use it guard their main part with `if __name__ == "__main__":`, since
    the processes import it.

    Args:
      processes: How many play; by default one per core.
      **settings: Arguments of `Conversation` for all games.

    Raises:
      ValueError: If the number of processes is impossible.

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
        """Starts games: all of them, or some that are over or given up.

        Args:
          rows: What each game has of its own, such as `seed`, `game` and `task`; see
            `crafter.lm.trainers.rows`. Without a seed every game has a new world.
          which: Numbers of the games to replace, one per row; by default there are as
            many games as rows from now on.

        Returns:
          The opening of each: the system prompt and the first observation.

        Raises:
          ValueError: If an argument is impossible. Other games may have started then.
        """
        if which is None:
            self._count = len(rows)
        starts = [settings_of(row, **self._settings) for row in rows]
        return self._ask(_reset, "rows", starts, which)

    def reply(
        self, texts: Sequence[str], which: Sequence[int] | None = None
    ) -> list[Outcome]:
        """Carries out replies of the model.

        Args:
          texts: One per game. A game that is over only says so, as a single one does.
          which: Numbers of the games that they are for, each once; by default all. The
            others wait.

        Raises:
          ValueError: If there are more or fewer texts than games, or no such game.
        """
        return self._ask(_reply, "texts", texts, which)

    def close(self) -> None:
        """Ends the processes."""
        for pool in self._pools:
            pool.shutdown()

    def __enter__(self) -> Conversations:
        """Returns itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Ends the processes."""
        self.close()

    def _ask(
        self,
        function: Callable[[int, Any], Any],
        name: str,
        values: Sequence[Any],
        which: Iterable[int] | None,
    ) -> list[Any]:
        """Calls a function with each game and its value, in the process of the game."""
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


# In a process: its games.

_talks: dict[int, Conversation] = {}


def _reset(game: int, settings: dict[str, Any]) -> str:
    _talks[game] = Conversation(**settings)
    return _talks[game].opening


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

"""Executes a list of actions until something stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crafter.lm.parsing.parse import Command
from crafter.lm.play import stops
from crafter.lm.play.session import Session
from crafter.lm.play.stops import Stop
from crafter.lm.rendering.facts import StepRecord
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.phrases import packed
from crafter.lm.rendering.words import LIMITS

#: Condition of a macro -> the stop event that it stands for.
_MEANT = {"blocked": {"blocked"}, "awake": {"woke"}}


class Ending(NamedTuple):
    """Why the execution of a batch ended.

    Attributes:
      reason: A name of `stops.REASONS`, `done`, or `None` if all was carried out.
      skipped: Commands that were not carried out.
      note: A sentence about it; empty if nothing was left out.
    """

    reason: str | None = None
    skipped: tuple[str, ...] = ()
    note: str = ""


class Batch:
    """Carries out commands in a game.

    Args:
      session: The game.
      advance: Takes one step by the name of its action.
      stop_on: Names of `stops.REASONS` that end a batch.
    """

    def __init__(
        self,
        session: Session,
        advance: Callable[[str], StepRecord],
        stop_on: frozenset[str],
    ) -> None:
        self._session, self._advance, self._stop_on = session, advance, stop_on

    def play(self, commands: Sequence[Command]) -> Ending:
        """Carries out commands until something stops them."""
        for number, command in enumerate(commands, 1):
            stop = self._play_one(command)
            if self._session.over:
                reason = self._session.words.ending(self._session.history.reason)
                stop = Stop("done", reason)
            rest = [str(command) for command in commands[number:]]
            if stop and (rest or self._session.over or command.until):
                left_out = ", ".join(packed(rest))
                note = f"Stopped after {number} of {len(commands)} actions: "
                note += f"{stop.told}; not executed: {left_out}."
                return Ending(stop.reason, tuple(rest), note if rest else "")
        return Ending()

    def _play_one(self, command: Command) -> Stop | None:
        """Carries out a command; a macro until its condition or a reason to stop."""
        if command.until is None:
            return self._step(command.action, self._stop_on)
        stop_on = self._stop_on - _MEANT.get(command.until, set())
        for _ in range(LIMITS["until"]):
            stop = self._step(command.action, stop_on)
            if stop or self._session.over or self._fulfilled(command.until):
                return stop
        return None

    def _step(self, action: str, stop_on: frozenset[str]) -> Stop | None:
        session = self._session
        record = self._advance(action)
        found = stops.reasons(record, session.before, session.moment, session.words)
        return next((stop for stop in found if stop.reason in stop_on), None)

    def _fulfilled(self, condition: str) -> bool:
        """Returns whether the condition of a macro holds after the latest step."""
        session = self._session
        now = session.moment.snapshot
        if condition == "awake":
            return not session.moment.idle
        if condition == "day":
            return bool(now.daylight >= session.words.book.time["dark"])
        if condition == "blocked":
            events = session.history.records[-1].events
            return any(event["type"] == "blocked" for event in events)
        return _changed(session.before, session.moment, session.words.vitals)


def _changed(before: Moment, after: Moment, vitals: tuple[str, ...]) -> bool:
    """Returns whether a step changed the items or what is in front."""
    had, has = before.inventory, after.inventory
    items = [name for name in has if name not in vitals]
    return any(has[n] != had[n] for n in items) or after.front != before.front

"""Makes the observations of a session."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from crafter.lm.play.session import Session
from crafter.lm.rendering.facts import Style
from crafter.lm.rendering.observation import Observation

CELL = 64  # pixels of a cell in pictures
_FALLING = 10  # steps within which a fall of a vital is told


class Observer:
    """Says what an agent may know of the present moment of a game.

    Args:
      session: The game.
      style: How it is told.
      hints: Tell which actions would have an effect.
      memory_map: Add a map of everything seen so far.
      privileged: Tell also what players cannot see.
      images: Draw a picture for each observation at once.
    """

    def __init__(
        self,
        session: Session,
        style: Style,
        *,
        hints: bool = False,
        memory_map: bool = False,
        privileged: bool = False,
        images: bool = False,
    ) -> None:
        self._session, self._style = session, style
        self._hints, self._memory_map = hints, memory_map
        self._privileged, self._images = privileged, images

    def observe(
        self, first: int | None = None, notes: Iterable[str] = ()
    ) -> Observation:
        """Makes the observation of the present moment.

        Args:
          first: Steps taken when the call began; none of them is told by default.
          notes: Sentences of the interface.
        """
        session, moment = self._session, self._session.moment
        snapshot, history = moment.snapshot, session.history
        hidden = session.perception.privileged(snapshot) if self._privileged else None
        observation = Observation(
            step=snapshot.step,
            step_limit=session.step_limit,
            calls_left=session.limits.calls_left,
            clock=snapshot.clock,
            daylight=moment.daylight,
            facing=moment.facing,
            asleep=snapshot.sleeping,
            inventory=dict(moment.inventory),
            limits=dict(moment.limits),
            rows=moment.rows,
            things=moment.things,
            falling=self._falling(),
            steps=tuple(history.records[first:]) if first is not None else (),
            status=moment.status,
            achievements=snapshot.unlocked,
            done=session.over,
            reason=history.reason,
            goal=None if session.quest is None else session.quest.goal,
            notes=tuple(notes),
            privileged=hidden,
            style=self._style,
            words=session.words,
            picture=self._painter(),
            published=self._published(),
        )
        return self._extended(observation)

    def map(self) -> str:
        """Returns a map of everything seen so far."""
        snapshot, words = self._session.moment.snapshot, self._session.words
        facing = self._session.moment.facing
        return self._session.history.memory.draw(snapshot.step, facing, words.glyphs())

    def _extended(self, observation: Observation) -> Observation:
        """Adds what follows from the observation itself."""
        history = self._session.history
        history.memory.look(observation)
        history.observed.append(self._session.steps)
        extra: dict[str, Any] = {}
        if self._memory_map:
            extra["memory"] = self.map()
        if self._hints:
            extra["available"] = self._session.game.hints(observation)
        return dataclasses.replace(observation, **extra) if extra else observation

    def _falling(self) -> tuple[str, ...]:
        recent = self._session.history.records[-_FALLING:]
        fell = {
            event["name"]
            for record in recent
            for event in record.events
            if event["type"] == "vital" and event["to"] < event["frm"]
        }
        if any(e["type"] == "hurt" for record in recent for e in record.events):
            fell.add("health")
        return tuple(name for name in self._session.words.vitals if name in fell)

    def _while_it_lasts(self, write: Callable[..., Any]) -> Callable[..., Any]:
        """Makes a function fail once the game has gone on from this moment."""
        session, moment = self._session, self._session.moment

        def checked(*args: Any) -> Any:
            if session.moment is not moment:
                raise ValueError(
                    "The game has gone on, so this observation cannot be drawn or "
                    "written any more. Do it at once, or make the interface with "
                    "images=True."
                )
            return write(*args)

        return checked

    def _painter(self) -> Callable[[tuple[int, int] | None], np.ndarray]:
        """Returns a function that draws the present moment as long as it lasts."""
        default, draw = picture_size(self._session), self._session.env.frame
        ready, late = (
            draw(default) if self._images else None,
            self._while_it_lasts(draw),
        )

        def paint(size: tuple[int, int] | None) -> np.ndarray:
            size = default if size is None else size
            picture: np.ndarray
            if ready is not None and tuple(size) == default:
                return ready
            picture = late(size)
            return picture

        return paint

    def _published(self) -> Callable[[], str] | None:
        """Returns a function that writes the present moment in published words."""
        published, env = self._session.game.published, self._session.env
        if published is None:
            return None
        return self._while_it_lasts(lambda: published(env))


def picture_size(session: Session) -> tuple[int, int]:
    """Returns width and height of pictures in pixels."""
    columns, rows = session.game.cells(session.env)
    return CELL * columns, CELL * rows

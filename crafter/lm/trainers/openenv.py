"""OpenEnv: a server of games, `uvicorn crafter.lm.trainers.openenv:app`.

Every session has a game of its own. `reset` takes what `Conversation` takes: `seed`,
`game`, `task`, `difficulty` and so on.

Source: the documentation of openenv 0.10.
"""

from __future__ import annotations

from typing import Any

from openenv.core.env_server import (
    Action,
    Environment,
    Observation,
    State,
    create_app,
)

from crafter.lm.trainers import Conversation, settings_of

SESSIONS = 64


class CrafterAction(Action):
    """A reply of a model."""

    text: str


class CrafterObservation(Observation):
    """What the model is told.

    Attributes:
      text: The observation; the first one has the system prompt before it.
      error: Kind of the error if the reply was not understood.
      achievements: Names of those unlocked so far.
    """

    text: str
    error: str | None = None
    achievements: list[str] = []  # noqa: RUF012


class CrafterEnvironment(Environment):
    """A game of a session.

    Args:
      **settings: Arguments of `Conversation` for all games.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._settings = settings
        self._talk = Conversation(**settings)
        self._state = State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **row: Any
    ) -> CrafterObservation:
        """Starts a game: of a seed, or one that nobody chose."""
        own = settings_of({"seed": seed, **row}, **self._settings)
        self._talk = Conversation(**own)
        self._state = State(episode_id=episode_id)
        return CrafterObservation(text=self._talk.opening, reward=0.0)

    def step(
        self, action: CrafterAction, timeout_s: float | None = None, **kwargs: Any
    ) -> CrafterObservation:
        """Carries out a reply."""
        turn = self._talk.reply(action.text)
        aci = self._talk.aci
        self._state.step_count = aci.steps_taken
        return CrafterObservation(
            text=turn.text,
            done=turn.done,
            reward=self._talk.reward,
            error=turn.error and turn.error.kind,
            achievements=[name for name, count in aci.achievements.items() if count],
        )

    @property
    def state(self) -> State:
        """Episode and steps."""
        return self._state


app = create_app(
    CrafterEnvironment,
    CrafterAction,
    CrafterObservation,
    env_name="crafter",
    max_concurrent_envs=SESSIONS,
)

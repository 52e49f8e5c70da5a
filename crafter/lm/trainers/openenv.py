"""OpenEnv: a server of games, `crafter-lm openenv`, and its client.

Each session has its own game. `reset` takes the arguments of `Conversation`: `seed`,
`game`, `task`, `difficulty` and so on; or `split` and `index` of a task in the
catalogue, as listed by the server's task routes. Clients cannot access files of the
server: tasks must be names or expressions, rules names or mappings.

Source: the documentation of openenv 0.10.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from crafter.core.validation import one_of
from crafter.lm import game as games
from crafter.lm.rendering.observation import Observation as GameObservation
from crafter.lm.trainers import Conversation, settings_of
from crafter.tasks import game as task_games
from crafter.tasks.catalogue.files import levels
from crafter.tasks.catalogue.tasks import all_tasks

try:
    import uvicorn
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import (
        Action,
        Environment,
        Observation,
        State,
        create_app,
    )
except ImportError as error:
    raise ImportError(
        "The server needs OpenEnv: pip install 'crafter[openenv]'"
    ) from error

SESSIONS = 64
#: Split of scenes -> OpenEnv's name of its kind.
SPLITS = {"train": "train", "val": "validation", "test": "test"}


class CrafterAction(Action):
    """A reply of a model."""

    text: str


class CrafterObservation(Observation):
    """What the model is told.

    Attributes:
      text: The observation; the first one has the system prompt before it.
      error: Kind of the error if the reply was not understood.
      achievements: Names of those unlocked so far.
      legal_actions: Names of the actions that may have an effect now.
      image: The picture as the data URI of a PNG, if the games have `images=True`.
    """

    text: str
    error: str | None = None
    achievements: list[str] = []  # noqa: RUF012
    legal_actions: list[str] = []  # noqa: RUF012
    image: str | None = None


@functools.cache
def tasks(split: str, game: str = games.DEFAULT) -> tuple[dict[str, Any], ...]:
    """Returns the tasks of the catalogue on all levels, in OpenEnv's format.

    Args:
      split: Split of their scenes: `train`, `val` or `test`.
      game: Name of the game.

    Raises:
      IndexError: If there is no such split.
    """
    if split not in SPLITS:
        raise IndexError(f"Expected one of the splits {list(SPLITS)}, got {split!r}.")
    names, text_game = all_tasks(task_games.find(game)), games.find(game)
    pairs = [(name, level) for name in names for level in levels()]
    return tuple(
        {
            "id": f"{split}-{name}-{level}",
            "index": index,
            "task": name,
            "difficulty": level,
            "text": text_game.task(name, level).text(),
        }
        for index, (name, level) in enumerate(pairs)
    )


class CrafterEnvironment(Environment[CrafterAction, CrafterObservation, State]):
    """The game of a session.

    Args:
      **settings: Arguments of `Conversation` for all games.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._settings = settings
        self._talk: Conversation | None = None
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        index: int | None = None,
        **row: Any,
    ) -> CrafterObservation:
        """Starts a game from a seed, or a random one.

        Args:
          seed: Seed of the world; with a task the number of its scene.
          episode_id: Id chosen by the client.
          index: Index of a task in a split, see `tasks`.
          **row: Further arguments of `Conversation`.

        Raises:
          ValueError: If an argument is invalid, or names a file.
        """
        if index is not None:
            task = self.get_task(one_of("split", row.get("split"), SPLITS), index)
            row |= {name: task[name] for name in ("task", "difficulty")}
        games.refuse_file(row.get("task"))
        settings = settings_of({"seed": seed, **row}, **self._settings)
        if isinstance(rules := row.get("rules"), str):
            tables = games.find(settings.get("game", games.DEFAULT)).load(None)
            one_of("rules", rules, tables.variants)
        self._talk = Conversation(**settings)
        self._state = State(episode_id=episode_id)
        return _observe(self._talk, self._talk.aci.starting_obs, self._talk.opening)

    def step(
        self, action: CrafterAction, timeout_s: float | None = None, **kwargs: Any
    ) -> CrafterObservation:
        """Executes a reply.

        Raises:
          ValueError: Before the first `reset`.
        """
        if self._talk is None:
            raise ValueError("No game has begun: call reset first.")
        turn = self._talk.reply(action.text)
        self._state.step_count = self._talk.aci.steps_taken
        error = turn.error and turn.error.kind
        return _observe(self._talk, turn.observation, turn.text, error=error)

    @property
    def state(self) -> State:
        """Episode and step count."""
        return self._state

    # Tasks of the catalogue.

    def list_splits(self) -> list[dict[str, str]]:
        """Returns the splits of scenes."""
        return [{"name": name, "type": kind} for name, kind in SPLITS.items()]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Returns all tasks of a split."""
        return list(self._tasks(split))

    def _tasks(self, split: str) -> tuple[dict[str, Any], ...]:
        return tasks(split, self._settings.get("game", games.DEFAULT))

    def num_tasks(self, split: str) -> int:
        """Returns the number of tasks in a split."""
        return len(self._tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Returns one task of a split.

        Raises:
          IndexError: If there is none.
        """
        return self._tasks(split)[index]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> Sequence[dict[str, Any]]:
        """Returns a slice of the tasks of a split."""
        return list(self._tasks(split)[start:stop])


def _observe(
    talk: Conversation, seen: GameObservation, text: str, error: str | None = None
) -> CrafterObservation:
    """Returns the observation for a client."""
    aci = talk.aci
    return CrafterObservation(
        text=text,
        done=talk.done,
        reward=talk.reward,
        error=error,
        achievements=[name for name, count in aci.achievements.items() if count],
        legal_actions=[] if talk.done else list(aci.available()),
        image=seen.image_uri() if aci.images else None,
    )


class CrafterClient(EnvClient[CrafterAction, CrafterObservation, State]):
    """A session with a server.

    Args:
      base_url: Address of the server; further arguments as for
        `openenv.core.EnvClient`.
    """

    def _step_payload(self, action: CrafterAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[CrafterObservation]:
        outcome = {"reward": payload.get("reward"), "done": payload.get("done", False)}
        observation = CrafterObservation(**{**payload["observation"], **outcome})
        return StepResult(observation=observation, **outcome)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def make_app(sessions: int = SESSIONS, **settings: Any) -> Any:
    """Returns the server application.

    Args:
      sessions: Maximum number of concurrent sessions.
      **settings: Default arguments of `Conversation`; clients may override them.

    Raises:
      ValueError: If an argument is invalid.
    """
    return create_app(
        functools.partial(CrafterEnvironment, **settings),
        CrafterAction,
        CrafterObservation,
        env_name="crafter",
        max_concurrent_envs=sessions,
    )


def serve(host: str, port: int, sessions: int = SESSIONS, **settings: Any) -> None:
    """Serves games until interrupted; arguments as for `make_app`."""
    uvicorn.run(make_app(sessions, **settings), host=host, port=port)

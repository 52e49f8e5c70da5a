"""NeMo Gym: a resources server of games, played by its `gymnasium_agent`.

The folder `scripts/nemo_package` contains the configuration and example rows; see
docs/trainers.md.

Source: the documentation of nemo-gym 0.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.openai_utils import NeMoGymResponse
from resources_servers.gymnasium import GymnasiumServer, extract_text

from crafter.lm.trainers import Conversation, settings_of
from crafter.lm.trainers import rows as starts

#: The agent, as named in the package's configuration.
AGENT = {"type": "responses_api_agents", "name": "crafter_gymnasium_agent"}


class CrafterConfig(BaseResourcesServerConfig):
    """Configuration of the server.

    Attributes:
      crafter: Arguments of `Conversation` for all games.
    """

    crafter: dict[str, Any] = {}  # noqa: RUF012


class CrafterServer(GymnasiumServer):
    """One game per session.

    A row of the data set holds arguments of `Conversation` under `crafter`, such as
    `seed`, `game` and `task`.
    """

    config: CrafterConfig

    async def reset(
        self, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Starts the game of a row; the first observation follows the rules."""
        settings = settings_of(metadata.get("crafter"), **self.config.crafter)
        self.session_state[session_id] = talk = Conversation(**settings)
        return talk.opening, {}

    async def step(
        self,
        action: NeMoGymResponse,
        metadata: dict[str, Any],
        session_id: str | None = None,
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Executes a reply; the info has `error` and the metrics.

        Raises:
          ValueError: If the session has no game.
        """
        talk = self.session_state.get(session_id)
        if talk is None:
            raise ValueError("No game has begun: call /reset first.")
        turn = talk.reply(extract_text(action))
        info = {"error": turn.error and turn.error.kind, **talk.metrics()}
        text = None if turn.done else turn.text
        return text, talk.reward, turn.terminated, turn.truncated, info


def rows(count: int, first_seed: int = 0, **settings: Any) -> Iterator[dict[str, Any]]:
    """Yields rows of a data set, one line of JSON each; see `crafter.lm.trainers.rows`.

    Raises:
      ValueError: If a game cannot be started with these settings.
    """
    Conversation(**settings)
    for row in starts(count, first_seed, **settings):
        yield {
            "responses_create_params": {"input": []},
            "crafter": row,
            "agent_ref": AGENT,
        }

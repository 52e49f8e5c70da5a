"""This package as one side of a comparison; the other is in published.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import crafter
from reference.trace import (
    KINDS,
    Moment,
    chunk_list,
    counts,
    info_values,
    object_rows,
    player_values,
    random_words,
)

# What the last column of the field "objects" is, for the kinds that have such a thing.
COUNTERS = {"zombie": "cooldown", "skeleton": "reload", "plant": "grown"}


class OurSide:
    """Our environment, as a `trace.Side`.

    Args:
        arguments: Arguments of `crafter.Env`.
        textures: Folder of a texture pack; our own textures when None.

    Attributes:
        env: The environment.
        info: Info of the latest reset or step.
    """

    def __init__(self, arguments: dict[str, Any], textures: Path | str | None = None):
        self.env = crafter.Env(**arguments, textures=textures)
        self.info: dict[str, Any] = {}

    def reset(self) -> Moment:
        """Start the next episode and return its first moment."""
        observation, self.info = self.env.reset()
        return self._moment(observation, 0.0, False)

    def step(self, action: int) -> Moment:
        """Carry out an action and return the moment after it."""
        observation, reward, dead, over, self.info = self.env.step(action)
        return self._moment(observation, reward, dead or over)

    def _moment(self, observation: Any, reward: float, done: bool) -> Moment:
        env, world, info = self.env, self.env.world, self.info
        assert world is not None
        return {
            "step": env.step_count,
            "daylight": env.daylight,
            "materials": world.materials.copy(),
            "objects": object_rows(map(object_row, world.objects)),
            "chunks": chunk_list(
                (bounds, (member.id for member in chunk.members))
                for bounds, chunk in world.chunks.items()
            ),
            "random": random_words(world.random.get_state()),
            "player": self._player(),
            "inventory": counts(info["inventory"]),
            "achievements": counts(info["achievements"]),
            "unlocked": sorted(env.unlocked),
            "reward": reward,
            "done": done,
            "info": info_values(info),
            "semantic": info["semantic"],
            "observation": observation,
        }

    def _player(self) -> list:
        player = self.env.player
        assert player is not None
        counters = (player.hunger, player.thirst, player.fatigue, player.recover)
        values = (player.sleeping, *counters, player.last_health)
        return player_values(values)


def object_row(obj: Any) -> tuple[int, ...]:
    """Describe one of our objects in the columns of a trace."""
    facing = obj.facing if obj.kind in ("player", "arrow") else (0, 0)
    counter = getattr(obj, COUNTERS[obj.kind]) if obj.kind in COUNTERS else 0
    kind = KINDS.index(obj.kind)
    return (obj.id, kind, *obj.position, obj.health, *facing, counter)

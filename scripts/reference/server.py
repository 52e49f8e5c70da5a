"""The process in which Crafter 1.8.3 plays; `reference.published` starts it.

It is run as a module with the folder where the package is installed. Requests come from
the standard input and answers go to the standard output, pickled; whatever the package
prints goes to the standard error.
"""

from __future__ import annotations

import collections
import functools
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, MutableSet
from pathlib import Path
from typing import Any, BinaryIO

from reference.published import import_published
from reference.trace import (
    KINDS,
    Game,
    Moment,
    Trace,
    chunk_list,
    counts,
    info_values,
    moment_at,
    moments,
    object_rows,
    player_values,
    random_words,
    record,
)


class InsertionOrderedSet(MutableSet):
    """A set that is iterated in the order in which its members were added."""

    def __init__(self, members: Iterable[Any] = ()):
        self._members = dict.fromkeys(members)

    def __contains__(self, member: object) -> bool:
        return member in self._members

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def add(self, member: Any) -> None:
        """Add a member at the end, unless it is there."""
        self._members[member] = None

    def discard(self, member: Any) -> None:
        """Remove a member if it is there."""
        self._members.pop(member, None)


def keep_insertion_order(crafter: Any) -> None:
    """Make the chunks of all new published worlds keep insertion order."""
    world = crafter.engine.World
    published_reset = world.reset

    @functools.wraps(published_reset)
    def reset(self: Any, *args: Any, **kwargs: Any) -> None:
        published_reset(self, *args, **kwargs)
        assert not self._chunks, "A world is expected to be empty after its reset."
        self._chunks = collections.defaultdict(InsertionOrderedSet)

    world.reset = reset


class PublishedSide:
    """The published environment, as a `trace.Side`.

    Args:
        crafter: The published module.
        arguments: Arguments of its `Env`.
        textures: Folder of a texture pack; its own images when None.
    """

    def __init__(self, crafter: Any, arguments: dict[str, Any], textures: Any = None):
        with_textures = crafter.engine.Textures
        if textures is not None:
            crafter.engine.Textures = lambda _: with_textures(Path(textures))
        try:
            self._env = crafter.Env(**arguments)
        finally:
            crafter.engine.Textures = with_textures

    def reset(self) -> Moment:
        """Start the next episode and return its first moment."""
        observation = self._env.reset()
        player = self._env._player
        info = {
            "inventory": player.inventory,
            "achievements": player.achievements,
            "discount": 1.0,
            "semantic": self._env._sem_view(),
            "player_pos": player.pos,
            "reward": 0.0,
        }
        return self._moment(observation, 0.0, False, info)

    def step(self, action: int) -> Moment:
        """Carry out an action and return the moment after it."""
        return self._moment(*self._env.step(action))

    def _moment(
        self, observation: Any, reward: float, done: Any, info: dict[str, Any]
    ) -> Moment:
        env, world, player = self._env, self._env._world, self._env._player
        index = {id(obj): i for i, obj in enumerate(world._objects) if obj}
        return {
            "step": int(env._step),
            "daylight": float(world.daylight),
            "materials": world._mat_map,
            "objects": object_rows(
                object_row(i, obj) for i, obj in enumerate(world._objects) if obj
            ),
            "chunks": chunk_list(
                (key, (index[id(member)] for member in members))
                for key, members in world.chunks.items()
            ),
            "random": random_words(world.random.get_state()),
            "player": player_values(
                (
                    player.sleeping,
                    player._hunger,
                    player._thirst,
                    player._fatigue,
                    player._recover,
                    player._last_health,
                )
            ),
            "inventory": counts(info["inventory"]),
            "achievements": counts(info["achievements"]),
            "unlocked": sorted(env._unlocked),
            "reward": float(reward),
            "done": bool(done),
            "info": info_values(info),
            "semantic": info["semantic"],
            "observation": observation,
        }


def object_row(index: int, obj: Any) -> tuple[int, ...]:
    """Describe an object of the published package in the columns of a trace."""
    kind = type(obj).__name__.lower()
    facing = obj.facing if kind in ("player", "arrow") else (0, 0)
    counters = {"zombie": "cooldown", "skeleton": "reload", "plant": "grown"}
    counter = getattr(obj, counters[kind]) if kind in counters else 0
    return (index, KINDS.index(kind), *obj.pos, obj.health, *facing, counter)


class Server:
    """Answers the questions of `Published` in the other process.

    Args:
        crafter: The published module.
    """

    def __init__(self, crafter: Any):
        self._crafter = crafter

    def play(self, game: Game, textures: Any) -> Trace:
        """Play a game and return its trace."""
        return record(moments(self._side(game, textures), game))

    def moment_at(self, game: Game, row: int, textures: Any) -> Moment:
        """Play a game up to a row of its trace and return that moment."""
        return moment_at(self._side(game, textures), game, row)

    def facts(self) -> dict[str, Any]:
        """Return what does not change during a game."""
        env = self._crafter.Env(seed=0)
        return {
            "action names": list(env.action_names),
            "observation space": [int(n) for n in env.observation_space.shape],
        }

    def serve(self, requests: BinaryIO, answers: BinaryIO) -> None:
        """Answer requests until there are no more."""
        while True:
            try:
                name, arguments = pickle.load(requests)
            except EOFError:
                return
            pickle.dump(self._answer(getattr(self, name), arguments), answers)
            answers.flush()

    def _answer(self, method: Callable[..., Any], arguments: Any) -> tuple[str, Any]:
        try:
            return "", method(*arguments)
        except Exception:  # Whatever it is, it is raised again on the other side.
            return traceback.format_exc(), None

    def _side(self, game: Game, textures: Any) -> PublishedSide:
        return PublishedSide(self._crafter, game.arguments, textures)


def main() -> None:
    """Serve the package of the folder on the command line."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    crafter = import_published(Path(sys.argv[1]))
    keep_insertion_order(crafter)
    Server(crafter).serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

"""Crafter 1.8.3, the published package, as a partner for comparisons.

It has the import name of this package, so it is installed on request into a folder of
its own and plays in a process of its own. The old `gym` is not needed: the package only
registers itself there.

The published package keeps the members of a chunk in sets of objects, which are ordered
by memory address, so that not even it can repeat its own games. For comparisons the
sets are replaced at run time by sets that keep insertion order. All else is used as it
is.
"""

from __future__ import annotations

import argparse
import collections
import functools
import os
import pickle
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, MutableSet
from pathlib import Path
from typing import Any, BinaryIO

from game_trace import (
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

VERSION = "1.8.3"

# What is installed, without dependencies. The package also needs numpy, pillow and
# imageio; ours does too, and both sides shall use the same ones.
REQUIREMENTS = (f"crafter=={VERSION}", "ruamel.yaml>=0.17", "opensimplex==0.4.5.1")


class InstallError(RuntimeError):
    """The published package could not be brought here."""


class PublishedError(RuntimeError):
    """The process of the published package failed."""


def default_folder() -> Path:
    """Return the folder in the user's cache where the package is kept."""
    if os.name == "nt":
        cache = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return cache / "crafter" / f"published-{VERSION}"


def is_installed(folder: Path) -> bool:
    """Tell whether a folder holds the published package."""
    return (folder / f"crafter-{VERSION}.dist-info").is_dir()


def install(folder: Path | str | None = None) -> Path:
    """Install the published package with pip, unless the folder has it already.

    Args:
        folder: Where to install; `default_folder()` when None.

    Returns:
        The folder.

    Raises:
        InstallError: If pip fails, for example because no package index can be
            reached, or if the folder holds something else.
    """
    folder = Path(folder or default_folder()).expanduser().resolve()
    if is_installed(folder):
        return folder
    if folder.is_dir() and any(folder.iterdir()):
        raise InstallError(
            f"{folder} is not empty and does not hold Crafter {VERSION}. Give an empty "
            "or a new folder, or empty this one."
        )
    print(f"Installing Crafter {VERSION} into {folder}", file=sys.stderr)
    partial = folder.with_name(f"{folder.name}.partial")  # The folder is whole or not.
    shutil.rmtree(partial, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--target", str(partial), *REQUIREMENTS]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode or not is_installed(partial):
        raise InstallError(
            f"Crafter {VERSION} could not be installed into {folder}. It needs a "
            f"package index, such as https://pypi.org.\n{result.stderr.strip()}"
        )
    if folder.exists():
        folder.rmdir()  # It is empty.
    return partial.rename(folder)


def texture_folder(folder: Path) -> Path:
    """Return the folder with the published images inside an installation."""
    return folder / "crafter" / "assets"


class Published:
    """The published package in a process of its own.

    Args:
        folder: Where it is installed, as returned by `install`.

    Example:
        with Published(install()) as published:
            trace = published.play(Game({"seed": 0}, actions=[1, 2, 5]))
    """

    def __init__(self, folder: Path):
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--serve", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Published:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, game: Game, textures: Path | str | None = None) -> Trace:
        """Play a game.

        Args:
            game: What to play.
            textures: Folder of a texture pack to render with; its own images when None.

        Returns:
            The trace of the game.
        """
        return self._ask("play", game, textures)

    def moment_at(
        self, game: Game, row: int, textures: Path | str | None = None
    ) -> Moment:
        """Play a game up to a row of its trace and return that moment."""
        return self._ask("moment_at", game, row, textures)

    def facts(self) -> dict[str, Any]:
        """Return what does not change during a game: names of actions, spaces."""
        return self._ask("facts")

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, name: str, *arguments: Any) -> Any:
        assert self._process.stdin and self._process.stdout
        try:
            pickle.dump((name, arguments), self._process.stdin)
            self._process.stdin.flush()
            failure, answer = pickle.load(self._process.stdout)
        except (EOFError, BrokenPipeError) as error:
            raise PublishedError(
                "The process of the published package ended; its message is above."
            ) from error
        if failure:
            raise PublishedError(f"The published package failed:\n{failure}")
        return answer


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


def import_published(folder: Path) -> Any:
    """Import the published package in this process.

    Numba, if there is one, is kept away: the package does not ask for it.

    Args:
        folder: Where it is installed.

    Returns:
        The module `crafter`.
    """
    sys.path.insert(0, str(folder))
    sys.modules["numba"] = None  # type: ignore[assignment]
    import crafter

    if not Path(str(crafter.__file__)).is_relative_to(folder):
        raise PublishedError(f"Expected crafter from {folder}, got {crafter.__file__}.")
    return crafter


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
    """The published environment, as a `game_trace.Side`.

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
    """Install the package, or serve as its process when called by `Published`."""
    parser = argparse.ArgumentParser(description=f"Install Crafter {VERSION}.")
    parser.add_argument("folder", nargs="?", help=f"default: {default_folder()}")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.serve:
        print(install(args.folder))
        return
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    crafter = import_published(Path(args.folder))
    keep_insertion_order(crafter)
    Server(crafter).serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

"""The published package, Crafter 1.8.3, as the reference side of comparisons.

It has the same import name as this package, so it is installed on request into its own
folder and runs in its own process. The old `gym` is not needed: the package only
registers itself there.

The published package keeps the objects of a chunk in sets, whose order depends on
memory addresses, so that it cannot even reproduce its own games. For comparisons the
sets are replaced at run time by sets that keep insertion order. Everything else runs
unchanged.
"""

import collections
import functools
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from reference.trace import Game, Moment, Trace, moment_at, moment_of, moments, record


def texture_folder(folder: Path) -> Path:
    """Return the folder with the published images inside an installation."""
    return folder / "crafter" / "assets"


class Published(ProcessPoolExecutor):
    """The published package in separate processes.

    Args:
        folder: Where it is installed, as returned by `CRAFTER.install`.
        jobs: Number of processes; several threads may submit games.

    Example:
        with Published(CRAFTER.install(CRAFTER.folder)) as published:
            trace = published.play(Game({"seed": 0}, actions=[1, 2, 5]))
    """

    def __init__(self, folder: Path, jobs: int = 1):
        super().__init__(jobs, get_context("spawn"))
        self._folder = folder

    def play(self, game: Game, textures: Path | str | None = None) -> Trace:
        """Play a game.

        Args:
            game: The game to play.
            textures: Folder of the texture pack; the package's own images when None.

        Returns:
            The trace of the game.
        """
        return self.submit(_play, self._folder, game, textures).result()

    def moment_at(
        self, game: Game, row: int, textures: Path | str | None = None
    ) -> Moment:
        """Play a game up to a row of its trace and return that moment."""
        return self.submit(_moment_at, self._folder, game, row, textures).result()


# --- In the worker processes ----------------------------------------------------------


def _play(folder: Path, game: Game, textures: Any) -> Trace:
    side = PublishedSide(_load(folder), game.arguments, textures)
    return record(moments(side, game))


def _moment_at(folder: Path, game: Game, row: int, textures: Any) -> Moment:
    side = PublishedSide(_load(folder), game.arguments, textures)
    return moment_at(side, game, row)


@functools.cache
def _load(folder: Path) -> Any:
    crafter = import_published(folder)
    keep_insertion_order(crafter)
    return crafter


def import_published(folder: Path) -> Any:
    """Import the published package in this process, in place of this one.

    Numba is hidden, since the package does not depend on it.

    Args:
        folder: Where it is installed.

    Returns:
        The module `crafter`.

    Raises:
        ImportError: If it is not in the folder.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "crafter"]:
        del sys.modules[name]  # A new process may import the program that started it.
    sys.path.insert(0, str(folder))
    sys.modules["numba"] = None  # type: ignore[assignment]
    import crafter

    if not Path(str(crafter.__file__)).is_relative_to(folder):
        raise ImportError(f"Expected crafter from {folder}, got {crafter.__file__}.")
    return crafter


class InsertionOrderedSet(dict):
    """A minimal set that keeps insertion order, with what worlds need."""

    remove = dict.pop

    def add(self, member: Any) -> None:
        """Add a member at the end if it is missing."""
        self[member] = None


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
    """The published environment as a side of `trace.moments`.

    Args:
        crafter: The published module.
        arguments: Arguments of its `Env`.
        textures: Folder of a texture pack; the package's own images when None.
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
        return moment_of(self._env, observation, 0.0, False, info)

    def step(self, action: int) -> Moment:
        """Take an action and return the moment after it."""
        return moment_of(self._env, *self._env.step(action))

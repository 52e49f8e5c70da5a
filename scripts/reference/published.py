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

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from reference.releases import CRAFTER, cache_folder
from reference.releases import InstallError as InstallError  # raised by `install`
from reference.trace import Game, Moment, Trace

VERSION = CRAFTER.version


class PublishedError(RuntimeError):
    """The process of the published package failed."""


def default_folder() -> Path:
    """Return the folder in the user's cache where the package is kept."""
    return cache_folder() / f"published-{VERSION}"


def is_installed(folder: Path) -> bool:
    """Tell whether a folder holds the published package."""
    return CRAFTER.is_installed(folder)


def install(folder: Path | str | None = None) -> Path:
    """Install the published package; see `Release.install`.

    Args:
        folder: Where to install; `default_folder()` when None.

    Returns:
        The folder.

    Raises:
        InstallError: If it cannot be installed.
    """
    return CRAFTER.install(folder or default_folder())


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
        scripts = str(Path(__file__).parents[1])
        paths = [scripts, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "reference.server", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
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

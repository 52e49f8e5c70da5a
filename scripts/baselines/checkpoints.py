"""Checkpoints: all that training needs to go on as if it had never stopped."""

from __future__ import annotations

import argparse
import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np

from baselines.games import placed
from baselines.logs import FILES
from baselines.options import settings
from baselines.rollouts import Runner
from crafter.functional import devices

NAME = "checkpoint.npz"


class Saved(NamedTuple):
    """Where training stands.

    Attributes:
        steps: Steps of all games.
        episodes: Episodes that ended.
        seconds: How long it took, over all starts of the program.
        runner: The rest.
    """

    steps: int
    episodes: int
    seconds: float
    runner: Runner


class Keeper:
    """Writes and reads the checkpoint of a folder.

    What is logged after a checkpoint is cut off when training goes on from it. So
    files hold every episode once, wherever the program was stopped.

    Args:
        args: The command line.
        games: The games.
        mesh: The devices.
    """

    def __init__(self, args: argparse.Namespace, games: Any, mesh: Any) -> None:
        self._args, self._games = args, games
        self._path = args.outdir / NAME
        whole = devices.everywhere(mesh)
        self._gather = jax.jit(lambda tree: tree, out_shardings=whole)

    def begin(self, runner: Runner) -> Saved:
        """Returns where training stands, from a runner at its beginning.

        Raises:
            SystemExit: If the folder holds another training, or what is no training.
        """
        if self._path.exists():
            return self._load(runner)
        if any((self._args.outdir / name).exists() for name in FILES):
            sys.exit(
                f"{self._args.outdir} has {' or '.join(FILES)} but no {NAME}, so it is "
                "not a training that can go on. Give another --outdir."
            )
        saved = Saved(0, 0, 0.0, runner)
        self.save(saved)
        return saved

    def save(self, saved: Saved) -> None:
        """Writes the checkpoint; a crash leaves the old one. All processes take part.

        Raises:
            OSError: If it cannot be written.
        """
        runner = jax.device_get(self._gather(saved.runner))
        if jax.process_index():
            return
        rest = jax.tree.leaves(runner._replace(games=()))
        partial = self._path.with_suffix(".partial.npz")
        with partial.open("wb") as file:
            np.savez(
                file,
                steps=saved.steps,
                episodes=saved.episodes,
                seconds=saved.seconds,
                settings=json.dumps(settings(self._args)),
                sizes=np.array([_size(self._args.outdir / name) for name in FILES]),
                **{f"runner/{i}": leaf for i, leaf in enumerate(rest)},
                **self._games.pack(runner.games),
            )
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)

    def _load(self, runner: Runner) -> Saved:
        try:
            with np.load(self._path) as file:
                found = {name: file[name] for name in file}
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            sys.exit(f"{self._path} cannot be read: {error}")
        self._check(json.loads(str(found["settings"])))
        if not jax.process_index():
            for name, size in zip(FILES, found["sizes"].tolist()):
                cut(self._args.outdir / name, size)
        leaves, tree = jax.tree.flatten(runner._replace(games=()))
        rest = [placed(leaf, found[f"runner/{i}"]) for i, leaf in enumerate(leaves)]
        games = self._games.unpack(found, runner.games)
        runner = jax.tree.unflatten(tree, rest)._replace(games=games)
        steps, episodes = int(found["steps"]), int(found["episodes"])
        return Saved(steps, episodes, float(found["seconds"]), runner)

    def _check(self, theirs: dict[str, Any]) -> None:
        ours = settings(self._args)
        names = [n for n in {**theirs, **ours} if theirs.get(n) != ours.get(n)]
        if names:
            other = {name: theirs.get(name) for name in names}
            sys.exit(
                f"{self._path} was made with {other}. Give these, or another --outdir."
            )


def cut(path: Path, size: int) -> None:
    """Cuts off what a file has after so many bytes.

    Raises:
        SystemExit: If the file has not so many.
    """
    if _size(path) < size:
        sys.exit(
            f"{path} has {_size(path)} bytes, fewer than the {size} that were there "
            "when the checkpoint was written. Put it back, or give another --outdir."
        )
    if path.exists():
        os.truncate(path, size)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

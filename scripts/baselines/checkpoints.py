"""Checkpoints: all that training needs to go on as if it had never stopped."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NamedTuple

import jax
from training import archives, files
from training.archives import NAME
from training.starts import TrainingError

from baselines.games import placed
from baselines.logs import FILES
from baselines.options import settings
from baselines.rollouts import Runner
from crafter.functional import devices


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
        try:
            if self._path.exists():
                return self._load(runner)
            files.check_unused(self._args.outdir, FILES, NAME)
        except TrainingError as error:
            sys.exit(str(error))
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
        sizes = files.measure(self._args.outdir, FILES)
        arrays = {
            "steps": saved.steps,
            "episodes": saved.episodes,
            "seconds": saved.seconds,
            **{f"runner/{i}": leaf for i, leaf in enumerate(rest)},
            **self._games.pack(runner.games),
        }
        archives.write(self._path, files.Note(sizes, settings(self._args)), arrays)

    def _load(self, runner: Runner) -> Saved:
        note, found = archives.read(self._path, FILES)
        files.check_settings(self._path, note.settings, settings(self._args))
        if not jax.process_index():
            # What comes after the checkpoint will be played again, to the bit.
            files.cut(self._args.outdir, note.sizes, keep=False)
        leaves, tree = jax.tree.flatten(runner._replace(games=()))
        rest = [placed(leaf, found[f"runner/{i}"]) for i, leaf in enumerate(leaves)]
        games = self._games.unpack(found, runner.games)
        runner = jax.tree.unflatten(tree, rest)._replace(games=games)
        steps, episodes = int(found["steps"]), int(found["episodes"])
        return Saved(steps, episodes, float(found["seconds"]), runner)

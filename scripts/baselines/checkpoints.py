"""Checkpoints: all that training needs to go on as if it had never stopped."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
from training.run import Run

from baselines.games import placed
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
    """Writes and reads the checkpoint of a training.

    Args:
        run: The training.
        games: The games.
        mesh: The devices.
    """

    def __init__(self, run: Run, games: Any, mesh: Any) -> None:
        self._run, self._games = run, games
        whole = devices.everywhere(mesh)
        self._gather = jax.jit(lambda tree: tree, out_shardings=whole)

    def begin(self, runner: Runner) -> Saved:
        """Returns where training stands, from a runner at its beginning.

        Raises:
            TrainingError: If the folder holds another training, or none.
        """
        found = self._run.load(writes=not jax.process_index())
        if found is None:
            saved = Saved(0, 0, 0.0, runner)
            self.save(saved)
            return saved
        leaves, tree = jax.tree.flatten(runner._replace(games=()))
        rest = [placed(leaf, found[f"runner/{i}"]) for i, leaf in enumerate(leaves)]
        games = self._games.unpack(found, runner.games)
        runner = jax.tree.unflatten(tree, rest)._replace(games=games)
        steps, episodes = int(found["steps"]), int(found["episodes"])
        return Saved(steps, episodes, float(found["seconds"]), runner)

    def save(self, saved: Saved) -> None:
        """Writes the checkpoint; a crash leaves the old one. All processes take part.

        Raises:
            OSError: If it cannot be written.
        """
        runner = jax.device_get(self._gather(saved.runner))
        if jax.process_index():
            return
        rest = enumerate(jax.tree.leaves(runner._replace(games=())))
        counts = {n: getattr(saved, n) for n in ("steps", "episodes", "seconds")}
        leaves = {f"runner/{i}": leaf for i, leaf in rest}
        self._run.save({**counts, **leaves, **self._games.pack(runner.games)})

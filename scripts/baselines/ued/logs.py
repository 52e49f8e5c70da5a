"""Logs of environment design: rounds, evaluations, and maps of levels."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from training.run import Run

from baselines import logs
from baselines.ued.evaluation import Result

#: Columns of rounds and evaluations, followed by success rates of achievements.
CURVE, EVALUATION = "curve.csv", "evaluation.csv"
FILES = (CURVE, EVALUATION)
COLUMNS = {
    CURVE: (
        "round", "steps", "seconds", "kind", "episodes", "return", "length", "score",
        "levels", "loss", "entropy", "value_error",
    ),
    EVALUATION: ("steps", "level", "episodes", "return", "length"),
}  # fmt: skip


class Log:
    """Writes `curve.csv`, `evaluation.csv`, `levels-<steps>.npz` and `made_by.json`.

    Args:
        run: The training run.
        names: Names of the achievements.
    """

    def __init__(self, run: Run, names: Sequence[str]) -> None:
        self._run, self._names = run, tuple(names)
        self._columns = {name: (*own, *names) for name, own in COLUMNS.items()}
        logs.begin(run, "scripts/train_ued.py", self._columns)

    def add(self, name: str, row: Mapping[str, Any], result: Result) -> None:
        """Writes a line, with empty columns for missing values.

        Args:
            name: One of the files.
            row: Column -> value.
            result: The episodes, whose number and means are shown.
        """
        line = {**row, "episodes": len(result.returns)}
        if len(result.returns):
            line["return"] = np.mean(result.returns)
            line["length"] = np.mean(result.lengths)
            rates = np.mean(np.asarray(result.counts) > 0, 0)
            line |= dict(zip(self._names, rates))
        logs.add_row(self._run, name, self._columns[name], line)

    def add_maps(self, steps: int, maps: np.ndarray) -> None:
        """Writes maps of levels in the buffer, (number, rows, columns, layers)."""
        np.savez_compressed(self._run.folder / f"levels-{steps}.npz", maps=maps)


def ended(rollouts: Iterable[Any]) -> Result:
    """Returns the episodes that ended in rollouts, given as `rollouts.Ends`."""
    parts = [(e.returns[e.done], e.lengths[e.done], e.counts[e.done]) for e in rollouts]
    return Result(*map(np.concatenate, zip(*parts)))

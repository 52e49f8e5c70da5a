"""Training logs: episodes, learning curve, and progress lines."""

import collections
import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tqdm import tqdm
from training.run import Run

from baselines.rollouts import Ends
from crafter import scoring
from crafter.recording.episode import Episode
from crafter.recording.stats import StatsFile

#: Files that grow during training.
CURVE = "curve.csv"
FILES = ("stats.jsonl", CURVE)
#: Columns of the learning curve; missing values are empty.
COLUMNS = (
    "steps", "seconds", "episodes", "return", "score", "loss", "entropy", "value_error",
    "bonus", "bonus_loss",
)  # fmt: skip
LATEST = 1000  # episodes averaged in progress lines

BENCHMARKS = {"crafter": "crafter", "craftax": "craftax-1b"}
Columns = Sequence[str]


def begin(run: Run, program: str, tables: Mapping[str, Columns]) -> None:
    """Writes `made_by.json`, and column headers to empty files."""
    record = {"program": program, **run.settings}
    text = json.dumps(record, indent=2) + "\n"
    (run.folder / scoring.MADE_BY).write_text(text, "utf-8")
    for name, columns in tables.items():
        if not run.size(name):
            run.append(name, ",".join(columns))


def add_row(run: Run, name: str, columns: Columns, row: Mapping[str, Any]) -> None:
    """Writes a row of a table, with empty columns for missing values."""
    run.append(name, ",".join(shown(row.get(column, "")) for column in columns))


class Log:
    """Writes `stats.jsonl`, `curve.csv` and `made_by.json`, and prints the progress.

    Args:
        run: The training run.
        args: The command line.
        games: The games; their `names` and `setup` are logged.
        steps: Ticks done so far.
        seconds: Duration of training so far.
    """

    def __init__(
        self, run: Run, args: Any, games: Any, steps: int, seconds: float
    ) -> None:
        begin(run, "scripts/train_ppo_jax.py", {CURVE: COLUMNS})
        self._stats, self._names = StatsFile(args.outdir), games.names
        self._run, self._setup = run, games.setup
        self._game: str = args.game
        self._benchmark = scoring.find_benchmark(BENCHMARKS[args.game])
        self._begin = time.monotonic() - seconds
        self._bar = tqdm(total=args.steps, initial=steps, unit="step")
        with self._stats.path.open(encoding="utf-8") as lines:  # of earlier starts
            latest = map(json.loads, collections.deque(lines, LATEST))
            self._latest = collections.deque(latest, LATEST)

    @property
    def seconds(self) -> float:
        """Duration of the training in seconds, over all starts of the program."""
        return time.monotonic() - self._begin

    def add(
        self, steps: int, episodes: int, ends: Ends, means: dict[str, np.ndarray]
    ) -> None:
        """Logs a round.

        Args:
            steps: Ticks so far.
            episodes: Episodes before this round.
            ends: Episodes of this round.
            means: Means returned by `loop.make_update`.
        """
        for t, b in np.argwhere(ends.done):
            episodes += 1
            counts = dict(zip(self._names, ends.counts[t, b].tolist()))
            length, reward = int(ends.lengths[t, b]), float(ends.returns[t, b])
            ended = Episode(None, self._game, length, reward, counts, setup=self._setup)
            ended.ticks = int(ends.ticks[t, b])
            line = ended.line()
            self._stats.append(line)
            self._latest.append(line)
        mean, score = self._recent()
        row = {
            "steps": steps,
            "seconds": f"{self.seconds:.1f}",
            "episodes": episodes,
            "return": mean,
            "score": score,
            **{name: float(value) for name, value in means.items()},
        }
        add_row(self._run, CURVE, COLUMNS, row)
        self._bar.set_postfix({"return": shown(mean), "score": shown(score)}, False)
        self._bar.update(steps - self._bar.n)

    def _recent(self) -> tuple[float, float]:
        """Returns the mean return and the score in percent of the latest episodes."""
        if not self._latest:
            return math.nan, math.nan
        names = "length", "reward", *self._benchmark.keys
        rows = np.array([[line.get(n, 0) for n in names] for line in self._latest])
        columns = rows[:, 0], rows[:, 1], rows[:, 2:]
        run = scoring.Run(
            self._game, "", "", *columns, benchmark=self._benchmark, setup=self._setup
        )
        return float(run.reward.mean()), scoring.run_score(run)


def shown(value: Any) -> str:
    """Formats a value: floats with six digits, empty for `None`."""
    if isinstance(value, float | np.floating):
        return "" if math.isnan(value) else f"{value:.6g}"
    return str(value)

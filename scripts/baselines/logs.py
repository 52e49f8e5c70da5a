"""Training logs: episodes, a learning curve, and progress lines."""

from __future__ import annotations

import collections
import json
import math
import time
from typing import Any

import numpy as np
from tqdm import tqdm
from training.run import Run

from baselines.rollouts import Ends
from crafter import scoring
from crafter.recording.episode import Episode
from crafter.recording.stats import StatsFile

#: Files that grow while training.
FILES = ("stats.jsonl", "curve.csv")
#: Columns of the curve; a column is empty where there is nothing to tell.
COLUMNS = (
    "steps", "seconds", "episodes", "return", "score", "loss", "entropy", "value_error",
    "bonus", "bonus_loss",
)  # fmt: skip
LATEST = 1000  # episodes of which return and score are shown

BENCHMARKS = {"crafter": "crafter", "craftax": "craftax-1b"}


class Log:
    """Writes `stats.jsonl`, `curve.csv` and `made_by.json`, and prints the progress.

    Args:
        run: The training.
        args: The command line.
        games: The games; their `names` and `setup` are written.
        steps: Ticks that are done already.
        seconds: How long training has taken so far.
    """

    def __init__(
        self, run: Run, args: Any, games: Any, steps: int, seconds: float
    ) -> None:
        self._stats, self._names = StatsFile(args.outdir), games.names
        self._setup: str = games.setup
        self._curve = args.outdir / "curve.csv"
        self._game: str = args.game
        self._benchmark = scoring.find_benchmark(BENCHMARKS[args.game])
        self._begin = time.monotonic() - seconds
        self._bar = tqdm(total=args.steps, initial=steps, unit="step")
        with self._stats.path.open(encoding="utf-8") as lines:  # of earlier starts
            latest = map(json.loads, collections.deque(lines, LATEST))
            self._latest = collections.deque(latest, LATEST)
        made = {"program": "scripts/train_ppo_jax.py", **run.settings}
        made_by = args.outdir / scoring.MADE_BY
        made_by.write_text(json.dumps(made, indent=2) + "\n", "utf-8")
        if not self._curve.exists() or not self._curve.stat().st_size:
            self._curve.write_text(",".join(COLUMNS) + "\n")

    @property
    def seconds(self) -> float:
        """Duration of the training in seconds, over all starts of the program."""
        return time.monotonic() - self._begin

    def add(
        self, steps: int, episodes: int, ends: Ends, means: dict[str, np.ndarray]
    ) -> None:
        """Writes what a round was like.

        Args:
            steps: Ticks so far.
            episodes: Episodes before this round.
            ends: Episodes of this round.
            means: What `loop.make_update` says.
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
            "return": shown(mean),
            "score": shown(score),
            **{name: shown(float(value)) for name, value in means.items()},
        }
        with self._curve.open("a") as file:
            file.write(",".join(str(row.get(name, "")) for name in COLUMNS) + "\n")
        self._bar.set_postfix({"return": shown(mean), "score": shown(score)}, False)
        self._bar.update(steps - self._bar.n)

    def _recent(self) -> tuple[float, float]:
        """Returns mean return and score in percent of the latest episodes."""
        if not self._latest:
            return math.nan, math.nan
        names = "length", "reward", *self._benchmark.keys
        rows = np.array([[line.get(n, 0) for n in names] for line in self._latest])
        columns = rows[:, 0], rows[:, 1], rows[:, 2:]
        run = scoring.Run(
            self._game, "", "", *columns, benchmark=self._benchmark, setup=self._setup
        )
        return float(run.reward.mean()), scoring.run_score(run)


def shown(number: float) -> str:
    """Returns a number for the curve; nothing if there is none."""
    return "" if math.isnan(number) else f"{number:.6g}"

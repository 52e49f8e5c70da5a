"""Plots performance profiles: the fraction of runs above each score.

With at least four seeds, a 95 % bootstrap interval is shaded.

Source: Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the Statistical
Precipice".
"""

from collections.abc import Sequence
from typing import Any

import common
import numpy as np
import plot_reward
import print_scores

from crafter import scoring
from crafter.reporting import figures

DRAWS = 2000


def draw(methods: Sequence[common.Method]) -> Any:
    """Draws a line per method; methods need runs."""
    every = [method.over_seeds(scoring.run_score) for method in methods]
    x = np.linspace(0, 1.05 * max(map(np.max, every)), 400)
    drawn = figures.new(plot_reward.WIDTH, plot_reward.HEIGHT)
    axes = drawn.subplots()
    for method, scores in zip(methods, every):
        above = scores[:, None] > x
        ends = above.mean(0), above.mean(0)
        if len(scores) >= print_scores.SEEDS:
            random = np.random.default_rng(0)
            chosen = random.integers(len(scores), size=(DRAWS, len(scores)))
            ends = tuple(np.quantile(above[chosen].mean(1), [0.025, 0.975], axis=0))
        look = {"color": method.colour, "label": method.name, "linewidth": 1.4}
        plot_reward.draw_line(axes, x, above.mean(0), ends, look)
    axes.set_xlabel("Score (%)")
    axes.set_ylabel("Share of runs with more")
    axes.set_ylim(0, 1.02)
    figures.legend_above(drawn, axes)
    return drawn


main = common.plot_program(
    __doc__, "profile.pdf", lambda args: draw(common.with_runs(args.methods))
)


if __name__ == "__main__":
    main()

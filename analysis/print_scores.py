"""Prints the score and the return of every method, beside the published ones.

If the score is a return, it covers all episodes in the budget, and "final" the last
tenth of it, in percent of the maximum.
"""

import functools
from collections.abc import Sequence
from typing import Any

import common
import numpy as np
from numpy.typing import ArrayLike

from crafter import scoring
from crafter.core.options import Table
from crafter.reporting import tables

OPTIONS: Table = {
    "return": ("mean", scoring.CONVENTIONS, "published: that of Table 1 of the paper"),
    "intervals": (False, None, "add the interquartile mean and gap, with intervals"),
}
#: Minimum number of seeds for an interval.
SEEDS = 4
#: Measure of a benchmark -> target score of the optimality gap, in percent.
TARGETS = {"success rates": 50.5, "return": 100.0}  # the first one is human
#: Convention of the return -> title of its column.
TITLES = {"mean": "Return", "published": "Return (first)", "percent": "Final (%)"}


def make_table(
    methods: Sequence[common.Method],
    returns: Sequence[str] = ("mean",),
    intervals: bool = False,
    digits: int = 1,
) -> tables.Table:
    """Returns means and standard deviations over seeds, a row per method."""
    if methods[0].benchmark.measure == "return":
        returns = ["percent" if name == "mean" else name for name in returns]
    columns = ["Method", "Seeds", "Score (%)"]
    if intervals:
        columns += ["IQM", f"Gap to {TARGETS[methods[0].benchmark.measure]:g}"]
    columns += [*(TITLES[name] for name in returns), "Length"]
    published = any(method.published for method in methods)
    columns += ["Published score", "Published return"] if published else []
    rows = []
    for method in methods:
        row: list[tables.Cell] = [None] * len(columns[1:])
        if method.runs:
            ours = our_cells(method, returns, intervals, digits)
            row[: len(ours)] = ours
        if published:
            row[-2:] = published_cells(method)
        rows.append([method.name, *row])
    return tables.Table(columns, rows, common.label(methods))


def our_cells(
    method: common.Method,
    returns: Sequence[str] = ("mean",),
    intervals: bool = False,
    digits: int = 1,
) -> list[tables.Cell]:
    """Returns the cells of a method's runs."""
    scores = method.over_seeds(scoring.run_score)
    between: list[tables.Cell] = []
    if intervals:
        target = TARGETS[method.benchmark.measure]
        gap = functools.partial(optimality_gap, target=target)
        between = [interval(scores, one, digits) for one in (scoring.iqm, gap)]
    for name in returns:
        kind, unit = name, 1.0
        if name == "percent":
            kind, unit = "mean", 100 / method.benchmark.optimal_return
        ends = [unit * scoring.final_return(run, kind) for run in method.runs]
        between.append(_value(ends, digits))
    lengths = method.over_seeds(lambda run: run.length.mean())
    return [
        str(len(method.runs)),
        _value(scores, digits),
        *between,
        _value(lengths, 0),
    ]


def optimality_gap(scores: ArrayLike, target: float, axis: int = -1) -> Any:
    """Returns the mean shortfall of scores from a target, at least 0.

    Source: Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the
    Statistical Precipice".
    """
    return np.maximum(target - np.asarray(scores), 0).mean(axis)


def interval(
    scores: ArrayLike, statistic: Any, digits: int, *others: Any
) -> tables.Value:
    """Returns a statistic over seeds, with a 95 % interval if there are enough."""
    groups = [scores, *others]
    value = float(statistic(*groups))
    low = high = float("nan")
    if min(map(len, groups)) >= SEEDS:
        low, high = scoring.bootstrap_interval(*groups, statistic=statistic)
    return tables.Value(value, digits=digits, low=low, high=high)


def _value(values: Sequence[float] | np.ndarray, digits: int) -> tables.Value:
    """Returns mean and standard deviation over seeds, if there are several."""
    mean, std = scoring.mean_std(values)
    return tables.Value(mean, std if len(values) > 1 else None, digits)


def published_cells(method: common.Method) -> list[tables.Cell]:
    """Returns the published score and return; empty cells if unknown."""
    pairs = [method.published_pair(key) for key in ("score", "return")]
    return [tables.Value(*pair) if pair else None for pair in pairs]


main = common.table_program(
    __doc__,
    lambda args: make_table(args.methods, [vars(args)["return"]], args.intervals),
    OPTIONS,
)


if __name__ == "__main__":
    main()

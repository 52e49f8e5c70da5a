"""Bradley–Terry ratings of agents from pairwise comparisons.

A win counts 1, a tie and `both_bad` ½. Agents that no chain of comparisons links cannot
be compared: they are in different groups, each with its own mean.

Source: Bradley and Terry 1952.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks.catalogue.dimensions import OUTCOMES
from crafter.tasks.judge.opinions import OVERALL, Opinion

#: Rating of average strength, and the increase for ten times the strength.
START, SCALE = 1000.0, 400.0
#: Virtual wins in each direction of every compared pair, the change of ln strength at
#: which the iteration stops, and the number of bootstrap resamples.
VIRTUAL, PRECISION, RESAMPLES = 0.1, 1e-9, 1000
#: Agents A and B, and the outcome, one of `tasks.catalogue.dimensions.OUTCOMES`.
Game = tuple[str, str, str]

_SCORES = {"A": 1.0, "B": 0.0, "tie": 0.5, "both_bad": 0.5}


class Rating(NamedTuple):
    """The rating of an agent.

    Attributes:
      agent: Its name.
      rating: Its rating.
      low: Lower end of an interval of about 95 %.
      high: Upper end.
      group: Number of the set of linked agents, from 1.
    """

    agent: str
    rating: float
    low: float
    high: float
    group: int


def table(comparisons: Iterable[Opinion], dimension: str = OVERALL) -> Table:
    """Returns a table of ratings, overall and by category.

    Args:
      comparisons: The comparisons.
      dimension: The outcomes that count; by default the overall verdict.
    """
    groups: dict[str, list[Game]] = {}
    for one in comparisons:
        if (word := one.said.get(dimension)) in OUTCOMES:
            for name in ("all", one.category):
                groups.setdefault(name, []).append((*one.agents, word))  # type: ignore[arg-type]
    agents = sorted({agent for game in groups.get("all", ()) for agent in game[:2]})
    rows: list[list[Cell]] = []
    note = ""
    for category, games in groups.items():
        rated = ratings(games)
        if rated[-1].group > 1:
            note = "Agents that no chain of comparisons links are rated apart."
        cells = {
            one.agent: Value(one.rating, digits=0, low=one.low, high=one.high)
            for one in rated
        }
        rows.append([category, str(len(games)), *map(cells.get, agents)])
    return Table(["Category", "Comparisons", *agents], rows, note)


def ratings(games: Sequence[Game]) -> list[Rating]:
    """Returns the ratings of agents from comparisons, in any order.

    Args:
      games: The comparisons, of two different agents each.

    Returns:
      A rating per agent, ordered by group and rating. Intervals are bootstrapped over
      comparisons.

    Example:
      >>> games = [("x", "y", "A"), ("y", "z", "A")]
      >>> [(one.agent, round(one.rating)) for one in ratings(games)]
      [('x', 1417), ('y', 1000), ('z', 583)]
    """
    rated = []
    for number, names in enumerate(linked(games), 1):
        inside = [game for game in games if game[0] in names]
        for name, (rating, low, high) in zip(names, _fit(names, inside).tolist()):
            rated.append(Rating(name, rating, low, high, number))
    return sorted(rated, key=lambda one: (one.group, -one.rating, one.agent))


def linked(games: Sequence[Game]) -> list[tuple[str, ...]]:
    """Returns the sets of agents that chains of comparisons link, largest first.

    Example:
      >>> linked([("a", "b", "A"), ("c", "d", "tie")])
      [('a', 'b'), ('c', 'd')]
    """
    group: dict[str, set[str]] = {}
    for a, b, _ in games:
        both = group.get(a, {a}) | group.get(b, {b})
        group.update(dict.fromkeys(both, both))
    sets = {tuple(sorted(names)) for names in group.values()}
    return sorted(sets, key=lambda names: (-len(names), names))


def _fit(names: Sequence[str], games: Sequence[Game]) -> np.ndarray:
    """Returns the rating of each agent, and the ends of its interval."""
    place = {name: number for number, name in enumerate(names)}
    # Wins and meetings are linear in how often each kind of comparison occurs.
    kinds, often = zip(*sorted(collections.Counter(games).items()))
    wins = np.zeros((len(kinds), len(names), len(names)))
    for own, (a, b, word) in zip(wins, kinds):
        own[place[a], place[b]] = _SCORES[word]
        own[place[b], place[a]] = 1 - _SCORES[word]
    met = (wins + wins.transpose(0, 2, 1)).any(0)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(games), np.array(often) / len(games), RESAMPLES)
    weights = np.concatenate([[often], drawn])
    strengths = bradley_terry(np.tensordot(weights, wins, 1) + VIRTUAL * met)
    values = START + SCALE / math.log(10) * np.log(strengths)
    return np.array([values[0], *np.quantile(values[1:], [0.025, 0.975], axis=0)]).T


def bradley_terry(wins: np.ndarray) -> np.ndarray:
    """Returns the most likely strengths of players, by Newton's method.

    The likelihood has one maximum. The usual minorisation-maximisation converges to it,
    too, but takes tens of thousands of iterations if agents have few, lopsided pairs.

    Args:
      wins: Wins of the row against the column, float (..., n, n). The directed graph of
        wins must be strongly connected.

    Returns:
      Strengths, float64 (..., n), with a geometric mean of 1.
    """
    games = wins + np.swapaxes(wins, -1, -2)
    logs: Any = np.zeros(wins.shape[:-1])
    size = np.ones(1)
    while size.max() > PRECISION:
        chance = 1 / (1 + np.exp(logs[..., None, :] - logs[..., :, None]))
        slope = wins.sum(-1) - (games * chance).sum(-1)
        weights = games * chance * (1 - chance)
        # Only differences count; the 1 fixes their mean.
        bend = np.eye(logs.shape[-1]) * weights.sum(-1)[..., None] - weights + 1
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        size = np.abs(step).max(-1, keepdims=True)
        logs += step / np.maximum(1, size)  # no step is longer than 1
    return np.exp(logs - logs.mean(-1, keepdims=True))

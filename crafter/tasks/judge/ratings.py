"""Bradley–Terry ratings of agents from comparisons.

A win counts 1 and a tie ½; so does `both_bad`, which is counted apart as well. Agents
that are not linked by a chain of comparisons cannot be compared: they are in different
groups, each with a mean of its own.

Source: Bradley and Terry 1952.
"""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks.catalogue.dimensions import OUTCOMES

#: Rating of an agent of average strength, and what ten times the strength adds.
START, SCALE = 1000.0, 400.0
#: Virtual wins in each direction of every pair that met, the change of
#: ln strength at which the search ends, and how often comparisons are resampled.
VIRTUAL, PRECISION, RESAMPLES = 0.1, 1e-12, 1000
#: Agents A and B, and the outcome, one of `tasks.catalogue.dimensions.OUTCOMES`.
Game = tuple[str, str, str]

_TURNED = {"A": "B", "B": "A"}
_SCORES = {"A": 1.0, "B": 0.0, "tie": 0.5, "both_bad": 0.5}


@dataclasses.dataclass(frozen=True)
class Standing:
    """The rating of an agent.

    Attributes:
      agent: Its name.
      rating: Its rating.
      low: Lower end of an interval of about 95 %.
      high: Upper end.
      wins: How many comparisons it won; likewise `losses`, `ties` and `both_bad`.
      group: Number of the set of linked agents, from 1.
    """

    agent: str
    rating: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int
    both_bad: int
    group: int


def ratings(games: Sequence[Game]) -> list[Standing]:
    """Returns the ratings of agents from comparisons, in any order.

    Args:
      games: The comparisons, of two different agents each.

    Returns:
      A standing per agent, by group and then the best one first. The interval is a
      bootstrap over comparisons.

    Example:
      >>> games = [("x", "y", "A"), ("y", "z", "A")]
      >>> [(s.agent, round(s.rating)) for s in ratings(games)]
      [('x', 1417), ('y', 1000), ('z', 583)]
    """
    standings = []
    for number, names in enumerate(linked(games), 1):
        inside = [game for game in games if game[0] in names]
        for name, rated in zip(names, _rated(names, inside)):
            rating, low, high = map(float, rated)
            ended = _counts(name, inside)
            standings.append(Standing(name, rating, low, high, *ended, number))
    return sorted(standings, key=lambda s: (s.group, -s.rating, s.agent))


def table(games: Sequence[Game]) -> Table:
    """Returns the ratings as a table, a row per agent."""
    rows: list[list[Cell]] = []
    for one in ratings(games):
        ended = (one.wins, one.losses, one.ties, one.both_bad, one.group)
        value = Value(one.rating, digits=0, low=one.low, high=one.high)
        rows.append([one.agent, value, *map(str, ended)])
    columns = ["Agent", "Rating", "Wins", "Losses", "Ties", "Both bad", "Group"]
    return Table(columns, rows, "Agents of different groups never met.")


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


def _counts(name: str, games: Sequence[Game]) -> tuple[int, int, int, int]:
    """Returns wins, losses, ties and how often both were bad."""
    # Seen from the agent, A is always itself.
    own = [
        word if a == name else _TURNED.get(word, word)
        for a, b, word in games
        if name in (a, b)
    ]
    won, lost, tied, bad = map(own.count, OUTCOMES)
    return won, lost, tied, bad


def _rated(names: Sequence[str], games: Sequence[Game]) -> np.ndarray:
    """Returns the rating of each agent, and the ends of its interval."""
    place = {name: number for number, name in enumerate(names)}
    # Wins and meetings are linear in how often each kind of comparison occurs.
    kinds, often = zip(*sorted(collections.Counter(games).items()))
    wins = np.zeros((len(kinds), len(names), len(names)))
    for table, (a, b, word) in zip(wins, kinds):
        table[place[a], place[b]] = _SCORES[word]
        table[place[b], place[a]] = 1 - _SCORES[word]
    met = (wins + wins.transpose(0, 2, 1)).any(0)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(games), np.array(often) / len(games), RESAMPLES)
    weights = np.concatenate([[often], drawn])
    strengths = bradley_terry(np.tensordot(weights, wins, 1) + VIRTUAL * met)
    values = START + SCALE / math.log(10) * np.log(strengths)
    return np.array([values[0], *np.quantile(values[1:], [0.025, 0.975], axis=0)]).T


def bradley_terry(wins: np.ndarray) -> np.ndarray:
    """Returns the most likely strengths of players.

    The likelihood has one maximum, which Newton's method finds in few steps. The usual
    iteration, minorisation and maximisation, tends to the same one, but needs 10,000s
    of steps where each agent has met few others and mostly won or lost.

    Args:
      wins: How often the row won against the column, float (..., n, n). Everyone has to
        have won against, and lost to, everyone linked, directly or around.

    Returns:
      Strengths, float64 (..., n), with a geometric mean of 1.
    """
    wins = np.asarray(wins, float)
    logs = np.zeros(wins.shape[:-1])
    active, before = np.ones(wins.shape[:-2], bool), np.full(wins.shape[:-2], np.inf)
    while active.any():
        step = _newton(logs[active], wins[active])
        logs[active] += step
        size = np.abs(step).max(-1)
        rounding = (size < 1e-6) & (size >= before[active])
        before[active] = size
        active[active] = (size >= PRECISION) & ~rounding
    return np.exp(logs - logs.mean(-1, keepdims=True))


def _newton(logs: np.ndarray, wins: np.ndarray) -> np.ndarray:
    """Returns the next step of logarithms of strengths, none of them longer than 1."""
    games = wins + np.swapaxes(wins, -1, -2)
    chance = 1 / (1 + np.exp(logs[..., None, :] - logs[..., :, None]))
    slope = wins.sum(-1) - (games * chance).sum(-1)
    weights = games * chance * (1 - chance)
    # Only differences count; the 1 fixes their mean.
    bend = np.eye(logs.shape[-1]) * weights.sum(-1)[..., None] - weights + 1
    step = np.linalg.solve(bend, slope[..., None])[..., 0]
    return step / np.maximum(1, np.abs(step).max(-1, keepdims=True))

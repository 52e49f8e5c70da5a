"""Bradley–Terry ratings of agents from comparisons.

A win counts 1 and a tie ½; so does `both_bad`, which is counted apart as well. Agents
that are not linked by a chain of comparisons cannot be compared: they are in different
groups, each with a mean of its own.

Source: Bradley and Terry 1952.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crafter.tasks.dimensions import OUTCOMES

#: Rating of an agent of average strength, and what ten times the strength adds.
START, SCALE = 1000.0, 400.0
#: Virtual wins in each direction of every pair that met, the change of
#: ln strength at which the search ends, and how often comparisons are resampled.
VIRTUAL, PRECISION, RESAMPLES = 0.1, 1e-12, 1000
_SCORES = {"A": 1.0, "B": 0.0, "tie": 0.5, "both_bad": 0.5}


class Meeting(NamedTuple):
    """A comparison of two agents.

    Attributes:
      a: Name of the first one.
      b: Name of the second one.
      outcome: One of `crafter.tasks.dimensions.OUTCOMES`.
    """

    a: str
    b: str
    outcome: str


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


def ratings(meetings: Sequence[Meeting]) -> list[Standing]:
    """Returns the ratings of agents from comparisons, in any order.

    Args:
      meetings: The comparisons.

    Returns:
      A standing per agent, by group and then the best one first. The interval is a
      bootstrap over comparisons.

    Raises:
      ValueError: If there is no such outcome, or an agent meets itself.

    Example:
      >>> games = [Meeting("x", "y", "A"), Meeting("y", "z", "A")]
      >>> [(s.agent, round(s.rating)) for s in ratings(games)]
      [('x', 1417), ('y', 1000), ('z', 583)]
    """
    _check(meetings)
    standings = []
    for number, names in enumerate(linked(meetings), 1):
        inside = [meeting for meeting in meetings if meeting.a in names]
        for name, rated in _rated(names, inside).items():
            standings.append(Standing(name, *rated, *_counts(name, inside), number))
    return sorted(standings, key=lambda s: (s.group, -s.rating, s.agent))


def _check(meetings: Sequence[Meeting]) -> None:
    for meeting in meetings:
        if meeting.outcome not in OUTCOMES:
            raise ValueError(f"Expected an outcome of {OUTCOMES}, got {meeting}.")
        if meeting.a == meeting.b:
            raise ValueError(f"An agent cannot be rated against itself: {meeting}.")


def linked(meetings: Sequence[Meeting]) -> list[tuple[str, ...]]:
    """Returns the sets of agents that chains of comparisons link, largest first.

    Example:
      >>> linked([Meeting("a", "b", "A"), Meeting("c", "d", "tie")])
      [('a', 'b'), ('c', 'd')]
    """
    group: dict[str, set[str]] = {}
    for meeting in meetings:
        both = group.get(meeting.a, {meeting.a}) | group.get(meeting.b, {meeting.b})
        group.update(dict.fromkeys(both, both))
    sets = {tuple(sorted(names)) for names in group.values()}
    return sorted(sets, key=lambda names: (-len(names), names))


def _counts(name: str, meetings: Sequence[Meeting]) -> tuple[int, int, int, int]:
    """Returns wins, losses, ties and how often both were bad."""
    own = [m for m in meetings if name in (m.a, m.b)]
    wins = sum(m.outcome == ("A" if m.a == name else "B") for m in own)
    ties, bad = (sum(m.outcome == word for m in own) for word in ("tie", "both_bad"))
    return wins, len(own) - wins - ties - bad, ties, bad


def _rated(
    names: Sequence[str], meetings: Sequence[Meeting]
) -> dict[str, tuple[float, float, float]]:
    """Returns the rating of each agent, and the ends of its interval."""
    place = {name: number for number, name in enumerate(names)}
    count = len(names)
    # Wins and meetings are linear in how often each kind of comparison occurs.
    kinds = sorted(set(meetings))
    often = np.array([meetings.count(kind) for kind in kinds])
    wins = np.zeros((len(kinds), count, count))
    for kind, table in zip(kinds, wins):
        a, b = place[kind.a], place[kind.b]
        table[a, b] = _SCORES[kind.outcome]
        table[b, a] = 1 - _SCORES[kind.outcome]
    met = (wins + wins.transpose(0, 2, 1)).any(0)
    drawn = np.random.default_rng(0).multinomial(
        len(meetings), often / len(meetings), RESAMPLES
    )
    weights = np.concatenate([often[None], drawn])
    strengths = bradley_terry(np.tensordot(weights, wins, 1) + VIRTUAL * met)
    values = START + SCALE / math.log(10) * np.log(strengths)
    low, high = np.quantile(values[1:], [0.025, 0.975], axis=0)
    return {
        name: (float(values[0, n]), float(low[n]), float(high[n]))
        for name, n in place.items()
    }


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

"""Ratings of agents from comparisons: Bradley–Terry, Elo and TrueSkill.

A win counts 1 and a tie ½; so does `both_bad`, which is counted apart as well. Agents
that are not linked by a chain of comparisons cannot be compared: they are in different
groups, each with a mean of its own.

Source: Bradley and Terry 1952; Elo 1978; Herbrich, Minka and Graepel 2006, "TrueSkill:
A Bayesian Skill Rating System".
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from crafter.tasks.dimensions import OUTCOMES

#: Rating of an agent of average strength, and what ten times the strength adds.
START, SCALE = 1000.0, 400.0
#: Elo: how far a comparison moves a rating, and how many orders are tried.
K, SHUFFLES = 16.0, 200
#: Bradley–Terry: virtual wins in each direction of every pair that met, the change of
#: ln strength at which the search ends, and how often comparisons are resampled.
VIRTUAL, PRECISION, RESAMPLES = 0.1, 1e-12, 1000
#: TrueSkill: skill of a newcomer and its spread, spread of a performance, what is added
#: to the spread before each comparison, and the probability of a draw.
MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
DYNAMICS = SIGMA / 100
DRAW = 0.10

_SCORES = {"A": 1.0, "B": 0.0, "tie": 0.5, "both_bad": 0.5}
_NORMAL = statistics.NormalDist()


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
      details: What else the method says: for `elo` the value in the order given; for
        `trueskill` mean, spread and the conservative value, three spreads below.
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
    details: Mapping[str, float]


class _Rated(NamedTuple):
    """What a method says of an agent."""

    rating: float
    low: float
    high: float
    details: Mapping[str, float]


def ratings(meetings: Sequence[Meeting], method: str = "bt") -> list[Standing]:
    """Returns the ratings of agents from comparisons.

    Args:
      meetings: The comparisons; for `elo` and `trueskill` their order counts.
      method: One of `METHODS`: `bt` (Bradley–Terry, where the order does not matter
        and the interval is a bootstrap over comparisons), `elo` (the mean and the
        middle 95 % over shuffled orders) or `trueskill` (mean ± 2 spreads).

    Returns:
      A standing per agent, by group and then the best one first.

    Raises:
      ValueError: If there is no such method or outcome, or an agent meets itself.

    Example:
      >>> games = [Meeting("x", "y", "A"), Meeting("y", "z", "A")]
      >>> [(s.agent, round(s.rating)) for s in ratings(games)]
      [('x', 1417), ('y', 1000), ('z', 583)]
    """
    if method not in METHODS:
        raise ValueError(f"Expected a method of {list(METHODS)}, got {method!r}.")
    _check(meetings)
    groups = linked(meetings)
    standings = []
    for number, names in enumerate(groups, 1):
        inside = [meeting for meeting in meetings if meeting.a in names]
        for name, rated in METHODS[method](names, inside).items():
            counts = _counts(name, inside)
            standings.append(Standing(name, *rated[:3], *counts, number, rated.details))
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


# Bradley–Terry.


def _bradley_terry(
    names: Sequence[str], meetings: Sequence[Meeting]
) -> dict[str, _Rated]:
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
        name: _Rated(float(values[0, n]), float(low[n]), float(high[n]), {})
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


# Elo.


def _elo(names: Sequence[str], meetings: Sequence[Meeting]) -> dict[str, _Rated]:
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(len(meetings)) for _ in range(SHUFFLES)]
    given, *tries = elo(names, meetings, [np.arange(len(meetings)), *shuffled])
    low, high = np.quantile(tries, [0.025, 0.975], axis=0)
    mean, spread = np.mean(tries, 0), np.std(tries, 0)
    found = {}
    for n, name in enumerate(names):
        details = {"in order": float(given[n]), "spread": float(spread[n])}
        found[name] = _Rated(float(mean[n]), float(low[n]), float(high[n]), details)
    return found


def elo(
    names: Sequence[str], meetings: Sequence[Meeting], orders: ArrayLike
) -> np.ndarray:
    """Returns Elo ratings after comparisons in several orders.

    Args:
      names: The agents.
      meetings: Comparisons of them (m,).
      orders: Places of the comparisons in each order, int (orders, m).

    Returns:
      Ratings, float64 (orders, agents).
    """
    place = {name: number for number, name in enumerate(names)}
    first, second = (np.array([place[m[side]] for m in meetings]) for side in (0, 1))
    score = np.array([_SCORES[meeting.outcome] for meeting in meetings])
    orders = np.asarray(orders, int)
    rating = np.full((len(orders), len(names)), START)
    rows = np.arange(len(orders))
    for now in orders.T:  # the next comparison of each order
        a, b = first[now], second[now]
        expected = 1 / (1 + 10 ** ((rating[rows, b] - rating[rows, a]) / SCALE))
        change = K * (score[now] - expected)
        rating[rows, a] += change
        rating[rows, b] -= change
    return rating


# TrueSkill.


class Skill(NamedTuple):
    """What is known of the skill of a player: mean and spread of a normal."""

    mu: float = MU
    sigma: float = SIGMA


def trueskill(a: Skill, b: Skill, outcome: str) -> tuple[Skill, Skill]:
    """Returns the skills of two players after a comparison.

    Example:
      >>> winner, loser = trueskill(Skill(), Skill(), "A")
      >>> round(winner.mu, 4), round(loser.mu, 4), round(loser.sigma, 4)
      (29.3958, 20.6042, 7.1715)
    """
    if outcome == "B":
        return trueskill(b, a, "A")[::-1]
    variances = [skill.sigma**2 + DYNAMICS**2 for skill in (a, b)]
    spread = math.sqrt(sum(variances) + 2 * BETA**2)
    margin = _NORMAL.inv_cdf((DRAW + 1) / 2) * math.sqrt(2) * BETA / spread
    correct = _win if outcome == "A" else _draw
    shift, shrink = correct((a.mu - b.mu) / spread, margin)
    after = [
        Skill(
            skill.mu + sign * variance / spread * shift,
            math.sqrt(variance * (1 - variance / spread**2 * shrink)),
        )
        for skill, variance, sign in zip((a, b), variances, (1, -1))
    ]
    return after[0], after[1]


def _cdf(x: float) -> float:
    """Returns the probability below a value, also of a far one below."""
    return math.erfc(-x / math.sqrt(2)) / 2


def _win(gap: float, margin: float) -> tuple[float, float]:
    """Returns how a win moves the mean and shrinks the variance."""
    x = gap - margin
    if x < -30:  # an upset beyond the reach of the normal distribution
        return -x, 1.0
    shift = _NORMAL.pdf(x) / _cdf(x)
    return shift, min(1.0, shift * (shift + x))


def _draw(gap: float, margin: float) -> tuple[float, float]:
    """Returns how a draw moves the mean and shrinks the variance."""
    far = abs(gap)
    mass = _cdf(margin - far) - _cdf(-margin - far)
    if mass < 1e-200:
        shift, shrink = margin - far, 1.0
    else:
        below, above = _NORMAL.pdf(-margin - far), _NORMAL.pdf(margin - far)
        shift = (below - above) / mass
        shrink = shift**2 + ((margin - far) * above + (margin + far) * below) / mass
    return math.copysign(shift, -gap) if gap else 0.0, min(1.0, shrink)


def _trueskill(names: Sequence[str], meetings: Sequence[Meeting]) -> dict[str, _Rated]:
    skills = dict.fromkeys(names, Skill())
    for a, b, outcome in meetings:
        skills[a], skills[b] = trueskill(skills[a], skills[b], outcome)
    return {
        name: _Rated(
            mu,
            mu - 2 * sigma,
            mu + 2 * sigma,
            {"mu": mu, "sigma": sigma, "conservative": mu - 3 * sigma},
        )
        for name, (mu, sigma) in skills.items()
    }


#: Name of each method -> what rates a set of linked agents by it.
METHODS: Mapping[
    str, Callable[[Sequence[str], Sequence[Meeting]], dict[str, _Rated]]
] = {
    "bt": _bradley_terry,
    "elo": _elo,
    "trueskill": _trueskill,
}

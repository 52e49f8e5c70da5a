"""Evaluates goals on hand-written traces.

Example:
  >>> trace("a & ~d", "-, a")
  Outcome(verdict=<Verdict.DONE: 'DONE'>, step=2, reason=None)
  >>> trace("a >> b.within(2)", "-, a, -, -, b").reason
  'late:b.within(2)'
  >>> trace("a.when(night)", "a, a@night").step
  2
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from crafter.core.validation import integer
from crafter.tasks.language.goals import Event, Goal, Reach, as_goal
from crafter.tasks.language.monitors import Monitor, Term, Verdict
from crafter.tasks.language.names import TraceNames
from crafter.tasks.language.parse import parse, parse_condition
from crafter.tasks.world import conditions as c
from crafter.tasks.world.records import StepRecord

_OUTSIDE = r"(?![^(\[]*[)\]])"  # no brackets around


@functools.cache
def _names() -> TraceNames:
    return TraceNames()


class Outcome(NamedTuple):
    """Outcome of a goal on a trace.

    Attributes:
      verdict: The verdict; also compares with its name as text.
      step: The step of the verdict; without a final one, the last step.
      reason: Why it failed, or `None`.
    """

    verdict: Verdict
    step: int
    reason: str | None


def trace(
    expression: str | Goal,
    steps: str | Sequence[str | Sequence[str]],
    budget: int | None = None,
) -> Outcome:
    """Returns the outcome of a goal on a hand-written trace.

    In the expression every name is the event of that name, or, inside `when`, `where`,
    `reach` and `together`, the condition of that name. The event `died` kills the
    player at the end of its step.

    Args:
      expression: The goal.
      steps: For each step a list of words: names of its events and, prefixed with `@`,
        conditions that hold in it, for `when` at its start and for `reach` at its end,
        as in `@health <= 4`. An event can have fields, as in `placed(what='table')`,
        and `died` a cause, as in `died:lava`. A step can also be a string, with words
        separated by spaces, `-` for nothing, and `a@n` for `a` with the condition `n`;
        all steps can be one string, separated by commas.
      budget: Maximum number of steps; by default the length of the trace.

    Returns:
      Verdict, step and reason. If the budget is longer than the trace, the verdict may
      be PENDING or SAFE.

    Raises:
      TaskSyntaxError: If the expression or a word in the steps cannot be parsed.
      ValueError: If the budget is not a positive integer.

    Example:
      >>> trace("(a & ~d) >> b", [["a"], ["d"], ["b"]]).step
      3
    """
    (*_, monitor) = follow(expression, steps, budget)
    step = monitor.steps if monitor.verdict_step is None else monitor.verdict_step
    return Outcome(monitor.verdict, step, monitor.reason)


def follow(
    expression: str | Goal,
    steps: str | Sequence[str | Sequence[str]],
    budget: int | None = None,
) -> Iterator[Monitor]:
    """Yields the monitor of a goal at the start of a trace and after each step.

    Args:
      expression: As for `trace`, like the others.
      steps: The steps.
      budget: After how many the attempt ends.
    """
    if isinstance(steps, str):
        steps = re.split("," + _OUTSIDE, steps) if steps.strip() else []
    budget = len(steps) if budget is None else integer("budget", budget, 1)
    text = expression if isinstance(expression, str) else str(as_goal(expression))
    monitor = Monitor(_traced_term(parse(text, names=_names()).term()), budget)
    view: Any = frozenset()
    monitor.start(view)
    yield monitor
    for number, step in enumerate(steps, 1):
        if isinstance(step, str):
            step = [w for w in re.split(r"\s+" + _OUTSIDE, step) if w not in ("", "-")]
        events, view = _moment(step)
        monitor.look(view)
        monitor.advance(_record(number, events), view)
        yield monitor


def _moment(words: Sequence[str]) -> tuple[list[dict[str, Any]], frozenset[str]]:
    """Returns the events and conditions of a step."""
    events, facts = [], set()
    for word in words:
        event, *conditions = word.split("@")
        facts |= {str(parse_condition(c, names=_names())) for c in conditions}
        if event.strip():
            name, _, cause = event.strip().partition(":")
            filters = {"by": [cause]} if cause else {}
            if name.endswith(")"):
                name, _, fields = name.partition("(")
                read = parse(f"event({name}, {fields}")
                assert isinstance(read, Event)
                filters = dict(read.filters)
            events.append({"type": name, **filters})
            facts.add(name)  # it can be a condition without `@`
    return events, frozenset(facts)


def _record(number: int, events: list[dict[str, Any]]) -> StepRecord:
    types = sorted(event["type"] for event in events)
    action = next((t[4:] for t in types if t.startswith("act_")), "noop")
    vitals = (0 if "died" in types else 9, 9, 9, 9)
    place = (0, 0), (0, 1)
    return StepRecord(
        number, action, action, False, *place, vitals, number, tuple(events)
    )


def _traced_term(term: Term) -> Term:
    """Returns a term with conditions that the trace decides."""
    goal = term.goal
    if term.op == "state":
        goal = Reach(_traced_condition(goal.condition), goal.steps)
    guards = tuple(g._replace(condition=_traced_condition(g[1])) for g in term.guards)
    parts = tuple(map(_traced_term, term.parts))
    return dataclasses.replace(term, goal=goal, parts=parts, guards=guards)


def _traced_condition(condition: c.Condition) -> c.Condition:
    if isinstance(condition, (c.AllOf, c.AnyOf)):
        return type(condition)(tuple(map(_traced_condition, condition.conditions)))
    if isinstance(condition, c.Opposite):
        return c.Opposite(_traced_condition(condition.condition))
    return c.Named(
        condition.name if isinstance(condition, c.InZone) else str(condition)
    )

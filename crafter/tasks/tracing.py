"""Goals on hand-written traces: to try out, and to understand, what a goal means.

Example:
  >>> trace("a & ~d", [[], ["a"]])
  Outcome(verdict=<Verdict.DONE: 'DONE'>, step=2, reason=None)
  >>> trace("a >> b.within(2)", "-, a, -, -, b").reason
  'late:b.within(2)'
  >>> trace("a.when(night)", "a, a@night").step
  2
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from crafter.tasks.conditions import (
    CLASSES,
    AllOf,
    AnyOf,
    Best,
    Comparison,
    Condition,
    InZone,
    Named,
    Opposite,
)
from crafter.tasks.goals import Goal, Reach, as_goal
from crafter.tasks.monitors import Monitor
from crafter.tasks.names import TraceNames
from crafter.tasks.parse import TaskSyntaxError, parse, parse_condition
from crafter.tasks.records import StepRecord
from crafter.tasks.terms import Guard, Term
from crafter.tasks.verdicts import Verdict

_NAMES = TraceNames()


class Outcome(NamedTuple):
    """What became of a goal.

    Attributes:
      verdict: The verdict; also compares with its name as text.
      step: The step of the verdict; without a final one, the last step.
      reason: Why it failed, or `None`.
    """

    verdict: Verdict
    step: int
    reason: str | None


class TraceView:
    """The moment of a trace: conditions that hold.

    Args:
      names: Their names.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(names)

    def says(self, name: str) -> bool:
        """Returns whether a condition holds."""
        return name in self._names


def trace(
    expression: str | Goal,
    steps: str | Sequence[Any],
    budget: int | None = None,
) -> Outcome:
    """Returns what becomes of a goal on a hand-written trace.

    In the expression every name stands for the event of that name, or, inside `when`,
    `where`, `reach` and `together`, for the condition of that name. The event `died`
    kills the player at the end of its step.

    Args:
      expression: The goal.
      steps: For each step a list of names: of events that happen in it, and of
        conditions that hold in it, for `when` at its start and for `reach` at its end.
        A condition may be marked with `@`, and must be if it is more than a word, as
        in `@health <= 4`. An event with fields is a dict with its `type`, or written
        `placed(what='table')`; `died` may say of what, as `died:lava`. A step may also
        be a text, with names separated by blanks, `-` for nothing, and `a@n` for `a`
        with the condition `n`; then all steps may be one text, with commas.
      budget: The attempt ends after as many steps; by default after those given.

    Returns:
      Verdict, step and reason. If the budget is longer than the trace, the verdict may
      be PENDING or SAFE.

    Raises:
      TaskSyntaxError: If the expression, or a name in the steps, cannot be read.
      ValueError: If the budget is no positive integer.

    Example:
      >>> trace("(a & ~d) >> b", [["a"], ["d"], ["b"]]).step
      3
    """
    moments = [_Moment(step) for step in _split(steps)]
    if budget is None:
        budget = len(moments)
    elif isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise ValueError(f"budget must be an integer of at least 1, got {budget!r}.")
    monitor = monitor_of(expression, budget)
    if not moments:
        return Outcome(monitor.verdict, 0, None)
    view: Any = moments[0].view
    monitor.start(view)
    for number, moment in enumerate(moments, 1):
        view = moment.view
        monitor.look(view)
        monitor.advance(moment.record(number), view)
        if monitor.verdict.final:
            break
    step = monitor.steps if monitor.verdict_step is None else monitor.verdict_step
    return Outcome(monitor.verdict, step, monitor.reason)


def _split(steps: str | Sequence[Any]) -> Sequence[Any]:
    """Returns the steps of a trace that may be one text."""
    if isinstance(steps, str):
        return _split_text(steps, ",") if steps.strip() else []
    return steps


def _split_text(text: str, separators: str) -> list[str]:
    """Splits a text, but not inside brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char in separators and not depth:
            parts.append("")
            continue
        parts[-1] += char
    return [part.strip() for part in parts]


class _Moment:
    """A step of a trace: its events, and the conditions that hold."""

    def __init__(self, step: Any) -> None:
        tokens = _tokens(step)
        self._events = [_event(t) for t in tokens if not _is_marked(t)]
        told = {_canonical(t[1:]) for t in tokens if _is_marked(t)}
        words = {event["type"] for event in self._events}
        self.view = TraceView(told | words)

    def record(self, number: int) -> StepRecord:
        """Returns the record of the step."""
        types = {event["type"] for event in self._events}
        acts = (t[4:] for t in sorted(types) if t.startswith("act_"))
        action = next(acts, "noop")
        health = 0 if "died" in types else 9
        vitals = (health, 9, 9, 9)
        events = tuple(self._events)
        return StepRecord(
            number, action, action, False, (0, 0), (0, 1), vitals, number, events
        )


def _is_marked(token: Any) -> bool:
    return isinstance(token, str) and token.startswith("@")


def _tokens(step: Any) -> list[Any]:
    """Returns the events, and the conditions with their marks, of a step."""
    if isinstance(step, str):
        parts = [] if step.strip() in ("", "-") else _split_text(step, " ")
        step = [part for part in parts if part]
    if step is None:
        return []
    if isinstance(step, Mapping) or not isinstance(step, Iterable):
        raise TypeError(f"A step is a list of names, got {step!r}.")
    tokens: list[Any] = []
    for part in step:
        if isinstance(part, str):
            event, *marked = part.strip().split("@")
            tokens += [event.strip()] if event.strip() not in ("", "-") else []
            tokens += [f"@{name.strip()}" for name in marked]
        else:
            tokens.append(part)
    return tokens


def _event(token: Any) -> dict[str, Any]:
    """Returns the event that a token of a step describes."""
    if isinstance(token, Mapping):
        if not isinstance(token.get("type"), str):
            raise TypeError(f"An event has a type, got {token!r}.")
        return dict(token)
    if not isinstance(token, str):
        raise TypeError(f"An event is a name or a dict, got {token!r}.")
    name, _, cause = token.partition(":")
    if cause:
        return {"type": name, "by": [cause]}
    if "(" not in token:
        return {"type": _canonical(token)}
    found = re.fullmatch(r"(\w+)\((.*)\)", token)
    try:
        call = ast.parse(token, mode="eval").body
        if found is None or not isinstance(call, ast.Call) or call.args:
            raise ValueError
        fields = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        # Not an event with fields, so a condition without its mark.
        return {"type": _canonical(token)}
    return {"type": found[1], **fields} if fields else {"type": _canonical(token)}


def _canonical(text: str) -> str:
    """Returns a condition as it is printed, so that blanks and quotes do not matter."""
    try:
        condition = parse_condition(text, names=_NAMES)
    except TaskSyntaxError:
        return text
    return condition.name if isinstance(condition, InZone) else str(condition)


def monitor_of(goal: str | Goal, budget: int | None = None) -> Monitor:
    """Returns a monitor whose events and conditions are those of a trace."""
    text = goal if isinstance(goal, str) else str(as_goal(goal))
    return Monitor(_told(parse(text, names=_NAMES).term()), budget)


def _told(term: Term) -> Term:
    op, goal = term.op, term.goal
    if term.names and term.names[0] in CLASSES:
        op, goal = "state", Reach(Named(term.names[0]))
    elif op == "state":
        goal = Reach(_told_condition(goal.condition), goal.steps)
    guards = tuple(
        guard._replace(condition=_told_guard(guard)) for guard in term.guards
    )
    parts = tuple(map(_told, term.parts))
    return dataclasses.replace(term, op=op, goal=goal, parts=parts, guards=guards)


def _told_guard(guard: Guard) -> Condition:
    """Returns the condition of a guard; of a tool, the trace says its name, too."""
    told = _told_condition(guard.condition)
    condition = guard.condition
    if isinstance(condition, Comparison) and isinstance(condition.quantity, Best):
        tier, kind = condition.number, condition.quantity.tool
        told = told | Named(f"{tier}_{kind}") | Named(f"{tier}:{kind}")
    return told


def _told_condition(condition: Condition) -> Condition:
    if isinstance(condition, (AllOf, AnyOf)):
        return type(condition)(tuple(map(_told_condition, condition.conditions)))
    if isinstance(condition, Opposite):
        return Opposite(_told_condition(condition.condition))
    return Named(condition.name if isinstance(condition, InZone) else str(condition))

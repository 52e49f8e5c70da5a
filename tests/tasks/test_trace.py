"""What goals mean: hand-written traces, laws, and the words for what went wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.tasks import Verdict, parse, trace
from crafter.tasks.language import goals as g
from crafter.tasks.language.goals import Event, Name
from crafter.tasks.language.names import TraceNames
from crafter.tasks.language.tracing import follow
from crafter.tasks.world import conditions as c
from crafter.tasks.world.conditions import Named, Together

# Expression, trace, verdict, step. `-` is nothing, `a@n` is a with the condition n.
GOLDEN = [
    ("a & b", "b, -, a", "DONE", 3),
    ("a | b", "-, b", "DONE", 2),
    ("a >> b", "b, a, -, b", "DONE", 4),
    ("a >> b", "a b, -", "FAILED", 2),
    ("a & ~d", "-, a", "DONE", 2),
    ("a & ~d", "d, a", "FAILED", 1),
    ("a & ~d", "a d", "FAILED", 1),
    ("(a & ~d) | b", "d, a, b", "DONE", 3),
    ("~d", "-, -, -", "DONE", 3),
    ("(~d).within(2)", "-, -, d", "DONE", 2),
    ("a.within(2)", "-, -, a", "FAILED", 2),
    ("a >> b.within(2)", "-, a, -, b", "DONE", 4),
    ("(a >> b).within(2)", "-, a, -, b", "FAILED", 2),
    ("a.times(2)", "a, -, a", "DONE", 3),
    ("a.when(n)", "a, a@n", "DONE", 2),
    ("(a | b) >> c", "c, b, c", "DONE", 3),
    ("a & b & ~d", "a, d, b", "FAILED", 2),
    ("(a & ~d) >> b", "a, d, b", "DONE", 3),
    ("a | ~d", "-, d, a", "DONE", 3),
    ("a", "a died", "FAILED", 1),
]
# Further ones, each for a sentence of the semantics.
MORE = [
    # Parts in any order, once each; associative, however it is written.
    ("a & (b & ~d)", "b, d, a", "FAILED", 2),
    ("(b & ~d) & a", "b, d, a", "FAILED", 2),
    # Restricted to the life of its goal, unlike & ~d.
    ("a & b.without(d)", "b, d, a", "DONE", 3),
    ("a & b.without(d)", "d, b, a", "FAILED", 1),
    ("a.without(d) >> b", "a, d, b", "DONE", 3),
    ("a.without(sword)", "-, sword, a", "FAILED", 2),
    # One of several; failed when all have failed.
    ("a.within(1) | b.within(2)", "-, -, a b", "FAILED", 2),
    ("(a & ~d) | (b & ~e)", "d, e, a", "FAILED", 2),
    # What comes later sees later steps only, its horizon as well.
    ("a >> b >> c", "a b c, b c, c", "DONE", 3),
    ("a >> (b >> c)", "a b c, b c, c", "DONE", 3),
    ("a >> a", "a, -, a", "DONE", 3),
    (
        "event(placed, 2, what)",
        "placed(what='stone'), placed(what='table'), placed(what='stone')",
        "DONE",
        3,
    ),
    ("a >> b.within(2)", "a, -, -, b", "FAILED", 3),
    ("a >> ~b", "b, a, -, -", "DONE", 4),
    ("a >> ~b", "a, b", "FAILED", 2),
    ("c & (a >> ~b)", "c, -, a, b", "DONE", 3),
    ("(~d).within(2) >> a", "-, -, a", "DONE", 3),
    ("(~d).within(2) >> a", "a, d", "FAILED", 2),
    # Horizons.
    ("a.within(2)", "-, a", "DONE", 2),
    ("(~d).within(2)", "-, d", "FAILED", 2),
    ("a & (~d).within(2)", "-, -, d, a", "DONE", 4),
    ("(a | ~d).within(2)", "-, -", "DONE", 2),
    ("(a & ~d).within(2)", "-, -, a", "FAILED", 2),
    ("~(a.within(2))", "-, -, a, -", "DONE", 4),
    ("~a.within(2)", "-, a", "FAILED", 2),
    # Not.
    ("~(a & b)", "a, -, b", "FAILED", 3),
    ("~(a & b)", "a, -, -", "DONE", 3),
    ("~~a", "-, a, -", "DONE", 3),
    ("~~a", "-, -, -", "FAILED", 3),
    ("~a & ~b", "-, -, b", "FAILED", 3),
    ("~a | ~b", "a, -, -", "DONE", 3),
    ("~a | ~b", "a, -, b", "FAILED", 3),
    # Counting.
    ("a.times(2)", "a, -, -", "FAILED", 3),
    ("(a | b).times(2)", "a b, -, b", "DONE", 3),
    ("(a >> b).times(2)", "a, b, b, a, b", "DONE", 5),
    ("a.times(3).within(4)", "a, a, -, -, a", "FAILED", 4),
    ("a.times(2) & ~d", "a, d, a", "FAILED", 2),
    # When: at the start of the step; not over what must not happen.
    ("(a & b).when(n)", "a b, a@n, b@n", "DONE", 3),
    ("(a >> b).when(n)", "a@n, b, b@n", "DONE", 3),
    ("(a | b).when(n)", "a b, b@n", "DONE", 2),
    ("(a & ~d).when(n)", "d, a@n", "FAILED", 1),
    ("a.when(n).within(2)", "a, -, a@n", "FAILED", 2),
    ("a.when(n & ~m)", "a@n@m, a@m, a@n", "DONE", 3),
    ("a.when(n).when(m)", "a@n, a@m, a@n@m", "DONE", 3),
    # Where and using.
    ("a.where(forest)", "a, a@forest", "DONE", 2),
    ("a.using(stone_sword)", [["a"], ["a", "@best(sword) == stone"]], "DONE", 2),
    # States.
    ("reach(n)", "-, @n", "DONE", 2),
    ("reach(n, hold=2)", "@n, -, @n, @n", "DONE", 4),
    ("reach(n).hold(2)", "@n, @n", "DONE", 2),
    ("reach(n).when(m)", "@n, @m, @n@m", "DONE", 3),
    ("together(n, m)", "@n, @m, @n@m", "DONE", 3),
    ("reach(n | m) >> a", "@m a, a", "DONE", 2),
    ("a & ~reach(health <= 4)", ["a", ["@health<=4"]], "DONE", 1),
    ("a & ~reach(health <= 4)", [["@ health <= 4"], ["a"]], "FAILED", 1),
    # Alternatives that are reported, and starts from scratch.
    ("a.from_scratch()", "-, a", "DONE", 2),
    # Death: whatever is not final has failed.
    ("a", "a, died", "DONE", 1),
    ("~d", "-, died", "FAILED", 2),
    ("~died", "-, died", "FAILED", 2),
    ("(~d).within(2)", "-, died", "FAILED", 2),
    ("a | ~d", "died a", "FAILED", 1),
    # Events with fields.
    (
        "event('placed', what='table')",
        "placed(what='stone'), placed(what='table')",
        "DONE",
        2,
    ),
    ("event('placed', n=2)", "placed, -, placed", "DONE", 3),
]


# Expression, trace, and the progress after each step, worked out by hand.
PROGRESS = [
    ("a & b", "-, a, b", [0, 1 / 2, 1]),
    ("a & b & c", "b, -, a c", [1 / 3, 1 / 3, 1]),
    ("a & b & ~d", "a, -, b", [1 / 2, 1 / 2, 1]),
    ("a & b.times(2)", "b, a, b", [1 / 4, 3 / 4, 1]),
    ("(a & b).when(n)", "a, a@n, b@n", [0, 1 / 2, 1]),
    ("a | b.times(4)", "b, b, -, a", [1 / 4, 1 / 2, 1 / 2, 1]),
    ("a.times(2) | b.times(4)", "b, a, b, b, b", [1 / 4, 1 / 2, 1 / 2, 3 / 4, 1]),
    ("a >> b", "b, a, -, b", [0, 1 / 2, 1 / 2, 1]),
    ("a >> b >> c", "a b, b, c", [1 / 3, 2 / 3, 1]),
    ("a & a & b", "a, b", [1 / 2, 1]),
    ("a >> b.times(2)", "a, b, b", [1 / 2, 3 / 4, 1]),
    ("(a >> b) & c", "a, c, b", [1 / 4, 3 / 4, 1]),
    ("a.times(4)", "a, a a, -, a, a", [1 / 4, 1 / 2, 1 / 2, 3 / 4, 1]),
    ("event('placed', n=4)", "placed, -, placed placed", [1 / 4, 1 / 4, 3 / 4]),
    ("(a & b).within(9)", "a, -, b", [1 / 2, 1 / 2, 1]),
    ("(~d).within(4)", "-, -, -, -", [1 / 4, 1 / 2, 3 / 4, 1]),
    ("(~d).within(4)", "-, d, -, -", [1 / 4] * 4),
    ("a & (~d).within(4)", "-, a, -, -", [1 / 8, 1, 1, 1]),
    ("~d", "-, -, -", [0, 0, 1]),
    ("reach(n)", "-, @n", [0, 1]),
    ("reach(n, hold=3)", "@n, -, @n, @n, @n", [1 / 2, 1 / 2, 1 / 2, 3 / 4, 1]),
    ("a.times(2) | b", "a, -, b", [1 / 2, 1 / 2, 1]),
    ("a.without(d) >> b", "a, d, b", [1 / 2, 1 / 2, 1]),
    ("a & b", "a, died, b", [1 / 2] * 3),
]


@pytest.mark.parametrize("expression, steps, expected", PROGRESS)
def test_progress_of_goals_with_parts(expression, steps, expected):
    found = [monitor.progress for monitor in follow(expression, steps)]
    assert found[1:] == pytest.approx(expected)


@pytest.mark.parametrize("expression, steps, verdict, step", GOLDEN + MORE)
def test_verdict_and_step(expression, steps, verdict, step):
    outcome = trace(expression, steps)
    assert (outcome.verdict, outcome.step) == (verdict, step)
    assert (outcome.reason is None) == (verdict == "DONE")


@pytest.mark.parametrize(
    "expression, message",
    [
        ("~d >> a", "nothing can come after"),
        ("(~d & ~e) >> a", "nothing can come after"),
        ("a >> ~d >> b", "nothing can come after"),
        ("(~d).times(2)", "cannot be done several times"),
        ("(a & b).hold(2)", "is not a state"),
        ("a & night", r"Write a & reach\(night\)"),
    ],
)
def test_goals_without_a_meaning_are_refused(expression, message):
    with pytest.raises((TypeError, ValueError), match=message):
        trace(expression, "-")


@pytest.mark.parametrize(
    "expression, steps, reason",
    [
        ("a & ~d", "d", "violated:~d"),
        ("a.within(2)", "-, -", "late:a.within(2)"),
        ("a & b.within(1)", "-, -", "late:b.within(1)"),
        ("a", "died", "died"),
        ("a", "died:lava", "died:lava"),
        ("a", "-", "timeout"),
        ("a >> b", "a, -", "timeout"),
        ("a.within(1) | b.within(2)", "-, -", "late:b.within(2)"),
        ("a.without(d, e)", "e", "violated:~e"),
        ("a & ~d", "d died", "died"),
    ],
)
def test_the_reason_of_a_failure(expression, steps, reason):
    assert trace(expression, steps).reason == reason


def test_a_budget_longer_than_the_trace_leaves_the_verdict_open():
    assert trace("a", "-, -", budget=3) == ("PENDING", 2, None)
    assert trace("~a", "-, -", budget=3) == ("SAFE", 2, None)
    assert trace("a", "-, -, a", budget=2) == ("FAILED", 2, "timeout")
    assert trace("a", [], 3) == ("PENDING", 0, None)


@pytest.mark.parametrize(
    "steps",
    ["a, -, b@n", ["a", "-", "b@n"], [["a"], [], ["b", "@n"]]],
)
def test_steps_can_be_written_in_several_ways(steps):
    assert trace("a >> b.when(n)", steps) == ("DONE", 3, None)


# Random goals and traces. Half the usual number of examples: they are costly to make.

FEW = settings(max_examples=40)

LETTERS = "abcd"
atoms = st.sampled_from(LETTERS).map(lambda letter: Name(letter, Event(letter)))
words = st.sampled_from("mn").map(Named)
held = st.recursive(
    words,
    lambda inner: (
        st.tuples(inner, inner).map(c.AllOf)
        | st.tuples(inner, inner).map(c.AnyOf)
        | st.tuples(inner, inner).map(Together)
        | inner.map(c.Opposite)
    ),
    max_leaves=3,
)
states = st.builds(g.Reach, held, st.integers(1, 3))


REASONS = ("violated:", "late:", "died", "timeout")


def made(kind, *parts):
    """Return a goal, or None where it would be refused."""
    try:
        return kind(*parts)
    except ValueError:
        return None


def larger(inner):
    small = st.integers(1, 4)
    pairs = st.sampled_from([g.And, g.Or, g.Then])
    goals = (
        st.builds(made, pairs, inner, inner)
        | inner.map(g.Not)
        | st.builds(made, st.just(g.Within), inner, small)
        | st.builds(made, st.just(g.Times), inner, st.integers(1, 3))
        | st.builds(g.When, inner, held)
        | st.builds(lambda goal, x: g.Without(goal, (x,)), inner, atoms)
        | inner.map(g.FromScratch)
    )
    return goals.filter(lambda goal: goal is not None)


goals = st.recursive(atoms | states, larger, max_leaves=6)
deaths = st.lists(
    st.sets(st.sampled_from([*LETTERS, "@m", "@n", "died"]), max_size=3).map(sorted),
    min_size=1,
    max_size=6,
)


def laws(a, b, c, condition):
    """Yield pairs of goals that mean the same."""
    yield a & b, b & a
    yield a | b, b | a
    yield (a & b) & c, a & (b & c)
    yield (a | b) | c, a | (b | c)
    yield a & a, a
    yield a | a, a
    yield ~(a | b), ~a & ~b
    yield (a & b).when(condition), a.when(condition) & b.when(condition)
    yield (a | b).when(condition), a.when(condition) | b.when(condition)
    if not a.term().is_endless:
        yield (a >> b).when(condition), a.when(condition) >> b.when(condition)
        if not b.term().is_endless:
            yield (a >> b) >> c, a >> (b >> c)


@FEW
@given(goals, goals, goals, held, deaths)
def test_laws_of_the_operators(a, b, c, condition, trace_steps):
    for first, second in laws(a, b, c, condition):
        found, same = trace(first, trace_steps), trace(second, trace_steps)
        assert found[:2] == same[:2], (str(first), str(second), found, same)


@FEW
@given(goals, deaths, st.integers(1, 8))
def test_final_verdicts_stay_and_progress_never_falls(goal, trace_steps, budget):
    before, last = 0.0, Verdict.PENDING
    for monitor in follow(goal, trace_steps, budget):
        assert not last.final or monitor.verdict is last
        assert before <= monitor.progress <= 1
        assert (monitor.progress == 1) == (monitor.verdict is Verdict.DONE)
        failed = monitor.verdict is Verdict.FAILED
        assert bool(monitor.reason) == failed
        assert not failed or monitor.reason.startswith(REASONS)
        before, last = monitor.progress, monitor.verdict


@given(goals)
def test_a_goal_that_is_printed_is_read_again(goal):
    assert parse(str(goal), names=TraceNames()) == goal


def test_goals_and_conditions_do_not_mix():
    goal, condition = Name("a", Event("a")), Named("n")
    for mixed in (
        lambda: goal & condition,
        lambda: condition & goal,
        lambda: goal | condition,
        lambda: goal >> condition,
        lambda: condition >> goal,
    ):
        with pytest.raises(TypeError, match=r"reach\(n\)"):
            mixed()
    with pytest.raises(TypeError, match="neither true nor false"):
        assert goal and goal
    with pytest.raises(TypeError, match="neither true nor false"):
        assert not condition


def test_together_is_a_goal_and_a_condition():
    both = Together((Named("m"), Named("n")))
    assert str(Name("a", Event("a")) >> both) == "a >> reach(together(m, n))"
    assert str(both >> Name("a", Event("a"))) == "reach(together(m, n)) >> a"
    assert isinstance(both & Named("x"), c.Condition)

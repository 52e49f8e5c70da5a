"""Expressions: what is read, what is refused, and where a mistake is said to be."""

from __future__ import annotations

import copy
import pickle

import pytest

from crafter.games.crafter.rules import default, load
from crafter.games.crafter.tasks.language import LANGUAGE
from crafter.tasks import Goal, MixtureError, TaskSyntaxError, parse, parse_condition
from crafter.tasks.game import find
from crafter.tasks.language.encoding import encode
from crafter.tasks.language.instructions import instruction
from crafter.tasks.language.names import expressions
from crafter.tasks.world.common import Material
from crafter.tasks.world.conditions import Condition
from crafter.tasks.world.fields import Positive

# Expression -> how it is printed.
GOALS = [
    ("collect_iron & ~damaged", "collect_iron & (~damaged)"),
    ("hurt & died >> slept", "hurt & (died >> slept)"),
    ("event('placed', n=2, what='table')", "event('placed', n=2, what='table')"),
    ("event(placed, what=table)", "event('placed', what='table')"),
    ("event('turned', facing=(-1, 0))", "event('turned', facing=(-1, 0))"),
    ("reach(3 <= inv.wood)", "reach(inv.wood >= 3)"),
    ("reach(health < 4, hold=2)", "reach(health < 4, hold=2)"),
    ("reach((food > 2) & ~night)", "reach((food > 2) & (~night))"),
    ("reach(best(sword) == none)", "reach(best('sword') == none)"),
    ("reach(light < 0.25)", "reach(light < 0.25)"),
    ("find(water, 1)", "find('water', 1)"),
    (
        "together(asleep, enclosed(1, 12))",
        "reach(together(asleep, enclosed(1, 12, 0)))",
    ),
    ("hurt.when(night | day)", "hurt.when(night | day)"),
    ("hurt.where(forest)", "hurt.where('forest')"),
    ("hurt.where(near(water, 2))", "hurt.where(near('water', 2))"),
    ("hurt.where(lost(plant))", "hurt.where(lost('plant', 1))"),
    ("event(ate, 2, at)", "event('ate', n=2, same='at')"),
    ("hurt.where(rectangle(1, 2, 3, 4))", "hurt.where(rectangle(1, 2, 3, 4))"),
    ("hurt.using('none:sword')", "hurt.using('none:sword')"),
    ("hurt.without(sword, 'died', act_do)", "hurt.without(sword, died, act_do)"),
    ("(~hurt).within(5)", "(~hurt).within(5)"),
    ("reach(day).hold(5).times(2)", "reach(day, hold=5).times(2)"),
    ("reach(built(line, 3))", "reach(built('line', n=3))"),
    ("reach(built('hut', hi=4, count=2))", "reach(built('hut', hi=4, count=2))"),
    ("reach(alive(cow, forest))", "reach(alive('cow', in_zone('forest')))"),
    ("reach(alive(cow, near(water)))", "reach(alive('cow', near('water', 1)))"),
    ("reach(sees(tree, 4) & on(sand))", "reach(sees('tree', 4) & on('sand'))"),
    (
        "reach(hostile_within(4) | facing(cow))",
        "reach(hostile_within(4) | facing('cow'))",
    ),
    ("reach(explored(0.5))", "reach(explored(0.5))"),
    ("\n  hurt\n  & died\n", "hurt & died"),
]


@pytest.mark.parametrize("text, printed", GOALS)
def test_a_goal_is_read_and_printed(text, printed):
    goal = Goal.parse(text)
    assert str(goal) == printed
    assert parse(printed) == goal


def test_tasks_of_the_catalogue_are_read_and_printed():
    for name, expression in expressions(find()).items():
        goal = parse(expression)
        assert parse(str(goal)) == goal, name
        assert pickle.loads(pickle.dumps(goal)) == copy.deepcopy(goal) == goal, name


# Expression, column, part of the message.
REFUSED = [
    ("__import__('os')", 1, "Unknown function '__import__'"),
    ("hurt & __import__('os').system('x')", 25, "Unknown method 'system'"),
    ("hurt.__class__", 6, "Expected a goal, got hurt.__class__"),
    ("hurt.whn(night)", 6, "Did you mean when?"),
    ("collect_wod", 1, "Did you mean collect_wood?"),
    ("reach(inv.wod >= 1)", 11, "Did you mean wood?"),
    ("reach(nigt)", 7, "Did you mean night?"),
    ("hurt and died", 1, "Write & | ~"),
    ("hurt + died", 1, "Expected a goal"),
    ("'hurt'", 1, "Expected a goal"),
    ("hurt) & (died", 1, "with all its parentheses"),
    ("(hurt", 1, "never closed"),
    ("", 1, "is empty"),
    ("hurt.within(0)", 1, "integer from 1"),
    ("hurt.within()", 1, "missing a required argument"),
    ("hurt.within(2, 3)", 1, "too many positional"),
    ("hurt.within(**x)", 15, "Expected an argument"),
    ("hurt.within(True)", 13, "Expected a number, a name or a text"),
    ("hurt.hold(3)", 1, "is not a state"),
    ("hurt.using('axe')", 1, "using: expected one of"),
    ("hurt.where('woods')", 12, "in_zone: name must be one of"),
    ("hurt.where(night)", 12, "in_zone: name must be one of"),
    ("event('plced')", 1, "Unknown event 'plced'"),
    ("find('watr', 1)", 6, "Unknown material or object 'watr'. Did you mean water?"),
    ("reach(near('watr', 1))", 12, "'watr'. Did you mean water?"),
    ("reach(on('zombie'))", 10, "Unknown material 'zombie'. There are water, grass,"),
    ("reach(built('crossing', 'watr', 3))", 25, "'watr'. Did you mean water?"),
    ("reach(built('enclosure', wall='tabel', n=1))", 31, "Did you mean table?"),
    ("reach(alive('cow', near('tabel')))", 25, "Did you mean table?"),
    (
        "event('placed', what='tabel')",
        22,
        "Unknown what of the event 'placed' 'tabel'. Did you mean table?",
    ),
    ("event('hurt', by=('arrow', 'zombi'))", 28, "Did you mean zombie?"),
    ("event('entered', zone='forrest')", 23, "Did you mean forest?"),
    ("event('unlocked', achievement='wake_upp')", 31, "Did you mean wake_up?"),
    ("event('placed', foo=1)", 1, "has no ['foo']"),
    ("reach", 1, "reach needs arguments"),
    ("hurt(3)", 1, "takes no arguments"),
    ("reach(inv.wood >= 3 & night)", 19, "in parentheses"),
    ("reach(1 <= inv.wood <= 2)", 7, "Compare once"),
    ("reach(inv.wood != 2)", 7, "compare with one of"),
    ("reach(inv.wood >= 'x')", 19, "compared with a number"),
    ("reach(best('sword') >= 2)", 24, "only be compared with =="),
    ("reach(best('sword') == gold)", 24, "the tier must be one of"),
    ("reach(inv.wood)", 11, "compared with a number"),
    ("reach(enclosed(3, 2))", 7, "lo 3 is more than hi 2"),
    ("reach(turned(3))", 7, "n must be an integer from 4 to 10000"),
    ("reach(marched(0))", 7, "integer from 1"),
    ("reach(circled(3))", 7, "is a name"),
    ("reach(toured(2, 5, 'forest'))", 7, "at least 2 of the zones"),
    ("reach(toured(1, 5, 'jungle'))", 7, "at least 1 of the zones"),
    ("reach(explored(2))", 7, "f must be a number from 0.0001 to 1"),
    ("hurt.times(1000000000)", 1, "times: n must be an integer from 1 to 10000"),
    ("(hurt | died).within(10001)", 1, "within: n must be an integer from 1 to 10000"),
    ("reach(built('line', 100000))", 7, "line: n must be an integer from 1 to 10000"),
    ("reach(built('chamber', 100000, 2))", 7, "w must be an integer from 1 to 100"),
    ("reach(night >> day)", 7, "Conditions have no order"),
    ("reach(event('hurt'))", 7, "is a goal; a condition is needed"),
    ("~hurt >> died", 1, "nothing can come after"),
]


def test_the_line_of_a_mistake_is_named():
    with pytest.raises(TaskSyntaxError) as error:
        parse("hurt\n  & colect_iron")
    assert (error.value.line, error.value.column) == (2, 5)


@pytest.mark.parametrize("text, column, message", REFUSED)
def test_a_mistake_is_named_with_its_place(text, column, message):
    with pytest.raises(TaskSyntaxError) as error:
        parse(text)
    assert message in error.value.problem
    assert (error.value.line, error.value.column) == (1, column)
    assert str(error.value).startswith(f"line 1, column {column}: ")
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


@pytest.mark.parametrize(
    "text, corrected",
    [
        ("hurt & night", "hurt & reach(night)"),
        ("night >> hurt", "reach(night) >> hurt"),
        ("hurt | (inv.wood >= 3)", "hurt | reach(inv.wood >= 3)"),
        ("hurt & (night & asleep)", "hurt & reach(night & asleep)"),
        ("~night & hurt", "reach(~night) & hurt"),
        ("(hurt & asleep).within(5)", "hurt & reach(asleep)"),
        ("night", "reach(night)"),
    ],
)
def test_a_condition_in_place_of_a_goal_is_corrected(text, corrected):
    with pytest.raises(TypeError) as error:
        parse(text)
    assert isinstance(error.value, MixtureError)
    assert f"Write {corrected}." in str(error.value)
    assert isinstance(parse(corrected), Goal)


def test_long_and_deep_expressions_are_refused():
    parse("hurt" + " | hurt" * 30)
    with pytest.raises(TaskSyntaxError, match="longer than 2000"):
        parse("hurt" + " | hurt" * 400)
    with pytest.raises(TaskSyntaxError, match="deeper than 40 levels"):
        parse("~" * 60 + "hurt")
    with pytest.raises(TaskSyntaxError):
        parse("~" * 1990 + "hurt")
    with pytest.raises(TaskSyntaxError):
        parse("(" * 900 + "hurt" + ")" * 900)


def test_names_follow_the_rules():
    more = {
        "make": {"diamond_sword": {"uses": {"diamond": 1}, "nearby": [], "gives": 1}}
    }
    rules = load({**more, "items": {"diamond_sword": {"max": 9, "initial": 0}}})
    assert str(parse("make_diamond_sword", rules)) == "make_diamond_sword"
    with pytest.raises(TaskSyntaxError, match="make_diamond_sword"):
        parse("make_diamond_sword")
    text = "event('made', what='diamond_sword')"
    assert str(parse(text, rules)) == text
    with pytest.raises(TaskSyntaxError, match="made' 'diamond_sword'"):
        parse(text)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("near('table')", "near('table', 1)"),
        ("lost('plant')", "lost('plant', 1)"),
        ("sees('tree')", "sees('tree', 1)"),
        ("enclosed()", "enclosed(1, 12, 0)"),
        ("enclosed(2)", "enclosed(2, 12, 0)"),
        ("around('zombie', 8)", "around('zombie', 8, 1)"),
        ("built('line', n=3)", "built('line', n=3, count=1)"),
    ],
)
def test_what_is_left_out_of_a_condition(short, full):
    assert parse_condition(short) == parse_condition(full)
    assert parse_condition(str(parse_condition(short))) == parse_condition(full)


def test_a_condition_is_declared_in_one_place(monkeypatch):
    class Rich(Condition, word="rich"):
        what: Material
        n: Positive = 2

        def holds(self, view):
            return view.player.inventory[self.what] >= self.n

    monkeypatch.setitem(LANGUAGE.functions, "rich", Rich)
    goal, rules = parse("reach(rich(coal) & night)"), default()
    assert str(goal) == "reach(rich('coal', 2) & night)"
    assert parse(str(goal)) == goal and encode(goal, rules).any()
    assert instruction(goal) == "Make sure that rich('coal', 2) holds and it is night."
    for text, message in (("rich(col)", "mean coal?"), ("rich(coal, 0)", "from 1 to")):
        with pytest.raises(TaskSyntaxError, match=message):
            parse(f"reach({text})")

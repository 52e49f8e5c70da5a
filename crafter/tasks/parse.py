"""Expressions: text that describes a goal, read without running anything.

The text is parsed with Python's own grammar, and of the result only what is listed
here is taken: names, calls, the methods of goals, `& | >> ~`, comparisons inside
conditions, numbers and texts. Everything else is refused with its place.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from crafter.games.crafter.rules import Rules, default
from crafter.tasks import conditions, goals, routes
from crafter.tasks.conditions import (
    Amount,
    Comparison,
    Condition,
    InZone,
    Named,
    Quantity,
)
from crafter.tasks.goals import Goal
from crafter.tasks.names import WORDS, Names

#: Longer or deeper expressions are refused.
LONGEST, DEEPEST = 2000, 40
#: A known name is proposed for one that differs by as many letters.
_CLOSE = 2

#: What makes conditions, by its word; the arguments are names, texts and numbers.
CONDITIONS: Mapping[str, Callable[..., Condition]] = collections.ChainMap(
    {
        "built": conditions.built,
        "together": conditions.together,
        "toured": routes.toured,
    },
    Condition.registry,
)
#: Functions that make goals.
GOALS: dict[str, Callable[..., Goal]] = {
    "event": goals.event,
    "reach": goals.reach,
    "find": goals.find,
}
#: Methods of goals.
METHODS = (
    "when",
    "where",
    "using",
    "without",
    "within",
    "times",
    "hold",
    "from_scratch",
)
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.RShift: operator.rshift,
}
_RELATIONS: dict[type, str] = {
    ast.GtE: ">=",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.Lt: "<",
    ast.Gt: ">",
}
_MIRRORED = {">=": "<=", "<=": ">=", "==": "==", "<": ">", ">": "<"}


class TaskSyntaxError(ValueError):
    """An expression is not one; the message says where and what is valid.

    Attributes:
      line: Line of the mistake, from 1.
      column: Column of the mistake, from 1.
      problem: What is wrong, without the place.
    """

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column = problem, line, column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.line, self.column)


class MixtureError(TaskSyntaxError, TypeError):
    """A condition stands where a goal is needed, or a goal where a condition is."""


def parse(text: str, rules: Rules | None = None, names: Names | None = None) -> Goal:
    """Returns the goal that an expression describes.

    Args:
      text: The expression.
      rules: The rules of the game; by default those of the published one.
      names: What names stand for; by default the catalogue and the rules say so.

    Raises:
      TaskSyntaxError: If it is not one, or names what the rules do not have.
      MixtureError: If conditions and goals are mixed; the message has the corrected
        expression.
    """
    return _Reader(text, names or _usual_names(rules)).read(_Reader.goal)


def parse_condition(
    text: str, rules: Rules | None = None, names: Names | None = None
) -> Condition:
    """Returns the condition that an expression describes; otherwise as `parse`."""
    return _Reader(text, names or _usual_names(rules)).read(_Reader.condition)


def written(goal: Goal, rules: Rules | None = None) -> tuple[str, str | None]:
    """Returns a goal as an expression that means the same when it is read again.

    Args:
      goal: The goal.
      rules: The rules of the game; by default those of the published one.

    Returns:
      The expression; and the name of the goal, if it has one that expressions do not
      know, such as that of a task file.

    Example:
      >>> written(parse("collect_wood")), written(goals.Name("mine", parse("died")))
      (('collect_wood', None), ('died', 'mine'))
    """
    if isinstance(goal, goals.Name) and _usual_names(rules).goal(goal.name) != goal:
        return str(goal.meaning), goal.name
    return str(goal), None


@functools.lru_cache(maxsize=8)
def _names_of(rules: Rules) -> Names:
    open_names: list[str] = []

    @functools.cache
    def read_goal(text: str) -> Goal:
        if text in open_names:
            raise ValueError(f"The task with the goal {text!r} is made of itself.")
        open_names.append(text)
        try:
            return _Reader(text, names).read(_Reader.goal)
        finally:
            open_names.pop()

    names = Names(rules, read_goal)
    return names


def _usual_names(rules: Rules | None) -> Names:
    return _names_of(default() if rules is None else rules)


class _Reader:
    """Reads one expression.

    Args:
      text: The expression.
      names: What names stand for.
    """

    def __init__(self, text: str, names: Names) -> None:
        if not isinstance(text, str):
            raise TypeError(f"Expected an expression as text, got {text!r}.")
        self._text, self._names = text, names
        # One line, so that an expression may run over several in a file.
        self._flat = "".join(" " if c in "\t\r\n\f\v" else c for c in text)
        self._indent = len(self._flat) - len(self._flat.lstrip(" "))

    def read(self, what: Callable[[_Reader, ast.expr], Any]) -> Any:
        """Returns what the whole expression describes."""
        if len(self._text) > LONGEST:
            self._stop(
                f"The expression has {len(self._text)} characters, at most {LONGEST} "
                "are allowed.",
                LONGEST,
            )
        return what(self, self._tree())

    def _tree(self) -> ast.expr:
        text = self._flat[self._indent :]
        if not text.strip():
            self._stop("The expression is empty.", 0)
        try:
            tree = ast.parse(text, mode="eval").body
            deep = _depth(tree) > DEEPEST
        except SyntaxError as error:
            self._stop(f"{error.msg}.", self._indent + (error.offset or 1) - 1)
        except (RecursionError, MemoryError):
            deep = True
        except ValueError as error:
            self._stop(f"{error}.", 0)
        if deep:
            self._stop(f"The expression is deeper than {DEEPEST} levels.", 0)
        end = self._index(tree.end_col_offset or 0)
        rest = self._flat[end:].replace(")", " ").replace(",", " ")
        if rest.strip():
            self._stop("Expressions have no comments.", end + rest.index(rest.strip()))
        return tree

    # Goals and conditions.

    def goal(self, node: ast.expr) -> Goal:
        """Returns the goal that a part describes."""
        if self._is_condition(node):
            self._mixed(node)
        if isinstance(node, ast.Name):
            return self._goal_name(node)
        if isinstance(node, ast.Call):
            return self._goal_call(node)
        if isinstance(node, ast.Compare):
            self._fail(node, "Put a comparison beside & and | in parentheses.")
        goal: Goal = self._joined(node, self.goal, "a goal")
        return goal

    def condition(self, node: ast.expr) -> Condition:
        """Returns the condition that a part describes."""
        if isinstance(node, ast.Name):
            return self._condition_name(node)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Call):
            return self._condition_call(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift):
            self._fail(node, ">> orders goals; conditions hold in one moment.")
        if isinstance(node, ast.Attribute):
            self._fail(node, "An amount is compared with a number: inv.wood >= 3.")
        condition: Condition = self._joined(node, self.condition, "a condition")
        return condition

    def _joined(self, node: ast.expr, read: Callable[..., Any], wanted: str) -> Any:
        """Returns goals or conditions that signs join."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return ~read(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = read(node.left), read(node.right)
            with self._placed(node):
                return _OPERATORS[type(node.op)](left, right)
        self._refuse(node, wanted)

    def _goal_name(self, node: ast.Name) -> Goal:
        with self._placed(node):
            goal = self._names.goal(node.id)
        if goal is None:
            if node.id in GOALS or node.id in CONDITIONS:
                self._fail(node, f"{node.id} needs arguments: {node.id}(...).")
            self._unknown(node, node.id, self._names.known(), "name")
        return goal

    def _goal_call(self, node: ast.Call) -> Goal:
        function = node.func
        if isinstance(function, ast.Attribute):
            name = function.attr
            if name not in METHODS:
                self._unknown(function, name, METHODS, "method")
            return self._call(node, name, getattr(self.goal(function.value), name))
        name = self._called(node, [*GOALS, *CONDITIONS])
        if name == "together":
            return goals.as_goal(self._condition_call(node))
        return self._call(node, name, GOALS[name])

    def _condition_name(self, node: ast.Name) -> Condition:
        if self._names.quantity(node.id) is not None:
            self._fail(node, f"{node.id} is compared with a number: {node.id} >= 3.")
        condition = self._names.condition(node.id)
        if condition is not None:
            return condition
        if self._names.goal(node.id) is not None:
            self._fail(
                node, f"{node.id} is a goal; a condition is needed here.", MixtureError
            )
        known = [*conditions_known(), *self._names.known()]
        self._unknown(node, node.id, known, "condition")

    def _condition_call(self, node: ast.Call) -> Condition:
        name = self._called(node, [*CONDITIONS, "best"])
        if name == "best":
            self._fail(node, "best(...) is compared: best('sword') == stone.")
        if name not in CONDITIONS:
            self._fail(node, f"{name} makes a goal; a condition is needed here.")
        return self._call(node, name, CONDITIONS[name])

    def _comparison(self, node: ast.Compare) -> Comparison:
        if len(node.ops) != 1:
            self._fail(node, "Compare once: (x >= 1) & (x <= 2), not 1 <= x <= 2.")
        relation = _RELATIONS.get(type(node.ops[0]))
        if relation is None:
            self._fail(node, f"Conditions compare with one of {list(_MIRRORED)}.")
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant):
            left, right, relation = right, left, _MIRRORED[relation]
        for side in (left, right):
            if isinstance(side, ast.BinOp):
                self._fail(side, "Put a comparison beside & and | in parentheses.")
        quantity, value = self._quantity(left), self._value(right)
        with self._placed(right):
            return quantity.compare(relation, value)

    def _quantity(self, node: ast.expr) -> Quantity:
        if isinstance(node, ast.Name):
            found = self._names.quantity(node.id)
            if found is not None:
                return found
            self._unknown(node, node.id, (*conditions.VITALS, "light"), "number")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id != "inv":
                self._fail(node, f"Amounts are written inv.{node.attr}.")
            if node.attr not in self._names.rules.items:
                self._unknown(node, node.attr, self._names.rules.items, "item")
            return Amount(node.attr)
        if isinstance(node, ast.Call) and self._called(node, ["best"]) == "best":
            return self._call(node, "best", conditions.Best)
        self._refuse(node, "a number of the game, such as inv.wood or health")

    # Calls and their arguments.

    def _called(self, node: ast.Call, known: Iterable[str]) -> str:
        """Returns the name of the function that is called."""
        if not isinstance(node.func, ast.Name):
            self._refuse(node.func, "the name of a function")
        name = node.func.id
        if name not in (*GOALS, *CONDITIONS, "best"):
            if self._names.goal(name) is not None and name not in known:
                self._fail(node, f"{name} is a name and takes no arguments.")
            self._unknown(node, name, [*GOALS, *CONDITIONS, "best"], "function")
        return name

    def _call(self, node: ast.Call, name: str, function: Callable[..., Any]) -> Any:
        """Calls a function with the arguments of a call."""
        signature = inspect.signature(function)
        places = list(signature.parameters.values())
        values = []
        for number, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                self._refuse(argument, "an argument")
            # What is beyond the last parameter belongs to it, if it takes several.
            place = places[min(number, len(places) - 1)].name if places else ""
            values.append(self._argument(argument, place))
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self._refuse(keyword.value, "an argument")
            keywords[keyword.arg] = self._argument(keyword.value, keyword.arg)
        try:
            signature.bind(*values, **keywords)
        except TypeError as error:
            self._fail(node, f"{name}{_shown(signature)}: {error}.")
        with self._placed(node):
            made = function(*values, **keywords)
        self._check_words(node, made)
        return made

    def _check_words(self, node: ast.Call, made: Any) -> None:
        """Refuses words that the rules do not have."""
        check = getattr(made, "mistakes", None)
        for word, what, valid in check(self._names.rules) if check else ():
            places = (n for n in ast.walk(node) if isinstance(n, ast.expr))
            place = next((n for n in places if _said(n) == word), node)
            self._unknown(place, word, valid, what, True)

    def _argument(self, node: ast.expr, parameter: str) -> Any:
        """Returns an argument; the name of the parameter says what it may be."""
        if parameter in ("condition", "conditions"):
            return self.condition(node)
        if parameter == "place":
            return self._place(node)
        if parameter != "things":
            return self._value(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = ast.Name(node.value, ast.Load())
            return self._goal_name(ast.copy_location(name, node))
        return self.goal(node)

    def _place(self, node: ast.expr) -> Any:
        """Returns a place: a condition, or the name of a zone."""
        if not isinstance(node, (ast.Name, ast.Constant)):
            return self.condition(node)
        found = self._names.condition(self._value(node))
        with self._placed(node):
            return found if isinstance(found, Named) else InZone(self._value(node))

    def _value(self, node: ast.expr) -> Any:
        """Returns a number, a text, or several of them; a name stands for its text."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple(map(self._value, node.elts))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._value(node.operand)
            if isinstance(value, (int, float)):
                return -value
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
            return node.value
        self._refuse(node, "a number, a name or a text")

    # Mistakes.

    @contextlib.contextmanager
    def _placed(self, node: ast.expr) -> Iterator[None]:
        """Adds the place of a node to the errors that goals and conditions raise."""
        try:
            yield
        except TaskSyntaxError:
            raise
        except (TypeError, ValueError) as error:
            self._fail(node, str(error))

    def _is_condition(self, node: ast.expr) -> bool:
        """Returns whether a part can only be a condition."""
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            return not any(isinstance(side, ast.BinOp) for side in sides)
        if isinstance(node, ast.Name):
            return node.id in conditions_known()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id in CONDITIONS and node.func.id != "together"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return self._is_condition(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            return self._is_condition(node.left) and self._is_condition(node.right)
        return False

    def _mixed(self, node: ast.expr) -> NoReturn:
        """Refuses a condition where a goal is needed, with the corrected expression."""
        start, end = self._index(node.col_offset), self._index(node.end_col_offset or 0)
        while self._flat[:start].rstrip().endswith("(") and self._flat[
            end:
        ].lstrip().startswith(")"):  # parentheses around it, which reach() has
            before = self._flat[:start].rstrip()
            if before[:-1].rstrip()[-1:].isidentifier():
                break  # those of a call
            start = len(before) - 1
            end += len(self._flat[end:]) - len(self._flat[end:].lstrip()) + 1
        inner = ast.unparse(node)
        corrected = f"{self._flat[:start]}reach({inner}){self._flat[end:]}".strip()
        self._fail(
            node,
            f"{inner} is a condition, not a goal. Write {corrected}.",
            MixtureError,
        )

    def _refuse(self, node: ast.expr, wanted: str) -> NoReturn:
        if isinstance(node, ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            self._fail(node, "Write & | ~ instead of and, or, not.")
        self._fail(node, f"Expected {wanted}, got {ast.unparse(node)}.")

    def _unknown(
        self,
        node: ast.expr,
        name: str,
        known: Iterable[str],
        what: str,
        listed: bool = False,
    ) -> NoReturn:
        near = nearest(name, known)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        if listed and not near:
            hint = f" There are {', '.join(known)}."
        self._fail(node, f"Unknown {what} {name!r}.{hint}")

    def _fail(
        self,
        node: ast.expr,
        problem: str,
        kind: type[TaskSyntaxError] = TaskSyntaxError,
    ) -> NoReturn:
        offset = node.col_offset
        if isinstance(node, ast.Attribute):  # the name after the dot
            offset = (node.end_col_offset or 0) - len(node.attr.encode())
        self._stop(problem, self._index(offset), kind)

    def _stop(
        self, problem: str, index: int, kind: type[TaskSyntaxError] = TaskSyntaxError
    ) -> NoReturn:
        before = self._text[:index]
        line = before.count("\n") + 1
        raise kind(problem, line, index - (before.rfind("\n") + 1) + 1)

    def _index(self, offset: int) -> int:
        """Returns the place of a byte of the flat text among its characters."""
        data = self._flat[self._indent :].encode()[:offset]
        return self._indent + len(data.decode(errors="ignore"))


def _depth(node: ast.AST) -> int:
    """Returns how many expressions lie within each other."""
    below = map(_depth, ast.iter_child_nodes(node))
    return isinstance(node, ast.expr) + max(below, default=0)


def _said(node: ast.expr) -> Any:
    """Returns the word that a node is, as a text or a name; else something else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.value if isinstance(node, ast.Constant) else None


def _shown(signature: inspect.Signature) -> str:
    names = [
        f"*{p.name}" if p.kind is p.VAR_POSITIONAL else p.name
        for p in signature.parameters.values()
    ]
    return f"({', '.join(names)})"


def conditions_known() -> list[str]:
    """Returns the words that are conditions or numbers of the game."""
    return [*WORDS, *conditions.VITALS, "light"]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Returns the known names that differ least from a name, if they are near."""
    distances: Mapping[str, int] = {
        other: _edits(name, other)
        for other in known
        if abs(len(name) - len(other)) <= _CLOSE
    }
    least = min(distances.values(), default=_CLOSE + 1)
    return (
        [] if least > _CLOSE else sorted(n for n, d in distances.items() if d == least)
    )


def _edits(a: str, b: str) -> int:
    """Returns how many letters have to be added, removed or changed."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = (
                row[j],
                min(row[j] + 1, row[j - 1] + 1, previous + (x != y)),
            )
    return row[-1]

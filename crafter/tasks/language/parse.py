"""Parser of goal expressions; nothing is evaluated.

The text is parsed with Python's grammar. Accepted are names, calls, methods of goals,
`& | >> ~`, comparisons inside conditions, numbers and strings; everything else is
rejected with its position.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from crafter.tasks import game as games
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.names import Names, functions
from crafter.tasks.world.conditions import Condition, Named, Quantity

#: Maximum length and depth of expressions.
LONGEST, DEEPEST = 2000, 40
#: Similarity from which a known name is suggested; see `difflib`.
_CLOSE = 0.65

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
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.RShift: operator.rshift,
    ast.Invert: operator.invert,
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
    """An expression is invalid; the message says where, and what is valid.

    Attributes:
      line: Line of the mistake, from 1.
      column: Column of the mistake, from 1.
      problem: What is wrong, without the position.
    """

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column = problem, line, column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.line, self.column)


class MixtureError(TaskSyntaxError, TypeError):
    """A condition in place of a goal, or a goal in place of a condition."""


def parse(text: str, rules: Any = None, names: Names | None = None) -> Goal:
    """Returns the goal that an expression describes.

    Args:
      text: The expression.
      rules: The rules of the game; by default those of the published one.
      names: Meanings of names; by default those of the catalogue and the rules.

    Raises:
      TaskSyntaxError: If it is invalid, or has a name that the rules do not know.
      MixtureError: If conditions and goals are mixed; the message has the corrected
        expression.
    """
    return _Reader(text, names or _usual_names(rules)).read("a goal")


def parse_condition(
    text: str, rules: Any = None, names: Names | None = None
) -> Condition:
    """Returns the condition that an expression describes; otherwise as `parse`."""
    return _Reader(text, names or _usual_names(rules)).read("a condition")


def written(goal: Goal, rules: Any = None) -> tuple[str, str | None]:
    """Returns a goal as an expression that parses to the same goal.

    Args:
      goal: The goal.
      rules: The rules of the game; by default those of the published one.

    Returns:
      The expression; and the name of the goal, if expressions do not know it, such as
      that of a task file.

    Example:
      >>> written(parse("collect_wood")), written(goals.Name("mine", parse("died")))
      (('collect_wood', None), ('died', 'mine'))
    """
    if isinstance(goal, goals.Name) and _usual_names(rules).goal(goal.name) != goal:
        return str(goal.meaning), goal.name
    return str(goal), None


@functools.lru_cache(maxsize=8)
def _names_of(rules: Any) -> Names:
    open_names: list[str] = []

    @functools.cache
    def read_goal(text: str) -> Goal:
        if text in open_names:
            raise ValueError(f"The goal {text!r} refers to itself.")
        open_names.append(text)
        try:
            return _Reader(text, names).read("a goal")
        finally:
            open_names.pop()

    names = Names(rules, read_goal)
    return names


def _usual_names(rules: Any) -> Names:
    return _names_of(games.find().rules if rules is None else rules)


class _Reader:
    """Parses one expression.

    Args:
      text: The expression.
      names: Meanings of names.
    """

    def __init__(self, text: str, names: Names) -> None:
        if not isinstance(text, str):
            raise TypeError(f"Expected an expression as text, got {text!r}.")
        # In parentheses an expression may run over several lines.
        self._text, self._names = f"({text}\n)", names
        self._functions = functions(names.game)

    def read(self, wanted: str) -> Any:
        """Returns the goal or condition that the expression describes."""
        if len(self._text) > LONGEST + 3:
            self._stop(f"The expression is longer than {LONGEST} characters.")
        if not self._text[1:-2].strip():
            self._stop("The expression is empty.")
        try:
            tree = ast.parse(self._text, mode="eval").body
            deep = _depth(tree) > DEEPEST
        except SyntaxError as error:
            self._stop(f"{error.msg}.", error.lineno or 1, (error.offset or 1) - 1)
        except (RecursionError, MemoryError):
            deep = True
        except ValueError as error:
            self._stop(f"{error}.")
        if deep:
            self._stop(f"The expression is deeper than {DEEPEST} levels.")
        if (tree.lineno, tree.col_offset) == (1, 0):
            self._stop(f"Expected {wanted} with all its parentheses, without commas.")
        return self._part(tree, wanted)

    def _part(self, node: ast.expr, wanted: str) -> Any:
        """Returns the goal or condition that a part describes."""
        part = self._read(node, wanted)
        if isinstance(part, Quantity):
            self._fail(node, f"{part} is compared with a number, as in {part} >= 3.")
        if wanted == "a goal":
            with self._locate(node, MixtureError):
                return goals.as_goal(part)
        if isinstance(part, Goal):
            problem = f"{part} is a goal; a condition is needed here."
            self._fail(node, problem, MixtureError)
        return part

    def _read(self, node: ast.expr, wanted: str) -> Any:
        """Returns the goal, condition or number of the game that a part describes."""
        if isinstance(node, ast.Name):
            return self._name(node, wanted)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Attribute) and _word_of(node.value) == "inv":
            language = self._names.game.language
            items = language.items(self._names.rules)
            if node.attr not in items:
                self._unknown(node, node.attr, items, "item")
            return language.amount(node.attr)
        operands: list[ast.expr] = []
        if isinstance(node, ast.UnaryOp):
            operands = [node.operand]
        elif isinstance(node, ast.BinOp):
            operands = [node.left, node.right]
        sign = _OPERATORS.get(type(getattr(node, "op", None)))
        if sign is None or not operands:
            self._refuse(node, wanted)
        values = [self._read(operand, wanted) for operand in operands]
        for operand, value in zip(operands, values):
            if isinstance(value, Quantity):
                self._part(operand, wanted)
        with self._locate(node, MixtureError):
            return sign(*values)

    def _name(self, node: ast.Name, wanted: str) -> Any:
        name, names = node.id, self._names
        readers = [names.goal, names.quantity, names.condition]
        with self._locate(node):
            for read in readers if wanted == "a goal" else reversed(readers):
                meaning = read(name)
                if meaning is not None:
                    return meaning
        if name in self._functions:
            self._fail(node, f"{name} needs arguments: {name}(...).")
        self._unknown(node, name, names.known(), "name")

    def _comparison(self, node: ast.Compare) -> Condition:
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
        quantity = self._read(left, "a number")
        if isinstance(quantity, Named):  # in traces, where any name is one
            quantity = self._names.quantity(quantity.name)
        if not isinstance(quantity, Quantity):
            self._refuse(left, "a number of the game, such as inv.wood or health")
        value = self._value(right)
        with self._locate(right):
            return quantity.compare(relation, value)

    # Calls and their arguments.

    def _call(self, node: ast.Call) -> Any:
        """Returns the result of a function, or of a method of a goal."""
        function = node.func
        if isinstance(function, ast.Attribute):
            name = function.attr
            if name not in METHODS:
                self._unknown(function, name, METHODS, "method")
            goal = self._part(function.value, "a goal")
            method = getattr(goal, name)
            if name == "using":
                language = self._names.game.language
                method = functools.partial(goals.using, language, goal)
            return self._apply(node, method)
        if not isinstance(function, ast.Name):
            self._refuse(function, "the name of a function")
        name = function.id
        if name not in self._functions:
            if self._names.goal(name) is not None:
                self._fail(node, f"{name} is a name and takes no arguments.")
            self._unknown(node, name, self._functions, "function")
        return self._apply(node, self._functions[name])

    def _apply(self, node: ast.Call, function: Callable[..., Any]) -> Any:
        signature = inspect.signature(function)
        places = list(signature.parameters.values())
        values = []
        for number, argument in enumerate(node.args):
            # Further arguments belong to the last parameter, if it is variadic.
            place = places[min(number, len(places) - 1)].name if places else ""
            values.append(self._argument(argument, place))
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self._refuse(keyword.value, "an argument")
            keywords[keyword.arg] = self._argument(keyword.value, keyword.arg)
        with self._locate(node):
            signature.bind(*values, **keywords)
            result = function(*values, **keywords)
        mistakes = getattr(result, "mistakes", None)
        for word, what, valid in mistakes(self._names.rules) if mistakes else ():
            parts = (n for n in ast.walk(node) if isinstance(n, ast.expr))
            said = next((n for n in parts if _word_of(n) == word), node)
            self._unknown(said, word, valid, what, True)
        return result

    def _argument(self, node: ast.expr, parameter: str) -> Any:
        """Returns an argument; the name of the parameter determines its type."""
        if isinstance(node, ast.Starred):
            self._refuse(node, "an argument")
        if parameter in ("condition", "conditions"):
            return self._part(node, "a condition")
        if parameter == "place":
            return self._place(node)
        if parameter != "things":
            return self._value(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.copy_location(ast.Name(node.value, ast.Load()), node)
        return self._part(node, "a goal")

    def _place(self, node: ast.expr) -> Any:
        """Returns a place: a condition, or the name of a zone."""
        if not isinstance(node, (ast.Name, ast.Constant)):
            return self._part(node, "a condition")
        condition = self._names.condition(self._value(node))
        zone = self._names.game.language.zone
        with self._locate(node):
            return (
                condition if isinstance(condition, Named) else zone(self._value(node))
            )

    def _value(self, node: ast.expr) -> Any:
        """Returns a number, a string or several of them; names count as strings."""
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
    def _locate(
        self, node: ast.expr, mixed: type[TaskSyntaxError] | None = None
    ) -> Iterator[None]:
        """Adds the position of a node to errors of goals and conditions.

        Args:
          node: The node.
          mixed: Class of the error that replaces a TypeError.
        """
        try:
            yield
        except TaskSyntaxError:
            raise
        except TypeError as error:
            self._fail(node, str(error), mixed or TaskSyntaxError)
        except ValueError as error:
            self._fail(node, str(error))

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
        valid: Iterable[str],
        what: str,
        listed: bool = False,
    ) -> NoReturn:
        near = difflib.get_close_matches(name, valid, 1, _CLOSE)
        hint = f" Did you mean {near[0]}?" if near else ""
        if listed and not near:
            hint = f" There are {', '.join(valid)}."
        self._fail(node, f"Unknown {what} {name!r}.{hint}")

    def _fail(
        self,
        node: ast.expr,
        problem: str,
        kind: type[TaskSyntaxError] = TaskSyntaxError,
    ) -> NoReturn:
        line, offset = node.lineno, node.col_offset
        if isinstance(node, ast.Attribute):  # the name after the dot
            line = node.end_lineno or line
            offset = (node.end_col_offset or 0) - len(node.attr.encode())
        before = self._text.split("\n")[line - 1].encode()[:offset]
        self._stop(problem, line, len(before.decode()), kind)

    def _stop(
        self,
        problem: str,
        line: int = 1,
        before: int = 1,
        kind: type[TaskSyntaxError] = TaskSyntaxError,
    ) -> NoReturn:
        """Raises an error after so many characters of a line."""
        raise kind(problem, line, max(1, before + (line > 1)))


def _depth(node: ast.AST) -> int:
    """Returns the nesting depth of expressions."""
    below = map(_depth, ast.iter_child_nodes(node))
    return isinstance(node, ast.expr) + max(below, default=0)


def _word_of(node: ast.expr) -> Any:
    """Returns the value of a name or constant, else `None`."""
    if isinstance(node, ast.Name):
        return node.id
    return node.value if isinstance(node, ast.Constant) else None

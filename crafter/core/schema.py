"""Schemas: validation of plain data by annotated types.

A schema is a `Record` or a type: a dataclass, `Mapping[K, V]`, `tuple[V, ...]`,
`tuple[A, B]`, `Literal`, `bool`, `int`, `float` or `str`. `Annotated` adds conditions,
such as `Annotated[int, Between(0, 9)]`; `Annotated[str, name_of("item")]` must be one
of the names defined by the data itself.

Example:
  >>> item = Record(max=Annotated[int, Between(0)])
  >>> check(table(str, item), "items", {"wood": {"max": -1}})
  Traceback (most recent call last):
  ...
  ValueError: items.wood.max must be an integer of at least 0, got -1.
"""

# These annotations are evaluated at runtime.
import dataclasses
import fnmatch
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

from crafter.core import validation
from crafter.core.validation import fail, listed

#: Kind, in the plural -> its names.
Names = Mapping[str, Collection[Any]]
Condition = Callable[[str, Any, Names], None]

_EXACT = 2**53  # Floats are exact up to here; saved games hold no larger numbers.


class Between:
    """A number in a range; `None` is unbounded."""

    def __init__(self, low: float | None = None, high: float | None = None) -> None:
        self.low, self.high = low, high


class Record:
    """A mapping with fixed keys: key -> schema of its value."""

    def __init__(self, **kinds: Any) -> None:
        self.kinds: dict[str, Any] = kinds
        self.names = tuple(kinds)


def table(key: Any, entry: Any) -> Any:
    """Returns the schema of a mapping with any number of entries."""
    return Mapping[key, entry]


def name_of(kind: str) -> Condition:
    """Returns the condition of being a name of some kind, such as `items`."""

    def condition(where: str, value: Any, names: Names) -> None:
        validation.one_of(where, value, names[kind], kind)

    return condition


def needs(*needed: str) -> Condition:
    """Returns the condition of having certain keys."""

    def condition(where: str, value: Any, names: Names) -> None:
        for name in needed:
            if name not in value:
                raise ValueError(
                    f"{where}.{name} is missing; the game needs {listed(needed)}."
                )

    return condition


def above_zero(where: str, value: Any, names: Names) -> None:
    """A number above 0."""
    if not value > 0:
        fail(where, "a number above 0", value)


def identifier(where: str, value: Any, names: Names) -> None:
    """A name: letters, digits and underscores."""
    if not (value.isascii() and value.isidentifier()):
        fail(where, "a name of letters, digits and underscores", value)


def character(where: str, value: Any, names: Names) -> None:
    """A single character."""
    if len(value) != 1:
        fail(where, "a single character", value)


def distinct(where: str, value: Any, names: Names) -> None:
    """A list without repetitions."""
    for index, entry in enumerate(value):
        if entry in value[:index]:
            raise ValueError(f"{where}.{index}: {entry!r} appears twice in {where}.")


def filled(where: str, value: Any, names: Names) -> None:
    """A list, mapping or text that is not empty."""
    if not value:
        raise ValueError(f"{where} must not be empty.")


Id = Annotated[str, identifier]
Symbol = Annotated[str, character]
Ids = Annotated[tuple[Id, ...], distinct]
Count = Annotated[int, Between(0)]
Positive = Annotated[int, Between(1)]
Amount = Annotated[float, Between(0)]
Above = Annotated[float, above_zero]
Chance = Annotated[float, Between(0, 1)]


def join(path: str, name: Any) -> str:
    """Returns the path of an entry."""
    return f"{path}.{name}" if path else str(name)


#: Pairs of a value, such as a schema, and space-separated path patterns; `*` matches
#: anything, and the first matching pattern counts.
Patterns = Sequence[tuple[Any, str]]


def by_example(
    example: Any, tables: Patterns, kinds: Patterns, optional: Patterns = ()
) -> Any:
    """Returns the schema of data with the names and paths of an example.

    Rows of tables and lists must have the names that all rows of the example have, and
    may have those that any row has.

    Args:
      example: Plain data.
      tables: Schemas of the keys of mappings with any number of rows.
      kinds: Schemas of values; `Count` if no pattern matches.
      optional: Further names that mappings may have.
    """

    def at(path: str, patterns: Patterns) -> Any:
        for value, those in patterns:
            if any(fnmatch.fnmatchcase(path, one) for one in those.split()):
                return value
        return None

    def like(path: str, examples: Sequence[Any]) -> Any:
        first, kind = (*examples, None)[0], at(path, kinds)
        if isinstance(first, dict) and not dataclasses.is_dataclass(kind):
            key = at(path, tables)
            if key is not None:
                rows = [row for each in examples for row in each.values()]
                return table(key, like(join(path, "*"), rows))
            names = dict.fromkeys(name for each in examples for name in each)
            names |= dict.fromkeys(at(path, optional) or ())
            own = {name: [e[name] for e in examples if name in e] for name in names}
            record = Record(**{n: like(join(path, n), rows) for n, rows in own.items()})
            record.names = tuple(n for n in own if len(own[n]) == len(examples))
            return record
        if isinstance(first, list) and first and isinstance(first[0], dict):
            rows = [row for each in examples for row in each]
            return tuple[like(join(path, "*"), rows), ...]  # type: ignore[misc]
        return bool if isinstance(first, bool) else kind or Count

    return like("", [example])


def check(kind: Any, path: str, value: Any, names: Names | None = None) -> None:
    """Validates data against a schema.

    Args:
      kind: The schema.
      path: Path of the data; empty for the root.
      value: The data.
      names: Names for `name_of`.

    Raises:
      ValueError: If the data is invalid; the message starts with the path.
    """
    _checker(kind)(path, value, names or {})


@functools.cache
def _checker(kind: Any) -> Condition:
    """Returns the function that validates a value against a schema."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, Record):
        return _record(kind.kinds, kind.names)
    if origin is Annotated:
        return _annotated(*parts)
    if origin is tuple:
        return _list(parts)
    if origin is Literal:
        return lambda path, value, names: validation.one_of(path, value, parts)
    if origin is not None:
        return _table(*parts)
    if dataclasses.is_dataclass(kind):
        kinds = {field.name: field.type for field in dataclasses.fields(kind)}
        return _record(kinds, kinds)
    return _scalar(kind, Between())


def _scalar(kind: Any, limits: Between) -> Condition:
    validate = _SCALARS[kind]
    if kind not in (int, float):
        return lambda path, value, names: validate(path, value)

    def check_number(path: str, value: Any, names: Names) -> None:
        validate(path, value, limits.low, limits.high)
        if abs(value) > _EXACT:
            fail(path, f"a number from {-_EXACT} to {_EXACT}", value)

    return check_number


def _annotated(base: Any, *conditions: Any) -> Condition:
    limits = [part for part in conditions if isinstance(part, Between)]
    checks = [_scalar(base, limits[0]) if limits else _checker(base)]
    checks += [part for part in conditions if part not in limits]

    def check_all(path: str, value: Any, names: Names) -> None:
        for check_one in checks:
            check_one(path, value, names)

    return check_all


def _record(kinds: Mapping[str, Any], needed: Collection[str]) -> Condition:
    checks = {name: _checker(kind) for name, kind in kinds.items()}

    def check_entries(path: str, value: Any, names: Names) -> None:
        if not isinstance(value, Mapping):
            fail(path or "rules", f"a mapping with {listed(needed)}", value)
        for name in needed:
            if name not in value:
                raise ValueError(f"{join(path, name)} is missing.")
        validation.mapping(path or "rules", value, checks)
        for name, check_one in checks.items():
            if name in value:
                check_one(join(path, name), value[name], names)

    return check_entries


def _table(key: Any, entry: Any) -> Condition:
    check_key, check_entry = _checker(key), _checker(entry)

    def check_entries(path: str, value: Any, names: Names) -> None:
        for name, part in validation.mapping(path or "rules", value).items():
            where = join(path, name)
            check_key(where, name, names)
            check_entry(where, part, names)

    return check_entries


def _list(kinds: tuple[Any, ...]) -> Condition:
    checks = [_checker(kind) for kind in kinds if kind is not Ellipsis]
    endless = len(checks) < len(kinds)

    def check_entries(path: str, value: Any, names: Names) -> None:
        validation.sequence(path, value, None if endless else len(checks))
        for index, part in enumerate(value):
            checks[0 if endless else index](f"{path}.{index}", part, names)

    return check_entries


def _is(kind: type, expected: str) -> Callable[[str, Any], None]:
    def check_one(path: str, value: Any) -> None:
        if not isinstance(value, kind):
            fail(path, expected, value)

    return check_one


_SCALARS: Mapping[Any, Callable[..., Any]] = {
    bool: _is(bool, "true or false"),
    int: validation.integer,
    float: validation.number,
    str: _is(str, "a text"),
    Any: _is(object, "anything"),
}

"""Schemas: plain data checked against annotated types.

A schema is a type: a `TypedDict` or a dataclass, `Mapping[K, V]`, `tuple[V, ...]`,
`tuple[A, B]`, `Literal`, `bool`, `int`, `float` or `str`. `Annotated`
adds conditions, such as `Annotated[int, Between(0, 9)]`, and `Annotated[str,
Name("item")]` is one of the names that the checked data itself defines. So the types
that a reader and a type checker see are what is checked when data is loaded.

Example:
  >>> from typing import TypedDict
  >>> class Item(TypedDict):
  ...     max: Annotated[int, Between(0)]
  >>> check(Mapping[str, Item], "items", {"wood": {"max": -1}})
  Traceback (most recent call last):
  ...
  ValueError: items.wood.max must be an integer of at least 0, got -1.
"""

# The annotations here and in schemas are read when the program runs.
import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, is_typeddict

from crafter.core import validation
from crafter.core.validation import fail, listed

#: Kind, in the plural -> the names that there are.
Names = Mapping[str, Collection[Any]]
Condition = Callable[[str, Any, Names], None]


@dataclasses.dataclass(frozen=True)
class Between:
    """A number in a range; `None` is open."""

    low: float | None = None
    high: float | None = None


@dataclasses.dataclass(frozen=True)
class Name:
    """One of the names of a kind, such as `items`."""

    kind: str

    def __call__(self, where: str, value: Any, names: Names) -> None:
        """Checks a value."""
        validation.one_of(where, value, names[self.kind], self.kind)


@dataclasses.dataclass(frozen=True)
class Needs:
    """A list or mapping with certain names, besides others."""

    needed: tuple[str, ...]

    def __call__(self, where: str, value: Any, names: Names) -> None:
        """Checks a value."""
        for name in self.needed:
            if name not in value:
                raise ValueError(
                    f"{where}.{name} is missing; the game needs {listed(self.needed)}."
                )


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


def complete(where: str, value: Any, names: Names) -> None:
    """A mapping with every name of the `Literal` that its keys are."""


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


def check(kind: Any, path: str, value: Any, names: Names | None = None) -> None:
    """Checks data against a schema.

    Args:
      kind: The schema.
      path: Where the data is; empty for the whole.
      value: The data.
      names: What `Name` refers to.

    Raises:
      ValueError: If something is wrong; the message begins with its path.
    """
    names, origin = names or {}, get_origin(kind)
    if origin is Annotated:
        _annotated(kind, path, value, names)
    elif is_typeddict(kind):
        needed = kind.__required_keys__
        _record(kind.__annotations__, needed, path, value, names)
    elif dataclasses.is_dataclass(kind):
        kinds = {field.name: field.type for field in dataclasses.fields(kind)}
        _record(kinds, list(kinds), path, value, names)
    elif origin is tuple:
        _list(get_args(kind), path, value, names)
    elif origin is Literal:
        validation.one_of(path, value, get_args(kind))
    elif origin is not None:
        key, entry = get_args(kind)
        for name, part in validation.mapping(path or "rules", value).items():
            check(key, join(path, name), name, names)
            check(entry, join(path, name), part, names)
    else:
        _SCALARS[kind](path, value)


def _annotated(kind: Any, path: str, value: Any, names: Names) -> None:
    base, *conditions = get_args(kind)
    if complete in conditions:
        _need(get_args(get_args(base)[0]), path, value)
    limits = [part for part in conditions if isinstance(part, Between)]
    if limits:
        _SCALARS[base](path, value, limits[0].low, limits[0].high)
    else:
        check(base, path, value, names)
    for condition in conditions:
        if condition not in limits:
            condition(path, value, names)


def _need(needed: Collection[str], path: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        fail(path or "rules", f"a mapping with {listed(needed)}", value)
    for name in needed:
        if name not in value:
            raise ValueError(f"{join(path, name)} is missing.")


def _record(
    kinds: Mapping[str, Any],
    needed: Collection[str],
    path: str,
    value: Any,
    names: Names,
) -> None:
    _need([name for name in kinds if name in needed], path, value)
    validation.mapping(path or "rules", value, kinds)
    for name, kind in kinds.items():
        if name in value:
            check(kind, join(path, name), value[name], names)


def _list(kinds: tuple[Any, ...], path: str, value: Any, names: Names) -> None:
    endless = kinds[-1] is Ellipsis
    validation.sequence(path, value, None if endless else len(kinds))
    for index, part in enumerate(value):
        check(kinds[0 if endless else index], join(path, index), part, names)


def _truth(path: str, value: Any) -> None:
    if not isinstance(value, bool):
        fail(path, "true or false", value)


def _text(path: str, value: Any) -> None:
    if not isinstance(value, str):
        fail(path, "a text", value)


def _anything(path: str, value: Any) -> None:
    """Accepts everything."""


_SCALARS: Mapping[Any, Callable[..., Any]] = {
    bool: _truth,
    int: validation.integer,
    float: validation.number,
    str: _text,
    Any: _anything,
}

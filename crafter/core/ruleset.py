"""Rules of games: loaded from YAML, changed, validated, frozen and hashed.

A game keeps its rules in a YAML file of plain data: mappings, lists, strings, numbers
and booleans. Its subclass of `Rules` defines the file and the validation.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, TypeVar

import yaml

from crafter.core.files import read_bytes, read_yaml
from crafter.core.schema import join
from crafter.core.validation import listed, one_of, raising, sequence, short_repr

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Key for entries to append to a list, in a mapping of changes.
_ADD = "add"
#: Section of optional rules; data may lack it, which leaves all of them off.
_SWITCHES = "switches"


class RulesError(ValueError):
    """Rules are unreadable or invalid; the message says where."""


class FrozenDict(dict):
    """An immutable dict; otherwise equivalent to, and as fast as, a dict."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("Rules are immutable; create new ones with Rules.changed().")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenDict:
        return self


def freeze(value: Any) -> Any:
    """Converts plain data to immutable data: frozen dicts and tuples."""
    if isinstance(value, Mapping):
        return FrozenDict({name: freeze(part) for name, part in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(map(freeze, value))
    return value


def thaw(value: Any) -> Any:
    """Copies data to mutable data: dicts and lists.

    Other sequences become lists, and NumPy scalars become Python numbers.
    """
    if isinstance(value, Mapping):
        return {name: thaw(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [thaw(part) for part in value]
    return value


def digest(value: Any, ordered: Collection[str] = ()) -> str:
    """Returns a hash of plain data, 16 hexadecimal digits.

    It is the same in every process and on every machine. Whole numbers hash alike as
    integers and floats.

    Args:
      value: The data.
      ordered: Paths of the mappings whose order matters.
    """
    text = json.dumps(_canonical(value, ordered, ""), separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _canonical(value: Any, ordered: Collection[str], path: str) -> Any:
    if isinstance(value, Mapping):
        names = list(value) if path in ordered else sorted(value, key=str)
        return [[str(n), _canonical(value[n], ordered, join(path, n))] for n in names]
    if isinstance(value, (list, tuple)):
        return [_canonical(part, ordered, path) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def read(path: str | os.PathLike, what: str = "rules", loader: Any = _LOADER) -> Any:
    """Reads a YAML file.

    Args:
      path: The file.
      what: What it contains, in the plural; for messages.
      loader: PyYAML loader; by default one for plain data.

    Raises:
      RulesError: If it cannot be read or is not YAML.
    """
    place = pathlib.Path(path).expanduser()
    try:
        documents = read_yaml(read_bytes(place).decode(), loader)
        return documents[0] if documents else None
    except OSError as error:
        reason = f"Cannot read the {what} {str(place)!r}: {error.strerror or error}."
    except (yaml.YAMLError, ValueError) as error:
        reason = f"The {what} {str(place)!r} are not valid YAML: {error}"
    raise RulesError(reason)


def merge(base: Any, changes: Any, path: str = "") -> Any:
    """Returns plain data with changes applied.

    Mappings are merged recursively; an entry that is `None` is removed. A mapping
    changes a list, too: `add` holds values to append, and an index changes that entry.
    Everything else replaces the old value.

    Args:
      base: Plain data; not modified.
      changes: The changes.
      path: Path within the rules; for messages.

    Raises:
      ValueError: If something to remove or change does not exist.

    Example:
      >>> merge({"a": 1, "b": {"c": [1, 2]}}, {"b": {"c": {"add": [3]}}, "a": None})
      {'b': {'c': [1, 2, 3]}}
    """
    if isinstance(changes, Mapping) and isinstance(base, Mapping):
        return _merge_mapping(base, changes, path)
    if isinstance(changes, Mapping) and isinstance(base, (list, tuple)):
        return _merge_list(base, changes, path)
    return thaw(changes)


def _merge_mapping(
    base: Mapping[str, Any], changes: Mapping[str, Any], path: str
) -> dict[str, Any]:
    merged = thaw(base)
    for name, change in changes.items():
        if change is None and name not in base:
            raise ValueError(
                f"{join(path, name)}: cannot remove what does not exist; "
                f"entries are {listed(base)}"
            )
        if change is None:
            del merged[name]
        else:
            merged[name] = merge(base.get(name), change, join(path, name))
    return merged


def _merge_list(
    base: Sequence[Any], changes: Mapping[Any, Any], path: str
) -> list[Any]:
    merged = thaw(base)
    added = sequence(join(path, _ADD), changes.get(_ADD, ()))
    for name in (name for name in changes if name != _ADD):
        if type(name) is not int or not 0 <= name < len(merged):
            raise ValueError(
                f"{join(path, name)}: expected a list, or a mapping with add or an "
                f"index in 0 ... {len(merged) - 1}"
            )
        merged[name] = merge(merged[name], changes[name], join(path, name))
    return [*merged, *thaw(added)]


# Rules for compiled code.


def leaves(data: Any, path: str = "") -> dict[str, Any]:
    """Returns the leaves of plain data by path.

    Example:
      >>> leaves({"light": {"noise": [32, 127]}, "lake": 0.3})
      {'light.noise.0': 32, 'light.noise.1': 127, 'lake': 0.3}
    """
    if isinstance(data, Mapping):
        parts: Any = data.items()
    elif isinstance(data, (list, tuple)):
        parts = enumerate(data)
    else:
        return {path: data}
    branches = (leaves(part, join(path, name)) for name, part in parts)
    return {name: value for part in branches for name, value in part.items()}


def changed(
    own: Mapping[str, Any], default: Mapping[str, Any], pattern: str
) -> list[str]:
    """Returns the paths of values that differ, are new or are missing.

    Args:
      own: The rules, as from `leaves`.
      default: The rules to compare with.
      pattern: Regular expression matched at the start of paths.
    """
    paths, matches = {**default, **own}, re.compile(pattern).match
    return [p for p in paths if matches(p) and own.get(p) != default.get(p)]


def refuse(engine: str, env: str, unread: Collection[str]) -> None:
    """Rejects changes to rules that an engine does not support.

    Args:
      engine: Name of the engine.
      env: Name of the single environment, which supports all rules.
      unread: Paths of unsupported changes.

    Raises:
      RulesError: If there are any.
    """
    if unread:
        raise RulesError(
            f"{engine} is compiled for the default names and worlds and does not "
            f"support these changes: {', '.join(unread)}. {env} supports all rules; "
            "for batches use gymnasium.make_vec(..., vectorization_mode='sync')."
        )


# Rules.

R = TypeVar("R", bound="Rules")


class Rules:
    """The rules of a game; immutable.

    Args:
      data: The sections of the game's `data.yaml`, as plain data.

    Attributes:
      game: Name of the game.
      published: Sections of the published rules, as plain data.
      variants: Name of a rule set -> its changes to the published rules.
      ordered: Paths of tables whose order is part of the game.
      masks: Name of a rule set -> its kind of action masks.
      choices: Sections of rows that can be applied or not: repairs and switches.
      data: The sections, frozen; `thaw` returns a mutable copy.
      digest: Hash of the data; equal for equal rules.
      applied: Names of the repairs and switches applied.

    Raises:
      RulesError: If the data is invalid; the message has the path.
    """

    game: ClassVar[str]
    published: ClassVar[Any]
    variants: ClassVar[Mapping[str, Any]] = {"published": {}}
    ordered: ClassVar[Collection[str]] = ()
    masks: ClassVar[Mapping[str, str]] = {}
    choices: ClassVar[Collection[str]] = (_SWITCHES,)
    data: Mapping[str, Any]
    digest: str
    applied: frozenset[str]

    def __init__(self, data: Mapping[str, Any]) -> None:
        plain = thaw(data)
        if isinstance(plain, dict):
            plain.setdefault(_SWITCHES, thaw(self.published[_SWITCHES]))
        if data is not self.published:  # a test checks that, which keeps imports fast
            with raising(RulesError):
                self._check(plain)
        frozen = freeze(plain)
        derived = {
            "data": frozen,
            "digest": digest(self._digest_data(plain), self.ordered),
        }
        rows = [row for section in self.choices for row in frozen[section].items()]
        derived["applied"] = frozenset(name for name, row in rows if row["applied"])
        vars(self).update({**frozen, **derived, **self._derive(frozen)})

    def _check(self, data: Any) -> None:
        """Raises `ValueError` if plain data is invalid as rules."""
        raise NotImplementedError

    def _digest_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Returns the part of the data covered by the digest.

        Rules with all switches off keep the digest they had before switches existed.
        """
        applied = any(row["applied"] for row in data[_SWITCHES].values())
        return data if applied else {k: v for k, v in data.items() if k != _SWITCHES}

    def _derive(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Returns attributes derived from the data."""
        return {}

    def _merged(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the data with changes applied, and values derived from them."""
        return merge(self.data, changes)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(
            f"Rules are immutable, so {name} cannot be set; create new ones with "
            "changed()."
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Rules {self.digest}>"

    def __deepcopy__(self: R, memo: dict[int, Any]) -> R:
        return self

    def changed(self: R, changes: Mapping[str, Any]) -> R:
        """Returns a changed copy of the rules.

        Mappings are merged at every depth, and an entry that is `None` is removed; see
        `crafter.core.ruleset.merge`.

        Args:
          changes: Section -> changes to it.

        Raises:
          RulesError: If the changes, or the resulting rules, are invalid.
        """
        if not isinstance(changes, Mapping):
            raise RulesError(
                f"rules must be a mapping by section, got {short_repr(changes)}."
            )
        with raising(RulesError):
            return type(self)(self._merged(changes))

    @classmethod
    def named(cls: type[R], name: str = "published") -> R:
        """Returns a named rule set; always the same object."""
        game: Any = cls
        rules: R = _variant(game, name)
        return rules

    @classmethod
    def load(cls: type[R], source: Any = None, base: R | None = None) -> R:
        """Returns rules from a file, a mapping of changes, a name, or rules.

        Args:
          source: Rules; the name of a rule set, such as `published`; a mapping of
            changes, in which `base` may name the rule set to change; the path of a
            YAML file, with all sections of `data.yaml` or changes; or `None` for the
            base.
          base: Rules to change; the published rules by default.

        Raises:
          RulesError: If the source has another type, is unreadable or invalid.
        """
        if isinstance(source, cls):
            return source
        if isinstance(source, str) and source in cls.variants:
            return cls.named(source)
        base = cls.named() if base is None else base
        if isinstance(source, (str, os.PathLike)):
            return cls._load_file(source, base)
        if source is not None and not isinstance(source, Mapping):
            raise RulesError(
                f"rules must be one of {listed(cls.variants)}, the path of a YAML "
                f"file, a mapping of changes or Rules, got {short_repr(source)}."
            )
        return cls._with_changes(source, base) if source else base

    @classmethod
    def _load_file(cls: type[R], path: str | os.PathLike, base: R) -> R:
        data = read(path)
        with raising(RulesError, f"{os.fspath(path)}: "):
            needed = set(cls.named().data) - {_SWITCHES}
            if isinstance(data, Mapping) and needed <= set(data):
                return cls(data).changed({})
            return cls._with_changes(data, base)

    @classmethod
    def _with_changes(cls: type[R], changes: Any, base: R) -> R:
        if isinstance(changes, Mapping) and "base" in changes:
            changes = dict(changes)
            name = changes.pop("base")
            with raising(RulesError):
                base = cls.named(one_of("base", name, cls.variants))
        return base.changed(changes)


@functools.cache
def _variant(cls: Any, name: str) -> Any:
    if name == "published":
        return cls(cls.published)
    return _variant(cls, "published").changed(cls.variants[name])

"""Action parser: no guessing; every error is explained.

Overlong texts are rejected, and costly patterns see only short pieces.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from crafter.core.phrases import printable
from crafter.lm import game
from crafter.lm.parsing.payload import LONGEST_PIECE, bare, payload, pieces
from crafter.lm.rendering.words import INTERFACE, LIMITS, Words

LONGEST_TEXT = 200_000  # characters of an input
_MOST_LINES = 200  # lines of free text searched for an action
_SHOWN = 60  # characters of a piece quoted in an error

#: JSON keys that hold actions.
_KEYS = ("actions", "action", "name")
_INTEGERS = re.compile(r"[\d\s,;]+")
# Patterns for short pieces.
_TIMES = (
    re.compile(r"(.+?)[\s(\[_-]*(?:[x×*]|times)\s*(\d+)[)\]]?", re.IGNORECASE),
    re.compile(
        r"(.+?)[\s(\[]+(?:for\s+)?(\d+)\s*(?:x|×|times|steps?|cells?|tiles?|turns?)?[)\]]?",
        re.IGNORECASE,
    ),
    re.compile(r"repeat\s+(\d+)\s*(?:x|×|times)?\s*:\s*(.+)", re.IGNORECASE),
    re.compile(r"(\d+)\s*(?:[x×*]|times)\s*[:]?\s*(.+)", re.IGNORECASE),
)
_GAP = re.compile(r"[\s_\-]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALL = re.compile(r"\(\s*\)$")
_INDEX = re.compile(r"(?:action\s*|#\s*)([0-9]+)", re.IGNORECASE)


class Command(NamedTuple):
    """A parsed action.

    Attributes:
      action: An action of the rules.
      until: Condition for repeating it, a name of `until` in interface.yaml; `None`
          for a single step.
    """

    action: str
    until: str | None = None

    def __str__(self) -> str:
        """Returns the command as text, such as `sleep until awake`."""
        condition = "" if self.until is None else f" until {self.until}"
        return self.action + condition


class ParseError(NamedTuple):
    """Why an input could not be parsed.

    Attributes:
      kind: `empty`, `unknown`, `ambiguous`, `too_many`, `too_long` or `bad_json`; or
        `over` for input after the end of the game, which is not parsed.
      position: Start of the piece in the input, in characters.
      piece: The invalid piece.
      suggestions: Up to three similar actions.
      message: The error as a sentence, with valid choices.
    """

    kind: str
    position: int
    piece: str
    suggestions: tuple[str, ...]
    message: str


@dataclasses.dataclass(frozen=True)
class ParseResult:
    """Result of parsing a text.

    Attributes:
      commands: The commands in order, with repetitions expanded; if there is an error,
        those before it.
      notes: Remarks, such as a named target that is not in front.
      error: The parse error, or `None`.
    """

    commands: tuple[Command, ...] = ()
    notes: tuple[str, ...] = ()
    error: ParseError | None = None

    @property
    def actions(self) -> tuple[str, ...]:
        """The commands as text: action names and macros such as `sleep until awake`."""
        return tuple(map(str, self.commands))


class _Failure(Exception):
    def __init__(self, kind: str, piece: str, suggestions: Iterable[str] = ()):
        super().__init__(kind)
        self.kind, self.piece = kind, piece
        self.suggestions = tuple(suggestions)[:3]


def parse(
    text: Any,
    *,
    front: str | None = None,
    indices: bool = False,
    max_batch: int = LIMITS["batch"],
    macros: bool = True,
) -> ParseResult:
    r"""Parses actions of the first game from model output; never raises.

    Args:
      text: Text, or decoded JSON: a list or mapping.
      front: What the player faces, for remarks on targets that are not there.
      indices: Whether integers count as action numbers.
      max_batch: Maximum number of actions per input.
      macros: Whether `X until Y` is allowed.

    Example:
      >>> parse("Thought: a tree!\nAction: left x2, chop tree").actions
      ('move_left', 'move_left', 'do')
      >>> parse("jump").error.kind
      'unknown'
    """
    options = {"indices": indices, "max_batch": max_batch, "macros": macros}
    return parse_for(game.find().words(), text, front=front, **options)


def parse_for(words: Words, text: Any, **options: Any) -> ParseResult:
    """Parses actions with the vocabulary of a game; see `parse`."""
    reader = _Reader(_vocabulary(words), **options)
    error = None
    try:
        reader.read(text)
        if not reader.commands:
            raise _Failure("empty", "")
    except RecursionError:
        error = reader.explain(_Failure("bad_json", _short_json(text)))
    except _Failure as failure:
        error = reader.explain(failure)
    commands = tuple(reader.commands[: reader.max_batch])
    return ParseResult(commands, tuple(reader.notes), error)


@dataclasses.dataclass
class _Reader:
    """Collects commands and notes from an input; options as for `parse`."""

    vocabulary: Vocabulary
    front: str | None = None
    indices: bool = False
    max_batch: int = LIMITS["batch"]
    macros: bool = True
    commands: list[Command] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    source: str = ""
    start: int = 0

    def read(self, value: Any) -> None:
        """Parses text or decoded JSON."""
        if not isinstance(value, str):
            self._read_json(value)
            return
        if len(value) > LONGEST_TEXT:
            raise _Failure("too_long", value[:_SHOWN])
        text, self.start = payload(value)
        text, self.source = text.strip(), value
        try:
            self._read_payload(text)
        except _Failure as failure:
            if failure.kind != "unknown" or not self._read_last_line(text):
                raise

    def _read_payload(self, text: str) -> None:
        if text[:1] in ("{", "[") and self._read_json_text(text):
            return
        if self.indices and _INTEGERS.fullmatch(text):
            text = ", ".join(f"#{n}" for n in re.findall(r"\d+", text))
        self._read_pieces(text)

    def _read_last_line(self, text: str) -> bool:
        """Parses the last line after free text, if no other line parses.

        Returns:
          Whether there is such a line.
        """
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or len(lines) > _MOST_LINES:
            return False
        readable = [line for line in lines if self._reads(line)]
        if readable != lines[-1:]:
            return False
        self.commands.clear()
        self.notes.clear()
        self._read_payload(lines[-1].strip())
        return True

    def _reads(self, line: str) -> bool:
        """Returns whether a line is a list of actions."""
        alone = dataclasses.replace(self, commands=[], notes=[])
        try:
            alone._read_payload(line.strip())
        except _Failure as failure:
            return failure.kind != "unknown" and bool(alone.commands)
        return bool(alone.commands)

    def explain(self, failure: _Failure) -> ParseError:
        """Returns the error for a failure, with valid choices."""
        kind, suggestions = failure.kind, failure.suggestions
        piece = printable(_cut(failure.piece))
        position = max(self.start, self.source.find(failure.piece, self.start))
        limits = {"text": LONGEST_TEXT, "max_batch": self.max_batch, **LIMITS}
        message = INTERFACE["errors"][kind].format(piece=piece, **limits)
        if suggestions:
            message += f" Did you mean {', '.join(suggestions)}?"
        if kind in ("empty", "unknown", "bad_json"):
            message += f" Valid actions: {', '.join(self.vocabulary.names)}."
        kind = "unknown" if kind == "macro" else kind
        return ParseError(kind, position, piece, suggestions, message)

    # JSON.

    def _read_json_text(self, text: str) -> bool:
        """Parses text as JSON; returns whether it was meant as JSON."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            if text[0] == "[" and not re.search(r'[{"]', text):
                return False  # just brackets around words
            raise _Failure("bad_json", text) from None
        self._read_json(value)
        return True

    def _read_json(self, value: Any) -> None:
        if isinstance(value, str):
            self._read_pieces(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self._read_json(item)
        else:
            piece = _short_json(value)
            if isinstance(value, dict):
                self._read_object(value, piece)
            elif isinstance(value, bool) or not isinstance(value, int):
                raise _Failure("bad_json", piece)
            else:
                self._read_pieces(f"#{piece}" if self.indices else piece)

    def _read_object(self, value: dict, piece: str) -> None:
        value = _call_arguments(value)
        key = next((k for k in _KEYS if k in value), None)
        count = value.get("count", 1)
        whole = isinstance(count, int) and not isinstance(count, bool) and count > 0
        if key is None or not whole:
            raise _Failure("bad_json", piece)
        if count > min(LIMITS["repeat"], self.max_batch):
            raise _Failure("too_many", piece)
        before = len(self.commands)
        self._read_json(value[key])
        self._add(self.commands[before:] * (count - 1), piece)

    # Text.

    def _read_pieces(self, text: str) -> None:
        for piece in pieces(text):
            if len(piece) > LONGEST_PIECE:
                raise _Failure("unknown", piece)
            piece = bare(piece)
            command = self._look_up(piece) if piece else None
            if command is not None:
                self._add([command], piece)
            elif piece and not self._read_repeated(piece):
                raise self._unknown(piece)

    def _read_repeated(self, piece: str) -> bool:
        """Parses a piece such as `left x3`; returns whether it has that form."""
        for pattern in _TIMES:
            match = pattern.fullmatch(piece)
            if match is None:
                continue
            inner, count = match.groups()
            if inner.isdigit() and not count.isdigit():
                inner, count = count, inner
            command = self._look_up(bare(inner))
            if command is not None:
                if len(count) > 4 or int(count) > LIMITS["repeat"]:
                    raise _Failure("too_many", piece)
                self._add([command] * int(count), piece)
                return True
        return False

    def _look_up(self, piece: str) -> Command | None:
        vocabulary = self.vocabulary
        index = _INDEX.fullmatch(piece)
        if index:
            number = index.group(1)
            if len(number) <= 4 and int(number) < len(vocabulary.names):
                return Command(vocabulary.names[int(number)])
            raise _Failure("unknown", piece)
        words = vocabulary.normalise(piece)
        if " until " in words:
            return self._macro(words, piece)
        readings = vocabulary.ambiguous.get(words)
        if readings:
            raise _Failure("ambiguous", piece, readings)
        action = vocabulary.actions.get(words)
        if action is None and words in vocabulary.uses:
            self._remark(words)
            action = "do"
        return None if action is None else Command(action)

    def _macro(self, words: str, piece: str) -> Command:
        first, _, condition = words.partition(" until ")
        action = self.vocabulary.actions.get(first)
        name = self.vocabulary.conditions.get(condition)
        if action is None or name is None:
            names = [str(Command(action or "noop", n)) for n in self.vocabulary.until]
            raise _Failure("unknown", piece, names)
        if not self.macros:
            raise _Failure("macro", piece, [action])
        return Command(action, name)

    def _remark(self, words: str) -> None:
        """Notes a named target that is known not to be in front."""
        targets = self.vocabulary.uses[words]
        if self.commands or self.front is None or self.front in targets:
            return
        seen, meant = map(self.vocabulary.words.with_article, (self.front, targets[0]))
        self.notes.append(f"You face {seen}, not {meant}.")

    def _add(self, commands: Sequence[Command], piece: str) -> None:
        self.commands += commands
        if len(self.commands) > self.max_batch:
            raise _Failure("too_many", piece)

    def _unknown(self, piece: str) -> _Failure:
        vocabulary = self.vocabulary
        words, names = vocabulary.normalise(piece[:_SHOWN]), vocabulary.actions
        close = difflib.get_close_matches(words, names, n=6, cutoff=0.7)
        close += sorted(name for name in names if name.startswith(words))[:6]
        suggestions = dict.fromkeys(names[name] for name in close)
        return _Failure("unknown", piece, suggestions)


def _call_arguments(value: dict) -> dict:
    """Returns the arguments of a tool call; other values unchanged."""
    if isinstance(value.get("function"), dict):
        value = value["function"]
    given = value.get("arguments", value.get("parameters"))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return value
    if isinstance(given, dict) and any(key in given for key in _KEYS):
        return given
    return value


def _cut(text: str) -> str:
    text = text.strip()
    return text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")


def _short_json(value: Any) -> str:
    """Returns the beginning of any value as JSON."""
    try:
        return _cut(json.dumps(value, default=str, skipkeys=True))
    except (ValueError, RecursionError):
        return "..."  # nested too deeply, or a number of thousands of digits


# Action names: the game's synonyms, and its rules.


class Vocabulary:
    """All phrases that are understood, in normalised form.

    Args:
      words: Vocabulary of the game.

    Attributes:
      words: Vocabulary of the game.
      names: Action names, by index.
      actions: Phrase -> action.
      uses: Phrase for `do` with a target -> names that the target may have.
      ambiguous: Phrase -> actions it may mean.
      conditions: Phrase -> condition of a macro.
      until: Conditions of macros.

    Example:
      >>> from crafter.lm import game
      >>> vocabulary = Vocabulary(game.find("crafter").words())
      >>> vocabulary.normalise("Make_a  Wooden-Pick")
      'make wood pickaxe'
      >>> vocabulary.actions[vocabulary.normalise("MoveLeft()")]
      'move_left'
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self._synonyms: dict[str, Any] = words.more("synonyms")
        self._articles = frozenset(self._synonyms["articles"])
        self._replaced: dict[str, str] = self._synonyms["words"]
        self.names: list[str] = list(words.actions)
        self.actions: dict[str, str] = {}
        for action, phrase in self._phrases():
            self.actions.setdefault(self.normalise(phrase), action)
        self.uses = dict(self._uses())
        self.ambiguous = dict(self._ambiguous())
        self.until: list[str] = list(INTERFACE["until"])
        self.conditions = {
            self.normalise(phrase): name
            for name, phrases in INTERFACE["until"].items()
            for phrase in phrases
        }

    def normalise(self, text: str) -> str:
        """Returns lower-case text with single spaces and without articles."""
        text = _GAP.sub(" ", _CAMEL.sub(" ", _CALL.sub("", text))).strip().lower()
        text = text.replace("pick axe", "pickaxe").replace("'", " ")
        words = text.split()
        if len(words) > 1:
            words = [word for word in words if word not in self._articles] or words
        return " ".join(self._replaced.get(word, word) for word in words)

    def _phrases(self) -> Iterator[tuple[str, str]]:
        synonyms, actions = self._synonyms, self.words.actions
        for action in actions:
            yield action, action
        for action, phrases in synonyms["actions"].items():
            if action in actions:
                yield from ((action, phrase) for phrase in phrases)
        for family, table in synonyms.get("families", {}).items():
            for name in dict.fromkeys(
                [*self._recipe_names(family), *table.get("names", {})]
            ):
                action = f"{family}_{name}"
                if action in actions:
                    yield from ((action, phrase) for phrase in _family(table, name))

    def _uses(self) -> Iterator[tuple[str, list[str]]]:
        nouns = [*self.words.materials, *self.words.kinds, "player"]
        targets = {name: [name] for name in nouns} | self._synonyms["targets"]
        for verb in self._synonyms["do"]:
            for word, names in targets.items():
                phrase = self.normalise(f"{verb} {word}")
                if phrase not in self.actions:
                    yield phrase, names

    def _ambiguous(self) -> Iterator[tuple[str, list[str]]]:
        """Yields phrases that can mean several actions."""
        for phrase, readings in [*self._synonyms["ambiguous"].items(), *self._kinds()]:
            actions = [action for action in readings if action in self.words.actions]
            if actions:
                yield self.normalise(phrase), actions

    def _kinds(self) -> Iterator[tuple[str, list[str]]]:
        """Yields tool names without a material."""
        for kind in self._synonyms["tool_kinds"]:
            actions = [
                f"make_{n}" for n in self._recipe_names("make") if n.endswith(kind)
            ]
            for verb in ["", *self._synonyms["families"]["make"]["verbs"]]:
                yield f"{verb} {kind}".strip(), actions

    def _recipe_names(self, verb: str) -> list[str]:
        """Returns what can be placed or crafted, by the recipes."""
        start = f"{verb}_"
        recipes = (name for name in self.words.recipes if name.startswith(start))
        return [name.removeprefix(start) for name in recipes]


def _family(table: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yields the phrases for an action of a family."""
    nouns = table.get("names", {}).get(name, [name])
    if table.get("turned"):
        nouns = [*nouns, " ".join(reversed(name.split("_")))]
        yield from nouns
    verbs = table["verbs"] + table.get("also", {}).get(name, [])
    yield from (f"{verb} {noun}" for noun in nouns for verb in verbs)
    yield from table.get("alone", {}).get(name, [])


_vocabulary = functools.lru_cache(maxsize=32)(Vocabulary)

"""Changes operators and numbers, one at a time, and tells which changes tests notice.

Run it in a checkout of its own: it edits the files, runs the tests that are listed for
them, and puts them back. With the same seed it makes the same changes in the same
order, and goes on where the log ends.

Example:
    python scripts/mutate.py --count 200 --log mutants.jsonl
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

GAMES, TESTS = "crafter/games", "tests/games"


class Room(NamedTuple):
    """Files, and the tests that are to notice changes in them.

    Attributes:
      files: Patterns of the files.
      first: Tests that notice most and take little, beside that of the file itself.
      rest: All tests of the room.
    """

    files: list[str]
    first: str
    rest: str


def _game(name: str) -> Room:
    """Returns the room of the object-oriented engine of a game."""
    without = [f"--ignore={TESTS}/{name}/{part}" for part in ("cpu", "jax", "app")]
    games = f"tests/test_compatibility.py::test_games_of_{name}"
    rest = f"{TESTS}/{name} tests/test_compatibility.py {' '.join(without)}"
    return Room([f"{GAMES}/{name}/*.py"], games, rest)


ROOMS = {
    "crafter": _game("crafter"),
    "craftax": _game("craftax"),
    "kernels": Room(
        [f"{GAMES}/*/cpu/*.py", "crafter/compiled/*.py"],
        "tests/test_compatibility_batched.py "
        f"{TESTS}/crafter/cpu/test_parity.py::test_games_in_workshops",
        f"{TESTS}/crafter/cpu tests/compiled",
    ),
    "crafter-jax": Room(
        [f"{GAMES}/crafter/jax/*.py"],
        f"{TESTS}/crafter/jax/test_played_games.py tests/test_compatibility_jax.py",
        f"{TESTS}/crafter/jax tests/functional",
    ),
    "craftax-jax": Room(
        [f"{GAMES}/craftax/jax/*.py"],
        f"{TESTS}/craftax/jax/test_parity.py {TESTS}/craftax/jax/test_won_game.py",
        f"{TESTS}/craftax/jax",
    ),
    "functional": Room(
        ["crafter/functional/*.py"],
        "tests/functional",
        f"{TESTS}/crafter/jax {TESTS}/craftax/jax tests/test_compatibility_jax.py",
    ),
    "monitors": Room(
        [f"crafter/tasks/{name}.py" for name in ("monitors", "conditions", "goals")],
        "tests/tasks/test_trace.py tests/tasks/test_parse.py tests/tasks/test_envs.py",
        "tests/tasks tests/test_compatibility.py",
    ),
    "scoring": Room(
        ["crafter/scoring/*.py", "crafter/tasks/scores/*.py"],
        "tests/scoring tests/tasks/test_scores.py",
        "tests/tasks tests/analysis",
    ),
    "recording": Room(
        ["crafter/recording/*.py"], "tests/recording", "tests/gui tests/scoring"
    ),
}
#: Operators, with what each is changed to below it.
_OLD = "<  <= >  >= == != + - * / // % ** & | << >> and or".split()  # noqa: SIM905
_NEW = "<= <  >= >  != == - + + * *  + *  | & >> << or and".split()  # noqa: SIM905
SWAPS = dict(zip(_OLD, _NEW)) | {"in": "not in", "is": "is not"}
SWAPS |= {"not in": "in", "is not": "is"}
_OPERATOR = re.compile(
    r"is not\b|not in\b|is\b|in\b|and\b|or\b|[<>=!]=|//|<<|>>|\*\*|[-+*/%<>&|]"
)
_LIMIT = 900  # Seconds; a change may have the tests run for ever.


class Mutant(NamedTuple):
    """A change: of a file, from one place to another, to a text."""

    path: str
    line: int
    start: int
    end: int
    new: str

    def apply(self, source: str) -> str:
        """Returns the source with the change."""
        lines = source.splitlines(keepends=True)
        row = lines[self.line - 1].encode()
        changed = row[: self.start] + self.new.encode() + row[self.end :]
        lines[self.line - 1] = changed.decode()
        return "".join(lines)


def mutants(path: pathlib.Path) -> Iterator[Mutant]:
    """Yields all changes of a file that stay within a line."""
    source = path.read_text("utf-8")
    rows = source.encode().split(b"\n")
    for node in _code(ast.parse(source)):
        for start, end, pattern in _places(node):
            if start[0] != end[0]:
                continue
            text = rows[start[0] - 1][start[1] : end[1]].decode()
            old = pattern.search(text)
            if old:
                begin = start[1] + old.start()
                stop = start[1] + old.end()
                new = SWAPS.get(old[0]) or repr(ast.literal_eval(old[0]) + 1)
                yield Mutant(str(path), start[0], begin, stop, new)


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields all nodes but annotations."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST):
                yield node
                yield from _code(node)


def _places(node: ast.AST) -> Iterator[tuple]:
    """Yields from where to where a node has an operator or a number."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield *_span(node), re.compile(".+")
    operands: list[ast.expr] = []
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp):
        operands = node.values
    elif isinstance(node, ast.BinOp):
        operands = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        operands = [node.target, node.value]
    for left, right in itertools.pairwise(operands):
        yield _span(left)[1], _span(right)[0], _OPERATOR


def _span(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def chosen(rooms: list[str], seed: int) -> Iterator[tuple[str, Mutant]]:
    """Yields rooms in turn, with a random change of each."""
    sites = {}
    for room in rooms:
        paths = sorted(
            path for p in ROOMS[room].files for path in pathlib.Path().glob(p)
        )
        found = [mutant for path in paths for mutant in mutants(path)]
        random.Random(f"{seed}|{room}").shuffle(found)
        sites[room] = iter(found)
    for room in itertools.cycle(rooms):
        yield room, next(sites[room])


class Tests:
    """Runs tests, and knows which of them pass without a change.

    Args:
      cache: Folder for what JAX compiles.
    """

    def __init__(self, cache: str) -> None:
        environment = {"PYTHONDONTWRITEBYTECODE": "1"}
        environment["JAX_COMPILATION_CACHE_DIR"] = cache
        self._environment = {**os.environ, **environment}
        self._passing: set[str] = set()
        self._broken: set[str] = set()

    def notice(self, mutant: Mutant, room: Room) -> str | None:
        """Returns which test fails first with a change, or `None` if they miss it.

        Tests that fail without the change, too, do not count.
        """
        path = pathlib.Path(mutant.path)
        own = pathlib.Path("tests", *path.parts[1:-1], f"test_{path.name}")
        stages = [room.first.split(), room.rest.split()]
        stages[:0] = [[str(own)]] if own.exists() else []
        source, times = path.read_text("utf-8"), path.stat()
        try:
            path.write_text(mutant.apply(source), "utf-8")
            failed = next(filter(None, map(self._failed, stages)), None)
        finally:
            path.write_text(source, "utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        if failed is None or failed in self._passing or "::" not in failed:
            return failed
        if self._failed([failed]) is None:
            self._passing.add(failed)
            return failed
        print(f"{failed} fails without a change, too.", flush=True)
        self._broken.add(failed)
        return self.notice(mutant, room)

    def _failed(self, tests: list[str]) -> str | None:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header"]
        command += ["-p", "no:cacheprovider", "-m", "not slow and not train"]
        command += [*tests, *(f"--deselect={test}" for test in self._broken)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_LIMIT,
                env=self._environment,
            )
        except subprocess.TimeoutExpired:
            return "time"
        found = re.search(r"^FAILED (.+?)(?: - |$)", done.stdout, re.MULTILINE)
        if done.returncode:
            return found[1] if found else "nothing can be collected"
        return None


def main() -> None:
    """Makes the changes, and prints which were missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="changes, in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rooms", nargs="+", choices=list(ROOMS), default=list(ROOMS))
    parser.add_argument(
        "--log", type=pathlib.Path, default=pathlib.Path("mutants.jsonl")
    )
    args = parser.parse_args()
    log: pathlib.Path = args.log
    done = []
    if log.exists():
        done = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    known = {json.dumps(entry["mutant"]) for entry in done}
    with tempfile.TemporaryDirectory() as cache:
        tests = Tests(cache)
        for room, mutant in itertools.islice(chosen(args.rooms, args.seed), args.count):
            if json.dumps(mutant) in known:
                continue
            source = pathlib.Path(mutant.path).read_text("utf-8").splitlines()
            before = source[mutant.line - 1]
            entry: dict[str, Any] = {"room": room, "mutant": mutant}
            entry["before"] = before.strip()
            entry["after"] = mutant._replace(line=1).apply(before).strip()
            entry["noticed"] = tests.notice(mutant, ROOMS[room])
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
            done.append(entry)
            said = "noticed" if entry["noticed"] else "MISSED "
            print(said, mutant.path, mutant.line, entry["after"], flush=True)
    found = sum(entry["noticed"] is not None for entry in done)
    print(f"{found} of {len(done)} changes were noticed")


if __name__ == "__main__":
    main()

"""Mutation testing: changes operators and numbers one at a time and runs the tests.

Run it in a separate checkout: it edits files, runs the tests that are listed for them,
and restores them. It makes the same mutations in the same order on every run, and
resumes where the log ends.

Example:
    python scripts/mutate.py --count 200 --log mutants.jsonl
"""

import ast
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from crafter.core.arguments import positive
from crafter.core.journal import Journal
from crafter.core.options import Table, make_parser

_FILE = yaml.safe_load(pathlib.Path(__file__).with_suffix(".yaml").read_text("utf-8"))
ROOMS, _SWAPS = _FILE["rooms"], _FILE["swaps"]
SWAPS = {getattr(ast, old): getattr(ast, new) for old, new in _SWAPS.items()}
OPTIONS: Table = {
    "count": (200, positive, "total number of mutations"),
    "log": ("mutants.jsonl", str, "file for the results"),
    "rooms": (list(ROOMS), {"nargs": "+", "choices": list(ROOMS)}, "whose files"),
}
_LIMIT = 900  # CPU seconds; a mutation may loop for ever.
_SEED = 0


class Mutant(NamedTuple):
    """A mutation of a file, by the index of its site; see `sites`."""

    path: str
    site: int

    def make(self) -> tuple[str, str]:
        """Returns the line and expression that are mutated, and the mutated source."""
        tree = ast.parse(pathlib.Path(self.path).read_text("utf-8"))
        node, field, index = list(sites(tree))[self.site]
        values = getattr(node, field)
        old = values if index is None else values[index]
        new = SWAPS.get(type(old), lambda: ast.Constant(old.value + 1))()
        if index is None:
            setattr(node, field, new)
        else:
            values[index] = new
        line = getattr(node, "lineno", getattr(old, "lineno", 0))
        return f"{line}: {ast.unparse(node)}", ast.unparse(tree)


def sites(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yields operators and numbers outside of annotations.

    Yields:
      A node, the name of its field, and the index in it if it is a list.
    """
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            number = child.value if isinstance(child, ast.Constant) else None
            if type(child) in SWAPS or type(number) in (int, float):
                yield tree, field, index
            elif isinstance(child, ast.AST):
                yield from sites(child)


def chosen(rooms: list[str]) -> Iterator[tuple[str, Mutant]]:
    """Yields rooms in turn, each with a random mutation."""
    queues = {}
    for room in rooms:
        forms = ROOMS[room]["files"]
        paths = {str(path) for form in forms for path in pathlib.Path().glob(form)}
        mutants = [
            Mutant(path, site)
            for path in sorted(paths)
            for site, _ in enumerate(sites(ast.parse(pathlib.Path(path).read_text())))
        ]
        random.Random(f"{_SEED}|{room}").shuffle(mutants)
        queues[room] = iter(mutants)
    for room in itertools.cycle(rooms):
        yield room, next(queues[room])


def noticed(mutant: Mutant, tests: list[str], cache: str) -> str | None:
    """Returns the first test that fails with a mutation, or `None` if it survives.

    Args:
      mutant: The mutation.
      tests: Tests to run after the test of the file itself, if there is one.
      cache: Folder of the JAX compilation cache.
    """
    path = pathlib.Path(mutant.path)
    own = pathlib.Path("tests", *path.parts[1:-1], f"test_{path.name}")
    stages = [*([[str(own)]] if own.exists() else []), tests]
    source = path.read_text("utf-8")
    try:
        path.write_text(mutant.make()[1], "utf-8")
        for stage in stages:
            if failing := failed(stage, cache):
                return failing
    finally:
        path.write_text(source, "utf-8")
    return None


def failed(tests: list[str], cache: str) -> str | None:
    """Returns the first failing test, or `None`."""
    # Bytecode saves most of the time, and cannot be stale: a run takes over a second.
    variables = {"PYTHONDONTWRITEBYTECODE": "", "JAX_COMPILATION_CACHE_DIR": cache}
    command = ["sh", "-c", f'ulimit -t {_LIMIT}; exec "$@"', "sh"]
    command += [sys.executable, "-m", "pytest", "-x", "-q", "--no-header"]
    command += ["-p", "no:cacheprovider", "-m", "not slow and not train", *tests]
    options: Any = {"capture_output": True, "text": True, "timeout": 8 * _LIMIT}
    try:
        done = subprocess.run(command, env={**os.environ, **variables}, **options)
    except subprocess.TimeoutExpired:
        return "time"
    if done.returncode < 0:
        return "time"
    match = re.search(r"^FAILED (.+?)(?: - |$)", done.stdout, re.MULTILINE)
    if done.returncode:
        return match[1] if match else "collection failed"
    return None


def main() -> None:
    """Makes the mutations and prints the survivors."""
    args = make_parser(__doc__, OPTIONS).parse_args()
    with tempfile.TemporaryDirectory() as cache, Journal(args.log) as log:
        rows = log.rows
        finished = {(row["path"], row["site"]) for row in rows}
        for room, mutant in itertools.islice(chosen(args.rooms), args.count):
            if mutant in finished:
                continue
            after, _ = mutant.make()
            row = {"room": room, **mutant._asdict(), "after": after}
            row["noticed"] = noticed(mutant, ROOMS[room]["tests"], cache)
            log.append(row)
            rows.append(row)
            print(bool(row["noticed"]), mutant.path, after, flush=True)
    count = sum(row["noticed"] is not None for row in rows)
    print(f"{count} of {len(rows)} mutations were caught")


if __name__ == "__main__":
    main()

"""Compiled code is cached on disk where possible."""

import os
import pathlib
import subprocess
import sys

import pytest

import crafter

numba = pytest.importorskip("numba", reason="needs the extra 'vector'")
pytest.importorskip("crafter.compiled.jit")

KERNEL = """
from crafter.compiled.jit import compiled

@compiled
def double(x):
    return 2 * x
"""
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import kernel
print(kernel.double(21), sum(kernel.double.stats.cache_hits.values()))
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a module that defines a compiled function."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    return tmp_path


def run(folder, program=PROGRAM, cache="cache", **variables):
    """Calls the function in a subprocess; returns its output and errors."""
    root = pathlib.Path(crafter.__file__).parents[1]
    variables = {"NUMBA_CACHE_DIR": str(folder / cache), **variables}
    result = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env={**os.environ, "PYTHONPATH": str(root), **variables},
        capture_output=True,
        text=True,
    )
    return result.stdout, result.stderr


def files(folder, suffix):
    found = sorted((folder / "cache").rglob(f"*{suffix}"))
    assert found
    return found


CALLER = """
from parts import callee
from crafter.compiled.jit import compiled

@compiled
def double(x):
    return callee.twice(x)
"""
CALLEE = """
from crafter.compiled.jit import inner

@inner
def twice(x):
    return {} * x
"""


@pytest.mark.slow
def test_a_change_in_a_function_that_is_called_is_noticed(folder):
    (folder / "parts").mkdir()
    (folder / "parts/kernel.py").write_text(CALLER)
    program = PROGRAM.replace("import kernel", "from parts import kernel")
    for factor, hits in ((2, 0), (2, 1), (3, 0), (3, 1), (2, 1)):
        (folder / "parts/callee.py").write_text(CALLEE.format(factor))
        found = run(folder, program, PYTHONDONTWRITEBYTECODE="1")[0]
        assert found == f"{21 * factor} {hits}\n"


@pytest.mark.slow
def test_without_a_place_for_files_it_compiles_in_memory(folder):
    (folder / "__pycache__").write_text("a file in the place of the folder")
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    variables = {**nowhere, "NUMBA_CACHE_DIR": "/dev/null/cache"}
    output, errors = run(folder, **variables)
    assert output.startswith("42 ")
    assert errors.count("Set NUMBA_CACHE_DIR to a writable folder") == 1
    assert "no locator available" in errors


@pytest.mark.slow
def test_a_full_disk_is_told_and_no_obstacle(folder):
    pytest.importorskip("resource", reason="needs limits of POSIX")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))"
    output, errors = run(folder, f"{limit}\n{PROGRAM}")
    assert output.startswith("42 ")
    assert errors.count("RuntimeWarning: The compiled code") == 1
    assert "File too large" in errors
    assert not list((folder / "cache").rglob("*.tmp.*"))


def test_functions_of_no_module_can_be_compiled_beside():
    names = {}
    exec("def double(x): return 2 * x", names)
    assert numba.njit(names["double"])(21) == 42


INNER = """
from crafter.compiled.jit import compiled, inner

@inner
def triple(x):
    return 3 * x

@compiled
def double(x):
    return 2 * x + triple(x) - 3 * x
"""


def test_inner_functions_are_a_part_of_those_that_call_them(folder):
    """They are not cached separately, and cannot be called from Python."""
    (folder / "kernel.py").write_text(INNER)
    assert run(folder)[0] == "42 0\n"
    kept = {path.name.partition("-")[0] for path in files(folder, ".nbc")}
    assert kept == {"kernel.double"}
    assert run(folder)[0] == "42 1\n"  # from the cache
    ask = "try: kernel.triple(1)\nexcept TypeError as error: print(error)"
    for first in ("", "kernel.double(21)\n"):  # whether compiled here or not
        program = PROGRAM.partition("print")[0] + first + ask
        assert run(folder, program)[0].startswith(
            "triple can only be called from compiled code"
        )

"""Imports run one way, and the core needs the core packages only."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import crafter

PACKAGE = pathlib.Path(crafter.__file__).parent

# Room -> the rooms that it may import, besides itself. Programs and published names at
# the top of the package may import everything.
CONTRACTS = {
    "core": set(),
    "compiled": {"core"},
    "functional": {"core"},
    "reporting": {"core"},
    "llm_client": {"core"},
    "recording": {"core"},
    "scoring": {"core"},
    "gui": {"core", "recording", "tasks"},
    "tasks": {"core", "llm_client", "reporting", "scoring"},
    "lm": {"core", "llm_client", "recording", "reporting", "scoring", "tasks"},
}
# A game stands above all rooms, beside the other games, which it must not import.
ROOMS = {*CONTRACTS}
# Folders of tasks, each a layer over those before. What stands beside them may import
# everything.
LAYERS = "world language catalogue scenes env episodes scoring judge report commands"
# What still breaks a contract, by module; nothing may be added.
DEBTS = {
    "games.crafter.legacy -> crafter",
}

# Adapters that import what they adapt to.
TRAINERS = ("gem", "inspect", "nemo", "openenv", "skyrl", "verifiers")
OPTIONAL = ["gem", "inspect_ai", "nemo_gym", "openenv", "skyrl_gym", "verifiers"]
OPTIONAL += ["gym", "httpx2", "imageio_ffmpeg", "jax", "llvmlite", "matplotlib", "mcp"]
OPTIONAL += ["minari", "numba", "optax", "pyarrow", "pygame", "ray", "scipy"]
OPTIONAL += ["stable_baselines3"]
OPTIONAL += ["torch", "tqdm"]


def modules() -> list[str]:
    """Name all modules of the package, relative to it."""
    paths = (path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))
    names = (".".join(path.with_suffix("").parts) for path in paths)
    return [name.removesuffix(".__init__") for name in names]


def source(name: str) -> str:
    """Return the text of a module."""
    path = PACKAGE / (name.replace(".", "/") + ".py")
    if not path.exists():
        path = PACKAGE / name.replace(".", "/") / "__init__.py"
    return path.read_text("utf-8")


def room(name: str) -> str:
    """Return the room of a module: `core`, `games.crafter`; programs have none."""
    parts = name.split(".")
    if parts[0] == "games":
        return ".".join(parts[:2])
    return parts[0] if parts[0] in ROOMS else ""


def imports_of(source: str) -> Iterator[str]:
    """Yield what a module imports from the package, relative to it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []  # Not imported when the program runs.
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "crafter":
                    yield alias.name.removeprefix("crafter").lstrip(".")
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute in this package"
            parent = node.module or ""
            if parent.split(".")[0] == "crafter":
                inside = parent.removeprefix("crafter").lstrip(".")
                for alias in node.names:
                    yield f"{inside}.{alias.name}".lstrip(".")


def allowed(name: str, other: str) -> bool:
    """Return whether a contract lets one module import the other."""
    here, there = room(name), room(other)
    if not here or here == there or here == "games":
        return True
    if here.startswith("games."):
        return there in ROOMS
    return there in CONTRACTS[here]


def test_contracts_hold_between_rooms():
    broken = {
        f"{name} -> {room(other) or 'crafter'}"
        for name in modules()
        for other in imports_of(source(name))
        if not allowed(name, other)
    }
    assert broken == DEBTS


def test_folders_of_tasks_are_layers():
    layers = LAYERS.split()
    above = {
        f"{name} -> {other}"
        for name in modules()
        for other in imports_of(source(name))
        if name.startswith("tasks.") and other.startswith("tasks.")
        for here, there in [(name.split(".")[1], other.split(".")[1])]
        if here in layers and there in layers
        if layers.index(there) > layers.index(here)
    }
    assert not above


def test_no_two_modules_import_each_other():
    names = set(modules())
    graph = {
        name: {
            other if other in names else other.rpartition(".")[0]
            for other in imports_of(source(name))
        }
        - {"", name}
        for name in names
    }
    while leaves := {name for name in graph if not graph[name] & set(graph)}:
        for name in leaves:
            del graph[name]
    assert not graph


def test_the_core_works_without_the_optional_packages():
    needy = (
        "__init__",
        "gui.",
        "compiled",
        "functional",
        "games.craftax.jax",
        "games.crafter.cpu.",
        "games.craftax.cpu.",
        "games.crafter.jax",
        "games.crafter.tasks.batched.env",
        "lm.mcp",
        *(f"lm.trainers.{name}" for name in TRAINERS),
    )
    names = [f"crafter.{n}" for n in modules() if not n.startswith(needy)]
    code = f"""
import importlib, sys
for name in {OPTIONAL}:
    sys.modules[name] = None  # Importing it fails from now on.
for name in {names}:
    importlib.import_module(name)
import crafter
crafter.Env(seed=0).reset()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_package_imports_no_optional_package():
    code = f"import sys, crafter; print([n for n in {OPTIONAL} if n in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"

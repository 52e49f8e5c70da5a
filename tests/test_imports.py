"""Imports run one way, and the core needs the core packages only."""

from __future__ import annotations

import ast
import functools
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import crafter

PACKAGE = pathlib.Path(crafter.__file__).parent

# A module may import from groups above its own. A new module needs a place here.
GROUPS = [
    {"functional", "functional.arrays", "functional.precision", "functional.random"},
    {"functional.sparse", "functional.spaces"},
    {"functional.devices", "functional.env", "functional.wrappers"},
    {"functional.vector"},
    {
        "noise",
        "stream",
        "events",
        "window",
        "arguments",
        "brief",
        "clock",
        "ruleset",
        "looks",
        "reporting",
    },
    {"reporting.figures", "reporting.tables"},
    {"reporting.page"},
    {"arrays", "keyboard", "reset_options", "values"},
    {"interrupts", "schema", "chunks", "pictures", "saved", "game_env"},
    {"functional.host_call"},
    {"rules"},
    {"constants", "engine", "recipes"},
    {"craftax.events", "craftax.parameters", "craftax.rows"},
    {"craftax.rules_checks"},
    {"craftax.rules"},
    {"craftax.tables", "craftax.noise", "craftax.light"},
    {"craftax.engine", "craftax.draws", "craftax.ladders"},
    {"craftax.player", "craftax.rooms", "craftax.terrain", "craftax.looks"},
    {"craftax.boss", "craftax.combat", "craftax.chests", "craftax.plants"},
    {"craftax.body", "craftax.magic"},
    {"craftax.textures", "craftax.scene"},
    {"craftax.icons"},
    {"craftax.views"},
    {"craftax.mobs", "craftax.spawning", "craftax.observations"},
    {"craftax.actions", "craftax.fields", "craftax.text", "craftax.worldgen"},
    {"craftax.game"},
    {"craftax.layouts", "craftax.snapshot", "craftax.state_checks"},
    {"craftax.options", "craftax.state"},
    {"craftax.env", "craftax.parity"},
    {"craftax"},
    {"craftax.jax.noise", "craftax.jax.tables"},
    {"craftax.jax.rules", "craftax.jax.state"},
    {
        "craftax.jax.body",
        "craftax.jax.clock",
        "craftax.jax.convert",
        "craftax.jax.draws",
    },
    {
        "craftax.jax.engine",
        "craftax.jax.ladders",
        "craftax.jax.rooms",
        "craftax.jax.terrain",
    },
    {
        "craftax.jax.boss",
        "craftax.jax.chests",
        "craftax.jax.combat",
        "craftax.jax.light",
    },
    {"craftax.jax.plants"},
    {"craftax.jax.mobs", "craftax.jax.observations", "craftax.jax.spawning"},
    {"craftax.jax.worldgen"},
    {"craftax.jax.actions", "craftax.jax.levels", "craftax.jax.views"},
    {"craftax.jax.magic"},
    {"craftax.jax.step"},
    {"craftax.jax.env"},
    {"craftax.jax"},
    {"entity"},
    {"creatures"},
    {"player"},
    {"objects"},
    {"worldgen", "balance", "views"},
    {"observations", "scenery"},
    {"snapshot", "state_layout"},
    {"state"},
    {"options", "settings"},
    {"game"},
    {"env"},
    {"scoring.graph", "recording"},
    {"recording.folder", "recording.old_interface"},
    {"recording.stats", "recording.transitions", "recording.video"},
    {"recording.reader", "recording.episode"},
    {"recording.leftovers", "recording.parts"},
    {"scoring.benchmark"},
    {"scoring.craftax"},
    {"scoring.benchmarks"},
    {"scoring.runs"},
    {"scoring.records", "scoring.statistics"},
    {"scoring.logs", "scoring.score_files"},
    {"scoring.loading"},
    {"scoring"},
    {"players", "players.grid", "players.paths"},
    {"players.grid_search"},
    {"players.craftax.scene"},
    {"players.craftax.dangers", "players.craftax.gear", "players.craftax.ways"},
    {"players.craftax.errands", "players.craftax.shelter"},
    {"players.craftax.guard", "players.craftax.upkeep"},
    {"players.craftax.hunt", "players.craftax.siege"},
    {"players.craftax.boss"},
    {"players.craftax.player", "players.craftax.progress", "players.craftax.replica"},
    {"players.craftax.takebacks"},
    {"players.craftax"},
    {"recorder", "players.random", "players.scene"},
    {"players.scripted", "legacy.engine"},
    {"legacy.env"},
    {"legacy"},
    {"batch", "batch.recorder", "batch.sb3", "batch.tables", "batch.cpu.jit"},
    {"batch.cpu.turns"},
    {"batch.layout", "batch.cpu.random", "batch.cpu.noise", "batch.cpu.world"},
    {"batch.cpu.coarse", "batch.cpu.memory"},
    {"batch.cpu.balance", "batch.cpu.capacity", "batch.cpu.creatures"},
    {"batch.cpu.player", "batch.cpu.worldgen", "batch.cpu.observe", "batch.cpu.state"},
    {"batch.cpu.reset", "batch.cpu.step", "batch.cpu.team"},
    {"batch.cpu.run"},
    {"batch.cpu.observers", "batch.cpu.engine", "batch.cpu.info"},
    {"batch.cpu.arguments", "batch.cpu.xla"},
    {"batch.cpu", "batch.cpu.env"},
    {"batch.jax.state"},
    {"batch.jax.world", "batch.jax.clock", "batch.jax.noise"},
    {"batch.jax.player", "batch.jax.worldgen", "batch.jax.balance"},
    {"batch.jax.creatures", "batch.jax.observe", "batch.jax.levels"},
    {"batch.jax.step", "batch.jax.convert"},
    {"batch.jax.env"},
    {"batch.jax.registry"},
    {"batch.jax.vector"},
    {"batch.jax"},
    {"gui", "gui.ink", "gui.keys", "gui.layout", "gui.savefile", "gui.surfaces"},
    {"gui.keyboard", "gui.keyfile", "gui.charts", "gui.status", "gui.words"},
    {"gui.game", "gui.craftax_possible"},
    {"gui.craftax_words"},
    {"gui.memory", "gui.craftax_panel", "gui.of_crafter"},
    {"gui.of_craftax", "gui.make_crafter"},
    {"gui.make_craftax"},
    {"gui.games"},
    {"gui.rerun", "gui.session"},
    {"gui.replay", "gui.help_view", "gui.menu_view", "gui.map_view", "gui.canvas"},
    {"gui.sky", "gui.slots"},
    {"gui.panel", "gui.banner"},
    {"gui.cards"},
    {"gui.screen"},
    {"gui.app", "gui.options"},
    {"gui.game_app", "gui.replay_app"},
    {"run_random", "run_terrain"},
    {"__init__"},
    {"cluster"},
    {"endpoint", "endpoint.budget", "endpoint.stub", "endpoint.transport"},
    {"endpoint.client"},
    {"commands"},
    {
        "tasks.dimensions",
        "tasks.packed",
        "tasks.provenance",
        "tasks.records",
        "tasks.verdicts",
        "tasks.zones",
    },
    {"tasks.agreement", "tasks.ratings", "tasks.scores.constants"},
    {"tasks.scores.files", "tasks.view"},
    {"tasks.events", "tasks.opinions", "tasks.regions", "tasks.structures.base"},
    {"tasks.structures.patterns", "tasks.structures.rooms"},
    {"tasks.structures.ground"},
    {"tasks.structures"},
    {"tasks.conditions"},
    {"tasks.monitors", "tasks.routes"},
    {"tasks.goals"},
    {"tasks.attempt", "tasks.encoding", "tasks.instructions", "tasks.names"},
    {"tasks.vocabulary"},
    {"tasks.files", "tasks.parse"},
    {"tasks.compositions", "tasks.difficulty", "tasks.shards", "tasks.tracing"},
    {"tasks.catalogue"},
    {"tasks.scenes.random", "tasks.scenes.scene", "tasks.explanations"},
    {"tasks.scenes.ground", "tasks.scenes.packs", "tasks.scenes.settings"},
    {"tasks.scenes.draft"},
    {"tasks.scenes.features", "tasks.scenes.terrain"},
    {"tasks.scenes.layout"},
    {"tasks.scenes.checks"},
    {"tasks.scenes.mending"},
    {"tasks.scenes.generator"},
    {
        "tasks.scenes",
        "tasks.certificates",
        "tasks.planner.moment",
        "tasks.planner.reasons",
    },
    {"tasks.planner.actor", "tasks.planner.memory", "tasks.planner.recipes"},
    {
        "tasks.planner.agenda",
        "tasks.planner.arrows",
        "tasks.planner.cuts",
        "tasks.planner.ways",
    },
    {"tasks.planner.moves", "tasks.planner.sites"},
    {"tasks.planner.gather", "tasks.planner.routes"},
    {"tasks.planner.combat"},
    {"tasks.planner.arms", "tasks.planner.shelter"},
    {"tasks.planner.building", "tasks.planner.nights", "tasks.planner.stand"},
    {"tasks.planner.needs", "tasks.planner.traps"},
    {"tasks.planner.upkeep", "tasks.planner.waiting"},
    {"tasks.planner.farming", "tasks.planner.ground"},
    {"tasks.planner.structures", "tasks.planner.vigil"},
    {"tasks.planner.states"},
    {"tasks.planner.methods"},
    {"tasks.planner.planner"},
    {"tasks.planner", "tasks.replicas"},
    {"tasks.search"},
    {"tasks.lint", "tasks.verify"},
    {"tasks.batched", "tasks.batched.conditions"},
    {"tasks.batched.monitors"},
    {"tasks.batched.program"},
    {"tasks.monotony"},
    {"tasks.proofs", "tasks.verification_report", "tasks.batched.env", "tasks.envs"},
    {"tasks.pool", "tasks.suites"},
    {"tasks.verification"},
    {"tasks.ablation", "tasks.multi", "tasks.planner.agents", "tasks.policies"},
    {"tasks.agents", "tasks.screen"},
    {
        "tasks.runs",
        "tasks.generation",
        "tasks.demos",
        "tasks.diversity",
        "tasks.proposer",
    },
    {"tasks.scores.references"},
    {"tasks.scores.demands", "tasks.scores.measures"},
    {"tasks.scores.parts"},
    {"tasks.scores.progress"},
    {"tasks.scores.story"},
    {"tasks.scores.control", "tasks.scores.errors", "tasks.scores.solutions"},
    {"tasks.scores.scoring"},
    {"tasks.scores.runs", "tasks.scores.sanity", "tasks.scores.tricks"},
    {"tasks.scores"},
    {
        "tasks.frames",
        "tasks.judge",
        "tasks.judge.answers",
        "tasks.judge.criteria",
        "tasks.judge.items",
        "tasks.judge.transcript",
    },
    {"tasks.judge.evidence", "tasks.judge.pairs"},
    {"tasks.judge.prompts"},
    {"tasks.judge.asking"},
    {"tasks.judge.questions", "tasks.judge.rewriting"},
    {"tasks.judge.batch", "tasks.judge.controls"},
    {"tasks.judge.summary"},
    {"tasks.cli_judge", "tasks.cli_scores", "tasks.pairs"},
    {"tasks.agree", "tasks.cli_runs", "tasks.report.attempts"},
    {"tasks.agree_report", "tasks.report.estimates", "tasks.report.examples"},
    {"tasks.report.compositions", "tasks.report.failures", "tasks.report.plots"},
    {"tasks.pages", "tasks.report.inter"},
    {"tasks.report.intra", "tasks.report.judged"},
    {"tasks.report.write"},
    {"tasks.report"},
    {
        "tasks.cli_ablation",
        "tasks.cli_opinions",
        "tasks.cli_scenes",
        "tasks.cli_verify",
    },
    {"tasks.cli"},
    {"tasks", "tasks.__main__"},
    {"gui.task_replay", "gui.task_session"},
    {"run_gui"},
    {"lm.tell", "lm.hear", "lm.play", "lm.runs", "lm.serve"},
    {"lm.tell.rulebook", "lm.tell.phrases", "lm.runs.logs", "lm.runs.scores"},
    {"lm.tell.crafter_book", "lm.tell.craftax"},
    {"lm.tell.words"},
    {"lm.tell.facts", "lm.tell.rules_text", "lm.hear.vocabulary"},
    {"lm.tell.craftax.book"},
    {"lm.tell.situation", "lm.hear.payload"},
    {"lm.tell.positions", "lm.tell.ascii_map", "lm.tell.hints", "lm.tell.memory"},
    {"lm.tell.perceive", "lm.tell.craftax.hints", "lm.tell.craftax.rules_text"},
    {"lm.tell.craftax.sight"},
    {"lm.tell.craftax.eye"},
    {"lm.hear.parse"},
    {"lm.tell.messages", "lm.tell.json_form", "lm.play.stops", "lm.play.limits"},
    {
        "lm.play.quest",
        "lm.tell.text",
        "lm.tell.tutorial",
        "lm.play.history",
        "lm.play.game",
        "lm.play.start",
    },
    {"lm.tell.craftax.tutorial"},
    {"lm.play.of_crafter", "lm.play.of_craftax"},
    {"lm.play.games"},
    {"lm.tell.markup", "lm.tell.delta", "lm.play.session", "lm.play.controls"},
    {"lm.tell.observation", "lm.play.batch", "lm.play.undo"},
    {"lm.play.observer", "lm.agents.base", "lm.agents.chart"},
    {"lm.play.aci"},
    {"lm.play.record", "lm.play.gym_env", "lm.runs.protocols"},
    {
        "lm.craftaxlm.classic",
        "lm.craftaxlm.full",
        "lm.craftaxlm.functional",
        "lm.craftaxlm.recording",
        "lm.craftaxlm.titles",
    },
    {
        "lm.craftaxlm.classic.metadata",
        "lm.craftaxlm.full.metadata",
        "lm.craftaxlm.shared",
    },
    {"lm.craftaxlm.base", "lm.craftaxlm.classic.state", "lm.craftaxlm.full.state"},
    {"lm.craftaxlm.classic.env", "lm.craftaxlm.full.env"},
    {"lm.craftaxlm.classic.aci", "lm.craftaxlm.env", "lm.craftaxlm.full.aci"},
    {"lm.craftaxlm"},
    {"lm.agents.craftax", "lm.agents.craftax.belief", "lm.agents.forager"},
    {"lm.agents.craftax.delver", "lm.agents.craftax.memory"},
    {"lm.agents.craftax.outlook", "lm.agents.craftax.foresight"},
    {"lm.agents.craftax.guard"},
    {"lm.agents.craftax.survey", "lm.agents.craftax.wishes"},
    {"lm.agents.craftax.descender"},
    {
        "lm.agents.oracle",
        "lm.agents.simple",
        "lm.agents.scripted",
        "lm.agents.model",
        "lm.runs.game",
    },
    {"lm.agents.policies"},
    {"lm", "lm.agents", "lm.runs.runner", "lm.serve.games"},
    {"lm.runs.packed", "lm.runs.summary", "lm.serve.mcp", "lm.suites"},
    {"lm.runs.verify"},
    {"lm.runs.board", "lm.mcp"},
    {"lm.cli_runs"},
    {"lm.cli"},
    {"lm.__main__"},
]
RANK = {name: rank for rank, group in enumerate(GROUPS) for name in group}

# What is inside an Env. Modules around it use what Env makes public; legacy is there
# to give old agents what is inside, and batches are the game a second time.
INSIDE = {"engine", "objects", "entity", "player", "creatures", "game"}
INSIDE |= {"worldgen", "balance", "noise", "stream", "state"}
AROUND = {name for name in RANK if RANK[name] > RANK["env"]}
_INNER = ("legacy", "batch.cpu.", "batch.jax.")
AROUND = {name for name in AROUND if not name.startswith(_INNER)}

OPTIONAL = [
    "gym",
    "httpx2",
    "imageio_ffmpeg",
    "jax",
    "llvmlite",
    "matplotlib",
    "mcp",
    "minari",
    "numba",
    "optax",
    "pygame",
    "ray",
    "scipy",
    "stable_baselines3",
    "torch",
    "tqdm",
]


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


@functools.cache
def imports(name: str) -> frozenset[str]:
    """Return what a module imports from the package when it runs."""
    return frozenset(imports_of(source(name)))


def imports_of(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith(
            "TYPE_CHECKING"
        ):
            node.body = []  # Not imported when the program runs.
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "crafter":
                    yield alias.name.removeprefix("crafter").lstrip(".") or "__init__"
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute in this package"
            parent = node.module or ""
            if parent.split(".")[0] == "crafter":
                inside = parent.removeprefix("crafter").lstrip(".")
                for alias in node.names:
                    full = f"{inside}.{alias.name}".lstrip(".")
                    yield full if full in RANK else inside or "__init__"


def test_every_module_has_a_place():
    assert sorted(modules()) == sorted(RANK)


def test_imports_run_one_way():
    backwards = {
        f"{name} imports {other}"
        for name in modules()
        for other in imports(name)
        if RANK[other] >= RANK[name]
    }
    assert not backwards


def test_no_import_is_for_types_alone():
    names = [name for name in modules() if name.startswith(("lm", "endpoint"))]
    assert not [name for name in names if "TYPE_CHECKING" in source(name)]


def test_modules_around_env_leave_its_inside_alone():
    assert not {
        name: INSIDE & imports(name) for name in AROUND if INSIDE & imports(name)
    }


# What goals are made of sees a game through a view and events, never an environment.
WITH_ENV = {"tasks.envs", "tasks.verify"}


def test_of_the_tasks_only_some_know_an_environment():
    names = {name for name in modules() if name.startswith("tasks")}
    assert not [n for n in names - WITH_ENV if {"env", "__init__"} & imports(n)]


def test_the_check_sees_every_kind_of_import():
    source = """
import crafter
import crafter.env
import numpy
from crafter import constants, Env
from crafter.views import Textures
from crafter.gui import ink
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from crafter.objects import Player
def later():
    from crafter.engine import World
"""
    assert list(imports_of(source)) == [
        "__init__",
        "env",
        "constants",
        "__init__",
        "views",
        "gui.ink",
        "engine",
    ]


def test_the_core_works_without_the_optional_packages():
    needy = (
        "__init__",
        "gui.",
        "batch.sb3",
        "batch.cpu.",
        "batch.jax",
        "craftax.jax",
        "functional",
        "tasks.batched.env",
        "lm.mcp",
        "lm.serve.mcp",
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

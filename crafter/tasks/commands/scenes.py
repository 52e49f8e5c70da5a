"""Commands that make and show scenes: `generate` and `scene`."""

from __future__ import annotations

import argparse
from typing import Any

import yaml

from crafter.core import arguments
from crafter.core.options import MANY, REQUIRED, Table
from crafter.llm_client.client import OPTIONS, Endpoint
from crafter.llm_client.commands import FINE, add_command
from crafter.tasks import game as games
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes import proposer
from crafter.tasks.episodes.generation import generate, table
from crafter.tasks.scenes import Scene
from crafter.tasks.scenes.scene import ENDINGS

GENERATE: Table = {
    "out": (None, REQUIRED, "FILE.jsonl or .jsonl.gz"),
    "difficulty": (list(files.levels()), MANY, "levels of the scenes"),
    "split": ("test", str, "of the scenes"),
    "count": (1, arguments.positive, "scenes per task and level"),
    "solved": (False, None, "keep only scenes that the planner solves"),
    "propose": (False, None, "let a language model propose scenes"),
    "rounds": (
        proposer.ROUNDS,
        arguments.positive,
        "maximum number of answers per scene",
    ),
    "log": (None, str, "file for the answers of the model"),
    **OPTIONS,
    **games.OPTION,
}
SCENE: Table = {
    "difficulty": (None, str, "of a task; default: simple"),
    "split": (None, str, "of a task; default: train"),
    "index": (0, arguments.not_negative, "of the scene, from 0"),
    "game": (None, str, f"of a task; default: {games.DEFAULT}"),
}
RENDER: Table = {"out": (None, REQUIRED, "picture to write, such as a.png")}


def add_commands(commands: Any) -> None:
    """Adds the commands to a command line."""
    tasks = "+", "names, expressions or task files"
    add_command(commands, "generate", _generate, GENERATE, tasks=tasks)
    scene = add_command(commands, "scene", _scene)
    kinds = scene.add_subparsers(required=True, metavar="WHAT")
    source = "task, or file of scenes"
    add_command(kinds, "show", _show, SCENE, source=source)
    add_command(kinds, "render", _render, SCENE, RENDER, source=source)


def _generate(args: argparse.Namespace) -> int:
    """Generate, check and screen scenes, and write them to a file."""
    scenes.check_name(args.out)
    make = None
    if args.propose:
        endpoint = Endpoint(args.base_url, args.model)
        make = proposer.maker(endpoint, args.rounds, args.log)
    orders = orders_of(args)
    tallies = generate(orders, args.out, args.split, print, args.solved, make)
    print(table(tallies).render("text"))
    return FINE


def orders_of(args: argparse.Namespace) -> list[tuple[Task, int]]:
    """Returns the requested tasks on their levels, and the number of scenes."""
    rules = games.find(args.game).rules
    levels = args.difficulty
    return [(Task(n, lev, rules), args.count) for n in args.tasks for lev in levels]


def _scene_of(args: argparse.Namespace) -> Scene:
    if not args.source.endswith(ENDINGS):
        rules = games.find(args.game or games.DEFAULT).rules
        task = Task(args.source, args.difficulty or files.levels()[0], rules)
        return scenes.draw(task, args.split or "train", args.index)
    given = [n for n in ("difficulty", "split", "game") if getattr(args, n) is not None]
    if given:
        raise ValueError(
            f"{args.source} is a file of scenes, so --{given[0]} does not apply; "
            "choose a scene with --index."
        )
    pack = scenes.read(args.source)
    if args.index >= len(pack):
        raise ValueError(
            f"{args.source} has {len(pack)} scenes, numbered from 0; got {args.index}."
        )
    return pack[args.index]


def _scene(args: argparse.Namespace) -> int:
    """Show or render scenes of tasks and files."""
    return FINE  # argparse requires a subcommand and calls that


def _show(args: argparse.Namespace) -> int:
    """Show a scene as YAML."""
    scene = _scene_of(args)
    data = {**scene.as_data(), "hash": scene.hash}
    print(yaml.safe_dump(data, sort_keys=False, default_flow_style=None), end="")
    return FINE


def _render(args: argparse.Namespace) -> int:
    """Render a scene with the map around the start."""
    _scene_of(args).draw(args.out)
    return FINE

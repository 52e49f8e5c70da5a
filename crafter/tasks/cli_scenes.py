"""The commands `generate` and `scene` of `crafter-tasks`."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

import yaml

from crafter.core import arguments
from crafter.llm_client.client import Endpoint
from crafter.llm_client.commands import FINE, NEGATIVE, add_command
from crafter.tasks import diversity, files, proposer, records, scenes
from crafter.tasks.catalogue import Task
from crafter.tasks.envs import picture_of
from crafter.tasks.frames import played
from crafter.tasks.generation import generate, table
from crafter.tasks.replay import env_of
from crafter.tasks.scenes import Scene


def add_commands(commands: Any) -> None:
    """Adds the commands to those of a command line."""
    make = add_command(commands, "generate", _generate)
    make.add_argument("tasks", nargs="+", help="names, expressions or task files")
    make.add_argument("--out", required=True, help="FILE.yaml, .jsonl or .jsonl.gz")
    make.add_argument("--difficulty", nargs="+", default=list(files.levels()))
    make.add_argument("--split", default="test")
    make.add_argument(
        "--count", type=arguments.positive, default=1, help="scenes per task and level"
    )
    make.add_argument(
        "--no-screen", action="store_true", help="keep scenes that are trivial"
    )
    make.add_argument(
        "--solved",
        action="store_true",
        help="let the planner solve them; mend what it cannot",
    )
    make.add_argument(
        "--diversity", action="store_true", help="tell how different the scenes are"
    )
    make.add_argument(
        "--propose", action="store_true", help="let a language model propose them"
    )
    make.add_argument(
        "--rounds",
        type=arguments.positive,
        default=proposer.ROUNDS,
        help="most answers a scene",
    )
    make.add_argument("--log", metavar="FILE", help="write what the model proposed")
    make.add_argument("--base-url", help="or the variable CRAFTER_LM_BASE_URL")
    make.add_argument("--model", help="or the variable CRAFTER_LM_MODEL")

    scene = add_command(commands, "scene", _scene)
    kinds = scene.add_subparsers(required=True, metavar="WHAT")
    show = add_command(kinds, "show", _show)
    render = add_command(kinds, "render", _render)
    for parser in (show, render):
        parser.add_argument("source", help="task, or file of scenes")
        parser.add_argument("--difficulty", help="of a task; default: simple")
        parser.add_argument("--split", help="of a task; default: train")
        parser.add_argument("--index", type=int, default=0, help="of scene, from 0")
    render.add_argument("--out", required=True, help="picture to write, such as a.png")
    render.add_argument("--view", type=int, nargs=2, default=(27, 23), metavar="CELLS")
    render.add_argument("--as-seen", action="store_true", help="dark if it is night")

    take = add_command(kinds, "capture", _capture)
    take.add_argument("attempt", help="recorded attempt")
    take.add_argument(
        "--step",
        type=arguments.not_negative,
        nargs="+",
        required=True,
        help="the steps after which scenes begin; 0 for the start",
    )
    take.add_argument("--task", help="that they are for; default: that of the attempt")
    take.add_argument("--out", required=True, help="FILE.yaml, .jsonl or .jsonl.gz")


def _generate(args: argparse.Namespace) -> int:
    """Make scenes, check and screen them, and write them to a file."""
    scenes.check_name(args.out)
    orders = [
        (Task(name, _difficulty(level)), args.count)
        for name in args.tasks
        for level in args.difficulty
    ]
    if args.propose:
        return _propose(orders, args)
    screened = not args.no_screen
    tallies = generate(orders, args.out, args.split, screened, solved=args.solved)
    print(table(tallies).render("text"))
    if args.diversity:
        pairs = zip(orders, tallies)
        found = [(o[0], diversity.compare(o[0], t.accepted)) for o, t in pairs]
        print(diversity.table(found).render("text"))
    return FINE


def _propose(orders: Any, args: argparse.Namespace) -> int:
    """Writes the scenes that a model proposed and that are good enough."""
    endpoint = Endpoint(args.base_url, args.model)
    made = []
    for task, count in orders:
        for index in range(count):
            try:
                scene, rounds = proposer.propose(
                    task, endpoint, args.split, index, args.rounds, args.log
                )
            except proposer.NoProposal as error:
                print(error)
                continue
            made.append(scene)
            print(f"{task.name} {task.difficulty} {index}: round {len(rounds)}")
    wanted = sum(count for _, count in orders)
    if made:
        scenes.write(args.out, made)
    print(f"{len(made)} of {wanted} scenes were accepted.")
    return FINE if len(made) == wanted else NEGATIVE


def _difficulty(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _scene_of(args: argparse.Namespace) -> Scene:
    if args.source.endswith((".jsonl", ".jsonl.gz")) or _is_scene_file(args.source):
        given = [n for n in ("difficulty", "split") if getattr(args, n) is not None]
        if given:
            raise ValueError(
                f"{args.source} is a file of scenes, which has no --{given[0]} to "
                "choose; --index says which of its scenes is meant."
            )
        found = scenes.read(args.source)
        if not 0 <= args.index < len(found):
            raise ValueError(
                f"{args.source} has {len(found)} scenes; there is no {args.index}."
            )
        return found[args.index]
    task = Task(args.source, _difficulty(args.difficulty or files.levels()[0]))
    return scenes.draw(task, args.split or "train", args.index)


def _is_scene_file(source: str) -> bool:
    """Returns whether a YAML file holds scenes rather than tasks."""
    path = pathlib.Path(source)
    if path.suffix not in (".yaml", ".yml") or not path.exists():
        return False
    lines = path.read_text("utf-8").splitlines()
    return any(line.startswith("world_seed:") for line in lines)


def _scene(args: argparse.Namespace) -> int:
    """Look at scenes of tasks and of files."""
    return FINE  # one of its own commands is required, and is called instead


def _show(args: argparse.Namespace) -> int:
    """Show a scene as YAML."""
    scene = _scene_of(args)
    data = {**scene.as_data(), "hash": scene.hash}
    print(yaml.safe_dump(data, sort_keys=False, default_flow_style=None), end="")
    return FINE


def _capture(args: argparse.Namespace) -> int:
    """Make scenes of moments of a recorded attempt."""
    scenes.check_name(args.out)
    attempt = records.read(args.attempt)
    head, last = attempt.header, len(attempt.steps)
    late = [step for step in args.step if step > last]
    if late:
        raise ValueError(f"{args.attempt} has {last} steps; there is no {late[0]}.")
    task = args.task or head.name or head.task or "custom"
    env, made = env_of(head, args.attempt), {}
    for step in played(attempt, env, args.attempt):
        if step in args.step:
            made[step] = scenes.capture(env, task, args.step.index(step))
    scenes.write(args.out, [made[step] for step in dict.fromkeys(args.step)])
    return FINE


def _render(args: argparse.Namespace) -> int:
    """Draw a scene as a picture of the map around the start."""
    by_day = not args.as_seen
    picture_of(_scene_of(args), args.out, tuple(args.view), by_day=by_day)
    return FINE

"""Runs the planner on scenes of the `test` split and stores its solutions.

    python scripts/verify_scenes.py verification.jsonl
    python scripts/verify_scenes.py verification.jsonl --tasks place_table --scenes 10
    python scripts/verify_scenes.py craftax.jsonl --game craftax --scenes 10

The file holds results as `crafter-tasks run` writes them, with the solution of each
solved scene. Compressed, it is `verification.jsonl.gz` in `tasks/data/` of the game,
from which suites know which scenes are solvable. The same command resumes an
interrupted run; with more tasks or scenes it adds to the file.
"""

import itertools
from collections.abc import Sequence
from typing import Any

from crafter.core import cluster
from crafter.core.options import MANY, make_parser
from crafter.tasks import game as games
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import all_tasks
from crafter.tasks.episodes.play import EpisodeResult, EpisodeSpec
from crafter.tasks.episodes.results import Results
from crafter.tasks.episodes.runs import header
from crafter.tasks.episodes.solutions import solve
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.scenes import SceneError

#: Only versions: the file has no fixed list of scenes.
HEADER = header(Suite("verification", ()), "oracle", (1, 1))


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line program."""
    levels = list(files.levels())
    options = {
        **games.OPTION,
        "tasks": ([], MANY, "default: the whole catalogue"),
        "levels": (levels, {**MANY, "choices": levels}, "of the scenes"),
        "scenes": (3, int, "scenes per task and level"),
    }
    parser = make_parser(__doc__, options)
    parser.add_argument("file", help="results file; an existing one is continued")
    cluster.add_argument(parser, "scene")
    args = parser.parse_args(argv)
    game = games.find(args.game)
    tasks = args.tasks or list(all_tasks(game))
    every = itertools.product(range(args.scenes), tasks, args.levels)
    specs = [EpisodeSpec(t, level, i, game=game.name) for i, t, level in every]
    with Results(args.file, head_of(game)) as file, cluster.mapping(args.ray) as each:
        for one in each(tried, file.left(specs)):
            file.add(one)
            end = f"in {one.steps} steps" if one.solved else one.reason
            print(f"{one.task} {one.level} {one.index}: {end}", flush=True)


def head_of(game: games.TaskGame) -> dict[str, Any]:
    """Returns the header line of the file of a game."""
    if game.name == games.DEFAULT:
        return HEADER
    return {**HEADER, "game": game.name, **game.scenes.kind.versions()}


def tried(spec: EpisodeSpec) -> EpisodeResult:
    """Returns the planner's result; `no_scene` if the generator gives up."""
    task = spec.made()
    try:
        return solve(task, spec.scene())
    except SceneError:
        about = *spec.place, "", "FAILED", "no_scene"
        return EpisodeResult(*about, steps=0, budget=task.budget, progress=0.0)


if __name__ == "__main__":
    main()

"""Turns recorded games of people into runs for scoring, and into a Minari data set.

    python scripts/import_human_dataset.py dataset --scores crafter_reward-human.json
    python scripts/import_human_dataset.py dataset --minari crafter/human-v0

The folder has an npz file per game, in subfolders or not: the published data set of 100
games by 5 experts, unpacked, or what `python -m crafter.run_gui --record` kept, all of
Crafter or all of Craftax. Games
that were interrupted are skipped, since only whole episodes count. So are saved games,
and games that were loaded and recorded from there.

The score file has the published format: a JSON list with an object per group of games.
As in the paper, the games are split at random into groups, 5 of 20, that take the place
of seeds. Which game is in which group of the paper is not known, so the mean and the
standard deviation of the score over the groups differ a little from the published ones.
The success rates do not, as long as the groups are equally large.

Needs `pip install crafter[minari]` for a Minari data set, and no more for scores.

Source: Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities", appendix C, and
Crafter 1.8.3, the format of the files.
"""

import argparse
import pathlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from data_sets import minari as exporter
from data_sets.recordings import (
    Episode,
    ExportError,
    check_column,
    find_episodes,
    game_of,
    note,
    read_episodes,
)

import crafter
from crafter import scoring
from crafter.core import arguments
from crafter.recorder import load_start

PREFIX = "achievement_"
#: Game -> the benchmark whose score file is written.
BENCHMARKS = {"crafter": "crafter", "craftax": "craftax-1m"}


class Game(NamedTuple):
    """What counts of an episode: task, steps, return, and a count per achievement."""

    task: str
    length: int
    reward: float
    achievements: list[int]


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser()
    args = parser.parse_args(argv)
    if not args.scores and not args.minari:
        parser.error("give --scores FILE, --minari ID, or both")
    exporter.choose_folder(args.output)
    try:
        convert(args)
    except (ExportError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = " (default: %(default)s)"
    parser.add_argument("directory", type=pathlib.Path, help="folder with npz files")
    add = parser.add_argument_group("scores").add_argument
    add("--scores", type=pathlib.Path, metavar="FILE", help="score file to write")
    add(
        "--groups",
        type=arguments.positive,
        default=5,
        help="number of groups of games" + default,
    )
    add(
        "--split-seed",
        type=arguments.not_negative,
        default=0,
        metavar="SEED",
        help="seed of the split into groups" + default,
    )
    add("--method", default="human", help="name of the players" + default)
    group = parser.add_argument_group("Minari data set")
    group.add_argument("--minari", metavar="ID", help="id, as in crafter/human-v0")
    exporter.add_data_set_options(group)
    return parser


def convert(args: argparse.Namespace) -> None:
    """Read all games first, and write then."""
    minari = exporter.import_minari() if args.minari else None
    if args.scores:
        args.scores = args.scores.expanduser()
        check_target(args.scores)
    paths = find_episodes(args.directory.expanduser(), "**/*.npz")
    game = game_of(paths)
    benchmark = scoring.find_benchmark(BENCHMARKS[game])
    games = [
        summarize(path, episode, benchmark) for path, episode in whole_games(paths)
    ]
    needed = args.groups if args.scores else 1
    if len(games) < needed:
        raise ExportError(
            f"{args.directory} has {len(games)} whole games, but at least {needed} "
            "are needed, one for each group."
        )
    if args.minari:
        episodes = whole_games(paths)
        dataset = exporter.export(minari, episodes, args.minari, args, game)
        exporter.print_summary(dataset)
    if args.scores:
        groups = split(games, args, benchmark)
        scoring.write_scores(args.scores, groups)
        sizes = ", ".join(str(run.episodes) for run in groups)
        print(f"{args.scores}: {len(games)} games in groups of {sizes}")


def whole_games(paths: list[pathlib.Path]) -> Iterator[tuple[pathlib.Path, Episode]]:
    """Yield the games that were played from their beginning to their end."""
    for path, episode in read_episodes(paths, include_partial=False):
        if began_elsewhere(path):
            note(f"Skipped {path.name}: it goes on with a saved game.")
        else:
            yield path, episode


def began_elsewhere(path: pathlib.Path) -> bool:
    """Tell whether a recording says that it did not begin with the first step."""
    try:
        start = load_start(path)
        if "step" in start:
            return bool(start["step"] > 0)
        return bool(start["timestep"] > start["start"])
    except (ValueError, KeyError):
        return False  # It does not say.


def check_target(path: pathlib.Path) -> None:
    """Refuse a score file that could not be written or read."""
    if path.suffix != ".json":
        raise ExportError(f"The name of a score file ends in .json, not as in {path}.")
    if not path.parent.is_dir():
        raise ExportError(f"{path.parent} is not a folder to write scores into.")


def summarize(
    path: pathlib.Path, episode: Episode, benchmark: scoring.Benchmark
) -> Game:
    """Return what counts of an episode, or refuse one that cannot be right."""
    keys = list(benchmark.keys)
    check_achievements(path, keys, episode)
    if episode["done"][:-1].any():
        first = int(np.argmax(episode["done"]))
        raise ExportError(
            f"{path.name} is done at step {first}, but goes on to step "
            f"{len(episode['done']) - 1}."
        )
    if not np.isfinite(episode["reward"]).all():
        raise ExportError(f"{path.name} has rewards that are not finite.")
    return Game(
        task=task_of(episode, benchmark),
        length=len(episode["action"]) - 1,
        reward=float(episode["reward"].sum()),
        achievements=[int(episode[key][-1]) for key in keys],
    )


def task_of(episode: Episode, benchmark: scoring.Benchmark) -> str:
    """Return which task of the benchmark it is; in Craftax the observation says it."""
    is_picture = episode["image"].ndim == 4
    named = [task for task in benchmark.tasks if task.endswith("_pixels")]
    return named[0] if named and is_picture else benchmark.tasks[0]


def check_achievements(path: pathlib.Path, keys: list[str], episode: Episode) -> None:
    """Refuse counters that are not those of a whole game."""
    found = {key for key in episode if key.startswith(PREFIX)}
    for word, others in [
        ("lacks", sorted(set(keys) - found)),
        ("has the unknown", sorted(found - set(keys))),
    ]:
        if others:
            raise ExportError(f"{path.name} {word} {', '.join(others)}.")
    for key in keys:
        check_column(path, episode, key, "iu")
        rises = np.diff(episode[key].astype(np.int64), prepend=0)
        wrong = (rises < 0) | (rises > (np.arange(len(rises)) > 0))
        if wrong.any():
            step = int(np.argmax(wrong))
            raise ExportError(
                f"{path.name} has {key} {episode[key][step]} at step {step}; it must "
                "start at 0 and rise by at most 1 per step."
            )


def split(
    games: list[Game], args: argparse.Namespace, benchmark: scoring.Benchmark
) -> list[scoring.Run]:
    """Return a run for each random group of games."""
    made_by = {
        "command": "python scripts/import_human_dataset.py "
        f"--groups {args.groups} --split-seed {args.split_seed}",
        "crafter": crafter.__version__,
    }
    # The stream of RandomState is the same in every version of NumPy.
    order = np.random.RandomState(args.split_seed).permutation(len(games))
    return [
        make_run([games[i] for i in part], args.method, str(group), made_by, benchmark)
        for group, part in enumerate(np.array_split(order, args.groups))
    ]


def make_run(
    games: list[Game],
    method: str,
    seed: str,
    made_by: dict[str, str],
    benchmark: scoring.Benchmark,
) -> scoring.Run:
    """Return a run whose episodes are the games."""
    columns: dict[str, Any] = {
        "length": np.array([game.length for game in games], np.int64),
        "reward": np.array([game.reward for game in games]),
        "achievements": np.array([game.achievements for game in games], np.int32),
    }
    return scoring.Run(
        games[0].task, method, seed, made_by=made_by, benchmark=benchmark, **columns
    )


if __name__ == "__main__":
    main()

"""Plays the same games here and in Crafter 1.8.3 and reports the first difference.

Each seed is one game, played until the player dies, with one of several configurations
and players: random, wandering (two episodes each) and scripted. The player plays our
environment first; the published one then replays the actions. After every reset and
step these are compared: materials, every object with its position, health and counters,
chunks and their members, the random state, inventory, achievements, the counters of the
player, reward, done, info and the image, drawn with the published textures on both
sides.

The published package is installed on request (see reference/published.py), which needs
a package index the first time:

    python scripts/compare_with_published.py --seeds 200

The exit status is 0 if all is identical and 1 if there is a difference.
"""

import argparse
import concurrent.futures
import functools
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.alternating import progress
from reference import golden
from reference import textures as synthetic_textures
from reference.our_side import OurSide
from reference.plans import GOLDEN, Plan, long_plan, plans, play_ours
from reference.published import Published, texture_folder
from reference.releases import CRAFTER, InstallError
from reference.tally import Tally
from reference.trace import RESET, Game, Trace, first_difference, moment_at

from crafter import constants
from crafter.core.arguments import positive
from crafter.core.options import Table, make_parser

OPTIONS: Table = {
    "seeds": (12, positive, "number of games"),
    "first-seed": (0, int, "seed of the first"),
    "steps": (None, positive, "end games after this many steps, not at death"),
    "jobs": (2, positive, "processes"),
    "scratch": (CRAFTER.folder, Path, "of the package"),
"long": (None, {"action": argparse.BooleanOptionalAction},
             "add a game of 10,000 steps (default: with 200 seeds and more)"),
    "write-golden": (None, Path, "record missing golden games in this folder"),
}  # fmt: skip


def compare(plan: Plan, published: Published, textures: Path) -> tuple[str, Tally]:
    """Play a game on both sides.

    Args:
        plan: The game to play.
        published: The published package.
        textures: Folder of the texture pack for both.

    Returns:
        A description of the first difference, empty if there is none, and counts of
        what happened in the game.
    """
    tally = Tally()
    ours = play_ours(plan, textures, tally)
    game = Game(plan.arguments(), ours.played, plan.after_done)
    theirs = published.play(game, textures)
    place = first_difference(ours, theirs)
    if place is None:
        return "", tally
    row, names = place
    lines = [f"DIFFERENT: {plan}", where(ours, row)]
    if not names:
        lines.append(f"  rows: ours {len(ours)}, published {len(theirs)}")
        return "\n".join(lines), tally
    mine = moment_at(OurSide(plan.arguments(), textures), game, row)
    other = published.moment_at(game, row, textures)
    for name in names:
        lines.append(f"  {name}: {difference(mine[name], other[name])}")
    return "\n".join(lines), tally


def where(trace: Trace, row: int) -> str:
    """Describe the position of a row in its game."""
    row = min(row, len(trace) - 1)
    action = int(trace.actions[row])
    after = "the reset" if action == RESET else constants.actions[action]
    return f"  episode {trace.episodes[row]}, step {trace.steps[row]}, after {after}"


def difference(ours: Any, theirs: Any) -> str:
    """Describe in one line how two values of a field differ."""
    try:
        np.testing.assert_equal(theirs, ours, strict=True)
    except AssertionError as error:
        text = str(error).replace("ACTUAL", "published").replace("DESIRED", "ours")
        return "; ".join(line.strip() for line in text.splitlines() if line.strip())
    return f"ours {ours!r}, published {theirs!r}"


def compare_all(games: list[Plan], folder: Path, jobs: int) -> tuple[str, Tally]:
    """Compare games, several at a time, until one differs.

    Args:
        games: The games to play.
        folder: Where the published package is installed.
        jobs: Number of processes of the published package.

    Returns:
        A description of the first difference found, empty if there is none, and counts
        of what happened in the games.
    """
    total = Tally()
    # Ours is so much faster that one process suffices.
    with (
        Published(folder, jobs) as published,
        concurrent.futures.ThreadPoolExecutor(jobs) as pool,
    ):
        textures = texture_folder(folder)
        both = functools.partial(compare, published=published, textures=textures)
        for description, tally in pool.map(both, games):
            total.add(tally)
            done, steps = total.counts["games"], total.counts["steps"]
            progress(f"{done}/{len(games)} games, {steps:,} steps")
            if description:
                pool.shutdown(cancel_futures=True)
                return description, total
    return "", total


def summary(total: Tally) -> str:
    """Summarise what the compared games cover."""
    lines = [f"  {name}: {count:,}" for name, count in total.counts.items()]
    missing = set(constants.achievements) - total.achievements
    lines += [
        f"  longest episode: {total.longest:,} steps",
        f"  edges of the map reached: {', '.join(sorted(total.edges)) or 'none'}",
        f"  achievements not unlocked: {', '.join(sorted(missing)) or 'none'}",
    ]
    return "\n".join(lines)


def write_golden(folder: Path, scratch: Path) -> None:
    """Write the golden games that are missing from a folder.

    The actions come from our environment, everything else from the published one.

    Args:
        folder: Where to write. Existing files are kept.
        scratch: Where the published package is installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, Published(scratch) as published:
        textures = synthetic_textures.write_textures(temporary)
        for name, plan in GOLDEN.items():
            path = folder / f"{name}.npz"
            if path.exists():
                continue
            ours = play_ours(plan, textures)
            game = Game(plan.arguments(), ours.played, plan.after_done)
            theirs = published.play(game, textures)
            golden.save(path, game, theirs)
            same = first_difference(ours, theirs) is None
            print(f"{name}: {len(theirs)} rows, {'' if same else 'not '}identical here")


def main() -> int:
    """Run the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    args = parser.parse_args()
    # Some games are stepped past their end on purpose.
    warnings.filterwarnings("ignore", ".*after the episode ended")
    try:
        folder = CRAFTER.install(args.scratch)
    except InstallError as error:
        print(error, file=sys.stderr)
        return 2
    if args.write_golden:
        write_golden(args.write_golden, folder)
        return 0
    games = plans(args.first_seed, args.seeds, args.steps)
    if args.seeds >= 200 if args.long is None else args.long:
        games.insert(0, long_plan())
    description, total = compare_all(games, folder, args.jobs)
    print(description or "identical")
    print(summary(total))
    return 1 if description else 0


if __name__ == "__main__":
    sys.exit(main())

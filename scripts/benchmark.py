"""Measures the speed and the memory of the environments.

    python scripts/benchmark.py               one environment
    python scripts/benchmark.py --published   and Crafter 1.8.3 beside it, with ratios
    python scripts/benchmark.py --vector      the batched engine beside one environment
    python scripts/benchmark.py --xla         the batched engine in JAX programs
    python scripts/benchmark.py --craftax     one environment of the larger game
    python scripts/benchmark.py --craftax --vector   its batches beside Crafter's
    python scripts/benchmark.py --jax         the engine in JAX
    python scripts/benchmark.py --jax --stages              the parts of its steps
    python scripts/benchmark.py --jax --published-craftax   and Craftax-Classic, or
                                              with --craftax Craftax, beside it

What is compared takes turns in alternating rounds, so that whatever else the machine
does meets all. Actions are random. Figures are medians over the rounds; ratios are
taken round by round. Published packages are installed into folders of their own.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import games
from benchmarks.games import STEPS
from benchmarks.turns import (
    Pair,
    Subject,
    median,
    print_machine,
    print_pairs,
    print_results,
    start_time,
    take_turns,
)
from reference.releases import CRAFTAX, CRAFTER, InstallError

from crafter.core.arguments import positive, positive_number
from crafter.core.options import Table, exit_on, make_parser

KINDS = ("pixels", "compact", "symbolic")
CRAFTAX_KINDS = ("pixels", "compact", "symbolic", "puffer")  # of batches
SIZES = {"nargs": "+", "type": positive}
OPTIONS: Table = {
    "published": (False, None, f"also {CRAFTER.title}; with --craftax {CRAFTAX.title}"),
    "vector": (False, None, "the batched engine; needs the extra 'vector'"),
    "xla": (False, None, "batches in JAX programs; needs 'vector' and 'jax'"),
    "craftax": (False, None, "the larger game"),
    "jax": (False, None, "the engine in JAX; needs the extra 'jax'"),
    "published-craftax": (False, None, "with --jax: also the published package"),
    "compiled": (False, None, "with --jax: also the batched engine in JAX programs"),
    "stages": (False, None, "with --jax: what the parts of a step cost"),
    "quick": (False, None, "only show that it works, in a few seconds"),
    "steps": (5000, positive, "of one game, in all rounds"),
    "resets": (20, positive, "of one game, in all rounds"),
    "rounds": (5, positive, "alternating rounds"),
    "threads": (2, positive, "of a batch"),
    "jax-steps": (50, positive, "in one scan of ours"),
    "seconds": (3.0, positive_number, "of a round of Craftax"),
    "kinds": (None, {"nargs": "+"}, "of observations"),
    "games": (None, SIZES, "at once, in batches"),
    "craftax-games": (None, SIZES, "of Craftax"),
    "crafter-folder": (CRAFTER.folder, Path, f"of {CRAFTER.title}"),
    "craftax-folder": (CRAFTAX.folder, Path, f"of {CRAFTAX.title}"),
}


def measure_crafter(args: argparse.Namespace) -> None:
    """Measures one environment."""
    folders: dict[str, Path | None] = {"ours": None}
    if args.published:
        folders["published"] = CRAFTER.install(args.crafter_folder)
    subjects = [crafter_subject(args, name, f) for name, f in folders.items()]
    compare_pair("Crafter", subjects, args)


def crafter_subject(args: argparse.Namespace, name: str, folder: Any) -> Subject:
    """Returns one game of Crafter."""
    sizes = (-(-count // args.rounds) for count in (args.steps, args.resets))
    options = (*sizes, folder)
    return Subject(name, games.crafter_game, options, games.load_crafter)


def measure_craftax(args: argparse.Namespace) -> None:
    """Measures one environment of the larger game."""
    folder = CRAFTAX.install(args.craftax_folder) if args.published else None
    resets = -(-args.resets // args.rounds)
    for kind in args.kinds or ("symbolic", "pixels"):
        sides: list[tuple[str, bool, Path | None]] = [("ours", False, None)]
        if folder:
            sides += [("published", True, folder), ("no auto-reset", False, folder)]
        subjects = []
        for name, auto_reset, where in sides:
            options = (kind, auto_reset, args.seconds, resets, where)
            craftax = Subject(name, games.craftax_game, options, games.load_craftax)
            subjects.append(craftax)
        compare_pair(f"Craftax, {kind}", subjects, args)


def compare_pair(title: str, subjects: list[Subject], args: Any) -> None:
    """Prints all figures of subjects, and those of the first beside the others'."""
    results = take_turns(subjects, args.rounds)
    for subject in subjects:
        results[subject.name]["start to first step [s]"] = [start_time(subject)]
    print_results(title, results)
    first, *others = results
    print_pairs(
        (
            Pair(f"{o}, {figure}", first, o, figure)
            for o in others
            for figure in results[o]
        ),
        results,
    )


def measure_batches(args: argparse.Namespace) -> None:
    """Measures the batched engine: sizes and threads, then the best beside one game."""
    quick, rounds = args.quick, args.rounds
    sizes = args.games or ((1, 4) if quick else (1, 16, 64, 256, 1024, 4096))
    warm_up, seconds = (2, 0.01) if quick else (300, 1.0)
    best: dict[str, Subject] = {}
    kinds = [*(args.kinds or (CRAFTAX_KINDS if args.craftax else KINDS))]
    kinds += [kind + games.POOL for kind in kinds * args.craftax]
    for kind in (games.LARGER * args.craftax + kind for kind in kinds):
        subjects, results = {}, {}
        for size, count in itertools.product(sizes, sorted({1, args.threads})):
            name = f"{kind}, {size} envs, {count} threads"
            options = (kind, size, count, False, warm_up, seconds)
            subject = Subject(name, games.batch, options, games.load_batch)
            found = take_turns([subject], 1)[name]
            found["memory per env [kB]"] = [1000 * found.pop("memory [MB]")[0] / size]
            subjects[name], results[name] = subject, found
        print_results("The batched engine", results)
        best[kind] = subjects[max(results, key=lambda name: results[name][STEPS])]
    if "pixels" in best:
        name, make, options, load = best["pixels"]
        options = (*options[:3], True, *options[4:])
        best["copies"] = Subject(f"{name}, copies", make, options, load)
    if args.craftax:
        options = (KINDS[1], max(sizes), args.threads, False, warm_up, seconds)
        beside = Subject("Crafter, compact", games.batch, options, games.load_batch)
    else:
        folder = CRAFTER.install(args.crafter_folder) if args.published else None
        title = CRAFTER.title if folder else "the single Env"
        beside = crafter_subject(args, title, folder)
    theirs = published_batches(args) if args.craftax and args.published else []
    results = take_turns([beside, *theirs, *best.values()], rounds)
    print_results(f"Beside {beside.name}", results)
    pairs = [Pair(s.name, s.name, beside.name, STEPS) for s in best.values()]
    print_pairs([*pairs, *published_pairs(best, theirs, results)], results)
    kind = f"{games.LARGER * args.craftax}compact"
    world = Subject("a batch, 1 thread", games.worlds, (kind, 2 if quick else 512))
    share = Subject("256 games, 1 thread", games.python_share, (kind, 256))
    print_results("", take_turns([world, share], rounds))
    if not quick:
        print_start(best[next(iter(best))])


def published_batches(args: argparse.Namespace) -> list[Subject]:
    """Returns batches of the published Craftax, of both of its kinds."""
    folder = CRAFTAX.install(args.craftax_folder)
    return [
        Subject(
            f"{CRAFTAX.title}, {kind}, {size} games",
            games.published_batch,
            (kind, size, folder),
        )
        for kind in ("symbolic", "pixels")
        for size in args.craftax_games or (256, 1024)
    ]


def published_pairs(
    best: dict[str, Subject], theirs: list[Subject], results: Any
) -> Iterator[Pair]:
    """Yields our batches beside the best published one, of pixels or of numbers."""
    for kind, own in best.items():
        same = [s.name for s in theirs if ("pixels" in s.name) == ("pixels" in kind)]
        if same:
            other = max(same, key=lambda name: median(results[name][STEPS]))
            yield Pair(f"{own.name}; {other}", own.name, other, STEPS)


def print_start(subject: Subject) -> None:
    """Prints how long the first use takes, which compiles, and later ones."""
    name, make, (kind, _, threads, *_), _ = subject
    small = Subject(
        f"{kind}, start to first step", make, (kind, 2, threads, False, 0, 0.0)
    )
    with tempfile.TemporaryDirectory() as cache:
        for title in ("compiles everything", "reads the compiled code"):
            seconds = start_time(small, NUMBA_CACHE_DIR=cache)
            print(f"\n{small.name}, {title} [s]  {seconds:.3g}")


def measure_programs(args: argparse.Namespace) -> None:
    """Measures the batched engine in JAX programs beside itself."""
    sizes = args.games or ((4,) if args.quick else (256, 1024))
    warm_up, seconds = (0, 0.01) if args.quick else (200, 0.5)
    for kind, size in itertools.product(args.kinds or (*KINDS, "semantic"), sizes):
        name = f"{kind}, {size} games"
        options = kind, size, args.threads
        subjects = [
            Subject("in a program", games.program, (*options, warm_up)),
            Subject("from Python", games.batch, (*options, False, warm_up, seconds)),
        ]
        results = take_turns(subjects, args.rounds)
        print_results(name, results)
        print_pairs([Pair(name, "in a program", "from Python", STEPS)], results)


def measure_jax(args: argparse.Namespace) -> None:
    """Measures the engine in JAX, in this process."""
    from benchmarks import jax

    args.kinds = args.kinds or ["compact", "symbolic", "pixels"]
    args.games = args.games or [1024]
    if args.published_craftax:
        sys.path.append(str(CRAFTAX.install(args.craftax_folder)))  # Ours first.
    if not args.stages:
        jax.measure(args)
        return
    for size in args.games:
        results = jax.stages(args.kinds, size, args.rounds, args.craftax)
        print_results(f"{jax.device()}, {size:,} games", results)


def main() -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    args = parser.parse_args()
    print_machine()
    if args.quick:
        print("Quick: this shows that the measurements work, not what they measure.")
    wanted = [
        (args.jax, measure_jax),
        (args.xla, measure_programs),
        (args.vector, measure_batches),
        (args.craftax, measure_craftax),
        (True, measure_crafter),
    ]
    measure = next(function for asked, function in wanted if asked)
    with exit_on(parser, InstallError):
        measure(args)


if __name__ == "__main__":
    main()

"""Measures the speed and memory use of the environments.

    python scripts/benchmark.py               a single environment
    python scripts/benchmark.py --published   against Crafter 1.8.3, with ratios
    python scripts/benchmark.py --vector      the batched engine against a single one
    python scripts/benchmark.py --xla         the batched engine inside JAX programs
    python scripts/benchmark.py --craftax     a single Craftax environment
    python scripts/benchmark.py --craftax --vector   Craftax batches against Crafter's
    python scripts/benchmark.py --jax         the JAX engine
    python scripts/benchmark.py --jax --stages              the stages of its step
    python scripts/benchmark.py --jax --published-craftax   against Craftax-Classic,
                                              or with --craftax against Craftax

Subjects run in alternating rounds, so that other load on the machine affects all of
them alike. Actions are random. Figures are medians over the rounds; ratios are taken
round by round. Each published package is installed into its own folder.
"""

import argparse
import itertools
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import games
from benchmarks.alternating import Subject, start_time, take_turns
from benchmarks.figures import print_machine, print_ratios, print_results
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
    "stages": (False, None, "with --jax: the time of each stage of a step"),
    "quick": (False, None, "only show that it works, in a few seconds"),
    "steps": (5000, positive, "of one game, over all rounds"),
    "resets": (20, positive, "of one game, in all rounds"),
    "rounds": (5, positive, "alternating rounds"),
    "threads": (2, positive, "of a batch"),
    "jax-steps": (50, positive, "steps per scan of our engine"),
    "seconds": (3.0, positive_number, "duration of a Craftax round"),
    "kinds": (None, {"nargs": "+"}, "kinds of observations"),
    "games": (None, SIZES, "batch sizes"),
    "craftax-games": (None, SIZES, "batch sizes for Craftax"),
    "crafter-folder": (CRAFTER.folder, Path, f"of {CRAFTER.title}"),
    "craftax-folder": (CRAFTAX.folder, Path, f"of {CRAFTAX.title}"),
}


def compare(title: str, ours: list[Subject], theirs: list[Subject], args: Any) -> None:
    """Measures subjects in turn; prints all figures and our speedups."""
    results = take_turns([*ours, *theirs], args.rounds)
    print_results(title, results)
    print_ratios(results, [s.name for s in ours], [s.name for s in theirs])


# Single environments.


def measure_crafter(args: argparse.Namespace) -> None:
    """Measures a single Crafter environment."""
    subjects = [crafter_subject(args, "ours", None)]
    if args.published:
        folder = CRAFTER.install(args.crafter_folder)
        subjects.append(crafter_subject(args, "published", folder))
    compare_whole("Crafter", subjects, args)


def crafter_subject(args: argparse.Namespace, name: str, folder: Any) -> Subject:
    """Returns a subject that plays a single Crafter environment."""
    sizes = (-(-count // args.rounds) for count in (args.steps, args.resets))
    options = (*sizes, folder)
    return Subject(name, games.crafter_game, options, games.load_crafter)


def measure_craftax(args: argparse.Namespace) -> None:
    """Measures a single Craftax environment."""
    sides: list[tuple[str, bool, Path | None]] = [("ours", False, None)]
    if args.published:
        folder = CRAFTAX.install(args.craftax_folder)
        sides += [("published", True, folder), ("no auto-reset", False, folder)]
    resets = -(-args.resets // args.rounds)
    for kind in args.kinds or ("symbolic", "pixels"):
        subjects = []
        for name, auto_reset, where in sides:
            options = (kind, auto_reset, args.seconds, resets, where)
            craftax = Subject(name, games.craftax_game, options, games.load_craftax)
            subjects.append(craftax)
        compare_whole(f"Craftax, {kind}", subjects, args)


def compare_whole(title: str, subjects: list[Subject], args: Any) -> None:
    """Prints all figures of the subjects, and ratios of the first to the others."""
    results = take_turns(subjects, args.rounds)
    for subject in subjects:
        results[subject.name]["start to first step [s]"] = [start_time(subject)]
    print_results(title, results)
    first, *others = results
    print_ratios(results, [first], others, results[first])


# Batches.


def measure_batches(args: argparse.Namespace) -> None:
    """Measures batches of each size against a single game or published batches."""
    quick, prefix = args.quick, games.LARGER * args.craftax
    sizes = args.games or ((1, 4) if quick else (1, 16, 64, 256, 1024, 4096))
    timing = (2, 0.01) if quick else (300, 1.0)
    kinds = [*(args.kinds or (CRAFTAX_KINDS if args.craftax else KINDS))]
    more = games.POOL if args.craftax else games.COPIES
    kinds += [kind + more for kind in kinds if args.craftax or kind == "pixels"]

    def batch(kind: str, size: int, threads: int) -> Subject:
        name = f"{kind}, {size} envs, {threads} threads"
        options = (kind, size, threads, *timing)
        return Subject(name, games.batch, options, games.load_batch)

    for kind in (prefix + kind for kind in kinds):
        every = itertools.product(sizes, sorted({1, args.threads}))
        if args.craftax:
            theirs = [batch(KINDS[1], max(sizes), args.threads)]
            theirs += published_batches(args, kind) if args.published else []
        else:
            folder = CRAFTER.install(args.crafter_folder) if args.published else None
            title = CRAFTER.title if folder else "the single Env"
            theirs = [crafter_subject(args, title, folder)]
        compare("Batches", [batch(kind, *one) for one in every], theirs, args)
    options = (f"{prefix}compact", 2 if quick else 512)
    world = Subject("a batch, 1 thread", games.worlds, options)
    print_results("", take_turns([world], args.rounds))
    if not quick:
        print_start(Subject(f"{prefix}{kinds[0]}, start to first step", games.batch,
                            (prefix + kinds[0], 2, args.threads, 0, 0.0)))  # fmt: skip


def published_batches(args: argparse.Namespace, kind: str) -> list[Subject]:
    """Returns batches of the published Craftax with matching observations."""
    folder = CRAFTAX.install(args.craftax_folder)
    seen = "pixels" if "pixels" in kind else "symbolic"
    return [
        Subject(
            f"{CRAFTAX.title}, {seen}, {size} games",
            games.published_batch,
            (seen, size, folder),
        )
        for size in args.craftax_games or (256, 1024)
    ]


def print_start(subject: Subject) -> None:
    """Prints the startup time with a cold and with a warm compilation cache."""
    with tempfile.TemporaryDirectory() as cache:
        for title in ("compiles everything", "reads the compiled code"):
            seconds = start_time(subject, NUMBA_CACHE_DIR=cache)
            print(f"\n{subject.name}, {title} [s]  {seconds:.3g}")


def measure_programs(args: argparse.Namespace) -> None:
    """Measures the batched engine called from JAX programs and from Python."""
    sizes = args.games or ((4,) if args.quick else (256, 1024))
    warm_up, seconds = (0, 0.01) if args.quick else (200, 0.5)
    for kind, size in itertools.product(args.kinds or (*KINDS, "semantic"), sizes):
        options = kind, size, args.threads
        program = Subject("in a program", games.program, (*options, warm_up))
        python = Subject("from Python", games.batch, (*options, warm_up, seconds))
        compare(f"{kind}, {size} games", [program], [python], args)


def measure_jax(args: argparse.Namespace) -> None:
    """Measures the JAX engine, in this process."""
    from benchmarks import jax

    args.kinds = args.kinds or ["compact", "symbolic", "pixels"]
    args.games = args.games or [1024]
    if args.published_craftax:
        sys.path.append(str(CRAFTAX.install(args.craftax_folder)))  # Ours first.
    (jax.measure_stages if args.stages else jax.measure)(args)


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

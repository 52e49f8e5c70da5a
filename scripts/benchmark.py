"""Measure the speed and the memory of the environment.

    python scripts/benchmark.py               this package
    python scripts/benchmark.py --published   and Crafter 1.8.3 beside it, with ratios
    python scripts/benchmark.py --vector      the batched engine beside one environment
    python scripts/benchmark.py --craftax     the larger game; see craftax.py
    python scripts/benchmark.py --jax         the engine in JAX; see jax.py
    python scripts/benchmark.py --xla         the batched engine in JAX programs

Each package runs in a process of its own, one at a time, in alternating rounds, so that
whatever else the machine does meets both. Figures are medians over the rounds. Actions
are random and the same for both. A step is timed alone; when an episode is done, the
reset that follows is timed too, and counts only in the row "steps with resets".
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import craftax, single
from benchmarks.tables import OURS, PUBLISHED, print_machine
from reference.published import default_folder
from reference.releases import CRAFTAX, CRAFTER, InstallError, cache_folder


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--published",
        action="store_true",
        help=f"also {CRAFTER.title}; with --craftax {CRAFTAX.title}",
    )
    parser.add_argument("--steps", type=int, default=5000, help="default: %(default)s")
    parser.add_argument("--resets", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--no-scaling", action="store_true", help="leave out larger areas and views"
    )
    parser.add_argument(
        "--scratch",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="where the published package is installed (default: %(default)s)",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="show where our time goes, and nothing else",
    )
    parser.add_argument(
        "--vector",
        action="store_true",
        help="the batched engine, and nothing else; needs the extra 'vector'",
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=2,
        help="with --vector: also this many threads; with --xla or --compiled: so many "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="with --vector or --xla: only show that it works, in a few seconds",
    )
    parser.add_argument(
        "--xla",
        action="store_true",
        help="the batched engine in JAX programs beside itself, and nothing else; "
        "needs the extras 'vector' and 'jax'",
    )
    add_craftax_arguments(parser)
    add_jax_arguments(parser)
    args = parser.parse_args()
    for name in ("steps", "resets", "rounds", "threads", "starts"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(args, name)}.")
    if not 0 < args.seconds < float("inf"):
        parser.error(f"--seconds must be positive and finite, not {args.seconds}.")
    return args


def add_craftax_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `benchmarks.craftax` needs."""
    group = parser.add_argument_group("the larger game")
    group.add_argument("--craftax", action="store_true", help="this, and nothing else")
    group.add_argument(
        "--craftax-kinds",
        nargs="+",
        choices=craftax.KINDS,
        default=list(craftax.KINDS),
        help="observations to measure (default: %(default)s)",
    )
    group.add_argument(
        "--seconds",
        type=float,
        default=3.0,
        help="how long one side plays in a round (default: %(default)s)",
    )
    group.add_argument(
        "--starts",
        type=int,
        default=1,
        help="how often Python is started (default: %(default)s)",
    )
    group.add_argument(
        "--craftax-folder",
        type=Path,
        default=cache_folder() / f"craftax-{CRAFTAX.version}",
        metavar="DIR",
        help=f"where {CRAFTAX.title} is or will be installed (default: %(default)s)",
    )


def add_jax_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `benchmarks.jax` needs."""
    group = parser.add_argument_group("the engine in JAX; needs the extra 'jax'")
    group.add_argument(
        "--jax",
        action="store_true",
        help="this, and nothing else; with --craftax the larger game",
    )
    group.add_argument(
        "--published-craftax",
        action="store_true",
        help="and Craftax-Classic beside it (with --craftax: Craftax)",
    )
    group.add_argument(
        "--compiled",
        action="store_true",
        help="the batched engine in JAX programs, too; needs the extra 'vector'",
    )
    group.add_argument("--kinds", nargs="+", default=["compact", "symbolic", "pixels"])
    group.add_argument("--games", nargs="+", type=int, default=[1024])
    group.add_argument(
        "--craftax-games", nargs="+", type=int, help="default: as --games"
    )
    group.add_argument(
        "--no-auto-reset",
        action="store_true",
        help="leave out the mode of Craftax that makes a world in every step",
    )
    group.add_argument("--jax-steps", type=int, default=50, help="steps in one scan")
    group.add_argument("--craftax-steps", type=int, default=10)
    group.add_argument(
        "--stages", action="store_true", help="what the parts of a step cost"
    )


def measure(args: argparse.Namespace) -> None:
    """Measure what is asked for."""
    if args.jax:
        from benchmarks import jax

        jax.measure(args)
    elif args.xla:
        from benchmarks import xla

        xla.measure(args)
    elif args.craftax:
        folder = CRAFTAX.install(args.craftax_folder) if args.published else None
        craftax.measure(args, folder)
    elif args.profile:
        single.profile(args)
    else:
        folder = CRAFTER.install(args.scratch) if args.published else None
        if args.vector:
            from benchmarks import vector

            vector.measure(args, folder)
        else:
            names = [OURS, PUBLISHED] if folder else [OURS]
            single.measure(args, names, folder)


def main() -> int:
    """Run the command line program."""
    args = parse_arguments()
    print_machine()
    try:
        measure(args)
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure the speed and the memory of the environment.

    python scripts/benchmark.py               this package
    python scripts/benchmark.py --published   and Crafter 1.8.3 beside it, with ratios
    python scripts/benchmark.py --vector      the batched engine beside one environment
    python scripts/benchmark.py --jax         the engine in JAX; see jax.py

Each package runs in a process of its own, one at a time, in alternating rounds, so that
whatever else the machine does meets both. Figures are medians over the rounds. Actions
are random and the same for both. A step is timed alone; when an episode is done, the
reset that follows is timed too, and counts only in the row "steps with resets".
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import single
from benchmarks.tables import OURS, PUBLISHED, print_machine
from reference.published import InstallError, default_folder, install


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--published", action="store_true", help="also Crafter 1.8.3")
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
        help="with --vector: also this many threads (default: %(default)s)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="with --vector: only show that it works, in a few seconds",
    )
    add_jax_arguments(parser)
    args = parser.parse_args()
    for name in ("steps", "resets", "rounds", "threads"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(args, name)}.")
    return args


def add_jax_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `benchmarks.jax` needs."""
    group = parser.add_argument_group("the engine in JAX; needs the extra 'jax'")
    group.add_argument("--jax", action="store_true", help="this, and nothing else")
    group.add_argument(
        "--published-craftax",
        action="store_true",
        help="and Craftax-Classic beside it (with --craftax: Craftax)",
    )
    group.add_argument(
        "--craftax", action="store_true", help="measure the larger game instead"
    )
    group.add_argument("--kinds", nargs="+", default=["compact", "symbolic", "pixels"])
    group.add_argument("--games", nargs="+", type=int, default=[1024])
    group.add_argument(
        "--craftax-games", nargs="+", type=int, help="default: as --games"
    )
    group.add_argument("--jax-steps", type=int, default=50, help="steps in one scan")
    group.add_argument("--craftax-steps", type=int, default=10)
    group.add_argument(
        "--stages", action="store_true", help="what the parts of a step cost"
    )
    group.add_argument(
        "--craftax-folder", type=Path, default=default_folder().parent / "craftax"
    )


def main() -> int:
    """Run the command line program."""
    args = parse_arguments()
    print_machine()
    if args.jax:
        from benchmarks import jax

        jax.measure(args)
        return 0
    if args.profile:
        single.profile(args)
        return 0
    names, folder = [OURS], None
    if args.published:
        names.append(PUBLISHED)
        try:
            folder = install(args.scratch)
        except InstallError as error:
            print(error, file=sys.stderr)
            return 1
    if args.vector:
        from benchmarks import vector

        vector.measure(args, folder)
        return 0
    single.measure(args, names, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Looks for tricks that gain a score cheaply, and prints the largest gains.

    python scripts/search_score_tricks.py --programs 20

A gain is what a trick has more than the agent that plays the same part of the solution
and waits; a trick that comes farther in the task is none. Ends with 1 if one gains more
than `--least` overall.
"""

from __future__ import annotations

import argparse

from crafter.tasks.dimensions import DIMENSIONS
from crafter.tasks.scores import tricks


def main() -> int:
    """Runs the command and returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--grounds", nargs="+", choices=list(tricks.GROUNDS))
    parser.add_argument("--programs", type=int, default=0, help="random sequences")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.04, help="that is printed")
    args = parser.parse_args()
    grounds = args.grounds or list(tricks.GROUNDS)
    found, tried = [], 0
    for one in tricks.search(grounds, args.programs, args.seed):
        tried += 1
        if one.gains["task_progress"] > 0:
            continue  # that is no trick, it does a part of the task
        if max(one.gains.values()) > args.least:
            found.append(one)
            print(_line(one), flush=True)
    worst = max((one.gains["overall"] for one in found), default=0.0)
    print(f"{tried} tries, {len(found)} gain something, at most {worst:.3f} overall.")
    return 1 if worst > args.least else 0


def _line(one: tricks.Gain) -> str:
    short = {**DIMENSIONS, "overall": "all"}
    gains = " ".join(f"{short[n]}{v:+.2f}" for n, v in one.gains.items() if v)
    where = "before" if one.first else "after"
    return f"{one.ground}: {one.trick} {where} {one.played} actions: {gains}"


if __name__ == "__main__":
    raise SystemExit(main())

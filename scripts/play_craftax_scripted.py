"""Lets the scripted player play Craftax, and prints how far it gets in each world.

Example:
    python scripts/play_craftax_scripted.py --worlds 10 --rules repaired

With `--out`, results are appended to a file, one JSON object a line, as soon as a world
is played; worlds that are in the file already are not played again.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import pathlib
import time
from typing import Any

from crafter.core.arguments import not_negative, positive
from crafter.core.journal import Journal
from crafter.core.options import Table, make_parser
from crafter.games.craftax import Env
from crafter.games.craftax.players import CraftaxPlayer

OPTIONS: Table = {
    "worlds": (10, positive, "how many to play"),
    "first": (1000, not_negative, "seed of the first"),
    "rules": ("repaired", str, "published or repaired"),
    "steps": (100_000, positive, "limit of a game"),
    "processes": (1, positive, "games side by side"),
    "out": (None, pathlib.Path, "file of results to go on with"),
}
_COLUMNS = ("seed", "result", "deepest", "floor", "steps", "achievements")


def play(seed: int, rules: str, steps: int) -> dict[str, Any]:
    """Lets the scripted player play one world, and returns what came of it.

    Args:
      seed: Seed of the environment.
      rules: Rules of the environment.
      steps: Steps after which to stop.
    """
    env = Env(observation="compact", rules=rules, max_timesteps=steps)
    player = CraftaxPlayer()
    _, info = env.reset(seed=seed)
    deepest, start = 0, time.perf_counter()
    terminated = truncated = False
    while not (terminated or truncated):
        _, _, terminated, truncated, info = env.step(player.act(env, info))
        deepest = max(deepest, info["floor"])
    assert env.world is not None and env.player is not None
    dead = info["dead"]
    return {
        "rules": rules,
        "seed": seed,
        "result": "died" if dead else "won" if terminated else "out of time",
        "deepest": deepest,
        "floor": info["floor"],
        "steps": env.step_count,
        "achievements": len(env.unlocked),
        "cause": ", ".join(env.player.hurt_by) if dead else "",
        "seconds": round(time.perf_counter() - start, 1),
    }


def _play(task: tuple[int, str, int]) -> dict[str, Any]:
    return play(*task)


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["".join(f"{name:>14}" for name in _COLUMNS) + "  cause of death"]
    lines += [
        "".join(f"{row[name]:>14}" for name in _COLUMNS) + f"  {row['cause']}"
        for row in rows
    ]
    won = sum(row["result"] == "won" for row in rows)
    mean = sum(row["deepest"] for row in rows) / max(len(rows), 1)
    return "\n".join([*lines, f"won {won} of {len(rows)}, deepest floor {mean:.1f}"])


def main() -> None:
    """Reads the arguments, plays, and prints the table."""
    args = make_parser(__doc__, OPTIONS).parse_args()
    seeds = range(args.first, args.first + args.worlds)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(Journal(args.out)) if args.out else None
        known = log.rows if log else []
        rows = {row["seed"]: row for row in known if row["rules"] == args.rules}
        tasks = [(seed, args.rules, args.steps) for seed in seeds if seed not in rows]
        context = multiprocessing.get_context("spawn")
        pool = stack.enter_context(context.Pool(args.processes))
        for row in pool.imap_unordered(_play, tasks):
            rows[row["seed"]] = row
            print(json.dumps(row), flush=True)
            if log:
                log.append(row)
    print(_table([rows[seed] for seed in seeds]))


if __name__ == "__main__":
    main()

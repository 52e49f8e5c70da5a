"""Lets the scripted player play Craftax, and prints how far it gets in each world.

Examples:
    python scripts/play_craftax_scripted.py --worlds 10 --rules repaired
    python scripts/play_craftax_scripted.py --takebacks --save games

With `--takebacks` the player searches on copies of the game and takes back what goes
wrong; what counts is the list of actions that comes out, carried out from the reset.
`--save` keeps these lists, one file a world. A search that was stopped goes on from
there, and a world that is won is only played again.

With `--out`, results are appended to a file, one JSON object a line, as soon as a world
is played; worlds that are in the file already are not played again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import pathlib
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from crafter.games.craftax import Env
from crafter.games.craftax.players import CraftaxPlayer, Takebacks

#: How the player is equipped that starts on the floor of the boss.
_BOSS_START: dict[str, Any] = {
    "floor": 8,
    "inventory": {
        "stone": 80,
        "wood": 20,
        "pickaxe": 4,
        "sword": 4,
        "bow": 1,
        "arrows": 60,
        "helmet": 2,
        "chestplate": 2,
        "leggings": 1,
        "boots": 1,
    },
    "attributes": {"dexterity": 5, "strength": 5},
}
_FIRE, _ICE = 1, 2
#: Stretches after which a search gives up.
_TRIES = 50_000
_COLUMNS = ("seed", "result", "deepest", "floor", "boss", "steps", "achievements")


def _start(env: Env, seed: int, boss: bool) -> dict[str, Any]:
    """Starts a world, in the usual way or on the floor of the boss."""
    _, info = env.reset(seed=seed, options=_BOSS_START if boss else None)
    if boss:
        player = env.player
        assert player is not None
        player.health = float(player.maxima["health"])
        player.sword_enchantment, player.bow_enchantment = _FIRE, _ICE
        player.armour_enchantments = [_FIRE, 0, _ICE, 0]
    return info


def play(seed: int, rules: str, steps: int, boss: bool = False) -> dict[str, Any]:
    """Lets the scripted player play one world, and returns what came of it.

    Args:
      seed: Seed of the environment.
      rules: Rules of the environment.
      steps: Steps after which to stop.
      boss: Whether to start on the floor of the boss, equipped for it.
    """
    env = Env(observation="compact", rules=rules, max_timesteps=steps)
    player = CraftaxPlayer()
    return {"rules": rules, **_carry_out(env, seed, player.act, boss)}


def search(
    seed: int, rules: str, steps: int, folder: pathlib.Path | None
) -> dict[str, Any]:
    """Searches for actions that win a world, and returns what comes of them.

    Args:
      seed: Seed of the environment.
      rules: Rules of the environment.
      steps: Steps after which to stop.
      folder: Folder of games; a game that it holds is not begun again but gone on with.
    """
    env = Env(observation="compact", rules=rules)
    env.reset(seed=seed)
    path = None if folder is None else folder / f"{rules}-{seed}.npz"
    known = _load(path)
    takebacks = Takebacks(env, CraftaxPlayer(), seed=len(known), actions=known)
    saved = takebacks.record
    while not takebacks.over and takebacks.steps < steps and takebacks.tries < _TRIES:
        takebacks.advance()
        if takebacks.record > saved or takebacks.over:
            saved = takebacks.record
            _save(path, takebacks.actions)
    actions = takebacks.actions
    env = Env(observation="compact", rules=rules, max_timesteps=len(actions))
    plan = iter(actions)
    row = _carry_out(env, seed, lambda *_: next(plan))
    return row | {"rules": rules, "start": "takebacks"}


def _load(path: pathlib.Path | None) -> list[int]:
    if path is None or not path.exists():
        return []
    actions: list[int] = np.load(path)["actions"].tolist()
    return actions


def _save(path: pathlib.Path | None, actions: list[int]) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, actions=np.array(actions, np.uint8))


def _carry_out(
    env: Env, seed: int, choose: Callable[[Env, dict], int], boss: bool = False
) -> dict[str, Any]:
    """Plays one world to its end, and returns what came of it."""
    info = _start(env, seed, boss)
    deepest, start = 0, time.perf_counter()
    terminated = truncated = False
    while not (terminated or truncated):
        _, _, terminated, truncated, info = env.step(choose(env, info))
        deepest = max(deepest, info["floor"])
    assert env.world is not None and env.player is not None
    dead = info["dead"]
    return {
        "seed": seed,
        "start": "boss" if boss else "overworld",
        "result": "died" if dead else "won" if terminated else "out of time",
        "deepest": deepest,
        "floor": info["floor"],
        "boss": env.world.boss_progress,
        "steps": env.step_count,
        "achievements": len(env.unlocked),
        "cause": ", ".join(env.player.hurt_by) if dead else "",
        "seconds": round(time.perf_counter() - start, 1),
    }


class Task(NamedTuple):
    """A world to play, and how."""

    seed: int
    rules: str
    steps: int
    boss: bool
    takebacks: bool
    save: pathlib.Path | None


def _play(task: Task) -> dict[str, Any]:
    if task.takebacks:
        return search(task.seed, task.rules, task.steps, task.save)
    return play(task.seed, task.rules, task.steps, task.boss)


def _read(path: pathlib.Path, rules: str, start: str) -> dict[int, dict[str, Any]]:
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    wanted = rules, start
    return {r["seed"]: r for r in rows if (r["rules"], r["start"]) == wanted}


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--worlds", type=int, default=10, help="how many to play")
    parser.add_argument("--first", type=int, default=1000, help="seed of the first")
    parser.add_argument("--rules", default="repaired", help="published or repaired")
    parser.add_argument("--steps", type=int, default=100_000, help="limit of a game")
    parser.add_argument(
        "--boss", action="store_true", help="start on the last floor, equipped for it"
    )
    parser.add_argument(
        "--takebacks", action="store_true", help="take back what goes wrong"
    )
    parser.add_argument(
        "--save", type=pathlib.Path, help="folder of the games that are searched for"
    )
    parser.add_argument("--processes", type=int, default=1, help="games side by side")
    parser.add_argument(
        "--out", type=pathlib.Path, help="file of results to go on with"
    )
    args = parser.parse_args()
    if args.takebacks and args.boss:
        parser.error("--takebacks starts on the overworld: leave out --boss.")
    if args.save and not args.takebacks:
        parser.error("--save keeps what a search finds: add --takebacks.")
    seeds = range(args.first, args.first + args.worlds)
    start = "boss" if args.boss else "takebacks" if args.takebacks else "overworld"
    rows = {} if args.out is None else _read(args.out, args.rules, start)
    tasks = [
        Task(seed, args.rules, args.steps, args.boss, args.takebacks, args.save)
        for seed in seeds
        if seed not in rows
    ]
    context = multiprocessing.get_context("spawn")
    with context.Pool(args.processes) as pool:
        for row in pool.imap_unordered(_play, tasks):
            rows[row["seed"]] = row
            print(json.dumps(row), flush=True)
            if args.out is not None:
                with args.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    print(_table([rows[seed] for seed in seeds]))


if __name__ == "__main__":
    main()

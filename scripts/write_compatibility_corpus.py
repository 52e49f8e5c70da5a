"""Writes what the tests of compatibility compare with: names, facts, games and files.

It was run once, before the package was reorganised, and holds what users have: run it
again only to add to the corpus.

Example:
    python scripts/write_compatibility_corpus.py tests/golden/compatibility
"""

from __future__ import annotations

import argparse
import gzip
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium
import numpy as np
from reference import compatibility
from reference.compatibility import make, play, write_json

import crafter
from crafter import legacy
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.tasks import Task, parse

ROOT = pathlib.Path(__file__).parents[1]
WON = ROOT / "tests/golden/craftax_games"
#: Seeds in whose worlds the scripted player survives, and reaches all achievements.
SEEDS = (1, 2, 3)
STEPS = 1650
_SAVED_AT = 700
_LARGE_SAVED_AT = (3000, 9000, 15000)


def write(folder: pathlib.Path, parts: Iterable[str]) -> None:
    """Writes some parts."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        PARTS[part](folder)


def _names(folder: pathlib.Path) -> None:
    names = {
        name: compatibility.signatures(compatibility.module(name))
        for name in compatibility.MODULES
    }
    write_json(folder / "names.json", names, depth=2)


def _facts(folder: pathlib.Path) -> None:
    facts = {
        "ids": compatibility.ids(),
        "spaces": compatibility.spaces(),
        "types": compatibility.types_of_objects(),
        "rules": compatibility.rules_digests(),
        "scenes": compatibility.scenes(),
        "crafter": compatibility.facts("crafter"),
        "craftax": compatibility.facts("craftax"),
    }
    write_json(folder / "facts.json", facts, depth=2)


def _scripted(seed: int) -> list[int]:
    env = crafter.Env(seed=seed)
    _, info = env.reset()
    player = ScriptedPlayer(seed)
    actions = []
    for _ in range(STEPS):
        actions.append(player.act(env, info))
        *_, dead, late, info = env.step(actions[-1])
        assert not (dead or late)
    return actions


def _actions(folder: pathlib.Path) -> None:
    actions = np.stack([_scripted(seed) for seed in SEEDS]).astype(np.uint8)
    np.savez_compressed(folder / "actions.npz", crafter=actions)


def _read_actions(folder: pathlib.Path) -> np.ndarray:
    return np.load(folder / "actions.npz")["crafter"]


def _games(folder: pathlib.Path) -> None:
    actions = _read_actions(folder)
    games: dict[str, Any] = {}
    for seed, own in zip(SEEDS, actions):
        env = make("crafter", seed=seed)
        games[f"crafter {seed}"] = play(env, own, env.reset())
    for kind in ("compact", "symbolic", "semantic"):
        env = make("crafter", kind, seed=SEEDS[0], events=True)
        games[f"crafter {kind}"] = play(env, actions[0, :500], env.reset())
    saves = {"crafter": _saved(actions[0])}
    for path in sorted(WON.glob("*-0.npz")):
        rules = path.stem.partition("-")[0]
        won = np.load(path)["actions"]
        env = make("craftax", "compact", rules=rules, seed=0, events=True)
        games[f"craftax {rules}"] = play(env, won, env.reset())
        for step in _LARGE_SAVED_AT:
            saves[f"craftax-{rules}-{step}"] = _saved_large(rules, won, step)
    for name, state in saves.items():
        _save(folder / f"save-{name}.npz", state)
    _resumed(games, saves, actions)
    write_json(folder / "games.json", games)


def _saved(actions: np.ndarray) -> dict[str, np.ndarray]:
    env = make("crafter", seed=SEEDS[0])
    env.reset()
    for action in actions[:_SAVED_AT]:
        env.step(int(action))
    return env.get_state()


def _saved_large(rules: str, actions: np.ndarray, step: int) -> dict[str, np.ndarray]:
    env = make("craftax", "compact", rules=rules, seed=0)
    env.reset()
    for action in actions[:step]:
        env.step(int(action))
    return env.get_state()


def _save(path: pathlib.Path, state: dict[str, np.ndarray]) -> None:
    arrays: dict[str, Any] = dict(state)
    np.savez_compressed(path, **arrays)


def _resumed(games: dict, saves: dict, actions: np.ndarray) -> None:
    """Adds what saved games go on with, and the picture when they are loaded."""
    for name, state in saves.items():
        game, *rules = name.split("-")
        if rules:
            kind, start = rules[0], int(rules[1])
            env = make(game, "symbolic", rules=kind)
            following = np.load(WON / f"{kind}-0.npz")["actions"][start : start + 150]
        else:
            env, following = make(game), actions[0, _SAVED_AT : _SAVED_AT + 150]
        games[f"resumed {name}"] = play(
            env, following, env.reset(options={"state": state})
        )


def _jax_games(folder: pathlib.Path) -> None:
    """Writes checksums of games in JAX, played with the recorded actions."""
    import jax

    import crafter.games.crafter.jax as crafter_jax

    env = crafter_jax.make("Crafter-Compact-v1")
    step = jax.jit(jax.vmap(env.step, (0, 0, 0, None)))
    reset = jax.jit(jax.vmap(env.reset, (0, None)))
    actions = np.load(folder / "actions-jax.npz")["crafter"]
    games = {
        "crafter": compatibility.play_jax(reset, step, env.default_params, actions)
    }
    write_json(folder / "games-jax.json", games)


def _recordings(folder: pathlib.Path) -> None:
    """Writes episodes of both games and the lines of statistics."""
    actions = _read_actions(folder)
    with tempfile.TemporaryDirectory() as name:
        small = crafter.Recorder(
            make("crafter", seed=1, area=(20, 20), length=60), name, save_video=False
        )
        large = crafter.Recorder(
            make("craftax", "symbolic", seed=1, max_timesteps=40),
            name,
            save_video=False,
        )
        for env in (small, large):
            for seed in (1, 2):
                env.reset(seed=seed)
                for action in actions[0]:
                    *_, dead, late, _ = env.step(int(action))
                    if dead or late:
                        break
            env.close()
        files = pathlib.Path(name)
        lines = (files / "stats.jsonl").read_bytes()
        (folder / "stats.jsonl.gz").write_bytes(gzip.compress(lines, mtime=0))
        for number, path in enumerate(
            sorted(files.glob("*.npz"), key=lambda p: p.stat().st_mtime_ns)
        ):
            shutil.copy(path, folder / f"episode-{number}.npz")


def _pickles(folder: pathlib.Path) -> None:
    """Writes pickles of what can be pickled, each with what it holds by its name."""
    made: dict[str, Any] = {
        "crafter env": _played(crafter.Env(seed=1, events=True)),
        "crafter made": _played(gymnasium.make("CrafterReward-v1"), seed=1),
        "crafter rules": crafter.Env(
            rules=compatibility.RULES["crafter"]["recipe"]
        ).rules,
        "crafter snapshot": _played(crafter.Env(seed=1)).snapshot(),
        "legacy env": _legacy(),
        "craftax env": _played(make("craftax", seed=1, events=True)),
        "craftax repaired": _played(
            make("craftax", "pixels", seed=1, rules="repaired")
        ),
        "craftax snapshot": _played(make("craftax", seed=1)).snapshot(),
        "task env": _played(
            gymnasium.make(
                "CrafterTask-v1", task="collect_wood & ~damaged", difficulty="simple"
            ),
            5,
            seed=1,
        ),
        "task": Task("collect_wood", "hard"),
        "goal": parse("collect_iron & ~damaged"),
        **_functional(),
    }
    pickles = {name: pickle.dumps(value, 4) for name, value in made.items()}
    content = gzip.compress(pickle.dumps(pickles, 4), mtime=0)
    (folder / "pickles.pickle.gz").write_bytes(content)


def _played(env: Any, steps: int = 30, seed: int | None = None) -> Any:
    env.reset(seed=seed)
    for number in range(steps):
        env.step(number % env.action_space.n)
    return env


def _legacy() -> Any:
    env = legacy.Env(seed=1)
    env.reset()
    for number in range(30):
        env.step(number % 17)
    return env


def _functional() -> dict[str, Any]:
    import jax

    import crafter.games.crafter.jax as crafter_jax

    found: dict[str, Any] = {}
    for name in ("Crafter-Compact-v1", "Craftax-Compact-v1"):
        env = crafter_jax.make(name)
        _, state = jax.jit(env.reset)(jax.random.key(0))
        found[f"{name} state"] = jax.device_get(state)
        found[f"{name} params"] = env.default_params
        level = jax.jit(env.sample_level)(jax.random.key(0))
        found[f"{name} level"] = jax.device_get(level)
    return found


def _language_models(folder: pathlib.Path) -> None:
    """Writes runs of the scripted agent as they are and packed."""
    for protocol, agent in (
        ("crafter-lm-v1", "scripted"),
        ("craftax-300", "scripted"),
        ("tasks-smoke-lm", "random_useful"),
    ):
        with tempfile.TemporaryDirectory() as name:
            options = ["--cap-actions", "25"]
            if protocol == "tasks-smoke-lm":
                options = []
            run = pathlib.Path(name) / "run"
            _command("crafter.lm", "run", "--agent", agent, "--protocol", protocol,
                     "--rollouts", "1", "--out", str(run), *options)  # fmt: skip
            packed = folder / f"lm-{protocol}-packed.jsonl.gz"
            _command("crafter.lm", "pack", str(run), str(packed))
            for path in sorted(run.iterdir()):
                content = gzip.compress(path.read_bytes(), mtime=0)
                (folder / f"lm-{protocol}" / path.name).parent.mkdir(exist_ok=True)
                (folder / f"lm-{protocol}" / f"{path.name}.gz").write_bytes(content)


def _tasks(folder: pathlib.Path) -> None:
    """Writes recorded attempts at tasks, and proofs."""
    with tempfile.TemporaryDirectory() as name:
        run = pathlib.Path(name) / "run"
        _command("crafter.tasks", "run", "--suite", "smoke", "--agent", "oracle",
                 "--record", "--out", str(run))  # fmt: skip
        for path in sorted(run.rglob("*")):
            if path.is_file():
                place = folder / "tasks" / path.relative_to(run)
                place.parent.mkdir(parents=True, exist_ok=True)
                content = path.read_bytes()
                if path.suffix != ".gz":
                    place = place.with_name(place.name + ".gz")
                    content = gzip.compress(content, mtime=0)
                place.write_bytes(content)


def _proofs(folder: pathlib.Path) -> None:
    """Writes the header and some lines of the proofs that the package has."""
    shipped = ROOT / "crafter/tasks/data/verification.jsonl.gz"
    header, *lines = gzip.decompress(shipped.read_bytes()).splitlines(keepends=True)
    solved = [line for line in lines if b'"solved":true' in line]
    content = b"".join([header, *solved[:: len(solved) // 8]])
    (folder / "proofs.jsonl.gz").write_bytes(gzip.compress(content, mtime=0))


def _command(module: str, *words: str) -> None:
    subprocess.run([sys.executable, "-m", module, *words], check=True, cwd=ROOT)


PARTS: dict[str, Callable[[pathlib.Path], None]] = {
    "names": _names,
    "facts": _facts,
    "actions": _actions,
    "games": _games,
    "jax-games": _jax_games,
    "recordings": _recordings,
    "pickles": _pickles,
    "language-models": _language_models,
    "tasks": _tasks,
    "proofs": _proofs,
}


def main() -> None:
    """Writes the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    args = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write(args.folder, args.parts)


if __name__ == "__main__":
    main()

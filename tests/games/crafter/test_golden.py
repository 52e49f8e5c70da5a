"""Replays games recorded from Crafter 1.8.3, without a network.

`published_vectors.json` holds runs with checksums at some steps, for the published
textures and for procedural ones. The npz files hold games with checksums of every step.
`scripts/compare_with_published.py --write-golden tests/golden` makes the latter.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import numpy as np
import pytest
from reference.golden import CHECKS, checks_of, load
from reference.our_side import OurSide
from reference.trace import checksum, moments, random_words, record

import crafter
from crafter import constants

FOLDER = pathlib.Path(__file__).parents[2] / "golden"
VECTORS = json.loads((FOLDER / "published_vectors.json").read_text("utf-8"))
GAMES = sorted(path.stem for path in FOLDER.glob("*.npz"))
# Games of thousands of steps.
LONG = ("long", "survivor")
IMAGES = "CRAFTER_PUBLISHED_TEXTURES"

# Some recordings continue past the end of an episode.
pytestmark = pytest.mark.filterwarnings("ignore:.*after the episode ended")


@pytest.fixture(scope="session")
def textures(synthetic) -> dict[str, pathlib.Path | None]:
    """Folders of texture packs by their names in the vectors."""
    published = os.environ.get(IMAGES)
    original = pathlib.Path(published) if published else None
    return {"synthetic": synthetic, "original": original}


def pack(textures: dict[str, pathlib.Path | None], kind: str) -> pathlib.Path:
    folder = textures[kind]
    if folder is None:
        pytest.skip(f"{IMAGES} does not name a folder with the published images")
    return folder


def crc(value: Any) -> str:
    return f"{checksum(value):08x}"


# --- The vectors ----------------------------------------------------------------------


def cases() -> list[Any]:
    """Every run with every texture set that it was recorded with."""
    return [
        pytest.param(run, kind, id=f"{run['name']}-{kind}")
        for run in VECTORS["runs"]
        for kind in run["reset"]["observation"]
    ]


@pytest.mark.parametrize("kind", ["synthetic", "original"])
@pytest.mark.parametrize("start", VECTORS["resets"], ids=lambda start: start["seed"])
def test_first_world(start: dict, kind: str, textures: dict) -> None:
    check_reset(
        crafter.Env(seed=start["seed"], textures=pack(textures, kind)), start, kind
    )


def check_reset(env: crafter.Env, expected: dict[str, Any], kind: str) -> None:
    obs, info = env.reset()
    world = env.world
    names = [obj.kind.capitalize() for obj in world.objects]
    assert {
        "player_pos": info["player_pos"].tolist(),
        "materials": {name: world.count(name) for name in constants.materials},
        "objects": {name: names.count(name) for name in sorted(set(names))},
        "chunks_first": [list(bounds) for bounds in world.chunks][:6],
        "chunks": len(world.chunks),
        "semantic_crc": crc(info["semantic"]),
        "material_crc": crc(world.materials),
        "observation": crc(obs),
        "rng_crc": crc(random_words(world.random.get_state())),
    } == {
        **{name: value for name, value in expected.items() if "seed" not in name},
        "observation": expected["observation"][kind],
    }


@pytest.mark.parametrize("run,kind", cases())
def test_run(run: dict, kind: str, textures: dict) -> None:
    env = crafter.Env(
        seed=run["seed"], textures=pack(textures, kind), **run["arguments"]
    )
    check_reset(env, run["reset"], kind)
    log = {entry["step"]: entry for entry in run["log"]}
    total = 0.0
    for step, letter in enumerate(run["actions"], 1):
        obs, reward, dead, over, info = env.step(ord(letter) - ord("a"))
        total += reward
        done = dead or over
        entry: dict[str, Any] = {
            "step": step,
            "observation": crc(obs),
            "semantic_crc": crc(info["semantic"]),
            "player_pos": info["player_pos"].tolist(),
            "reward_sum": round(total, 6),
            "inventory": list(info["inventory"].values()),
            "rng_crc": crc(random_words(env.world.random.get_state())),
        }
        if done:
            entry |= {"done": True, "discount": info["discount"]}
        if done and run["reset_when_done"]:
            obs, info = env.reset()
            entry["next_observation"] = crc(obs)
            entry["next_semantic_crc"] = crc(info["semantic"])
        assert done == log.get(step, {}).get("done", False), f"step {step}"
        if step in log:
            assert entry == with_textures(log[step], kind)
    assert step == max(log)


def with_textures(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """Select the checksums of one texture set."""
    return {k: v[kind] if isinstance(v, dict) else v for k, v in entry.items()}


@pytest.mark.slow
@pytest.mark.parametrize("run", VECTORS["runs"], ids=lambda run: run["name"])
def test_achievements_of_each_episode(run: dict) -> None:
    env = crafter.Env(seed=run["seed"], **run["arguments"])
    _, info = env.reset()
    for episode in run["episodes"]:
        first, last = episode["first_step"], episode["last_step"]
        for letter in run["actions"][first - 1 : last]:
            *_, info = env.step(ord(letter) - ord("a"))
        counts = {name: n for name, n in info["achievements"].items() if n}
        assert counts == episode["achievements"]
        env.reset()


# --- The games ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in GAMES],
)
def test_game(name: str, textures: dict) -> None:
    recorded = load(FOLDER / f"{name}.npz")
    side = OurSide(recorded.game.arguments, textures["synthetic"])
    trace = record(moments(side, recorded.game))
    assert len(trace) == len(recorded.checks)
    where = list(zip(trace.episodes.tolist(), trace.steps.tolist()))
    for field in ("positions", "amounts", "rewards", "dones"):
        ours, theirs = getattr(trace, field), getattr(recorded, field)
        rows = np.flatnonzero((ours != theirs).reshape(len(trace), -1).any(1))
        assert not len(rows), f"{field} at (episode, step) {where[rows[0]]}"
    for check, ours, theirs in zip(CHECKS, checks_of(trace).T, recorded.checks.T):
        rows = np.flatnonzero(ours != theirs)
        assert not len(rows), f"{check} at (episode, step) {where[rows[0]]}"

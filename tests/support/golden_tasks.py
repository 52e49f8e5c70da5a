"""Golden scenes and verdicts of the whole catalogue, as files for regression tests.

`python tests/support/golden_tasks.py FOLDER` writes them. A scene is stored as the
start of its hash. A verdict is that of a task's goal on an episode, either random play
in one of its own scenes or the recorded solution of another task; with step, reason and
progress.
"""

from __future__ import annotations

import functools
import gzip
import itertools
import json
import multiprocessing
import pathlib
import random
import sys
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.results import shipped
from crafter.tasks.episodes.solutions import unpack
from crafter.tasks.game import find
from crafter.tasks.language.monitors import Monitor
from crafter.tasks.scenes import SceneError, draw

LEVELS = ("simple", "medium", "hard")
#: Scenes of each task and level with stored hashes.
SCENES = 20
#: Scenes of each task and level in which random play is evaluated.
RANDOM = 2
#: Number of goals evaluated on a solution, including its own, and their distance in the
#: list of tasks.
GOALS, STRIDE = 11, 17

Key = tuple[str, str, int]


def names() -> list[str]:
    """Returns the names of the tasks of the catalogue."""
    return sorted(all_tasks())


def keys(count: int) -> list[Key]:
    """Returns task, level and index of the first scenes of the split `test`."""
    return list(itertools.product(names(), LEVELS, range(count)))


def scene_hash(key: Key) -> int:
    """Returns the first 32 bits of a scene's hash; 0 if there is no scene."""
    task, level, index = key
    try:
        return int(draw(_task(task, level), "test", index).hash[:8], 16)
    except SceneError:
        return 0


@functools.cache
def _task(name: str, level: str) -> Task:
    return Task(name, level)


@functools.cache
def solutions() -> dict[Key, list[int]]:
    """Returns the actions of the recorded solutions of scenes with index 0."""
    return {
        one.place: unpack(one.certificate["actions"])
        for one in shipped(find())
        if one.index == 0 and one.certificate is not None
    }


def random_actions(key: Key) -> Iterator[int]:
    """Yields the actions of random play in a scene."""
    chance = random.Random(":".join(map(str, key)))
    return (chance.randrange(17) for _ in itertools.count())


def verdicts(key: Key, actions: Iterable[int], goals: Sequence[str]) -> list[str]:
    """Returns the verdicts of tasks' goals on an episode in a scene."""
    task, level, index = key
    scene = draw(_task(task, level), "test", index)
    env = TaskEnv(
        task, level, scene=scene, area=scene.area, observation="semantic", record=True
    )
    env.reset()
    tracker = env.tracker
    assert tracker.monitor is not None
    rest = [Task(name, level).goal.monitor() for name in goals]
    for monitor in rest:
        monitor.start(tracker.view)
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        for monitor in rest:
            monitor.update(tracker.records[-1], tracker.view)
        if terminated or truncated:
            break
    return [_text(monitor) for monitor in (tracker.monitor, *rest)]


def _text(monitor: Monitor) -> str:
    step = monitor.verdict_step or monitor.steps
    reason = f":{monitor.reason}" if monitor.reason else ""
    return f"{monitor.verdict}@{step}{reason} {monitor.progress:.4f}"


def others(key: Key) -> list[str]:
    """Returns the tasks whose goals are evaluated on another task's solution."""
    tasks = names()
    first = tasks.index(key[0])
    return [tasks[(first + STRIDE * n) % len(tasks)] for n in range(1, GOALS)]


def random_verdicts(key: Key) -> list[str]:
    """Returns the verdict of a task's goal on random play in its scene."""
    return verdicts(key, random_actions(key), ())


def solution_verdicts(key: Key) -> list[str]:
    """Returns the verdicts of several tasks' goals on a recorded solution."""
    return verdicts(key, solutions()[key], others(key))


def _write(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool() as pool:
        hashes = np.array(pool.map(scene_hash, keys(SCENES), 16), np.uint32)
        np.savez_compressed(folder / "scenes.npz", hashes=hashes)
        parts = {
            "random": (random_verdicts, [k for k in keys(RANDOM) if scene_hash(k)]),
            "solutions": (solution_verdicts, sorted(solutions())),
        }
        with gzip.GzipFile(folder / "verdicts.jsonl.gz", "wb", mtime=0) as stream:
            for part, (judge, cases) in parts.items():
                for key, said in zip(cases, pool.imap(judge, cases, 4)):
                    line = {"part": part, "key": key, "verdicts": said}
                    stream.write(json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    _write(pathlib.Path(sys.argv[1]))

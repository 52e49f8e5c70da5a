"""Demonstrations: solved attempts as episodes of pictures, actions and the goal.

The actions are those of certificates, or of the planner where there is none. Episodes
have the form of `crafter.recorder.EpisodeRecorder`, with one array more: `goal`, the
instruction, in every row.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from crafter.recorder import EpisodeRecorder
from crafter.tasks.catalogue import Task
from crafter.tasks.certificates import Certificate, unpack
from crafter.tasks.envs import TaskEnv
from crafter.tasks.proofs import read as read_proofs
from crafter.tasks.suites import Entry
from crafter.tasks.verify import solve

#: File in the folder with a line per demonstration.
INDEX = "demos.jsonl"
#: Array of the episode with the instruction.
GOAL = "goal"


@dataclasses.dataclass(frozen=True)
class Demo:
    """A demonstration that was written.

    Attributes:
      file: Name of the episode in the folder.
      task: The task.
      level: Its difficulty.
      index: Number of the scene in the split `test`.
      scene: Hash of the scene.
      goal: The instruction.
      steps: Steps of the episode.
    """

    file: str
    task: str
    level: str
    index: int
    scene: str
    goal: str
    steps: int


def write(
    entries: Iterable[Entry],
    folder: str | os.PathLike,
    proofs: Mapping[str, Certificate] | None = None,
    size: tuple[int, int] = (64, 64),
    say: Callable[[str], None] = print,
) -> list[Demo]:
    """Writes demonstrations of the attempts of a suite; goes on where it was stopped.

    Args:
      entries: The attempts.
      folder: Where the episodes and `demos.jsonl` go.
      proofs: Hash of a scene -> its certificate; what has none is solved now.
      size: Width and height of the pictures, in pixels.
      say: Called with a line after each attempt.

    Returns:
      All demonstrations in the folder. Scenes that cannot be solved have none.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = {(demo.task, demo.level, demo.index): demo for demo in read(folder)}
    with (folder / INDEX).open("a", encoding="utf-8") as index:
        for entry in entries:
            key = (entry.task, entry.level, entry.index)
            if key in found:
                continue
            demo = _demonstrate(entry, folder, proofs or {}, size)
            say(f"{entry.key}: {'not solved' if demo is None else demo.file}")
            if demo is None:
                continue
            found[key] = demo
            index.write(json.dumps(dataclasses.asdict(demo)) + "\n")
            index.flush()
    return list(found.values())


def read(folder: str | os.PathLike) -> list[Demo]:
    """Returns the demonstrations of a folder; a line that was cut off is removed.

    Raises:
      ValueError: If the index is damaged.
    """
    path = pathlib.Path(folder) / INDEX
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text.rpartition("\n")[0]
    if text and not text.endswith("\n"):
        path.write_text(whole + "\n" if whole else "", "utf-8")
    try:
        return [Demo(**json.loads(line)) for line in whole.splitlines()]
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is no index of demonstrations: {error}") from error


def proofs_of(paths: Iterable[str | os.PathLike]) -> dict[str, Certificate]:
    """Returns the certificates of files that `crafter-tasks verify` wrote.

    Returns:
      Hash of a scene -> its certificate.

    Raises:
      crafter.tasks.proofs.VerificationError: If a file is damaged.
    """
    found = {}
    for path in paths:
        for line in read_proofs(path)[1]:
            if "certificate" in line:
                found[line["scene"]] = Certificate.from_data(line["certificate"])
    return found


def _demonstrate(
    entry: Entry,
    folder: pathlib.Path,
    proofs: Mapping[str, Certificate],
    size: tuple[int, int],
) -> Demo | None:
    """Writes the episode of an attempt; `None` if it is not solved."""
    task, scene = Task(entry.made_from, entry.level), entry.scene()
    proof = proofs.get(scene.hash) or solve(task, scene).certificate
    if proof is None:
        return None
    env = TaskEnv(entry.made_from, entry.level, scene=scene, area=scene.area, size=size)
    with tempfile.TemporaryDirectory(prefix=".demo-", dir=folder) as workspace:
        done = _record(env, workspace, unpack(proof.actions))
        (episode,) = pathlib.Path(workspace).glob("*.npz")
        if not done:
            return None
        goal = task.wording(scene.wording)
        name = f"{_plain(entry.task)}-{entry.level}-{entry.index:03d}.npz"
        _add_goal(episode, goal, folder / name)
    return Demo(
        name, entry.task, entry.level, entry.index, scene.hash, goal, proof.steps
    )


def _record(env: TaskEnv, folder: str, actions: Iterable[int]) -> bool:
    """Plays actions into an episode; returns whether the goal is done with the last."""
    recorder = EpisodeRecorder(env, folder)
    _, info = recorder.reset()
    for action in actions:
        *_, info = recorder.step(action)
    recorder.close()
    return bool(info["task"]["verdict"] == "DONE")


def _plain(name: str) -> str:
    """Returns the name of a task, or an expression, as a part of a file name."""
    return re.sub(r"\W+", "_", name).strip("_")[:80]


def _add_goal(episode: pathlib.Path, goal: str, path: pathlib.Path) -> None:
    """Writes an episode again, with the instruction in every row."""
    with np.load(episode) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    arrays[GOAL] = np.full(len(arrays["action"]), goal)
    unfinished = episode.with_name("episode-with-goal.npz")
    np.savez_compressed(unfinished, **arrays)
    os.replace(unfinished, path)

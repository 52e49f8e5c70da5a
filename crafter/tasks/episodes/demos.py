"""Demonstrations: solved attempts as episodes of pictures, actions and the goal.

The actions are those of certificates, or of the planner where there is none. Episodes
have the form of `crafter.recorder.EpisodeRecorder`, with one array more: `goal`, the
instruction, in every row.
"""

from __future__ import annotations

import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from crafter.core.journal import Journal
from crafter.recorder import EpisodeRecorder
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.episodes.play import EpisodeSpec, Playback, env_at, play
from crafter.tasks.episodes.solutions import Solutions, unpack

#: File in the folder with a line per demonstration: `file`, `task`, `level`, `index`,
#: `scene`, `goal` and `steps`.
INDEX = "demos.jsonl"
#: Array of the episode with the instruction.
GOAL = "goal"


def write(
    specs: Iterable[EpisodeSpec],
    folder: str | os.PathLike,
    solutions: Solutions | None = None,
    size: tuple[int, int] = (64, 64),
    say: Callable[[str], None] = print,
) -> list[dict[str, Any]]:
    """Writes demonstrations of the attempts of a suite; goes on where it was stopped.

    Args:
      specs: The attempts.
      folder: Where the episodes and `demos.jsonl` go.
      solutions: Finds the certificates; by default those that come with the package,
        or the planner.
      size: Width and height of the pictures, in pixels.
      say: Called with a line after each attempt.

    Returns:
      All demonstrations in the folder. Scenes that cannot be solved have none.

    Raises:
      crafter.core.journal.JournalError: If `demos.jsonl` is damaged, or another process
        writes it.
    """
    folder = pathlib.Path(folder)
    solutions = Solutions(solve=True) if solutions is None else solutions
    with Journal(folder / INDEX) as index:
        found = {(row["task"], row["level"], row["index"]): row for row in index.rows}
        for spec in specs:
            if spec.place in found:
                continue
            demo = _demonstrate(spec, folder, solutions, size)
            say(f"{spec.key}: {'not solved' if demo is None else demo['file']}")
            if demo is not None:
                found[spec.place] = demo
                index.append(demo)
    return list(found.values())


def _demonstrate(
    spec: EpisodeSpec,
    folder: pathlib.Path,
    solutions: Solutions,
    size: tuple[int, int],
) -> dict[str, Any] | None:
    """Writes the episode of an attempt; `None` if it is not solved."""
    task, scene = Task(spec.made_from, spec.level), spec.scene()
    proof = solutions.certificate(task, scene)
    if proof is None:
        return None
    env = env_at(task, scene, size=size)
    with tempfile.TemporaryDirectory(prefix=".demo-", dir=folder) as workspace:
        recorder = EpisodeRecorder(env, workspace)
        play(recorder, Playback(unpack(proof["actions"])))
        recorder.close()
        if str(env.attempt.footer().verdict) != "DONE":
            return None
        (episode,) = pathlib.Path(workspace).glob("*.npz")
        goal = task.wording(scene.wording)
        plain = re.sub(r"\W+", "_", spec.task).strip("_")[:80]
        name = f"{plain}-{spec.level}-{spec.index:03d}.npz"
        _add_goal(episode, goal, folder / name)
    return {
        "file": name,
        "task": spec.task,
        "level": spec.level,
        "index": spec.index,
        "scene": scene.hash,
        GOAL: goal,
        "steps": proof["steps"],
    }


def _add_goal(episode: pathlib.Path, goal: str, path: pathlib.Path) -> None:
    """Writes an episode again, with the instruction in every row."""
    with np.load(episode) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    arrays[GOAL] = np.full(len(arrays["action"]), goal)
    unfinished = episode.with_name("episode-with-goal.npz")
    np.savez_compressed(unfinished, **arrays)
    os.replace(unfinished, path)

"""Makes packs of scenes: screened, counted, and gone on with where it was stopped.

If that is asked for, the planner has to solve each of them; one that it does not solve
is changed by the reason, a few times.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import os
import pathlib
from collections.abc import Callable, Iterator, Sequence

from crafter.core.journal import Journal
from crafter.tasks.catalogue import Task
from crafter.tasks.scenes import Scene, SceneError, check_name, split_size, write
from crafter.tasks.scenes.checks import REPAIRS
from crafter.tasks.scenes.generator import AREA, GivenUp, draw
from crafter.tasks.screen import screen
from crafter.tasks.solutions import solve

#: Indices that may be given up for every scene that is wanted.
_SPARE = 3
#: Reasons for which a scene is changed, one after the other, until it is solved.
_MENDED = 3


@dataclasses.dataclass
class Tally:
    """What became of the tries for a task on a level.

    Attributes:
      task: The task.
      level: The level.
      accepted: How many scenes.
      tries: How many worlds were laid out.
      given_up: How many indices have no scene.
      rejected: Reason -> how many tries.
    """

    task: str
    level: str
    accepted: int = 0
    tries: int = 0
    given_up: int = 0
    rejected: collections.Counter[str] = dataclasses.field(
        default_factory=collections.Counter
    )


def generate(
    orders: Sequence[tuple[Task, int]],
    path: str | os.PathLike,
    split: str = "test",
    screened: bool = True,
    say: Callable[[str], None] = print,
    solved: bool = False,
) -> list[Tally]:
    """Makes scenes and writes them to a file.

    What is finished is kept beside the file until it is complete: after an
    interruption the same call goes on.

    Args:
      orders: Tasks on their levels, and how many scenes of each.
      path: The file; see `crafter.tasks.scenes.write`.
      split: From which split.
      screened: Whether scenes that are solved without trying are rejected.
      say: Called with a line after each scene.
      solved: Whether the planner has to solve them, which gives them certificates.

    Returns:
      A tally per order.

    Raises:
      SceneError: If too few scenes of an order can be made, or the file has another
        ending.
    """
    check_name(path)
    unfinished = pathlib.Path(f"{os.fspath(path)}.unfinished.jsonl")
    made: list[Scene] = []
    tallies = []
    with Journal(unfinished) as file:
        done = {entry["key"]: entry for entry in file.rows}
        for task, count in orders:
            tally = Tally(task.name, task.difficulty)
            tallies.append(tally)
            kept = functools.partial(_made, screened=screened, solved=solved)
            for entry in _entries(task, count, split, kept, done, tally):
                if entry["key"] not in done:
                    file.append(entry)
                if entry["scene"] is not None:
                    scene = Scene.from_data(entry["scene"])
                    made.append(scene)
                    say(f"{scene}: {scene.hash[:12]}")
    write(path, made)
    unfinished.unlink()
    return tallies


def _entries(
    task: Task,
    count: int,
    split: str,
    make: functools.partial[Scene | None],
    done: dict[str, dict],
    tally: Tally,
) -> Iterator[dict]:
    """Yields a line per index until there are enough scenes."""
    size = split_size(split)
    most = count * (1 + _SPARE)
    asked = "|".join(str(value) for value in make.keywords.values())
    for index in range(most if size is None else min(most, size)):
        key = f"{task.name}|{task.difficulty}|{split}|{index}|{asked}"
        entry = done.get(key) or _entry(key, make, task, split, index)
        tally.rejected.update(entry["rejected"])
        tally.accepted += entry["scene"] is not None
        tally.given_up += entry["scene"] is None
        tally.tries += sum(entry["rejected"].values()) + (entry["scene"] is not None)
        yield entry
        if tally.accepted == count:
            return
    raise SceneError(
        f"Only {tally.accepted} of {count} scenes of {task.name} ({task.difficulty}) "
        f"could be made; reasons: {dict(tally.rejected)}."
    )


def _entry(
    key: str, make: Callable[..., Scene | None], task: Task, split: str, index: int
) -> dict:
    rejected: collections.Counter[str] = collections.Counter()
    made: Scene | None = None
    with contextlib.suppress(GivenUp):
        made = make(task, split, index, rejected)
    scene = None if made is None else {**made.as_data(), "hash": made.hash}
    return {"key": key, "scene": scene, "rejected": dict(rejected)}


def _made(
    task: Task,
    split: str,
    index: int,
    rejected: collections.Counter[str],
    screened: bool,
    solved: bool,
) -> Scene | None:
    """Returns a scene that passes what is asked for, or `None`."""
    unsolved: list[str] = []
    while True:
        scene = draw(task, split, index, AREA, 1, rejected, unsolved)
        if screened and screen(task, scene).trivial:
            rejected["trivial"] += 1
            return None
        if not solved:
            return scene
        found = solve(task, scene)
        if found.certificate is not None:
            return dataclasses.replace(scene, certificate=found.certificate)
        reason = str(found.reason).partition(":")[0]
        rejected[reason] += 1
        if reason not in REPAIRS or reason in unsolved or len(unsolved) == _MENDED:
            return None
        unsolved.append(reason)


def table(tallies: Sequence[Tally]) -> str:
    """Returns the tallies as text, a line each."""
    lines = [f"{'task':24} {'level':8} {'accepted':>8} {'tries':>6} reasons"]
    for t in tallies:
        reasons = ", ".join(f"{name} {n}" for name, n in sorted(t.rejected.items()))
        lines.append(f"{t.task:24} {t.level:8} {t.accepted:8} {t.tries:6} {reasons}")
    return "\n".join(lines)

"""Items whose verdict is known before, mixed into a batch to check the judge.

An attempt that does nothing has very poor progress, the reference attempt of a scene
has excellent progress, two equal attempts are tied in everything, and the reference
attempt has more progress than one that does nothing.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from crafter.tasks import records
from crafter.tasks.attempt import attempt_of
from crafter.tasks.judge.criteria import criteria
from crafter.tasks.judge.items import Item
from crafter.tasks.judge.questions import Question
from crafter.tasks.opinions import Comparison, Rating
from crafter.tasks.replay import env_of, header
from crafter.tasks.solutions import Certificate, unpack
from crafter.tasks.verdicts import Verdict

NOOP, REFERENCE = "noop", "reference"
IDENTICAL, WORSE = "identical", "noop-reference"
#: Share of the controls that have to be judged as expected.
ENOUGH = 0.9
#: A control of each kind for so many items, and at least so many of each.
PER, LEAST = 10, 5
FAILED = "judge failed its controls"

Actions = Callable[[int], str | None]


@dataclasses.dataclass(frozen=True)
class Checked:
    """How a judge fared with the controls.

    Attributes:
      expected: How many were judged as expected.
      count: How many were judged at all.
    """

    expected: int
    count: int

    @property
    def passed(self) -> bool | None:
        """Whether they were enough; `None` if there were none."""
        return self.expected >= ENOUGH * self.count if self.count else None


def controls_of(
    items: Sequence[Item],
    kind: str,
    proofs: Mapping[str, Certificate],
    folder: str | os.PathLike,
    seed: int = 0,
) -> list[Question]:
    """Returns the controls of a batch, on scenes of its items.

    Args:
      items: The attempts that are judged.
      kind: `ratings` or `comparisons`.
      proofs: Hash of a scene -> its certificate, which is the reference.
      folder: Where the attempts of the controls are written.
      seed: Of the choice of scenes.
    """
    scenes = list({item.scene: item for item in items}.values())
    drawn = random.Random(seed).sample(scenes, len(scenes))
    count = max(LEAST, -(-len(items) // PER))
    place = pathlib.Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    solved = _first(count, (_reference(item, proofs, place) for item in drawn))
    chosen: list[tuple[str, Item, Item | None]] = []
    if kind == "ratings":
        idle = _first(count, (_noop(item, place) for item in drawn))
        chosen += [(NOOP, item, None) for item in idle]
        chosen += [(REFERENCE, item, None) for item in solved]
    else:
        pairs = [(_noop(item, place), item) for item in solved]
        chosen += [(IDENTICAL, item, item) for item in solved]
        chosen += [(WORSE, a, b) for a, b in pairs if a is not None]
    return [Question(criteria(a.task), a, b, control) for control, a, b in chosen]


def _first(count: int, found: Iterable[Item | None]) -> list[Item]:
    """Returns the first of those that there are; no more are made."""
    chosen: list[Item] = []
    for item in found:
        if item is not None:
            chosen.append(item)
        if len(chosen) == count:
            break
    return chosen


def _noop(item: Item, folder: pathlib.Path) -> Item | None:
    """Returns an attempt that does nothing; `None` where that is some progress."""
    made, progress, _ = _played(item, NOOP, folder, lambda t: "noop")
    return made if progress == 0 else None


def _reference(
    item: Item, proofs: Mapping[str, Certificate], folder: pathlib.Path
) -> Item | None:
    """Returns the reference attempt; `None` if there is none."""
    if item.scene not in proofs:
        return None
    names = item.task.rules.actions
    actions = [names[n] for n in unpack(proofs[item.scene]["actions"])]
    made, _, done = _played(
        item, REFERENCE, folder, lambda t: actions[t] if t < len(actions) else None
    )
    return made if done else None


def _played(
    item: Item, name: str, folder: pathlib.Path, act: Actions
) -> tuple[Item, float, bool]:
    """Writes an attempt; returns it, its progress, and whether the goal is done."""
    old = records.read(item.path).header
    env = env_of(old, item.path)
    attempt = attempt_of(env, item.task.goal, old.budget or item.task.budget)
    monitor = attempt.monitor
    assert monitor is not None
    head = header(attempt, env, old.start["reset"], f"control:{name}", item.scene)
    while not monitor.verdict.final:
        action = act(attempt.steps)
        if action is None:
            break
        info = env.step(env.action_names.index(action))[-1]
        attempt.step(action, info["events"])
    path = folder / f"{name}-{item.scene[:16]}.jsonl.gz"
    records.write(path, head, attempt.records, attempt.footer())
    made = dataclasses.replace(item, path=str(path), agent=head.agent, attempt=0)
    return made, monitor.progress, monitor.verdict is Verdict.DONE


def mixed(
    questions: Sequence[Question], controls: Sequence[Question], seed: int = 0
) -> list[Question]:
    """Returns questions with the controls at random places among them."""
    found = list(questions)
    chance = random.Random(seed)
    for control in controls:
        found.insert(chance.randint(0, len(found)), control)
    return found


def check(opinions: Iterable[Any]) -> Checked:
    """Returns how a judge fared with the controls among its opinions.

    Controls to which there was no answer at all do not count; they are failures of
    requests.
    """
    judged = [
        is_expected(opinion)
        for opinion in opinions
        if opinion.control is not None and opinion.details.get("answer")
    ]
    return Checked(sum(judged), len(judged))


def is_expected(opinion: Rating | Comparison) -> bool:
    """Returns whether a control was judged as expected."""
    if isinstance(opinion, Rating):
        wanted = {NOOP: "very poor", REFERENCE: "excellent"}[str(opinion.control)]
        return opinion.labels["task_progress"] == wanted
    if opinion.control == WORSE:
        return opinion.outcomes["task_progress"] == "B"
    said = [opinion.overall, *opinion.outcomes.values()]
    asked = [verdict for verdict in said if verdict is not None]
    return set(asked) == {"tie"} and all(opinion.consistent.values())

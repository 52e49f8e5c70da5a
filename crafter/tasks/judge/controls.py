"""Questions whose answer is known before, mixed into a batch to check the judge.

An attempt without any progress has very poor progress, a solution has excellent
progress, two equal attempts are tied in everything, and a solution has more progress
than an attempt without any.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from crafter.tasks.judge.opinions import Opinion
from crafter.tasks.judge.questions import Item, Question

IDLE, SOLVED = "idle", "solved"
IDENTICAL, WORSE = "identical", "idle-solved"
#: Share of the controls that have to be judged as expected.
ENOUGH = 0.9
#: A control of each kind for so many questions, and at least so many of each.
PER, LEAST = 10, 5
FAILED = "judge failed its controls"


def mixed(questions: Sequence[Question], items: Iterable[Item]) -> list[Question]:
    """Returns questions with controls at random places among them.

    Args:
      questions: What is asked, all of one kind.
      items: Attempts with their results, such as runs of `noop` and `oracle`.

    Raises:
      ValueError: If no control can be made of the attempts.
    """
    found, chance = list(questions), random.Random(0)
    count = max(LEAST, -(-len(found) // PER))
    known = [item for item in items if item.result is not None]
    chance.shuffle(known)
    idle = [item for item in known if item.result and item.result.progress == 0]
    solved = [item for item in known if item.result and item.result.solved]
    if found[0].kind == "ratings":
        controls = [Question((item,), IDLE) for item in idle[:count]]
        controls += [Question((item,), SOLVED) for item in solved[:count]]
    else:
        controls = [Question((item, item), IDENTICAL) for item in solved[:count]]
        both = [(a, b) for a in idle for b in solved if a.place == b.place]
        controls += [Question(pair, WORSE) for pair in both[:count]]
    if not controls:
        raise ValueError("No attempt for controls is solved or has no progress at all.")
    for control in controls:
        found.insert(chance.randint(0, len(found)), control)
    return found


def check(opinions: Iterable[Opinion]) -> tuple[int, int]:
    """Returns how many controls were judged as expected, and how many there are.

    Controls to which there was no answer at all do not count; they are failures of
    requests.
    """
    judged = [
        _is_expected(one)
        for one in opinions
        if one.control is not None and one.details.get("answer")
    ]
    return sum(judged), len(judged)


def _is_expected(opinion: Opinion) -> bool:
    said = opinion.said
    if opinion.control == IDENTICAL:
        asked = {verdict for verdict in said.values() if verdict is not None}
        return asked == {"tie"} and all(opinion.details["consistent"].values())
    wanted = {IDLE: "very poor", SOLVED: "excellent", WORSE: "B"}
    return said["task_progress"] == wanted[str(opinion.control)]

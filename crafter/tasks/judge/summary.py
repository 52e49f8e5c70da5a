"""What there is to say of a batch, before and after it."""

from __future__ import annotations

import collections
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from crafter.tasks.judge import controls
from crafter.tasks.judge.asking import PARSE
from crafter.tasks.judge.evidence import Look
from crafter.tasks.judge.questions import Question
from crafter.tasks.opinions import Comparison


class Cost(NamedTuple):
    """What a batch takes, without repetitions.

    Attributes:
      requests: How many requests.
      images: How many pictures are in them.
      bytes: How long they are together, about.
    """

    requests: int
    images: int
    bytes: int

    def __str__(self) -> str:
        return (
            f"{self.requests} requests, {self.images} images, about "
            f"{self.bytes / 1e6:.1f} MB"
        )


def cost(questions: Iterable[Question], look: Look, repeat: int = 1) -> Cost:
    """Returns what questions take, without asking any.

    Args:
      questions: The questions.
      look: What is shown.
      repeat: How often each request is made.

    Raises:
      crafter.tasks.RecordError: If an attempt cannot be played again.
    """
    requests = images = size = 0
    for question in questions:
        for messages in question.requests(look):
            requests += 1
            size += len(json.dumps(messages))
            images += sum(_images(message["content"]) for message in messages)
    return Cost(repeat * requests, repeat * images, repeat * size)


def _images(content: Any) -> int:
    if isinstance(content, str):
        return 0
    return sum(part["type"] == "image_url" for part in content)


def failures(opinions: Iterable[Any]) -> collections.Counter[str]:
    """Returns how often what failed: kind of failure -> count."""
    kinds = (opinion.details.get("failure") for opinion in opinions)
    return collections.Counter(kind for kind in kinds if kind is not None)


def order_consistency(comparisons: Iterable[Comparison]) -> tuple[int, int]:
    """Returns how many verdicts were the same in both orders, and of how many.

    A verdict is that on one dimension, or on the whole, of one pair.
    """
    same = [
        agree
        for comparison in comparisons
        if comparison.control is None
        for agree in comparison.consistent.values()
    ]
    return sum(same), len(same)


def summary(opinions: Sequence[Any]) -> list[str]:
    """Returns what there is to say of the opinions of a judge, line by line."""
    own = [opinion for opinion in opinions if opinion.control is None]
    failed = failures(opinions)
    lines = [f"{len(own)} items and {len(opinions) - len(own)} controls."]
    if failed:
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(failed.items()))
        lines.append(
            f"{failed.total()} without a complete answer: {told} "
            f"({PARSE}: no label that can be read). They count as missing."
        )
    checked = controls.check(opinions)
    if checked.count:
        lines.append(
            f"Controls: {checked.expected} of {checked.count} judged as expected."
        )
    if checked.passed is False:
        lines.append(controls.FAILED)
    if opinions and isinstance(opinions[0], Comparison):
        same, count = order_consistency(opinions)
        share = f" ({100 * same / count:.1f} %)" if count else ""
        lines.append(f"Order consistency: {same} of {count} verdicts{share}.")
    return lines

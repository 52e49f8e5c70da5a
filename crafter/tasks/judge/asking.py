"""Asks a judge: one correction, both orders of a pair, failures as data.

Questions are put several at a time, stopped and begun again at will. A line is written
when an opinion is there. What is in the file already is not asked again, apart from
failures. In the end the lines are in the order of the questions.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal
from crafter.llm_client.client import Endpoint, EndpointError, Reply
from crafter.tasks.judge import opinions, prompts
from crafter.tasks.judge.answers import parse
from crafter.tasks.judge.evidence import Evidence, Look, evidence
from crafter.tasks.judge.opinions import (
    MISSING,
    Opinion,
    OpinionsError,
    Source,
    swapped,
)
from crafter.tasks.judge.questions import ENOUGH, FAILED, Question, check_controls
from crafter.tasks.world.records import RecordError

#: Kinds of failure: of an answer in which something is still missing, and of an
#: attempt that cannot be played again.
PARSE, RECORD = "parse", "record"

Labels = dict[str, str | None]


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a judge said to a request.

    Attributes:
      labels: Dimension -> label or outcome, `missing`, or `None` for not applicable.
      replies: What it wrote; the second one answers to a correction.
      tries: Requests that were sent.
      failure: Why something is missing: the kind of an `EndpointError`, or `parse`.
      message: The same in words.
    """

    labels: Labels
    replies: Sequence[Reply]
    tries: int
    failure: str | None = None
    message: str | None = None


class Judge:
    """A model that is asked for opinions.

    Args:
      endpoint: Where it is.
      look: What it is shown.
    """

    def __init__(self, endpoint: Endpoint, look: Look | None = None) -> None:
        self._endpoint, self.look = endpoint, look or Look()

    def settings(self) -> dict[str, Any]:
        """Returns what a request has besides its messages."""
        found = self._endpoint.settings()
        return {name: found[name] for name in found if name != "base_url"}

    def put(self, question: Question) -> Opinion:
        """Returns an opinion; a failure leaves all of it missing.

        Of a pair it is that of both orders: where they contradict each other, a tie.
        """
        rubric = self.look.rubric(question.items[0].task)
        asked = prompts.asked_for(rubric, question.kind)
        left_out: Labels = dict.fromkeys(rubric.not_applicable)
        try:
            shown, messages = requests(question, self.look)
        except RecordError as error:
            said: Labels = dict.fromkeys(asked, MISSING)
            lost = {"failure": RECORD, "message": str(error), "tries": 0}
            return question.opinion({**said, **left_out}, **lost)
        answers = [self._ask(request, asked, question.kind) for request in messages]
        said, details = _verdict([answer.labels for answer in answers])
        details["frames"] = _one([[frame.step for frame in x.frames] for x in shown])
        details |= _details(answers, said)
        return question.opinion({**said, **left_out}, **details)

    def _ask(
        self, messages: Sequence[prompts.Message], asked: Sequence[str], kind: str
    ) -> Answer:
        replies: list[Reply] = []
        labels: Labels = dict.fromkeys(asked, MISSING)
        try:
            for _ in range(2):  # once more, with a note of what is missing
                replies.append(self._endpoint.chat(messages))
                labels = parse(replies[-1].text, asked, kind)
                missing = [name for name in asked if labels[name] == MISSING]
                if not missing:
                    return Answer(labels, replies, _tries(replies))
                messages = prompts.correction(messages, replies[-1].text, missing, kind)
        except EndpointError as error:
            tries = error.tries + _tries(replies)
            return Answer(labels, replies, tries, error.kind, str(error))
        told = f"No label that can be read for: {', '.join(missing)}."
        return Answer(labels, replies, _tries(replies), PARSE, told)


def _tries(replies: Iterable[Reply]) -> int:
    return sum(reply.tries for reply in replies)


def requests(
    question: Question, look: Look
) -> tuple[list[Evidence], list[list[prompts.Message]]]:
    """Returns what is shown, and the requests: one for a rating, two for a comparison.

    Raises:
      crafter.tasks.RecordError: If an attempt cannot be played again.
    """
    rubric = look.rubric(question.items[0].task)
    shown = [_evidence(item.path, look) for item in question.items]
    orders = [shown] if len(shown) == 1 else [shown, shown[::-1]]
    return shown, [prompts.request(rubric, order) for order in orders]


@functools.lru_cache(maxsize=64)  # a pair needs both of them twice, others soon again
def _evidence(path: str, look: Look) -> Evidence:
    return evidence(path, look)


def _one(parts: list[Any]) -> Any:
    """Returns the only one of several, or all."""
    return parts[0] if len(parts) == 1 else parts


def _details(answers: Sequence[Answer], said: Labels) -> dict[str, Any]:
    """Returns how a judge came to what it says."""
    details: dict[str, Any] = {
        "answer": _one([one.replies[-1].text for one in answers if one.replies]),
        "tries": sum(answer.tries for answer in answers),
    }
    failed = [answer for answer in answers if answer.failure is not None]
    if failed and MISSING in said.values():
        details |= {"failure": failed[0].failure, "message": failed[0].message}
    return details


def _verdict(orders: Sequence[Labels]) -> tuple[Labels, dict[str, Any]]:
    """Returns what both orders of a pair say together, and details of it."""
    if len(orders) == 1:
        return orders[0], {}
    there, back = orders[0], swapped(orders[1])
    both = {name: settled(there[name], back[name]) for name in there}
    same = {name: same for name, (_, same) in both.items() if same is not None}
    details = {"verdicts": [there, back], "consistent": same}
    return {name: verdict for name, (verdict, _) in both.items()}, details


def settled(one: str | None, other: str | None) -> tuple[str | None, bool | None]:
    """Returns what two orders of a pair say together, and whether they agree.

    Example:
      >>> settled("A", "A"), settled("A", "B"), settled("A", "missing")
      (('A', True), ('tie', False), ('missing', None))
    """
    if MISSING in (one, other):
        return MISSING, None
    if one is None or other is None:
        return (None if one == other else MISSING), None
    return (one, True) if one == other else ("tie", False)


# Batches of questions.


def ask(
    questions: Sequence[Question],
    judge: Judge,
    path: str | os.PathLike,
    parallel: int = 4,
    say: Callable[[str], None] = print,
    stop: threading.Event | None = None,
) -> list[Opinion]:
    """Asks all questions that are not answered in a file, and completes it.

    Args:
      questions: What is asked; all of one kind.
      judge: Who is asked.
      path: The file of opinions.
      parallel: How many questions are asked at the same time.
      say: Called with a line after each answer.
      stop: Set when the batch is interrupted; nothing more is asked then.

    Returns:
      The opinions, in the order of the questions.

    Raises:
      OpinionsError: If the file holds opinions of another judge.
      ValueError: If `parallel` is not positive.
    """
    if parallel < 1:
        raise ValueError(f"parallel must be at least 1, got {parallel!r}.")
    head = source_of(judge, questions[0].kind)
    found = _resume(path, head)
    keys = {question.opinion({}).key: question for question in questions}
    todo = [question for key, question in keys.items() if key not in found]
    pool = ThreadPoolExecutor(parallel)
    try:
        with Journal(path) as file:
            for future in as_completed([pool.submit(judge.put, one) for one in todo]):
                opinion = future.result()
                file.append(opinions.line(opinion, head))
                found[opinion.key] = opinion
                say(f"{len(found)}/{len(questions)} {_told(opinion)}")
    finally:
        if stop is not None:
            stop.set()
        pool.shutdown(cancel_futures=True)
    ordered = [found.pop(key) for key in keys]
    opinions.write(path, head, [*ordered, *found.values()])
    return ordered


def source_of(judge: Judge, kind: str) -> Source:
    """Returns the header of a file of opinions: whose they are, and on what ground."""
    settings = judge.settings()
    details = {
        "settings": settings,
        "look": dataclasses.asdict(judge.look),
        "prompts": prompts.VERSION,
    }
    return Source(kind, f"judge:{settings['model']}", judge.look.evidence, details)


def _resume(path: str | os.PathLike, head: Source) -> dict[Any, Opinion]:
    """Begins a file, or drops from it what has to be asked again; returns the rest."""
    there: list[Opinion] = []
    if journal.read(path):
        known, there = opinions.read(path)
        if opinions.header(known) != opinions.header(head):
            raise OpinionsError(
                f"{os.fspath(path)} holds opinions of another judge, or with other "
                f"settings: {opinions.header(known)}. Choose another file, or the same "
                "settings to go on."
            )
    kept = {x.key: x for x in there if x.details.get("failure") is None}
    opinions.write(path, head, kept.values())
    return kept


def _told(opinion: Opinion) -> str:
    details = opinion.details
    words = ", ".join(f"{name} {word}" for name, word in opinion.said.items() if word)
    if "failure" in details:
        words = (
            f"failed: {details['failure']} after {details['tries']} tries: "
            f"{details['message']}"
        )
    return f"{opinion.item} {' | '.join(opinion.agents)}: {words}"


# What there is to say of a batch.


def failures(found: Iterable[Opinion]) -> collections.Counter[str]:
    """Returns how often what failed: kind of failure -> count."""
    kinds = (opinion.details.get("failure") for opinion in found)
    return collections.Counter(kind for kind in kinds if kind is not None)


def summary(found: Sequence[Opinion]) -> list[str]:
    """Returns what there is to say of the opinions of a judge, line by line."""
    own = [opinion for opinion in found if opinion.control is None]
    failed = failures(found)
    lines = [f"{len(own)} items and {len(found) - len(own)} controls."]
    if failed:
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(failed.items()))
        lines.append(
            f"{failed.total()} without a complete answer: {told} "
            f"({PARSE}: no label that can be read). They count as missing."
        )
    right, count = check_controls(found)
    if count:
        lines.append(f"Controls: {right} of {count} judged as expected.")
    if right < ENOUGH * count:
        lines.append(FAILED)
    if own and own[0].kind == "comparisons":
        same = [x for one in own for x in one.details.get("consistent", {}).values()]
        share = f" ({100 * sum(same) / len(same):.1f} %)" if same else ""
        told = f"{sum(same)} of {len(same)} verdicts{share}"
        lines.append(f"Order consistency: {told}.")
    return lines

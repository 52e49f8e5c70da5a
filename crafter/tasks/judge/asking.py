"""Asks a judge: one correction, both orders of a pair, failures as data."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from crafter.llm_client.client import Endpoint, EndpointError, Reply
from crafter.tasks.judge import prompts
from crafter.tasks.judge.answers import parse
from crafter.tasks.judge.evidence import Evidence, Look, evidence
from crafter.tasks.judge.opinions import MISSING, Opinion, swapped
from crafter.tasks.judge.questions import Question
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
        details["prompt_sha256"] = _one([digest(request) for request in messages])
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


def digest(value: Any) -> str:
    """Returns the SHA-256 of plain data, hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _one(parts: list[Any]) -> Any:
    """Returns the only one of several, or all."""
    return parts[0] if len(parts) == 1 else parts


def _details(answers: Sequence[Answer], said: Labels) -> dict[str, Any]:
    """Returns how a judge came to what it says."""
    replies = [reply for answer in answers for reply in answer.replies]
    counted = [reply for reply in replies if not reply.estimated]
    tokens: dict[str, int | None] = {"prompt": None, "completion": None}
    if counted == replies:
        tokens["prompt"] = sum(reply.prompt_tokens for reply in replies)
        tokens["completion"] = sum(reply.completion_tokens for reply in replies)
    details: dict[str, Any] = {
        "answer": _one([one.replies[-1].text for one in answers if one.replies]),
        "tries": sum(answer.tries for answer in answers),
        "latency": round(sum(reply.latency for reply in replies), 3),
        "tokens": tokens,
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

"""Asks a judge: cached answers, one correction, several samples, failures as data."""

from __future__ import annotations

import collections
import dataclasses
import functools
import hashlib
import json
import pathlib
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from crafter.core import journal
from crafter.llm_client.client import Endpoint, EndpointError, Reply
from crafter.tasks.catalogue.dimensions import LABELS
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
      text: What it wrote; where a correction was asked for, the answer to that.
      tries: Requests that were sent.
      latency: Seconds that it took.
      prompt_tokens: Tokens of the requests; `None` where they are only estimated.
      completion_tokens: Tokens of the answers, likewise.
      failure: Why something is missing: the kind of an `EndpointError`, or `parse`.
      message: The same in words.
    """

    labels: Labels
    text: str = ""
    tries: int = 0
    latency: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    failure: str | None = None
    message: str | None = None


class Judge:
    """A model that is asked for opinions.

    Args:
      endpoint: Where it is.
      look: What it is shown.
      repeat: How often each request is made; the median, or of comparisons the most
        frequent verdict, counts.
      cache: Folder of answers that were given before, by the hash of the request; by
        default none.

    Raises:
      ValueError: If the repetitions are not positive.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        look: Look | None = None,
        repeat: int = 1,
        cache: str | None = None,
    ) -> None:
        if repeat < 1:
            raise ValueError(f"repeat must be at least 1, got {repeat!r}.")
        self._endpoint, self.look, self.repeat = endpoint, look or Look(), repeat
        self._cache = None if cache is None else pathlib.Path(cache)
        self._lock = threading.Lock()

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
        numbers = range(len(messages) * self.repeat)
        answers = [
            self._sample(messages[n // self.repeat], asked, question.kind, n)
            for n in numbers
        ]
        orders = [
            _joined(answers[n : n + self.repeat], question.kind)
            for n in numbers[:: self.repeat]
        ]
        said, details = _verdict(orders)
        details["prompt_sha256"] = _one([digest(request) for request in messages])
        details["frames"] = _one([[frame.step for frame in x.frames] for x in shown])
        details |= _details(answers, said)
        return question.opinion({**said, **left_out}, **details)

    def _sample(
        self,
        messages: Sequence[prompts.Message],
        asked: Sequence[str],
        kind: str,
        number: int,
    ) -> Answer:
        """Returns an answer from the cache, or from the endpoint."""
        if self._cache is None:
            return self._asked(messages, asked, kind)
        key = digest([self.settings(), list(messages), list(asked), number])
        path = self._cache / f"{key}.json"
        if path.exists():
            return Answer(**json.loads(path.read_text("utf-8")))
        answer = self._asked(messages, asked, kind)
        if answer.failure is None:
            with self._lock:  # another thread may ask the same
                journal.replace(path, json.dumps(dataclasses.asdict(answer)))
        return answer

    def _asked(
        self, messages: Sequence[prompts.Message], asked: Sequence[str], kind: str
    ) -> Answer:
        replies: list[Reply] = []
        labels: Labels = dict.fromkeys(asked, MISSING)
        tries, failed = 0, {}
        try:
            for _ in range(2):  # once more, with a note of what is missing
                replies.append(self._endpoint.chat(messages))
                labels = parse(replies[-1].text, asked, kind)
                missing = [name for name in asked if labels[name] == MISSING]
                if not missing:
                    break
                messages = prompts.correction(messages, replies[-1].text, missing, kind)
            else:
                told = f"No label that can be read for: {', '.join(missing)}."
                failed = {"failure": PARSE, "message": told}
        except EndpointError as error:
            tries, failed = error.tries, {"failure": error.kind, "message": str(error)}
        return Answer(
            labels,
            replies[-1].text if replies else "",
            tries + sum(reply.tries for reply in replies),
            round(sum(reply.latency for reply in replies), 3),
            total(None if r.estimated else r.prompt_tokens for r in replies),
            total(None if r.estimated else r.completion_tokens for r in replies),
            **failed,
        )


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
    details: dict[str, Any] = {
        "answer": _one([answer.text for answer in answers if answer.text]),
        "tries": sum(answer.tries for answer in answers),
        "latency": round(sum(answer.latency for answer in answers), 3),
        "tokens": {
            "prompt": total(answer.prompt_tokens for answer in answers),
            "completion": total(answer.completion_tokens for answer in answers),
        },
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


def _joined(answers: Sequence[Answer], kind: str) -> Labels:
    names = answers[0].labels
    return {n: joined([one.labels[n] for one in answers], kind) for n in names}


def total(counts: Iterable[int | None]) -> int | None:
    """Returns a sum, or `None` if a part of it is not known."""
    known = list(counts)
    return None if None in known else sum(count or 0 for count in known)


def joined(labels: Sequence[str | None], kind: str) -> str | None:
    """Returns what several samples say: the median label, or the most frequent verdict.

    What is missing in some samples is left to the others. Of two labels in the middle
    the lower one counts; verdicts without a most frequent one are a tie.

    Example:
      >>> joined(["good", "poor", "fair"], "ratings"), joined(["A", "B"], "comparisons")
      ('fair', 'tie')
    """
    said = [label for label in labels if label != MISSING]
    if not said:
        return MISSING
    known = [label for label in said if label is not None]
    if 2 * len(known) <= len(said):
        return None
    if kind == "ratings":
        ranks = list(LABELS)
        return sorted(known, key=ranks.index)[(len(known) - 1) // 2]
    (first, most), *rest = collections.Counter(known).most_common(2)
    return "tie" if rest and rest[0][1] == most else first


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

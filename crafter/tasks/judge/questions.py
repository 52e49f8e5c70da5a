"""What a judge is asked about, and the opinions that its answers become."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.tasks.judge import prompts
from crafter.tasks.judge.asking import Answer, Judge, digest, total
from crafter.tasks.judge.criteria import Rubric
from crafter.tasks.judge.evidence import Evidence, Look, evidence
from crafter.tasks.judge.items import Item
from crafter.tasks.opinions import MISSING, Comparison, Rating
from crafter.tasks.records import RecordError

#: Kind of failure of an attempt that cannot be played again.
RECORD = "record"
_OTHER = {"A": "B", "B": "A"}


@dataclasses.dataclass(frozen=True)
class Question:
    """Something that a judge is asked about.

    Attributes:
      rubric: The criteria.
      a: The attempt; of two, the first one.
      b: The second one; `None` for a rating.
      control: Name of the control that it is, or `None`.
    """

    rubric: Rubric
    a: Item
    b: Item | None = None
    control: str | None = None

    @property
    def kind(self) -> str:
        """Of which kind the opinion will be: `ratings` or `comparisons`."""
        return "ratings" if self.b is None else "comparisons"

    @property
    def asked(self) -> tuple[str, ...]:
        """What the answer has to speak of."""
        return prompts.asked_for(self.rubric, self.kind)

    @property
    def key(self) -> tuple[Any, ...]:
        """The key of the opinion."""
        return self._opinion({}).key

    def requests(self, look: Look) -> list[list[prompts.Message]]:
        """Returns the requests: one for a rating, both orders for a comparison.

        Raises:
          crafter.tasks.RecordError: If an attempt cannot be played again.
        """
        shown = [_evidence(item.path, look) for item in self._items]
        return self._requests(shown)

    def _requests(self, shown: Sequence[Evidence]) -> list[list[prompts.Message]]:
        if self.b is None:
            return [prompts.rate(self.rubric, shown[0])]
        first, second = shown
        return [
            prompts.compare(self.rubric, first, second),
            prompts.compare(self.rubric, second, first),
        ]

    @property
    def _items(self) -> tuple[Item, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)

    def put(self, judge: Judge, look: Look) -> Rating | Comparison:
        """Asks a judge and returns its opinion; a failure leaves all of it missing."""
        try:
            shown = [_evidence(item.path, look) for item in self._items]
        except RecordError as error:
            nothing: dict[str, str | None] = dict.fromkeys(self.asked, MISSING)
            lost = Answer(nothing, failure=RECORD, message=str(error))
            return self._said([lost] * len(self._items), {})
        requests = self._requests(shown)
        answers = [
            judge.ask(request, self.asked, self.kind, order)
            for order, request in enumerate(requests)
        ]
        hashes = [digest(request) for request in requests]
        frames = [[frame.step for frame in one.frames] for one in shown]
        if self.b is None:
            return self._said(
                answers, {"prompt_sha256": hashes[0], "frames": frames[0]}
            )
        return self._said(answers, {"prompt_sha256": hashes, "frames": frames})

    def _said(
        self, answers: Sequence[Answer], about: Mapping[str, Any]
    ) -> Rating | Comparison:
        details = {**about, **_details(answers)}
        left_out: dict[str, str | None] = dict.fromkeys(self.rubric.not_applicable)
        if self.b is None:
            return self._opinion({**answers[0].labels, **left_out}, **details)
        there, back = answers[0].labels, _swapped(answers[1].labels)
        both = {name: settled(there[name], back[name]) for name in there}
        details["verdicts"] = [there, back]
        return self._opinion(
            {**{name: verdict for name, (verdict, _) in both.items()}, **left_out},
            {name: same for name, (_, same) in both.items() if same is not None},
            **details,
        )

    def _opinion(
        self,
        said: dict[str, str | None],
        consistent: Mapping[str, bool] | None = None,
        **details: Any,
    ) -> Rating | Comparison:
        if self.control is not None:
            details["control"] = self.control
        if self.b is None:
            a = self.a
            return Rating(*a.place, a.agent, a.attempt, said, details=details)
        details = {
            "attempt_a": self.a.attempt,
            "attempt_b": self.b.attempt,
            **details,
        }
        overall = said.pop(prompts.OVERALL, None)
        return Comparison(
            *self.a.place,
            self.a.agent,
            self.b.agent,
            said,
            overall,
            consistent or {},
            details=details,
        )


@functools.lru_cache(maxsize=64)  # a pair needs both of them twice, others soon again
def _evidence(path: str, look: Look) -> Evidence:
    return evidence(path, look)


def _details(answers: Sequence[Answer]) -> dict[str, Any]:
    texts = [text for answer in answers for text in answer.texts]
    failures = [answer for answer in answers if answer.failure is not None]
    details: dict[str, Any] = {
        "answer": texts[0] if len(texts) == 1 else texts,
        "tries": sum(answer.tries for answer in answers),
        "latency": round(sum(answer.latency for answer in answers), 3),
        "tokens": {
            "prompt": total([answer.prompt_tokens for answer in answers]),
            "completion": total([answer.completion_tokens for answer in answers]),
        },
    }
    if failures:
        details["failure"] = failures[0].failure
        details["message"] = failures[0].message
    return details


def _swapped(labels: Mapping[str, str | None]) -> dict[str, str | None]:
    """Returns verdicts on (b, a) as verdicts on (a, b)."""
    return {
        name: _OTHER.get(label, label) if label is not None else None
        for name, label in labels.items()
    }


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

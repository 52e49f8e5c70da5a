"""Asks a judge: cached answers, one correction, several samples, failures as data."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import uuid
from collections.abc import Sequence
from typing import Any

from crafter.llm_client.client import Endpoint, EndpointError, Reply
from crafter.tasks.dimensions import LABELS
from crafter.tasks.judge import prompts
from crafter.tasks.judge.answers import parse
from crafter.tasks.opinions import MISSING

#: Kind of failure of an answer in which something is still missing.
PARSE = "parse"


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a judge said to a request.

    Attributes:
      labels: Dimension -> label or outcome, `missing`, or `None` for not applicable.
      texts: What it wrote, sample by sample; where a correction was asked for, the
        answer to that.
      tries: Requests that were sent.
      latency: Seconds that it took.
      prompt_tokens: Tokens of the requests; `None` where they are only estimated.
      completion_tokens: Tokens of the answers, likewise.
      failure: Why something is missing: the kind of an `EndpointError`, or `parse`.
      message: The same in words.
    """

    labels: dict[str, str | None]
    texts: tuple[str, ...] = ()
    tries: int = 0
    latency: float = 0.0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    failure: str | None = None
    message: str | None = None


class Cache:
    """Answers that were given before, a file each.

    Args:
      folder: Where they are; `None` for no cache.
    """

    def __init__(self, folder: str | os.PathLike | None) -> None:
        self._folder = None if folder is None else pathlib.Path(folder)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Reply | None:
        """Returns an answer, or `None`."""
        if self._folder is None:
            return None
        try:
            return Reply(
                **json.loads((self._folder / f"{key}.json").read_text("utf-8"))
            )
        except (OSError, ValueError, TypeError):
            return None  # there is none, or what is there is damaged

    def put(self, key: str, reply: Reply) -> None:
        """Keeps an answer; its file appears when it is whole."""
        if self._folder is None:
            return
        # Threads and processes may ask the same, and each writes a file of its own.
        unfinished = self._folder / f".{key}.{uuid.uuid4().hex}.part"
        unfinished.write_text(json.dumps(dataclasses.asdict(reply)), "utf-8")
        os.replace(unfinished, self._folder / f"{key}.json")


def digest(value: Any) -> str:
    """Returns the SHA-256 of plain data, hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


class Judge:
    """A model that is asked for opinions.

    Args:
      endpoint: Where it is.
      repeat: How often each request is made; the median, or of comparisons the most
        frequent verdict, counts.
      cache: Answers that were given before.

    Raises:
      ValueError: If the repetitions are not positive.
    """

    def __init__(
        self, endpoint: Endpoint, repeat: int = 1, cache: Cache | None = None
    ) -> None:
        if repeat < 1:
            raise ValueError(f"repeat must be at least 1, got {repeat!r}.")
        self._endpoint, self.repeat = endpoint, repeat
        self._cache = cache or Cache(None)

    def settings(self) -> dict[str, Any]:
        """Returns what a request has besides its messages."""
        found = self._endpoint.settings()
        return {name: found[name] for name in found if name != "base_url"}

    def ask(
        self,
        messages: Sequence[prompts.Message],
        asked: Sequence[str],
        kind: str,
        order: int = 0,
    ) -> Answer:
        """Returns the answer to a request; a failure is an answer, too.

        Args:
          messages: The request.
          asked: The dimensions it asks for.
          kind: `ratings` or `comparisons`.
          order: Which order of a pair it is; equal attempts are asked about in both.
        """
        samples = [
            self._sample(messages, asked, kind, self.repeat * order + n)
            for n in range(self.repeat)
        ]
        labels = {
            name: joined([sample.labels[name] for sample in samples], kind)
            for name in asked
        }
        failed = [s for s in samples if s.failure is not None]
        missing = prompts.is_missing(labels)
        return Answer(
            labels,
            tuple(text for sample in samples for text in sample.texts),
            sum(sample.tries for sample in samples),
            sum(sample.latency for sample in samples),
            total([sample.prompt_tokens for sample in samples]),
            total([sample.completion_tokens for sample in samples]),
            failed[0].failure if failed and missing else None,
            failed[0].message if failed and missing else None,
        )

    def _sample(
        self,
        messages: Sequence[prompts.Message],
        asked: Sequence[str],
        kind: str,
        number: int,
    ) -> Answer:
        replies: dict[str, Reply] = {}  # by their keys in the cache
        labels: dict[str, str | None] = dict.fromkeys(asked, MISSING)
        try:
            reply = self._chat(messages, number, replies)
            labels = parse(reply.text, asked, kind)
            missing = prompts.is_missing(labels)
            if missing:
                again = prompts.correction(messages, reply.text, missing, kind)
                labels = parse(self._chat(again, number, replies).text, asked, kind)
        except EndpointError as error:
            said = list(replies.values())
            return _answer(labels, said, error.tries, error.kind, str(error))
        missing = prompts.is_missing(labels)
        if missing:
            told = f"No label that can be read for: {', '.join(missing)}."
            return _answer(labels, list(replies.values()), 0, PARSE, told)
        for key, reply in replies.items():
            self._cache.put(key, reply)
        return _answer(labels, list(replies.values()))

    def _chat(
        self,
        messages: Sequence[prompts.Message],
        number: int,
        replies: dict[str, Reply],
    ) -> Reply:
        """Returns the reply to a request, and adds it to those of the sample.

        It is kept when the sample is complete, so that the next run asks again for what
        could not be read.
        """
        key = digest([self.settings(), list(messages), number])
        replies[key] = self._cache.get(key) or self._endpoint.chat(messages)
        return replies[key]


def _answer(
    labels: dict[str, str | None],
    replies: Sequence[Reply],
    tries: int = 0,
    failure: str | None = None,
    message: str | None = None,
) -> Answer:
    return Answer(
        labels,
        tuple(reply.text for reply in replies[-1:]),
        tries + sum(reply.tries for reply in replies),
        round(sum(reply.latency for reply in replies), 3),
        total([None if r.estimated else r.prompt_tokens for r in replies]),
        total([None if r.estimated else r.completion_tokens for r in replies]),
        failure,
        message,
    )


def total(counts: Sequence[int | None]) -> int | None:
    """Returns a sum, or `None` if a part of it is not known."""
    return None if None in counts else sum(count for count in counts if count)


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

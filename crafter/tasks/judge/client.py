"""Queries a judge: one retry, both orders of a pair, failures recorded as data.

Questions run in parallel and can be resumed. A line is written when an opinion is
complete. Questions with an opinion in the file are not repeated, except failures.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from crafter.llm_client.client import Endpoint, EndpointError
from crafter.tasks.episodes.results import Results
from crafter.tasks.judge import opinions, prompts
from crafter.tasks.judge.answers import parse
from crafter.tasks.judge.evidence import EvidenceSettings, evidence
from crafter.tasks.judge.opinions import MISSING, Opinion, swapped
from crafter.tasks.judge.questions import ENOUGH, FAILED, Question, check_controls
from crafter.tasks.world.records import RecordError

#: Kinds of failure: an incomplete answer, and an attempt that cannot be replayed.
PARSE, RECORD = "parse", "record"

Labels = dict[str, str | None]
#: Labels of a judge, and details: fields of a line.
Answer = tuple[Labels, dict[str, Any]]


class Judge:
    """Model as a judge.

    Args:
      endpoint: The model.
      evidence: Evidence settings.
    """

    def __init__(
        self, endpoint: Endpoint, evidence: EvidenceSettings | None = None
    ) -> None:
        self._endpoint, self.evidence = endpoint, evidence or EvidenceSettings()

    def header(self, kind: str) -> dict[str, Any]:
        """Returns the header of a file of its opinions, with all settings."""
        settings = self._endpoint.settings()
        del settings["base_url"]
        return opinions.header(
            kind,
            f"judge:{settings['model']}",
            self.evidence.evidence,
            settings=settings,
            look=dataclasses.asdict(self.evidence),
            prompts=prompts.VERSION,
        )

    def put(self, question: Question) -> Opinion:
        """Returns the opinion on a question; after a failure all labels are missing.

        Pairs are judged in both orders; contradictory verdicts become a tie.
        """
        rubric = self.evidence.rubric(question.items[0].task)
        asked = prompts.asked_for(rubric, question.kind)
        try:
            shown = [evidence(item.path, self.evidence) for item in question.items]
        except RecordError as error:
            labels: Labels = dict.fromkeys(asked, MISSING)
            details = {"failure": RECORD, "message": str(error), "tries": 0}
        else:
            orders = [shown] if len(shown) == 1 else [shown, shown[::-1]]
            answers = [
                self._ask(prompts.request(rubric, order), asked, question.kind)
                for order in orders
            ]
            labels, details = answers[0] if len(answers) == 1 else _both(*answers)
            steps = [[frame.step for frame in one.frames] for one in shown]
            details["frames"] = steps[0] if len(steps) == 1 else steps
        left_out: Labels = dict.fromkeys(rubric.not_applicable)
        return question.opinion({**labels, **left_out}, **details)

    def _ask(
        self, messages: Sequence[prompts.Message], asked: Sequence[str], kind: str
    ) -> Answer:
        labels: Labels = dict.fromkeys(asked, MISSING)
        details: dict[str, Any] = {"answer": "", "tries": 0}
        try:
            for _ in range(2):  # one retry, which names the missing labels
                reply = self._endpoint.chat(messages)
                details["answer"] = reply.text
                details["tries"] += reply.tries
                labels = parse(reply.text, asked, kind)
                missing = [name for name in asked if labels[name] == MISSING]
                if not missing:
                    return labels, details
                messages = prompts.correction(messages, reply.text, missing, kind)
        except EndpointError as error:
            details["tries"] += error.tries
            return labels, {**details, "failure": error.kind, "message": str(error)}
        message = f"No readable label for: {', '.join(missing)}."
        return labels, {**details, "failure": PARSE, "message": message}


def _both(one: Answer, other: Answer) -> Answer:
    """Combines the answers to both orders of a pair."""
    there, back = one[0], swapped(other[0])
    both = {name: settled(there[name], back[name]) for name in there}
    details = {**other[1], **one[1]}
    details["answer"] = [x[1]["answer"] for x in (one, other) if x[1]["answer"]]
    details["tries"] = one[1]["tries"] + other[1]["tries"]
    consistent = {name: same for name, (_, same) in both.items()}
    details["consistent"] = {n: x for n, x in consistent.items() if x is not None}
    return {name: verdict for name, (verdict, _) in both.items()}, details


def settled(one: str | None, other: str | None) -> tuple[str | None, bool | None]:
    """Returns the combined verdict of both orders, and whether they agree.

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
    log: Callable[[str], None] = print,
    stop: threading.Event | None = None,
) -> list[Opinion]:
    """Puts the questions without an answer in a file to a judge, and adds the answers.

    Args:
      questions: The questions, all of one kind.
      judge: The judge.
      path: The file of opinions.
      parallel: Number of parallel requests.
      log: Called with a line after each answer.
      stop: Set when the batch is interrupted, which stops further requests.

    Returns:
      The opinions, in the order of the questions.

    Raises:
      tasks.episodes.results.RunError: If the file holds opinions of another judge.
    """
    keys = {question.opinion({}).key: question for question in questions}
    pool = ThreadPoolExecutor(parallel)
    try:
        with Results(path, judge.header(questions[0].kind), Opinion) as file:
            by_key = {x.key: x for x in file.done if "failure" not in x.details}
            todo = [question for key, question in keys.items() if key not in by_key]
            for future in as_completed([pool.submit(judge.put, one) for one in todo]):
                opinion = future.result()
                file.add(opinion)
                by_key[opinion.key] = opinion
                log(f"{len(by_key)}/{len(questions)} {_log_line(opinion)}")
    finally:
        if stop is not None:
            stop.set()
        pool.shutdown(cancel_futures=True)
    return [by_key[key] for key in keys]


def _log_line(opinion: Opinion) -> str:
    details = opinion.details
    words = ", ".join(f"{name} {word}" for name, word in opinion.said.items() if word)
    if "failure" in details:
        words = (
            f"failed: {details['failure']} after {details['tries']} tries: "
            f"{details['message']}"
        )
    return f"{opinion.item} {' | '.join(opinion.agents)}: {words}"


# Summary of a batch.


def failures(answers: Iterable[Opinion]) -> collections.Counter[str]:
    """Returns kind of failure -> count."""
    kinds = (opinion.details.get("failure") for opinion in answers)
    return collections.Counter(kind for kind in kinds if kind is not None)


def summary(answers: Sequence[Opinion]) -> list[str]:
    """Returns a summary of the opinions of a judge, line by line."""
    items = [opinion for opinion in answers if opinion.control is None]
    failed = failures(answers)
    lines = [f"{len(items)} items and {len(answers) - len(items)} controls."]
    if failed:
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(failed.items()))
        lines.append(
            f"{failed.total()} without a complete answer: {counts} ({PARSE}: no "
            "readable label). They count as missing."
        )
    right, count = check_controls(answers)
    if count:
        lines.append(f"Controls: {right} of {count} judged as expected.")
    if right < ENOUGH * count:
        lines.append(FAILED)
    if items and items[0].kind == "comparisons":
        same = [x for one in items for x in one.details.get("consistent", {}).values()]
        share = f" ({100 * sum(same) / len(same):.1f} %)" if same else ""
        agreement = f"{sum(same)} of {len(same)} verdicts{share}"
        lines.append(f"Order consistency: {agreement}.")
    return lines

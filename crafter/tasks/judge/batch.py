"""Puts questions to a judge, several at a time, stopped and begun again at will.

A line is written when an opinion is there. What is in the file already is not asked
again, apart from failures. In the end the lines are in the order of the questions.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal
from crafter.tasks.judge import controls, opinions
from crafter.tasks.judge.asking import PARSE, Judge, requests
from crafter.tasks.judge.evidence import Look
from crafter.tasks.judge.opinions import Opinion, OpinionsError, Source
from crafter.tasks.judge.prompts import VERSION
from crafter.tasks.judge.questions import Question


def run(
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
        "prompts": VERSION,
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


# What there is to say of a batch, before and after it.


def cost(questions: Iterable[Question], look: Look) -> str:
    """Returns in words what questions take, without asking any.

    Args:
      questions: The questions.
      look: What is shown.

    Raises:
      crafter.tasks.RecordError: If an attempt cannot be played again.
    """
    texts = [
        json.dumps(messages)
        for question in questions
        for messages in requests(question, look)[1]
    ]
    images = sum(text.count('"type": "image_url"') for text in texts)
    size = sum(map(len, texts)) / 1e6
    return f"{len(texts)} requests, {images} images, about {size:.1f} MB"


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
    right, count = controls.check(found)
    if count:
        lines.append(f"Controls: {right} of {count} judged as expected.")
    if right < controls.ENOUGH * count:
        lines.append(controls.FAILED)
    if own and own[0].kind == "comparisons":
        same = [x for one in own for x in one.details.get("consistent", {}).values()]
        share = f" ({100 * sum(same) / len(same):.1f} %)" if same else ""
        told = f"{sum(same)} of {len(same)} verdicts{share}"
        lines.append(f"Order consistency: {told}.")
    return lines

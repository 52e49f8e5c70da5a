"""Puts questions to a judge, several at a time, stopped and begun again at will.

A line is written when an opinion is there. What is in the file already is not asked
again, apart from failures. In the end the lines are in the order of the questions.
"""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from crafter.core import journal
from crafter.core.journal import Journal
from crafter.tasks import opinions
from crafter.tasks.judge.asking import Judge
from crafter.tasks.judge.evidence import Look
from crafter.tasks.judge.prompts import VERSION
from crafter.tasks.judge.questions import Question
from crafter.tasks.opinions import Comparison, OpinionsError, Rating, Source


def source_of(judge: Judge, kind: str, look: Look) -> Source:
    """Returns the header of a file of opinions: whose they are, and on what ground."""
    settings = judge.settings()
    details = {
        "settings": settings,
        "look": dataclasses.asdict(look),
        "repeat": judge.repeat,
        "prompts": VERSION,
    }
    return Source(kind, f"judge:{settings['model']}", look.evidence, details)


def run(
    questions: Sequence[Question],
    judge: Judge,
    look: Look,
    path: str | os.PathLike,
    parallel: int = 4,
    say: Callable[[str], None] = print,
    stop: threading.Event | None = None,
) -> list[Any]:
    """Asks all questions that are not answered in a file, and completes it.

    Args:
      questions: What is asked; all of one kind.
      judge: Who is asked.
      look: What is shown.
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
    head = source_of(judge, questions[0].kind, look)
    found = _resume(path, head)
    todo = [question for question in questions if question.key not in found]
    with Journal(path) as file:
        for opinion in _answers(todo, judge, look, parallel, stop or threading.Event()):
            file.append(opinions.line(opinion, head).rstrip("\n"))
            found[opinion.key] = opinion
            say(f"{len(found)}/{len(questions)} {_told(opinion)}")
    ordered = [found.pop(question.key) for question in questions]
    opinions.write(path, head, [*ordered, *found.values()])
    return ordered


def _resume(path: str | os.PathLike, head: Source) -> dict[Any, Any]:
    """Begins a file, or drops from it what has to be asked again; returns the rest."""
    if not journal.read(path):
        opinions.write(path, head, [])
        return {}
    known, there = opinions.read(path)
    if opinions.header_line(known) != opinions.header_line(head):
        raise OpinionsError(
            f"{os.fspath(path)} holds opinions of another judge, or with other "
            f"settings: {opinions.header_line(known).strip()}. Choose another file, or "
            "the same settings to go on."
        )
    kept = {x.key: x for x in there if x.details.get("failure") is None}
    opinions.write(path, head, kept.values())
    return kept


def _answers(
    questions: Sequence[Question],
    judge: Judge,
    look: Look,
    parallel: int,
    stop: threading.Event,
) -> Iterator[Rating | Comparison]:
    """Yields opinions as they come."""
    rest = iter(questions)
    pool = ThreadPoolExecutor(parallel)
    running: set[Future[Rating | Comparison]] = set()
    try:
        while True:
            for question in rest:
                running.add(pool.submit(question.put, judge, look))
                if len(running) >= parallel:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        stop.set()
        pool.shutdown(wait=not running, cancel_futures=True)


def _told(opinion: Rating | Comparison) -> str:
    who = opinion.agent if isinstance(opinion, Rating) else f"{opinion.a} | {opinion.b}"
    said: Mapping[str, Any]
    if isinstance(opinion, Rating):
        said = opinion.labels
    else:
        said = {**opinion.outcomes, "overall": opinion.overall}
    words = ", ".join(f"{name} {word}" for name, word in said.items() if word)
    failure = opinion.details.get("failure")
    if failure is not None:
        tries = opinion.details["tries"]
        words = f"failed: {failure} after {tries} tries: {opinion.details['message']}"
    return f"{opinion.item} {who}: {words}"

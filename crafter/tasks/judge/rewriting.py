"""Criteria in the words of a model, kept in a file with the hash of what it was asked.

What a file holds is used as it is: it is never made again without being asked for.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
from collections.abc import Iterator

from crafter.llm_client.client import Endpoint
from crafter.tasks.catalogue import Task
from crafter.tasks.dimensions import MOST, checked_lines
from crafter.tasks.judge.asking import digest
from crafter.tasks.judge.criteria import (
    CriteriaError,
    Rubric,
    criteria,
    from_yaml,
)
from crafter.tasks.judge.prompts import Message

_TRIES = 2


def prompt(rubric: Rubric) -> list[Message]:
    """Returns what a model is asked."""
    told = (
        "These are criteria for judging attempts at a task in the game Crafter. Say "
        "them more clearly and closer to the task, for a judge who sees pictures of an "
        "attempt. Change no meaning, no number and no order, and add no demand.\n\n"
        f"Task: {rubric.text}\n\n"
        f"{json.dumps({k: list(v) for k, v in rubric.lines.items()}, indent=1)}\n\n"
        f"Answer with one JSON object of the same form, 1 to {MOST} lines for each of "
        f"{', '.join(rubric.lines)}, and nothing else."
    )
    return [{"role": "user", "content": told}]


def rewritten(rubric: Rubric, endpoint: Endpoint) -> Rubric:
    """Returns criteria in the words of a model.

    Raises:
      CriteriaError: If it answers twice with something else.
      crafter.llm_client.client.EndpointError: If the endpoint does not answer.
    """
    messages = prompt(rubric)
    for _ in range(_TRIES):
        text = endpoint.chat(messages).text
        for lines in _candidates(text):
            if set(lines) == set(rubric.lines):
                made = {"model": endpoint.model, "prompt_sha256": digest(messages)}
                return dataclasses.replace(rubric, lines=lines, provenance=made)
    raise CriteriaError(
        f"{rubric.task}: the model gave no criteria for {list(rubric.lines)}: "
        f"{text[:200]!r}."
    )


def _candidates(text: str) -> Iterator[dict[str, tuple[str, ...]]]:
    """Yields what objects of JSON in a text are lines of criteria."""
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", text):
        try:
            value = decoder.raw_decode(text, match.start())[0]
            yield checked_lines(value)
        except (ValueError, RecursionError):
            continue


def path_of(task: Task, folder: str | os.PathLike) -> pathlib.Path:
    """Returns the file of the criteria of a task in a folder."""
    return (
        pathlib.Path(folder) / f"{re.sub(r'[^A-Za-z0-9_]+', '_', task.name)[:80]}.yaml"
    )


def write(
    task: Task, folder: str | os.PathLike, endpoint: Endpoint | None = None
) -> pathlib.Path | None:
    """Writes the criteria of a task to a folder, unless they are there.

    Args:
      task: The task.
      folder: The folder.
      endpoint: The model that rewrites them; `None` to write them as they are.

    Returns:
      The file, or `None` if it is there already and fits.

    Raises:
      CriteriaError: If it is there and was made of other criteria or another prompt;
        remove it to have it made again.
    """
    rubric, path = criteria(task), path_of(task, folder)
    asked = None if endpoint is None else digest(prompt(rubric))
    if path.exists():
        if read(path).provenance.get("prompt_sha256") == asked and (
            endpoint is not None or read(path) == rubric
        ):
            return None
        raise CriteriaError(
            f"{path} holds criteria that were made in another way. Remove it to have "
            "them made again."
        )
    if endpoint is not None:
        rubric = rewritten(rubric, endpoint)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(rubric.as_yaml(), "utf-8")
    os.replace(unfinished, path)
    return path


def read(path: str | os.PathLike) -> Rubric:
    """Returns the criteria in a file.

    Raises:
      CriteriaError: If it holds none.
    """
    try:
        return from_yaml(pathlib.Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, CriteriaError) as error:
        raise CriteriaError(f"{os.fspath(path)}: {error}") from None


def rubric_of(task: Task, folder: str | os.PathLike | None = None) -> Rubric:
    """Returns the criteria of a task, those of a folder where it has them.

    Raises:
      CriteriaError: If the file in the folder belongs to another goal.
    """
    if folder is None or not path_of(task, folder).exists():
        return criteria(task)
    found = read(path_of(task, folder))
    if found.goal != task.expression:
        raise CriteriaError(
            f"{path_of(task, folder)}: expected criteria for {task.expression}, they "
            f"are for {found.goal}."
        )
    return found

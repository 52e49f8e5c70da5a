"""HTML pages on which people rate or compare attempts."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pathlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.reporting.page import document
from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge import opinions
from crafter.tasks.judge.criteria import asked, criteria
from crafter.tasks.judge.evidence import EvidenceSettings, evidence
from crafter.tasks.judge.questions import Question
from crafter.tasks.world import records

_DATA = pathlib.Path(__file__).parents[1] / "data"
_TITLES = {"ratings": "Rate attempts", "comparisons": "Compare attempts"}
_CHOICES = {"A": "left", "B": "right", "tie": "equal", "both_bad": "both bad"}
_NONE = {"value": "none", "text": "does not apply", "none": True}


def write(
    questions: Sequence[Question],
    folder: str | os.PathLike,
    count: int | None = None,
    seed: int = 0,
) -> pathlib.Path:
    """Writes a page.

    Args:
      questions: The questions, all of one kind.
      folder: The folder to write.
      count: Number of randomly chosen items; by default all.
      seed: Seed of the order of items and sides.

    Returns:
      The page, `index.html` in the folder.

    Raises:
      RecordError: If a record cannot be replayed.
    """
    rng = random.Random(seed)
    chosen = rng.sample(questions, len(questions))[:count]
    place = pathlib.Path(folder)
    (place / "media").mkdir(parents=True, exist_ok=True)
    paths = dict.fromkeys(item.path for one in chosen for item in one.items)
    shown = {path: _draw(n, path, place) for n, path in enumerate(paths)}
    items = [_item(one, shown, rng.random() < 0.5) for one in chosen]
    data = _data(questions[0].kind, items, seed)
    payload = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    body, style = ((_DATA / f"page.{x}").read_text("utf-8") for x in ("html", "css"))
    page = document(_TITLES[questions[0].kind], body.replace("%DATA%", payload), style)
    (place / "index.html").write_text(page, "utf-8")
    return place / "index.html"


def _draw(number: int, path: str, place: pathlib.Path) -> list[dict[str, Any]]:
    """Writes the frames of an attempt; returns their steps and files."""
    frames = []
    for frame in evidence(path, EvidenceSettings()).frames:
        name = f"media/{number:04d}-{frame.step:05d}.png"
        (place / name).write_bytes(frame.png)
        frames.append({"step": frame.step, "file": name})
    return frames


def _item(
    question: Question, shown: Mapping[str, Sequence[Any]], turned: bool
) -> dict[str, Any]:
    first, *second = question.items
    turned = turned and bool(second)
    about = question.opinion({})
    hidden = json.dumps({**about.about(), **about.details}).encode()
    rubric = criteria(first.task)
    steps = records.read(first.path).header.budget
    return {
        "key": hashlib.sha256(hidden).hexdigest()[:16],
        "text": rubric.text[:1].upper() + rubric.text[1:],
        "hint": f"At most {steps} steps. What is there at the start is no progress.",
        "criteria": {
            **{name: list(own) for name, own in rubric.lines.items()},
            **{name: [why] for name, why in rubric.not_applicable.items()},
        },
        "hidden": base64.b64encode(hidden).decode(),
        "turned": turned,
        "shown": [shown[item.path] for item in question.items[:: -1 if turned else 1]],
    }


def _data(kind: str, items: Sequence[Mapping[str, Any]], seed: int) -> dict[str, Any]:
    data = {
        "head": opinions.header(kind, "", "frames", seed=seed),
        "questions": _questions(kind),
        "items": list(items),
    }
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    return {"id": digest[:16], **data}


def _questions(kind: str) -> list[dict[str, Any]]:
    choices = {label: label for label in LABELS} if kind == "ratings" else _CHOICES
    options = [{"value": value, "text": text} for value, text in choices.items()]
    questions: list[dict[str, Any]] = [
        {
            "name": name,
            "title": name.replace("_", " ").capitalize(),
            "hint": asked()[name],
            "options": [*options, _NONE],
        }
        for name in DIMENSIONS
    ]
    if kind == "comparisons":
        hint = "Which attempt is better, all things considered?"
        last = {"name": "overall", "title": "In all", "hint": hint, "options": options}
        questions.append(last)
    return questions

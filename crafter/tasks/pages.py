"""Pages on which people rate attempts, or compare two: a folder for any browser."""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import json
import math
import os
import pathlib
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PIL import Image

from crafter.tasks import opinions, records
from crafter.tasks.catalogue import named
from crafter.tasks.dimensions import DIMENSIONS, LABELS
from crafter.tasks.frames import MOST, frames
from crafter.tasks.judge.criteria import criteria, words
from crafter.tasks.replay import task_of
from crafter.tasks.report.attempts import Row

_TEMPLATE = pathlib.Path(__file__).parent / "data" / "page.html"
KINDS = ("rate", "compare")
#: Width and height of a picture in pixels, and pictures in a row of an image.
SIZE, COLUMNS = 288, 8

#: Scale of difficulty -> what people are asked, from 1 to 5.
SCALES = {
    "time": "How much time does the task take?",
    "creativity": "How much does it ask for ideas?",
    "novelty": "How rarely does it happen in play?",
    "intricacy": "How exact does one have to be?",
    "diversity": "How much is there to see and to tell apart?",
}
_CHOICES = {"A": "left", "B": "right", "tie": "equal", "both_bad": "both bad"}
_NONE = {"value": "none", "text": "does not apply", "none": True}


#: What tells an attempt from others.
Key = tuple[str, str, str]


def write(
    kind: str,
    rows: Sequence[Row],
    folder: str | os.PathLike,
    count: int | None = None,
    seed: int = 0,
    scales: bool = False,
    size: int = SIZE,
    most: int = MOST,
    tasks: Iterable[str] = (),
) -> pathlib.Path:
    """Writes a page.

    Args:
      kind: `rate` or `compare`.
      rows: Attempts, of which those with records are shown.
      folder: Where it is written.
      count: How many items there are, drawn at random; by default all.
      seed: Of the order of the items and of the sides.
      scales: Whether people are also asked how difficult the task is.
      size: Width and height of a picture, in pixels.
      most: Most pictures of an attempt.
      tasks: Task files, for the words and the criteria of tasks that are not in the
        catalogue.

    Returns:
      The page, `index.html` in the folder.

    Raises:
      ValueError: If the kind is unknown, the count is not positive, or there is nothing
        to show.
      RecordError: If a record cannot be played again.
    """
    if kind not in KINDS:
        raise ValueError(f"Expected a page to {' or '.join(KINDS)}, got {kind!r}.")
    if count is not None and count < 1:
        raise ValueError(f"count must be at least 1, got {count}.")
    recorded = [row for row in rows if row.record is not None]
    groups = _singles(recorded) if kind == "rate" else _twos(recorded)
    if not groups:
        raise ValueError(
            "There are no recorded attempts to show"
            + (" of two agents on one scene" if kind == "compare" else "")
            + "; make them with crafter-tasks run --record."
        )
    rng = random.Random(seed)
    rng.shuffle(groups)
    groups = groups[:count]
    place = pathlib.Path(folder)
    (place / "media").mkdir(parents=True, exist_ok=True)
    shown = _draw({_key(row): row for g in groups for row in g}, place, size, most)
    sources = named(tasks)
    items = [_item(group, shown, rng.random() < 0.5, sources) for group in groups]
    data = _data(kind, items, seed, scales, size)
    title = {"rate": "Rate attempts", "compare": "Compare attempts"}[kind]
    (place / "index.html").write_text(_page(title, data), "utf-8")
    return place / "index.html"


def _singles(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    return [(row,) for row in rows]


def _twos(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    scenes: dict[str, dict[str, Row]] = {}
    for row in rows:
        scenes.setdefault(f"{_id(row)}/{row.scene}", {})[row.agent] = row
    return [
        (own[a], own[b])
        for own in scenes.values()
        for a, b in itertools.combinations(sorted(own), 2)
    ]


def _id(row: Row) -> str:
    return f"{row.task}/{row.level}/{row.index}"


def _draw(
    rows: Mapping[Key, Row], place: pathlib.Path, size: int, most: int
) -> dict[Key, dict[str, Any]]:
    """Writes an image per attempt, with its pictures in rows of `COLUMNS`."""
    found = {}
    for number, (key, row) in enumerate(rows.items()):
        assert row.record is not None
        drawn = list(frames(row.record, size, most))
        lines = math.ceil(len(drawn) / COLUMNS)
        image = Image.new("RGB", (size * COLUMNS, size * lines))
        for n, (_, picture) in enumerate(drawn):
            corner = (size * (n % COLUMNS), size * (n // COLUMNS))
            image.paste(Image.fromarray(picture), corner)
        name = f"media/{number:04d}.png"
        image.quantize(255, dither=Image.Dither.NONE).save(place / name, optimize=True)
        found[key] = {"file": name, "steps": [step for step, _ in drawn]}
    return found


def _key(row: Row) -> Key:
    return (_id(row), row.scene, row.agent)


def _item(
    group: tuple[Row, ...],
    shown: Mapping[Key, Mapping[str, Any]],
    turned: bool,
    sources: Mapping[str, str],
) -> dict[str, Any]:
    first = group[0]
    assert first.record is not None
    task = task_of(records.read(first.record).header, first.record, sources)
    if task is None:
        raise ValueError(f"{first.record}: the attempt has no task.")
    fixed = {
        "item": _id(first),
        "task": first.task,
        "category": first.category,
        "level": first.level,
        "scene": first.scene,
    }
    if len(group) == 1:
        own, turned = {"agent": first.agent, "attempt": 0}, False
    else:
        own = dict(zip("ab", (row.agent for row in group)))
    sides = group[::-1] if turned else group
    hidden = json.dumps({**fixed, **own}).encode()
    rubric = criteria(task)
    lines = {name: list(own) for name, own in rubric.lines.items()}
    lines |= {name: [why] for name, why in rubric.not_applicable.items()}
    return {
        "key": hashlib.sha256(hidden).hexdigest()[:16],
        "text": rubric.text[:1].upper() + rubric.text[1:],
        "hint": f"At most {first.budget} steps. What is there at the start is no "
        "progress.",
        "criteria": lines,
        "hidden": base64.b64encode(hidden).decode(),
        "turned": turned,
        "shown": [shown[_key(row)] for row in sides],
    }


def _data(
    kind: str, items: Sequence[Mapping[str, Any]], seed: int, scales: bool, size: int
) -> dict[str, Any]:
    name = {"rate": "ratings", "compare": "comparisons"}[kind]
    head = {"format": opinions.FORMAT, "kind": name, "source": "", "evidence": "both"}
    data = {
        "head": {**head, "evidence": "frames", "seed": seed},
        "size": size,
        "columns": COLUMNS,
        "questions": _questions(kind, scales),
        "items": list(items),
    }
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    return {"id": digest[:16], **data}


def _questions(kind: str, scales: bool) -> list[dict[str, Any]]:
    said = {label: label for label in LABELS} if kind == "rate" else _CHOICES
    options = [{"value": value, "text": text} for value, text in said.items()]
    found = [
        {
            "name": name,
            "title": name.replace("_", " ").capitalize(),
            "hint": words()["dimensions"][name],
            "options": [*options, _NONE],
        }
        for name in DIMENSIONS
    ]
    if kind == "compare":
        hint = "Which attempt is better, all things considered?"
        last = {"name": "overall", "title": "In all", "hint": hint, "options": options}
        found.append(last)
    numbers = [{"value": str(n), "text": str(n)} for n in range(1, 6)]
    for name, hint in SCALES.items() if scales else ():
        title = f"Difficulty: {name}"
        one = {"name": name, "title": title, "hint": f"{hint} 1 is least, 5 most."}
        found.append({**one, "options": numbers, "scale": True})
    return found


def _page(title: str, data: Mapping[str, Any]) -> str:
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    template = _TEMPLATE.read_text("utf-8")
    return template.replace("%TITLE%", html.escape(title)).replace("%DATA%", text)

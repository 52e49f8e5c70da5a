"""Scenes and verdicts of the catalogue are those that were recorded."""

from __future__ import annotations

import gzip
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import golden_tasks as golden
import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "tasks"
JUDGES = {"random": golden.random_verdicts, "solutions": golden.solution_verdicts}
#: Every how many recorded scenes and episodes the quick tests make again.
SOME = [97, pytest.param(1, marks=pytest.mark.slow)]


def _lines() -> list[dict[str, Any]]:
    with gzip.open(FOLDER / "verdicts.jsonl.gz", "rt") as stream:
        return [json.loads(line) for line in stream]


def _key(values: Sequence[Any]) -> golden.Key:
    task, level, index = values
    return task, level, index


@pytest.mark.parametrize("every", SOME)
def test_scenes(every: int) -> None:
    keys = golden.keys(golden.SCENES)
    hashes = np.load(FOLDER / "scenes.npz")["hashes"]
    assert len(keys) == len(hashes)
    recorded = dict(zip(keys[::every], hashes[::every].tolist()))
    assert {key: golden.scene_hash(key) for key in recorded} == recorded


@pytest.mark.parametrize("every", SOME)
def test_verdicts(every: int) -> None:
    lines = _lines()
    assert sum(len(line["verdicts"]) for line in lines) >= 5000
    for line in lines[::every]:
        found = JUDGES[line["part"]](_key(line["key"]))
        assert found == line["verdicts"], (line["part"], line["key"])

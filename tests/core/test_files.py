"""Untrusted files are read within limits, or refused in a line."""

from __future__ import annotations

import gzip
import io
import os
import zipfile

import numpy as np
import pytest
from PIL import Image

from crafter.core import files, journal, npz
from crafter.core.pictures import Pack, TextureError
from crafter.core.ruleset import RulesError
from crafter.games.crafter.rules import load
from crafter.scoring.files import load_runs
from crafter.scoring.runs import RunError
from crafter.tasks import Task, TaskFileError

TENFOLD = "a0: &a0 [x, x]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]\n" for n in range(9)
)


@pytest.mark.parametrize(
    "text, why",
    [
        (TENFOLD, "with aliases expanded, it has more than"),
        ("a: &a [*a]\n", "or contains itself"),
        ("a: " + "[" * 20_000, "nest"),
        ("[" * 200 + "]" * 200, "nested more than 100 deep"),
        ("a: " + "9" * 5001, "integer"),
        ("x" * (2**23 + 1), "characters; at most"),
    ],
    ids=["aliases", "itself", "brackets", "depth", "digits", "length"],
)
def test_yaml_that_grows_is_refused(text, why, tmp_path):
    path = tmp_path / "given.yaml"
    path.write_text(text)
    with pytest.raises(RulesError, match=why):
        load(path)
    with pytest.raises(TaskFileError):
        Task(path)


def test_aliases_as_people_use_them_are_read():
    text = "common: &c {wood: 1}\ntable: *c\nfurnace: {<<: *c, stone: 1}\n---\n- 1\n"
    (first, second) = files.read_yaml(text)
    assert first["furnace"] == {"wood": 1, "stone": 1} and first["table"] == {"wood": 1}
    assert second == [1]


def test_files_that_unpack_without_end_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 1000)
    path = tmp_path / "runs.json.gz"
    path.write_bytes(gzip.compress(b" " * 1001))
    with pytest.raises(journal.JournalError, match="unpacks to more than 1000 bytes"):
        journal.read_bytes(path)
    with pytest.raises(RunError, match="unpacks to more than 1000 bytes"):
        load_runs([path])
    path.write_bytes(gzip.compress(b" " * 1000))
    assert journal.read_bytes(path) == b" " * 1000
    packed = io.BytesIO()
    np.savez_compressed(packed, zeros=np.zeros(10_000))
    assert len(packed.getvalue()) < 1000
    with pytest.raises(ValueError, match="unpacks to more than .* bytes"):
        npz.read(packed.getvalue())
    packed = io.BytesIO()
    np.savez_compressed(packed, noise=np.random.default_rng(0).bytes(5000))
    assert len(npz.read(packed.getvalue())["noise"].item()) == 5000  # as long games do


def test_an_array_that_claims_more_than_it_holds_is_refused():
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (2**40,)}
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.npy", header.getvalue())
    with pytest.raises(ValueError):
        npz.read(packed.getvalue())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "rules.yaml"
    os.mkfifo(path)
    with pytest.raises(RulesError, match="not a regular file"):
        load(path)
    with pytest.raises(TaskFileError, match="not a regular file"):
        Task(path)


def test_a_texture_of_any_size_is_not_unpacked(tmp_path):
    Image.new("1", (4097, 1)).save(tmp_path / "grass.png")
    with pytest.raises(TextureError, match="at most 4096 pixels .*, got 4097 x 1"):
        Pack(tmp_path, ["grass"], "grass")

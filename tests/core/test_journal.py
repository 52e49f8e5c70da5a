"""Append-only files that survive a kill."""

import subprocess
import sys

import pytest

from crafter.core import journal
from crafter.core.journal import Journal, JournalError

ROWS = [{"n": 0, "text": "é"}, {"n": 1}]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "rows.jsonl"


def fill(path, rows=ROWS):
    with Journal(path) as opened:
        for row in rows:
            opened.append(row)


def test_rows_are_found_again(path):
    assert journal.read(path) == [] and not path.parent.exists()
    fill(path)
    with Journal(path) as opened:
        assert opened.rows == ROWS
        opened.append('{"n":2}', sync=False)
    assert journal.read(path) == [*ROWS, {"n": 2}]
    assert path.read_text("utf-8").endswith('\n{"n":2}\n')


@pytest.mark.parametrize("kept", range(1, 9))
def test_a_torn_end_is_cut_off_at_any_byte(path, kept):
    fill(path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n": 2}\n'[:kept])
    torn = path.read_bytes()
    assert journal.read(path) == ROWS and path.read_bytes() == torn
    with Journal(path) as opened:
        assert opened.rows == ROWS
    assert path.read_bytes() == whole


@pytest.mark.parametrize("line", [b"{", b"[1]", b"\xff", b"[" * 100_000, b""])
def test_a_damaged_line_is_named_and_nothing_is_changed(path, line):
    fill(path)
    damaged = path.read_bytes() + line + b'\n{"n": 2}\n{'
    path.write_bytes(damaged)
    for reader in (journal.read, Journal):
        with pytest.raises(JournalError, match=r"rows\.jsonl: line 3 "):
            reader(path)
    assert path.read_bytes() == damaged


OPEN = """
import sys
from crafter.core import journal
try:
    with getattr(journal, sys.argv[1])(sys.argv[2]): pass
except journal.JournalError as error:
    sys.exit(str(error))
"""


@pytest.mark.skipif(journal.fcntl is None, reason="no locks")
@pytest.mark.parametrize("name", ["Journal", "locked"])
def test_a_second_process_is_refused(path, name):
    path.parent.mkdir()
    place = str(path if name == "Journal" else path.parent)
    command = [sys.executable, "-c", OPEN, name, place]
    with getattr(journal, name)(place):
        refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"{place} is in use by another process")
    assert refused.stderr.count("\n") == 1
    subprocess.run(command, check=True)


KILLED = """
import os, sys
from crafter.core.journal import Journal
with Journal(sys.argv[1]) as opened:
    opened.append({"n": 0}, sync=False)
    os.kill(os.getpid(), 9)
"""


def test_a_killed_process_leaves_its_rows_and_no_lock(path):
    command = [sys.executable, "-c", KILLED, str(path)]
    assert subprocess.run(command).returncode != 0
    with Journal(path) as opened:
        assert opened.rows == [{"n": 0}]


@pytest.mark.parametrize("content", ["é", b"\xff"])
def test_files_are_replaced_as_a_whole_or_not_at_all(path, monkeypatch, content):
    journal.replace(path, "old")
    journal.replace(path, content)
    want = content.encode() if isinstance(content, str) else content
    monkeypatch.setattr(journal.os, "fsync", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        journal.replace(path, "new")
    assert path.read_bytes() == want
    assert list(path.parent.iterdir()) == [path]

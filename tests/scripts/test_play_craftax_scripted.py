"""Tests of scripts/play_craftax_scripted.py: results and files of results."""

from __future__ import annotations

import json

import play_craftax_scripted as program
import pytest


def test_a_game_that_is_cut_off_is_out_of_time():
    row = program.play(3, "repaired", 20)
    assert (row["result"], row["steps"]) == ("out of time", 20)
    assert row["deepest"] == 0 and row["cause"] == ""


def test_only_rows_of_the_same_rules_are_read(tmp_path):
    rows = [{"seed": 4, "rules": "repaired"}, {"seed": 5, "rules": "published"}]
    path = tmp_path / "rows.jsonl"
    assert program._read(path, "repaired") == {}
    path.write_text("\n".join(map(json.dumps, rows)))
    assert program._read(path, "repaired") == {4: rows[0]}


def test_results_are_counted_and_averaged():
    rows = [
        dict.fromkeys(program._COLUMNS, 0) | {"cause": "", "result": result}
        for result in ("won", "died")
    ]
    rows[0]["deepest"] = 8
    assert program._table(rows).endswith("won 1 of 2, deepest floor 4.0")


@pytest.mark.parametrize("argument", ["--worlds", "--rules"])
def test_the_help_names_the_arguments(argument, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["play_craftax_scripted.py", "--help"])
    with pytest.raises(SystemExit):
        program.main()
    assert argument in capsys.readouterr().out

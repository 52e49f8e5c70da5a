"""Tests of scripts/play_craftax_scripted.py: starts, results and files of results."""

from __future__ import annotations

import json

import play_craftax_scripted as program
import pytest


def test_a_game_that_is_cut_off_is_out_of_time():
    row = program.play(3, "repaired", 20)
    assert (row["result"], row["steps"], row["start"]) == (
        "out of time",
        20,
        "overworld",
    )
    assert row["deepest"] == 0 and row["cause"] == ""


def test_the_boss_start_is_on_the_last_floor():
    row = program.play(3, "repaired", 5, boss=True)
    assert (row["deepest"], row["floor"], row["start"]) == (8, 8, "boss")


def test_only_rows_of_the_same_rules_and_start_are_read(tmp_path):
    rows = [
        {"seed": seed, "rules": rules, "start": start}
        for seed, (rules, start) in enumerate(
            [("repaired", "overworld"), ("repaired", "boss"), ("published", "boss")]
        )
    ]
    path = tmp_path / "rows.jsonl"
    assert program._read(path, "repaired", "boss") == {}
    path.write_text("\n".join(map(json.dumps, rows)))
    assert program._read(path, "repaired", "boss") == {1: rows[1]}


def test_results_are_counted_and_averaged():
    rows = [
        dict.fromkeys(program._COLUMNS, 0) | {"cause": "", "result": result}
        for result in ("won", "died")
    ]
    rows[0]["deepest"] = 8
    assert program._table(rows).endswith("won 1 of 2, deepest floor 4.0")


@pytest.mark.parametrize("argument", ["--worlds", "--boss", "--rules"])
def test_the_help_names_the_arguments(argument, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["play_craftax_scripted.py", "--help"])
    with pytest.raises(SystemExit):
        program.main()
    assert argument in capsys.readouterr().out

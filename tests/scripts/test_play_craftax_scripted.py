"""Results of scripts/play_craftax_scripted.py."""

from __future__ import annotations

import json

import play_craftax_scripted as program


def test_a_game_that_is_cut_off_is_out_of_time():
    row = program.play(3, "repaired", 20)
    assert (row["result"], row["steps"]) == ("out of time", 20)
    assert row["deepest"] == 0 and row["cause"] == ""


def test_worlds_of_the_same_rules_are_not_played_again(tmp_path, capsys, monkeypatch):
    rows = [
        dict.fromkeys(program._COLUMNS, 0)
        | {"seed": seed, "rules": rules, "cause": "", "result": "won", "deepest": 8}
        for seed, rules in ((4, "repaired"), (5, "published"))
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    options = ["--first", "4", "--worlds", "2", "--steps", "20", "--out", str(path)]
    monkeypatch.setattr("sys.argv", ["", *options])
    program.main()
    assert capsys.readouterr().out.endswith("won 1 of 2, deepest floor 4.0\n")
    *before, new = map(json.loads, path.read_text().splitlines())
    assert before == rows
    assert (new["seed"], new["rules"], new["steps"]) == (5, "repaired", 20)

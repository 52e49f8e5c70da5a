"""The command crafter-lm."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
from recorded import interrupt

from crafter.llm_client import commands
from crafter.lm import cli, rules, tutorial


def call(capsys, *arguments):
    code = cli.main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def test_texts(capsys):
    for words, told in {
        "rules": rules(),
        "rules --tutorial": tutorial(),
        "rules --level brief": rules("brief"),
    }.items():
        assert call(capsys, *words.split())[1].out == f"{told}\n"
    code, streams = call(capsys, "parse", "left x2, chop tree")
    assert code == commands.FINE
    assert streams.out == "actions: move_left, move_left, do\n"
    code, streams = call(capsys, "parse", "jump")
    assert code == commands.NEGATIVE and "error: unknown at 0" in streams.out


def test_people_play_and_go_on(capsys, tmp_path, monkeypatch):
    typed = io.StringIO("rules\nleft x2\njump\nquit\n")
    monkeypatch.setattr("sys.stdin", typed)
    code, streams = call(capsys, "play", "--seed", 3)
    assert code == commands.FINE
    for told in ("Recipes", "Step 2 of", "Unknown action 'jump'"):
        assert told in streams.out
    assert streams.out.rstrip().endswith("0 achievements: none.")
    assert "Legend:" in streams.out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert call(capsys, "play")[0] == commands.FINE
    run = ["run", "--agent", "human", "--protocol", "balrog", "--rollouts", 1]
    run += ["--cap-actions", 2, "--out", tmp_path]
    monkeypatch.setattr("sys.stdin", io.StringIO("left\n"))
    code, streams = call(capsys, *run)
    assert code == commands.INTERRUPTED and "Traceback" not in streams.err
    monkeypatch.setattr("sys.stdin", io.StringIO("do\n"))
    assert call(capsys, *run)[0] == commands.FINE


def test_a_run_from_end_to_end(capsys, tmp_path):
    # Shortened to 2 rollouts of 60 actions; summary, verify and board.
    runs = {}
    for agent in ("random", "scripted"):
        runs[agent] = tmp_path / agent
        run = f"run --agent {agent} --protocol crafter-lm-v1 --rollouts 2".split()
        run += ["--cap-actions", 60, "--parallel", 2, "--out", runs[agent]]
        code, streams = call(capsys, *run)
        assert code == commands.FINE
        assert streams.out.startswith(f"# {agent} on crafter-lm-v1*")
        assert streams.err.count("rollout") == 2
        written = json.loads((runs[agent] / "summary.json").read_text())
        assert written["scores"]["rollouts"] == 2
    both = list(runs.values())
    assert "# scripted on" in call(capsys, "summary", *both)[1].out
    assert len(json.loads(call(capsys, "summary", "--json", *both)[1].out)) == 2
    code, streams = call(capsys, "verify", runs["random"])
    assert code == commands.NEGATIVE and "it was changed" in streams.out
    text = call(capsys, "board", *both)[1].out
    assert text.startswith("# Leaderboard") and "batch, macros, rules brief" in text
    assert text.index("| scripted |") < text.index("| random |")
    assert call(capsys, "board", "--html", *both)[1].out.count("<tr>") == 3
    for by in ("steps", "calls", "tokens"):
        rows = call(capsys, "summary", "--curve", by, runs["scripted"])[1].out
        assert rows.startswith(f"protocol,agent,{by},achievements\n")
        assert "crafter-lm-v1*,scripted,0,0.0\n" in rows


def test_exit_codes(capsys, tmp_path, monkeypatch):
    run = ["run", "--agent", "noop", "--protocol", "balrog", "--rollouts", 1]
    run += ["--cap-actions", 6]
    code, streams = call(capsys, *run, "--out", tmp_path, "--max-calls-total", 3)
    assert code == commands.INCOMPLETE and "suspended" in streams.err
    code, streams = call(capsys, *run, "--out", tmp_path, "--seeds", 5)
    assert code == commands.USAGE and "other protocol" in streams.err
    assert call(capsys, *run, "--out", tmp_path)[0] == commands.FINE
    assert call(capsys, "summary", tmp_path / "none")[0] == commands.USAGE
    with pytest.raises(SystemExit) as caught:
        cli.main(["run"])
    assert caught.value.code == commands.USAGE
    run[2] = "oracle"
    code, streams = call(capsys, *run, "--out", tmp_path / "out")
    assert code == commands.USAGE and "needs a task" in streams.err
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr("crafter.lm.cli.rules", interrupt)
    assert call(capsys, "rules")[0] == commands.INTERRUPTED


def test_missing_packages_and_settings(capsys, tmp_path, monkeypatch):
    for name in ("BASE_URL", "MODEL"):
        monkeypatch.delenv(f"CRAFTER_LM_{name}", raising=False)
    run = ["run", "--agent", "react", "--protocol", "crafter-lm-v1", "--out", tmp_path]
    code, streams = call(capsys, *run)
    assert code == commands.USAGE and "--base-url" in streams.err
    monkeypatch.setitem(__import__("sys").modules, "httpx2", None)
    code, streams = call(
        capsys, *run, "--base-url", "http://127.0.0.1:1", "--model", "m"
    )
    assert code == commands.MISSING and "pip install 'crafter[lm]'" in streams.err


def test_a_reader_that_has_seen_enough():
    # As in `crafter-lm rules | head -1`.
    command = [sys.executable, "-m", "crafter.lm", "rules", "--level", "full"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    assert process.wait(60) == commands.FINE
    assert process.stderr.read() == ""
    process.stderr.close()

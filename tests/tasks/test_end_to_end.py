"""From scenes to a report: every command once, over the suite `smoke`."""

from __future__ import annotations

import json

import pytest
from chat_server import Server
from stub_judges import honest

from crafter.tasks import cli, opinions

for package in ("scipy", "matplotlib", "httpx2"):
    pytest.importorskip(package, reason="needs crafter[analysis,lm]")

pytestmark = pytest.mark.slow
AGENTS = ("noop", "scout")


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Recorded and scored runs of two agents."""
    folder = tmp_path_factory.mktemp("runs")
    for agent in AGENTS:
        out = str(folder / agent)
        run = ["run", "--suite", "smoke", "--agent", agent, "--out", out]
        assert cli.main([*run, "--record", "--quiet"]) == 0
        assert cli.main(["score", out, "--quiet"]) == 0
    return folder


def test_scenes_are_generated_and_verified(tmp_path):
    pack, proofs = str(tmp_path / "pack.jsonl"), str(tmp_path / "proofs.jsonl")
    simple = ["--difficulty", "simple", "--count", "1"]
    assert cli.main(["generate", "place_table", *simple, "--out", pack]) == 0
    tasks = ["--tasks", "place_table", "--levels", "simple", "--scenes", "1"]
    assert cli.main(["verify", proofs, *tasks]) == 0
    assert cli.main(["verify", proofs, "--replay"]) == 0


def test_from_runs_to_a_report(scored, tmp_path, capsys):
    runs = [str(scored / agent) for agent in AGENTS]
    rated, judged = str(tmp_path / "rated.jsonl"), str(tmp_path / "judged.jsonl")
    with Server(then=honest) as server:
        ask = ["--evidence", "events", "--base-url", server.url, "--model", "stub"]
        ask.append("--quiet")
        assert cli.main(["judge", "rate", *runs, "--out", rated, *ask]) == 0
        assert cli.main(["judge", "compare", *runs, "--out", judged, *ask]) == 0
    pairs = str(tmp_path / "pairs.jsonl")
    assert cli.main(["compare", *runs, "--out", pairs]) == 0
    assert len(opinions.read(pairs)[1]) == len(opinions.read(judged)[1]) == 10
    capsys.readouterr()
    for path in (pairs, judged):
        assert cli.main(["ratings", path, "--json"]) == 0
        best = json.loads(capsys.readouterr().out.splitlines()[0])
        assert best["agent"] == "scout"
    assert cli.main(["agree", judged, pairs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["common"] == 10
    assert cli.main(["agree", rated, str(scored), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["common"] == 20
    out = tmp_path / "report"
    words = ["report", *runs, "--out", str(out), "--opinions", rated, judged]
    assert cli.main(words) == 0
    text = (out / "report.md").read_text("utf-8")
    assert "Ratings of judge:stub" in text and "Agreement with the scores" in text
    shown = list((out / "examples").glob("*.gif"))
    assert shown and all(path.name in text for path in shown)
    page = (out / "report.html").read_text("utf-8")
    assert page.count("<img") == text.count("![")


def test_shards_give_the_same_report(scored, tmp_path, capsys):
    run = ["run", "--suite", "smoke", "--agent", "noop", "--out", str(tmp_path)]
    for shard in ("2/2", "1/2"):
        assert cli.main([*run, "--quiet", "--record", "--shard", shard]) == 0
    assert cli.main(["score", str(tmp_path), "--quiet"]) == 0
    for table in ("success", "tasks", "scores", "failures"):
        texts = []
        for folder in (scored / "noop", tmp_path):
            capsys.readouterr()
            assert cli.main(["report", str(folder), "--table", table]) == 0
            texts.append(capsys.readouterr().out)
        assert texts[0] == texts[1]

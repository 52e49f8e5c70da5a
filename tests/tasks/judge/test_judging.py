"""Batches of ratings and comparisons, with judges that stand in for a model."""

from __future__ import annotations

import base64
import io
import json
import pathlib
import shlex
import threading

import pytest
from chat_server import Server
from PIL import Image
from stub_judges import always, at_random, honest, parts_of, text_of

from crafter.llm_client.client import Endpoint
from crafter.llm_client.stub import completion
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.cli import main
from crafter.tasks.judge import opinions
from crafter.tasks.judge.client import Judge, ask
from crafter.tasks.judge.evidence import SIZE, EvidenceSettings
from crafter.tasks.judge.questions import FAILED, items_of, questions_of

pytest.importorskip("httpx2", reason="needs crafter[lm]")
KEY = "sk-very-secret-1234"


def judge(kind, server, out, *files, more=()):
    """Run the command with events as evidence; return its exit code."""
    command = ["judge", kind, *map(str, files), "--out", str(out), "--evidence"]
    command += ["events", "--base-url", server.url, "--model", "stub", "--quiet"]
    return main([*command, *map(str, more)])


def test_an_honest_judge_rates_attempts_and_passes_its_controls(
    attempts, tmp_path, capsys
):
    out = tmp_path / "ratings.jsonl"
    with Server(then=honest) as server:
        assert judge("rate", server, out, attempts, more=["--controls", attempts]) == 0
    head, found = opinions.read(out)
    assert (head["kind"], head["source"]) == ("ratings", "judge:stub")
    assert head["evidence"] == "events" and "base_url" not in head["settings"]
    own = opinions.gather([out])
    assert len(own) == 6 and len(found) == 12
    solved = {one.item: one.said for one in own if one.agents == ("oracle",)}
    idle = [one.said["task_progress"] for one in own if one.agents == ("noop",)]
    assert idle == ["very poor"] * 3
    labels = solved["make_wood_pickaxe/simple/0"]
    assert set(labels) == set(DIMENSIONS) and labels["task_progress"] == "excellent"
    assert solved["collect_drink/simple/0"]["material_usage"] is None
    one = own[0].details
    assert one["tries"] == 1 and one["frames"] == []
    assert json.loads(one["answer"])["task_progress"]["evidence"] == ["seen"]
    told = capsys.readouterr().out
    assert "Controls: 6 of 6 judged as expected." in told and FAILED not in told


def test_an_honest_judge_compares_in_both_orders(attempts, tmp_path, capsys):
    out = tmp_path / "c.jsonl"
    with Server(then=honest) as server:
        files = (attempts / "noop", attempts / "oracle")
        assert judge("compare", server, out, *files, more=["--controls", attempts]) == 0
    pairs = opinions.gather([out])
    for one in pairs:
        assert one.agents == ("noop", "oracle") and one.said["overall"] == "B"
        applies = [name for name, word in one.said.items() if word is not None]
        assert one.details["consistent"] == dict.fromkeys(applies, True)
        assert one.details["tries"] == len(one.details["answer"]) == 2
    assert len(pairs) == 3
    told = capsys.readouterr().out
    assert "Controls: 6 of 6 judged as expected." in told and "(100.0 %)" in told
    # Each pair was shown in both orders; two equal attempts are a control.
    own = [b for b in server.requests if "Make a wood pickaxe" in text_of(b)]
    parts = [tuple("verdict DONE" in part for part in parts_of(b)) for b in own]
    assert set(parts) == {(False, True), (True, False), (True, True)}
    assert parts.count((True, True)) == 2


@pytest.mark.parametrize(
    "kind, who",
    [
        ("rate", at_random),
        ("rate", always("excellent")),
        ("compare", at_random),
        ("compare", always("tie")),
        ("compare", always("A")),
    ],
)
def test_a_judge_that_does_not_look_fails_its_controls(
    attempts, tmp_path, capsys, kind, who
):
    more = ["--controls", attempts]
    with Server(then=who) as server:
        assert judge(kind, server, tmp_path / "r.jsonl", attempts, more=more) == 0
    assert FAILED in capsys.readouterr().out


def test_a_report_says_how_the_judge_did(attempts, tmp_path):
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    from crafter.reporting.page import Page
    from crafter.tasks.report.write import add_opinions

    out, page = tmp_path / "r.jsonl", Page()
    with Server((404, {}, {}), then=always("good")) as server:
        more = ["--controls", attempts, "--parallel", 1]
        assert judge("rate", server, out, attempts, more=more) == 4
    add_opinions(page, [out])
    told = [part.markdown for part in page.parts]
    assert f"**{FAILED}**" in told
    assert "6 items and 6 controls." in told
    assert any("1 without a complete answer: status 1" in text for text in told)


# Requests.


@pytest.mark.parametrize(
    "more, steps, there, absent",
    [
        (
            ["--evidence", "both"],
            [0, 1, 2],
            [
                "The attempt, 2 steps of at most 150, in 3 pictures:",
                "3 wood in the inventory. This was given by the task and is no",
                "A key step, unless it was given: place a table.",
                "The attempt, after step 2:\nstep 2: make_wood_pickaxe",
            ],
            [],
        ),
        (
            ["--no-criteria", "--every", "30"],
            [0, 2],
            ["wood pickaxe", "Which key steps of the task"],
            ["A key step", "criteria", "step 2: make_wood_pickaxe"],
        ),
    ],
)
def test_what_is_shown(attempts, tmp_path, more, steps, there, absent):
    path, out = attempts / "oracle" / "attempts" / "00002.jsonl.gz", tmp_path / "r"
    with Server(then=honest) as server:
        command = ["judge", "rate", str(path), "--out", str(out), *more, "--quiet"]
        assert main([*command, "--base-url", server.url, "--model", "vision"]) == 0
    (body,), (one,) = server.requests, opinions.gather([out])
    assert (body["model"], body["temperature"]) == ("vision", 0.0)
    assert body["response_format"] == {"type": "json_object"}
    content = body["messages"][0]["content"]
    urls = [p["image_url"]["url"] for p in content if p["type"] == "image_url"]
    for url in urls:
        png = base64.b64decode(url.removeprefix("data:image/png;base64,"))
        assert Image.open(io.BytesIO(png)).size == (SIZE, SIZE)
    assert one.details["frames"] == steps and len(urls) == len(steps)
    assert all(part in text_of(body) for part in there)
    assert not any(part in text_of(body) for part in absent)
    assert set(one.said) == set(DIMENSIONS)


def test_the_key_is_sent_and_never_written(attempts, tmp_path, capsys, monkeypatch):
    command = ["judge", "rate", str(attempts), "--out", str(tmp_path / "r.jsonl")]
    assert main(command) == 2  # nothing is asked without an address
    assert "CRAFTER_JUDGE_BASE_URL" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
    monkeypatch.setenv("CRAFTER_JUDGE_API_KEY", KEY)
    with Server((400, {}, {"error": f"no {KEY}"}), then=honest) as server:
        monkeypatch.setenv("CRAFTER_JUDGE_BASE_URL", server.url)
        monkeypatch.setenv("CRAFTER_JUDGE_MODEL", "stub")
        assert main([*command, "--evidence", "events"]) == 0
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert KEY.encode() not in written and KEY not in str(capsys.readouterr())


# Endpoints that misbehave.


def one_rating(attempts, tmp_path, *script, then=honest, more=()):
    """Rate one attempt; return the exit code, the opinion and the server."""
    out = tmp_path / "r.jsonl"
    path = attempts / "oracle" / "attempts" / "00001.jsonl.gz"
    with Server(*script, then=then) as server:
        code = judge("rate", server, out, path, more=more)
    (found,) = opinions.gather([out])
    return code, found, server


def test_an_answer_that_cannot_be_read_is_asked_for_again(attempts, tmp_path):
    part = '{"task_progress": "good", "action_control": "splendid"}'
    bad = (200, {}, completion(part))
    code, found, server = one_rating(attempts, tmp_path, bad, bad)
    told = server.requests[1]["messages"]
    assert [message["role"] for message in told] == ["user", "assistant", "user"]
    assert told[1]["content"] == part
    assert "no label that can be read for: action_control" in told[2]["content"]
    assert '"very poor"' in told[2]["content"]
    # What was understood is kept, what was not is missing and nothing else.
    assert code == 4 and len(server.requests) == 2
    assert found.said["task_progress"] == "good"
    assert found.said["action_control"] == "missing"
    assert found.details["failure"] == "parse" and found.details["answer"] == part
    # The same command makes up for it.
    code, found, server = one_rating(attempts, tmp_path, bad)  # then an honest one
    assert code == 0 and found.said["task_progress"] == "excellent"
    assert found.details["tries"] == len(server.requests) == 2


def test_a_failure_is_a_line_with_its_kind_and_tries(
    attempts, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("crafter.llm_client.client.DELAYS", (0.0,))
    busy, more = (503, {"Retry-After": "0"}, {}), ["--retries", 2]
    code, found, _ = one_rating(attempts, tmp_path, then=busy, more=more)
    assert code == 4 and set(found.said.values()) <= {"missing", None}
    assert (found.details["failure"], found.details["tries"]) == ("status", 3)
    assert "1 without a complete answer: status 1" in capsys.readouterr().out


# Going on.


def test_an_interrupted_batch_goes_on_and_ends_alike(attempts, tmp_path, capsys):
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    with Server(then=honest) as server:
        assert judge("rate", server, whole, attempts) == 0
        asked_before = len(server.requests)
        lines = whole.read_text().splitlines(True)
        # Two lines in another order, and one that was cut off when it was killed.
        part.write_text(lines[0] + lines[4] + lines[2] + lines[3][:50])
        for _ in range(2):  # the second time nothing is left to ask
            assert judge("rate", server, part, attempts) == 0
            assert len(server.requests) == asked_before + 4
        # Other settings do not mix with what is there.
        assert judge("rate", server, whole, attempts, more=["--temperature", 0.5]) == 2
    assert "has results of other settings" in capsys.readouterr().err
    assert sorted(whole.read_text().splitlines()) == sorted(
        part.read_text().splitlines()
    )


def test_control_c_leaves_what_was_answered(attempts, tmp_path):
    out, told = tmp_path / "r.jsonl", []
    questions = questions_of(items_of([attempts]), "ratings")

    def say(line):
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    stop = threading.Event()
    with Server(then=honest) as server:
        model = Judge(Endpoint(server.url, "m"), EvidenceSettings("events"))
        with pytest.raises(KeyboardInterrupt):
            ask(questions, model, out, 1, say, stop)
        assert stop.is_set() and len(opinions.gather([out])) == 2
        assert len(ask(questions, model, out, 1, told.append)) == 6
    assert told[0].startswith(
        "1/6 collect_drink/simple/0 noop: task_progress very poor"
    )


# Questions.


def test_pairs_are_of_different_agents_on_one_scene(attempts):
    found = questions_of(items_of([attempts]), "comparisons")
    assert [question.items[0].place[0] for question in found] == [
        "collect_drink/simple/0",
        "place_stone/simple/0",
        "make_wood_pickaxe/simple/0",
    ]
    for a, b in (question.items for question in found):
        assert a.place == b.place and a.agent != b.agent
    again = items_of([attempts / "oracle", attempts / "oracle"])
    assert [item.attempt for item in again] == [0, 0, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="No scene has attempts of two agents"):
        questions_of(again, "comparisons")


def test_what_cannot_be_asked_is_refused(attempts, tmp_path, capsys):
    with Server(then=honest) as server:
        with pytest.raises(SystemExit, match="2"):
            judge("rate", server, tmp_path / "r", attempts, more=["--every", 0])
        assert judge("rate", server, tmp_path / "r", tmp_path) == 2
        assert "contains no attempts" in capsys.readouterr().err


def test_the_lines_of_the_documentation_judge(tmp_path, monkeypatch, capsys):
    page = pathlib.Path(__file__).parents[3] / "docs" / "task-runs.md"
    section = page.read_text("utf-8").split("## Judge attempts")[1]
    lines = section.split("```sh\n")[1].split("```")[0].splitlines()
    assert len(lines) == 6
    monkeypatch.chdir(tmp_path)
    with Server(then=honest) as server:
        for line in lines:
            line = line.replace("http://127.0.0.1:8000/v1", server.url)
            words = shlex.split(line)
            if words[0] == "export":
                for setting in words[1:]:
                    monkeypatch.setenv(*setting.split("=", 1))
                continue
            assert words[:3] == ["python", "-m", "crafter.tasks"]
            # The honest judge reads events; it does not see.
            more = ["--evidence", "events"] if words[3] == "judge" else []
            assert main([*words[3:], *more]) == 0
    assert len(opinions.gather(["ratings.jsonl"])) == 10
    assert len(opinions.gather(["comparisons.jsonl"])) == 10
    assert "judged as expected" in capsys.readouterr().out

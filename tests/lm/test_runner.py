"""Runs: logs, going on exactly, budgets, verification, summaries."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from budget import sample
from chat_server import NotingStub
from lm_helpers import run

import crafter
from crafter.core import journal
from crafter.llm_client.client import Budget, Endpoint, EndpointError
from crafter.lm import cli
from crafter.lm.agents.model import make
from crafter.lm.agents.players import (
    NoopAgent,
    RandomUsefulAgent,
    ScriptedAgent,
    answer,
)
from crafter.lm.runs import logs, runner, scores, summary
from crafter.lm.runs.logs import LogError, log_path
from crafter.lm.runs.protocols import PRESETS, from_dict, protocol
from crafter.lm.trainers import Conversation
from crafter.tasks.episodes.suites import suite

ROOT = pathlib.Path(crafter.__file__).parents[1]
#: The only complaint about a changed protocol.
CHANGED = "'crafter-lm-v1*' is no preset: it was changed"


def short(rollouts=2, actions=40, name="crafter-lm-v1", **interface):
    return protocol(
        name, rollouts=rollouts, interface={"max_actions": actions, **interface}
    )


def without_time(folder):
    """Return the content of all logs without what differs between equal runs."""
    found = {}
    for path in sorted(folder.glob("rollout-*.jsonl")):
        lines = journal.read(path)
        for line in lines:
            for name in ("ts", "latency"):
                line.pop(name, None)
            if line["type"] == "run_start":
                del line["versions"]
        found[path.name] = lines
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run of the scripted agent, and its folder."""
    folder = tmp_path_factory.mktemp("run") / "scripted"
    outcomes = run(short(), ScriptedAgent, folder)
    assert all(outcome.finished for outcome in outcomes)
    return folder


@pytest.fixture
def ask():
    """Return what plays a model against a stub and returns the requests."""
    pytest.importorskip("httpx2", reason="needs crafter[lm]")

    def play(policy, made, folder, style="react", **options):
        with NotingStub(policy) as stub:
            agent = lambda: make(style, lambda: Endpoint(stub.url, "stub"))  # noqa: E731
            outcomes = run(made, agent, folder, **options)
        assert all(outcome.finished for outcome in outcomes)
        return stub.requests

    return play


def test_log_lines_are_equal_for_equal_runs(finished, tmp_path):
    lines = journal.read(log_path(finished, 0))
    kinds = [line["type"] for line in lines]
    assert kinds[0] == "run_start" and kinds[-1] == "rollout_end"
    assert set(kinds) == {"run_start", "call", "step", "turn", "rollout_end"}
    assert all(line["v"] == 1 and line["ts"] > 1e9 for line in lines)
    start, end = lines[0], lines[-1]
    assert start["seed"] == PRESETS["crafter-lm-v1"]["seeds"]
    assert {"agent", "protocol", "agent_settings", "versions", "rules"} <= set(start)
    steps = [line for line in lines if line["type"] == "step"]
    assert [line["t"] for line in steps] == list(range(1, end["steps"] + 1))
    assert "digest" in steps[-1]
    assert end["calls"] == kinds.count("call") and end["reason"] == "cap_actions"
    assert end["return"] == pytest.approx(sum(line["reward"] for line in steps))
    assert {"reply", "n", "prompt"} <= first(lines, "call").keys()
    run(short(), ScriptedAgent, tmp_path / "same", parallel=2)
    assert without_time(tmp_path / "same") == without_time(finished)


@pytest.mark.parametrize("agent", sample([ScriptedAgent, RandomUsefulAgent]))
def test_going_on_after_a_cut_at_any_place(agent, tmp_path):
    made = short(1, 30)
    run(made, agent, tmp_path / "whole")
    expected = without_time(tmp_path / "whole")
    data = log_path(tmp_path / "whole", 0).read_bytes()
    rng = random.Random(0)
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "run.json").write_bytes(
            (tmp_path / "whole" / "run.json").read_bytes()
        )
        cut = data[: rng.randrange(len(data))]
        log_path(folder, 0).write_bytes(cut)
        assert all(outcome.finished for outcome in run(made, agent, folder))
        assert without_time(folder) == expected


class Costly(NoopAgent):
    """Says what its calls cost; raises after some calls."""

    def __init__(self, calls=-1):
        self.calls = calls

    def act(self, message):
        self.calls -= 1
        if self.calls == 0:
            raise EndpointError("timeout", "No answer in time.", 5)
        return "noop"

    def last_call(self):
        return {"prompt_tokens": 10, "completion_tokens": 5}


def test_failures_suspend_and_are_logged(tmp_path):
    made = short(1, 8)
    (outcome,) = run(made, lambda: Costly(4), tmp_path)
    assert not outcome.finished and "No answer in time" in outcome.message
    last = journal.read(log_path(tmp_path, 0))[-1]
    assert (last["type"], last["kind"], last["tries"]) == ("failure", "timeout", 5)
    assert run(made, NoopAgent, tmp_path)[0].finished
    kinds = [line["type"] for line in journal.read(log_path(tmp_path, 0))]
    assert kinds.count("failure") == 1 and kinds[-1] == "rollout_end"
    assert summary.summarise(tmp_path)["costs"]["failures"] == 1


def tamper(source, target, change):
    """Copy a run and change the lines of its first log."""
    target.mkdir()
    for path in source.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    path = log_path(target, 0)
    lines = [json.loads(row) for row in path.read_text().splitlines()]
    lines = change(lines) or lines
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return target


def first(lines, kind):
    return next(line for line in lines if line["type"] == kind)


def test_going_on_notices_another_run_and_a_changed_log(finished, tmp_path):
    with pytest.raises(LogError, match="other protocol"):
        run(short(3), ScriptedAgent, finished)
    with pytest.raises(LogError, match="other agent"):
        run(short(), NoopAgent, finished)

    def apply(lines):
        first(lines, "step")["reward"] = 5.0
        return lines[:-1]

    folder = tamper(finished, tmp_path / "x", apply)
    with pytest.raises(LogError, match="does not match the game"):
        run(short(), ScriptedAgent, folder)


@pytest.mark.parametrize("limit", [{"max_calls": 6}, {"max_tokens": 90}])
def test_calls_of_all_rollouts_count_before_the_first_goes_on(limit, tmp_path):
    made = short(3, 5)
    run(made, Costly, tmp_path, budget=Budget(max_calls=9))
    # As after a run in parallel: each rollout has made two calls, the third none.
    for number in (0, 1):
        path = log_path(tmp_path, number)
        rows = path.read_text().splitlines(keepends=True)
        path.write_text("".join(rows[:7]))
        assert len(logs.read_rollout(path).calls) == 2
    log_path(tmp_path, 2).unlink(missing_ok=True)
    outcomes = run(made, Costly, tmp_path, budget=Budget(**limit))
    assert not any(outcome.finished for outcome in outcomes)
    calls = [len(logs.read_rollout(log_path(tmp_path, n)).calls) for n in range(3)]
    assert calls == [4, 2, 0]


def test_an_interrupted_run_waits_for_no_answer(tmp_path):
    pytest.importorskip("httpx2", reason="needs crafter[lm]")
    stop, end = threading.Event(), threading.Event()

    def silent(messages):
        stop.set()
        end.wait(60)
        return "noop"

    with NotingStub(silent) as stub:
        agent = lambda: make(  # noqa: E731
            "react", lambda: Endpoint(stub.url, "stub", timeout=60, stop=stop)
        )
        outcomes = run(short(3, 3), agent, tmp_path, stop=stop)
        assert not end.is_set()
        end.set()
    assert [outcome.message for outcome in outcomes] == 3 * ["interrupted"]
    assert len(stub.requests) == 1
    kinds = [line["type"] for line in journal.read(log_path(tmp_path, 0))]
    assert kinds == ["run_start"]  # an interruption is no failure


# Killed in the middle.


@pytest.mark.parametrize(
    "kills, name",
    [
        (1, "crafter-lm-v1"),
        pytest.param(30, "crafter-lm-v1", marks=pytest.mark.slow),
        pytest.param(4, "craftax-300", marks=pytest.mark.slow),
    ],
)
def test_killed_and_started_again(kills, name, tmp_path, capsys):
    pytest.importorskip("httpx2", reason="needs crafter[lm]")
    rng = random.Random(kills)

    def slowly(messages):
        time.sleep(0.01)
        return answer(messages)

    with NotingStub(slowly) as stub:
        whole, folder = tmp_path / "whole", tmp_path / "killed"
        options = f"run --agent react --protocol {name} --rollouts 2 --cap-actions 12"
        options += f" --model stub --base-url {stub.url} --out "
        assert cli.main(f"{options}{whole}".split()) == 0
        asked = len(stub.requests)
        stub.requests.clear()
        killed, started = 0, f"{options}{folder}".split()
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        while killed < kills:
            before = len(stub.requests)
            later = rng.randrange(2 * asked // kills)  # requests before it is killed
            process = subprocess.Popen(
                [sys.executable, "-m", "crafter.lm", *started],
                env={**os.environ, "PYTHONPATH": path},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while len(stub.requests) <= before + later and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.random() * 0.02)
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
        capsys.readouterr()
        assert cli.main(started) == 0
    assert killed >= kills / 2
    assert without_time(folder) == without_time(whole)
    # No request was repeated but those in flight.
    assert asked <= len(stub.requests) <= asked + killed
    assert f"# react on {name}*" in capsys.readouterr().out


def test_a_whole_run_over_http_with_the_scripted_stub(ask, tmp_path, monkeypatch):
    monkeypatch.setenv("CRAFTER_LM_API_KEY", "sk-secret-77")
    ask(answer, short(2, 40, format="json"), tmp_path, parallel=2)
    found = summary.summarise(tmp_path)
    assert found["costs"]["prompt_tokens"] > 0
    assert not found["rollouts"][0]["estimated"]  # the stub counts them
    assert found["scores"]["progress"]["value"] > 20
    assert list(runner.problems(tmp_path)) == [CHANGED]
    for path in tmp_path.iterdir():
        assert "sk-secret-77" not in path.read_text()
    rollout = found["rollouts"][0]
    calls = logs.read_rollout(log_path(tmp_path, 0)).calls
    for name, number in rollout["achievement_calls"].items():
        spent = sum(map(logs.tokens, calls[:number]))
        assert rollout["achievement_tokens"][name] == spent > 0
    total = sum(len(rollout["achievements"]) for rollout in found["rollouts"])
    assert summary.curve(found, "tokens")[-1][1] == total / 2


@pytest.mark.parametrize("game", sample(["craftax", "crafter"]))
def test_the_stub_plays_both_games_from_any_format(game):
    for format in ("json", "md"):
        talk = Conversation(game=game, seed=1, format=format, max_calls=12)
        messages = [{"role": "user", "content": talk.opening}]
        while not talk.done:
            reply = answer(messages)
            told = talk.reply(reply).text
            messages += [{"role": "assistant", "content": reply}]
            messages += [{"role": "user", "content": told}]
        assert talk.metrics()["invalid_calls"] == 0 and talk.aci.steps_taken >= 12


def test_agents_that_need_pictures_get_them(ask, tmp_path):
    with pytest.raises(ValueError, match="vision needs pictures.*--images"):
        ask(answer, short(1, 3), tmp_path / "blind", "vision")
    assert not (tmp_path / "blind").exists()
    for name, words in [("crafter-lm-v1", True), ("crafter-lm-v1-image", False)]:
        made = short(1, 3, name, images=True)
        requests = ask(answer, made, tmp_path / name, "vision")
        assert len(requests) == 3
        for request in requests:
            told, picture = request["messages"][-1]["content"]
            assert told["text"].startswith("Step ")
            assert ("Health" in told["text"]) == words
            assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    assert list(runner.problems(tmp_path / "crafter-lm-v1")) == [CHANGED]


def test_nothing_is_written_of_what_cannot_be_played(tmp_path):
    for wrong, told in [
        ({"format": "html"}, "Unknown format"),
        ({"max_calls": 0}, "max_calls must be an integer of at least 1"),
        ({"task": "fly"}, "fly"),
    ]:
        with pytest.raises(ValueError, match=told):
            run(short(1, 3, **wrong), NoopAgent, tmp_path / "run")
        assert not (tmp_path / "run").exists()


# Verification.


def shorten(monkeypatch, name, rollouts, **interface):
    """Make a preset with fewer rollouts and other limits: `short`."""
    preset = {**PRESETS[name], "rollouts": rollouts}
    preset["interface"] = {**preset["interface"], **interface}
    monkeypatch.setitem(PRESETS, "short", preset)


@pytest.fixture
def valid(tmp_path, monkeypatch):
    """Return a finished run of an unchanged, short protocol."""
    shorten(monkeypatch, "craftaxlm-150", 4, max_actions=12)
    run(protocol("short"), NoopAgent, tmp_path / "valid")
    return tmp_path / "valid"


def change(kind, **fields):
    """Return a change of the first line of a kind that has these fields."""

    def apply(lines):
        found = (line for line in lines if line["type"] == kind)
        next(line for line in found if fields.keys() <= line.keys()).update(fields)

    return apply


CHANGES = [
    change("call", reply="do"),
    change("step", reward=1.0),
    change("step", digest="0" * 16),
    change("rollout_end", achievements={"collect_diamond": 3}),
    change("run_start", seed=9),
    lambda lines: lines[:-1],
]


def test_verify(valid, tmp_path):
    assert list(runner.problems(valid)) == []
    for number, apply in enumerate(CHANGES):
        (problem,) = runner.problems(tamper(valid, tmp_path / str(number), apply))
        assert "rollout-000" in problem
    log_path(valid, 3).unlink()
    assert [p for p in runner.problems(valid) if "missing" in p]
    path = valid / "run.json"
    header = json.loads(path.read_text())
    header["protocol"]["interface"]["allow_undo"] = True
    path.write_text(json.dumps({**header, "rules": "other"}))
    told = " ".join(runner.problems(valid))
    assert "settings are not those" in told and "other rules" in told


#: Prompts, token counts and models play no part in the game.
UNSEEN = [
    (change("call", prompt=[]), "the prompt of call 1 does not match"),
    (change("call", prompt_tokens=1), "the checksum does not match"),
    (change("rollout_end", checksum="0" * 16), "the checksum does not match"),
    (change("run_start", agent_settings={}), "belongs to another run"),
]


@pytest.mark.slow
def test_verify_sees_what_steps_do_not_show(ask, tmp_path, monkeypatch):
    shorten(monkeypatch, "crafter-lm-v1", 1, max_calls=4)
    for style in ("react", "plan"):
        ask(answer, protocol("short"), tmp_path / style, style)
        assert list(runner.problems(tmp_path / style)) == []
    for number, (apply, told) in enumerate(UNSEEN):
        changed = tamper(tmp_path / "react", tmp_path / str(number), apply)
        (problem,) = runner.problems(changed)
        assert told in problem


@pytest.mark.slow
def test_packed_runs_that_were_changed(valid, tmp_path):
    file = tmp_path / "run.jsonl.gz"
    logs.pack(valid, file)
    lines = [json.loads(row) for row in gzip.decompress(file.read_bytes()).splitlines()]
    first(lines[1:], "call")["reply"] = "do"
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    file.write_bytes(gzip.compress(text))
    (problem,) = runner.problems(file)
    assert "rollout-000" in problem
    for content in (b"", b"no gzip", gzip.compress(b"{"), gzip.compress(b"null")):
        file.write_bytes(content)
        (problem,) = runner.problems(file)
        assert "is not a packed run" in problem or "is damaged" in problem
    log_path(valid, 1).write_bytes(log_path(valid, 1).read_bytes()[:-9])
    with pytest.raises(LogError, match="is not complete"):
        logs.pack(valid, file)


# Protocols.


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    made = protocol(name)
    told = made.as_dict()
    assert made.name == name
    assert made.suite or len(made.seeds) == PRESETS[name]["rollouts"]
    assert made.score in (*scores.FORMULAS, scores.RETURN, scores.SUCCESS)
    assert from_dict(json.loads(json.dumps(told))).as_dict() == told
    aci = made.make_interface(made.seeds[0])
    assert aci.max_actions or aci.max_calls


def test_protocols_of_suites_have_a_rollout_for_each_attempt():
    made = protocol("tasks-smoke-lm")
    attempts = suite(made.suite).entries
    assert made.seeds == tuple(range(len(attempts)))
    assert made.make_interface(9).task_env.task.name == attempts[9].task
    assert protocol("tasks-smoke-lm", rollouts=10).name == "tasks-smoke-lm"
    assert protocol("tasks-smoke-lm", rollouts=3).name == "tasks-smoke-lm*"
    assert protocol("tasks-smoke-lm", seeds=[9, 0]).seeds == (9, 0)


# Summaries.


def test_summary(finished, tmp_path):
    found = summary.summarise(finished)
    assert found["complete"] and len(found["rollouts"]) == 2
    table = scores.reached(
        [list(r["achievements"]) for r in found["rollouts"]],
        crafter.constants.achievements,
    )
    assert found["scores"] == scores.summary(
        table, [r["return"] for r in found["rollouts"]]
    )
    wood = found["achievements"]["collect_wood"]
    steps = [r["achievements"]["collect_wood"] for r in found["rollouts"]]
    assert wood["rate"] == 1.0 and wood["median_step"] == sum(steps) / 2
    text = summary.markdown(found)
    assert "| craftaxlm (main) |" in text and scores.WARNING in text
    assert "Ends: cap_actions 2." in text
    points = summary.curve(found)
    assert points[0] == (0, 0.0)
    assert points[-1][1] == sum(len(r["achievements"]) for r in found["rollouts"]) / 2
    assert [y for _, y in points] == sorted(y for _, y in points)
    assert summary.curve(found, "calls")[-1][1] == points[-1][1]
    assert summary.curve(found, "tokens")[-1] == (0, points[-1][1])  # it asks nobody
    with pytest.raises(LogError, match="has no readable run.json"):
        summary.summarise(tmp_path)
    run(short(1, 5), NoopAgent, tmp_path, budget=Budget(max_calls=2))
    with pytest.raises(LogError, match="no finished rollout"):
        summary.summarise(tmp_path)

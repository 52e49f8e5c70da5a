"""Whatever a model writes is read within bounded work, and no log of it is stuck."""

from __future__ import annotations

import json
import time

import hostile
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lm_helpers import ReplayAgent, run

from crafter.lm import CrafterACI, parse
from crafter.lm.agents.base import Message
from crafter.lm.agents.model import ModelAgent
from crafter.lm.runs import runner, summary
from crafter.lm.runs.logs import LogError, log_path
from crafter.lm.runs.protocols import protocol


@given(hostile.TEXTS | hostile.VALUES, st.booleans())
def test_any_reply_is_understood_or_refused(reply, indices):
    start = time.process_time()
    result = parse(reply, indices=indices)
    assert result.actions or result.error
    assert time.process_time() - start < 5  # seconds; it takes milliseconds


@pytest.mark.parametrize(
    "reply, kind",
    [
        ('{"action":' * 700 + '"noop"' + "}" * 700, "bad_json"),
        ('{"count":20,"actions":' * 6 + "[]" + "}" * 6, "empty"),
        ("\u00a0" * 16000 + "X", "unknown"),
        ("left\ud800", "unknown"),
        ("x" * 200_001, "too_long"),
        ("9" * 5000, "unknown"),
        ("[" + "9" * 5000 + "]", "unknown"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_replies_that_once_did_harm(reply, kind):
    error = parse(reply).error
    assert error.kind == kind
    error.message.encode(), error.piece.encode()  # can be written
    assert len(error.message) < 600


def test_repetitions_of_lists():
    nested = {"actions": [{"actions": ["left", "do"], "count": 3}, "up"], "count": 2}
    once = ["move_left", "do"] * 3 + ["move_up"]
    assert list(parse(nested).actions) == once * 2
    assert parse({"actions": nested, "count": 2}).error.kind == "too_many"


def test_notebooks_are_found_in_linear_time():
    agent, message = ModelAgent(None, "plan"), Message("", {})
    agent.recall(message, "<notebook>" * 100_000)
    assert agent.notebook == ""
    agent.recall(message, "<notebook>a</notebook> <NOTEBOOK> b </NOTEBOOK>")
    assert agent.notebook == "b"


# Runs of hostile replies.


def played(folder, said, name="crafter-lm-v1", **interface):
    settings = {"max_calls": len(said), "invalid_limit": 999, **interface}
    made = protocol(name, rollouts=1, interface=settings)
    assert run(made, lambda: ReplayAgent(said), folder)[0].finished
    return made


def _go_on(folder, made):
    run(made, lambda: ReplayAgent(["noop"] * 9), folder)


#: What reads the logs of a run.
USES = (
    lambda folder, made: summary.markdown(summary.summarise(folder)),
    _go_on,
    lambda folder, made: list(runner.problems(folder)),
)


def test_damaged_logs_are_refused_or_read_but_never_crash(tmp_path):
    made = played(tmp_path, ["left x3", "jump", "do", '{"action": "up"}'])
    path, header = log_path(tmp_path, 0), tmp_path / "run.json"
    log, first = path.read_bytes(), header.read_bytes()
    changed = hostile.mutated(json.loads(first))
    changed = changed.map(lambda data: json.dumps(data, default=repr).encode())
    pairs = st.tuples(st.just(first), hostile.damaged_lines(log)) | st.tuples(
        changed | hostile.damaged_bytes(first), st.just(log)
    )

    @given(pairs)
    def check(pair):
        for use in USES:
            header.write_bytes(pair[0])
            path.write_bytes(pair[1])
            try:
                use(tmp_path, made)
            except ValueError as error:  # LogError is one
                assert len(str(error)) < 5000

    check()


def test_ends_and_headers_that_are_none(tmp_path):
    made = played(tmp_path, ["noop"])
    log = log_path(tmp_path, 0)
    *lines, end = log.read_text("utf-8").splitlines()
    end = json.dumps({**json.loads(end), "achievements": 0})
    log.write_text("\n".join([*lines, end, ""]), "utf-8")
    with pytest.raises(LogError, match="is damaged"):
        _go_on(tmp_path, made)
    path = tmp_path / "run.json"
    for text in ("null", "{", '{"protocol": 1}'):
        path.write_text(text)
        for use in USES[:2]:
            with pytest.raises(LogError):
                use(tmp_path, made)


@pytest.mark.parametrize("game", ["crafter", "craftax"])
@settings(max_examples=settings.default.max_examples // 2)
@given(st.lists(hostile.TEXTS, min_size=30, max_size=30))
def test_hostile_replies_never_stop_a_game(game, said):
    aci = CrafterACI(game=game, seed=3, invalid_limit=None, stop_on="none")
    for text in said:
        turn = aci.act(text)
        assert turn.text.encode() and (turn.steps or turn.error)
        if aci.done:
            aci.reset(next=True)


def test_what_an_agent_says_can_always_be_written_and_resumed(tmp_path):
    said = ["\ud800", '{"action":' * 700 + '"noop"' + "}" * 700, "left"]
    made = played(tmp_path, said)
    path = log_path(tmp_path, 0)
    whole = path.read_text()
    assert "\\ud800" not in whole
    rows = whole.splitlines(keepends=True)
    last = max(i for i, row in enumerate(rows) if json.loads(row)["type"] == "call")
    path.write_text("".join(rows[: last + 1]))
    assert run(made, lambda: ReplayAgent(said), tmp_path)[0].finished
    old, new = (json.loads(text.splitlines()[-1]) for text in (whole, path.read_text()))
    assert {**old, "ts": 0} == {**new, "ts": 0}

"""The client against endpoints that misbehave, all on loopback."""

from __future__ import annotations

import json
import threading
import time

import pytest
from budget import sample
from chat_server import GOOD, Server

from crafter.llm_client.client import (
    DELAYS,
    Budget,
    BudgetSpent,
    Endpoint,
    EndpointError,
)
from crafter.llm_client.stub import Stub, completion

pytest.importorskip("httpx2", reason="needs crafter[lm]")

MESSAGES = [{"role": "user", "content": "Hello there, what now?"}]
KEY = "sk-very-secret-1234"


def endpoint(url, key=KEY, **settings):
    slept = []
    settings = {"sleep": slept.append, "timeout": 2, **settings}
    return Endpoint(url, "model-x", key, **settings), slept


def answered(*script, **settings):
    """Return the reply to a chat with a server."""
    with Server(*script) as server:
        return endpoint(server.url, **settings)[0].chat(MESSAGES)


def failure(*script, match=None, **settings):
    """Return the error of a chat with a server, and the server."""
    with Server(*script) as server, pytest.raises(EndpointError, match=match) as caught:
        endpoint(server.url, **settings)[0].chat(MESSAGES)
    return caught.value, server


def test_a_good_answer():
    answer = {**GOOD, "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    with Server((200, {}, answer)) as server:
        made, _ = endpoint(server.url, extra={"top_p": 1, "seed": 5, "max_tokens": 9})
        reply = made.chat(MESSAGES)
    assert (reply.text, reply.tries) == ("Action: do", 1)
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 3)
    assert not reply.estimated and not reply.cut
    fields = {"model": "model-x", "temperature": 0.0, "seed": 5, "max_tokens": 9}
    assert server.requests == [{**fields, "top_p": 1, "messages": MESSAGES}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("count", [1.5, "7", None])
def test_tokens_that_are_not_counted_are_estimated_and_marked(count):
    usage = {"prompt_tokens": count, "completion_tokens": 3}
    for answer in (GOOD, {**GOOD, "usage": usage}):
        reply = answered((200, {}, answer))
        length = len(MESSAGES[0]["content"])
        assert reply.estimated and reply.prompt_tokens == length // 4


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_passing_errors_are_repeated(status):
    with Server((status, {}, {}), (status, {}, {})) as server:
        made, slept = endpoint(server.url)
        assert made.chat(MESSAGES).tries == 3
    assert len(slept) == 2
    for waited, delay in zip(slept, DELAYS):
        assert delay <= waited <= 1.25 * delay


def test_retry_after_is_obeyed_up_to_a_minute():
    script = [(429, {"Retry-After": after}, {}) for after in ("1", "9999", "tomorrow")]
    with Server(*script) as server:
        made, slept = endpoint(server.url)
        made.chat(MESSAGES)
    assert slept[:2] == [1.0, 60.0] and DELAYS[2] <= slept[2] <= 1.25 * DELAYS[2]


def test_giving_up():
    error, server = failure(*[(503, {}, {})] * 9, match="Status 503")
    assert (error.kind, error.tries) == ("status", len(DELAYS) + 1)
    assert len(server.requests) == len(DELAYS) + 1
    assert failure(*[(503, {}, {})] * 9, retries=6)[0].tries == 7


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_lasting_errors_are_not_repeated(status):
    answer = status, {}, {"error": f"no picture, key {KEY}"}
    error, server = failure(answer, match=f"Status {status}")
    assert len(server.requests) == 1 and error.tries == 1 and error.kind == "status"
    assert KEY not in str(error) and "***" in str(error)


def test_no_connection():
    with Server() as server:
        made, slept = endpoint(server.url)
    with pytest.raises(EndpointError) as caught:
        made.chat(MESSAGES)
    assert caught.value.kind == "connection" and len(slept) == len(DELAYS)


def test_too_slow():
    def slow(handler):
        time.sleep(1.5)

    reply = answered(slow, timeout=0.3)
    assert reply.text == "Action: do" and reply.tries == 2


def test_cut_off_body():
    def cut(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "5000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')

    assert answered(cut).tries == 2


def choice(**fields):
    return {"choices": [{"message": fields, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    "body",
    [
        *(b"not json", b"", b"<html>busy</html>", b"\xff\xfe", {}, [], b"[" * 200_000),
        *({"choices": []}, {"choices": [{}]}, {"choices": None}),
        {"choices": [{"message": "x"}]},
        *(choice(content=content) for content in (None, "", "  ", 5)),
        choice(content=None, tool_calls=[{"id": "1"}]),
    ],
)
def test_malformed_answers_are_repeated_once(body):
    assert answered((200, {"Content-Type": "text/html"}, body)).tries == 2
    told = "calls tools" if "tool_calls" in str(body) else None
    error, _ = failure(*[(200, {}, body)] * 2, match=told)
    assert (error.kind, error.tries) == ("malformed", 2)


def test_answers_cut_off_at_their_limit():
    long = completion("I think that")
    long["choices"][0]["finish_reason"] = "length"
    reply = answered((200, {}, long), (200, {}, long))
    assert reply.cut and reply.tries == 2 and reply.text == "I think that"


# Answers that do harm.


def trickle(of, seconds=30):
    """Return an answer that comes in small pieces for a long time."""

    def send(handler):
        end = time.monotonic() + seconds
        try:
            if of == "body":
                handler.send_response(200)
                handler.send_header("Content-Length", "100000")
                handler.end_headers()
            else:
                handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while time.monotonic() < end:
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass  # the client has gone, as it should

    return send


@pytest.mark.parametrize("of", sample(["body", "headers"]))
def test_an_answer_that_trickles_meets_the_deadline(of):
    with Server(*[trickle(of)] * 9) as server:
        made, _ = endpoint(server.url, timeout=0.3)
        with pytest.raises(EndpointError, match=r"within 0\.3 seconds") as caught:
            made.chat(MESSAGES)
        assert (caught.value.kind, caught.value.tries) == ("timeout", 5)
        server.script.clear()
        assert made.chat(MESSAGES).text == "Action: do"


def test_a_key_in_an_answer_is_blotted_out():
    assert answered((200, {}, completion(f"Action: do {KEY}"))).text == "Action: do ***"
    # A short one spoils no reply.
    said = "Action: move_left x20, do"
    for key in ("x", "0", "a", "left x2"):
        assert answered((200, {}, completion(said)), key=key).text == said
    # Also where only its beginning would be shown.
    error, _ = failure((400, {}, b"x" * 190 + KEY.encode() * 3))
    assert KEY[:5] not in str(error)
    made = Endpoint("http://127.0.0.1:1", "m", KEY, extra={"user": KEY})
    assert KEY not in json.dumps(made.settings())


def test_an_answer_does_not_steer_the_terminal():
    error, _ = failure((400, {}, b"\x1b[2J\x1b]0;title\x07\r\nno"))
    assert str(error).isprintable() and str(error).endswith("no")


def test_halves_of_characters_are_replaced():
    with Server((200, {}, completion("left \ud800"))) as server:
        made, _ = endpoint(server.url)
        assert made.chat(MESSAGES).text == "left ?"
        assert made.chat([{"role": "user", "content": "\udfff"}]).text == "Action: do"


def test_addresses_that_cannot_be_used():
    for url in ("127.0.0.1:8000", "ftp://x"):
        with pytest.raises(EndpointError) as caught:
            Endpoint(url, "m")
        assert caught.value.kind == "settings"
    Endpoint("http://127.0.0.1:1", "m", "sk-with-a-line-break\n")


def test_settings_from_the_environment(monkeypatch):
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"CRAFTER_LM_{name}", raising=False)
    with pytest.raises(EndpointError, match="--base-url.*CRAFTER_LM_BASE_URL"):
        Endpoint(None, "m")
    monkeypatch.setenv("CRAFTER_LM_BASE_URL", "http://user:pass@127.0.0.1:1/v1/")
    with pytest.raises(EndpointError, match="--model"):
        Endpoint()
    monkeypatch.setenv("CRAFTER_LM_MODEL", "m")
    monkeypatch.setenv("CRAFTER_LM_API_KEY", KEY)
    told = json.dumps(Endpoint().settings())
    assert '"http://127.0.0.1:1/v1"' in told and KEY not in told and "pass" not in told
    made = Endpoint("http://me:secret@[::1]:80/v1", "m")
    assert made.settings()["base_url"] == "http://[::1]:80/v1"


def test_proxies_are_not_used_for_loopback(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Stub(lambda messages: "Action: noop") as stub:
        assert Endpoint(stub.url, "m").chat(MESSAGES).text == "Action: noop"


def test_the_stub_streams():
    import httpx2

    body = {"messages": MESSAGES, "stream": True}
    with Stub(lambda messages: "Action: do,\n noop") as stub:
        answer = httpx2.post(f"{stub.url}/chat/completions", json=body)
    *events, last = [line[6:] for line in answer.text.split("\n\n")[:-1]]
    choices = [json.loads(event)["choices"][0] for event in events]
    text = "".join(choice["delta"].get("content", "") for choice in choices)
    assert text == "Action: do,\n noop" and last == "[DONE]"
    assert choices[-1]["finish_reason"] == "stop"


def test_requests_are_paced():
    slept = []
    budget = Budget(per_minute=30, clock=lambda: sum(slept), sleep=slept.append)
    for _ in range(3):
        budget.wait()
    assert slept == [2.0, 2.0]
    Budget().wait()


def test_a_stopped_endpoint_sends_nothing_more():
    stop = threading.Event()

    def refuse(handler):
        stop.set()
        handler.send_response(503)
        handler.end_headers()

    with Server(refuse) as server:
        made, _ = endpoint(server.url, sleep=None, stop=stop)
        for tries in (1, 0):  # instead of a repetition, and from then on
            with pytest.raises(EndpointError, match="stopped") as caught:
                made.chat(MESSAGES)
            assert (caught.value.kind, caught.value.tries) == ("stopped", tries)
    assert len(server.requests) == 1


@pytest.mark.parametrize("limit", [{"max_calls": 2}, {"max_tokens": 100}])
def test_budget(limit):
    budget = Budget(**limit)
    budget.start_call()
    budget.add(100, 1)
    with pytest.raises(BudgetSpent, match="2 calls|100 tokens"):
        budget.start_call()


def test_what_an_endpoint_refuses_is_left_out_from_then_on():
    refusal = (400, {}, {"error": "unknown field response_format"})
    wish = {"response_format": {"type": "json_object"}}
    with Server(refusal) as server:
        made, slept = endpoint(server.url, wish=wish)
        assert made.chat(MESSAGES).tries == 2 and made.chat(MESSAGES).tries == 1
    assert ["response_format" in body for body in server.requests] == [1, 0, 0]
    assert slept == []
    # What it refuses for another reason is asked for again the next time.
    with Server(refusal, refusal) as server:
        made, _ = endpoint(server.url, wish=wish)
        with pytest.raises(EndpointError, match="Status 400"):
            made.chat(MESSAGES)
        made.chat(MESSAGES)
    assert ["response_format" in body for body in server.requests] == [1, 0, 1]


def test_a_content_of_parts_is_joined():
    parts = [{"type": "text", "text": "Action: "}, {"type": "text", "text": "do"}]
    assert answered((200, {}, choice(content=parts))).text == "Action: do"
    assert answered((200, {}, choice(content=["x"]))).tries == 2

"""A stand-in for an endpoint, for trying out runs and for tests; listens on loopback.

It answers chat requests by itself: a policy reads the observations that the request
repeats. It keeps nothing between requests, so that the same request always gets the
same answer.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from crafter import constants
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.scripted import ScriptedAgent

Policy = Callable[[Sequence[Mapping[str, Any]]], str]


def noop(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers `noop`."""
    return "Action: noop"


def hashed(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers an action that follows from the request by chance."""
    digest = hashlib.sha256(json.dumps(list(messages)).encode()).digest()
    return f"Action: {constants.actions[digest[0] % len(constants.actions)]}"


def scripted(messages: Sequence[Mapping[str, Any]]) -> str:
    """Answers as the scripted agent, from the JSON observations in the request."""
    agent = ScriptedAgent()
    agent.reset(Briefing())
    answer = "noop"
    for message in messages:
        data = _observation(message)
        if data is not None:
            answer = agent.act(Message("", data))
    return f"Action: {answer}"


def _observation(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns the JSON observation of a message, if it has one."""
    content = message["content"]
    if message["role"] != "user" or not isinstance(content, str):
        return None
    try:
        data, _ = json.JSONDecoder().raw_decode(content)
    except ValueError:
        return None
    return data if isinstance(data, dict) and "view" in data else None


POLICIES: dict[str, Policy] = {"noop": noop, "random": hashed, "scripted": scripted}


class Stub:
    """A server on 127.0.0.1 that answers chat requests.

    Args:
      policy: A name of `POLICIES`, or a function from messages to an answer.
      port: Where it listens; any free port by default.

    Attributes:
      url: Address for `--base-url`.
      requests: Bodies of the requests so far.
    """

    def __init__(self, policy: str | Policy = "random", port: int = 0) -> None:
        answer = POLICIES[policy] if isinstance(policy, str) else policy
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", port), _handler(answer, self.requests)
        )
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def serve(self) -> None:
        """Answers until it is interrupted."""
        self._server.serve_forever()

    def __enter__(self) -> Stub:
        """Answers in the background."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        """Stops answering."""
        self._server.shutdown()
        self._server.server_close()


def completion(text: str) -> dict[str, Any]:
    """Returns an answer in the form of the protocol."""
    return {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
    }


def _handler(answer: Policy, requests: list[dict[str, Any]]) -> type:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size))
            requests.append(body)
            text = json.dumps(completion(answer(body["messages"]))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: Any) -> None:
            """Writes nothing."""

    return Handler

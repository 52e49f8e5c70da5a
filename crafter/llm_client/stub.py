"""A stub endpoint for trying out runs and for tests; it listens on loopback only.

It answers chat requests by a policy: a function of the messages of one request. It
keeps nothing between requests, so that the same request always gets the same answer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Policy = Callable[[Sequence[Mapping[str, Any]]], str]


class Stub:
    """A server on 127.0.0.1 that answers chat requests.

    Args:
      policy: Function from the messages of a request to the answer.
      port: Where it listens; any free port by default.

    Attributes:
      url: Address for `--base-url`.
      requests: Bodies of the requests so far.
    """

    def __init__(self, policy: Policy, port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", port), _handler(policy, self.requests)
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

"""A stub endpoint for trying out runs and for tests; it listens on loopback only.

It answers chat requests by a policy: a function of the messages of one request. It
keeps nothing between requests, so that the same request always gets the same answer.
"""

from __future__ import annotations

import functools
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
    """

    def __init__(self, policy: Policy, port: int = 0) -> None:
        self._policy = policy
        address = ("127.0.0.1", port)
        self._server = ThreadingHTTPServer(address, self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # noqa: N802
                size = int(self.headers.get("Content-Length", 0))
                stub.respond(self, json.loads(self.rfile.read(size)))

            def log_message(self, *args: Any) -> None:
                """Writes nothing."""

        return Handler

    def respond(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        """Answers a request.

        Args:
          handler: Of the request.
          body: What was sent.
        """
        content = json.dumps(completion(self._policy(body["messages"]))).encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def serve(self) -> None:
        """Answers until it is interrupted."""
        self._server.serve_forever()

    def __enter__(self) -> Stub:
        """Answers in the background."""
        serve = functools.partial(self._server.serve_forever, poll_interval=0.02)
        threading.Thread(target=serve, daemon=True).start()
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

"""Stub endpoint for trials and tests; it listens on loopback only.

It answers chat requests by a policy: a function of the messages of one request. The
response is sent as a whole or, on request, as a stream (SSE). The server is stateless:
equal requests get equal responses.
"""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Policy = Callable[[Sequence[Mapping[str, Any]]], str]


class Stub:
    """Server on 127.0.0.1 that answers chat requests.

    Args:
      policy: Function from the messages of a request to the response text.
      port: Port to listen on; any free port by default.

    Attributes:
      url: Address for `--base-url`.
    """

    def __init__(self, policy: Policy, port: int = 0) -> None:
        self._policy, stub = policy, self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # noqa: N802
                size = int(self.headers.get("Content-Length", 0))
                stub.respond(self, json.loads(self.rfile.read(size)))

            def log_message(self, *args: Any) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def respond(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        """Responds to a request.

        Args:
          handler: The request handler.
          body: The parsed request body.
        """
        text, streams = self._policy(body["messages"]), bool(body.get("stream"))
        if streams:
            events = [*map(json.dumps, chunks(text)), "[DONE]"]
            content = "".join(f"data: {event}\n\n" for event in events).encode()
        else:
            usage = _usage(body["messages"], text)
            content = json.dumps({**completion(text), "usage": usage}).encode()
        handler.send_response(200)
        kind = "text/event-stream" if streams else "application/json"
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def serve(self) -> None:
        """Serves until interrupted."""
        self._server.serve_forever()

    def __enter__(self) -> Stub:
        """Starts serving in the background."""
        serve = functools.partial(self._server.serve_forever, poll_interval=0.02)
        threading.Thread(target=serve, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        """Stops serving."""
        self._server.shutdown()
        self._server.server_close()


def completion(text: str) -> dict[str, Any]:
    """Returns a response in the protocol's format."""
    message = {"role": "assistant", "content": text}
    return _answer("chat.completion", message=message, finish_reason="stop")


def chunks(text: str) -> Iterator[dict[str, Any]]:
    """Yields the chunks of a streamed response: the whole text, then the end."""
    message = {"role": "assistant", "content": text}
    for delta, reason in ((message, None), ({}, "stop")):
        yield _answer("chat.completion.chunk", delta=delta, finish_reason=reason)


def _usage(messages: Sequence[Mapping[str, Any]], text: str) -> dict[str, int]:
    """Returns token counts; the stub counts words."""
    asked = sum(len(str(message["content"]).split()) for message in messages)
    counts = {"prompt_tokens": asked, "completion_tokens": len(text.split())}
    return {**counts, "total_tokens": sum(counts.values())}


def _answer(kind: str, **choice: Any) -> dict[str, Any]:
    fields = {"id": "stub", "object": kind, "created": 0, "model": "stub"}
    return {**fields, "choices": [{"index": 0, **choice}]}

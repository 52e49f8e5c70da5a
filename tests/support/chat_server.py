"""Scripted chat endpoint on the loopback interface."""

from __future__ import annotations

import json

from crafter.llm_client.stub import Stub, completion

GOOD = completion("Action: do")


def send(handler, body, status=200, headers=None):
    """Send a response, as JSON unless it is bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    usual = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    for name, value in {**usual, **(headers or {})}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


class NotingStub(Stub):
    """Stub that records the bodies of requests in `requests`."""

    def __init__(self, policy=None):
        super().__init__(policy)
        self.requests = []

    def respond(self, handler, body):
        self.requests.append(body)
        self.answer(handler, body)

    def answer(self, handler, body):
        super().respond(handler, body)


class Server(NotingStub):
    """Answers requests from a script of (status, headers, body) tuples or functions.

    Args:
      *script: The responses, in order.
      then: The response, (status, headers, body), after the end of the script; or a
        function from a request body to the text of a successful response.
    """

    def __init__(self, *script, then=(200, {}, GOOD)):
        super().__init__()
        self.script, self.headers, self._then = list(script), [], then

    def answer(self, handler, body):
        self.headers.append(dict(handler.headers))
        answer = self.script.pop(0) if self.script else self._then
        if answer is self._then and callable(answer):
            answer = (200, {}, completion(answer(body)))
        if callable(answer):
            answer(handler)
            return
        status, headers, content = answer
        send(handler, content, status, headers)

"""An endpoint that answers as a script says, on loopback."""

from __future__ import annotations

import functools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from crafter.llm_client.stub import completion

GOOD = completion("Action: do")


class Server:
    """Answers requests with a script of (status, headers, body) or functions.

    Args:
      *script: The answers, in order.
      then: The answer, (status, headers, body), when the script is at its end; or a
        function from the body of a request to the text of a good answer.
    """

    def __init__(self, *script, then=(200, {}, GOOD)):
        self.script, self.requests, self.headers = list(script), [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                size = int(self.headers["Content-Length"])
                outer.requests.append(json.loads(self.rfile.read(size)))
                outer.headers.append(dict(self.headers))
                answer = outer.script.pop(0) if outer.script else then
                if answer is then and callable(then):
                    answer = (200, {}, completion(then(outer.requests[-1])))
                if callable(answer):
                    answer(self)
                    return
                status, headers, body = answer
                text = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {
                    "Content-Length": str(len(text)),
                    **headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self):
        serve = functools.partial(self._server.serve_forever, poll_interval=0.02)
        threading.Thread(target=serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

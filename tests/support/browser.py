"""Headless Chromium for tests, driven through its debugging pipe."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-extensions",
    "--no-first-run",
    "--remote-debugging-pipe",
)
#: Timeout of waits in seconds.
PATIENCE = 120


def find() -> str | None:
    """Returns the path of a browser, or `None`."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """A page in the browser."""

    def __init__(self, receive: int, send: int) -> None:
        self._receive, self._send = receive, send
        self._number, self._session, self._rest = 0, None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]

    def call(self, method: str, **arguments: Any) -> Any:
        """Calls a method of the DevTools protocol and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass  # an event
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._receive, 1 << 20)
            if not part:
                raise RuntimeError("The browser has ended.")
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def open(self, url: str) -> None:
        """Opens a page and waits until it has loaded."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== ''")
        self.wait(f"location.href === {json.dumps(url)}")

    def run(self, code: str) -> Any:
        """Evaluates JavaScript and returns its value."""
        reply = self.call(
            "Runtime.evaluate", expression=code, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in reply:
            raise RuntimeError(f"{code}: {reply['exceptionDetails']}")
        return reply["result"].get("value")

    def wait(self, code: str) -> None:
        """Waits until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(code):
            if time.monotonic() > end:
                raise TimeoutError(code)
            time.sleep(0.05)


@contextlib.contextmanager
def tab(downloads: pathlib.Path) -> Iterator[Tab]:
    """Opens a browser with one page; downloads go to the given folder."""
    to_browser, from_browser = os.pipe(), os.pipe()
    inside = (to_browser[0], from_browser[1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # The browser expects the pipe as file descriptors 3 and 4.
        script = f'exec "$@" 3<&{inside[0]} 4>&{inside[1]}'
        process = subprocess.Popen(
            [
                *("bash", "-c", script, "browser", find() or NAMES[0]),
                *FLAGS,
                f"--user-data-dir={profile}",
            ],
            pass_fds=inside,
            stderr=subprocess.DEVNULL,
        )
        for end in inside:
            os.close(end)
        try:
            one = Tab(from_browser[0], to_browser[1])
            one.call("Page.enable")
            one.call(
                "Browser.setDownloadBehavior",
                behavior="allow",
                downloadPath=str(downloads),
            )
            yield one
        finally:
            process.terminate()
            process.wait()
            os.close(from_browser[0])
            os.close(to_browser[1])

"""HTTP request with a deadline for the whole answer and a limit on its size."""

from __future__ import annotations

import concurrent.futures
import ipaddress
import threading
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any, NamedTuple

CONNECT_TIMEOUT = 10.0  # seconds
LARGEST = 8 * 2**20  # bytes of an answer
_PATIENCE = 0.2  # seconds until the wait for an answer can be stopped


class Answer(NamedTuple):
    """Response to a request.

    Attributes:
      status: Status of HTTP.
      headers: Header fields.
      body: The content, uncompressed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class RequestError(Exception):
    """A request failed.

    Attributes:
      kind: `connection`, `timeout`, `malformed`, `stopped`; or as the client says.
      after: Seconds that the endpoint asks to wait, if it does.
    """

    def __init__(self, kind: str, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.kind, self.after = kind, after


class Transport:
    """Sends requests to one address.

    Args:
      url: The address.
      headers: Further header fields.
      timeout: Seconds for one request, from its start to the end of the answer.
      stop: Gives up the wait for an answer once it is set.

    Raises:
      ValueError: If the address is no address of HTTP.
      ImportError: If httpx2 is missing.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: float,
        stop: threading.Event,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"Expected an http or https URL, got {url!r}.")
        self._http = _http()
        self._url, self._headers = url, {**headers, "Content-Type": "application/json"}
        self._timeout, self._stop = timeout, stop
        self._client = self._connect()

    def post(self, body: bytes) -> Answer:
        """Sends a body of JSON and returns the answer.

        Raises:
          RequestError: If there is none.
        """
        client = self._client
        answer: concurrent.futures.Future[Answer] = concurrent.futures.Future()

        def work() -> None:
            try:
                answer.set_result(self._post(client, body))
            except Exception as error:  # is raised again by the one who waits
                answer.set_exception(error)

        # A thread of its own, because a server that sends a little now and then never
        # runs into the limits of a single read.
        threading.Thread(target=work, daemon=True).start()
        end = time.monotonic() + self._timeout
        while (left := end - time.monotonic()) > 0 and not self._stop.is_set():
            concurrent.futures.wait([answer], min(left, _PATIENCE))
            if answer.done():
                return answer.result()
        self._client = self._connect()
        threading.Thread(target=client.close, daemon=True).start()
        if self._stop.is_set():
            raise RequestError("stopped", "The wait for the answer was stopped.")
        told = f"No complete answer within {self._timeout:g} seconds."
        raise RequestError("timeout", told)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _connect(self) -> Any:
        connect = min(CONNECT_TIMEOUT, self._timeout)
        return self._http.Client(
            headers=self._headers,
            timeout=self._http.Timeout(self._timeout, connect=connect),
            trust_env=not is_loopback(self._url),
            # Certificates take time to load and play no part in plain http.
            verify=not self._url.startswith("http://"),
        )

    def _post(self, client: Any, body: bytes) -> Answer:
        http = self._http
        try:
            with client.stream("POST", self._url, content=body) as response:
                content = self._read(response.iter_bytes())
                return Answer(response.status_code, response.headers, content)
        except http.TimeoutException as error:
            raise RequestError("timeout", f"No answer in time: {error!r}") from None
        except http.DecodingError as error:
            told = f"The answer is compressed, but broken: {error}"
            raise RequestError("malformed", told) from None
        except (http.RequestError, http.StreamError, http.InvalidURL) as error:
            raise RequestError("connection", f"No connection: {error!r}") from None

    def _read(self, chunks: Any) -> bytes:
        content = bytearray()
        for chunk in chunks:
            content += chunk
            if len(content) > LARGEST:
                told = f"The answer is longer than {LARGEST} bytes."
                raise RequestError("malformed", told)
        return bytes(content)


def is_loopback(url: str) -> bool:
    """Returns whether an address is on this machine.

    Example:
      >>> is_loopback("http://127.0.0.1:8000/v1"), is_loopback("https://example.org")
      (True, False)
    """
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _http() -> Any:
    try:
        import httpx2
    except ImportError as error:
        raise ImportError("Endpoints need httpx2: pip install 'crafter[lm]'") from error
    return httpx2

"""Client for OpenAI-compatible chat endpoints, and a budget shared by clients."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import json
import os
import random
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crafter.core.options import Table

#: Command-line options for an endpoint.
OPTIONS: Table = {
    "base-url": (None, str, "or the variable CRAFTER_LM_BASE_URL"),
    "model": (None, str, "or the variable CRAFTER_LM_MODEL"),
}
PREFIX = "CRAFTER_LM_"
DELAYS = (1.0, 2.0, 4.0, 8.0)  # seconds before each retry; the last value repeats
JITTER = 0.25  # maximum random increase of a delay, as a fraction
LONGEST_WAIT = 60.0  # maximum seconds to respect Retry-After
TIMEOUT = 120.0  # seconds
CONNECT_TIMEOUT = 10.0  # seconds
_PATIENCE = 0.2  # seconds between checks for cancellation
_AGAIN = frozenset({408, 409, 429})
#: Type of failure -> maximum number of retries, if not the default.
_REPETITIONS = {"malformed": 1, "stopped": 0, "final": 0}
CHARACTERS = 4  # per token, for estimates
_SHOWN = 200  # characters of a response quoted in an error
_SHORTEST_SECRET = 8  # characters; shorter keys could be ordinary words

Message = Mapping[str, Any]


class EndpointError(RuntimeError):
    """The endpoint gave no usable response.

    Attributes:
      kind: `connection`, `timeout`, `status`, `malformed`, `settings` or `stopped`;
        of a single request also `refused` and `final`.
      tries: Number of requests sent.
      after: Seconds that the endpoint asks to wait, or `None`.
    """

    def __init__(
        self, kind: str, message: str, tries: int = 0, after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind, self.tries, self.after = kind, tries, after


@dataclasses.dataclass(frozen=True)
class Reply:
    """A response.

    Attributes:
      text: What the model wrote.
      prompt_tokens: Tokens of the request.
      completion_tokens: Tokens of the response.
      estimated: Whether the token counts are estimates.
      tries: Number of requests sent.
      latency: Total seconds, including retries.
      cut: Whether the response was truncated at its limit, twice.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    estimated: bool
    tries: int
    latency: float
    cut: bool = False


class Endpoint:
    """Sends chat requests to an endpoint and retries transient failures.

    Args:
      base_url: Base URL, without `/chat/completions`; by default the variable
        CRAFTER_LM_BASE_URL.
      model: Name of the model; by default the variable CRAFTER_LM_MODEL.
      api_key: Secret key; by default the variable CRAFTER_LM_API_KEY. It is redacted
        if a response repeats it, unless it has less than 8 characters.
      extra: Further fields of each request, such as `seed` or `max_tokens`;
        temperature defaults to 0.
      wish: Optional fields; if the endpoint rejects them with status 400, the request
        is sent again without them.
      retries: Number of retries after transient failures.
      prefix: Prefix of the variable names.
      timeout: Seconds for one request, including the whole response.
      wait: Called before each request, for rate limiting.
      sleep: Sleeps for some seconds.
      stop: When set, cancels requests and waits.

    Raises:
      EndpointError: If address or model is missing or invalid.
      ImportError: If httpx2 is missing.
    """

    def __init__(
        self,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        wish: Mapping[str, Any] | None = None,
        retries: int = len(DELAYS),
        prefix: str = PREFIX,
        timeout: float = TIMEOUT,
        wait: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Any] | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        url = _setting(base_url, f"{prefix}BASE_URL", "--base-url")
        self.base_url = url.rstrip("/")
        self.model = _setting(model, f"{prefix}MODEL", "--model")
        self._key = (api_key or os.environ.get(f"{prefix}API_KEY", "")).strip()
        self._fields = {"model": self.model, "temperature": 0.0, **(extra or {})}
        self._wish, self._retries = dict(wish or {}), retries
        self._stop = threading.Event() if stop is None else stop
        self._wait = wait
        self._sleep = self._stop.wait if sleep is None else sleep
        self._random = random.Random(0)
        self._timeout = timeout
        self._client = self._connect()

    def _connect(self) -> Any:
        try:
            import httpx2
        except ImportError as error:
            message = "Endpoints need httpx2: pip install 'crafter[lm]'"
            raise ImportError(message) from error
        if not self.base_url.startswith(("http://", "https://")):
            message = f"Expected an http or https URL, got {self.base_url!r}."
            raise EndpointError("settings", message)
        self._errors = httpx2
        connect = min(CONNECT_TIMEOUT, self._timeout)
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return httpx2.Client(
            headers=headers,
            timeout=httpx2.Timeout(self._timeout, connect=connect),
            trust_env=not is_loopback(self.base_url),
            # Loading certificates takes time, and plain http needs none.
            verify=self.base_url.startswith("https"),
        )

    def settings(self) -> dict[str, Any]:
        """Returns the settings of the endpoint for logs, without the key."""
        address = urllib.parse.urlsplit(self.base_url)
        place = address.netloc.rpartition("@")[-1]  # without credentials
        url = f"{address.scheme}://{place}{address.path}"
        text = json.dumps({"base_url": url, **self._fields, **self._wish})
        return dict(json.loads(self._without_secret(text)))

    def chat(self, messages: Sequence[Message]) -> Reply:
        """Returns the response to a chat.

        Raises:
          EndpointError: If there is none after the last retry.
        """
        start, tries, failures = time.monotonic(), 0, collections.Counter[str]()
        wish = self._wish
        while True:
            self._wait()
            if self._stop.is_set():
                raise EndpointError("stopped", "The request was stopped.", tries)
            tries += 1
            try:
                reply = self._once(messages, wish)
                if reply.cut and not failures["malformed"]:
                    reason = "The answer was cut off at its limit."
                    raise EndpointError("malformed", reason)
                if not wish:
                    self._wish = {}  # omit rejected fields from now on
                seconds = time.monotonic() - start
                return dataclasses.replace(reply, tries=tries, latency=seconds)
            except EndpointError as error:
                if error.kind == "refused":
                    wish = {}
                    continue
                failures[error.kind] += 1
                most = min(self._retries, _REPETITIONS.get(error.kind, self._retries))
                if failures[error.kind] > most or failures.total() > self._retries:
                    kind = "status" if error.kind == "final" else error.kind
                    message = self._without_secret(str(error))
                    raise EndpointError(kind, message, tries) from None
                if error.kind != "malformed":
                    self._sleep(self._delay(failures.total(), error.after))

    def _once(self, messages: Sequence[Message], wish: Mapping[str, Any]) -> Reply:
        """Returns the response to a single request."""
        body = json.dumps({**self._fields, **wish, "messages": list(messages)})
        answer = self._post(body.encode())
        if answer.status_code in _AGAIN or answer.status_code >= 500:
            after = _seconds(answer.headers.get("Retry-After"))
            raise EndpointError("status", f"Status {answer.status_code}.", 1, after)
        shown = self._without_secret(answer.content.decode("utf-8", "replace"))[:_SHOWN]
        shown = "".join(c if c.isprintable() else " " for c in shown)  # for terminals
        if answer.status_code != 200:
            kind = "refused" if answer.status_code == 400 and wish else "final"
            raise EndpointError(kind, f"Status {answer.status_code}: {shown}")
        text, usage, cut = _content(answer.content, shown)
        names = ("prompt_tokens", "completion_tokens")
        counts: list[Any] = list(map(usage.get, names))
        estimated = not all(isinstance(count, int) for count in counts)
        if estimated:
            counts = [length(messages) // CHARACTERS, len(text) // CHARACTERS]
        text = self._without_secret(text)
        return Reply(text, counts[0], counts[1], estimated, 1, 0.0, cut)

    def _post(self, body: bytes) -> Any:
        """Sends a request and returns the response.

        Raises:
          EndpointError: If there is none.
        """
        answer: concurrent.futures.Future[Any] = concurrent.futures.Future()

        def work() -> None:
            url = f"{self.base_url}/chat/completions"
            try:
                answer.set_result(self._client.post(url, content=body))
            except Exception as error:  # re-raised in the waiting thread
                answer.set_exception(error)

        # In a separate thread, because a server that keeps sending small chunks never
        # exceeds the timeout of a single read.
        threading.Thread(target=work, daemon=True).start()
        end = time.monotonic() + self._timeout
        while (left := end - time.monotonic()) > 0 and not self._stop.is_set():
            concurrent.futures.wait([answer], min(left, _PATIENCE))
            try:
                if answer.done():
                    return answer.result()
            except self._errors.RequestError as error:
                late = isinstance(error, self._errors.TimeoutException)
                kind = "timeout" if late else "connection"
                raise EndpointError(kind, f"No answer: {error!r}") from None
        if self._stop.is_set():
            raise EndpointError("stopped", "The wait for the answer was stopped.")
        message = f"No complete answer within {self._timeout:g} seconds."
        raise EndpointError("timeout", message)

    def _without_secret(self, text: str) -> str:
        hidden = len(self._key) >= _SHORTEST_SECRET
        return text.replace(self._key, "***") if hidden else text

    def _delay(self, tries: int, after: float | None) -> float:
        if after is not None:
            return min(after, LONGEST_WAIT)
        delay = DELAYS[min(tries, len(DELAYS)) - 1]
        return delay * (1 + JITTER * self._random.random())


def _content(body: bytes, shown: str) -> tuple[str, Mapping[str, Any], bool]:
    """Returns the text, token counts, and whether the text was truncated.

    Raises:
      EndpointError: If the response is malformed, or has no text.
    """
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message, cut = choice["message"], choice.get("finish_reason") == "length"
        text, usage = text_of(message.get("content")), answer.get("usage")
        called = message.get("tool_calls")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise EndpointError("malformed", f"Unexpected answer: {shown!r}") from None
    if not isinstance(text, str) or not text.strip():
        why = "calls tools" if called else "is empty"
        raise EndpointError("malformed", f"The answer {why} and has no text.")
    text = text.encode("utf-8", "replace").decode()  # replace lone surrogates
    return text, usage if isinstance(usage, Mapping) else {}, cut


def _seconds(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None  # a date; use the default delay


def length(messages: Sequence[Message]) -> int:
    """Returns the number of text characters in messages."""
    return sum(len(text_of(message["content"])) for message in messages)


def text_of(content: Any) -> Any:
    """Returns the text of a message, which may be a list of parts."""
    if not isinstance(content, list):
        return content
    texts = [part.get("text") for part in content]
    return "".join(text for text in texts if isinstance(text, str))


def is_loopback(url: str) -> bool:
    """Returns whether an address is a loopback address.

    Example:
      >>> [is_loopback(f"http://{host}/v1") for host in ("[::1]:80", "example.org")]
      [True, False]
    """
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _setting(value: str | None, variable: str, flag: str) -> str:
    value = value or os.environ.get(variable)
    if not value:
        message = f"Pass {flag} or set the variable {variable}."
        raise EndpointError("settings", message)
    return value


# Budget.


class BudgetSpent(RuntimeError):
    """The calls or tokens of the run are used up."""


@dataclasses.dataclass
class Budget:
    """Counts calls and tokens of a run, and limits the request rate.

    Attributes:
      max_calls: Maximum calls of all rollouts together, or `None`.
      max_tokens: Maximum tokens of all rollouts together, or `None`.
      per_minute: Maximum requests per minute, or `None`.
      clock: Returns the time in seconds.
      sleep: Sleeps for some seconds.
      calls: Calls made.
      tokens: Tokens used.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    per_minute: float | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Any] = time.sleep
    calls: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        self._lock, self._next = threading.Lock(), 0.0

    def start_call(self) -> None:
        """Counts a call before it is made.

        Raises:
          BudgetSpent: If the budget is used up.
        """
        with self._lock:
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetSpent(f"All {self.max_calls} calls of the run are used up.")
            if self.max_tokens is not None and self.tokens >= self.max_tokens:
                raise BudgetSpent(f"All {self.max_tokens} tokens are used up.")
            self.calls += 1

    def add(self, tokens: int, calls: int = 0) -> None:
        """Adds usage: of a call, or from before an interruption."""
        with self._lock:
            self.calls += calls
            self.tokens += tokens

    def wait(self) -> None:
        """Waits until the next request may be sent."""
        if not self.per_minute:
            return
        with self._lock:
            now = self.clock()
            start = max(now, self._next)
            self._next = start + 60 / self.per_minute
        if start > now:
            self.sleep(start - now)

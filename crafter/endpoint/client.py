"""A client for any endpoint that speaks the OpenAI chat protocol."""

from __future__ import annotations

import dataclasses
import ipaddress
import os
import random
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

PREFIX = "CRAFTER_LM_"
DELAYS = (1.0, 2.0, 4.0, 8.0)  # seconds before each repetition
JITTER = 0.25  # largest share that is added to a delay
LONGEST_WAIT = 60.0  # seconds that Retry-After is obeyed
CONNECT_TIMEOUT, TIMEOUT = 10.0, 120.0  # seconds
_AGAIN = frozenset({408, 409, 429})
_MALFORMED_TRIES = 2
_CHARACTERS = 4  # of a token, where tokens must be estimated

Message = Mapping[str, Any]


class EndpointError(RuntimeError):
    """The endpoint gave no usable answer.

    Attributes:
      kind: `connection`, `timeout`, `status`, `malformed` or `settings`.
      tries: Requests that were sent.
    """

    def __init__(self, kind: str, message: str, tries: int) -> None:
        super().__init__(message)
        self.kind, self.tries = kind, tries


class _Malformed(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Reply:
    """An answer.

    Attributes:
      text: What the model wrote.
      prompt_tokens: Tokens of the request.
      completion_tokens: Tokens of the answer.
      estimated: Whether the endpoint did not say and they are estimated.
      tries: Requests that it took.
      latency: Seconds that it took, repetitions included.
      cut: Whether the answer was cut off at its limit, twice.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    estimated: bool
    tries: int
    latency: float
    cut: bool = False


class Endpoint:
    """Sends chats to an endpoint and repeats what fails for a while.

    Args:
      base_url: Address up to `/chat/completions`; no default. By default that of the
        variable CRAFTER_LM_BASE_URL.
      model: Name of the model; by default that of CRAFTER_LM_MODEL.
      api_key: Secret; by default that of CRAFTER_LM_API_KEY. It is sent and never
        shown.
      temperature: Of the sampling.
      seed: Passed on if given.
      max_tokens: Passed on if given.
      extra: Further fields of each request.
      timeout: Seconds for one request.
      wait: Called before each request, to pace requests.
      sleep: Waits some seconds.

    Raises:
      EndpointError: If no address or model is given.
      ImportError: If httpx2 is missing.
    """

    def __init__(
        self,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
        *,
        temperature: float = 0.0,
        seed: int | None = None,
        max_tokens: int | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float = TIMEOUT,
        wait: Callable[[], None] = lambda: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = _setting(base_url, "BASE_URL", "--base-url").rstrip("/")
        self.model = _setting(model, "MODEL", "--model")
        self._key = api_key or os.environ.get(PREFIX + "API_KEY", "")
        self._fields: dict[str, Any] = {"model": self.model, "temperature": temperature}
        if seed is not None:
            self._fields["seed"] = seed
        if max_tokens is not None:
            self._fields["max_tokens"] = max_tokens
        self._fields |= dict(extra or {})
        self._wait, self._sleep = wait, sleep
        self._random = random.Random(0)
        self._http = _http()
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = self._http.Client(
            headers=headers,
            timeout=self._http.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout)),
            trust_env=not is_loopback(self.base_url),
            # Certificates take time to load and play no part in plain http.
            verify=not self.base_url.startswith("http://"),
        )

    def settings(self) -> dict[str, Any]:
        """Returns what defines it, for logs; without the secret."""
        address = urllib.parse.urlsplit(self.base_url)
        host = address.hostname or ""
        port = f":{address.port}" if address.port else ""
        return {
            "base_url": f"{address.scheme}://{host}{port}{address.path}",
            **self._fields,
        }

    def chat(self, messages: Sequence[Message]) -> Reply:
        """Returns the answer to a chat.

        Raises:
          EndpointError: If there is none after the last repetition.
        """
        start, tries, malformed = time.monotonic(), 0, 0
        while True:
            self._wait()
            tries += 1
            try:
                return self._once(messages, start, tries, last=malformed > 0)
            except _Malformed as error:
                malformed += 1
                if malformed >= _MALFORMED_TRIES:
                    raise self._error("malformed", str(error), tries) from None
            except _Retry as again:
                if tries > len(DELAYS):
                    raise self._error(again.kind, again.message, tries) from None
                self._sleep(self._delay(tries, again.after))

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _once(
        self, messages: Sequence[Message], start: float, tries: int, last: bool
    ) -> Reply:
        body = {**self._fields, "messages": list(messages)}
        try:
            response = self._client.post(f"{self.base_url}/chat/completions", json=body)
        except self._http.TimeoutException as error:
            raise _Retry("timeout", f"No answer in time: {error!r}") from None
        except self._http.TransportError as error:
            raise _Retry("connection", f"No connection: {error!r}") from None
        if response.status_code in _AGAIN or response.status_code >= 500:
            after = _seconds(response.headers.get("Retry-After"))
            raise _Retry("status", f"Status {response.status_code}.", after)
        if response.status_code != 200:
            told = f"Status {response.status_code}: {response.text[:200]}"
            raise self._error("status", told, tries)
        text, usage, cut = _content(response)
        if cut and not last:
            raise _Malformed("The answer was cut off at its limit.")
        return self._reply(text, usage, messages, tries, time.monotonic() - start, cut)

    def _reply(
        self,
        text: str,
        usage: Mapping[str, Any],
        messages: Sequence[Message],
        tries: int,
        latency: float,
        cut: bool,
    ) -> Reply:
        asked, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
        known = isinstance(asked, int) and isinstance(answered, int)
        if not known:
            asked = length(messages) // _CHARACTERS
            answered = len(text) // _CHARACTERS
        assert asked is not None and answered is not None
        return Reply(text, asked, answered, not known, tries, latency, cut)

    def _delay(self, tries: int, after: float | None) -> float:
        if after is not None:
            return min(after, LONGEST_WAIT)
        return DELAYS[tries - 1] * (1 + JITTER * self._random.random())

    def _error(self, kind: str, message: str, tries: int) -> EndpointError:
        if self._key:
            message = message.replace(self._key, "***")
        return EndpointError(kind, message, tries)


class _Retry(Exception):
    def __init__(self, kind: str, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.kind, self.message, self.after = kind, message, after


def _content(response: Any) -> tuple[str, Mapping[str, Any], bool]:
    """Returns text, token counts and whether it was cut off."""
    try:
        body = response.json()
        choice = body["choices"][0]
        message = choice["message"]
        text = message.get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise _Malformed(f"Unexpected answer: {response.text[:200]!r}") from None
    if not isinstance(text, str) or not text.strip():
        why = "calls tools" if message.get("tool_calls") else "is empty"
        raise _Malformed(f"The answer {why} and has no text.")
    usage = body.get("usage")
    cut = choice.get("finish_reason") == "length"
    return text, usage if isinstance(usage, Mapping) else {}, cut


def _seconds(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None  # a date; the usual delay will do


def length(messages: Sequence[Message]) -> int:
    """Returns the characters of the text in some messages."""
    total = 0
    for message in messages:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        total += sum(len(part.get("text", "")) for part in parts)
    return total


def is_loopback(url: str) -> bool:
    """Tells whether an address is on this machine.

    Example:
      >>> is_loopback("http://127.0.0.1:8000/v1"), is_loopback("https://example.org")
      (True, False)
    """
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _setting(value: str | None, variable: str, flag: str) -> str:
    value = value or os.environ.get(PREFIX + variable)
    if not value:
        raise EndpointError(
            "settings", f"Say {flag} or set the variable {PREFIX}{variable}.", 0
        )
    return value


def _http() -> Any:
    try:
        import httpx2
    except ImportError as error:
        raise ImportError("Endpoints need httpx2: pip install 'crafter[lm]'") from error
    return httpx2

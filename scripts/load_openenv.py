"""Load-tests the OpenEnv server against an echo environment.

Many sessions play at once against a game server, then against an echo server of the
same framework, in alternation. Prints turns per second, the latency of a turn, and the
rate of the games as a share of the echo's; then the memory of the game server over many
short sessions.

Needs the extra 'openenv' and Python 3.11.

    python scripts/load_openenv.py --sessions 64 --turns 20 --churn 20000
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import time
import urllib.request
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Any

import numpy as np
import uvicorn
from benchmarks.alternating import memory
from openenv.core import GenericEnvClient
from openenv.core.env_server import Action, Environment, Observation, State, create_app

from crafter.core.arguments import not_negative, positive
from crafter.core.options import Table, make_parser
from crafter.lm.trainers.openenv import make_app

OPTIONS: Table = {
    "sessions": (64, positive, "at a time"),
    "turns": (20, positive, "of each session"),
    "rounds": (3, positive, "of both servers"),
    "churn": (0, not_negative, "short sessions for the memory"),
}
REPLY = "Action: move_right x2, do"


class Text(Action):
    """The text to echo."""

    text: str


class Echo(Observation):
    """The echoed text."""

    text: str


class EchoEnvironment(Environment[Text, Echo, State]):
    """Echoes each action."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, *args: Any, **kwargs: Any) -> Echo:
        """Return an empty observation."""
        return Echo(text="")

    def step(self, action: Text, *args: Any, **kwargs: Any) -> Echo:
        """Return the text of the action."""
        return Echo(text=action.text, reward=0.0)

    @property
    def state(self) -> State:
        """Return an empty state."""
        return State()


def serve(kind: str, port: int, sessions: int) -> None:
    """Serve games or echoes until killed."""
    app = (
        make_app(sessions, max_actions=10_000, max_calls=10_000)
        if kind == "games"
        else create_app(
            EchoEnvironment, Text, Echo, env_name="echo", max_concurrent_envs=sessions
        )
    )
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


@contextlib.contextmanager
def server(kind: str, sessions: int) -> Iterator[tuple[str, int]]:
    """Yield the address and process id of a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = get_context("spawn").Process(target=serve, args=(kind, port, sessions))
    process.start()
    url = f"http://127.0.0.1:{port}"
    try:
        while process.is_alive():
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/health", timeout=1).close()
                break
            time.sleep(0.1)
        yield url, process.pid or 0
    finally:
        process.kill()
        process.join()


async def session(
    url: str, seed: int, turns: int, start: asyncio.Barrier
) -> list[float]:
    """Play a session and return the latency of each turn, in seconds.

    Args:
      url: Address of the server.
      seed: Seed of the game.
      turns: Number of turns.
      start: Barrier at which sessions wait once their games have started.
    """
    taken = []
    async with GenericEnvClient(base_url=url) as env:
        await env.reset(seed=seed)
        await start.wait()
        for _ in range(turns):
            began = time.perf_counter()
            await env.step({"text": REPLY})
            taken.append(time.perf_counter() - began)
    return taken


async def load(url: str, sessions: int, turns: int) -> tuple[float, float, list[float]]:
    """Return starts per second, turns per second, and the latency of each turn."""
    start = asyncio.Barrier(sessions + 1)
    began = time.perf_counter()
    tasks = [
        asyncio.create_task(session(url, n, turns, start)) for n in range(sessions)
    ]
    await start.wait()
    ready = time.perf_counter()
    taken = [seconds for one in await asyncio.gather(*tasks) for seconds in one]
    ended = time.perf_counter()
    return sessions / (ready - began), len(taken) / (ended - ready), taken


async def churn(url: str, pid: int, count: int, at_once: int) -> None:
    """Open and close sessions, and print the memory of the server in between."""
    for done in range(0, count, part := max(at_once, count // 10)):
        for _ in range(done, min(done + part, count), at_once):
            await load(url, at_once, 1)
        print(f"after {done + part:6d} sessions {memory(pid):6.0f} MB", flush=True)


def main() -> None:
    """Run the command line program."""
    args = make_parser(__doc__, OPTIONS).parse_args()
    with (
        server("games", args.sessions) as (games, pid),
        server("echo", args.sessions) as (echo, _),
    ):
        shares = []
        for _ in range(args.rounds):
            rates = []
            for name, url in (("games", games), ("echo", echo)):
                starts, rate, taken = asyncio.run(load(url, args.sessions, args.turns))
                median, late = 1000 * np.percentile(taken, [50, 95])
                took = f"{median:5.1f} ms a turn, 95 % below {late:.1f} ms"
                print(f"{name:5s} {starts:4.0f} starts/s, {rate:5.0f} turns/s, {took}")
                rates.append(rate)
            shares.append(rates[0] / rates[1])
        print(f"games reach {statistics.median(shares):.2f} of the rate of the echo")
        asyncio.run(churn(games, pid, args.churn, args.sessions))


if __name__ == "__main__":
    main()

"""Measure the OpenEnv server under load, beside an environment that only echoes.

Many sessions play at once against a server of games, then against one of the same
framework that does nothing, in turns. Prints turns per second, how long a turn takes,
and the rate of the games as a share of the echo's; then the memory of the server of
games over many short sessions.

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
from benchmarks.turns import memory
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
    """What is said."""

    text: str


class Echo(Observation):
    """What was said."""

    text: str


class EchoEnvironment(Environment[Text, Echo, State]):
    """Says what it is told."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, *args: Any, **kwargs: Any) -> Echo:
        """Says nothing."""
        return Echo(text="")

    def step(self, action: Text, *args: Any, **kwargs: Any) -> Echo:
        """Says it."""
        return Echo(text=action.text, reward=0.0)

    @property
    def state(self) -> State:
        """Nothing."""
        return State()


def serve(kind: str, port: int, sessions: int) -> None:
    """Serves games or echoes until it is killed."""
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
    """Yields the address and the process of a server."""
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
    """Plays a session and returns how long each turn took, in seconds.

    Args:
      url: Of the server.
      seed: Of the game.
      turns: How many.
      start: Where sessions wait for each other once their games have begun.
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
    """Returns starts and turns per second of sessions, and how long each turn took."""
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
    """Opens and closes sessions, and prints the memory of the server in between."""
    for done in range(0, count, part := max(at_once, count // 10)):
        for _ in range(done, min(done + part, count), at_once):
            await load(url, at_once, 1)
        print(f"after {done + part:6d} sessions {memory(pid):6.0f} MB", flush=True)


def main() -> None:
    """Runs the program."""
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

"""Play the protocols of crafter.lm with the agents that need no endpoint.

Writes one summary for each protocol and agent, as `crafter-lm run` does, and prints the
table of the README.

    python scripts/measure_lm_agents.py scores/lm
    python scripts/measure_lm_agents.py scores/lm --table
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from crafter.lm import agents, scores, summary  # noqa: E402
from crafter.lm.protocols import protocol  # noqa: E402
from crafter.lm.runner import run  # noqa: E402

PROTOCOLS = (
    "craftaxlm-300",
    "craftaxlm-150",
    "craftaxlm-30calls",
    "balrog",
    "smartplay",
    "crafter-lm-v1",
)
AGENTS = ("scripted", "random_useful", "random", "noop")


def measure(name: str, agent: str, logs: pathlib.Path) -> dict[str, Any]:
    """Play a protocol and return its summary."""
    run(protocol(name), agents.OFFLINE[agent], logs)
    return summary.summarise(logs)


def table(folder: pathlib.Path) -> Iterator[str]:
    """Yield the rows of the README from the summaries in a folder."""
    yield "| Protocol | Agent | craftaxlm | crafter | progress | reward |"
    yield "|---|---|---|---|---|---|"
    for name in PROTOCOLS:
        for agent in AGENTS:
            path = folder / f"{name}-{agent}.json"
            if path.exists():
                found = json.loads(path.read_text("utf-8"))["scores"]
                shown = ("craftaxlm", "crafter", "progress", "reward")
                cells = [summary.interval(found[score]) for score in shown]
                assert set(shown) <= set(scores.NAMES)
                yield f"| `{name}` | `{agent}` | " + " | ".join(cells) + " |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure the agents of crafter.lm.")
    parser.add_argument("folder", type=pathlib.Path, help="where the summaries go")
    parser.add_argument("--protocols", nargs="+", choices=PROTOCOLS, default=PROTOCOLS)
    parser.add_argument("--agents", nargs="+", choices=AGENTS, default=AGENTS)
    parser.add_argument("--logs", type=pathlib.Path, help="keep the logs here")
    parser.add_argument("--table", action="store_true", help="only print the table")
    args = parser.parse_args()
    if not args.table:
        args.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as temporary:
            logs = args.logs or pathlib.Path(temporary)
            for name in args.protocols:
                for agent in args.agents:
                    found = measure(name, agent, logs / f"{name}-{agent}")
                    text = json.dumps(found, separators=(",", ":"))
                    path = args.folder / f"{name}-{agent}.json"
                    path.write_text(text + "\n", "utf-8")
                    print(f"{name} {agent}", file=sys.stderr)
    print("\n".join(table(args.folder)))


if __name__ == "__main__":
    main()

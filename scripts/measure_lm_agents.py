"""Runs the protocols of crafter.lm with the agents that need no language model.

Writes one summary per protocol and agent, as `crafter-lm run` does, and updates the
tables of docs/language-models.md.

    python scripts/measure_lm_agents.py scores/lm
    python scripts/measure_lm_agents.py scores/lm --tables
"""

import argparse
import itertools
import json
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import yaml

from crafter.core.options import Table, make_parser
from crafter.lm.agents.players import OFFLINE
from crafter.lm.runs import logs as run_logs
from crafter.lm.runs import scores, summary
from crafter.lm.runs.protocols import protocol
from crafter.lm.runs.runner import Run

ROOT = pathlib.Path(__file__).resolve().parents[1]

#: Equivalent protocols of craftaxlm, with their `rollouts` by name, and the scores it
#: publishes for language models (ReAct agents), in percent.
PUBLISHED = yaml.safe_load(pathlib.Path(__file__).with_suffix(".yaml").read_text())
CRAFTER = (
    *("craftaxlm-300", "craftaxlm-150", "craftaxlm-30calls"),
    *("balrog", "smartplay", "crafter-lm-v1"),
)
CRAFTAX = ("craftax-300", "craftax-1000", "craftax-5000")
PROTOCOLS = (*CRAFTER, "craftaxlm-full-300", *CRAFTAX)
#: Achievement -> table label of the floor that it stands for.
FLOORS = {"enter_dungeon": "Floor 1", "enter_gnomish_mines": "Floor 2"}
PAGE = ROOT / "docs" / "language-models.md"
AGENTS = ("scripted", "random_useful", "random", "noop")
OPTIONS: Table = {
    "protocols": (PROTOCOLS, {"nargs": "+", "choices": PROTOCOLS}, "protocols to play"),
    "agents": (AGENTS, {"nargs": "+", "choices": AGENTS}, "agents to play them"),
    "tables": (False, None, "only update the tables"),
}


def load(folder: pathlib.Path, name: str, agent: str) -> dict[str, Any]:
    """Return a stored summary."""
    return json.loads((folder / f"{name}-{agent}.json").read_text("utf-8"))


def full_table(folder: pathlib.Path) -> Iterator[str]:
    """Yield the table of all agents' scores in Crafter."""
    shown = ("craftaxlm", "crafter", "geometric01", "progress", "reward")
    assert set(shown) == {*scores.FORMULAS, "reward"}
    yield "| Protocol | Agent | " + " | ".join(shown) + " |"
    yield "|---" * (len(shown) + 2) + "|"
    for name in CRAFTER:
        for agent in AGENTS:
            values = load(folder, name, agent)["scores"]
            cells = [summary.number(values[score]).show() for score in shown]
            yield f"| `{name}` | `{agent}` | " + " | ".join(cells) + " |"


def craftax_table(folder: pathlib.Path) -> Iterator[str]:
    """Yield the table of our agents in Craftax, and the floors they reach."""
    floors = " | ".join(f"{title} reached" for title in FLOORS.values())
    yield f"| Protocol | Agent | Score | Achievements, median of 67 | {floors} |"
    yield "|---" * (4 + len(FLOORS)) + "|"
    for name in CRAFTAX:
        for agent in AGENTS:
            results = load(folder, name, agent)
            reached = [rollout["achievements"] for rollout in results["rollouts"]]
            cells = [
                summary.number(results["scores"]["craftax"]).show(),
                f"{statistics.median(map(len, reached)):g}",
                *(f"{sum(f in r for r in reached)} of {len(reached)}" for f in FLOORS),
            ]
            yield f"| `{name}` | `{agent}` | " + " | ".join(cells) + " |"


def short_table(folder: pathlib.Path) -> Iterator[str]:
    """Yield the table of our agents beside the published scores."""
    yield "| Rollouts | Agent | Score | Achievements, median |"
    yield "|---|---|---|---|"
    for row in PUBLISHED:
        for name, limit in row["rollouts"].items():
            for agent in ("scripted", "random"):
                results = load(folder, name, agent)
                counts = [
                    len(rollout["achievements"]) for rollout in results["rollouts"]
                ]
                score = summary.number(results["scores"]["craftaxlm"]).show()
                all_there_are = len(results["achievements"])
                median = f"{statistics.median(counts):g} of {all_there_are}"
                yield f"| {limit} | `{agent}`, here | {score} | {median} |"
        for agent, value in row["published"].items():
            yield f"| {limit} | {agent}, published | {value:.1f} | |"


#: Name of a table on the page -> function that makes it.
TABLES = {
    "results": full_table,
    "results in Craftax": craftax_table,
    "comparison": short_table,
}


def split_page(name: str) -> tuple[str, str, str]:
    """Return the text before a table of the page, the table, and the rest."""
    before, begin, rest = PAGE.read_text("utf-8").partition(f"<!-- {name} -->\n")
    table, end, after = rest.partition(f"<!-- end of {name} -->")
    return before + begin, table, end + after


def write_tables(folder: pathlib.Path) -> None:
    """Update the tables of the page."""
    for name, make in TABLES.items():
        before, _, after = split_page(name)
        PAGE.write_text(before + "\n".join(make(folder)) + "\n" + after, "utf-8")


def main() -> None:
    """Run the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument("folder", type=pathlib.Path, help="folder for the summaries")
    args = parser.parse_args()
    if not args.tables:
        measure_all(args)
    write_tables(args.folder)


def measure_all(args: argparse.Namespace) -> None:
    """Run everything and write the summaries."""
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, agent in itertools.product(args.protocols, args.agents):
        whole = args.folder / f"{name}-{agent}"
        with tempfile.TemporaryDirectory() as temporary:
            logs = pathlib.Path(temporary, whole.name)
            Run(protocol(name), OFFLINE[agent], logs).play()
            text = json.dumps(summary.summarise(logs), separators=(",", ":"))
            whole.with_suffix(".json").write_text(text + "\n", "utf-8")
            run_logs.pack(logs, whole.with_suffix(".jsonl.gz"))
        print(whole.name, file=sys.stderr)


if __name__ == "__main__":
    main()

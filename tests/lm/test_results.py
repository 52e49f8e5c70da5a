"""The shipped results: reproducible, within the targets, and what the documents say."""

from __future__ import annotations

import json
import pathlib
import re
import statistics

import measure_lm_agents as measure
import pytest
from lm_helpers import run

import crafter
from crafter.lm import CrafterACI
from crafter.lm.agents.players import ScriptedAgent
from crafter.lm.runs import runner, summary
from crafter.lm.runs.protocols import PRESETS, protocol

ROOT = pathlib.Path(crafter.__file__).parents[1]
RESULTS = ROOT / "scores" / "lm"
PAGE = ROOT / "docs" / "language-models.md"

pytestmark = pytest.mark.skipif(
    not RESULTS.exists() or not PAGE.exists(), reason="needs a checkout of the project"
)


#: Agents from the best to the worst.
TOLD = ("scripted", "random_useful", "noop")


def load(name, agent):
    return json.loads((RESULTS / f"{name}-{agent}.json").read_text("utf-8"))


@pytest.mark.slow
def test_results_can_be_reproduced(tmp_path):
    run(protocol("craftaxlm-150", rollouts=2), ScriptedAgent, tmp_path)
    again = summary.summarise(tmp_path)["rollouts"]
    shipped = load("craftaxlm-150", "scripted")["rollouts"][:2]
    for rollout in [*again, *shipped]:
        del rollout["checksum"]  # of the log, which says what ran and for how long
    assert again == shipped


def test_results_are_whole():
    expected = {f"{n}-{a}" for n in measure.PROTOCOLS for a in measure.AGENTS}
    assert set(names()) == {path.stem for path in RESULTS.glob("*.json")} == expected


def names():
    """Return the runs that are shipped whole, beside their summaries."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in RESULTS.glob("*.gz"))


@pytest.mark.parametrize("name", names())
def test_summaries_come_from_the_packed_runs(name):
    found = summary.summarise(RESULTS / f"{name}.jsonl.gz")
    shipped = (RESULTS / f"{name}.json").read_text("utf-8")
    assert rounded(json.dumps(found)) == rounded(shipped)


def rounded(text):
    """Read JSON without the last digits, in which processors differ."""
    return json.loads(text, parse_float=lambda number: f"{float(number):.12g}")


QUICK = "craftaxlm-30calls-scripted"
SLOW = [pytest.param(n, marks=pytest.mark.slow) for n in names() if n != QUICK]


@pytest.mark.parametrize("name", [QUICK, *SLOW])
def test_packed_runs_are_valid(name):
    assert list(runner.problems(RESULTS / f"{name}.jsonl.gz")) == []


def test_targets():
    for name, least in (("crafter-lm-v1", 12), ("craftaxlm-300", 7)):
        rollouts = load(name, "scripted")["rollouts"]
        assert statistics.median(len(r["achievements"]) for r in rollouts) >= least
    found = [load("crafter-lm-v1", agent)["scores"]["craftaxlm"] for agent in TOLD]
    assert found[0]["low"] > found[1]["high"] and found[1]["low"] > found[2]["high"]


@pytest.mark.parametrize("name", ["results", "results in Craftax", "comparison"])
def test_tables_say_what_was_measured(name):
    _, shown, _ = measure.split_page(name)
    assert shown.splitlines() == list(measure.TABLES[name](RESULTS))


# The page about language models.


def test_protocols_on_the_page():
    text = PAGE.read_text("utf-8")
    rows = re.findall(
        r"^\| `([\w-]+)` \| (\d+) \| (.*?) \| (.*?) \|$", text, re.MULTILINE
    )
    assert [row[0] for row in rows] == list(PRESETS)
    for name, rollouts, _, score in rows:
        assert int(rollouts) == len(protocol(name).seeds)
        assert score == PRESETS[name]["score"]


def test_settings_on_the_page_exist():
    text = PAGE.read_text("utf-8")
    table = text[text.index("| Argument of `CrafterACI`") : text.index("## Actions")]
    named = {
        name
        for line in table.splitlines()[2:]
        if line.startswith("|")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    known = set(CrafterACI.__init__.__annotations__)
    assert named <= known
    assert known - named <= {"env", "seed", "glyphs", "return"}

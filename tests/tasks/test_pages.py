"""Pages for people: what is in them, and that they work in a real browser."""

from __future__ import annotations

import base64
import json
import re
import time

import browser
import pytest
from PIL import Image

from crafter.tasks import cli
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.episodes import runs
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.judge import agree, opinions, pages
from crafter.tasks.judge.evidence import frame_steps
from crafter.tasks.judge.questions import Question, items_of, questions_of
from crafter.tasks.world import records


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Recorded attempts of two agents at two short tasks."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = ("place_stone", "make_wood_pickaxe")
    suite = Suite("two", tuple(EpisodeSpec(task, "simple", 0) for task in tasks))
    for agent in ("noop", "oracle"):
        factory = factory_of(agent)
        where = folder / agent
        runs.run_shard(suite, agent, factory, where, record=True, say=lambda text: None)
    return folder


def questions(folder, kind):
    return questions_of(items_of([folder]), kind)


def data_of(path):
    text = (path / "index.html").read_text("utf-8")
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text)
    return json.loads(found[1])


def test_a_page_is_a_folder_that_needs_nothing_else(recorded, tmp_path):
    words = ["page", "rate", str(recorded), "--out", str(tmp_path)]
    assert cli.main(words) == 0
    text = (tmp_path / "index.html").read_text("utf-8")
    assert not re.search(r"https?://|//cdn|@import|url\(", text)
    data = data_of(tmp_path)
    assert len(data["items"]) == 4
    for item in data["items"]:
        (shown,) = item["shown"]
        with Image.open(tmp_path / shown["file"]) as image:
            rows = -(-len(shown["steps"]) // pages.COLUMNS)
            assert image.size == (pages.SIZE * pages.COLUMNS, pages.SIZE * rows)
        assert shown["steps"][0] == 0 and "progress" in item["hint"]


def test_names_of_agents_are_not_in_the_page(recorded, tmp_path):
    pages.write(questions(recorded, "comparisons"), tmp_path, seed=1, size=72)
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "noop" not in text and "oracle" not in text
    hidden = [
        json.loads(base64.b64decode(i["hidden"])) for i in data_of(tmp_path)["items"]
    ]
    assert {(one["a"], one["b"]) for one in hidden} == {("noop", "oracle")}


def test_order_and_sides_follow_from_the_seed(recorded, tmp_path):
    asked, found = questions(recorded, "comparisons"), []
    for number, seed in enumerate((0, 0, 1, 2, 3, 4)):
        pages.write(asked, tmp_path / str(number), seed=seed, size=36, most=2)
        items = data_of(tmp_path / str(number))["items"]
        found.append([(item["key"], item["turned"]) for item in items])
    assert found[0] == found[1] and len({str(one) for one in found}) > 2
    assert {turned for one in found for _, turned in one} == {True, False}


def test_pictures_are_those_of_the_steps(recorded, tmp_path):
    item = items_of([recorded / "oracle"])[0]
    pages.write([Question((item,))], tmp_path, size=90, most=5)
    (shown,) = data_of(tmp_path)["items"][0]["shown"]
    assert shown["steps"] == frame_steps(records.read(item.path).steps, most=5)
    with Image.open(tmp_path / shown["file"]) as image:
        assert image.size == (90 * pages.COLUMNS, 90)


# In a browser.


def choose(tab, name, value):
    tab.run(f"document.querySelector('input[name={name}][value=\"{value}\"]').click()")


def chosen(tab):
    return tab.run("[...document.querySelectorAll('input:checked')].map(x => x.value)")


def downloaded(folder):
    end = time.monotonic() + browser.PATIENCE
    while not (found := list(folder.glob("*.jsonl"))):
        assert time.monotonic() < end, "nothing was downloaded"
        time.sleep(0.05)
    return found[0]


@pytest.mark.slow
@pytest.mark.skipif(not browser.find(), reason="needs a Chromium")
@pytest.mark.parametrize("kind", ["ratings", "comparisons"])
def test_a_page_in_a_browser(recorded, tmp_path, kind):
    asked = questions(recorded, kind)
    path = pages.write(asked, tmp_path / "page", seed=1, size=72)
    data = data_of(tmp_path / "page")
    words = ["good", "poor"] if kind == "ratings" else ["A", "both_bad"]
    with browser.tab(tmp_path) as tab:
        tab.open(path.as_uri())
        assert tab.run("document.getElementById('count').textContent")[0] == "0"
        for name in DIMENSIONS:
            choose(tab, name, words[0])
        choose(tab, "creative_attempts", "none")
        if kind == "comparisons":
            choose(tab, "overall", "A")
        before = chosen(tab)
        # Nothing goes without a name.
        tab.run("document.getElementById('download').click()")
        assert "name" in tab.run("document.getElementById('note').textContent")
        tab.run(
            "const own = document.getElementById('rater'); own.value = 'Ann B';"
            "own.dispatchEvent(new Event('input'))"
        )
        # The player goes to the end.
        tab.run("players[0].slider.value = 1; players[0].slider.oninput()")
        assert "step 0 " not in tab.run("players[0].step.textContent")
        # Progress survives a reload.
        tab.call("Page.reload")
        tab.wait("typeof players === 'object' && players.length > 0")
        assert chosen(tab) == before
        assert tab.run("document.getElementById('rater').value") == "Ann B"
        tab.run("document.getElementById('next').click()")
        assert chosen(tab) == []
        choose(tab, "task_progress", words[1])
        tab.run("document.getElementById('download').click()")
        answers = downloaded(tmp_path)
    head, found = opinions.read(answers)
    assert head.source == "human:Ann B" and len(found) == 2
    said = [one.said for one in found]
    turned = data["items"][0]["turned"]
    assert said[0]["action_control"] == ("B" if turned else words[0])
    assert said[0]["creative_attempts"] is None
    assert said[1]["task_progress"] == words[1]
    assert said[1]["action_control"] == "missing"
    assert set(found[0].agents) <= {"noop", "oracle"}
    agreed = agree.agree(found, found).groups["dimension"]
    assert agreed["action_control"].pairs == 1

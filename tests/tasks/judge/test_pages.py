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
from crafter.tasks.judge import opinions, pages
from crafter.tasks.judge.criteria import Rubric
from crafter.tasks.judge.evidence import SIZE, frame_steps
from crafter.tasks.judge.questions import items_of, questions_of
from crafter.tasks.world import records


def data_of(path):
    text = (path / "index.html").read_text("utf-8")
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text)
    return json.loads(found[1])


def test_a_page_is_a_folder_that_needs_nothing_else(attempts, tmp_path):
    words = ["page", "rate", str(attempts / "oracle"), "--out", str(tmp_path)]
    assert cli.main([*words, "--count", "2"]) == 0
    text = (tmp_path / "index.html").read_text("utf-8")
    assert not re.search(r"https?://|//cdn|@import|url\(", text)
    items = data_of(tmp_path)["items"]
    assert len(items) == 2
    paths = {item.place[1]: item.path for item in items_of([attempts / "oracle"])}
    for item in items:
        (shown,) = item["shown"]
        task = json.loads(base64.b64decode(item["hidden"]))["task"]
        steps = frame_steps(records.read(paths[task]).steps)
        assert [frame["step"] for frame in shown] == steps
        for frame in shown:
            with Image.open(tmp_path / frame["file"]) as image:
                assert image.size == (SIZE, SIZE)
        assert "progress" in item["hint"]


def test_agents_are_hidden_and_order_and_sides_follow_from_the_seed(
    attempts, tmp_path, monkeypatch
):
    bad = "</script><script>alert(1)</script>"
    monkeypatch.setattr(pages, "_draw", lambda *about: [])
    monkeypatch.setattr(pages, "criteria", lambda task: Rubric(bad, {}))
    asked, found = questions_of(items_of([attempts]), "comparisons"), []
    for number, seed in enumerate((0, 0, 1, 2, 3, 4)):
        folder = tmp_path / str(number)
        text = pages.write(asked, folder, seed=seed).read_text("utf-8")
        assert "noop" not in text and "oracle" not in text and bad not in text
        items = data_of(folder)["items"]
        assert {item["text"] for item in items} == {bad}
        found.append([(item["key"], item["turned"]) for item in items])
        hidden = [json.loads(base64.b64decode(item["hidden"])) for item in items]
        assert {(one["a"], one["b"]) for one in hidden} == {("noop", "oracle")}
    assert found[0] == found[1] and len({str(one) for one in found}) > 2
    assert {turned for one in found for _, turned in one} == {True, False}


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
def test_a_page_in_a_browser(attempts, tmp_path, kind):
    asked = questions_of(items_of([attempts]), kind)
    path = pages.write(asked, tmp_path / "page", seed=1)
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
    assert head["source"] == "human:Ann B" and len(found) == 2
    said = [one.said for one in found]
    turned = data["items"][0]["turned"]
    assert said[0]["action_control"] == ("B" if turned else words[0])
    assert said[0]["creative_attempts"] is None
    assert said[1]["task_progress"] == words[1]
    assert said[1]["action_control"] == "missing"
    assert set(found[0].agents) <= {"noop", "oracle"}

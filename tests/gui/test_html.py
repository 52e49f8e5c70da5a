"""Replays as web pages, as files and in a browser."""

import base64
import functools
import io
import itertools
import re

import browser
import numpy as np
import pytest
from PIL import Image
from recorded import record

import crafter
from crafter import run_gui
from crafter.core import journal
from crafter.games import craftax
from crafter.gui.options import make_parser, read_arguments
from crafter.lm.__main__ import main as crafter_lm

GAMES = {
    "crafter": lambda: crafter.Env(area=(24, 24), seed=4),
    "craftax": lambda: craftax.Env("pixels", seed=4),
}
STARTS = {"day": "noon", "night": "midnight"}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Game and daytime -> (its page, frames of every step)."""
    found = {}
    for name, make in GAMES.items():
        for start, daytime in STARTS.items():
            folder = tmp_path_factory.mktemp("page")
            env, actions = make(), np.random.default_rng(1).integers(1, 6, 30)
            look = functools.partial(env.frame, tuple(16 * n for n in env.cells))
            path, frames = record(env, folder, actions, look, daytime=daytime)
            page = folder / "page.html"
            run_gui.main(["--replay", str(path), "--html", str(page)])
            found[name, start] = page, frames
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_one_small_file_that_asks_for_nothing(written, game):
    page, _ = written[game, "day"]
    text = page.read_text("utf-8")
    assert not re.search(r"https?://|src=|@import|url\(", text)
    assert len(text) < 200_000


def test_what_cannot_be_played_again_has_no_page(written, tmp_path, capsys):
    page, _ = written["crafter", "day"]
    (path,) = page.parent.glob("*.npz")
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files if name != "start"}
    np.savez(tmp_path / "old.npz", **kept)
    words = ["--replay", str(tmp_path / "old.npz"), "--html", str(tmp_path / "x.html")]
    with pytest.raises(SystemExit):
        run_gui.main(words)
    (line,) = capsys.readouterr().err.splitlines()
    assert "it does not record how the game began" in line
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("protocol", ["craftaxlm-150", "craftaxlm-full-300"])
def test_a_run_of_a_language_model_is_shown_with_its_words(tmp_path, protocol):
    words = f"run --agent random --protocol {protocol} --seeds 3 --cap-actions 40 --out"
    assert crafter_lm([*words.split(), str(tmp_path)]) == 0
    (log,) = tmp_path.glob("rollout-*.jsonl")
    replies = [line["reply"] for line in journal.read(log) if line["type"] == "call"]
    args = read_arguments(make_parser(), ["--replay", str(log)])
    source = run_gui.open_source(args)
    said = {0: [*source.notices]}
    for row in range(1, source.last + 1):
        source.notices.clear()
        source.seek(row)
        said[row] = [text for text in source.notices if text.startswith("“")]
    assert source.env is not None and source.last == 40
    assert [*itertools.chain(*said.values())] == [f"“{text}”" for text in replies]
    page = tmp_path / "page.html"
    run_gui.main(["--replay", str(log), "--html", str(page)])
    assert page.stat().st_size < 200_000


@pytest.mark.slow
@pytest.mark.skipif(browser.find() is None, reason="needs a Chromium")
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("game", GAMES)
def test_the_page_shows_our_frames_plays_and_seeks(written, tmp_path, game, start):
    page, frames = written[game, start]
    with browser.tab(tmp_path) as tab:
        tab.open(page.as_uri())
        tab.wait("window.ready === true")
        for index in (0, 30, 7, 8):
            tab.run(f"show({index})")
            url = tab.run("get('picture').toDataURL('image/png')")
            image = base64.b64decode(url.partition(",")[2])
            shown = np.asarray(Image.open(io.BytesIO(image)).convert("RGB")).astype(int)
            difference = np.abs(shown - frames[index])
            if start == "day":
                assert difference.max() <= 3, index
            else:  # other noise
                assert np.abs(difference.mean((0, 1))).max() < 12, index
                means = shown.mean() - frames[index].mean()
                assert abs(means) < 2, index
        tab.run("show(0); play(true)")
        tab.wait("index >= 3")
        tab.run("play(false)")
        key = "new KeyboardEvent('keydown', {key: 'End'})"
        tab.run(f"document.dispatchEvent({key})")
        assert tab.run("index") == 30
        assert "Step 30 of 30" in tab.run("document.body.innerText")

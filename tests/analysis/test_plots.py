"""The plots of analysis/, and the report with all of them."""

import importlib
import re

import common
import numpy as np
import pytest
from analysis_programs import PLOTS, fails, run
from budget import sample
from scored import NAMES, SCORES, make_run

from crafter import scoring
from crafter.reporting import figures

pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
pytest.importorskip("scipy", reason="needs crafter[analysis]")

import plot_counts
import plot_scores
import plot_spectrum
from matplotlib.backends.backend_agg import FigureCanvasAgg

PUBLISHED = SCORES / "published.json"


@pytest.fixture
def methods(folder):
    return common.join(scoring.load_runs([folder], 100_000), [])


STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


WRITTEN = zip(["plot_scores", *PLOTS], [".png", ".svg", ".pdf", ".svg", ".png"])


@pytest.mark.parametrize("plot", sample(WRITTEN))
def test_plots_are_written_and_repeatable(plot, folder, tmp_path):
    name, suffix = plot
    paths = [tmp_path / f"{i}{suffix}" for i in range(2)]
    for path in paths:
        run(name, folder, PUBLISHED, "--without", "human", "--output", path)
    assert paths[0].read_bytes().startswith(STARTS[suffix])
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", sample(PLOTS))
def test_legends_cover_nothing(name, folder):
    runs = scoring.load_runs([folder], 100_000)
    methods = common.join(runs, common.read_published(PUBLISHED))
    if name in ("plot_reward", "plot_counts", "plot_profile"):
        methods = common.with_runs(methods)
    with figures.look():
        drawn = importlib.import_module(name).draw(methods)
        FigureCanvasAgg(drawn).draw()
        (legend,) = drawn.legends
        box = legend.get_window_extent()
        for axes in drawn.axes:
            assert axes.get_tightbbox().y1 <= box.y0 + 1
        assert box.x0 >= 0 and box.x1 <= drawn.bbox.x1
        assert box.y1 <= drawn.bbox.y1


def test_rare_successes_are_seen_in_the_spectrum():
    lengths = np.full(30_000, 30)
    counts = {"eat_plant": np.arange(30_000) == 7, "eat_cow": np.zeros(30_000)}
    methods = common.join([make_run(lengths, counts=counts)], [])
    with figures.look():
        drawn = plot_spectrum.draw(methods)
    bars = [bar for axes in drawn.axes for bar in axes.patches]
    heights = dict(zip(NAMES, (bar.get_height() for bar in bars)))
    assert heights["eat_plant"] == pytest.approx(100 / 30_000)
    assert heights["eat_cow"] == 0
    bottom = drawn.axes[0].transData.transform([(0, 0), (0, heights["eat_plant"])])
    assert bottom[1, 1] - bottom[0, 1] > 3  # pixels


def test_spectrum_shows_the_deviation_over_seeds(methods):
    with figures.look():
        drawn = plot_spectrum.draw(methods)
    ends = {
        (round(float(a[1]), 6), round(float(b[1]), 6))
        for axes in drawn.axes
        for lines in axes.collections
        for a, b in lines.get_segments()
    }
    for method in methods:
        rates = method.over_seeds(scoring.success_rates)
        for mean, std in zip(rates.mean(0), rates.std(0)):
            if std:
                low, high = max(mean - std, 0), min(mean + std, 100)
                assert (round(low, 6), round(high, 6)) in ends


def test_counts_leave_out_what_never_happened():
    runs = [make_run([100] * 20, counts={"collect_wood": np.ones(20)})]
    with figures.look():
        drawn = plot_counts.draw(common.join(runs, []), 2000, 100)
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles == ["Length", "Collect Wood"]
    assert "Never: Return, Collect Coal" in drawn.get_supxlabel().replace("\n", " ")


def test_bars_show_score_and_deviation(methods):
    with figures.look():
        (axes,) = plot_scores.draw(methods).axes
    scores = [m.over_seeds(scoring.run_score) for m in methods]
    assert [bar.get_width() for bar in axes.patches] == [s.mean() for s in scores]
    texts = [f"{s.mean():.1f} ± {s.std():.1f}" for s in scores]
    assert [text.get_text() for text in axes.texts] == texts


def test_other_suffixes_are_refused(folder, capsys):
    message = fails(capsys, "plot_scores", folder, "--output", "plot.bmp")
    assert "Format 'bmp' is not supported" in message


@pytest.mark.parametrize("name", ["plot_reward", "plot_counts", "report"])
def test_published_results_alone_have_no_curves(name, tmp_path, capsys):
    path = tmp_path / "x.pdf"
    assert "no runs found" in fails(capsys, name, PUBLISHED, "--output", path)
    assert not path.exists()


@pytest.mark.slow
def test_report_is_one_page_with_everything(folder, tmp_path):
    path = tmp_path / "report.html"
    run("report", folder, PUBLISHED, "--output", path, "--title", "A <title>")
    page = path.read_text("utf-8")
    assert "<h1>A &lt;title&gt;</h1>" in page
    for heading in ["Scores", "Success rates", "Depth", "Seeds", "Protocol"]:
        assert re.search(f"<h2[^>]*>{heading}", page)
    assert page.count("data:image/svg+xml;base64,") == 5
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    links = re.findall(r'href="#([^"]*)"', page)
    assert links == re.findall(r'<h2 id="([^"]*)"', page) and len(links) == 6
    for kind, tag in [("Table", "caption"), ("Figure", "figcaption")]:
        numbers = re.findall(rf"<{tag}><b>{kind} (\d+)\.</b> \S", page)
        count = page.count(f"<{tag}>")
        assert [*map(int, numbers)] == [*range(1, count + 1)]
    assert 'name="viewport"' in page
    for row in re.findall(r"<tr>(?:<td>.*?</td>)+</tr>", page):
        cells = re.findall("<td>(.*?)</td>", row)
        assert cells.count("") < len(cells) / 2 or len(cells) < 3
    (one, *_) = scoring.load_runs([folder / "crafter_reward-ppo.json"], 100_000)
    assert f"<td>{scoring.run_score(one):.2f}</td>" in page
    assert "100,000 environment steps" in page

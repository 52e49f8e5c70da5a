"""The programs of analysis/: tables, plots, report and scoreboard."""

import csv
import importlib
import io
import json
import pathlib
import re
import subprocess
import sys

import common
import numpy as np
import print_spectrum
import pytest
import update_scoreboard
from budget import sample
from scored import (
    HUMAN,
    NAMES,
    ROOT,
    SCORES,
    make_run,
    needs_human,
    random_run,
    record,
    write_log,
)

from crafter import scoring
from crafter.reporting import tables

ANALYSIS = pathlib.Path(common.__file__).parent
PUBLISHED = SCORES / "published.json"
PRINTS = ["print_scores", "print_spectrum", "print_reward"]
PLOTS = ["plot_scores", "plot_spectrum", "plot_reward", "plot_counts"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two methods, of which one was published too."""
    folder = tmp_path_factory.mktemp("scores")
    for method, skill in [("ppo", 0.4), ("my_agent", 0.8)]:
        runs = [random_run(seed, 70, skill, method) for seed in range(3)]
        scoring.write_scores(folder / f"crafter_reward-{method}.json", runs)
    return folder


def run(name, *arguments, budget=100_000):
    importlib.import_module(name).main([*map(str, arguments), "--budget", str(budget)])


def fails(capsys, name, *arguments, **options):
    """Runs a program, which has to fail, and returns what it says."""
    with pytest.raises(SystemExit) as caught:
        run(name, *arguments, **options)
    assert caught.value.code
    return capsys.readouterr().err


def rows_of(text):
    """Returns the rows of CSV, by their first cell."""
    return {row.pop(next(iter(row))): row for row in csv.DictReader(io.StringIO(text))}


# Published results.


def published():
    return {entry.method: entry for entry in common.read_published(PUBLISHED)}


def test_published_rates_give_the_published_scores():
    tables_of_rates = [entry for entry in published().values() if entry.rates]
    assert len(tables_of_rates) == 7
    for entry in tables_of_rates:
        assert list(entry.rates) == NAMES
        # Close, not equal: theirs is the mean of the seeds' scores.
        score = scoring.score(list(entry.rates.values()))
        assert score == pytest.approx(entry.score[0], rel=0.1)


def test_published_seeds_give_the_published_scores():
    results = json.loads(PUBLISHED.read_text())["results"]
    seeds = {e["method"]: (e["score"], e["seeds"]) for e in results if "seeds" in e}
    assert set(seeds) == {"human", "random"}
    for printed, values in seeds.values():
        mean, std = scoring.mean_std(values["score"])
        assert (round(mean, 1), round(std, 1)) == (printed["mean"], printed["std"])


def test_every_published_result_has_a_known_source():
    content = json.loads(PUBLISHED.read_text())
    for entry in content["results"]:
        assert entry["source"].split(",")[0] in content["sources"]
        assert "score" in entry or "return" in entry


@pytest.mark.parametrize("text", ["[", "[]", '{"results": [{}]}', '{"results": [1]}'])
def test_damaged_published_results_are_refused(text, tmp_path, capsys):
    path = tmp_path / "published.json"
    path.write_text(text)
    message = fails(capsys, "print_scores", path)
    assert "published.json: not a file of published results" in message


def test_published_rates_above_100_are_refused(tmp_path, capsys):
    content = json.loads(PUBLISHED.read_text())
    content["results"][0]["success_rates"]["eat_cow"] = 890
    path = tmp_path / "published.json"
    path.write_text(json.dumps(content))
    assert "0 to 100, but got 890" in fails(capsys, "print_scores", path)


# Tables.


@needs_human
def test_human_row_beside_the_published_one(capsys):
    run("print_scores", HUMAN, PUBLISHED, "--only", "human", budget=20_000)
    row = capsys.readouterr().out.splitlines()[2]
    assert re.split(r"  +", row) == [
        "Human experts",
        "5",
        "50.5 ± 6.8",
        "13.0 ± 0.7",
        "619 ± 100",
        "50.5 ± 6.8",
        "14.3 ± 2.3",
    ]


def test_scores_of_runs(folder, capsys):
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    run("print_scores", folder, PUBLISHED, "--format", "csv", "--intervals")
    found = rows_of(capsys.readouterr().out)
    scores = [
        scoring.run_score(one.within(100_000))
        for one in scoring.read_scores(folder / "crafter_reward-ppo.json")
    ]
    assert float(found["PPO"]["Score (%) mean"]) == pytest.approx(np.mean(scores), 1e-4)
    assert float(found["PPO"]["Score (%) std"]) == pytest.approx(np.std(scores), 1e-3)
    assert found["PPO"]["Published score mean"] == "4.6"
    assert found["PPO"]["Seeds"] == "3"
    assert re.fullmatch(r"\d+\.\d to \d+\.\d", found["PPO"]["95 % interval"])
    assert found["My agent"]["Published score mean"] == ""
    assert found["DreamerV2"]["Score (%) mean"] == ""


def test_both_conventions_of_the_return(folder, capsys):
    (one, *_) = scoring.load_runs([folder / "crafter_reward-ppo.json"], 100_000)
    for convention in scoring.CONVENTIONS:
        for name in ["print_scores", "print_reward"]:
            arguments = ["--return", convention, "--format", "csv", "--only", "ppo"]
            run(name, folder, *arguments)
            row = rows_of(capsys.readouterr().out)["PPO"]
            column = "Return" if convention == "mean" else "Return (first)"
            ends = [
                scoring.final_return(one, convention)
                for one in scoring.load_runs(
                    [folder / "crafter_reward-ppo.json"], 10**5
                )
            ]
            assert float(row[f"{column} mean"]) == pytest.approx(np.mean(ends), 1e-4)


def test_spectrum_has_the_rates(folder, capsys):
    run("print_spectrum", folder, PUBLISHED, "--format", "csv", "--only", "ppo")
    found = rows_of(capsys.readouterr().out)
    assert len(found) == 23
    runs = scoring.load_runs([folder / "crafter_reward-ppo.json"], 100_000)
    rates = np.mean([scoring.success_rates(one) for one in runs], 0)
    for name, rate in zip(NAMES, rates):
        row = found[print_spectrum.title(name)]
        assert float(row["PPO"]) == pytest.approx(rate, 1e-4)
        assert float(row["PPO (published)"]) == published()["ppo"].rates[name]
    assert found["Score"]["PPO (published)"] == "4.6"
    run("print_spectrum", PUBLISHED, "--format", "csv", "--only", "ppo")
    assert rows_of(capsys.readouterr().out)["Score"] == {"PPO": "4.6"}


def test_the_best_rates_are_bold(capsys):
    run("print_spectrum", PUBLISHED, "--format", "latex", "--only", "ppo,rainbow")
    out = capsys.readouterr().out
    assert r"Collect Diamond & $0.0$ & $0.0$ \\" in out
    assert r"Eat Cow & $12.0$ & $\mathbf{26.1}$ \\" in out
    assert r"Wake Up & $\mathbf{92.5}$ & $\mathbf{93.3}$ \\" in out


@pytest.mark.parametrize("name", PRINTS)
@pytest.mark.parametrize("kind", tables.FORMATS)
def test_formats(name, kind, folder, tmp_path, capsys):
    path = tmp_path / "deep" / "table.txt"
    run(name, folder, PUBLISHED, "--format", kind)
    shown = capsys.readouterr().out
    run(name, folder, PUBLISHED, "--format", kind, "--output", path)
    assert path.read_text("utf-8") == shown
    assert "DreamerV2" in shown and "My agent" in shown
    sign = {"text": "---  ", "markdown": "| --- |", "latex": r"\hline", "csv": ",9"}
    assert sign[kind] in shown


def test_tables_in_every_format():
    table = tables.Table(
        ["A_b", "N", "V"],
        [
            ["x & y", "1", tables.Value(1.25, 0.5)],
            ["z", None, tables.Value(3, bold=True)],
        ],
        "† note",
    )
    assert table.render("text").splitlines() == [
        "A_b    N          V",
        "-----  -  ---------",
        "x & y  1  1.2 ± 0.5",
        "z               3.0",
        "",
        "† note",
    ]
    assert table.render("markdown").splitlines()[:4] == [
        "| A_b | N | V |",
        "| --- | ---: | ---: |",
        "| x & y | 1 | 1.2 ± 0.5 |",
        "| z |  | **3.0** |",
    ]
    latex = table.render("latex")
    assert r"x \& y & 1 & $1.2 \pm 0.5$ \\" in latex
    assert r"z &  & $\mathbf{3.0}$ \\" in latex
    assert r"A\_b & N & V \\" in latex
    assert latex.endswith(r"$\dagger$ note")
    assert table.render("csv").splitlines() == [
        "A_b,N,V mean,V std",
        "x & y,1,1.25,0.5",
        "z,,3,",
    ]
    page = table.html("<b>Table 1.</b> All")
    assert "<caption><b>Table 1.</b> All</caption>" in page
    assert "<td>x &amp; y</td><td>1</td><td>1.2 ± 0.5</td>" in page
    assert "<td><b>3.0</b></td>" in page


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (tables.Value(1.54, 0.3), "1.5 ± 0.3"),
        (tables.Value(1.54, 0.02), "1.54 ± 0.02"),
        (tables.Value(1.54, 0.002), "1.540 ± 0.002"),
        (tables.Value(1.6, 0.0), "1.6 ± 0.0"),
        (tables.Value(0.01), "<0.1"),
        (tables.Value(0.06), "0.1"),
        (tables.Value(0.0), "0.0"),
    ],
)
def test_what_is_not_zero_is_not_shown_as_zero(value, text):
    assert value.show() == text


def test_missing_numbers_are_empty():
    assert tables.Value(np.nan, 1.0).show() == ""


# What is shown.


def test_methods_are_ordered_by_score_or_as_wanted(folder, capsys):
    run("print_reward", folder, PUBLISHED, "--format", "csv")
    names = list(rows_of(capsys.readouterr().out))
    assert names[0] == "Human experts" and names[-1] == "ELLM †"
    assert names.index("My agent") < names.index("PPO") < names.index("Rainbow")
    run("print_reward", folder, PUBLISHED, "--format", "csv", "--only", "random,ppo")
    assert list(rows_of(capsys.readouterr().out)) == ["Random", "PPO"]
    run("print_reward", folder, "--format", "csv", "--without", "ppo")
    assert list(rows_of(capsys.readouterr().out)) == ["My agent"]


def test_unknown_methods_are_refused(folder, capsys):
    message = fails(capsys, "print_scores", folder, "--only", "pppo")
    assert "there is no method pppo; there are" in message
    message = fails(capsys, "print_scores", folder, "--without", "ppo,my_agent")
    assert "leave no method" in message


def test_one_method_with_and_without_reward():
    runs = [
        random_run(0, method="random", task=f"crafter_{t}reward") for t in ("", "no")
    ]
    names = {method.name for method in common.join(runs, [])}
    assert names == {"Random (reward)", "Random (no reward)"}


def test_folders_bring_their_published_results(folder, tmp_path, capsys):
    for path in [*folder.iterdir(), PUBLISHED]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    run("print_scores", tmp_path, "--format", "csv")
    assert rows_of(capsys.readouterr().out)["PPO"]["Published score mean"] == "4.6"


def test_logs_are_read_like_score_files(tmp_path, capsys):
    write_log(tmp_path / "crafter_reward-new" / "0", [record(100, 2.1)] * 9)
    run("print_reward", tmp_path, budget=900)
    assert re.search(r"^New +2.1 ± 0.0$", capsys.readouterr().out, re.MULTILINE)


def test_short_runs_are_warned_about_or_refused(folder, capsys):
    run("print_scores", folder, budget=10**6)
    out, err = capsys.readouterr()
    assert "PPO" in out
    assert "warning: crafter_reward-ppo: fewer steps than the budget" in err
    message = fails(capsys, "print_scores", folder, "--strict", budget=10**6)
    assert "fewer steps than the budget of 1,000,000: seed 0 has" in message


def test_damaged_logs_are_explained(tmp_path, capsys):
    write_log(tmp_path / "crafter_reward-x" / "0", [record(), "{"])
    assert "stats.jsonl, line 2: not a whole" in fails(capsys, "print_scores", tmp_path)


# From logs to score files.


def test_metrics_are_read_into_score_files(tmp_path, capsys):
    for seed in range(2):
        write_log(
            tmp_path / "logs" / "crafter_reward-x" / str(seed),
            [record(100, 2.1, eat_cow=seed)] * 20,
        )
    run("read_metrics", tmp_path / "logs", "--output", tmp_path / "out", budget=1950)
    assert "X           2" in capsys.readouterr().out
    runs = scoring.read_scores(tmp_path / "out" / "crafter_reward-x.json")
    assert [one.episodes for one in runs] == [19, 19]
    assert runs[0].reward.tolist() == [2.1] * 19
    assert runs[0].made_by == {}


def test_metrics_say_what_made_the_logs(tmp_path):
    logs = tmp_path / "crafter_reward-x"
    write_log(logs / "0", [record()])
    write_log(logs / "1", [record()])
    (logs / "1" / "made_by.json").write_text('{"command": "mine"}')
    out = ["--output", tmp_path / "out", "--command", "train it"]
    run("read_metrics", logs, *out, budget=1000)
    runs = scoring.read_scores(tmp_path / "out" / "crafter_reward-x.json")
    assert [one.made_by["command"] for one in runs] == ["train it", "mine"]
    assert "crafter" in runs[0].made_by


def test_metrics_leave_out_short_runs(tmp_path, capsys):
    for seed, length in enumerate([995_000, 400]):
        write_log(tmp_path / "crafter_reward-x" / str(seed), [record(length)])
    out = tmp_path / "out"
    run("read_metrics", tmp_path, "--output", out, budget=10**6)
    assert "seed 1 has 400" in capsys.readouterr().err
    path = out / "crafter_reward-x.json"
    assert [one.seed for one in scoring.read_scores(path)] == ["0"]
    run("read_metrics", tmp_path, "--output", out, "--keep-short", budget=10**6)
    assert [one.seed for one in scoring.read_scores(path)] == ["0", "1"]
    message = fails(
        capsys,
        "read_metrics",
        tmp_path / "crafter_reward-x" / "1",
        "--output",
        out,
        budget=10**6,
    )
    assert "no run has enough steps" in message


# Plots and report.


STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("plot_scores", ".png"),
        *(
            pytest.param("plot_scores", suffix, marks=pytest.mark.slow)
            for suffix in STARTS
            if suffix != ".png"
        ),
        pytest.param("plot_spectrum", ".pdf", marks=pytest.mark.slow),
        pytest.param("plot_reward", ".svg", marks=pytest.mark.slow),
        pytest.param("plot_counts", ".png", marks=pytest.mark.slow),
    ],
)
def test_plots_are_written_and_repeatable(name, suffix, folder, tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    paths = [tmp_path / f"{i}{suffix}" for i in range(2)]
    for path in paths:
        run(name, folder, PUBLISHED, "--without", "human", "--output", path)
    assert paths[0].read_bytes().startswith(STARTS[suffix])
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", sample(PLOTS))
def test_legends_cover_nothing(name, folder):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from crafter.reporting import figures

    runs = scoring.load_runs([folder], 100_000)
    methods = common.join(runs, common.read_published(PUBLISHED))
    if name in ("plot_reward", "plot_counts"):
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


@pytest.mark.parametrize("paper", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("name", sample(PLOTS))
def test_figures_for_papers_have_their_widths(name, folder, paper):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from crafter.reporting import figures

    methods = common.join(scoring.load_runs([folder], 100_000), [])
    with figures.look(paper):
        drawn = importlib.import_module(name).draw(methods)
        FigureCanvasAgg(drawn).draw()
    fonts = {text.get_fontfamily()[0] for text in drawn.findobj(Text)}
    wide = name in ("plot_counts", "plot_spectrum")
    if paper:
        assert drawn.get_figwidth() == (figures.PAGE if wide else figures.COLUMN)
        assert fonts == {"serif"}
    else:
        assert drawn.get_figwidth() > figures.COLUMN
        assert fonts == {"sans-serif"}
    for axes in drawn.axes:  # The layout leaves room for all of them.
        assert axes.get_window_extent().height > 20


def test_rare_successes_are_seen_in_the_spectrum():
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    import plot_spectrum

    from crafter.reporting import figures

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


def test_spectrum_shows_the_deviation_over_seeds(folder):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    import plot_spectrum

    from crafter.reporting import figures

    methods = common.join(scoring.load_runs([folder], 100_000), [])
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
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    import plot_counts

    from crafter.reporting import figures

    runs = [make_run([100] * 20, counts={"collect_wood": np.ones(20)})]
    with figures.look():
        drawn = plot_counts.draw(common.join(runs, []), 2000, 100)
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles == ["Length", "Collect Wood"]
    assert "Never: Return, Collect Coal" in drawn.get_supxlabel().replace("\n", " ")


def test_the_optimum_is_shown_on_request(folder):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    import plot_reward

    from crafter.reporting import figures

    methods = common.join(scoring.load_runs([folder], 100_000), [])
    with figures.look():
        plain = plot_reward.draw(methods, 100_000).axes[0]
        marked = plot_reward.draw(methods, 100_000, optimum=True).axes[0]
    assert (
        plain.get_ylim()[1]
        < scoring.find_benchmark().optimal_return
        < marked.get_ylim()[1]
    )


def test_bars_show_score_and_deviation(folder):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    import plot_scores

    from crafter.reporting import figures

    methods = common.join(scoring.load_runs([folder], 100_000), [])
    with figures.look():
        (axes,) = plot_scores.draw(methods).axes
    scores = [m.over_seeds(scoring.run_score) for m in methods]
    assert [bar.get_width() for bar in axes.patches] == [s.mean() for s in scores]
    texts = [f"{s.mean():.1f} ± {s.std():.1f}" for s in scores]
    assert [text.get_text() for text in axes.texts] == texts


def test_other_suffixes_are_refused(folder, capsys):
    message = fails(capsys, "plot_scores", folder, "--output", "plot.bmp")
    assert "expected a name that ends with .pdf, .png, .svg, not 'plot.bmp'" in message


@pytest.mark.parametrize("name", ["plot_reward", "plot_counts", "report"])
def test_published_results_alone_have_no_curves(name, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    path = tmp_path / "x.pdf"
    assert "there are no runs" in fails(capsys, name, PUBLISHED, "--output", path)
    assert not path.exists()


@pytest.mark.parametrize("name", [*PLOTS, "report"])
def test_missing_matplotlib_is_explained(name, folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    message = fails(capsys, name, folder)
    assert "Plots need Matplotlib: pip install crafter[analysis]" in message


@pytest.mark.slow
def test_report_is_one_page_with_everything(folder, tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    path = tmp_path / "report.html"
    run("report", folder, PUBLISHED, "--output", path, "--title", "A <title>")
    page = path.read_text("utf-8")
    assert "<h1>A &lt;title&gt;</h1>" in page
    for heading in ["Scores", "Success rates", "Depth", "Seeds", "Protocol"]:
        assert re.search(f"<h2[^>]*>{heading}", page)
    assert page.count("data:image/svg+xml;base64,") == 4
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


# The scoreboard.


def test_the_scoreboard_of_the_readme_is_current():
    text = (ROOT / "README.md").read_text("utf-8")
    assert (
        update_scoreboard.replaced(text, update_scoreboard.scoreboard(SCORES)) == text
    )


def test_the_scoreboard_shows_all_score_files():
    board = update_scoreboard.scoreboard(SCORES)
    for path in scoring.find_scores(SCORES):
        (method,) = common.join(scoring.load_runs([path]), [])
        score = "{:.2f} ± {:.2f}".format(
            *scoring.mean_std(method.over_seeds(scoring.run_score))
        )
        assert f"| {score} |" in board


def test_the_scoreboard_is_written_and_checked(tmp_path, monkeypatch, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(
        f"a\n{update_scoreboard.BEGIN}\nold\n{update_scoreboard.END}\nb\n"
    )
    monkeypatch.setattr(update_scoreboard, "README", readme)
    with pytest.raises(SystemExit) as caught:
        update_scoreboard.main(["--check"])
    assert caught.value.code == 1
    assert "old" in readme.read_text()
    update_scoreboard.main([])
    update_scoreboard.main(["--check"])
    assert "is current" in capsys.readouterr().out
    text = readme.read_text("utf-8")
    assert text.startswith("a\n") and text.endswith("\nb\n") and "old" not in text


def test_a_readme_without_a_place_is_refused():
    with pytest.raises(scoring.RunError, match="expected lines"):
        update_scoreboard.replaced("text", "board")


def test_every_program_has_help_without_the_optional_packages():
    paths = [p for p in sorted(ANALYSIS.glob("*.py")) if "__main__" in p.read_text()]
    assert paths
    code = f"""
import runpy, sys
for name in ["matplotlib", "scipy", "tqdm"]:
    sys.modules[name] = None
sys.path[:0] = [{str(ANALYSIS)!r}, *{sys.path!r}]
for path in {[str(path) for path in paths]}:
    sys.argv = [path, "--help"]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        assert end.code == 0, path
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    for path in paths:
        assert f"usage: {path.name} " in found.stdout

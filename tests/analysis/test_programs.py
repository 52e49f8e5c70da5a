"""The programs of analysis/: tables, plots, report and scoreboard."""

import csv
import io
import json
import re
import sys

import common
import numpy as np
import print_held_out
import print_scores
import print_spectrum
import pytest
from analysis_programs import PLOTS, fails, run
from scored import (
    NAMES,
    SCORES,
    random_run,
    record,
    write_log,
)

from crafter import scoring
from crafter.reporting import tables

PUBLISHED = SCORES / "published.json"
PRINTS = ["print_scores", "print_spectrum"]


def rows_of(text):
    """Returns the rows of CSV, by their first cell."""
    return {row.pop(next(iter(row))): row for row in csv.DictReader(io.StringIO(text))}


# Published results.


def published():
    return {entry["method"]: entry for entry in common.read_published(PUBLISHED)}


def test_published_rates_give_the_published_scores():
    found = [entry for entry in published().values() if "success_rates" in entry]
    assert len(found) == 7
    for entry in found:
        assert list(entry["success_rates"]) == NAMES
        # Close, not equal: theirs is the mean of the seeds' scores.
        score = scoring.score(list(entry["success_rates"].values()))
        assert score == pytest.approx(entry["score"]["mean"], rel=0.1)


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


@pytest.mark.parametrize("text", ["[", '{"results": [1]}'])
def test_damaged_published_results_are_refused(text, tmp_path, capsys):
    path = tmp_path / "published.json"
    path.write_text(text)
    message = fails(capsys, "print_scores", path)
    assert "published.json: not a file of published results" in message


# Tables.


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
    assert found["PPO"]["IQM low"] == ""  # three seeds have no interval
    gap = 50.5 - np.mean(scores)
    assert float(found["PPO"]["Gap to 50.5"]) == pytest.approx(gap, 1e-4)
    assert found["My agent"]["Published score mean"] == ""
    assert found["DreamerV2"]["Score (%) mean"] == ""


@pytest.mark.parametrize("convention", scoring.CONVENTIONS)
def test_both_conventions_of_the_return(convention, folder, capsys):
    runs = scoring.load_runs([folder / "crafter_reward-ppo.json"], 100_000)
    ends = [scoring.final_return(one, convention) for one in runs]
    options = ["--return", convention, "--format", "csv", "--only", "ppo"]
    run("print_scores", folder, *options)
    row = rows_of(capsys.readouterr().out)["PPO"]
    column = "Return" if convention == "mean" else "Return (first)"
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
        assert (
            float(row["PPO (published)"]) == published()["ppo"]["success_rates"][name]
        )
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
    assert '<td class="name">x &amp; y</td><td>1</td><td>1.2 ± 0.5</td>' in page
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
        (tables.Value(np.nan, 1.0), ""),
    ],
)
def test_what_is_not_zero_is_not_shown_as_zero(value, text):
    assert value.show() == text


# What is shown.


def test_methods_are_ordered_by_score_or_as_wanted(folder, capsys):
    run("print_scores", folder, PUBLISHED, "--format", "csv")
    names = list(rows_of(capsys.readouterr().out))
    assert names[0] == "Human experts" and names[-1] == "ELLM †"
    assert names.index("My agent") < names.index("PPO") < names.index("Rainbow")
    run("print_scores", folder, PUBLISHED, "--format", "csv", "--only", "random,ppo")
    assert list(rows_of(capsys.readouterr().out)) == ["Random", "PPO"]
    run("print_scores", folder, "--format", "csv", "--without", "ppo")
    assert list(rows_of(capsys.readouterr().out)) == ["My agent"]


def test_unknown_methods_are_refused(folder, capsys):
    message = fails(capsys, "print_scores", folder, "--only", "pppo")
    assert "unknown method pppo; valid:" in message
    message = fails(capsys, "print_scores", folder, "--without", "ppo,my_agent")
    assert "select no method" in message


def test_one_method_with_and_without_reward():
    runs = [
        random_run(0, method="random", task=f"crafter_{t}reward") for t in ("", "no")
    ]
    names = {method.name for method in common.join(runs, [])}
    assert names == {"Random (reward)", "Random (no reward)"}


def test_folders_bring_their_published_results(capsys):
    run("print_scores", SCORES, "--format", "csv")
    assert rows_of(capsys.readouterr().out)["PPO"]["Published score mean"] == "4.6"


def test_logs_are_read_like_score_files(tmp_path, capsys):
    write_log(tmp_path / "crafter_reward-new" / "0", [record(100, 2.1)] * 9)
    run("print_scores", tmp_path, budget=900)
    shown = capsys.readouterr().out  # without a deviation, of one seed
    assert re.search(r"^New +1 +0.0 +2.1 +100$", shown, re.MULTILINE)


def test_short_runs_are_warned_about_or_refused(folder, capsys):
    run("print_scores", folder, budget=10**6)
    out, err = capsys.readouterr()
    assert "PPO" in out
    assert "warning: crafter_reward-ppo: fewer steps than the budget" in err
    message = fails(capsys, "print_scores", folder, "--strict", budget=10**6)
    assert "fewer steps than the budget of 1,000,000: seed 0 has" in message


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
    logs = tmp_path / "logs" / "crafter_reward-x"
    (logs / "1" / "made_by.json").write_text('{"command": "mine"}')
    out = ["--output", tmp_path / "out", "--command", "train it"]
    run("read_metrics", logs, *out, budget=1950)
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
    short = [tmp_path / "crafter_reward-x" / "1", "--output", out]
    message = fails(capsys, "read_metrics", *short, budget=10**6)
    assert "no run has enough steps" in message


@pytest.mark.parametrize("name", [*PLOTS, "report"])
def test_missing_matplotlib_is_explained(name, folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    message = fails(capsys, name, folder)
    assert "Plots need Matplotlib: pip install crafter[analysis]" in message


def test_tasks_that_were_held_out_stand_apart(capsys):
    folder = str(SCORES / "turbo" / "noop")
    print_held_out.main([folder, "--held-out", "gate"])
    rows = capsys.readouterr().out.splitlines()[2:]
    assert rows[0].startswith("| held out | noop | 20 |")
    assert rows[1].startswith("| learned | noop | 1940 |")


# Scoreboard.


def test_rows_of_other_labels_are_in_other_tables(folder, capsys):
    run("print_scoreboard", folder, PUBLISHED)
    labels = re.findall("^(.+):$", capsys.readouterr().out, re.MULTILINE)
    assert len(labels) == len(set(labels)) == 5
    assert sum("no reward" in label for label in labels) == 1
    assert sum("5,000,000 steps" in label for label in labels) == 1
    run(
        "print_scoreboard",
        SCORES / "published_craftax.json",
        "--benchmark",
        "craftax-1m",
    )
    text = capsys.readouterr().out
    assert text.count("Craftax, published rules, symbolic") == 1
    assert "published (priml) rules" in text and "Craftax-Classic" in text
    run("print_scoreboard", SCORES, "--benchmark", "craftax-1b", "--only", "ppo,random")
    text = capsys.readouterr().out
    assert "11.9" in text
    assert "Random" not in text  # whose runs have a million steps


def test_intervals_need_four_seeds_and_cover_the_statistic():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    three, four = np.array([1.0, 2, 3]), np.array([1.0, 2, 3, 4])
    assert print_scores.interval(three, scoring.iqm, 1).show() == "2.0"
    found = print_scores.interval(four, scoring.iqm, 1)
    assert found.low < found.mean == 2.5 < found.high
    assert print_scores.optimality_gap([1, 9], target=5) == 2

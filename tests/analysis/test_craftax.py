"""The programs of analysis/ with runs of Craftax."""

import dataclasses

import common
import numpy as np
import plot_setups
import print_scores
import pytest
import report
from scored import SCORES

from crafter import scoring

PUBLISHED = SCORES / "published_craftax.json"
CRAFTAX_1M = scoring.find_benchmark("craftax-1m")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with score files of two methods, two seeds each."""
    folder = tmp_path_factory.mktemp("scores")
    random = np.random.default_rng(0)
    for method, skill in (("ppo", 0.3), ("random", 0.1)):
        runs = []
        for seed in "01":
            unlocked = random.random((30, 67)) < skill / np.array(CRAFTAX_1M.depths)
            runs.append(
                scoring.Run(
                    "craftax_symbolic",
                    method,
                    seed,
                    length=random.integers(100, 900, 30),
                    reward=unlocked @ np.array(CRAFTAX_1M.rewards, float),
                    achievements=unlocked.astype(np.int32),
                    benchmark=CRAFTAX_1M,
                )
            )
        scoring.write_scores(folder / f"craftax_symbolic-{method}.json", runs)
    return folder


def run(program, *arguments):
    common_options = ["--benchmark", "craftax-1m", "--budget", "20000"]
    program.main([*map(str, arguments), *common_options])


def test_published_results_go_by_the_benchmark():
    for name, best in (("craftax-1m", "Simulus"), ("craftax-1b", "PPO-GTrXL")):
        benchmark = scoring.find_benchmark(name)
        methods = common.join([], common.read_published(PUBLISHED, benchmark))
        assert methods[0].name == best
        assert len(methods) == 7
    assert not common.read_published(PUBLISHED)


def test_tables_name_the_setup(folder, tmp_path, capsys):
    for path in folder.iterdir():
        runs = scoring.read_scores(path, CRAFTAX_1M)
        runs = [dataclasses.replace(run, setup="puffer") for run in runs]
        scoring.write_scores(tmp_path / path.name, runs)
    run(print_scores, tmp_path, PUBLISHED)
    out = capsys.readouterr().out
    assert "setup puffer" in out and "Simulus" not in out
    run(print_scores, folder)
    assert "setup" not in capsys.readouterr().out


def test_setups_are_compared_by_what_episodes_achieved(folder, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    for place in ("", "published"):
        for path in folder.iterdir():
            switches, masks = (
                {"collapse": True},
                "exact" if "ppo" in path.name else None,
            )
            made_by = {"setup": switches, "masks": masks, "world_pool": 1}
            runs = scoring.read_scores(path, CRAFTAX_1M)[: 1 if place else 2]
            runs = [dataclasses.replace(run, made_by=made_by) for run in runs]
            (tmp_path / place).mkdir(exist_ok=True)
            scoring.write_scores(tmp_path / place / path.name, runs)
    plot_setups.main([str(tmp_path), "--output", str(tmp_path / "setups.png")])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:4]]
    assert [row[0] for row in rows] == [
        "| collapse, pool (2)",
        "| collapse, masks exact, pool (2)",
    ]
    ppo = scoring.read_scores(folder / "craftax_symbolic-ppo.json", CRAFTAX_1M)
    scores = [scoring.run_score(run) for run in ppo]  # which has no health here
    assert rows[1][3] == f"{scores[0]:.2f} |"
    half = abs(scores[0] - scores[1]) / 2
    assert rows[1][1] == rows[1][2] == f"{np.mean(scores):.2f} ± {half:.2f}"
    assert (tmp_path / "setups.png").stat().st_size > 10_000


def test_the_table_of_setups_is_that_of_the_stored_runs(capsys):
    plot_setups.main([str(SCORES / "setups")])
    page = (SCORES.parent / "docs" / "setups.md").read_text("utf-8")
    assert capsys.readouterr().out in page


def test_scores_beside_the_published_ones(folder, capsys):
    run(print_scores, folder, PUBLISHED, "--format", "csv")
    rows = dict(line.split(",", 1) for line in capsys.readouterr().out.splitlines())
    assert "2.2" in rows["PPO"].split(",")
    assert "6.6" in rows["Simulus"].split(",")
    path = folder / "craftax_symbolic-ppo.json"
    runs = scoring.load_runs([path], 20000, benchmark=CRAFTAX_1M)
    ppo = np.mean([scoring.run_score(one) for one in runs])
    assert float(rows["PPO"].split(",")[1]) == pytest.approx(ppo, rel=1e-4)


@pytest.mark.slow  # a panel for each of 67 achievements
def test_a_report(folder, tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    run(report, folder, PUBLISHED, "--output", tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "<h1>Craftax-1M scores</h1>" in text
    assert "percent of the largest possible one by achievements, 226" in text
    assert "Very advanced" in text and "1 basic, 2 intermediate" in text
    assert "22 success rates" not in text

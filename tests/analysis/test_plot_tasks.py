"""The plot of success at tasks, in groups and by level."""

import opinion_files as files
import pytest
from printed import refusal

from crafter.scoring import wilson_interval
from crafter.tasks import report
from crafter.tasks.report import frame

pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
pytest.importorskip("scipy", reason="needs crafter[analysis]")

import plot_tasks

FAILED = {"verdict": "FAILED", "reason": "timeout"}
DONE = {
    "strong": {"wall_6": {"simple": [1, 1], "hard": [1, 0]}, "pillar": {"simple": [1]}},
    "weak": {"wall_6": {"simple": [1, 0], "hard": [0, 0]}},
}


@pytest.fixture
def folder(tmp_path):
    for agent, tasks in DONE.items():
        attempts = [
            files.scored(agent, task, level, index, **({} if one else FAILED))
            for task, levels in tasks.items()
            for level, ends in levels.items()
            for index, one in enumerate(ends)
        ]
        files.write_scores(tmp_path / agent / "scores.jsonl", attempts)
    return tmp_path


def test_groups_show_the_mean_over_levels_with_its_interval(folder):
    rows = frame.where(report.load([folder]).frame, dimension="success")
    groups = {"build": ["pillar", "wall_6"], "tool": ["trap_cow"]}
    build, tool = plot_tasks.by_group(rows, groups).axes
    assert build.get_title() == "Build" and not tool.lines[0].get_xdata().size
    strong, weak = build.lines
    assert list(strong.get_xdata()) == [100, 75] and list(weak.get_xdata()) == [25]
    assert (strong.get_label(), weak.get_label()) == ("strong", "weak")
    ends = build.collections[1].get_segments()[0][:, 0]
    assert tuple(ends / 100) == pytest.approx(wilson_interval(1, 4))


def test_figures_are_written(folder, capsys, tmp_path):
    for name, options in (("a.svg", []), ("b.svg", ["--levels", "wall_6"])):
        path = tmp_path / name
        plot_tasks.main([str(folder), *options, "--output", str(path)])
        assert path.read_text("utf-8").startswith("<?xml")
    rows = frame.where(report.load([folder]).frame, dimension="success")
    (panel,) = plot_tasks.by_level(rows, ["wall_6"]).axes
    assert list(panel.lines[0].get_ydata()) == [100, 50]
    wrong = [str(folder), "--levels", "swim"]
    assert "No attempts at ['swim']" in refusal(capsys, plot_tasks.main, wrong)

"""One command makes the tables and figures of the page of results."""

import json
import pathlib

import common
import pytest
import rebuild
import yaml
from scored import SCORES

from crafter import scoring

pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
PLAN = yaml.safe_load(pathlib.Path(rebuild.__file__).with_suffix(".yaml").read_text())
CRAFTAX = scoring.find_benchmark("craftax-1m")


def log(path, unlocked):
    """Writes the log of a training with a preset, of ten episodes."""
    path.mkdir(parents=True)
    names = [f"achievement_{name}" for name in CRAFTAX.achievements]
    line = {"length": 90, "reward": float(unlocked), **dict.fromkeys(names, 0)}
    line |= dict.fromkeys(names[:unlocked], 1)
    (path / "stats.jsonl").write_text(f"{json.dumps(line)}\n" * 10)
    (path / scoring.MADE_BY).write_text('{"preset": "craftax-1m"}')


def test_logs_become_tables_and_figures(tmp_path, capsys):
    for seed, unlocked in enumerate((3, 5)):
        log(tmp_path / "craftax_symbolic-ppo" / str(seed), unlocked)
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- Table t -->\nold\n<!-- End of t -->\nb\n")
    options = "--benchmark craftax-1m --budget 1000"
    kinds = ("plot_reward", "plot_levels", "plot_counts")
    plan = {
        "tables": {
            "t": {"program": "print_scores", "files": ["."], "options": options}
        },
        "figures": {
            f"{kind}.png": {"program": kind, "files": ["."], "options": options}
            for kind in kinds
        },
    }
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(plan))
    words = ["--scores", tmp_path, "--page", page, "--images", tmp_path / "images"]
    rebuild.main(["--plan", str(tmp_path / "plan.yaml"), *map(str, words)])
    text = page.read_text()
    mean, std = 100 * 4 / 226, 100 / 226
    assert f"| PPO | 2 | {mean:.1f} ± {std:.1f} | {mean:.1f} ± {std:.1f} |" in text
    assert "craftax, published rules, symbolic, 1,000,000 steps, settings of" in text
    assert (
        text.startswith("a\n<!--") and text.endswith("-->\nb\n") and "old" not in text
    )
    assert all((tmp_path / "images" / f"{kind}.png").exists() for kind in kinds)
    rebuild.replaced(text, "t", "")
    with pytest.raises(scoring.RunError, match="Table other"):
        rebuild.replaced(text, "other", "")


@pytest.mark.parametrize("name", PLAN["tables"])
def test_the_page_has_the_tables_of_the_stored_runs(name, tmp_path):
    path = tmp_path / "table"
    entry = PLAN["tables"][name]
    options = f"{entry.get('options', '')} --format markdown"
    rebuild.make({**entry, "options": options}, SCORES, path)
    assert path.read_text() in (common.ROOT / "docs" / "results.md").read_text("utf-8")

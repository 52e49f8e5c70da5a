"""Tables of the pages are what the commands print from shipped files."""

import json

import pages
import pytest

if "docs/task-results.md" not in pages.PAGES or not (pages.ROOT / "scores").exists():
    pytest.skip("needs a checkout of the project", allow_module_level=True)

pytest.importorskip("scipy", reason="needs crafter[analysis]")

import update_pages

from crafter import scoring

QUICK = [pages.ROOT / "README.md", pages.ROOT / "docs" / "results.md"]
SHOWN = [
    page
    for page in sorted((pages.ROOT / "docs").glob("*.md"))
    if update_pages.BLOCK.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", QUICK, ids=lambda path: path.name)
def test_the_tables_of_scores_are_those_of_the_stored_runs(page):
    update_pages.main(["--check", str(page)])


def log(path, unlocked):
    """Writes the log of a training with a preset, of ten episodes."""
    path.mkdir(parents=True)
    names = scoring.find_benchmark("craftax-1m").achievements
    held = {f"achievement_{n}": int(i < unlocked) for i, n in enumerate(names)}
    line = json.dumps({"length": 90, "reward": float(unlocked), **held})
    (path / "stats.jsonl").write_text(f"{line}\n" * 10)
    (path / scoring.MADE_BY).write_text('{"preset": "craftax-1m"}')


def test_logs_become_tables_and_figures(tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    for seed, unlocked in enumerate((3, 5)):
        log(tmp_path / "craftax_symbolic-ppo" / str(seed), unlocked)
    options = f"{tmp_path} --benchmark craftax-1m --budget 1000"
    kinds = ("plot_reward", "plot_levels", "plot_counts")
    figures = {kind: tmp_path / f"{kind}.png" for kind in kinds}
    lines = [
        f"<!-- Printed by analysis/print_scores.py {options} --format markdown -->",
        *("old", "<!-- End of what is printed -->"),
        *(
            f"<!-- Drawn by analysis/{kind}.py {options} --output {path} -->"
            for kind, path in figures.items()
        ),
    ]
    page = tmp_path / "page.md"
    page.write_text("\n".join(lines))
    update_pages.main([str(page)])
    text, mean, std = page.read_text("utf-8"), 100 * 4 / 226, 100 / 226
    assert f"| PPO | 2 | {mean:.1f} ± {std:.1f} | {mean:.1f} ± {std:.1f} |" in text
    assert "craftax, published rules, symbolic, 1,000,000 steps, settings of" in text
    assert all(path.exists() for path in figures.values())


@pytest.mark.slow  # Thousands of attempts; `make test-suite` does it, too.
def test_every_table_is_what_its_command_prints():
    assert pages.ROOT / "docs" / "task-results.md" in SHOWN
    update_pages.main(["--check", *map(str, SHOWN)])


def test_a_wrong_number_is_found_and_mended(tmp_path, capsys):
    text = (pages.ROOT / "docs" / "task-results.md").read_text("utf-8")
    blocks = (found[0] for found in update_pages.BLOCK.finditer(text))
    block = next(block for block in blocks if "ablation" in block)
    page = tmp_path / "page.md"
    page.write_text(block.replace("| 32 |", "| 31 |", 1), "utf-8")
    with pytest.raises(SystemExit) as stop:
        update_pages.main(["--check", str(page)])
    assert stop.value.code == 1 and "Not current" in capsys.readouterr().err
    update_pages.main([str(page)])
    assert page.read_text("utf-8") == block


def test_a_command_that_fails_is_said(tmp_path, capsys):
    page = tmp_path / "page.md"
    begin = "<!-- Printed by crafter-tasks results nowhere -->"
    page.write_text(f"{begin}\nx\n<!-- End of what is printed -->", "utf-8")
    with pytest.raises(SystemExit) as stop:
        update_pages.main([str(page)])
    assert stop.value.code == 1 and "ended with 2" in capsys.readouterr().err

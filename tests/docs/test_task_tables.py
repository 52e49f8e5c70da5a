"""Tables of the pages about tasks are what the commands print from shipped files."""

from __future__ import annotations

import pages
import pytest

if "docs/task-results.md" not in pages.PAGES or not (pages.ROOT / "scores").exists():
    pytest.skip("needs a checkout of the project", allow_module_level=True)

pytest.importorskip("scipy", reason="needs crafter[analysis]")

import update_task_tables

SHOWN = [
    page
    for page in sorted((pages.ROOT / "docs").glob("*.md"))
    if update_task_tables.BLOCK.search(page.read_text("utf-8"))
]


@pytest.mark.slow  # Thousands of attempts; `make test-suite` does it, too.
def test_every_table_is_what_its_command_prints():
    assert pages.ROOT / "docs" / "task-results.md" in SHOWN
    update_task_tables.main(["--check", *map(str, SHOWN)])


def test_a_wrong_number_is_found_and_mended(tmp_path, capsys):
    text = (pages.ROOT / "docs" / "task-results.md").read_text("utf-8")
    blocks = (found[0] for found in update_task_tables.BLOCK.finditer(text))
    block = next(block for block in blocks if "ablation" in block)
    page = tmp_path / "page.md"
    page.write_text(block.replace("| 32 |", "| 31 |", 1), "utf-8")
    with pytest.raises(SystemExit) as stop:
        update_task_tables.main(["--check", str(page)])
    assert stop.value.code == 1 and "Not current" in capsys.readouterr().err
    update_task_tables.main([str(page)])
    assert page.read_text("utf-8") == block


def test_a_command_that_fails_is_said(tmp_path, capsys):
    page = tmp_path / "page.md"
    begin = "<!-- Printed by crafter-tasks results nowhere -->"
    page.write_text(f"{begin}\nx\n<!-- End of what is printed -->", "utf-8")
    with pytest.raises(SystemExit) as stop:
        update_task_tables.main([str(page)])
    assert stop.value.code == 1 and "ended with 2" in capsys.readouterr().err

"""A new task, made by following the documentation from its first line to its last."""

import re
import shlex

import gymnasium
import pages
import pytest
from PIL import Image

from crafter.tasks import scenes
from crafter.tasks.cli import main

PAGE = pages.PAGES["docs/task-writing.md"]


#: Section, name, its budgets at `simple` and `hard`, environment, size of the picture.
TASKS = [
    ("## Write a task", "night_smith", (300, 1600), "CrafterTask-v1", (540, 460)),
    ("### A task of", "lit_miner", (400, 2500), "CraftaxTask-v1", (440, 520)),
]


@pytest.mark.parametrize("heading, name, budgets, env, size", TASKS)
def test_following_the_page_makes_a_task_that_works(
    heading, name, budgets, env, size, tmp_path, monkeypatch, capsys
):
    """Go to a folder with the file that the page shows, and run its commands."""
    section = PAGE.split(heading, 1)[1]
    monkeypatch.chdir(tmp_path)
    text = re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1]
    (tmp_path / f"{name}.yaml").write_text(text)
    block = re.search(r"test_new_task.py -->\n```sh\n(.*?)```", section, re.DOTALL)[1]
    assert len(text.splitlines()) <= 10
    for command in map(shlex.split, block.splitlines()):
        assert command[:3] == ["python", "-m", "crafter.tasks"]
        assert main(command[3:]) == 0, command
    assert "No findings." in capsys.readouterr().out
    (pack,) = tmp_path.glob("*.jsonl")
    assert [scene.task for scene in scenes.read(pack)] == [name] * 2
    with Image.open(tmp_path / f"{name}.png") as picture:
        assert picture.size == size
    made = gymnasium.make(env, task=f"{name}.yaml")
    for level, budget in zip(("simple", "hard"), budgets):
        _, info = made.reset(seed=0, options={"difficulty": level})
        assert info["task"]["budget"] == budget

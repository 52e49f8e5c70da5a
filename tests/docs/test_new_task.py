"""A new task, made by following the documentation from its first line to its last."""

from __future__ import annotations

import re
import shlex

import gymnasium
import pages
import pytest
from PIL import Image

from crafter.tasks import scenes
from crafter.tasks.cli import main

PAGE = pages.PAGES["docs/task-writing.md"]


@pytest.fixture
def walk(tmp_path, monkeypatch):
    """Go to a folder with the file that the page shows; return the commands."""
    section = PAGE.split("## Write a task", 1)[1]
    monkeypatch.chdir(tmp_path)
    text = re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1]
    (tmp_path / "night_smith.yaml").write_text(text)
    block = re.search(r"test_new_task.py -->\n```sh\n(.*?)```", section, re.DOTALL)[1]
    return [shlex.split(line) for line in block.splitlines()], text


def test_following_the_page_makes_a_task_that_works(walk, tmp_path, capsys):
    commands, text = walk
    assert len(text.splitlines()) <= 10
    for command in commands:
        assert command[:3] == ["python", "-m", "crafter.tasks"]
        assert main(command[3:]) == 0, command
    told = capsys.readouterr().out
    assert "Nothing to say." in told
    made = scenes.read(tmp_path / "scenes.jsonl")
    assert [scene.task for scene in made] == ["night_smith"] * 2
    with Image.open(tmp_path / "night_smith.png") as picture:
        assert picture.size == (540, 460)
    env = gymnasium.make("CrafterTask-v1", task="night_smith.yaml")
    _, info = env.reset(seed=0)
    assert info["task"]["budget"] == 300
    _, info = env.reset(seed=0, options={"difficulty": "hard"})
    assert info["task"]["budget"] == 1600

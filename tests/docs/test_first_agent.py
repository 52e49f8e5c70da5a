"""The first agent, made by following its page from the first line to the last."""

import glob
import importlib
import pathlib
import re
import shlex

import pages

from crafter import __main__ as command


def test_following_the_page_scores_two_agents(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = list(pages.blocks("docs/first-agent.md"))
    for block in blocks:
        if block.language == "python":
            exec(compile(block.code, block.name, "exec"), {"__name__": "__main__"})
        for line in block.code.splitlines() if block.language == "sh" else ():
            program, *words = shlex.split(line)
            patterns = [re.sub(r"\d{8}T\d{6}", "*", word) for word in words]
            words = [next(glob.iglob(p), w) for p, w in zip(patterns, words)]
            if program == "crafter":
                command.main(words)
            elif program == "python":
                importlib.import_module(pathlib.Path(words[0]).stem).main(words[1:])
    printed = capsys.readouterr().out
    assert [b.code in printed for b in blocks if b.language == "text"] == [True]
    assert (tmp_path / "game.html").exists()

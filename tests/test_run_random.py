"""Random play from the command line."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import yaml

import crafter
from crafter import run_random

SMALL = ["--area", "24", "24", "--seed", "4"]

GOLDEN = pathlib.Path(__file__).parent / "golden"
PUBLISHED = yaml.safe_load((GOLDEN / "programs.yaml").read_text("utf-8"))["run_random"]


@pytest.mark.parametrize("options", PUBLISHED)
def test_plays_and_prints_what_the_published_program_does(options, capsys, monkeypatch):
    actions = []
    step = crafter.Env.step

    def spy(env, action):
        actions.append(chr(ord("a") + action))
        return step(env, action)

    monkeypatch.setattr(crafter.Env, "step", spy)
    run_random.main(options.split())
    published = PUBLISHED[options]
    printed = re.sub(r"\d+\.\d\dms", "<ms>", capsys.readouterr().out)
    assert re.sub(r"\d+ FPS", "<n> FPS", printed) == published["prints"]
    assert "".join(actions) == published["actions"]


def test_records(tmp_path, capsys):
    pytest.importorskip("imageio_ffmpeg")
    options = ["--length", "8", "--episodes", "2", "--record", str(tmp_path)]
    run_random.main([*SMALL, *options])
    paths = sorted(tmp_path.glob("*.npz"))
    assert len(paths) == len(list(tmp_path.glob("*.mp4"))) == 2
    assert len((tmp_path / "stats.jsonl").read_text().splitlines()) == 2
    actions = sorted(list(crafter.load_episode(path)["action"]) for path in paths)
    draw = np.random.RandomState(4)
    expected = [[0, *(draw.randint(0, 17) for _ in range(8))] for _ in range(2)]
    assert actions == sorted(expected)


def test_interruption_keeps_the_recording(tmp_path, capsys, monkeypatch):
    pytest.importorskip("imageio_ffmpeg")
    step, calls = crafter.Env.step, []

    def interrupted(env, action):
        calls.append(action)
        if len(calls) > 6:
            raise KeyboardInterrupt
        return step(env, action)

    monkeypatch.setattr(crafter.Env, "step", interrupted)
    run_random.main([*SMALL, "--record", str(tmp_path)])
    assert capsys.readouterr().out.endswith("Interrupted.\n")
    (path,) = tmp_path.glob("*-partial-*.npz")
    assert len(crafter.load_episode(path)["action"]) == 7


def test_defaults_are_those_of_the_published_program():
    args = vars(run_random.make_parser().parse_args([]))
    none = dict.fromkeys(("textures", "rules", "seed", "health", "record"))
    assert args == {"area": (64, 64), "length": 10000, "episodes": 1, **none}


def test_runs_as_a_module():
    command = [sys.executable, "-m", "crafter.run_random", *SMALL, "--length", "5"]
    root = pathlib.Path(run_random.__file__).parent.parent
    program = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=True
    )
    assert program.stdout.endswith("Episode length: 5\n")

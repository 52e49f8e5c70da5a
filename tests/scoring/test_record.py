"""The script that records random play."""

import json

import pytest
import record_random
from scored import same_runs

import crafter
from crafter import scoring

STEPS = 1500


def record(logdir, seeds, steps=STEPS):
    record_random.main(
        ["--logdir", str(logdir), "--seeds", str(seeds), "--steps", str(steps)]
    )
    return scoring.load_runs([logdir], budget=steps)


def record_craftax(logdir, seeds):
    arguments = ["--game", "craftax", "--logdir", str(logdir), "--steps", "400"]
    record_random.main([*arguments, "--seeds", str(seeds)])
    benchmark = scoring.find_benchmark("craftax-1m")
    with pytest.warns(scoring.ShortRunWarning):
        return scoring.load_runs([logdir], benchmark=benchmark)


def test_craftax_is_played_seed_by_seed(tmp_path):
    whole = record_craftax(tmp_path / "whole", 2)
    assert [run.seed for run in whole] == ["0", "1"]
    assert all(run.steps >= 400 for run in whole)
    assert "--game craftax --seeds 2" in whole[0].made_by["command"]
    part = tmp_path / "part"
    record_craftax(part, 1)
    path = part / "craftax_symbolic-random" / "0" / "stats.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    again = record_craftax(part, 2)
    assert all(map(same_runs, without_origin(again), without_origin(whole)))


def test_an_interrupted_recording_goes_on_as_if_it_had_not_been(tmp_path):
    whole = record(tmp_path / "whole", 3)
    assert [run.seed for run in whole] == ["0", "1", "2"]
    assert whole[0].made_by["crafter"] == crafter.__version__
    command = f"python scripts/record_random.py --seeds 3 --steps {STEPS}"
    assert whole[0].made_by["command"] == command
    for run in whole:
        assert STEPS - scoring.find_benchmark().time_limit < run.steps <= STEPS
    part = tmp_path / "part"
    record(part, 2)
    path = part / "crafter_noreward-random" / "1" / "stats.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]))  # As far as it came.
    assert all(map(same_runs, without_origin(record(part, 3)), without_origin(whole)))


def test_pieces_do_not_show(tmp_path, monkeypatch):
    whole = record(tmp_path / "whole", 1)
    monkeypatch.setattr(record_random, "PIECE", 300)
    pieces = record(tmp_path / "pieces", 1)
    assert all(map(same_runs, without_origin(pieces), without_origin(whole)))


def without_origin(runs):
    for run in runs:
        run.made_by.clear()
    return runs


def test_games_are_those_of_single_environments(tmp_path):
    record(tmp_path, 2)
    path = tmp_path / "crafter_noreward-random" / "1" / "stats.jsonl"
    first, second, *_ = map(json.loads, path.read_text().splitlines())
    env = crafter.Env(observation="compact", reward=False)
    env.reset(seed=1)
    for episode, line in enumerate([first, second], 1):
        plan = record_random.plan(1, episode, 17)
        for action in plan[: line["length"]]:
            _, _, terminated, _, info = env.step(action)
        assert terminated
        counts = {f"achievement_{n}": c for n, c in info["achievements"].items()}
        assert counts.items() <= line.items()
        env.reset()


@pytest.mark.slow
def test_complete_recordings_are_left_alone(tmp_path):
    record(tmp_path, 1)
    folder = tmp_path / "crafter_noreward-random"
    (folder / "made_by.json").write_text("{}")
    before = (folder / "0" / "stats.jsonl").read_bytes()
    record(tmp_path, 1)
    assert (folder / "0" / "stats.jsonl").read_bytes() == before
    assert (folder / "made_by.json").read_text() == "{}"


def test_damaged_logs_are_refused(tmp_path, capsys):
    folder = tmp_path / "crafter_noreward-random" / "0"
    folder.mkdir(parents=True)
    (folder / "stats.jsonl").write_text("{\n")
    with pytest.raises(SystemExit) as caught:
        record(tmp_path, 1)
    assert caught.value.code == 1
    assert "stats.jsonl: line 1 is damaged" in capsys.readouterr().err

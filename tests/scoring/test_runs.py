"""Reading runs: logs, score files, folders, budgets, and what is refused."""

import gzip
import json
import os
import tracemalloc

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from scored import (
    HUMAN,
    make_run,
    needs_human,
    random_run,
    record,
    same_runs,
    write_log,
)

import crafter
from crafter import scoring


def load(*paths, **options):
    return scoring.load_runs(paths, **{"budget": 1000, **options})


# What is read.


def test_a_log_is_what_the_recorder_wrote(tmp_path):
    folder = tmp_path / "crafter_noreward-idle" / "3"
    env = crafter.Env(length=5, reward=False, seed=0)
    env = crafter.StatsRecorder(env, folder)
    for _ in range(2):
        env.reset()
        for _ in range(5):
            info = env.step(6)[-1]
    (run,) = load(tmp_path)
    assert (run.task, run.method, run.seed) == ("crafter_noreward", "idle", "3")
    assert run.length.tolist() == [5, 5]
    assert run.xs.tolist() == [5, 10]
    assert run.achievements[1].tolist() == list(info["achievements"].values())
    assert run.achievements.dtype == np.int32


def test_keys_that_only_some_lines_have_are_left_out(tmp_path):
    lines = [{**record(7), "note": "first"}, record(8), {**record(9), "date": 3}]
    write_log(tmp_path / "crafter_reward-ppo" / "0", lines)
    assert load(tmp_path)[0].length.tolist() == [7, 8, 9]
    lines = [{**record(7), "achievement_fly": 1}, record(8)]
    write_log(tmp_path / "crafter_reward-ppo" / "0", lines)
    with pytest.raises(scoring.RunError, match="unknown achievements achievement_fly"):
        load(tmp_path)


def test_folders_give_task_method_and_seed(tmp_path):
    for name in ["crafter_reward-ppo/10", "crafter_reward-ppo/9", "deep/er"]:
        write_log(tmp_path / name, [record()])
    (tmp_path / "deep" / "crafter_noreward-a-b").mkdir()
    (tmp_path / "deep" / "er").rename(tmp_path / "deep" / "crafter_noreward-a-b" / "x")
    found = [(run.task, run.method, run.seed) for run in load(tmp_path)]
    assert sorted(found) == [
        ("crafter_noreward", "a-b", "x"),
        ("crafter_reward", "ppo", "10"),
        ("crafter_reward", "ppo", "9"),
    ]
    write_log(tmp_path / "crafter_reward-ppo", [record()])  # no folder for the seed
    seeds = [run.seed for run in load(tmp_path / "crafter_reward-ppo")]
    assert sorted(seeds) == ["0", "10", "9"]


def test_folders_without_names_are_refused(tmp_path):
    write_log(tmp_path / "mine" / "4", [record()])
    with pytest.raises(scoring.RunError, match="a parent folder named after"):
        load(tmp_path)


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_score_files_come_back_as_they_were(ending, tmp_path):
    runs = [random_run(seed) for seed in range(3)]
    path = tmp_path / f"crafter_reward-test{ending}"
    scoring.write_scores(path, runs)
    assert all(map(same_runs, scoring.read_scores(path), runs))
    assert scoring.find_scores(tmp_path) == [path]
    assert os.listdir(tmp_path) == [path.name]
    before = path.read_bytes()
    scoring.write_scores(path, runs)
    assert path.read_bytes() == before  # also if it is compressed


@needs_human
def test_the_published_file_comes_back_as_it_was(tmp_path):
    path = tmp_path / "crafter_reward-human.json"
    scoring.write_scores(path, scoring.read_scores(HUMAN))
    expected = json.loads(HUMAN.read_text())
    for run in expected:
        run["task"] = "crafter_reward"  # Theirs has a hyphen.
    assert json.loads(path.read_text()) == expected


def test_what_made_a_run_is_kept(tmp_path):
    folder = tmp_path / "crafter_reward-ppo"
    write_log(folder / "0", [record()])
    write_log(folder / "1", [record()])
    (folder / "made_by.json").write_text('{"command": "a"}')
    (folder / "1" / "made_by.json").write_text('{"command": "b"}')
    runs = load(folder)
    assert [run.made_by for run in runs] == [{"command": "a"}, {"command": "b"}]
    path = tmp_path / "x.json"
    scoring.write_scores(path, runs)
    assert [r.made_by for r in scoring.read_scores(path)] == [r.made_by for r in runs]
    (folder / "made_by.json").write_text("[]")
    with pytest.raises(scoring.RunError, match="made_by.json: expected a JSON obj"):
        load(folder)


def test_methods_stay_together(tmp_path):
    for name in [
        "a/crafter_reward-x/0",
        "a/crafter_reward-y/0",
        "b/crafter_reward-x/1",
    ]:
        write_log(tmp_path / name, [record()])
    runs = [(run.method, run.seed) for run in load(tmp_path / "a", tmp_path / "b")]
    assert runs == [("x", "0"), ("x", "1"), ("y", "0")]


# The budget.


@hypothesis.given(
    st.lists(st.integers(1, 50), min_size=1, max_size=30), st.integers(1, 900)
)
@hypothesis.example([10, 15, 5], 24)
@hypothesis.example([10, 15, 5], 25)
def test_logs_and_score_files_are_cut_alike(tmp_path_factory, lengths, budget):
    hypothesis.assume(lengths[0] <= budget)
    tmp_path = tmp_path_factory.mktemp("budget")
    log = write_log(tmp_path / "crafter_reward-test" / "0", map(record, lengths))
    scores = tmp_path / "scores.json"
    scoring.write_scores(scores, [make_run(lengths, np.full(len(lengths), 1.1))])
    (ours,), (theirs,) = load(log, budget=budget), load(scores, budget=budget)
    assert same_runs(ours, theirs)
    assert ours.steps <= budget
    assert ours.episodes == len(lengths) or sum(lengths[: ours.episodes + 1]) > budget


def test_lines_after_the_budget_are_not_read(tmp_path):
    path = write_log(
        tmp_path / "crafter_reward-x" / "0", [record(600), record(600), "broken"]
    )
    assert load(path)[0].episodes == 1
    with pytest.raises(scoring.RunError, match="line 3"):
        load(path, budget=5000)


def test_short_runs_are_named_in_a_warning(tmp_path):
    for seed, length in enumerate([9_999, 990_000, 989_999]):
        write_log(tmp_path / "crafter_reward-x" / str(seed), [record(length)])
    message = (
        r"crafter_reward-x: fewer steps than the budget of 1,000,000: "
        r"seed 0 has 9,999, seed 2 has 989,999 \(in .*0.stats.jsonl, .*2.stats.jsonl\)"
    )
    with pytest.warns(scoring.ShortRunWarning, match=message):
        assert len(scoring.load_runs([tmp_path])) == 3
    with pytest.raises(scoring.RunError, match=message):
        scoring.load_runs([tmp_path], strict=True)


def test_runs_without_an_episode_are_left_out_with_a_warning(tmp_path):
    for seed, lines in enumerate([[], [record(5)], [record(1001)]]):
        write_log(tmp_path / "crafter_reward-x" / str(seed), lines)
    message = r"0.stats.jsonl.*seed 0, .*seed 2: no episode ends within 1,000 steps"
    with pytest.warns(scoring.ShortRunWarning, match=message):
        (run,) = load(tmp_path)
    assert run.seed == "1"
    with pytest.raises(scoring.RunError, match=message):
        load(tmp_path, strict=True)
    with pytest.raises(scoring.RunError, match=r"stats.jsonl.*within 1,000 steps"):
        load(tmp_path / "crafter_reward-x" / "2")


# What is refused.


def write_form(form, folder, records, **changes):
    """Writes episodes as a log or as a score file; changes are of the object there."""
    if form == "log":
        return write_log(folder / "crafter_reward-x" / "0", records)
    names = {"task": "crafter_reward", "method": "x", "seed": "0"}
    run = {key: [one[key] for one in records] for key in records[1]}
    path = folder / "crafter_reward-x.json"
    path.write_text(json.dumps([{**names, "xs": [100, 200, 300], **run, **changes}]))
    return path


MISSING = object()
both_forms = pytest.mark.parametrize("form", ["log", "scores"])


@both_forms
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("length", 0, "episode 2: length must be an integer from 1 to 2147483647"),
        ("length", 1.5, "episode 2: length must be an integer .* got 1.5"),
        ("length", True, "episode 2: length must be an integer .* got True"),
        ("reward", "1", "episode 2: reward must be a number .* got '1'"),
        ("reward", float("nan"), "episode 2: reward must be a number .* got nan"),
        *(
            ("achievement_eat_cow", count, "2: achievement_eat_cow must be an integer")
            for count in (-1, 0.5, None, 2**31)
        ),
        ("achievement_fly", 1, "unknown achievements achievement_fly"),
        *(
            (key, MISSING, f"(line|run) 1: {key} missing")
            for key in ("length", "reward", "achievement_eat_cow")
        ),
    ],
)
def test_wrong_numbers_are_refused(form, key, value, reason, tmp_path):
    records = [{key: 1, **record()}, {**record(), key: value}, {key: 1, **record()}]
    if value is MISSING:
        records = [{n: x for n, x in record().items() if n != key}] * 3
    path = write_form(form, tmp_path, records)
    with pytest.raises(scoring.RunError, match=rf"(stats.jsonl|-x.json).*{reason}"):
        load(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (json.dumps(record())[:50], "not a whole JSON object .* delete the line"),
        ("", "not a whole JSON object"),
        ("[1, 2]", r"expected a JSON object, not \[1, 2\]"),
        ("{}", "length, reward, achievement_.* and 16 more missing"),
    ],
)
def test_damaged_lines_are_refused(line, reason, tmp_path):
    path = write_log(tmp_path / "crafter_reward-x" / "0", [record(), line, record()])
    with pytest.raises(scoring.RunError, match=f"stats.jsonl: line 2: .*{reason}"):
        load(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"task": "craftax"}, "run 1: task should be crafter_reward or"),
        ({"length": 7}, "run 1: length must be a list"),
        ({"reward": [1, 2]}, "run 1: reward must be a list of 3"),
        ({"xs": [1, 2, 3]}, "run 1: xs should be the sums of the lengths"),
        ({"made_by": "me"}, "run 1: .*expected a JSON object, not 'me'"),
    ],
)
def test_damaged_score_files_are_refused(change, reason, tmp_path):
    path = write_form("scores", tmp_path, [record()] * 3, **change)
    with pytest.raises(scoring.RunError, match=f"crafter_reward-x.json.*{reason}"):
        load(path)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"[", "not a JSON file: .*line 1"),
        ("a.json", b"[]", "expected a list of runs"),
        ("a.json", b"[3]", "run 1: expected a JSON object, not 3"),
        ("a.json.gz", b"[]", "not compressed by gzip, or cut off"),
        (
            "a.json.gz",
            gzip.compress(b"[]", mtime=0)[:-9],
            "not compressed by gzip, or cut off",
        ),
    ],
)
def test_other_files_are_no_score_files(name, content, reason, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(scoring.RunError, match=f"{name}.*{reason}"):
        scoring.read_scores(path)


def test_two_runs_with_one_seed_are_refused(tmp_path):
    write_log(tmp_path / "a" / "crafter_reward-x" / "0", [record()])
    write_log(tmp_path / "b" / "crafter_reward-x" / "0", [record()])
    with pytest.raises(scoring.RunError, match="have the seed 0, in .*a.* and in .*b"):
        load(tmp_path)


def test_places_without_runs_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("")
    for path in [tmp_path, tmp_path / "notes.txt", tmp_path / "missing"]:
        with pytest.raises(scoring.RunError, match="expected a score file"):
            load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.json")


# Large logs.


@pytest.mark.slow
def test_many_episodes_take_little_memory(tmp_path):
    lines = [record(10, 1.1, wake_up=1)] * 100_000
    log = write_log(tmp_path / "crafter_reward-x" / "0", lines)
    tracemalloc.start()
    (run,) = load(log, budget=10**6)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert run.episodes == len(lines)
    assert peak < 500 * len(lines)  # A line has 700 bytes.

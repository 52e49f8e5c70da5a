"""The scripts that turn recorded attempts into data sets, and playing these again."""

import io
import json

import numpy as np
import PIL.Image
import pytest
from printed import refusal

from crafter.tasks import Task
from crafter.tasks.env.replay import begin
from crafter.tasks.episodes import demos
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec
from crafter.tasks.episodes.runs import run_shard
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.language import encoding

TASKS = ("collect_wood", "place_stone", "place_table")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recorded run, with an attempt that ends with its budget."""
    folder = tmp_path_factory.mktemp("run")
    suite = Suite("own", tuple(EpisodeSpec(task, "simple", 0) for task in TASKS))
    suite = Suite(
        "own", (*suite.entries, EpisodeSpec("face_water", "hard", 0, budget=3))
    )
    factory = factory_of("scout")
    run_shard(suite, "scout", factory, folder, record=True, say=lambda line: None)
    return folder


def assert_replays(about, actions, observations, kind):
    """Plays an episode of a data set again, by what the data set has."""
    task = Task(about["task"])
    assert about["instruction"] in (*task.texts(), *task.texts("test"))
    assert list(about["goal_tree"]) == encoding.encode(task.goal, task.rules).tolist()
    env = begin(about["attempt"])
    for action, seen in zip(actions, observations):
        np.testing.assert_array_equal(env.observe(kind), seen)
        env.step(int(action))
    return env


def lerobot(pytest_parquet, run, out, *options):
    import export_lerobot

    export_lerobot.main([str(run), "--output", str(out), *options])
    names = {"frames": "data", "episodes": "meta/episodes"}
    tables = {n: pytest_parquet.read_table(out / p) for n, p in names.items()}
    tables["tasks"] = pytest_parquet.read_table(out / "meta" / "tasks.parquet")
    parts = {
        name: json.loads((out / "meta" / f"{name}.json").read_text())
        for name in ("info", "stats")
    }
    return {**tables, **parts}


@pytest.mark.parametrize("kind", ["pixels", "compact"])
def test_a_data_set_for_lerobot(run, tmp_path, kind):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs crafter[parquet]")
    found = lerobot(parquet, run, tmp_path / "data", "--observation", kind)
    frames, tasks = found["frames"].to_pydict(), found["tasks"].to_pydict()
    name = "observation.image" if kind == "pixels" else "observation.state"
    for demo, row in zip(demos.read(run, kind), found["episodes"].to_pylist()):
        part = slice(row["dataset_from_index"], row["dataset_to_index"])
        own = {key: values[part] for key, values in frames.items()}
        seen = own[name]
        if kind == "pixels":
            seen = [np.array(PIL.Image.open(io.BytesIO(one["bytes"]))) for one in seen]
        np.testing.assert_array_equal(seen, demo.observations)
        assert own["frame_index"] == list(range(len(demo.actions)))
        assert sum(own["next.reward"]) == demo.solved and own["next.done"][-1]
        (task,) = set(own["task_index"])
        text = tasks["task"][tasks["task_index"].index(task)]
        assert [text] == row["tasks"] == [row["instruction"]]
        assert_replays(row, own["action"], seen, kind)
    assert (
        found["info"]["total_frames"] == len(frames["index"]) == row["dataset_to_index"]
    )
    assert found["info"]["features"].keys() == frames.keys()
    mean = found["stats"]["action"]["mean"]
    assert mean == pytest.approx([np.mean(frames["action"])])
    hints = json.loads(found["frames"].schema.metadata[b"huggingface"])
    assert hints["info"]["features"].keys() == frames.keys()


def test_only_what_was_solved(run, tmp_path, capsys, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs crafter[parquet]")
    import export_lerobot

    monkeypatch.setattr(export_lerobot, "LARGEST", 1)  # a file per episode
    found = lerobot(parquet, run, tmp_path / "data", "--solved")
    assert {row["verdict"] for row in found["episodes"].to_pylist()} == {"DONE"}
    assert found["episodes"]["data/file_index"].to_pylist() == [0, 1, 2]
    assert found["frames"]["index"].to_pylist() == list(
        range(found["info"]["total_frames"])
    )
    again = [str(run), "--output", str(tmp_path / "data")]
    assert "is not empty" in refusal(capsys, export_lerobot.main, again)


def test_a_data_set_of_minari(run, tmp_path, monkeypatch):
    pytest.importorskip("h5py", reason="needs crafter[minari]")
    minari = pytest.importorskip("minari", reason="needs crafter[minari]")
    import export_minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    export_minari.main([str(run), "crafter/tasks-v0", "--observation", "symbolic"])
    found = minari.load_dataset("crafter/tasks-v0")
    about = found.storage.get_episode_metadata(range(4))
    for demo, episode, row in zip(demos.read(run, "symbolic"), found, about):
        assert (episode.rewards[-1], row["task"]) == (demo.solved, demo.task)
        assert episode.terminations[-1] == demo.solved != episode.truncations[-1]
        env = assert_replays(row, episode.actions, episode.observations, "symbolic")
        np.testing.assert_array_equal(env.observe("symbolic"), episode.observations[-1])
    assert found.recover_environment().unwrapped.base.observation == "symbolic"

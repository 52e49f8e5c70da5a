"""The scripts that turn recorded attempts into data sets, and playing these again."""

import io
import json

import numpy as np
import PIL.Image
import pytest

from crafter.tasks import Task
from crafter.tasks import game as games
from crafter.tasks.env.replay import begin
from crafter.tasks.episodes import demos
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec
from crafter.tasks.episodes.runs import run_shard
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.language import encoding

TASKS = {
    "crafter": ("collect_wood", "place_stone", "place_table", "face_water"),
    "craftax": ("collect_wood", "place_table", "enchant_sword", "enter_dungeon"),
}


@pytest.fixture(scope="module", params=TASKS)
def run(request, tmp_path_factory):
    """A recorded run, with an attempt that ends with its budget."""
    folder = tmp_path_factory.mktemp("run")
    *tasks, late = TASKS[request.param]
    specs = [EpisodeSpec(task, "simple", 0, game=request.param) for task in tasks]
    specs.append(EpisodeSpec(late, "hard", 0, budget=3, game=request.param))
    suite = Suite("own", tuple(specs))
    oracle = factory_of("oracle", suite.game)
    run_shard(suite, "oracle", oracle, folder, record=True, log=lambda line: None)
    return folder


def assert_replays(about, actions, observations, kind):
    """Plays an episode of a data set again, by what the data set has."""
    game = json.loads(about["attempt"])["start"]["env"].get("game", "crafter")
    task = Task(about["task"], rules=games.find(game).rules)
    assert about["instruction"] in (*task.texts(), *task.texts("test"))
    assert list(about["goal_tree"]) == encoding.encode(task.goal, task.rules).tolist()
    env = begin(about["attempt"])
    for action, seen in zip(actions, observations):
        np.testing.assert_array_equal(np.ravel(env.observe(kind)), np.ravel(seen))
        env.step(int(action))
    return env


def lerobot(run, out, *options):
    """Exports a run; returns tables of frames, episodes and tasks, and two files."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs crafter[parquet]")
    import export_lerobot

    export_lerobot.main([str(run), "--output", str(out), *options])
    meta = out / "meta"
    paths = out / "data", meta / "episodes", meta / "tasks.parquet"
    texts = [(meta / f"{name}.json").read_text() for name in ("info", "stats")]
    return [*map(parquet.read_table, paths), *map(json.loads, texts)]


@pytest.mark.parametrize("kind", ["pixels", "symbolic"])
def test_a_data_set_for_lerobot(run, tmp_path, kind):
    table, rows, tasks, info, stats = lerobot(
        run, tmp_path / "new", "--observation", kind
    )
    frames, rows, texts = table.to_pydict(), rows.to_pylist(), tasks["task"].to_pylist()
    name = "observation.image" if kind == "pixels" else "observation.state"
    for demo, row in zip(demos.read(run, kind), rows, strict=True):
        part = slice(row["dataset_from_index"], row["dataset_to_index"])
        own = {key: values[part] for key, values in frames.items()}
        seen = own[name]
        if kind == "pixels":
            seen = [np.array(PIL.Image.open(io.BytesIO(one["bytes"]))) for one in seen]
        assert np.array_equal(np.ravel(seen), demo.observations.ravel())
        assert own["frame_index"] == list(range(len(demo.actions)))
        assert sum(own["next.reward"]) == demo.solved and own["next.done"][-1]
        assert {texts[task] for task in own["task_index"]} == {row["instruction"]}
        assert_replays(row, own["action"], seen, kind)
    assert tasks.schema.pandas_metadata["index_columns"] == ["task"]
    assert info["total_frames"] == len(frames["index"]) == row["dataset_to_index"]
    hints = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert info["features"].keys() == hints.keys() == frames.keys()
    for measure in ("min", "max", "mean", "std"):
        known = getattr(np, measure)(frames["action"])
        assert stats["action"][measure] == pytest.approx([known])


def test_only_what_was_solved(run, tmp_path, capsys):
    _, rows, *_ = lerobot(run, tmp_path / "new", "--solved")
    assert rows["verdict"].to_pylist() == ["DONE"] * 3
    with pytest.raises(SystemExit):
        lerobot(run, tmp_path / "new")
    with pytest.raises(SystemExit):
        lerobot(tmp_path / "nowhere", tmp_path / "other")
    assert "No recorded attempts" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


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

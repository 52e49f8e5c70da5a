"""The script that turns recorded episodes into a Minari data set."""

import gymnasium
import numpy as np
import pytest
from printed import refusal

import crafter
from crafter.games import craftax
from crafter.games.crafter import constants
from crafter.recorder import Recorder, load_episode

pytest.importorskip("h5py", reason="needs crafter[minari]")
minari = pytest.importorskip("minari", reason="needs crafter[minari]")

import export_minari  # noqa: E402

DATASET = "crafter/test-v0"


@pytest.fixture
def datasets(tmp_path, monkeypatch):
    """The folder of all data sets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


@pytest.fixture
def recorded(tmp_path):
    """A folder with a death, a time limit and an interruption."""
    env = record_into(tmp_path / "recorded", size=(64, 48))
    lava = np.full((24, 32), constants.material_ids["lava"], np.uint8)
    lava[12, 16:18] = constants.material_ids["grass"]
    env.reset(options={"map": lava})
    env.step(env.action_names.index("move_down"))
    env.step(env.action_names.index("move_left"))
    env.reset()
    for action in [1, 2, 3, 4, 5, 0]:
        env.step(action)
    env.reset()
    for action in [6, 7, 8]:
        env.step(action)
    env.close()
    return tmp_path / "recorded"


def record_into(directory, length=6, **kwargs):
    env = crafter.Env(area=(24, 32), seed=1, length=length, **kwargs)
    return Recorder(env, directory, save_video=False)


def export(*arguments):
    export_minari.main([str(argument) for argument in arguments])


def episodes_of(directory, pattern="*[0-9]-ach*.npz"):
    return [load_episode(path) for path in sorted(directory.glob(pattern))]


def test_a_data_set_is_what_was_recorded(recorded, datasets, capsys):
    export(recorded, DATASET, "--author", "Ada", "--algorithm", "random", "--infos")
    assert "2 episodes, 8 steps" in capsys.readouterr().out
    dataset = minari.load_dataset(DATASET)
    assert (dataset.total_episodes, dataset.total_steps) == (2, 8)
    originals = episodes_of(recorded)
    assert [len(original["image"]) for original in originals] == [3, 7]
    for original, episode in zip(originals, dataset):
        assert episode.observations.dtype == np.uint8
        assert np.array_equal(episode.observations, original["image"])
        assert np.array_equal(episode.actions, original["action"][1:])
        assert np.array_equal(episode.rewards, original["reward"][1:])
        infos = episode.infos
        names = ["discount", "semantic", "player_pos", "achievements", "inventory"]
        assert sorted(infos) == sorted(names)
        assert np.array_equal(infos["semantic"], original["semantic"])
        assert np.array_equal(infos["inventory"]["food"], original["ainventory_food"])
        assert sorted(infos["achievements"]) == sorted(constants.achievements)
    death, limit = dataset
    assert death.terminations.tolist() == [False, True]
    assert death.truncations.tolist() == [False, False]
    assert limit.terminations.tolist() == [False] * 6
    assert limit.truncations.tolist() == [False] * 5 + [True]
    metadata = dataset.storage.metadata
    assert metadata["author"] == {"Ada"}
    assert metadata["algorithm_name"] == "random"

    assert dataset.action_space == gymnasium.spaces.Discrete(17)
    space = gymnasium.spaces.Box(0, 255, (48, 64, 3), np.uint8)
    assert dataset.observation_space == space
    env = dataset.recover_environment()
    assert env.unwrapped.size == (64, 48)
    assert env.unwrapped.area == (24, 32)
    assert env.observation_space == dataset.observation_space


def test_options(recorded, datasets, tmp_path, monkeypatch, capsys):
    export(recorded, DATASET)
    assert "-partial-" in capsys.readouterr().err
    output = tmp_path / "elsewhere"
    options = ["--include-partial", "--jpeg", "--env", "none", "--output", output]
    export(recorded.parent, "crafter/all-v0", *options)  # at any depth
    assert not (datasets / "crafter" / "all-v0").exists()
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(output))
    dataset = minari.load_dataset("crafter/all-v0")
    assert dataset.env_spec is None and dataset.total_episodes == 3
    (partial,) = (e for e in dataset if len(e.actions) == 3)
    assert partial.actions.tolist() == [6, 7, 8]
    assert partial.terminations.tolist() == [False, False, False]
    assert partial.truncations.tolist() == [False, False, True]
    (original,) = episodes_of(recorded, "*-partial-*.npz")
    difference = partial.observations.astype(int) - original["image"]
    assert 0 < np.abs(difference).mean() < 20  # by JPEG


def test_observations_of_a_wrapper(tmp_path, datasets, capsys):
    env = gymnasium.wrappers.GrayscaleObservation(
        crafter.Env(area=(24, 32), length=2, seed=1)
    )
    env = Recorder(env, tmp_path / "grey", save_video=False)
    env.reset()
    env.step(0)
    env.step(0)
    export(tmp_path / "grey", DATASET)
    assert "without an environment" in capsys.readouterr().err
    dataset = minari.load_dataset(DATASET)
    assert dataset.observation_space.shape == (64, 64)
    assert dataset.env_spec is None


# Craftax.


def record_craftax(directory, observation, steps=4):
    env = craftax.Env(observation, max_timesteps=steps)
    env = Recorder(env, directory, save_video=False)
    env.reset(seed=1)
    for _ in range(steps):
        env.step(42)  # more than Crafter has
    env.close()


@pytest.mark.parametrize(
    "observation, env_id",
    [("symbolic", "Craftax-Symbolic-v1"), ("pixels", "Craftax-Pixels-v1")],
)
def test_craftax(tmp_path, datasets, observation, env_id):
    record_craftax(tmp_path / "recorded", observation)
    export(tmp_path / "recorded", DATASET, "--infos")
    dataset = minari.load_dataset(DATASET)
    assert dataset.action_space == gymnasium.spaces.Discrete(43)
    assert dataset.env_spec.id == env_id
    (episode,), (original,) = dataset, episodes_of(tmp_path / "recorded")
    assert np.array_equal(episode.observations, original["image"])
    assert episode.actions.tolist() == [42] * 4
    assert episode.truncations.tolist() == [False] * 3 + [True]
    assert np.array_equal(episode.infos["floor"], original["floor"])
    assert len(episode.infos["achievements"]) == 67
    assert episode.infos["inventory"]["health"].dtype == np.float64


# Errors.


def damage(recorded):
    (recorded / "99990101T000000-ach0-len9.npz").write_bytes(b"damaged")


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (lambda folder: record_craftax(folder, "symbolic"), "same game and form"),
        (damage, "is not a recorded episode"),
    ],
    ids=["game", "damage"],
)
def test_episodes_that_are_refused(recorded, datasets, capsys, do, message):
    do(recorded)
    assert message in refusal(capsys, export, recorded, DATASET)
    assert not (datasets / DATASET).exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing", DATASET), "No complete episodes (*.npz)"),
        (("recorded", "no version"), "is not a data set id"),
        (("recorded", "crafter/test"), "is not a data set id"),
        (("recorded", DATASET, "--env", "CartPole-v1"), "keyword argument 'size'"),
    ],
)
def test_arguments_that_are_refused(
    recorded, datasets, capsys, arguments, message, monkeypatch
):
    monkeypatch.chdir(recorded.parent)
    assert message in refusal(capsys, export, *arguments)
    assert not (datasets / DATASET).exists()


def test_an_environment_of_another_shape(tmp_path, datasets, capsys):
    record_craftax(tmp_path / "recorded", "symbolic")
    arguments = (tmp_path / "recorded", DATASET, "--env", "Craftax-Pixels-v1")
    assert "has no observations (8268,)" in refusal(capsys, export, *arguments)


def test_existing_data_set_stays(recorded, datasets, capsys):
    export(recorded, DATASET)
    message = refusal(capsys, export, recorded, DATASET)
    assert "The data set crafter/test-v0 already exists" in message
    assert minari.load_dataset(DATASET).total_episodes == 2

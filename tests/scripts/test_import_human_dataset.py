"""The script that turns games of people into runs and a data set.

The games are played in the window, by keys, and recorded by it.
"""

import json

import import_human_dataset
import numpy as np
import pytest
from test_run_gui import KEYS, PLAYED, send, tap

import crafter
from crafter import run_gui, scoring
from crafter.games import craftax
from crafter.games.crafter import constants
from crafter.gui import savefile

LENGTH = 9
GAMES = 7
DATASET = "crafter/test-v0"
KEY = "achievement_collect_wood"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A folder with what the window recorded: whole games and an interrupted one."""
    folder = tmp_path_factory.mktemp("recorded")
    steps = GAMES * LENGTH + 2
    record(folder, (PLAYED * 2)[:steps], "--area 24 24")
    return folder


def record(folder, keys, options):
    """Play in the window until it is closed, and record it."""
    pytest.importorskip("imageio_ffmpeg", reason="the window records videos")
    pygame = pytest.importorskip("pygame")
    options += f" --seed 7 --length {LENGTH} --fps 10000 --nonstop"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        send(patch, pygame, [tap(pygame, key) for key in [*keys, "escape"]])
        run_gui.main([*options.split(), "--record", str(folder)])


@pytest.fixture
def games(recorded, tmp_path):
    """A copy of the games, to be changed, two of them in a folder of their own."""
    (tmp_path / "games" / "more").mkdir(parents=True)
    for index, path in enumerate(sorted(recorded.glob("*.npz"))):
        folder = "games/more" if index < 2 else "games"
        (tmp_path / folder / path.name).write_bytes(path.read_bytes())
    return tmp_path / "games"


@pytest.fixture
def minari(tmp_path, monkeypatch):
    """Minari, with a folder of its own."""
    pytest.importorskip("h5py", reason="needs crafter[minari]")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return pytest.importorskip("minari", reason="needs crafter[minari]")


def convert(*arguments):
    import_human_dataset.main([str(argument) for argument in arguments])


def fails(capsys, *arguments, code=1):
    """Runs the script, which has to fail, and returns what it says."""
    with pytest.raises(SystemExit) as caught:
        convert(*arguments)
    assert caught.value.code == code
    return capsys.readouterr().err


def whole(folder):
    return [p for p in sorted(folder.rglob("*.npz")) if "-partial-" not in p.name]


def change(path, **arrays):
    """Replaces arrays of an episode; None leaves one out."""
    episode = crafter.load_episode(path) | arrays
    np.savez(path, **{key: a for key, a in episode.items() if a is not None})


def episodes(groups):
    """Returns the games of all groups as the lines of statistics have them."""
    found = []
    for run in groups:
        for length, reward, counts in zip(run.length, run.reward, run.achievements):
            keys = (f"achievement_{name}" for name in constants.achievements)
            line = {"length": length, "reward": reward, **dict(zip(keys, counts))}
            found.append(sorted(line.items()))
    return sorted(found)


@pytest.mark.slow
def test_the_window_recorded_what_was_played(recorded):
    actions = [crafter.load_episode(path)["action"][1:] for path in whole(recorded)]
    assert [len(episode) for episode in actions] == [LENGTH] * GAMES
    table = dict(line.strip().split(": ") for line in KEYS.splitlines()[1:])
    pressed = [constants.actions.index(table[key]) for key in PLAYED]
    # Files of one second are in the order of their names.
    assert sorted(e.tolist() for e in actions) == sorted(
        pressed[i * LENGTH : (i + 1) * LENGTH] for i in range(GAMES)
    )


@pytest.fixture
def craftax_games(tmp_path):
    """A folder with games of Craftax, one of them unlocking something."""
    folder = tmp_path / "craftax"
    env = craftax.Env("pixels", max_timesteps=LENGTH)
    env = crafter.EpisodeRecorder(env, folder)
    for seed in range(4):
        env.reset(seed=seed, options={"inventory": {"wood": 5}} if seed == 2 else None)
        while not any(env.step(0)[2:4]):
            pass
    env.close()
    return folder


def test_games_of_craftax(craftax_games, tmp_path, capsys):
    path = tmp_path / "scores.json"
    convert(craftax_games, "--scores", path, "--groups", 2)
    assert "4 games in groups of 2, 2" in capsys.readouterr().out
    groups = scoring.read_scores(path, scoring.find_benchmark("craftax-1m"))
    assert [run.task for run in groups] == ["craftax_pixels"] * 2
    assert sum(run.reward.sum() for run in groups) == pytest.approx(1)
    assert sum(run.achievements.sum() for run in groups) == 1


@pytest.mark.slow
def test_craftax_games_that_go_on_are_skipped(craftax_games, tmp_path, capsys):
    env = craftax.Env("pixels", max_timesteps=LENGTH)
    env.reset(seed=9)
    env.step(0)
    recorder = crafter.EpisodeRecorder(env, craftax_games)
    recorder.reset(options={"state": env.get_state()})
    while not any(recorder.step(0)[2:4]):
        pass
    convert(craftax_games, "--scores", tmp_path / "scores.json", "--groups", 2)
    captured = capsys.readouterr()
    assert f"-len{LENGTH - 1}.npz: it goes on with a saved game" in captured.err
    assert "4 games in groups" in captured.out


@pytest.mark.slow
def test_games_of_craftax_from_the_window(tmp_path, minari, capsys):
    folder, scores = tmp_path / "recorded", tmp_path / "scores.json"
    keys = [*"qadws" * 4][: 2 * LENGTH]
    record(folder, keys, "--game craftax")
    convert(folder, "--scores", scores, "--groups", 2, "--minari", DATASET)
    assert "2 games in groups of 1, 1" in capsys.readouterr().out
    runs = scoring.read_scores(scores, scoring.find_benchmark("craftax-1m"))
    assert [run.length.tolist() for run in runs] == [[LENGTH]] * 2
    dataset = minari.load_dataset(DATASET)
    names = craftax.Env("pixels").action_names
    expected = [
        ["noop", "left", "right", "up", "down"][n % 5] for n in range(len(keys))
    ]
    # Games of one second are in no order.
    played = [[names[action] for action in episode.actions] for episode in dataset]
    assert sorted(played) == sorted([expected[:LENGTH], expected[LENGTH : 2 * LENGTH]])
    assert dataset.env_spec.id == "Craftax-Pixels-v1"


class TestScores:
    @pytest.mark.slow
    def test_games_are_those_of_the_statistics(self, recorded, games, tmp_path, capsys):
        convert(games, "--scores", tmp_path / "scores.json", "--groups", 3)
        captured = capsys.readouterr()
        assert "7 games in groups of 3, 2, 2" in captured.out
        assert "-partial-" in captured.err
        groups = scoring.read_scores(tmp_path / "scores.json")
        text = (recorded / "stats.jsonl").read_text()
        lines = [json.loads(line) for line in text.splitlines()]
        assert len(lines) == GAMES
        assert any(line["reward"] for line in lines)
        names = {line.pop("file") for line in lines}
        assert names == {path.stem for path in whole(recorded)}
        assert episodes(groups) == sorted(sorted(line.items()) for line in lines)

    def test_saved_games_are_skipped(self, games, tmp_path, capsys):
        env = crafter.Env(seed=1, area=(24, 24), length=LENGTH)
        env.reset()
        savefile.write(games / "crafter-save.npz", env.get_state())
        convert(games, "--scores", tmp_path / "scores.json")
        captured = capsys.readouterr()
        assert "Skipped crafter-save.npz: it is a saved game" in captured.err
        assert f"{GAMES} games in groups" in captured.out

    def test_games_that_go_on_with_a_saved_one_are_skipped(
        self, games, tmp_path, capsys
    ):
        env = crafter.Env(seed=1, area=(24, 24), length=LENGTH)
        env.reset()
        env.step(0)
        env = crafter.EpisodeRecorder(env, games)
        env.reset(options={"state": env.unwrapped.get_state()})
        while not any(env.step(0)[2:4]):
            pass
        convert(games, "--scores", tmp_path / "scores.json")
        captured = capsys.readouterr()
        assert f"-len{LENGTH - 1}.npz: it goes on with a saved game" in captured.err
        assert f"{GAMES} games in groups" in captured.out

    def test_file_has_the_published_form(self, games, tmp_path):
        convert(games, "--scores", tmp_path / "scores.json", "--method", "friends")
        records = json.loads((tmp_path / "scores.json").read_text())
        assert [record["seed"] for record in records] == list("01234")
        assert [len(record["length"]) for record in records] == [2, 2, 1, 1, 1]
        for record in records:
            assert (record["task"], record["method"]) == ("crafter_reward", "friends")
            assert record["xs"] == np.cumsum(record["length"]).tolist()
            assert len(record) == 7 + len(constants.achievements)
            assert "--groups 5 --split-seed 0" in record["made_by"]["command"]

    def test_split_depends_on_its_seed(self, games, tmp_path):
        for path in whole(games):  # Tell them apart.
            rows = crafter.load_episode(path)["reward"]
            change(path, reward=rows + len(list(tmp_path.glob("*.npz"))))
            path.rename(tmp_path / path.name)
        for name, seed in [("a", 0), ("b", 0), ("c", 1)]:
            options = ["--groups", 2, "--split-seed", seed]
            convert(tmp_path, "--scores", tmp_path / f"{name}.json", *options)
        first, same, other = ((tmp_path / f"{n}.json").read_text() for n in "abc")
        assert first == same
        assert first != other
        a, c = (scoring.read_scores(tmp_path / f"{name}.json") for name in "ac")
        assert episodes(a) == episodes(c)

    def test_games_without_a_limit_of_the_published_package(self, games, tmp_path):
        convert(games, "--scores", tmp_path / "before.json")
        for path in whole(games):
            discount = np.ones(LENGTH + 1)
            discount[[0, -1]] = 0
            done = np.array([False, *[None] * (LENGTH - 1), True], object)
            change(path, discount=discount, done=done)
        convert(games, "--scores", tmp_path / "after.json")
        before, after = (
            (tmp_path / f"{name}.json").read_text() for name in ("before", "after")
        )
        assert before == after

    def test_games_of_several_sizes(self, games, tmp_path):
        path = whole(games)[0]
        change(path, image=np.zeros((LENGTH + 1, 32, 32, 3), np.uint8))
        convert(games, "--scores", tmp_path / "scores.json")
        groups = scoring.read_scores(tmp_path / "scores.json")
        assert sum(run.episodes for run in groups) == GAMES


class TestMinari:
    def test_data_set_beside_scores(self, games, minari, tmp_path, capsys):
        outputs = ["--minari", DATASET, "--scores", tmp_path / "scores.json"]
        convert(games, *outputs, "--author", "Ada")
        printed = capsys.readouterr().out
        assert f"{GAMES} episodes, {GAMES * LENGTH} steps" in printed
        assert "7 games in groups of" in printed
        dataset = minari.load_dataset(DATASET)
        assert dataset.storage.metadata["author"] == {"Ada"}
        assert dataset.total_episodes == GAMES
        for path, episode in zip(whole(games), dataset):
            original = crafter.load_episode(path)
            assert np.array_equal(episode.observations, original["image"])
            assert np.array_equal(episode.actions, original["action"][1:])
            assert np.array_equal(episode.rewards, original["reward"][1:])
            assert episode.truncations.tolist() == [False] * (LENGTH - 1) + [True]
        assert dataset.recover_environment().unwrapped.area == (24, 24)

    def test_data_set_alone_needs_no_groups(self, games, minari):
        convert(games, "--minari", DATASET, "--groups", 50)
        assert minari.load_dataset(DATASET).total_episodes == GAMES

    def test_nothing_is_written_if_it_cannot_be_made(
        self, games, minari, tmp_path, capsys
    ):
        outputs = ["--minari", "no version", "--scores", tmp_path / "scores.json"]
        assert "is no id of a data set" in fails(capsys, games, *outputs)
        assert not (tmp_path / "scores.json").exists()

    def test_missing_package(self, games, capsys, monkeypatch):
        monkeypatch.setitem(__import__("sys").modules, "h5py", None)
        error = fails(capsys, games, "--minari", DATASET)
        assert "pip install crafter[minari]" in error


class TestErrors:
    """Bad files are refused, with the file and the reason, before anything is made."""

    @pytest.fixture
    def refused(self, games, tmp_path, capsys):
        def refused(path):
            error = fails(capsys, games, "--scores", tmp_path / "scores.json")
            assert path.name in error
            assert not (tmp_path / "scores.json").exists()
            return error

        return refused

    def test_damaged(self, games, refused):
        path = whole(games)[3]
        path.write_bytes(path.read_bytes()[:-100])
        assert "is not a recorded episode" in refused(path)

    @pytest.mark.parametrize("key", ["reward", "done", "image"])
    def test_missing_array(self, games, refused, key):
        path = whole(games)[2]
        change(path, **{key: None})
        assert f"{key} missing" in refused(path)

    def test_missing_achievement(self, games, refused):
        path = whole(games)[2]
        change(path, achievement_eat_cow=None)
        assert "lacks achievement_eat_cow." in refused(path)

    def test_unknown_achievement(self, games, refused):
        path = whole(games)[0]
        change(path, achievement_swim=np.zeros(LENGTH + 1, int))
        assert "has the unknown achievement_swim." in refused(path)

    @pytest.mark.parametrize(
        ("counts", "reason"),
        [
            ([0, 0, 1, 2, 3, 3, 2, 3, 4, 5], f"{KEY} 2 at step 6"),
            ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], f"{KEY} 1 at step 0"),
            ([0, 4, 4, 4, 4, 4, 4, 4, 4, 4], f"{KEY} 4 at step 1"),
            ([-1, 0, 0, 0, 0, 0, 0, 0, 0, 0], f"{KEY} -1 at step 0"),
            ([0.0] * 10, f"one integer per row as {KEY}, but has float64"),
            ([[0]] * 10, "of shape (10, 1)"),
        ],
    )
    def test_counts_of_no_whole_game(self, games, refused, counts, reason):
        path = whole(games)[1]
        change(path, **{KEY: np.array(counts)})
        assert reason in refused(path)

    def test_end_in_the_middle(self, games, refused):
        path = whole(games)[1]
        done = np.arange(LENGTH + 1) % LENGTH == 4
        done[-1] = True
        change(path, done=done)
        assert f"is done at step 4, but goes on to step {LENGTH}" in refused(path)

    @pytest.mark.parametrize("key", ["action", "reward", "discount"])
    def test_column_of_words(self, games, refused, key):
        path = whole(games)[1]
        change(path, **{key: np.array(["?"] * (LENGTH + 1))})
        assert f"{key} must be one number per row, but is <U1" in refused(path)

    def test_rewards_without_a_sum(self, games, refused):
        path = whole(games)[1]
        change(path, reward=np.full(LENGTH + 1, np.nan))
        assert "rewards that are not finite" in refused(path)

    def test_action_of_another_game(self, games, refused):
        path = whole(games)[1]
        change(path, action=np.arange(LENGTH + 1) + 10)
        assert "actions from 10 to 19" in refused(path)

    def test_too_few_games(self, games, tmp_path, capsys):
        error = fails(capsys, games, "--scores", tmp_path / "s.json", "--groups", 8)
        assert "has 7 whole games, but at least 8 are needed" in error

    def test_interrupted_games_only(self, games, tmp_path, capsys):
        for path in whole(games):
            path.unlink()
        error = fails(capsys, games, "--scores", tmp_path / "scores.json")
        assert "has 0 whole games" in error

    def test_no_games(self, tmp_path, capsys):
        (tmp_path / "empty").mkdir()
        for folder in ("empty", "missing"):
            error = fails(capsys, tmp_path / folder, "--scores", tmp_path / "s.json")
            assert str(tmp_path / folder) in error

    def test_no_output(self, games, capsys):
        assert "--scores FILE, --minari ID, or both" in fails(capsys, games, code=2)

    @pytest.mark.parametrize("name", ["missing/scores.json", "scores.txt"])
    def test_bad_score_file(self, games, tmp_path, capsys, name):
        assert str(tmp_path) in fails(capsys, games, "--scores", tmp_path / name)


def test_help(capsys):
    with pytest.raises(SystemExit) as caught:
        convert("--help")
    assert caught.value.code == 0
    assert "--split-seed" in capsys.readouterr().out

"""The Recorder: what its files hold, when they appear, and what goes wrong."""

import copy
import errno
import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time
import warnings
import zipfile

import gymnasium
import numpy as np
import pytest

import crafter
from crafter import constants
from crafter.recorder import (
    EpisodeRecorder,
    Recorder,
    StatsRecorder,
    VideoRecorder,
    load_episode,
    load_start,
)
from crafter.recording import transitions

ACHIEVEMENTS = """
    collect_coal collect_diamond collect_drink collect_iron collect_sapling
    collect_stone collect_wood defeat_skeleton defeat_zombie eat_cow eat_plant
    make_iron_pickaxe make_iron_sword make_stone_pickaxe make_stone_sword
    make_wood_pickaxe make_wood_sword place_furnace place_plant place_stone
    place_table wake_up
""".split()  # noqa: SIM905
ITEMS = """
    health food drink energy sapling wood stone coal iron diamond wood_pickaxe
    stone_pickaxe iron_pickaxe wood_sword stone_sword iron_sword
""".split()  # noqa: SIM905

# Crafter 1.8.3: key, dtype and shape after the number of rows.
EPISODE_TABLE = [
    ("image", "uint8", (48, 64, 3)),
    ("action", "int64", ()),
    ("reward", "float64", ()),
    ("done", "bool", ()),
    ("discount", "float64", ()),
    ("semantic", "uint8", (24, 32)),
    ("player_pos", "int64", (2,)),
    *((f"achievement_{name}", "int64", ()) for name in ACHIEVEMENTS),
    *((f"ainventory_{name}", "int64", ()) for name in ITEMS),
]


@pytest.fixture
def ffmpeg():
    """The module that brings ffmpeg; the bare install does without videos."""
    return pytest.importorskip("imageio_ffmpeg", reason="needs crafter[video]")


@pytest.fixture
def same_second(monkeypatch):
    """Stops the clock that names files."""
    monkeypatch.setattr(time, "strftime", lambda form, when: "20210913T120000")


def make_env(length=5, **kwargs):
    kwargs = {"area": (24, 32), "size": (64, 48), "seed": 1, **kwargs}
    return crafter.Env(length=length, **kwargs)


def play(env, steps, seed=0):
    """Resets the environment, acts at random and returns all that it returned."""
    rng = np.random.RandomState(seed)
    results = [(None, *env.reset())]
    for action in rng.randint(0, 17, steps):
        results.append((int(action), *env.step(int(action))))
    return results


def files(directory, pattern="*"):
    """Returns the names of all files, hidden ones too."""
    return sorted(path.name for path in pathlib.Path(directory).glob(pattern))


def only(directory, pattern):
    (name,) = files(directory, pattern)
    return pathlib.Path(directory) / name


def stats_of(directory):
    lines = (pathlib.Path(directory) / "stats.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def read_video(ffmpeg, path):
    """Returns metadata and frames."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # It leaves pipes open.
        meta, *data = ffmpeg.read_frames(str(path))
        gc.collect()
    width, height = meta["size"]
    frames = [np.frombuffer(frame, np.uint8) for frame in data]
    return meta, np.stack(frames).reshape(-1, height, width, 3)


class TestEpisode:
    def test_keys_dtypes_and_shapes(self, tmp_path):
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        with np.load(only(tmp_path, "*.npz"), allow_pickle=False) as archive:
            table = [(k, str(a.dtype), a.shape) for k, a in archive.items()]
        *published, start = table
        assert published == [(key, dtype, (6, *s)) for key, dtype, s in EPISODE_TABLE]
        assert start[:2] == ("start", "uint8")

    def test_name_tells_achievements_and_length(self, tmp_path, same_second):
        env = EpisodeRecorder(make_env(), tmp_path)
        env.reset(options={"inventory": {"sapling": 1, "wood": 9}})
        for name in ["place_plant", "noop", "place_table", "place_table", "noop"]:
            _, _, _, _, info = env.step(env.action_names.index(name))
        unlocked = sum(count > 0 for count in info["achievements"].values())
        assert unlocked > 0
        assert files(tmp_path) == [f"20210913T120000-ach{unlocked}-len5.npz"]

    def test_default_timestamp_is_local_time_at_the_end(self, tmp_path):
        before = time.strftime("%Y%m%dT%H%M%S")
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        after = time.strftime("%Y%m%dT%H%M%S")
        stamp = only(tmp_path, "*.npz").name.split("-")[0]
        assert before <= stamp <= after

    def test_row_holds_action_and_what_followed(self, tmp_path):
        results = play(EpisodeRecorder(make_env(40), tmp_path), 40)
        episode = load_episode(only(tmp_path, "*.npz"))
        for row, (action, image, *_, info) in enumerate(results):
            assert np.array_equal(episode["image"][row], image)
            if row > 0:
                assert episode["action"][row] == action
                assert episode["reward"][row] == info["reward"]
                assert episode["discount"][row] == info["discount"]
            assert np.array_equal(episode["semantic"][row], info["semantic"])
            assert np.array_equal(episode["player_pos"][row], info["player_pos"])
            for name, count in info["achievements"].items():
                assert episode[f"achievement_{name}"][row] == count
            for name, amount in info["inventory"].items():
                assert episode[f"ainventory_{name}"][row] == amount
        assert episode["done"].tolist() == [False] * 40 + [True]
        for key in ("action", "reward", "done", "discount"):
            assert episode[key][0] == 0  # Only steps have them.
        assert episode["ainventory_health"][0] == 9

    def test_death_and_time_limit_are_both_done(self, tmp_path):
        ground = np.full((24, 32), constants.material_ids["lava"], np.uint8)
        ground[12, 16] = constants.material_ids["grass"]
        env = EpisodeRecorder(make_env(100), tmp_path)
        env.reset(options={"map": ground})
        _, _, terminated, truncated, info = env.step(1)
        assert (terminated, truncated, info["discount"]) == (True, False, 0.0)
        episode = load_episode(only(tmp_path, "*.npz"))
        assert episode["done"].tolist() == [False, True]
        assert episode["discount"].tolist() == [0.0, 0.0]

    def test_steps_after_the_end_are_not_recorded(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        play(env, 5)
        with pytest.warns(UserWarning, match="after the episode"):
            env.step(0)
        env.step(0)
        env.close()
        assert files(tmp_path, "*.npz") == [only(tmp_path, "*-len5.npz").name]
        assert len(stats_of(tmp_path)) == 1

    def test_error_in_a_step_leaves_the_recording_running(self, tmp_path):
        env = EpisodeRecorder(make_env(), tmp_path)
        env.reset()
        for action in [1, 2, 99, 3, 4, 5]:
            if action == 99:
                with pytest.raises(gymnasium.error.InvalidAction):
                    env.step(action)
            else:
                env.step(action)
        episode = load_episode(only(tmp_path, "*-ach*-len5.npz"))
        assert episode["action"].tolist() == [0, 1, 2, 3, 4, 5]

    def test_recording_starts_at_the_next_reset(self, tmp_path):
        env = make_env()
        env.reset()
        env = Recorder(env, tmp_path, save_video=False)
        env.step(0)
        assert files(tmp_path) == ["stats.jsonl"]
        play(env, 5)
        assert only(tmp_path, "*-len5.npz")


class TestStats:
    def test_a_line_is_what_happened(self, tmp_path):
        results = play(StatsRecorder(make_env(60), tmp_path), 60)
        (line,) = stats_of(tmp_path)
        counters = results[-1][-1]["achievements"]
        total = sum(info["reward"] for *_, info in results)
        assert line == {
            "length": 60,
            "reward": round(total, 1),
            **{f"achievement_{name}": counters[name] for name in ACHIEVEMENTS},
        }
        assert list(line) == [
            "length",
            "reward",
            *(f"achievement_{name}" for name in ACHIEVEMENTS),
        ]
        assert line["reward"] > 0

    @pytest.mark.parametrize("env_id", ["CrafterReward-v1", "CrafterNoReward-v1"])
    def test_reward_is_unmasked_in_both_ids(self, tmp_path, env_id):
        env = gymnasium.make(env_id, length=60, area=(24, 32), seed=1)
        results = play(Recorder(env, tmp_path, save_video=False), 60)
        total = sum(info["reward"] for *_, info in results)
        assert total > 0.5
        assert stats_of(tmp_path)[0]["reward"] == round(total, 1)
        recorded = load_episode(only(tmp_path, "*.npz"))["reward"]
        assert recorded.sum() == pytest.approx(total)

    def test_file_exists_from_the_start_and_lines_are_flushed(self, tmp_path):
        env = StatsRecorder(make_env(), tmp_path)
        assert (tmp_path / "stats.jsonl").read_bytes() == b""
        for number in range(1, 4):
            play(env, 5)
            assert len(stats_of(tmp_path)) == number

    def test_second_recorder_appends(self, tmp_path):
        for length in [3, 4]:
            env = StatsRecorder(make_env(length), tmp_path)
            play(env, length)
            env.close()
        assert [line["length"] for line in stats_of(tmp_path)] == [3, 4]

    @pytest.mark.parametrize("cut", ['{"length": 3, "rew', '{"length": 3}'])
    def test_line_after_one_that_was_cut_off_is_whole(self, tmp_path, cut):
        path = tmp_path / "stats.jsonl"
        path.write_text('{"length": 2}\n' + cut)
        play(StatsRecorder(make_env(), tmp_path), 5)
        first, second, third = path.read_text().splitlines()
        assert (first, second) == ('{"length": 2}', cut)
        assert json.loads(third)["length"] == 5


class TestVideo:
    def test_frames_are_those_of_the_game(self, tmp_path, ffmpeg):
        env = VideoRecorder(make_env(), tmp_path, size=(160, 128))
        env.reset()
        expected = [env.unwrapped.frame((160, 128))]
        for action in range(1, 6):
            env.step(action)
            expected.append(env.unwrapped.frame((160, 128)))
        meta, frames = read_video(ffmpeg, only(tmp_path, "*-len5.mp4"))
        assert meta["codec"] == "h264"
        assert meta["fps"] == 10
        assert frames.shape == (6, 128, 160, 3)
        # H.264 halves the resolution of colours, so compare the brightness.
        for frame, target in zip(frames, expected):
            difference = frame.mean(-1) - target.mean(-1)
            assert np.abs(difference).mean() < 8
        assert np.abs(expected[0].mean(-1) - expected[0].mean()).mean() > 20

    def test_default_size(self, tmp_path, ffmpeg):
        play(Recorder(make_env(2), tmp_path), 2)
        meta, frames = read_video(ffmpeg, only(tmp_path, "*.mp4"))
        assert meta["size"] == (512, 512)
        assert len(frames) == 3

    @pytest.mark.parametrize(
        "size, even",
        [((101, 64), (102, 64)), ((66, 99), (66, 100)), (75, (76, 76))],
    )
    def test_odd_sizes_are_raised_by_one(self, tmp_path, ffmpeg, size, even):
        env = VideoRecorder(make_env(3), tmp_path, size=size)
        assert env.video_size == even
        play(env, 3)
        meta, frames = read_video(ffmpeg, only(tmp_path, "*.mp4"))
        assert meta["size"] == even
        assert len(frames) == 4

    @pytest.mark.parametrize(
        "size, error",
        [
            ((0, 64), ValueError),
            ((64, -2), ValueError),
            ((64, 64, 3), TypeError),
            ((64.5, 64), TypeError),
            (None, TypeError),
        ],
    )
    def test_bad_sizes_are_refused_at_construction(self, tmp_path, ffmpeg, size, error):
        with pytest.raises(error, match="video size must be"):
            VideoRecorder(make_env(), tmp_path, size=size)

    def test_bad_frame_rate_is_refused(self, tmp_path, ffmpeg):
        with pytest.raises(ValueError, match="fps must be positive"):
            VideoRecorder(make_env(), tmp_path, fps=0)

    def test_environment_without_frames_is_refused(self, tmp_path, ffmpeg):
        with pytest.raises(TypeError, match="needs an environment with a method frame"):
            VideoRecorder(gymnasium.make("CartPole-v1"), tmp_path)

    def test_missing_ffmpeg_is_named_and_nothing_is_written(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
        with pytest.raises(
            gymnasium.error.DependencyNotInstalled,
            match=r"pip install crafter\[video\]",
        ):
            Recorder(make_env(), tmp_path / "new")
        assert not (tmp_path / "new").exists()
        play(Recorder(make_env(), tmp_path, save_video=False), 5)
        assert len(files(tmp_path)) == 2


class TestRecorder:
    def test_all_files_of_an_episode_share_their_name(self, tmp_path, ffmpeg):
        play(Recorder(make_env(), tmp_path / "a" / "b", video_size=64), 5)
        npz = only(tmp_path / "a" / "b", "*.npz")
        mp4 = only(tmp_path / "a" / "b", "*.mp4")
        assert npz.stem == mp4.stem
        assert files(tmp_path / "a" / "b") == [mp4.name, npz.name, "stats.jsonl"]

    def test_home_directory_is_expanded(self, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        Recorder(make_env(), "~/logs", save_video=False)
        assert (tmp_path / "logs" / "stats.jsonl").exists()

    @pytest.mark.parametrize("directory", [None, ""])
    def test_nothing_is_recorded_without_directory(
        self, tmp_path, monkeypatch, directory
    ):
        monkeypatch.chdir(tmp_path)
        env = make_env()
        recorder = Recorder(env, directory)
        assert recorder.env is env
        play(recorder, 5)
        recorder.close()
        assert files(tmp_path) == []

    @pytest.mark.parametrize("part", ["stats", "episode", "video"])
    def test_each_part_can_be_switched_off(self, tmp_path, ffmpeg, part):
        kinds = {"stats": "stats.jsonl", "episode": "*.npz", "video": "*.mp4"}
        play(Recorder(make_env(2), tmp_path, **{f"save_{part}": False}), 2)
        for kind, pattern in kinds.items():
            assert len(files(tmp_path, pattern)) == (kind != part)

    def test_unknown_attributes_are_those_of_the_environment(self, tmp_path):
        base = make_env()
        env = Recorder(base, tmp_path, save_video=False)
        env.reset()
        assert env.area == (24, 32)
        assert env.player is base.player
        assert env._player is base.player
        assert env.action_names == list(constants.actions)
        with pytest.raises(AttributeError, match="no_such_thing"):
            _ = env.no_such_thing
        base.__dict__["__secret"] = 1
        with pytest.raises(AttributeError, match="__secret"):
            getattr(env, "__secret")  # noqa: B009

    def test_attributes_are_set_where_they_live(self, tmp_path):
        base = make_env()
        env = Recorder(base, tmp_path, save_video=False)
        env.set_wrapper_attr("length", 7)
        assert base.length == 7
        assert "length" not in vars(env)

    def test_spec_makes_the_same_stack(self, tmp_path):
        env = gymnasium.make("CrafterReward-v1", length=3, area=(24, 32))
        env = Recorder(env, tmp_path / "first", save_video=False)
        names = [entry.name for entry in env.spec.additional_wrappers]
        assert names.count("Recorder") == 1
        assert "EpisodeRecorder" not in names
        again = gymnasium.make(env.spec)
        assert isinstance(again, Recorder)
        play(again, 3)
        assert only(tmp_path / "first", "*-len3.npz")

    def test_spec_survives_json(self, tmp_path):
        env = gymnasium.make("CrafterReward-v1", length=3, area=(24, 32))
        text = Recorder(env, tmp_path, save_video=False).spec.to_json()
        spec = gymnasium.envs.registration.EnvSpec.from_json(text)
        play(gymnasium.make(spec), 3)
        assert only(tmp_path, "*-len3.npz")

    def test_environment_without_spec_has_none(self, tmp_path):
        assert Recorder(make_env(), tmp_path, save_video=False).spec is None

    def test_copies_are_refused(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            copy.deepcopy(env)
        env.reset()
        assert copy.deepcopy(env.unwrapped).step_count == 0

    def test_info_of_another_game_is_refused(self, tmp_path):
        env = StatsRecorder(gymnasium.make("CartPole-v1"), tmp_path)
        with pytest.raises(ValueError, match="reward, achievements is missing"):
            env.reset()

    def test_not_an_environment_is_refused(self, tmp_path):
        with pytest.raises((TypeError, AssertionError)):
            Recorder("CrafterReward-v1", None)


class TestGameIsUntouched:
    def test_recorded_game_is_the_same_through_the_night(self, tmp_path, ffmpeg):
        plain = make_env(60)
        recorded = Recorder(make_env(60), tmp_path, video_size=(100, 80))
        start = {"daytime": "dusk" if "dusk" in constants.time["moments"] else 140}
        rng = np.random.RandomState(0)
        first = [env.reset(options=start) for env in (plain, recorded)]
        assert np.array_equal(first[0][0], first[1][0])
        dark = 0
        for action in rng.randint(0, 17, 60):
            left = plain.step(int(action))
            right = recorded.step(int(action))
            assert np.array_equal(left[0], right[0])
            assert left[1:4] == right[1:4]
            np.testing.assert_equal(left[4], right[4])
            dark += plain.daylight < 0.5
        assert dark > 20  # Here each observation draws from the game's stream.
        states = plain.get_state(), recorded.get_state()
        np.testing.assert_equal(*states)
        assert len(files(tmp_path)) == 3

    def test_results_are_passed_on_as_they_are(self, tmp_path, ffmpeg):
        class Spy(gymnasium.Wrapper):
            def reset(self, **kwargs):
                self.result = super().reset(**kwargs)
                return self.result

            def step(self, action):
                self.result = super().step(action)
                return self.result

        spy = Spy(make_env(2))
        env = Recorder(spy, tmp_path, video_size=64)
        for act in [env.reset, lambda: env.step(1), lambda: env.step(2)]:
            result = act()
            assert len(result) == len(spy.result)
            assert all(a is b for a, b in zip(result, spy.result))


class TestComposition:
    def test_time_limit_inside_ends_the_episode(self, tmp_path):
        env = gymnasium.wrappers.TimeLimit(make_env(100), 4)
        play(Recorder(env, tmp_path, save_video=False), 4)
        episode = load_episode(only(tmp_path, "*-len4.npz"))
        assert episode["done"][-1]
        assert episode["discount"][-1] == 1

    def test_time_limit_outside_leaves_a_partial_episode(self, tmp_path):
        env = Recorder(make_env(100), tmp_path, save_video=False)
        env = gymnasium.wrappers.TimeLimit(env, 4)
        play(env, 4)
        env.reset()
        assert only(tmp_path, "*-partial-*-len4.npz")
        assert stats_of(tmp_path) == []

    def test_statistics_of_gymnasium_outside(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        env = gymnasium.wrappers.RecordEpisodeStatistics(env)
        *_, (*_, info) = play(env, 5)
        assert info["episode"]["l"] == 5
        assert set(crafter.Env().reset()[1]) <= set(info)

    @pytest.mark.parametrize("inside", [False, True])
    def test_observation_wrappers(self, tmp_path, ffmpeg, inside):
        env = make_env()
        if inside:
            env = Recorder(env, tmp_path, video_size=64)
        env = gymnasium.wrappers.GrayscaleObservation(env)
        env = gymnasium.wrappers.FrameStackObservation(env, 3)
        if not inside:
            env = Recorder(env, tmp_path, video_size=64)
        results = play(env, 5)
        assert results[-1][1].shape == (3, 48, 64)
        image = load_episode(only(tmp_path, "*.npz"))["image"]
        assert image.shape == ((6, 48, 64, 3) if inside else (6, 3, 48, 64))
        assert inside or np.array_equal(image[-1], results[-1][1])
        assert len(read_video(ffmpeg, only(tmp_path, "*.mp4"))[1]) == 6

    def test_resized_observation(self, tmp_path):
        pytest.importorskip("cv2", reason="ResizeObservation needs opencv")
        env = gymnasium.wrappers.ResizeObservation(make_env(), (84, 84))
        play(Recorder(env, tmp_path, save_video=False), 5)
        image = load_episode(only(tmp_path, "*.npz"))["image"]
        assert image.shape == (6, 84, 84, 3)

    def test_observations_that_are_no_arrays_are_refused(self, tmp_path):
        env = make_env()
        space = gymnasium.spaces.Dict({"image": env.observation_space})
        env = gymnasium.wrappers.TransformObservation(
            env, lambda image: {"image": image}, space
        )
        with pytest.raises(TypeError, match="observation space of type Box"):
            EpisodeRecorder(env, tmp_path)

    def test_vector_of_recorded_environments(self, tmp_path):
        def make(length):
            return lambda: Recorder(make_env(length), tmp_path, save_video=False)

        envs = gymnasium.vector.SyncVectorEnv([make(3), make(4)])
        envs.reset()
        for _ in range(9):
            envs.step(np.zeros(2, int))
        envs.close()
        lengths = sorted(line["length"] for line in stats_of(tmp_path))
        # Nine steps for each: the one after an end is a reset.
        assert lengths == [3, 3, 4, 4]
        assert len(files(tmp_path, "*[0-9]-ach*.npz")) == 4
        assert only(tmp_path, "*-partial-*-len1.npz")


class TestNames:
    def test_same_name_gets_a_number(self, tmp_path, ffmpeg, same_second):
        env = Recorder(make_env(2), tmp_path, video_size=64)
        for _ in range(3):
            env.reset()
            env.step(0)
            env.step(0)
        name = "20210913T120000-ach0-len2"
        stems = [name, f"{name}-2", f"{name}-3"]
        for suffix in [".mp4", ".npz"]:
            assert files(tmp_path, f"*{suffix}") == sorted(s + suffix for s in stems)
        assert len(files(tmp_path)) == 7

    def test_file_that_is_there_keeps_its_content(self, tmp_path, same_second):
        for suffix in [".npz", ".mp4"]:
            (tmp_path / f"20210913T120000-ach0-len1{suffix}").write_text("old")
        env = Recorder(make_env(1), tmp_path, save_video=False)
        env.reset()
        env.step(0)
        assert (tmp_path / "20210913T120000-ach0-len1.npz").read_text() == "old"
        load_episode(tmp_path / "20210913T120000-ach0-len1-2.npz")

    def test_video_and_episode_stay_together(self, tmp_path, ffmpeg, same_second):
        (tmp_path / "20210913T120000-ach0-len1.mp4").write_text("another episode")
        env = Recorder(make_env(1), tmp_path, video_size=64)
        env.reset()
        env.step(0)
        assert files(tmp_path, "*.npz") == ["20210913T120000-ach0-len1-2.npz"]
        assert only(tmp_path, "*-2.mp4")

    def test_name_that_another_process_is_just_taking(self, tmp_path, same_second):
        (tmp_path / ".reserved-20210913T120000-ach0-len1").touch()
        env = Recorder(make_env(1), tmp_path, save_video=False)
        env.reset()
        env.step(0)
        assert files(tmp_path, "*.npz") == ["20210913T120000-ach0-len1-2.npz"]

    def test_processes_share_a_directory(self, tmp_path, ffmpeg):
        program = """
            import time
            time.strftime = lambda form, when: "20210913T120000"
            for _ in range(8):
                env.reset()
                env.step(0)
        """
        workers = [start_program(tmp_path, program, length=1) for _ in range(3)]
        assert [worker.wait() for worker in workers] == [0, 0, 0]
        names = [path.stem for path in tmp_path.glob("*.npz")]
        assert len(names) == 24
        assert files(tmp_path, "*.mp4") == sorted(f"{name}.mp4" for name in names)
        assert sorted(line["file"] for line in stats_of(tmp_path)) == sorted(names)
        assert len(files(tmp_path)) == 49
        for name in names:
            load_episode(tmp_path / f"{name}.npz")


class TestPartialEpisodes:
    def test_nothing_is_visible_while_the_episode_runs(self, tmp_path, ffmpeg):
        env = Recorder(make_env(), tmp_path, video_size=64)
        env.reset()
        env.step(0)
        visible = [name for name in files(tmp_path) if not name.startswith(".")]
        assert visible == ["stats.jsonl"]
        env.close()

    @pytest.mark.parametrize("how", ["close", "reset", "collect"])
    def test_running_episode_is_kept(self, tmp_path, ffmpeg, how):
        env = Recorder(make_env(), tmp_path, video_size=64)
        play(env, 3)
        if how == "collect":
            del env
        else:
            getattr(env, how)()
        npz = only(tmp_path, "*-partial-ach*-len3.npz")
        episode = load_episode(npz)
        assert len(episode["image"]) == 4
        assert not episode["done"].any()
        mp4 = only(tmp_path, "*-partial-ach*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4
        assert npz.stem == mp4.stem
        assert stats_of(tmp_path) == []

    def test_whole_episode_after_a_partial_one(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        play(env, 3)
        play(env, 5)
        env.close()
        assert len(load_episode(only(tmp_path, "*-partial-*.npz"))["image"]) == 4
        whole = only(tmp_path, "*[0-9]-ach*.npz")
        assert len(load_episode(whole)["image"]) == 6
        assert [line["length"] for line in stats_of(tmp_path)] == [5]

    def test_episode_without_steps_leaves_nothing(self, tmp_path, ffmpeg):
        env = Recorder(make_env(), tmp_path, video_size=64)
        env.reset()
        env.reset()
        env.close()
        assert files(tmp_path) == ["stats.jsonl"]

    def test_refused_reset_leaves_the_recording_running(self, tmp_path):
        env = Recorder(make_env(), tmp_path, save_video=False)
        env.reset()
        env.step(0)
        with pytest.raises(ValueError):
            env.reset(options={"no such option": 1})
        for _ in range(4):
            env.step(0)
        assert only(tmp_path, "*[0-9]-ach*-len5.npz")
        assert len(stats_of(tmp_path)) == 1

    @pytest.mark.parametrize(
        "ending", ["raise KeyboardInterrupt", "1 / 0", "raise SystemExit(1)", "pass"]
    )
    def test_end_of_the_program(self, tmp_path, ffmpeg, ending):
        result = run_program(tmp_path, ending)
        assert (result.returncode == 0) == (ending == "pass")
        assert len(load_episode(only(tmp_path, "*-partial-*-len3.npz"))["image"]) == 4
        mp4 = only(tmp_path, "*-partial-*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4
        assert len(files(tmp_path)) == 3

    @pytest.mark.skipif(os.name != "posix", reason="sends a signal to a group")
    def test_control_c_in_a_terminal(self, tmp_path, ffmpeg):
        # A terminal sends the signal to all processes of the group, ffmpeg included.
        ending = f"""
            import os, signal
            os.killpg(0, {int(signal.SIGINT)})
            while True:
                pass
        """
        result = run_program(tmp_path, ending, start_new_session=True)
        assert "KeyboardInterrupt" in result.stderr
        mp4 = only(tmp_path, "*-partial-*-len3.mp4")
        assert len(read_video(ffmpeg, mp4)[1]) == 4

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
    def test_fork_leaves_the_recording_to_its_parent(self, tmp_path, ffmpeg):
        ending = """
            import os, sys
            child = os.fork()
            if not child:
                sys.exit()
            os.waitpid(child, 0)
            [env.step(0) for _ in range(2)]
        """
        run_program(tmp_path, ending)
        assert len(load_episode(only(tmp_path, "*[0-9]-ach*-len5.npz"))["image"]) == 6
        assert len(read_video(ffmpeg, only(tmp_path, "*-len5.mp4"))[1]) == 6
        assert len(files(tmp_path)) == 3

    def test_interrupt_while_writing_a_step(self, tmp_path, monkeypatch):
        env = Recorder(make_env(), tmp_path, save_video=False)
        env.reset()
        env.step(1)
        env.step(2)
        with monkeypatch.context() as patch:
            patch.setattr(transitions.TransitionWriter, "write", interrupt)
            with pytest.raises(KeyboardInterrupt):
                env.step(3)
        env.step(4)  # The player catches it and goes on, but step 3 is lost.
        env.close()
        episode = load_episode(only(tmp_path, "*-partial-ach*-len2.npz"))
        assert episode["action"].tolist() == [0, 1, 2]
        assert len(files(tmp_path)) == 2

    def test_interrupt_while_packing_a_whole_episode(self, tmp_path, monkeypatch):
        env = Recorder(make_env(2), tmp_path, save_video=False)
        env.reset()
        env.step(1)
        with monkeypatch.context() as patch:
            patch.setattr(np, "savez_compressed", interrupt)
            with pytest.raises(KeyboardInterrupt):
                env.step(2)
        env.close()
        assert len(load_episode(only(tmp_path, "*[0-9]-ach*-len2.npz"))["image"]) == 3
        assert len(files(tmp_path)) == 2


def interrupt(*args, **kwargs):
    raise KeyboardInterrupt


def start_program(directory, ending, length=5, **options):
    """Starts a process that has a recorder `env`, and then does something."""
    program = f"""
        import signal
        import sys
        import crafter
        from crafter.recorder import Recorder
        # What runs in the background may have been told to ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        env = crafter.Env(seed=1, area=(24, 32), length={length})
        env = Recorder(env, sys.argv[1], video_size=64)
        {textwrap.indent(textwrap.dedent(ending).strip(), " " * 8).strip()}
    """
    root = str(pathlib.Path(crafter.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(directory)],
        env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run_program(directory, ending, **options):
    """Plays three steps of an episode of five in a process of its own."""
    played = f"""
        env.reset()
        for _ in range(3):
            env.step(0)
        {textwrap.indent(textwrap.dedent(ending).strip(), " " * 8).strip()}
    """
    process = start_program(directory, played, **options)
    output, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


class TestDirectory:
    @pytest.mark.parametrize("below", ["file", "file/logs"])
    def test_file_in_its_place(self, tmp_path, below):
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(OSError, match="a file is in the place") as caught:
            Recorder(make_env(), tmp_path / below, save_video=False)
        assert caught.value.filename == str(tmp_path / below)

    def test_directory_in_place_of_the_stats(self, tmp_path):
        (tmp_path / "stats.jsonl").mkdir()
        with pytest.raises(OSError, match="Cannot record here") as caught:
            Recorder(make_env(), tmp_path, save_video=False)
        assert caught.value.filename == str(tmp_path / "stats.jsonl")

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0,
        reason="the superuser may write everywhere",
    )
    def test_directory_without_permission(self, tmp_path):
        tmp_path.chmod(0o500)
        for directory in [tmp_path, tmp_path / "new"]:
            with pytest.raises(PermissionError, match="Cannot record here"):
                Recorder(make_env(), directory, save_video=False)

    def test_disk_that_is_full_already(self, tmp_path, monkeypatch):
        monkeypatch.setattr("tempfile.TemporaryFile", no_space)
        with pytest.raises(OSError, match="No space left") as caught:
            Recorder(make_env(), tmp_path, save_video=False)
        assert caught.value.errno == errno.ENOSPC

    @pytest.mark.parametrize("kind", [StatsRecorder, VideoRecorder, EpisodeRecorder])
    @pytest.mark.parametrize("directory", [None, "", 3])
    def test_no_path(self, ffmpeg, kind, directory):
        with pytest.raises(TypeError, match="must be a path"):
            kind(make_env(), directory)


def no_space(*args, **kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class TestDiskFull:
    """The game goes on, the file is dropped, others stay, the next one is tried."""

    def test_while_packing(self, tmp_path, monkeypatch):
        def pack(file, **arrays):
            file.write(b"half of the file")
            no_space()

        env = Recorder(make_env(2), tmp_path, save_video=False)
        play(env, 2)
        before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
        with monkeypatch.context() as patch:
            patch.setattr(np, "savez_compressed", pack)
            with pytest.warns(RuntimeWarning, match="npz file of episode 2.*dropped"):
                play(env, 2)
        del before["stats.jsonl"]
        assert len(before) == 1
        for name, content in before.items():
            assert (tmp_path / name).read_bytes() == content
        assert len(files(tmp_path)) == 2
        assert len(stats_of(tmp_path)) == 2
        play(env, 2)
        assert len(files(tmp_path, "*.npz")) == 2

    def test_while_playing(self, tmp_path, monkeypatch):
        env = Recorder(make_env(4), tmp_path, save_video=False)
        env.reset()
        env.step(0)
        with monkeypatch.context() as patch:
            patch.setattr(transitions.TransitionWriter, "write", no_space)
            with pytest.warns(RuntimeWarning, match="No space left") as caught:
                env.step(0)
        for _ in range(2):
            env.step(0)
        assert len(caught) == 1
        assert files(tmp_path) == ["stats.jsonl"]
        assert len(stats_of(tmp_path)) == 1
        play(env, 4)
        assert only(tmp_path, "*-len4.npz")

    def test_at_reset(self, tmp_path, monkeypatch):
        env = Recorder(make_env(2), tmp_path, save_video=False)
        with monkeypatch.context() as patch:
            patch.setattr(pathlib.Path, "mkdir", no_space)
            with pytest.warns(RuntimeWarning, match="npz file of episode 1"):
                play(env, 2)
        assert files(tmp_path) == ["stats.jsonl"]
        play(env, 2)
        assert only(tmp_path, "*.npz")

    def test_while_renaming(self, tmp_path, monkeypatch):
        env = Recorder(make_env(2), tmp_path, save_video=False)
        with monkeypatch.context() as patch:
            patch.setattr(pathlib.Path, "replace", no_space)
            with pytest.warns(RuntimeWarning, match="npz file of episode 1"):
                play(env, 2)
        assert files(tmp_path) == ["stats.jsonl"]

    @pytest.mark.skipif(
        not pathlib.Path("/dev/full").exists(), reason="needs the device /dev/full"
    )
    def test_stats_on_a_full_device(self, tmp_path):
        (tmp_path / "stats.jsonl").symlink_to("/dev/full")
        env = StatsRecorder(make_env(2), tmp_path)
        for episode in [1, 2]:
            with pytest.warns(RuntimeWarning, match=f"line of episode {episode}"):
                assert len(play(env, 2)) == 3

    def test_stats_line_that_fits_in_part_is_taken_back(self, tmp_path):
        resource = pytest.importorskip("resource", reason="needs limits of POSIX")
        env = StatsRecorder(make_env(1), tmp_path)
        play(env, 1)
        size = (tmp_path / "stats.jsonl").stat().st_size
        env.reset()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, limits[1]))
        try:
            with pytest.warns(RuntimeWarning, match="line of episode 2"):
                env.step(0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (tmp_path / "stats.jsonl").stat().st_size == size
        play(env, 1)
        assert len(stats_of(tmp_path)) == 2

    @pytest.mark.skipif(os.name != "posix", reason="the stub is a shell script")
    @pytest.mark.parametrize("last_words", ["head -c 30000 >/dev/null", "cat >$out"])
    def test_ffmpeg_dies(self, tmp_path, ffmpeg, monkeypatch, last_words):
        stub = tmp_path / "ffmpeg"
        stub.write_text(
            "#!/bin/sh\n"
            'for out in "$@"; do :; done\n'
            "echo half of the video >$out\n"
            "echo disk on fire >&2\n"
            f"{last_words}\nexit 3\n"
        )
        stub.chmod(0o755)
        logs = tmp_path / "logs"
        with monkeypatch.context() as patch:
            patch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: str(stub))
            env = Recorder(make_env(12), logs, video_size=64)
        with pytest.warns(RuntimeWarning, match="exit code 3: disk on fire") as caught:
            play(env, 12)
        assert len(caught) == 1
        assert files(logs, "*.mp4") == []
        assert len(files(logs)) == 2
        assert len(stats_of(logs)) == 1

    def test_tiny_file_system(self, tiny_disk, ffmpeg):
        env = Recorder(make_env(3), tiny_disk, video_size=64)
        play(env, 3)
        earlier = files(tiny_disk)
        assert len(earlier) == 3
        with pytest.raises(OSError), (tiny_disk / "filler").open("wb", 0) as filler:
            while True:
                filler.write(b"0" * 1024)
        with pytest.warns(RuntimeWarning) as caught:
            play(env, 3)
        messages = sorted(str(warning.message) for warning in caught)
        assert "mp4 file of episode 2" in messages[0]
        assert "npz file of episode 2" in messages[1]
        assert len(messages) == 2
        (tiny_disk / "filler").unlink()
        assert files(tiny_disk) == earlier
        load_episode(only(tiny_disk, "*.npz"))
        assert len(read_video(ffmpeg, only(tiny_disk, "*.mp4"))[1]) == 4
        play(env, 3)
        assert len(files(tiny_disk)) == 5


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 400 kB, where mounting one is allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"cannot mount a small file system: {error}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


class TestLoadEpisode:
    def save(self, path, **changes):
        rows = len(changes.get("image", range(4)))
        arrays = {key: np.zeros((rows, *s), t) for key, t, s in EPISODE_TABLE}
        arrays |= {"discount": np.array([0.0, 1, 1, 0]), **changes}
        np.savez_compressed(path, **arrays)
        return path

    def test_reads_what_the_recorder_wrote(self, tmp_path):
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        path = only(tmp_path, "*.npz")
        episode = load_episode(str(path))
        with np.load(path) as archive:
            assert [*episode, "start"] == archive.files
            for key, array in episode.items():
                assert np.array_equal(array, archive[key])

    def test_objects_of_the_published_package_are_not_unpickled(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return os.mkdir, (str(tmp_path / "trapped"),)

        done = np.array([False, None, None, Trap()], dtype=object)
        path = self.save(tmp_path / "a.npz", done=done)
        episode = load_episode(path)
        assert episode["done"].dtype == bool
        assert episode["done"].tolist() == [False, False, False, True]
        assert not (tmp_path / "trapped").exists()

    def test_objects_elsewhere_are_refused(self, tmp_path):
        path = self.save(tmp_path / "a.npz", reward=np.array([1, 2, 3, None]))
        with pytest.raises(ValueError, match="is not a recorded episode.*pickle"):
            load_episode(path)

    def test_numbers_of_the_published_package_become_bools(self, tmp_path):
        # Its environments without step limit (0) write 0 and 1.
        path = self.save(tmp_path / "a.npz", done=np.array([0, 0, 0, 1]))
        assert load_episode(path)["done"].tolist() == [False, False, False, True]

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="nothing.npz"):
            load_episode(tmp_path / "nothing.npz")

    @pytest.mark.parametrize("content", [b"", b"some text", b"PK\x03\x04 no archive"])
    def test_not_an_archive(self, tmp_path, content):
        (tmp_path / "a.npz").write_bytes(content)
        with pytest.raises(ValueError, match="a.npz' is not a recorded episode"):
            load_episode(tmp_path / "a.npz")

    def test_damaged_archive(self, tmp_path):
        data = self.save(tmp_path / "a.npz").read_bytes()
        (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
        with pytest.raises(ValueError, match="cut.npz' is not a recorded episode"):
            load_episode(tmp_path / "cut.npz")
        with zipfile.ZipFile(tmp_path / "a.npz") as archive:
            start = archive.getinfo("image.npy").header_offset
        flipped = bytearray(data)
        flipped[start + 60 : start + 70] = b"\xff" * 10
        (tmp_path / "flipped.npz").write_bytes(flipped)
        with pytest.raises(ValueError, match="flipped.npz' is not a recorded episode"):
            load_episode(tmp_path / "flipped.npz")

    @pytest.mark.parametrize("key", ["image", "done", "player_pos"])
    def test_missing_key(self, tmp_path, key):
        path = self.save(tmp_path / "a.npz")
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in archive if name != key}
        np.savez(path, **arrays)
        with pytest.raises(ValueError, match=f"{key} missing, it holds"):
            load_episode(path)

    def test_other_arrays(self, tmp_path):
        np.savez(tmp_path / "a.npz", weights=np.zeros(3))
        with pytest.raises(ValueError, match="achievement_.*missing, it holds weights"):
            load_episode(tmp_path / "a.npz")

    @pytest.mark.parametrize(
        "key, array",
        [
            ("reward", np.zeros(3)),
            ("ainventory_wood", np.zeros(5, int)),
            ("action", np.zeros((), int)),
        ],
    )
    def test_different_lengths(self, tmp_path, key, array):
        path = self.save(tmp_path / "a.npz", **{key: array})
        with pytest.raises(ValueError, match="equally long"):
            load_episode(path)

    @pytest.mark.parametrize("done", [np.zeros(4), np.zeros((4, 2), bool)])
    def test_wrong_done(self, tmp_path, done):
        path = self.save(tmp_path / "a.npz", done=done)
        with pytest.raises(ValueError, match="done must be one bool per row"):
            load_episode(path)


def test_names_of_the_table_are_those_of_the_game():
    assert list(constants.achievements) == ACHIEVEMENTS
    assert list(constants.items) == ITEMS

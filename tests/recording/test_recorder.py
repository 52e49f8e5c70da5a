"""Files of recorders, and games that do not notice them."""

import json
import sys

import gymnasium
import numpy as np
import pytest
from recorded import (
    EPISODE_TABLE,
    files,
    make_craftax,
    make_env,
    only,
    play,
    read_video,
    stats_of,
)

from crafter.games.crafter import constants
from crafter.recorder import (
    EpisodeRecorder,
    Recorder,
    StatsRecorder,
    VideoRecorder,
    load_episode,
    load_game,
)


class TestEpisode:
    def test_keys_dtypes_and_shapes(self, tmp_path):
        play(EpisodeRecorder(make_env(), tmp_path), 5)
        with np.load(only(tmp_path, "*.npz"), allow_pickle=False) as archive:
            table = [(k, str(a.dtype), a.shape) for k, a in archive.items()]
        assert load_game(only(tmp_path, "*.npz")) == "crafter"
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

    @pytest.mark.parametrize("make", [make_env, make_craftax])
    def test_row_holds_action_and_what_followed(self, tmp_path, make):
        env = make(40)
        results = play(EpisodeRecorder(env, tmp_path), 40)
        episode = load_episode(only(tmp_path, "*.npz"))
        for row, (action, image, *_, info) in enumerate(results):
            assert np.array_equal(episode["image"][row], image)
            if row > 0:
                assert episode["action"][row] == action
                assert episode["reward"][row] == info["reward"]
                assert episode["discount"][row] == info["discount"]
            for key in env.recorded:
                assert np.array_equal(episode[key][row], info[key])
            for name, count in info["achievements"].items():
                assert episode[f"achievement_{name}"][row] == count
            for name, amount in info["inventory"].items():
                assert episode[f"ainventory_{name}"][row] == amount
        assert episode["done"].tolist() == [False] * 40 + [True]
        for key in ("action", "reward", "done", "discount"):
            assert episode[key][0] == 0  # Only steps have them.
        assert episode["ainventory_health"][0] == 9

    def test_death_is_done(self, tmp_path):
        ground = np.full((24, 32), constants.material_ids["lava"], np.uint8)
        ground[12, 16] = constants.material_ids["grass"]
        env = EpisodeRecorder(make_env(100), tmp_path)
        env.reset(options={"map": ground})
        _, _, terminated, truncated, info = env.step(1)
        assert (terminated, truncated, info["discount"]) == (True, False, 0.0)
        episode = load_episode(only(tmp_path, "*.npz"))
        assert episode["done"].tolist() == [False, True]
        assert episode["discount"].tolist() == [0.0, 0.0]

    def test_only_steps_from_a_reset_to_the_end_are_recorded(self, tmp_path):
        env = make_env()
        env.reset()
        env = Recorder(env, tmp_path, save_video=False)
        env.step(0)
        assert files(tmp_path) == ["stats.jsonl"]
        env.reset()
        env.step(1)
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(99)
        for action in [2, 3, 4, 5]:
            env.step(action)
        with pytest.warns(UserWarning, match="after the episode"):
            env.step(0)
        env.close()
        episode = load_episode(only(tmp_path, "*.npz"))
        assert episode["action"].tolist() == [0, 1, 2, 3, 4, 5]
        assert [line["length"] for line in stats_of(tmp_path)] == [5]


class TestStats:
    def test_a_line_is_what_happened(self, tmp_path):
        results = play(StatsRecorder(make_env(60), tmp_path), 60)
        (line,) = stats_of(tmp_path)
        counters = results[-1][-1]["achievements"]
        total = sum(info["reward"] for *_, info in results)
        assert list(line.items()) == [
            ("length", 60),
            ("reward", round(total, 1)),
            *(
                (f"achievement_{name}", counters[name])
                for name in constants.achievements
            ),
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

    def test_file_exists_from_the_start_and_is_appended_to(self, tmp_path):
        for number in range(2):
            env = StatsRecorder(make_env(3 + number), tmp_path)
            assert len(stats_of(tmp_path)) == number
            play(env, 3 + number)
        assert [line["length"] for line in stats_of(tmp_path)] == [3, 4]

    @pytest.mark.parametrize("cut", ['{"length": 3, "rew', '{"length": 3}'])
    def test_line_after_one_that_was_cut_off_is_whole(self, tmp_path, cut):
        path = tmp_path / "stats.jsonl"
        path.write_text('{"length": 2}\n' + cut)
        play(StatsRecorder(make_env(), tmp_path), 5)
        first, second, third = path.read_text().splitlines()
        assert (first, second) == ('{"length": 2}', cut)
        assert json.loads(third)["length"] == 5


class Chosen(gymnasium.Wrapper):
    """Begins every episode with some options."""

    def __init__(self, env, options):
        super().__init__(env)
        self.options = options

    def reset(self, *, seed=None, options=None):
        return self.env.reset(seed=seed, options=self.options)


class TestStarts:
    """Episodes that did not begin with a plain reset say so."""

    def finish(self, env):
        while not any(env.step(0)[2:4]):
            pass

    @pytest.mark.parametrize("inside", [False, True])
    def test_options_and_states_are_told(self, tmp_path, inside):
        game = make_env()
        game.reset()
        starts = [
            (None, None),
            ({"episode": 3}, None),
            ({"inventory": {"wood": 9}}, "options"),
            ({"state": game.get_state()}, "state"),
        ]
        for options, _ in starts:
            if inside:
                env = StatsRecorder(Chosen(game, options), tmp_path)
                env.reset()
            else:
                env = StatsRecorder(game, tmp_path)
                env.reset(options=options)
            self.finish(env)
        found = [line.get("start") for line in stats_of(tmp_path)]
        assert found == [start for _, start in starts]

    def test_attempts_at_tasks_are_told(self, tmp_path):
        for name in ("CrafterTask-v1", "CrafterMultiTask-v1"):
            env = StatsRecorder(gymnasium.make(name, budget=3), tmp_path)
            env.reset(seed=0)
            self.finish(env)
        assert [line["start"] for line in stats_of(tmp_path)] == ["options"] * 2


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

    @pytest.mark.parametrize("sizes", [((101, 64), (102, 64)), (75, (76, 76))])
    def test_odd_sizes_are_raised_by_one(self, tmp_path, ffmpeg, sizes):
        size, even = sizes
        env = VideoRecorder(make_env(3), tmp_path, size=size)
        assert env.video_size == even
        play(env, 3)
        meta, frames = read_video(ffmpeg, only(tmp_path, "*.mp4"))
        assert meta["size"] == even
        assert len(frames) == 4

    @pytest.mark.parametrize(
        "options, message",
        [
            *(
                ({"size": size}, "video size must be")
                for size in ((0, 64), (64, -2), (64, 64, 3), (64.5, 64), None)
            ),
            ({"fps": 0}, "fps must be positive"),
        ],
    )
    def test_bad_options_are_refused(self, tmp_path, ffmpeg, options, message):
        with pytest.raises(ValueError, match=message):
            VideoRecorder(make_env(), tmp_path, **options)
        with pytest.raises(TypeError, match="needs an environment with a method frame"):
            VideoRecorder(gymnasium.make("CartPole-v1"), tmp_path)

    def test_missing_ffmpeg_is_named_and_nothing_is_written(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
        missing = gymnasium.error.DependencyNotInstalled
        with pytest.raises(missing, match=r"pip install crafter\[video\]"):
            Recorder(make_env(), tmp_path / "new")
        assert not (tmp_path / "new").exists()
        play(Recorder(make_env(), tmp_path, save_video=False), 5)
        assert len(files(tmp_path)) == 2


class TestRecorder:
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
        assert env._player is base.player
        assert env.action_names == list(constants.actions)
        with pytest.raises(AttributeError, match="no_such_thing"):
            _ = env.no_such_thing
        base.__dict__["__secret"] = 1
        with pytest.raises(AttributeError, match="__secret"):
            getattr(env, "__secret")  # noqa: B009
        env.set_wrapper_attr("length", 7)
        assert base.length == 7
        assert "length" not in vars(env)
        env.set_wrapper_attr("_old", True)
        assert env._old and "_old" not in vars(base)

    def test_spec_makes_the_same_stack_also_from_json(self, tmp_path):
        env = gymnasium.make("CrafterReward-v1", length=3, area=(24, 32))
        env = Recorder(env, tmp_path, save_video=False)
        names = [entry.name for entry in env.spec.additional_wrappers]
        assert names.count("Recorder") == 1
        assert "EpisodeRecorder" not in names
        spec = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
        for one in (env.spec, spec):
            again = gymnasium.make(one)
            assert isinstance(again, Recorder)
            play(again, 3)
        assert len(files(tmp_path, "*-len3*.npz")) == 2

    def test_info_of_another_game_is_refused(self, tmp_path):
        env = StatsRecorder(gymnasium.make("CartPole-v1"), tmp_path)
        with pytest.raises(
            ValueError, match="lacks reward, achievements and has none;"
        ):
            env.reset()


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


class TestComposition:
    def test_time_limit_inside_ends_the_episode(self, tmp_path):
        env = gymnasium.wrappers.TimeLimit(make_env(100), 4)
        play(Recorder(env, tmp_path, save_video=False), 4)
        episode = load_episode(only(tmp_path, "*-len4.npz"))
        assert episode["done"][-1]
        assert episode["discount"][-1] == 1
        env = Recorder(make_env(100), tmp_path, save_video=False)
        env = gymnasium.wrappers.TimeLimit(env, 4)
        play(env, 4)
        env.reset()
        assert only(tmp_path, "*-partial-*-len4.npz")
        assert len(stats_of(tmp_path)) == 1

    @pytest.mark.slow
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

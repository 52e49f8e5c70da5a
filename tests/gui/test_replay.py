"""A recorded episode that is played back, without its window."""

import numpy as np
import pytest

import crafter
from crafter import constants
from crafter.games.crafter.app.adapter import App
from crafter.games.crafter.rules import default
from crafter.gui.replay import Replay
from crafter.gui.rerun import Rerun, RerunError

STEPS = 60
GAME = App(default())


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The arrays of a recorded episode, and the infos of its steps."""
    folder = tmp_path_factory.mktemp("recorded")
    env = crafter.Env(area=(20, 20), seed=4, length=STEPS)
    env = crafter.Recorder(env, folder, save_video=False)
    observation, info = env.reset()
    steps = [(observation, 0, 0.0, info)]
    for action in np.random.RandomState(2).choice([1, 2, 3, 4, 5, 5, 6], STEPS):
        observation, reward, _, _, info = env.step(action)
        steps.append((observation, int(action), reward, info))
    env.close()
    (path,) = folder.glob("*.npz")
    return crafter.load_episode(path), steps


def test_replay_shows_what_was_recorded(recorded):
    episode, steps = recorded
    replay = Replay(episode, GAME)
    total, unlocked = 0.0, {}
    for index, (image, action, reward, info) in enumerate(steps):
        total += reward
        unlocked |= dict.fromkeys(sorted(info["unlocked"]), index)
        status = replay.status()
        assert np.array_equal(replay.picture((600, 600)), image)
        assert (status.step, status.steps) == (index, STEPS)
        assert status.episode_return == pytest.approx(total)
        assert status.unlocked == unlocked
        assert status.inventory == info["inventory"]
        assert status.action == (constants.actions[action] if index else None)
        replay.advance()
    assert unlocked, "the recording must hold an achievement"
    assert replay.at_end


def test_published_reset_tells_no_amounts(recorded):
    episode = {name: array.copy() for name, array in recorded[0].items()}
    for name in episode:
        if name.startswith("ainventory_"):
            episode[name][0] = 0  # as the published recorder writes it
    replay = Replay(episode, GAME)
    status = replay.status()
    assert status.inventory is None and status.action is None and status.low == ()
    replay.advance()
    assert replay.status().hurt == 0


def test_seeking_stays_in_the_episode(recorded):
    replay = Replay(recorded[0], GAME)
    replay.seek(-5)
    assert replay.index == 0
    replay.seek(STEPS + 5)
    assert replay.index == replay.last == STEPS
    replay.advance()
    assert replay.at_end


def test_achievements_are_announced_at_their_step(recorded):
    episode, steps = recorded
    replay = Replay(episode, GAME)
    for index, (_, _, _, info) in enumerate(steps[1:], 1):
        replay.advance()
        names = [name.replace("_", " ") for name in sorted(info["unlocked"])]
        assert sorted(replay.notices) == [f"Achievement: {name}" for name in names], (
            index
        )
        replay.notices.clear()


def test_bars_have_room_for_a_higher_health(recorded):
    episode = dict(recorded[0])
    episode["ainventory_health"] = episode["ainventory_health"] * 2
    assert Replay(episode, GAME).status().limits["health"] == 18


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ainventory_health": None}, "missing: ainventory_health"),
        ({"image": np.zeros((3, 8, 8, 1), np.uint8)}, "uint8 of shape"),
        ({"image": np.zeros((3, 8, 8, 3), np.float32)}, "not float32"),
        ({"action": np.array([0, 17, 3])}, "0 ... 16, not in 0 ... 17"),
    ],
)
def test_what_cannot_be_shown_is_refused(recorded, changes, message):
    episode = {**recorded[0], **changes}
    episode = {name: array for name, array in episode.items() if array is not None}
    with pytest.raises(ValueError, match=message):
        Replay(episode, GAME)


# Played again.


def rerun(path, episode, rules=None):
    return Rerun(crafter.load_start(path), episode, resume_by(rules or default()))


def resume_by(rules):
    return lambda start: App.resume(start, rules)


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """A recording that reaches into the night, and a state at each step."""
    folder = tmp_path_factory.mktemp("night")
    env = crafter.Env(area=(20, 20), seed=4, length=None)
    env = crafter.EpisodeRecorder(env, folder)
    env.reset(options={"daytime": 60})
    frames = [env.frame((180, 180))]
    for action in np.random.RandomState(3).choice([1, 2, 3, 4, 5], 230):
        env.step(action)
        frames.append(env.frame((180, 180)))
        if env.unwrapped.player.health <= 2:
            break
    env.close()
    (path,) = folder.glob("*.npz")
    return path, crafter.load_episode(path), frames


def test_rerun_shows_the_game_at_any_size_and_in_any_order(night):
    path, episode, frames = night
    replay = Replay(episode, GAME, rerun=rerun(path, episode))
    last = len(frames) - 1
    assert last > 120
    for index in [0, 1, 5, last, 50, 51, 101, 100, 99, last - 1, 0]:
        replay.seek(index)
        assert np.array_equal(replay.picture((180, 180)), frames[index]), index
    assert replay.picture((5, 300)).shape == (300, 18, 3)
    assert replay.proportions == (9, 9)


def test_rerun_tells_time_and_sleep(night):
    path, episode, _ = night
    replay = Replay(episode, GAME, rerun=rerun(path, episode))
    assert replay.status().clock.part == "midday"
    replay.seek(100)
    assert replay.status().clock.part == "night"
    assert not replay.status().sleeping


def test_game_that_departs_from_its_recording_is_shown_as_recorded(night):
    path, episode, frames = night
    episode = dict(episode, player_pos=episode["player_pos"].copy())
    episode["player_pos"][30] += 1
    replay = Replay(episode, GAME, rerun=rerun(path, episode))
    replay.seek(29)
    assert np.array_equal(replay.picture((180, 180)), frames[29])
    replay.notices.clear()
    replay.seek(40)
    assert replay.notices == [
        "As recorded from here on: the game departs from the recording at step 30."
    ]
    assert np.array_equal(replay.picture((180, 180)), episode["image"][40])


def test_start_of_other_rules_is_refused(night):
    path, episode, _ = night
    other = default().changed({"damage": {"unarmed": 2}})
    with pytest.raises(RerunError, match="rules"):
        rerun(path, episode, other)


def test_start_that_lacks_fields_is_refused(night):
    path, episode, _ = night
    start = crafter.load_start(path)
    del start["config_view"]
    with pytest.raises(RerunError, match="its start lacks config_view"):
        Rerun(start, episode, resume_by(default()))


def test_start_with_huge_observations_is_refused(night):
    path, episode, _ = night
    start = dict(crafter.load_start(path), config_size=np.array([2**20, 2**20]))
    with pytest.raises(RerunError, match="more than 4096 pixels"):
        Rerun(start, episode, resume_by(default()))

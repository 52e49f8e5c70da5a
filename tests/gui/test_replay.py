"""A recorded episode that is played back, without its window."""

import numpy as np
import pytest

import crafter
from crafter import constants
from crafter.gui.replay import Replay

STEPS = 60


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
    replay = Replay(episode)
    total, unlocked = 0.0, {}
    for index, (image, action, reward, info) in enumerate(steps):
        total += reward
        unlocked |= dict.fromkeys(sorted(info["unlocked"]), index)
        status = replay.status()
        assert np.array_equal(replay.picture((600, 600)), image)
        assert (status.step, status.steps) == (index, STEPS)
        assert status.episode_return == pytest.approx(total)
        assert status.unlocked == unlocked
        if index:
            assert status.action == constants.actions[action]
            assert status.inventory == info["inventory"]
        replay.advance()
    assert unlocked, "the recording must hold an achievement"
    assert replay.at_end


def test_row_of_the_reset_tells_no_amounts(recorded):
    status = Replay(recorded[0]).status()
    assert status.inventory is None and status.action is None


def test_seeking_stays_in_the_episode(recorded):
    replay = Replay(recorded[0])
    replay.seek(-5)
    assert replay.index == 0
    replay.seek(STEPS + 5)
    assert replay.index == replay.last == STEPS
    replay.advance()
    assert replay.at_end


def test_achievements_are_announced_at_their_step(recorded):
    episode, steps = recorded
    replay = Replay(episode)
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
    assert Replay(episode).status().limits["health"] == 18


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ainventory_health": None, "reward": None}, "reward, ainventory_health"),
        ({"image": np.zeros((3, 8, 8, 1), np.uint8)}, "uint8 of shape"),
        ({"image": np.zeros((3, 8, 8, 3), np.float32)}, "not float32"),
        ({"action": np.array([0, 17, 3])}, "0 ... 16, not in 0 ... 17"),
    ],
)
def test_what_cannot_be_shown_is_refused(recorded, changes, message):
    episode = {**recorded[0], **changes}
    episode = {name: array for name, array in episode.items() if array is not None}
    with pytest.raises(ValueError, match=message):
        Replay(episode)

"""A recorded episode that is played back, without its window."""

import numpy as np
import pytest

import crafter
from crafter import constants
from crafter.games.crafter.app.adapter import App
from crafter.games.crafter.rules import default
from crafter.gui import replay
from crafter.gui.replay import Replay

STEPS = 60
GAME = App(default())


def record(folder, actions, daytime, **options):
    """Record a game; return its path, and what came at each step."""
    env = crafter.Env(area=(20, 20), seed=4, **options)
    env = crafter.Recorder(env, folder, save_video=False)
    observation, info = env.reset(options={"daytime": daytime})
    steps = [(observation, 0, 0.0, info, env.frame((180, 180)))]
    for action in actions:
        observation, reward, *_, info = env.step(action)
        frame = env.frame((180, 180))
        steps.append((observation, int(action), reward, info, frame))
        if env.unwrapped.player.health <= 2:
            break
    env.close()
    (path,) = folder.glob("*.npz")
    return path, steps


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The arrays of a recorded episode, and what came at each step."""
    actions = np.random.RandomState(2).choice([1, 2, 3, 4, 5, 5, 6], STEPS)
    folder = tmp_path_factory.mktemp("recorded")
    path, steps = record(folder, actions, "morning", length=STEPS)
    return crafter.load_episode(path), steps


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """A recording that reaches into the night, and the frame at each step."""
    actions = np.random.RandomState(3).choice([1, 2, 3, 4, 5], 230)
    path, steps = record(tmp_path_factory.mktemp("night"), actions, 60, length=None)
    return path, [step[-1] for step in steps]


def test_replay_shows_what_was_recorded(recorded):
    episode, steps = recorded
    shown = Replay(episode, GAME)
    total, unlocked = 0.0, {}
    for index, (image, action, reward, info, _) in enumerate(steps):
        total += reward
        unlocked |= dict.fromkeys(sorted(info["unlocked"]), index)
        status = shown.status()
        assert np.array_equal(shown.picture((600, 600)), image)
        assert (status.step, status.steps) == (index, STEPS)
        assert status.episode_return == pytest.approx(total)
        assert status.unlocked == unlocked
        assert status.inventory == info["inventory"]
        assert status.action == (constants.actions[action] if index else None)
        names = [GAME.title_of(name) for name in sorted(info["unlocked"])]
        assert sorted(shown.notices) == [f"Achievement: {name}" for name in names]
        shown.notices.clear()
        shown.seek(index + 1)
    assert unlocked, "the recording must hold an achievement"
    assert shown.at_end and shown.index == shown.last == STEPS
    shown.seek(STEPS + 5)
    assert shown.at_end
    shown.seek(-5)
    assert shown.index == 0
    episode = {name: array.copy() for name, array in recorded[0].items()}
    for name in episode:
        if name.startswith("ainventory_"):
            episode[name][0] = 0  # as the published recorder writes it
    shown = Replay(episode, GAME)
    status = shown.status()
    assert status.inventory is None and status.action is None and status.low == ()


# Played again.


def test_game_is_shown_at_any_size_and_in_any_order(night):
    path, frames = night
    shown = replay.load(path, App, default())
    last = len(frames) - 1
    assert last > 120 and shown.status().clock.part == "midday"
    for index in [0, 1, 5, last, 50, 51, 101, 100, 99, last - 1, 0]:
        shown.seek(index)
        assert np.array_equal(shown.picture((180, 180)), frames[index]), index
    assert shown.picture((5, 300)).shape == (300, 18, 3)
    assert shown.proportions == (9, 9)
    shown.seek(100)
    assert shown.status().clock.part == "night" and not shown.status().idle


def test_game_that_departs_from_its_recording_is_shown_as_recorded(night):
    path, frames = night
    episode = crafter.load_episode(path)
    episode["player_pos"][30] += 1
    env = App.resume(crafter.load_start(path), default())
    shown = Replay(episode, GAME, env)
    shown.seek(29)
    assert np.array_equal(shown.picture((180, 180)), frames[29])
    shown.notices.clear()
    shown.seek(40)
    assert shown.notices == [
        "Showing the recording from here on: "
        "the game diverges from the recording at step 30."
    ]
    assert np.array_equal(shown.picture((180, 180)), episode["image"][40])


@pytest.mark.parametrize(
    ("changes", "rules", "reason"),
    [
        ({}, {"damage": {"unarmed": 2}}, "rules"),
        ({"config_view": None}, {}, "its start lacks config_view"),
    ],
)
def test_start_that_does_not_fit_is_told(night, monkeypatch, changes, rules, reason):
    path, _ = night
    start = {**crafter.load_start(path), **changes}
    start = {name: array for name, array in start.items() if array is not None}
    monkeypatch.setattr(replay, "load_start", lambda path: start)
    shown = replay.load(path, App, default().changed(rules))
    (notice,) = shown.notices
    assert notice.startswith("Showing the recording: ") and reason in notice
    image = crafter.load_episode(path)["image"][0]
    assert np.array_equal(shown.picture((180, 180)), image)

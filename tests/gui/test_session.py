"""Sessions without their window."""

import numpy as np
import pytest
from windows import same_state

import crafter
from crafter.games.crafter import constants
from crafter.games.crafter.rules import default
from crafter.gui.session import Session

SMALL = {"area": (20, 20), "seed": 4}
LASTING = {"length": None, "items": {"health": {"max": 500, "initial": 500}}}


def start(death="reset", folder=None, **options):
    env = crafter.Env(**SMALL | options, events=True)
    session = Session(crafter.Recorder(env, folder, save_video=False), death=death)
    session.start()
    return session


def play(session, actions):
    for action in actions:
        session.advance(action)


def test_session_plays_the_same_game_as_a_loop_without_it():
    session, env = start(**LASTING), crafter.Env(**SMALL, **LASTING)
    env.reset()
    random = np.random.RandomState(0)
    for _ in range(250):  # into the night, when pictures show noise
        action = random.randint(17)
        session.advance(env.action_names[action])
        session.picture((180, 180))
        session.status()
        env.step(action)
    session.advance(None)
    env.step(0)
    assert same_state(session.env.get_state(), env.get_state())
    assert session.status().action == "noop"


def test_status_tells_what_the_game_holds():
    items = {"health": {"max": 3, "initial": 3}}
    session = start(length=500, items=items)
    session.advance("move_left")
    status = session.status()
    assert (status.step, status.steps, status.episode) == (1, 500, 1)
    assert status.action == "move_left" and not status.idle
    assert status.inventory == session.env.player.inventory
    limits = {"health": 3, "food": 9, "drink": 9, "energy": 9}
    assert list(status.limits.items()) == list(limits.items())
    assert constants.items["health"]["max"] == 9
    assert status.clock.daylight == session.env.daylight
    assert start(length=0).status().steps is None
    assert session.picture((5, 200)).shape == (200, 18, 3)  # two pixels a cell


def test_clock_follows_the_daytime_and_night_begins_where_pictures_get_noisy(tmp_path):
    env, session = crafter.Env(**SMALL), start()
    dusk = default().time["moments"]["dusk"]
    for daytime, part in [
        ("midnight", "deep night"),
        (dusk - 1, "evening"),
        (dusk, "night"),
    ]:
        env.reset(options={"daytime": daytime})
        np.savez(tmp_path / "game.npz", **env.get_state())
        session.load(tmp_path / "game.npz")
        assert session.status().clock[::2] == (1, part)
        assert bool(env.get_state()["noise"].size) == ("night" in part)


def test_continue_goes_on_and_says_so_once(capsys):
    session = start("continue", length=3)
    play(session, [None] * 8)  # also without a warning, which would be an error here
    assert capsys.readouterr().out.count("Episode done!") == 1
    assert session.status().step == 8
    assert not session.over and session.notices[-1] == "Time is up."


def test_return_adds_up_what_is_printed(capsys):
    session = start("quit", **LASTING | {"length": 200})
    while not session.over:
        session.advance("sleep")
    lines = capsys.readouterr().out.splitlines()
    rewards = [float(ln.split()[1]) for ln in lines if ln.startswith("Reward:")]
    assert rewards and 0.0 not in rewards
    assert lines[-1] == f"Return: {round(sum(rewards), 6)}"
    assert "Time step: 100" in lines and "Time step: 200" in lines


def test_loaded_game_goes_on_as_the_saved_one_did(tmp_path):
    session = start(**LASTING)
    random = np.random.RandomState(1)
    actions = [constants.actions[a] for a in random.randint(0, 17, 320)]
    play(session, actions[:200])  # at night
    session.save(tmp_path / "game.npz")
    saved_status, picture = session.status(), session.picture((180, 180))
    play(session, actions[200:])
    end, end_status = session.env.get_state(), session.status()

    session = start(seed=5, **LASTING)
    session.load(tmp_path / "game.npz")
    now = session.status()
    assert now.unlocked == saved_status.unlocked
    assert now.episode_return == saved_status.episode_return
    assert now.step == 200
    assert np.array_equal(session.picture((180, 180)), picture)
    play(session, actions[200:])
    assert same_state(end, session.env.get_state()) and session.status() == end_status


def test_refused_games_leave_the_running_one_and_its_recording(tmp_path):
    folder = tmp_path / "log"
    session = start(folder=folder)
    session.advance("sleep")
    (tmp_path / "text.npz").write_text("no game")
    np.savez(tmp_path / "other.npz", image=np.zeros(3))
    start(area=(30, 30)).save(tmp_path / "larger.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "larger.npz").read_bytes()[:3000])
    before, status = session.env.get_state(), session.status()
    for name, reason in [
        ("text.npz", "is not a saved game: it is not a zip file$"),
        ("cut.npz", "is not a saved game"),
        ("other.npz", "Expected a state"),
        ("larger.npz", "area"),
    ]:
        with pytest.raises(ValueError, match=reason):
            session.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        session.load(tmp_path / "missing.npz")
    assert same_state(before, session.env.get_state()) and session.status() == status
    session.advance("sleep")
    session.close()
    (path,) = folder.glob("*partial*.npz")
    assert len(crafter.load_episode(path)["action"]) == 3


def test_loading_ends_a_recording_and_starts_another(tmp_path):
    folder = tmp_path / "log"
    session = start(folder=folder)
    play(session, ["sleep"] * 5)
    session.save(tmp_path / "game.npz")
    play(session, ["noop"] * 2)
    session.load(tmp_path / "game.npz")
    play(session, ["do"] * 3)
    session.close()
    episodes = [crafter.load_episode(path) for path in folder.glob("*partial*.npz")]
    lengths = sorted(len(episode["action"]) - 1 for episode in episodes)
    assert lengths == [3, 7]
    assert (folder / "stats.jsonl").read_text() == ""

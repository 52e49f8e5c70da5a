"""The window for people, driven by key events."""

import contextlib
import importlib
import os
import pathlib
import random
import signal
import subprocess
import sys

import numpy as np
import pytest
import yaml
from budget import sample
from recorded import read_video, record
from windows import key_event, same_state

import crafter
from crafter import __main__ as command
from crafter import run_gui
from crafter.games.craftax.app import adapter as craftax_keys
from crafter.games.crafter import constants
from crafter.games.crafter.app import adapter as crafter_keys
from crafter.games.crafter.views import Textures
from crafter.gui import saves
from crafter.tasks.world import records

ROOT = pathlib.Path(run_gui.__file__).parent.parent
SMALL = ["--area", "24", "24", "--seed", "4"]
CRAFTAX = ["--game", "craftax", "--seed", "3"]
FAST = ["--fps", "60"]  # one step per tick, see App

# Crafter 1.8.3: the keys, as it prints them, and what it prints after them when PLAYED
# is pressed, one key a step.
GOLDEN = pathlib.Path(__file__).parent / "golden"
PROGRAMS = yaml.safe_load((GOLDEN / "programs.yaml").read_text("utf-8"))
KEYS, PRINTED = PROGRAMS["run_gui"].values()
SESSIONS = yaml.safe_load((GOLDEN / "window.yaml").read_text("utf-8"))
_random = random.Random(5)
PLAYED = [_random.choice([*"adws", "space", "tab", *["space"] * 2]) for _ in range(140)]


def send(monkeypatch, pygame, batches):
    """Let `pygame.event.get` return batches of events, one batch a call."""
    left = list(batches)

    def get():
        return left.pop(0) if left else []

    monkeypatch.setattr(pygame.event, "get", get)


def tap(pygame, key):
    """Return the events of a key that is pressed and released."""
    return [key_event(pygame, kind, key) for kind in ("KEYDOWN", "KEYUP")]


def run_program(*argv, **environment):
    """Start the program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "crafter.run_gui", *argv],
        cwd=ROOT,
        env={**os.environ, "SDL_VIDEODRIVER": "dummy", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_recording(folder, ffmpeg, pattern="*"):
    """Return the episode and the video frames of the one recording of a folder."""
    (episode,) = folder.glob(f"{pattern}.npz")
    (video,) = folder.glob(f"{pattern}.mp4")
    assert episode.stem == video.stem
    return crafter.load_episode(episode), read_video(ffmpeg, video)[1]


def pygame_quit(pygame):
    return [pygame.event.Event(pygame.QUIT)]


def broken(pygame):
    raise ZeroDivisionError


def lit(image, name):
    """Return how many pixels of an image have nearly a colour of the theme."""
    from crafter.gui import theme

    return (np.abs(image.astype(int) - getattr(theme, name)).max(-1) < 40).sum()


# Playing.


@pytest.mark.parametrize(
    ("argv", "actions"),
    [
        (SMALL, crafter_keys.KEYS),
        ([*CRAFTAX, "--god-mode"], craftax_keys.KEYS),
    ],
)
def test_every_key_plays_its_action(drive, argv, actions):
    driver = drive(*argv, *FAST, nonstop=False)  # the first one begins the game
    for key, action in actions.items():
        driver.press(key)
        assert driver.source.status().action == action
    assert driver.step == len(actions)


@pytest.mark.slow
def test_prints_what_the_published_program_printed(pygame, monkeypatch, capsys):
    pygame.display.init()
    send(monkeypatch, pygame, [tap(pygame, key) for key in PLAYED])
    options = "--seed 7 --length 140 --fps 10000 --death quit"
    run_gui.main(options.split())
    assert capsys.readouterr().out == KEYS + PRINTED


FACTS = {
    "step": lambda driver: driver.step,
    "action": lambda driver: driver.source.status().action,
    "idle": lambda driver: driver.source.idle,
    "episode": lambda driver: driver.env.episode,
    "rate": lambda driver: driver.app.rate,
    "running": lambda driver: driver.app.running,
    "paused": lambda driver: driver.app.paused,
    "dim": lambda driver: (  # beside what a page shows
        driver.picture()[:, :9].mean() < bare(driver)[:, :9].mean() / 2
    ),
    "verdict": lambda driver: driver.app.page().verdict,
    "bar": lambda driver: round(lit(driver.strip()[2], "DONE") / 10),
}


def bare(driver):
    return driver.env.frame((600, 600))


def page_text(driver):
    page = driver.app.page()
    rows = [f"{row.key}: {row.text}" for table in page.tables for row in table.rows]
    return "\n".join([page.title, *page.paragraphs, *rows, page.footer])


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["name"])
def test_sessions(drive, pygame, request, capsys, session):
    options = session["options"]
    if "{recording}" in options:
        options = options.format(recording=request.getfixturevalue("recording"))
    driver = drive(*options.split(), nonstop=session.get("nonstop", True))
    for turn in session["turns"]:
        facts = dict(turn)
        for key in facts.pop("tap", []):
            for event in tap(pygame, key):
                pygame.event.post(event)
        for way in ("down", "up"):
            for key in facts.pop(way, []):
                pygame.event.post(key_event(pygame, f"KEY{way.upper()}", key))
        if facts.pop("leave", False):
            pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        if amounts := facts.pop("inventory", {}):
            driver.env.player.inventory.update(amounts)
        for name, value in facts.pop("player", {}).items():
            setattr(driver.env.player, name, value)
        driver.press(*facts.pop("press", []))
        driver.tick(facts.pop("tick", 0))
        for action in facts.pop("plays", []):
            driver.tick()
            assert FACTS["action"](driver) == action
        assert facts.pop("prints", "") in capsys.readouterr().out
        for part in facts.pop("says", []):
            assert part in page_text(driver)
        assert {name: FACTS[name](driver) for name in facts} == facts


def test_places_of_keys_count_not_their_letters(drive, pygame):
    driver = drive(*SMALL, *FAST)
    french = {"z": "w", "q": "a", "s": "s", "d": "d", "w": "z", "a": "q"}
    played = []
    for letter, place in french.items():
        pygame.event.post(key_event(pygame, "KEYDOWN", letter, place))
        pygame.event.post(key_event(pygame, "KEYUP", letter, place))
        driver.tick()
        played.append(driver.source.status().action)
    assert played == ["move_up", "move_left", "move_down", "move_right", "noop", "noop"]


def test_options_reach_the_environment(drive):
    driver = drive(
        *("--area", "30", "20", "--view", "7", "9", "--length", "77"),
        *("--health", "5", "--seed", "12"),
    )
    env = driver.env
    assert (env.area, env.view, env.length) == ((30, 20), (7, 9), 77)
    assert (env.world_seed, env.player.health) == (12, 5)
    assert driver.source.status().limits["health"] == 5
    assert constants.items["health"] == {"max": 9, "initial": 9}
    assert env.size == (64, 64)  # part of the game at night, and what is recorded


# Commands.


@pytest.mark.parametrize(("fps", "ticks"), [(1, 30), (5, 6), (20, 2), (30, 1), (99, 1)])
def test_steps_come_at_their_rate_in_a_window_that_answers_faster(drive, fps, ticks):
    driver = drive(*SMALL, "--fps", str(fps))
    driver.press("a", ticks=4 * ticks - 1)
    assert driver.step == 3
    driver.press("a")
    assert (driver.step, driver.source.status().action) == (4, "move_left")


def test_f5_saves_and_f9_loads_or_says_why_not(drive, tmp_path, capsys):
    path = tmp_path / "game.npz"
    driver = drive(*SMALL, *FAST, "--save", str(path))
    driver.press("return")
    before = driver.strip()
    driver.press("f9")
    reason = f"Cannot load {path}: No such file or directory."
    assert reason in capsys.readouterr().out and driver.messages() == [reason]
    assert not np.array_equal(driver.strip(), before)
    path.write_text("no game")
    driver.press("f9")
    assert f"Cannot load {path}: it is not a saved game" in capsys.readouterr().out
    driver.press("return", *["d"] * 10, "return", "f5")
    env = crafter.Env(area=(24, 24), seed=4, length=None)
    env.set_state(driver.env.get_state())
    driver.press("return", *["a"] * 10)
    assert not same_state(driver.env.get_state(), env.get_state())
    driver.press("return", "f9")
    assert same_state(driver.env.get_state(), env.get_state())
    printed = capsys.readouterr().out
    assert f"Saved to {path}.\n" in printed and f"Loaded {path}.\n" in printed


def test_saved_game_can_be_loaded_before_the_beginning_and_after_the_end(
    drive, tmp_path
):
    options = [*SMALL, *FAST, "--length", "4", "--save", str(tmp_path / "game.npz")]
    first = drive(*options, nonstop=False)
    first.press("a", "f5")
    second = drive(*options, nonstop=False)
    for _ in range(2):
        second.press("f9")
        assert second.source.ending is None and second.step == 2
        second.tick(4)
        assert second.source.ending is not None


# What is shown.


@pytest.mark.parametrize("height", [60, 0])
def test_size_is_scaled_by_nearest_neighbour(drive, height):
    driver = drive(*SMALL, "--size", "90", str(height), "--window", "360", "240")
    frame = driver.env.frame((90, height or 240))
    times = 240 // frame.shape[0]
    assert np.array_equal(driver.picture(), frame.repeat(4, 1).repeat(times, 0))


def test_resized_window_is_filled_in_proportion(drive, pygame):
    driver = drive(*SMALL, "--size", "90", "90", "--window", "450", "450")
    width, height = pygame.display.get_window_size()
    pygame.display.set_mode((2 * width, 2 * height + 60), pygame.RESIZABLE)
    driver.tick()
    places = driver.app.screen.places
    assert places.picture == (0, 30, 900, 900)
    frame = driver.env.frame((90, 90))
    assert np.array_equal(
        driver.picture()[100:], frame.repeat(10, 0).repeat(10, 1)[100:]
    )


@pytest.mark.parametrize("argv", [SMALL, CRAFTAX])
def test_tiny_windows_still_draw(drive, pygame, argv):
    driver = drive(*argv, *FAST)
    for size in [(200, 100), (30, 20), (5, 700), (1, 1)]:
        pygame.display.set_mode(size, pygame.RESIZABLE)
        driver.press("f1", "f1", "f3", "f3", "return", "return")
        assert driver.app.running


def test_panel_ticks_what_is_done_and_marks_what_is_possible_now(drive):
    driver = drive(*SMALL, "--fps", "1")
    before = driver.panel()
    driver.source._unlocked["collect_wood"] = 0
    driver.app.draw()
    after = driver.panel()
    (top, _), (bottom, _) = np.argwhere((before != after).any(-1))[[0, -1]]
    # The count in the head line, and one line of the list in the first column.
    assert 270 <= top < 295 and bottom - top < 150
    assert lit(after[405:425, 10:30], "DONE") > 5
    assert lit(after[290:500, 150:], "READY") == 0
    driver.env.player.inventory["wood"] = 2
    driver.app.draw()
    assert driver.source.status().possible["place_table"] == "place_table"
    assert lit(driver.panel()[290:500, 150:], "READY") > 100


def test_panel_shows_vitals_and_night(drive, tmp_path):
    env = crafter.Env(area=(24, 24), length=None)
    env.reset(seed=4, options={"daytime": "midnight"})
    np.savez(tmp_path / "night.npz", **env.get_state())
    driver = drive(*SMALL, *FAST, "--save", str(tmp_path / "night.npz"))
    day = driver.panel()
    driver.env.player.inventory["health"] = 1
    driver.tick()
    after = driver.panel()
    assert not np.array_equal(day[180:215], after[180:215])  # bars
    assert not np.array_equal(day[120:140], after[120:140])  # step
    driver.press("f9")
    assert driver.panel()[44:94].mean() < day[44:94].mean() / 2


def test_notices_never_cover_the_picture(drive):
    driver = drive(*SMALL, "--fps", "1", "--window", "300", "300")
    before = driver.shown()
    driver.source.log("/a/very/long/path" * 10 + " and some words" * 10)
    driver.source.log("Short.")
    driver.press("return")
    changed = np.argwhere((driver.shown() != before).any(-1))
    x, y, width, height = driver.app.screen.places.strip
    on_panel = changed[changed[:, 0] < y]  # that it is paused
    assert (on_panel[:, 1] >= 300).all()
    below = changed[changed[:, 0] >= y]
    assert len(below) and x < below[:, 1].min() and below[:, 1].max() < x + width


def test_a_wound_shows_in_its_step(drive):
    driver = drive(*SMALL, *FAST)
    driver.press("a")
    calm = driver.picture()
    for wound, least, most in ((2, 41, 255), (0, 0, 0)):
        driver.env.player.inventory["health"] -= wound
        driver.source.version += 1
        driver.app.draw()
        rim = np.abs(driver.picture()[300, :4].astype(int) - calm[300, :4])
        assert least <= rim.max() <= most


def test_low_vitals_are_marked(drive):
    driver = drive(*SMALL, "--fps", "1")
    assert lit(driver.panel()[215:245], "ALERT") == 0
    driver.env.player.inventory["drink"] = 3
    driver.app.draw()
    assert lit(driver.panel()[215:245], "ALERT") > 100
    edge = driver.picture()[:, :3]
    assert lit(edge, "ALERT") == 0
    driver.env.player.inventory["health"] = 3
    driver.app.draw()
    assert lit(driver.picture()[:, :3], "ALERT") == edge.shape[0] * 3


def test_sleep_is_written_large_and_presses_are_not_kept(drive):
    driver = drive(*SMALL, *FAST)
    driver.env.player.inventory["energy"] = 8
    driver.press("tab")
    changed = np.argwhere((driver.picture() != bare(driver)).any(-1))
    assert np.ptp(changed[:, 0]) > 60 and np.ptp(changed[:, 1]) > 120
    for _ in range(100):
        if not driver.source.idle:
            break
        driver.press("d")
    assert not driver.source.idle
    driver.tick()
    assert driver.source.status().action == "noop"


# Views and sizes.


@pytest.mark.parametrize("view", [(21, 17), (17, 21), (9, 7), (30, 9), (40, 40)])
def test_cells_are_square_unless_a_size_is_asked_for(drive, view):
    options = [*SMALL, *FAST, "--view", *map(str, view)]
    driver = drive(*options)
    driver.press("d")
    height, width, _ = driver.picture().shape
    assert max(width, height) == 600
    assert width // view[0] == height // view[1]
    if view == (40, 40):
        assert driver.env.size == (280, 280)
    driver = drive(*options, "--window", "420", "680")
    assert driver.picture().shape == (680, 420, 3)


def test_videos_of_other_views_are_not_squashed(drive, ffmpeg, tmp_path):
    driver = drive(*SMALL, "--view", "21", "17", "--record", str(tmp_path))
    assert driver.source.env.video_size == (512, 414)


def test_icon_is_our_own(drive, pygame, monkeypatch):
    icons = []
    monkeypatch.setattr(pygame.display, "set_icon", icons.append)
    drive(*SMALL)
    (icon,) = icons
    pixels = pygame.surfarray.array3d(icon)
    player = Textures().get("player-down", (64, 64))
    solid = (player[..., 3] == 255).T
    expected = player[..., :3].swapaxes(0, 1)[solid]
    assert np.array_equal(pixels[solid], expected)


# Recording.


def test_whole_program_records_and_ends_by_itself(ffmpeg, pygame, tmp_path):
    program = run_program(
        *("--length", "50", "--death", "quit", "--record", str(tmp_path)),
        *("--fps", "1000", "--seed", "1", "--nonstop"),
    )
    out, err = program.communicate(timeout=120)
    assert program.returncode == 0, err
    assert out.startswith(KEYS + "Diamonds exist: ")
    assert "Episode done!\nDuration: 50\n" in out
    episode, frames = read_recording(tmp_path, ffmpeg)
    assert episode["image"].shape == (51, 64, 64, 3)
    assert list(np.flatnonzero(episode["done"])) == [50]
    assert frames.shape == (51, 512, 512, 3)
    env = crafter.Env(seed=1)
    env.reset()
    # H.264 loses detail.
    difference = frames[0].astype(int) - env.frame((512, 512))
    assert abs(difference).mean() < 8
    assert len((tmp_path / "stats.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("end", [pygame_quit, broken])
def test_closing_the_window_and_errors_keep_the_recording(
    ffmpeg, pygame, monkeypatch, tmp_path, end
):
    pygame.display.init()
    batches = iter([tap(pygame, "d") for _ in range(12)])
    monkeypatch.setattr(pygame.event, "get", lambda: next(batches, None) or end(pygame))
    with contextlib.suppress(ZeroDivisionError):
        run_gui.main([*SMALL, *FAST, "--record", str(tmp_path)])
    episode, frames = read_recording(tmp_path, ffmpeg, "*-partial-*")
    assert len(frames) == len(episode["action"]) == 13
    assert list(episode["action"]) == [0] + [2] * 12
    assert (tmp_path / "stats.jsonl").read_text() == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", sample(["SIGINT", "SIGTERM", "SIGHUP"]))
def test_signals_keep_recording_and_game(control_c, ffmpeg, pygame, tmp_path, name):
    options = ["--fps", "100", "--nonstop", "--record", str(tmp_path)]
    program = run_program(*SMALL, *options)
    for line in program.stdout:
        if line.startswith("Time step: 100"):
            break
    program.send_signal(getattr(signal, name))
    out, err = program.communicate(timeout=120)
    assert program.returncode == 0, err
    (save,) = saves.kept()
    assert save.step >= 100 and out.endswith(f"{save.path}\nInterrupted.\n")
    episode, frames = read_recording(tmp_path, ffmpeg, "*-partial-*")
    assert len(frames) == len(episode["action"]) > 100


# Replaying.


@pytest.fixture
def recording(tmp_path):
    """The path of a recorded episode of 100 steps."""
    env = crafter.Env(area=(24, 24), seed=4, length=100)
    return str(record(env, tmp_path / "recorded", [6] * 100)[0])


@pytest.mark.parametrize(
    ("argv", "size"),
    [(["--seed", "3", "--health", "5"], (600, 600)), (CRAFTAX, (528, 624))],
)
def test_what_the_app_records_it_plays_again(drive, ffmpeg, tmp_path, argv, size):
    first = drive(*argv, *FAST, "--record", str(tmp_path))
    pictures = [first.env.frame(size)]
    for key in ("d", "space", "t", "r", "s"):
        first.press(key)
        pictures.append(first.env.frame(size))
    limits = first.source.status().limits
    first.source.close()
    (path,) = tmp_path.glob("*.npz")
    second = drive("--replay", str(path), *FAST)
    for picture in pictures:
        assert np.array_equal(second.source.picture(size), picture)
        assert second.source.status().limits == limits
        second.tick()


# What is refused.


def test_missing_pygame_is_told_with_the_command_that_brings_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(SystemExit) as error:
        run_gui.main(SMALL)
    (line,) = capsys.readouterr().err.splitlines()
    assert error.value.code == 2 and "pip install 'crafter[gui]'" in line


@pytest.mark.parametrize(
    ("words", "module", "given"),
    [
        ([], "run_gui", []),
        (["--seed", "3"], "run_gui", ["--seed", "3"]),
        (["replay", "x.npz", "--fps", "9"], "run_gui", ["--replay", "x.npz"]),
        (["record", "logs"], "run_gui", ["--record", "logs"]),
        (["tasks", "list"], "tasks.cli", ["list"]),
        (["lm", "rules"], "lm.cli", ["rules"]),
    ],
)
def test_one_command_runs_the_others(monkeypatch, words, module, given):
    called = []
    program = importlib.import_module(f"crafter.{module}")
    monkeypatch.setattr(program, "main", lambda given: called.extend(given))
    assert command.main(words) == 0
    assert called[: len(given)] == given


@pytest.mark.parametrize("words", [["record"], ["replay", "--fps", "3"]])
def test_commands_say_what_has_to_follow_them(words, capsys):
    assert command.main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"crafter {words[0]}: error: it needs ")
    with pytest.raises(SystemExit) as ended:
        command.main([words[0], "--help"])
    assert ended.value.code == 0


def test_unknown_commands_are_refused_in_one_line(capsys):
    assert command.main(["replya", "x"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "did you mean replay?" in line
    assert command.main(["--version"]) == 0
    assert capsys.readouterr().out == f"{crafter.__version__}\n"


def test_windows_are_no_larger_than_the_desktop(drive, pygame, monkeypatch):
    from crafter.gui import screen

    monkeypatch.setattr(screen, "INVISIBLE", ())
    drive(*SMALL, "--window", "6000", "4000")
    size, desktop = pygame.display.get_window_size(), (1024, 768)
    assert size[0] <= desktop[0] and size[1] <= desktop[1] and max(size) > 700


def test_nothing_is_drawn_while_nothing_changes(drive, monkeypatch):
    driver = drive(*SMALL, *FAST)
    driver.press("return")  # paused
    drawn = []
    monkeypatch.setattr(driver.app.screen, "draw", lambda *parts: drawn.append(parts))
    driver.tick(20)
    assert not drawn
    driver.press("d")
    hud = drawn[-1][1]
    assert hud.notices[-1] == "Paused. Enter: resume"


def test_a_death_without_a_page_is_still_told(drive):
    driver = drive(*SMALL, *FAST)
    driver.env.player.inventory.update(health=1, food=0, drink=0, energy=0)
    driver.env.player.recover = -15
    driver.tick(2)
    assert any("fatigue killed you." in text for text in driver.messages())


def test_replays_end_and_their_timeline_can_be_clicked(drive, recording, monkeypatch):
    driver = drive("--replay", recording, *FAST)
    written = []
    write = "crafter.gui.canvas.Canvas.write_clearly"
    monkeypatch.setattr(write, lambda canvas, text, *rest: written.append(text))
    driver.press("end")
    driver.env.player.sleeping = True
    driver.app.draw()
    assert "Asleep" in written and not any("Keys" in text for text in written)
    assert driver.app._pause_text() == "The end. Left: back, Space: from the beginning"
    x, y, width, _ = driver.app.screen.places.strip
    driver.click((x + width // 4, y + 3))
    assert driver.step == 25 and driver.app.paused
    assert "floor" not in page_text_of_help(driver)


def page_text_of_help(driver):
    driver.press("h")
    return page_text(driver)


def test_help_needs_no_pygame(tmp_path):
    (tmp_path / "pygame.py").write_text("raise ImportError('hidden by a test')")
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    program = run_program("--help", PYTHONPATH=paths)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 0, err
    for flag in vars(run_gui.make_parser().parse_args([])):
        assert f"--{flag.replace('_', '-')}" in out


def test_defaults_are_those_of_the_published_program():
    args = run_gui.read_arguments(run_gui.make_parser(), [])
    published = {"area": (64, 64), "view": (9, 9), "size": (0, 0), "fps": 5}
    published |= {"wait": False, "death": "reset"}
    # The rules say the health, 9; the window has 600 x 600.
    published |= dict.fromkeys(("seed", "length", "health", "window", "record"))
    assert published.items() <= vars(args).items()


def test_window_that_nobody_sees_is_refused(pygame, monkeypatch):
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    with pytest.raises(SystemExit, match="there is no display"):
        run_gui.main(SMALL)


def test_an_agent_plays_until_a_key_takes_over(drive, capsys):
    app = drive("--agent", "crafter/ppo-gru", "--seed", "1")
    pilot = app.source.pilot
    app.tick(40)
    assert app.step >= 5 and app.source.status().chances == pilot.chances
    played = app.source.status().action
    assert played in dict(pilot.chances)
    app.press("f11")
    assert not pilot.on
    memory = pilot._memory.copy()
    app.tick(12)
    assert app.source.status().action in ("noop", "sleep")
    assert (pilot._memory != memory).any()  # it watches
    app.press("f11")
    assert pilot.on


def test_an_agent_attempts_a_task(drive, tmp_path):
    words = ["--agent", "crafter/bc-sentence", "--task", "collect_wood", "--seed", "3"]
    app = drive(*words, "--record", str(tmp_path))
    app.tick(40)
    assert app.source.status().task.text == "Collect wood."
    app.source.close()
    attempts = sorted(tmp_path.glob("attempts/*.gz"))
    assert attempts and records.read(attempts[0]).header.agent == "crafter/bc-sentence"

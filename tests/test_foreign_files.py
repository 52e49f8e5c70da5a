"""Whatever is read from outside gives a sound result, or the documented error.

`--hypothesis-profile long` tries thousands of inputs for each test.
"""

import contextlib
import functools
import json
import tempfile
import warnings
from pathlib import Path

import gymnasium
import hostile
import numpy as np
import pytest
from helpers import carry_out
from hypothesis import given, settings
from hypothesis import strategies as st
from lm_helpers import ReplayAgent, run

import crafter
from crafter import scoring
from crafter.core import npz
from crafter.core.reset_options import OptionsError
from crafter.core.state_io import StateError
from crafter.games import craftax
from crafter.lm.runs import logs
from crafter.lm.runs.protocols import protocol

# NumPy warns of damaged numbers that it compares or casts; Hypothesis warns, once, of
# strategies whose repr is long, as that of a whole game is.
pytestmark = pytest.mark.filterwarnings(
    "ignore::RuntimeWarning", "ignore:Generating overly large repr"
)

MORE = settings(max_examples=4 * settings.default.max_examples)


def write(folder, name, content):
    path = Path(folder) / name
    path.write_bytes(content)
    return path


# Recorded episodes and saved games.


@pytest.fixture(scope="module")
def episode(tmp_path_factory):
    """The content of a recorded episode."""
    folder = tmp_path_factory.mktemp("episode")
    env = crafter.Env(area=(12, 10), size=(18, 18), length=6, seed=0)
    with crafter.EpisodeRecorder(env, folder) as recorder:
        recorder.reset()
        carry_out(recorder, range(6))
    return next(folder.glob("*.npz")).read_bytes()


@MORE
@given(st.data())
def test_recorded_episodes(episode, data):
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "x.npz", data.draw(hostile.damaged_npz(episode)))
        for load, check in (
            (crafter.load_episode, assert_sound_episode),
            (crafter.load_start, assert_arrays),
        ):
            try:
                check(load(path))
            except ValueError as error:
                assert repr(str(path)) in str(error)


def assert_sound_episode(episode):
    assert_arrays(episode)
    assert len({len(array) for array in episode.values()}) == 1
    assert episode["done"].dtype == bool


def assert_arrays(found):
    assert all(isinstance(array, np.ndarray) for array in found.values())
    assert not any(array.dtype.hasobject for array in found.values())


@pytest.fixture(scope="module")
def save(tmp_path_factory):
    """A game, and the content of the file in which it is saved."""
    path = tmp_path_factory.mktemp("save") / "x.npz"
    env = crafter.Env(area=(12, 10), size=(18, 18), seed=0)
    env.reset()
    np.savez_compressed(path, **env.get_state())
    return env, path.read_bytes()


@MORE
@given(st.data(), st.integers(0, 16))
def test_saved_games(save, data, action):
    env, whole = save
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "x.npz", data.draw(hostile.damaged_npz(whole)))
        try:
            env.set_state(npz.read(path))
        except ValueError as error:
            assert len(str(error)) < 3000
        else:
            carry_out(env, [action])


# States and options of Craftax; those of Crafter are in the tests of its room.

ERRORS = (StateError, OptionsError, gymnasium.error.Error)
SIZE = 16


@pytest.fixture(scope="module")
def cave():
    env = craftax.Env(map_size=SIZE)
    env.reset(seed=5)
    return env


@pytest.fixture(scope="module")
def moments(cave):
    """States at day and at night."""
    found = []
    for daytime in ("morning", "midnight"):
        cave.reset(seed=len(found), options={"daytime": daytime})
        found.append(cave.get_state())
        carry_out(cave, np.random.default_rng(0).integers(43, size=25).tolist())
        found.append(cave.get_state())
    return found


def assert_refused_or_playable(env, home, start, actions):
    env.set_state(home)
    try:
        start()
    except ERRORS as error:
        assert len(str(error)) < 4000
        np.testing.assert_equal(env.get_state(), home, "a refusal changed the game")
        return
    carry_out(env, actions)
    state = env.get_state()
    env.set_state(state)
    np.testing.assert_equal(env.get_state(), state, "resuming changed the game")


@MORE
@given(st.data(), st.lists(st.integers(0, 42), min_size=12, max_size=12))
def test_states_of_craftax(cave, moments, data, actions):
    state = data.draw(hostile.damaged_state(moments))
    start = functools.partial(cave.set_state, state)
    assert_refused_or_playable(cave, moments[0], start, actions)


@pytest.fixture(scope="module")
def usual(cave, moments):
    """Valid options."""
    rows = [["_"] * SIZE for _ in range(SIZE)]
    for row, col, symbol in [(1, 2, ">"), (3, 4, "<"), (5, 5, "*"), (9, 9, "~")]:
        rows[row][col] = symbol
    return {
        "state": moments[1],
        "episode": 3,
        "daytime": "midnight",
        "floor": 2,
        "position": (3, 5),
        "facing": "left",
        "inventory": {"wood": 9, "pickaxe": 2, "health": 4.5, "strength": 3},
        "spells": ["iceball"],
        "floors": {2: ["".join(row) for row in rows]},
        "creatures": [("knight", (2, 3)), ("bat", (4, 4))],
    }


@MORE
@given(st.data(), st.none() | st.just(3) | hostile.ODD, st.integers(0, 2))
def test_options_of_craftax(cave, moments, usual, data, seed, changes):
    names = st.lists(st.sampled_from(list(usual)), min_size=1, max_size=3)
    options = {name: usual[name] for name in data.draw(names)}
    for _ in range(changes):
        options = data.draw(hostile.mutated(options))
    start = functools.partial(cave.reset, seed=seed, options=options)
    assert_refused_or_playable(cave, moments[0], start, [0, 1, 5, 6, 7])


# Results.


@pytest.fixture(scope="module")
def lines():
    counts = {f"achievement_{name}": 1 for name in crafter.constants.achievements}
    rows = [{"length": 50 + i, "reward": 1.5, **counts} for i in range(4)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def assert_readable_scores(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            runs = scoring.load_runs([path], 210)
        except scoring.RunError:
            return
    assert all(np.isfinite(scoring.run_score(run)) for run in runs)


@MORE
@given(st.data())
def test_logs_and_files_of_scores(lines, data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "crafter_reward-x", "0", "stats.jsonl")
        path.parent.mkdir(parents=True)
        path.write_bytes(lines)
        scores = Path(folder, "crafter_reward-x.json")
        scoring.write_scores(scores, scoring.load_runs([path], 210))
        whole = json.loads(scores.read_text())
        path.write_bytes(data.draw(hostile.damaged_lines(lines)))
        assert_readable_scores(path)
        changed = json.dumps(data.draw(hostile.mutated(whole)), default=repr).encode()
        scores.write_bytes(data.draw(st.just(changed) | hostile.damaged_bytes(changed)))
        assert_readable_scores(scores)


@pytest.fixture(scope="module")
def packed_run(tmp_path_factory):
    """The content of a packed run."""
    folder = tmp_path_factory.mktemp("packed")
    said = ["left x3", "jump", "do", '{"action": "up"}', "sleep until awake"]
    made = protocol("crafter-lm-v1", rollouts=1, interface={"max_calls": len(said)})
    run(made, lambda: ReplayAgent(said), folder)
    logs.pack(folder, folder / "run.jsonl.gz")
    return (folder / "run.jsonl.gz").read_bytes()


@MORE
@given(st.data())
def test_packed_runs(packed_run, data):
    with tempfile.TemporaryDirectory() as folder:
        content = data.draw(hostile.damaged_bytes(packed_run))
        path = write(folder, "x.jsonl.gz", content)
        with contextlib.suppress(ValueError):
            header, rollout = logs.read_run(path)
            assert isinstance(header, dict)
            rollout(0)

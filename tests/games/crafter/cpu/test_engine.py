"""Batched engine internals: world generation, growth, threads, memory, buffers."""

import copy
import os
import subprocess
import sys
import types

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same, assert_same_games, interrupt, make_pair, play_both
from budget import sample

from crafter import constants
from crafter.compiled import work_queue
from crafter.compiled.jit import compiled
from crafter.compiled.memory import record
from crafter.core import clock
from crafter.games.crafter import layout
from crafter.games.crafter.cpu import capacity, world
from crafter.games.crafter.cpu.engine import Engine
from crafter.games.crafter.cpu.step import daylight
from crafter.games.crafter.tables import chunk_grid


def make(num_envs=3, **kwargs):
    return gymnasium.make_vec("CrafterReward-v1", num_envs=num_envs, **kwargs)


def room(batch):
    return batch._engine.games.dtype["object_kind"].shape[0]


@pytest.mark.parametrize("area", [(64, 64), (13, 25), (24, 35), (5, 36)])
def test_cells_are_in_the_chunks_of_the_single_game(area):
    grid, game = chunk_grid(area), types.SimpleNamespace(materials=np.zeros(area))
    for cell in np.ndindex(area):
        number = grid.number(*cell)
        assert world.chunk_number.py_func(game, *cell) == number
        assert world.chunk_corner.py_func(game, number) == grid.corner(number)


# Worlds that the compiled generator cannot make.


@pytest.mark.slow
def test_worlds_with_close_comparisons_come_from_the_reference(monkeypatch):
    play, taken = Engine._play, []

    def play_unsurely(engine, order, resets, actions):
        play(engine, order, resets, actions)
        unsure = order[:resets][order[:resets] % 2 == 1]
        engine.games["materials"][unsure] = 0
        engine.games["object_count"][unsure] = 5
        engine.results["status"][unsure] = work_queue.FAILED
        taken.extend(unsure.tolist())
        return True

    monkeypatch.setattr(Engine, "_play", play_unsurely)
    batch, loop = make_pair(5, "SameStep", length=20)
    assert_same(batch.reset(seed=0), loop.reset(seed=0))
    play_both(batch, loop, 50)
    assert sorted(taken) == [1, 1, 1, 3, 3, 3]
    assert_same_games(batch, loop)


@pytest.mark.slow
def test_generated_worlds_get_the_room_they_need(monkeypatch):
    play = Engine._play

    def play_with_room(engine, order, resets, actions):
        games, begun = engine.games, order[:resets]
        if games.dtype["object_kind"].shape[0] > 16:
            return play(engine, order, resets, actions)
        games["episode"][begun] += 1  # as the generator before it notices
        games["object_count"][begun] = games.dtype["object_kind"].shape[0]
        engine.results["status"][begun] = work_queue.FAILED
        return True

    monkeypatch.setattr(Engine, "_play", play_with_room)
    monkeypatch.setattr(capacity, "default_max_objects", lambda area: 16)
    batch, loop = make_pair(3)
    assert_same(batch.reset(seed=0), loop.reset(seed=0))
    assert room(batch) > 16
    play_both(batch, loop, 20)
    assert_same_games(batch, loop)


@pytest.mark.slow
def test_a_crowd_that_outgrows_its_room():
    grass, path = 2, 4
    ground = np.full((64, 64), grass)
    ground[:, :20] = path
    skeletons = [("skeleton", (x, y)) for x in range(0, 64, 3) for y in range(0, 18, 3)]
    plants = [("plant", (x, y)) for x in range(0, 64, 3) for y in range(26, 60, 3)]
    start = {
        "map": ground,
        "objects": skeletons + plants[: 390 - len(skeletons)],
        "position": (31, 22),
        "inventory": {"sapling": 9},
    }
    batch, loop = make_pair(3, observation="compact")
    arguments = {"seed": 0, "options": start}
    assert_same(batch.reset(**arguments), loop.reset(**arguments))
    assert room(batch) == 512
    play_both(batch, loop, 60)
    assert room(batch) == 1024
    assert_same_games(batch, loop)


def test_a_crowd_that_outgrows_its_room_in_a_sleep():
    ground = np.full((64, 64), 2)
    ground[31:34, 31:34], ground[32, 32] = 3, 2
    cells = [(x, y) for x in range(0, 64, 2) for y in range(0, 64, 2)]
    plants = [("plant", cell) for cell in cells if cell != (32, 32)]
    start = {"map": ground, "objects": plants[:402], "inventory": {"energy": 3}}
    batch, loop = make_pair(3, observation="compact", setup={"collapse": True})
    arguments = {"seed": 0, "options": start}
    assert_same(batch.reset(**arguments), loop.reset(**arguments))
    play_both(batch, loop, 1, lambda: np.full(3, constants.actions.index("sleep")))
    assert room(batch) == 1024
    assert_same_games(batch, loop)


@pytest.mark.slow
def test_a_state_with_many_objects_gets_room():
    cells = [(x, y) for x in range(0, 64, 2) for y in range(0, 64, 2)]
    plants = [("plant", cell) for cell in cells if cell != (32, 32)]
    options = {"map": np.full((64, 64), 2), "objects": plants}
    batch, loop = make_pair(2, observation="compact")
    before = batch.reset(seed=4)[0]
    loop.reset(seed=0, options=options)
    batch.set_state([loop.envs[0].unwrapped.get_state()], [1])
    assert room(batch) == 1024
    assert_same(batch.latest_observations()[0], before[0])
    assert_same(batch.get_state([1])[0], loop.envs[0].unwrapped.get_state())


def crowded(objects, skeletons, room):
    games = np.zeros(1, layout.dtype((64, 64), room))
    games["object_count"] = objects
    games["object_kind"][0, :skeletons] = 14
    return bool(capacity.is_crowded.py_func(games.view(np.recarray)[0]))


def test_the_room_that_a_step_needs(monkeypatch):
    monkeypatch.setattr(capacity.t, "SKELETON", 14)
    spawns = 3 * 36  # kinds and chunks
    assert not crowded(100, 0, room=100 + 0 + 1 + spawns)
    assert crowded(100, 1, room=100 + 0 + 1 + spawns)
    assert not crowded(100, 7, room=100 + 7 + 1 + spawns)
    assert crowded(101, 7, room=100 + 7 + 1 + spawns)


# Parts.


@compiled
def brightness(steps, tables, out):
    """Computes the brightness of steps."""
    for i in range(len(steps)):
        out[i] = daylight(steps[i], tables[0])


@pytest.mark.parametrize("time", [{"day": 300, "start": 0.3}, {"day": 37, "start": 2}])
def test_daylight_is_that_of_single_steps(time):
    random = np.random.default_rng(0)
    steps = np.concatenate([np.arange(20_000), random.integers(0, 2**53, 20_000)])
    found = np.zeros(len(steps))
    light = [clock.daylight(step, time) for step in range(100)]
    day, start = float(time["day"]), float(time["start"])
    tables = record(light=light, day=day, day_start=start)
    brightness(steps, tables, found)
    assert found.tolist() == [clock.daylight(step, time) for step in steps.tolist()]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_has_threads_of_its_own():
    code = """
import os, gymnasium, crafter
envs = gymnasium.make_vec("CrafterReward-v1", num_envs=300, threads=2)
envs.reset(seed=0)
envs.step([0] * 300)
if os.fork() == 0:
    envs.step([1] * 300)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.stdout == "7\n", result.stderr


# Buffers.


@pytest.mark.parametrize("observation", sample(["pixels", "semantic", "compact"], 2))
def test_one_buffer_without_copies(observation):
    batch = make(observation=observation, copy=False)
    twin = make(observation=observation)
    first, _ = batch.reset(seed=0)
    copied, _ = twin.reset(seed=0)
    kept = copy.deepcopy(copied)
    assert_same(first, copied)
    if observation != "semantic":  # other libraries take it without a copy, too
        shared = np.from_dlpack(first)
        assert np.shares_memory(shared, first)
    second = batch.step([1, 2, 3])[0]
    assert second is first
    assert_same(first, twin.step([1, 2, 3])[0])
    assert_same(copied, kept)  # by default they would be overwritten


# Infos.


def test_infos_are_made_on_demand():
    batch = make(autoreset_mode="SameStep", length=2)
    assert batch.reset(seed=0)[1] == {}
    assert batch.step([0, 0, 0])[4] == {}
    infos = batch.step([0, 0, 0])[4]
    assert set(infos) == {"final_obs", "_final_obs", "final_info", "_final_info"}
    assert infos["final_info"] == {}
    infos = make(info_keys=["inventory", "dead"]).reset(seed=0)[1]
    assert set(infos) == {"inventory", "_inventory", "dead", "_dead"}
    assert infos["inventory"]["health"].tolist() == [9, 9, 9]


# Rendering.


def test_render_gives_a_picture_for_each():
    batch = make(5, render_mode="rgb_array")
    obs, _ = batch.reset(seed=0)
    assert_same(batch.render(), tuple(obs))
    batch = make(2, observation="compact", render_mode="rgb_array", render_size=90)
    batch.reset(seed=0)
    before = batch.get_state()
    frames = batch.render()
    assert [frame.shape for frame in frames] == [(90, 90, 3)] * 2
    assert_same(frames[1], batch.call("frame", (90, 90))[1])
    assert_same(batch.get_state(), before)


# Ctrl-C.


@pytest.mark.parametrize("mode", sample(["SameStep", "NextStep", "Disabled"]))
@pytest.mark.parametrize("threads", sample([2, 1]))
@pytest.mark.parametrize("moment", sample(["step", "_play"]))
def test_control_c_comes_after_the_step(monkeypatch, control_c, mode, threads, moment):
    options = {"autoreset_mode": mode, "length": 4, "threads": threads}
    batch, twin = make(64, **options), make(64, **options)
    batch.reset(seed=0), twin.reset(seed=0)
    raised = 0
    for number in range(9):
        actions = np.full(64, number)
        interrupt(monkeypatch, batch._engine, moment)
        try:
            batch.step(actions)
        except KeyboardInterrupt:
            raised += 1
        monkeypatch.undo()
        *_, over, _ = twin.step(actions)
        if mode == "Disabled" and over.any():
            over = {"reset_mask": over}
            interrupt(monkeypatch, batch._engine, moment)
            with pytest.raises(KeyboardInterrupt):
                batch.reset(options=over)
            monkeypatch.undo()
            twin.reset(options=over)
        assert batch.get_attr("step_count") == twin.get_attr("step_count")
        assert_same(batch.latest_observations(), twin.latest_observations())
    assert raised > 0
    assert_same(batch.get_state(), twin.get_state())


# Gymnasium's registry.


def test_made_from_its_spec():
    batch = make(3, observation="compact", length=7)
    twin = gymnasium.make_vec(batch.spec)
    assert_same(twin.reset(seed=5)[0], batch.reset(seed=5)[0])
    assert twin.num_envs == 3 and twin.length == 7


# Compiling.

FIRST = """
import gymnasium, crafter
envs = gymnasium.make_vec("CrafterReward-v1", num_envs=2, observation="compact")
envs.reset(seed=0)
envs.step([0, 0])
"""


@pytest.mark.slow
def test_the_first_use_says_that_it_compiles(tmp_path):
    def start():
        env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", FIRST]
        return subprocess.run(command, capture_output=True, text=True, env=env)

    first, second = start(), start()
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr.count("crafter: compiling the batched engine") == 1
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")


MIXED = """
import sys
import gymnasium, crafter
for side in map(int, sys.argv[1:]):
    kwargs = {"area": (side, side), "observation": "compact"}
    envs = gymnasium.make_vec("CrafterReward-v1", num_envs=2, threads=1, **kwargs)
    envs.reset(seed=0)
    env = crafter.Env(**kwargs)
    env.reset(seed=1)
    for action in [1, 5, 2, 5, 3, 5, 4, 5] * 5:
        obs = envs.step([0, action])[0]
        assert (obs[1] == env.step(action)[0]).all(), side
"""


@pytest.mark.slow
def test_layouts_that_were_compiled_apart_do_not_mix(tmp_path):
    # Names of compiled functions must differ between processes, or one layout runs
    # the code of the other.
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for sides in (["24"], ["30"], ["24", "30"], ["30", "24"]):
        command = [sys.executable, "-c", MIXED, *sides]
        result = subprocess.run(command, capture_output=True, text=True, env=env)
        assert (result.returncode, result.stdout) == (0, ""), (sides, result.stderr)

"""Compiled JAX programs step the batched engine, with the same results as Gymnasium."""

import gc
import threading

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")
pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
from batches import assert_same
from gymnasium.error import ClosedEnvironmentError, InvalidAction

KINDS = ("pixels", "compact", "symbolic", "semantic")
COUNT, STEPS = 4, 30
KEYS = ["sleeping", "inventory", "daylight", "player_pos"]


def make(kind="compact", mode="NextStep", **kwargs):
    options = {"length": 12, "info_keys": KEYS, "threads": 2, **kwargs}
    return gymnasium.make_vec(
        "CrafterReward-v1",
        num_envs=COUNT,
        observation=kind,
        autoreset_mode=mode,
        **options,
    )


def scanned(step):
    """Returns a compiled program that plays rows of actions and returns all results."""

    def run(handle, actions):
        return jax.lax.scan(step, handle, actions)

    return jax.jit(run)


def all_actions(seed=0, steps=STEPS):
    return np.random.RandomState(seed).randint(0, 17, (steps, COUNT))


def expected_infos(infos, over, names, mode):
    """Returns the infos that a program gets, from Gymnasium's infos."""
    found = {name: infos[name] for name in names}
    if mode == "SameStep":
        empty = {name: zeros(infos[name]) for name in names}
        finals = infos.get("final_info", empty)
        found["final_info"] = {name: finals[name] for name in names}
        assert ("final_info" in infos) == over.any()
    return jax.tree.map(short, without_masks(found))


def without_masks(infos):
    return {
        name: without_masks(value) if isinstance(value, dict) else value
        for name, value in infos.items()
        if not name.startswith("_")
    }


def zeros(value):
    return jax.tree.map(np.zeros_like, value)


def short(array):
    names = {"int64": "int32", "float64": "float32"}
    return array.astype(names.get(array.dtype.name, array.dtype))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("kind", KINDS)
def test_programs_see_what_gymnasium_returns(kind, mode):
    envs, twin = make(kind, mode), make(kind, mode)
    handle, recv, _, step = envs.xla(final_obs=mode == "SameStep")
    envs.reset(seed=3)
    first, _ = twin.reset(seed=3)
    handle, (obs, *zeroes, _) = recv(handle)
    assert_same(jax.device_get(obs), first)
    assert not any(array.any() for array in zeroes)
    actions, ends = all_actions(), 0
    handle, results = scanned(step)(handle, actions)
    results = jax.device_get(results)
    for t, row in enumerate(actions):
        obs, rewards, terminated, truncated, infos = twin.step(row)
        found = jax.tree.map(lambda leaf: leaf[t], results)  # noqa: B023
        last = found[-1].pop("final_obs", None)
        over = terminated | truncated
        seen = expected_infos(infos, over, KEYS, mode)
        expected = (obs, rewards.astype(np.float32), terminated, truncated, seen)
        assert_same(found, expected, f"step {t}")
        for b in np.flatnonzero(over if mode == "SameStep" else []):
            row = jax.tree.map(lambda leaf: leaf[b], last)  # noqa: B023
            assert_same(row, infos["final_obs"][b], f"final observation {t}, {b}")
        ends += over.sum()
    assert ends >= 2 * COUNT
    # Both continue without JAX, with equal games and images.
    assert_same(envs.latest_observations(), twin.latest_observations())
    assert_same(envs.get_state(), twin.get_state())
    assert_same(envs.step(actions[0]), twin.step(actions[0]))


def test_pictures_of_the_night_are_drawn_again_with_their_noise():
    envs, twin = make("pixels"), make("pixels")
    for each in (envs, twin):
        each.reset(seed=0, options={"daytime": "midnight"})
    handle, _, _, step = envs.xla()
    actions = all_actions(steps=3)
    scanned(lambda handle, row: (step(handle, row)[0], None))(handle, actions)
    for row in actions:
        obs, *_ = twin.step(row)
    assert max(twin.get_attr("daylight")) < 0.1
    assert_same(envs.latest_observations(), obs)
    mask = {"reset_mask": np.arange(COUNT) == 1}  # the other images stay
    assert_same(envs.reset(options=mask), twin.reset(options=mask))
    assert_same(envs.get_state(), twin.get_state())


def test_sent_actions_are_played_once():
    envs, twin = make(), make()
    handle, recv, send, _ = envs.xla()
    for each in (envs, twin):
        each.reset(seed=1)
    actions = np.array([1, 2, 3, 4])
    expected = twin.step(actions)
    handle, (obs, *_) = recv(send(handle, actions))
    assert_same(jax.device_get(obs), expected[0])
    handle, (again, *_) = recv(handle)
    assert_same(jax.device_get(again), expected[0])
    assert envs.get_attr("step_count") == (1,) * COUNT


def test_two_handles_share_a_program_and_gone_games_are_noticed():
    both = [make(), make()]
    for seed, envs in enumerate(both):
        envs.reset(seed=10 * seed)
    functions = [envs.xla() for envs in both]
    run = scanned(functions[0][3])
    actions = all_actions(steps=5)
    for seed, (handle, *_) in enumerate(functions):
        _, results = run(handle, actions)
        twin = make()
        twin.reset(seed=10 * seed)
        for found, row in zip(jax.device_get(results[0]), actions):
            assert_same(found, twin.step(row)[0])
    handle = functions.pop()[0]
    gc.collect()
    with pytest.raises(jax.errors.JaxRuntimeError, match="is unknown in this process"):
        jax.block_until_ready(run(handle, actions))


def test_errors_in_programs_are_those_of_step_and_change_no_game():
    envs = make()
    handle, recv, _, step = envs.xla()
    actions = np.zeros(COUNT, np.int32)
    with pytest.raises(jax.errors.JaxRuntimeError, match="ResetNeeded.*call reset"):
        jax.block_until_ready(step(handle, actions))
    envs.reset(seed=0)
    before = envs.get_state()
    wrong = np.array([0, 1, 17, 2])
    with pytest.raises(jax.errors.JaxRuntimeError, match="got 17 for environment 2"):
        jax.block_until_ready(step(handle, wrong))
    assert_same(envs.get_state(), before)
    jax.block_until_ready(recv(handle))
    assert_same(envs.get_state(), before)
    envs.close()
    with pytest.raises(
        jax.errors.JaxRuntimeError, match=ClosedEnvironmentError.__name__
    ):
        jax.block_until_ready(recv(handle))


def test_what_does_not_fit_is_refused_before_a_program_runs():
    envs = make()
    handle, _, send, step = envs.xla()
    with pytest.raises(InvalidAction, match=r"shape \(4,\).* got float32"):
        step(handle, np.zeros(COUNT, np.float32))
    with pytest.raises(InvalidAction, match=r"got int32 of shape \(3,\)"):
        send(handle, np.zeros(3, np.int32))
    with pytest.raises(InvalidAction, match=r"handle to be integers of shape \(1,\)"):
        send(np.zeros(2), np.zeros(COUNT, np.int32))
    with pytest.raises(ValueError, match="final_obs needs .*'NextStep'"):
        envs.xla(final_obs=True)
    with pytest.raises(ValueError, match="'unlocked', which holds Python objects"):
        make(info_keys=["unlocked"]).xla()


def test_threads_end_when_the_games_are_closed():
    before = set(threading.enumerate())
    envs = make(threads=3)
    handle, _, _, step = envs.xla()
    envs.reset(seed=0)
    jax.block_until_ready(step(handle, np.zeros(COUNT, np.int32)))
    # The number depends on how soon the first one is idle again.
    assert set(threading.enumerate()) - before
    envs.close()
    assert set(threading.enumerate()) <= before


def test_methods_wait_for_programs_that_run():
    envs, twin = make(length=None), make(length=None)
    handle, _, _, step = envs.xla()
    envs.reset(seed=0), twin.reset(seed=0)
    actions = all_actions(steps=200)
    scanned(step)(handle, actions)  # nobody waits for the results
    found = envs.get_state()
    for row in actions:
        twin.step(row)
    assert_same(found, twin.get_state())


@pytest.mark.parametrize("programs", [0, 2])
def test_threads_take_turns(programs):
    envs = make(length=None)
    envs.reset(seed=0)
    works = [play_in_program] * programs + [play_some] * (4 - programs)
    play = [threading.Thread(target=work, args=(envs, 50)) for work in works]
    for thread in play:
        thread.start()
    for thread in play:
        thread.join()
    twin = make(length=None)
    twin.reset(seed=0)
    play_some(twin, 200)
    assert_same(envs.get_state(), twin.get_state())


def play_some(envs, steps):
    for _ in range(steps):
        envs.step([1, 5, 2, 5])


def play_in_program(envs, steps):
    handle, _, _, step = envs.xla()
    jax.block_until_ready(scanned(step)(handle, np.array([[1, 5, 2, 5]] * steps)))

"""Calls in any order: batches match single games, and errors change nothing.

`--hypothesis-profile long` runs thousands of sequences instead of a few.
"""

from __future__ import annotations

import copy
import pickle
import random
import sys
import threading
from typing import Any

import gymnasium
import hostile
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same
from gymnasium.error import InvalidAction, ResetNeeded

from crafter.core.reset_options import OptionsError
from crafter.core.state_io import StateError

# NumPy warns of corrupt numbers in comparisons and casts, Gymnasium of ended episodes.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")

SEEDS = st.integers(0, 3)
STARTS = {
    "CrafterReward-v1": [
        {"daytime": "midnight"},
        {"inventory": {"wood": 9, "sapling": 3}, "episode": 2},
    ],
    "Craftax-Symbolic-v1": [
        {"floor": 1, "daytime": 7},
        {"inventory": {"wood": 20}, "episode": 3},
    ],
}
SHORT = {"CrafterReward-v1": {"length": 9}}
EXAMPLES = settings.default.max_examples


class Calls(RuleBasedStateMachine):
    """A single environment and game 0 of a batch of two, given the same calls."""

    game: str

    @initialize(seed=SEEDS)
    def make(self, seed: int) -> None:
        options: dict[str, Any] = {
            **SHORT.get(self.game, {}),
            "action_masks": "exact",
        }
        self.single = gymnasium.make(self.game, **options).unwrapped
        self.batch = gymnasium.make_vec(
            self.game, num_envs=2, autoreset_mode="Disabled", threads=1, **options
        )
        self.saved: list[Any] = []
        self.single.reset(seed=seed)
        self.batch.reset(seed=[seed, 99])
        self.over = False

    def only_first(self) -> dict[str, Any]:
        return {"reset_mask": np.array([True, False])}

    # Valid calls.

    @rule(seed=SEEDS | st.none())
    def start(self, seed: int | None) -> None:
        expected, info = self.single.reset(seed=seed)
        found, infos = self.batch.reset(seed=[seed, None], options=self.only_first())
        assert_same(found[0], expected)
        assert_same(infos["action_mask"][0], info["action_mask"])
        self.over = False

    @rule(which=st.integers(0, 1), seed=SEEDS)
    def start_with_options(self, which: int, seed: int) -> None:
        options = STARTS[self.game][which]
        expected, _ = self.single.reset(seed=seed, options=options)
        options = {**options, **self.only_first()}
        found, _ = self.batch.reset(seed=[seed, None], options=options)
        assert_same(found[0], expected)
        self.over = False

    @precondition(lambda self: not self.over)
    @rule(action=st.integers(0, 42))
    def step(self, action: int) -> None:
        action %= self.single.action_space.n
        obs, reward, terminated, truncated, info = self.single.step(action)
        found, rewards, *ends, infos = self.batch.step(np.array([action, 0]))
        assert_same(found[0], obs)
        assert (rewards[0], ends[0][0], ends[1][0]) == (reward, terminated, truncated)
        assert_same(infos["action_mask"][0], info["action_mask"])
        self.over = bool(terminated or truncated)
        if ends[0][1] or ends[1][1]:
            self.batch.reset(options={"reset_mask": np.array([False, True])})

    @rule()
    def save(self) -> None:
        self.saved.append((self.single.get_state(), self.over))

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def load(self, data: Any) -> None:
        state, self.over = data.draw(st.sampled_from(self.saved))
        self.single.set_state(state)
        self.batch.set_state([state], [0])

    @rule(how=st.sampled_from(["pickle", "copy"]))
    def change_places_with_copies(self, how: str) -> None:
        twin = (lambda x: pickle.loads(pickle.dumps(x))) if how == "pickle" else None
        left = self.single, self.batch
        self.single, self.batch = map(twin or copy.deepcopy, left)
        for old in left:
            old.reset()  # must not affect the copies
            old.close()

    @rule()
    def look(self) -> None:
        self.single.frame((66, 78))
        self.single.snapshot()
        self.single.action_masks()
        self.batch.frames((66, 78))
        self.batch.snapshots()
        self.batch.latest_infos()

    # Invalid calls.

    @rule(action=hostile.ODD)
    def step_with_anything(self, action: Any) -> None:
        if not isinstance(action, (int, np.ndarray, np.generic)):
            self.refused(InvalidAction, self.single.step, action)

    @rule(
        actions=st.sampled_from([[0], [0, 99], [-1, 0], [0.5, 0], "ab", None, [[0, 0]]])
    )
    def step_the_batch_with_anything(self, actions: Any) -> None:
        error = ResetNeeded if self.over else InvalidAction
        self.refused(error, self.batch.step, actions)

    @rule(name=hostile.ANY_TEXT.map("no {}".format), value=hostile.ODD)
    def start_with_anything(self, name: str, value: Any) -> None:
        for env in (self.single, self.batch):
            self.refused(OptionsError, env.reset, options={name: value})

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def load_anything(self, data: Any) -> None:
        state, _ = data.draw(st.sampled_from(self.saved))
        name = data.draw(st.sampled_from(sorted(state)))
        broken = {key: value for key, value in state.items() if key != name}
        self.refused(StateError, self.single.set_state, broken)
        self.refused(StateError, self.batch.set_state, [broken], [0])

    def refused(self, error: type[Exception], call: Any, *args: Any, **kw: Any) -> None:
        with pytest.raises(error):
            call(*args, **kw)

    # Invariants after each call.

    @invariant()
    def the_games_are_the_same(self) -> None:
        assert_same(self.batch.get_state([0])[0], self.single.get_state())

    def teardown(self) -> None:
        if hasattr(self, "batch"):
            self.batch.close()
            with pytest.raises(gymnasium.error.ClosedEnvironmentError):
                self.batch.step([0, 0])


@pytest.mark.parametrize("game", STARTS)
def test_any_sequence_of_calls(game):
    machine = type("Machine", (Calls,), {"game": game})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=max(3, EXAMPLES // 4), stateful_step_count=25),
    )


class Order:
    """A lock that records the order in which threads acquire it."""

    def __init__(self) -> None:
        self.lock, self.taken = threading.RLock(), []
        self.depth = 0

    def __enter__(self) -> None:
        self.lock.acquire()
        self.depth += 1
        if self.depth == 1:
            self.taken.append(threading.current_thread().name)

    def __exit__(self, *_: Any) -> None:
        self.depth -= 1
        self.lock.release()


def some_call(rng: random.Random, state: Any) -> tuple[str, tuple, dict[str, Any]]:
    """Returns the name and arguments of a method call on a batch of two games."""
    calls = [
        ("step", ([rng.randrange(17), rng.randrange(17)],), {}),
        ("reset", (), {"seed": rng.randrange(5)}),
        ("reset", (), {"options": {"reset_mask": np.array([False, True])}}),
        ("get_state", (), {}),
        ("set_state", ([state], [rng.randrange(2)]), {}),
        ("latest_infos", (), {}),
        ("frames", ((66, 78),), {}),
    ]
    return rng.choice([calls[0]] * 4 + calls[1:])


def play(batch: Any, plans: dict[str, list[Any]]) -> tuple[list[str], dict[str, list]]:
    """Runs the calls of each plan in a thread; returns the order and all results."""
    batch.lock = Order()
    results: dict[str, list[Any]] = {name: [] for name in plans}

    def work(name: str) -> None:
        for method, args, kwargs in plans[name]:
            results[name].append(getattr(batch, method)(*args, **kwargs))

    threads = [threading.Thread(target=work, args=[name], name=name) for name in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return batch.lock.taken, results


@pytest.mark.parametrize("game", STARTS)
def test_threads_that_share_a_batch_take_turns(game):
    rng, before = random.Random(0), sys.getswitchinterval()
    options = {**SHORT.get(game, {}), "num_envs": 2, "info_keys": "all", "threads": 2}
    shared, alone = (gymnasium.make_vec(game, **options) for _ in range(2))
    sys.setswitchinterval(1e-6)
    try:
        for seed in range(EXAMPLES // 2):
            shared.reset(seed=seed)
            alone.reset(seed=seed)
            state = shared.get_state([1])[0]
            plans = {name: [some_call(rng, state) for _ in range(5)] for name in "abcd"}
            order, results = play(shared, plans)
            assert sorted(order) == sorted("abcd" * 5)
            places = {name: iter(zip(plans[name], results[name])) for name in plans}
            for name in order:
                (method, args, kwargs), found = next(places[name])
                assert_same(found, getattr(alone, method)(*args, **kwargs), method)
    finally:
        sys.setswitchinterval(before)
        shared.close()
        alone.close()

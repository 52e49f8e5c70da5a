"""A minimal game of two numbers: what batched play requires of a game."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

import gymnasium
from gymnasium.error import ResetNeeded

from crafter.compiled import engine, env
from crafter.compiled import work_queue as q
from crafter.compiled.jit import compiled
from crafter.compiled.observers import Observer
from crafter.core.state_io import StateError

RECORD = np.dtype(
    [
        ("seed_hash", np.uint64),
        ("episode", np.int64),
        ("step", np.int64),
        ("ended", np.bool_),
        ("achievements", np.int64, (1,)),
        ("unlocked", np.uint8, (1,)),
        ("height", np.int64),
    ],
    align=True,
)


@compiled
def play(round_, order, games, results, actions, top, ground, scratch, out):
    """Climbs or falls; reaching the top ends the episode."""
    cursor = np.zeros(2, np.int64)
    while True:
        place = q.next_place(round_, cursor, len(order))
        if place < 0:
            return q.wait_for_all(round_, len(order))
        b = order[place]
        g, result = games[b], results[b]
        result.status = q.DONE
        if q.task(round_, place) == q.RESET:
            q.begin(g, result)
            g.episode += 1
            g.step, g.height, g.ended = 0, g.seed_hash % 3, False
        elif q.task(round_, place) == q.STEP:
            g.step += 1
            g.height += 2 * actions[b] - 1
            q.end_step(round_, g, result, g.height, g.height == top)
            g.achievements[0] += result.terminated
        out[b, 0], out[b, 1] = g.height, g.step


class Engine(engine.Engine):
    """Batched engine of climbers."""

    def read_state(self, value):
        if value["height"] > 5:
            raise StateError("It is too high.")
        return SimpleNamespace(seed=1, ended=False, noise=None), value

    def record(self, games, i, made):
        for name, number in made[1].items():
            games[name][i] = number
        return games

    def get_state(self, b):
        return {name: self.games[name][b].copy() for name in RECORD.names}


def single(reward):
    """Returns the parts of a single environment that a batch reads."""
    return SimpleNamespace(
        action_names=["fall", "climb"],
        observation_space=gymnasium.spaces.Box(-100, 100, (2,), np.int64),
        rules=SimpleNamespace(data={"achievements": ["top"]}),
        **dict.fromkeys(("setup", "area", "view", "size", "length", "observation")),
        **dict.fromkeys(("_masks_in_info", "_has_ticks"), False),
    )


class Climbers(env.VectorEnv):
    """Vector environment of climbers."""

    single = staticmethod(single)
    readers = {"height": lambda e, indices: e.games["height"][indices]}  # noqa: RUF012
    fields = {"height": "height"}  # noqa: RUF012

    def make_engine(self, threads):
        observer = Observer(play, np.zeros((self.num_envs, 2), np.int64))
        games = np.zeros(self.num_envs, RECORD)
        return Engine(games, 4, observer, (5,), None, threads)

    def parse_options(self, options):
        return SimpleNamespace(state=(options or {}).get("state"), episode=None)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_game_of_two_numbers(threads):
    options = {"info_keys": "all", "threads": threads}
    envs = Climbers(40, **options)
    with pytest.raises(ResetNeeded):
        envs.step([0] * 40)
    obs, infos = envs.reset(seed=0)
    heights = np.arange(40) % 3
    assert obs[:, 0].tolist() == infos["height"].tolist() == heights.tolist()
    for step in range(1, 4):
        obs, rewards, terminated, truncated, _ = envs.step([1] * 40)
        assert rewards.tolist() == (heights + step).tolist()
    assert terminated.tolist() == (heights == 2).tolist()
    assert envs.get_attr("unlocked")[:3] == (set(), set(), {"top"})
    _, _, terminated, truncated, _ = envs.step([1] * 40)
    assert terminated.tolist() == (heights == 1).tolist()
    assert truncated.tolist() == (heights == 0).tolist()
    assert envs.get_attr("episode")[:3] == (1, 1, 2)


def test_states_of_a_game_of_two_numbers():
    envs = Climbers(3)
    envs.reset(seed=0)
    states = envs.get_state()
    envs.set_state([states[2]], [0])
    assert envs.latest_observations()[:, 0].tolist() == [2, 1, 2]
    with pytest.raises(StateError, match="Environment 1: It is too high"):
        envs.set_state([{**states[0], "height": 9}], [1])

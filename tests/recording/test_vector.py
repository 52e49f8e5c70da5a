"""The statistics of a batch are those of single games."""

import json

import gymnasium
import numpy as np
import pytest
from batches import NOT_OFFERED, assert_same
from budget import sample
from recorded import stats_of

import crafter

pytest.importorskip("numba", reason="needs crafter[vector]")

MODES = ["NextStep", "SameStep", "Disabled"]
KEYS = ["reward", "achievements"]
# No smaller map: the engine is compiled anew for each size.
SHORT = {"length": 30}
COUNT = 5


def make(kind, mode, name="CrafterReward-v1", count=COUNT, **kwargs):
    kwargs = {**SHORT, **kwargs}
    if kind == "batch":
        kwargs = {"info_keys": KEYS, **kwargs}
        return gymnasium.make_vec(name, count, autoreset_mode=mode, **kwargs)
    vector_kwargs = {"autoreset_mode": mode}
    return gymnasium.make_vec(name, count, kind, vector_kwargs=vector_kwargs, **kwargs)


def play(envs, steps, seed=3):
    """Plays at random; returns the actions that counted, per game and episode."""
    random = np.random.RandomState(seed)
    mode = envs.metadata["autoreset_mode"].value
    played = [[[]] for _ in range(envs.num_envs)]
    over = np.zeros(envs.num_envs, bool)
    envs.reset(seed=seed)
    for _ in range(steps):
        actions = random.randint(0, 17, envs.num_envs)
        resets = over if mode == "NextStep" else np.zeros_like(over)
        _, _, terminated, truncated, _ = envs.step(actions)
        over = terminated | truncated
        for b, action in enumerate(actions.tolist()):
            if not resets[b]:
                played[b][-1].append(action)
            if over[b]:
                played[b].append([])
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
    return played


def without_events(results):
    """Takes out what `assert_same` does not compare."""
    *values, infos = results
    infos = {key: infos[key] for key in infos if key not in NOT_OFFERED}
    if "final_info" in infos:
        finals = infos["final_info"].items()
        kept = {key: value for key, value in finals if key not in NOT_OFFERED}
        infos["final_info"] = kept
    return *values, infos


def lines(directory):
    return (directory / "stats.jsonl").read_text().splitlines()


def lines_of_singles(directory, played, seed=3, name="CrafterReward-v1", **kwargs):
    """Replays in single games; returns the lines of each."""
    texts = []
    for b, episodes in enumerate(played):
        folder = directory / str(b)
        env = gymnasium.make(name, **{**SHORT, **kwargs})
        env = crafter.StatsRecorder(env, folder)
        for number, actions in enumerate(episodes):
            env.reset(seed=None if number else seed + b)
            for action in actions:
                env.step(action)
        texts += lines(folder)
    return texts


DYING = {"length": None, "items": {"health": {"max": 1, "initial": 1}}}
CASES = [
    ("batch", "SameStep", "CrafterReward-v1", {}),
    ("sync", "NextStep", "CrafterReward-v1", {}),
    *(("batch", mode, "CrafterReward-v1", DYING) for mode in MODES),
    *((kind, "SameStep", "CrafterNoReward-v1", {}) for kind in ("batch", "sync")),
    *(
        (kind, mode, "CrafterReward-v1", {})
        for mode in MODES
        for kind in ("batch", "sync")
    ),
]


@pytest.mark.parametrize("case", sample(CASES, 3))
def test_lines_are_those_of_single_games(case, tmp_path):
    kind, mode, name, arguments = case
    envs = make(kind, mode, name, **arguments)
    envs = crafter.VectorStatsRecorder(envs, tmp_path)
    played = play(envs, 150)
    found = lines(tmp_path)
    singles = lines_of_singles(tmp_path / "singles", played, name=name, **arguments)
    assert sorted(found) == sorted(singles)
    # Without a step limit, every end is a death.
    assert len(found) >= (1 if arguments else 3 * COUNT)
    assert arguments or any(json.loads(line)["reward"] for line in found)
    envs.close()


def test_lines_are_in_the_order_of_ends_and_games(tmp_path):
    envs = crafter.VectorStatsRecorder(make("batch", "SameStep"), tmp_path)
    played = play(envs, 30)
    assert lines(tmp_path) == lines_of_singles(tmp_path, played)


@pytest.mark.parametrize("kind", ["batch", "sync"])
def test_everything_passes_through(kind, tmp_path):
    bare, inner = make(kind, "SameStep", length=5), make(kind, "SameStep", length=5)
    envs = crafter.VectorStatsRecorder(inner, tmp_path)
    assert envs.observation_space == bare.observation_space
    assert envs.metadata == bare.metadata
    assert_same(without_events(envs.reset(seed=1)), without_events(bare.reset(seed=1)))
    for action in range(6):
        actions = np.full(COUNT, action)
        assert_same(
            without_events(envs.step(actions)), without_events(bare.step(actions))
        )


def test_unfinished_episodes_do_not_count(tmp_path):
    envs = crafter.VectorStatsRecorder(make("batch", "Disabled", count=2), tmp_path)
    envs.reset(seed=0)
    for _ in range(10):
        envs.step([0, 0])
    envs.reset(options={"reset_mask": np.array([False, True])})
    for _ in range(20):
        envs.step([0, 0])
    assert [line["length"] for line in stats_of(tmp_path)] == [30]
    envs.reset()
    for _ in range(30):
        envs.step([0, 0])
    assert [line["length"] for line in stats_of(tmp_path)] == [30] * 3


@pytest.mark.parametrize(
    ("envs", "missing"),
    [
        (lambda: make("batch", "SameStep", info_keys=["reward"]), "achievements"),
        (lambda: gymnasium.make_vec("CartPole-v1", 2, "sync"), "reward, achievements"),
    ],
)
def test_missing_keys_are_explained(envs, missing, tmp_path):
    envs = crafter.VectorStatsRecorder(envs(), tmp_path)
    with pytest.raises(ValueError, match=rf"lacks {missing} and .*info_keys=\["):
        envs.reset(seed=0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_episodes_that_begin_otherwise_say_so(tmp_path, mode):
    envs = crafter.VectorStatsRecorder(make("batch", mode, count=3, length=4), tmp_path)
    envs.reset(seed=0)
    envs.step([0] * 3)
    (state,) = envs.unwrapped.get_state([1])
    envs.unwrapped.set_state([state], [2])
    for _ in range(3):
        envs.step([0] * 3)
    envs.reset(options={"state": state, "reset_mask": np.array([True, False, False])})
    for _ in range(3):
        envs.step([0] * 3)
    envs.reset(options={"daytime": 9})
    for _ in range(4):
        envs.step([0] * 3)
    starts = [line.get("start") for line in stats_of(tmp_path)]
    assert starts[:3] == [None, None, "state"]
    assert starts[-3:] == ["options"] * 3 and "state" in starts[3:-3]


def starts_of(envs, tmp_path, steps):
    """Play noop; return how the lines of all games say that they began."""
    envs = crafter.VectorStatsRecorder(envs, tmp_path)
    envs.reset(seed=0)
    for _ in range(steps):
        envs.step([0] * envs.num_envs)
    envs.close()
    return [line.get("start") for line in stats_of(tmp_path)]


class Rich(gymnasium.Wrapper):
    """Begins every other episode with wood."""

    episodes = 0

    def reset(self, *, seed=None, options=None):
        self.episodes += 1
        options = {"inventory": {"wood": 9}} if self.episodes % 2 else None
        return self.env.reset(seed=seed, options=options)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_starts_that_a_wrapper_inside_chose_are_told(tmp_path, mode, kind):
    envs = gymnasium.make_vec(
        "CrafterReward-v1",
        2,
        kind,
        vector_kwargs={"autoreset_mode": mode},
        wrappers=[Rich],
        length=3,
    )
    first_six = starts_of(envs, tmp_path, 12)[:6]
    assert first_six == ["options", "options", None, None, "options", "options"]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("kind", ["sync", "batch"])
def test_attempts_at_tasks_are_told(tmp_path, kind, mode):
    options = {"task": "collect_diamond", "budget": 3}
    if kind == "batch":
        options |= {"info_keys": KEYS, "autoreset_mode": mode, "scenes": 2}
    else:
        options["vector_kwargs"] = {"autoreset_mode": mode}
    vectorization = "vector_entry_point" if kind == "batch" else kind
    envs = gymnasium.make_vec("CrafterTask-v1", 2, vectorization, **options)
    assert starts_of(envs, tmp_path, 8) == ["options"] * 4

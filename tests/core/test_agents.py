"""Agents act on NumPy as their networks do in JAX, here and in the window."""

import json
import pathlib

import gymnasium
import numpy as np
import pytest

import crafter
from crafter.core.agents import Agent

NAMES = crafter.agent_names()
#: Those that are not told a task.
FREE = [name for name in NAMES if not crafter.load_agent(name).told_size]


def make(name, **options):
    agent = crafter.load_agent(name)
    ids = {"crafter": "CrafterReward-v1", "craftax": "Craftax-Symbolic-v1"}
    env = gymnasium.make(ids[agent.game], observation=agent.observation, **options)
    return agent, env


@pytest.mark.parametrize("name", FREE)
def test_shipped_agents_play_their_game(name):
    agent, env = make(name, seed=0)
    agent.check(env)
    random, memory = np.random.default_rng(0), agent.start()
    obs, _ = env.reset()
    total = 0.0
    for _ in range(200):
        chances, memory = agent.act(obs, memory)
        np.testing.assert_allclose(chances.sum(), 1)
        obs, reward, *ended, _ = env.step(int(random.choice(len(chances), p=chances)))
        total += reward
        if any(ended):
            break
    assert total > 1  # random play has about 1 in a whole episode


def test_the_agents_of_the_package_are_small():
    files = list(pathlib.Path(crafter.__file__).parent.glob("games/*/agents/*.npz"))
    assert len(files) == len(NAMES)
    assert max(path.stat().st_size for path in files) < 1.5 * 2**20
    assert sum(path.stat().st_size for path in files) < 10 * 2**20


@pytest.mark.parametrize("kind", ["mlp", "gru", "towers", "rnn"])
def test_numpy_acts_as_jax(kind, tmp_path):
    jax = pytest.importorskip("jax", reason="needs the extra 'jax'")
    pytest.importorskip("optax", reason="needs the extra 'jax'")
    from baselines import networks
    from export_agent import acting

    network = networks.KINDS[kind]
    net = network.init(jax.random.key(0), (9,), 4, 6)
    net = jax.tree.map(lambda x: x.astype("float16").astype("float32"), net)
    relu = network.activation is jax.nn.relu
    about = {"observation": "symbolic", "activation": "relu" if relu else "tanh"}
    path = tmp_path / "agent.npz"
    np.savez(path, about=json.dumps(about), **acting(net))
    agent, memory = crafter.load_agent(str(path)), np.zeros((3, 6 * network.memory))
    theirs = memory
    for obs in np.random.default_rng(0).random((4, 3, 9), np.float32):
        chances, memory = agent.act(obs, memory)
        theirs, logits, _ = network.look(net, theirs, obs, np.zeros(3, bool))
        np.testing.assert_allclose(chances, np.exp(logits), rtol=1e-4)


def test_what_does_not_fit_is_refused_in_one_line(tmp_path):
    with pytest.raises(ValueError, match=f"no/body.*choose from {NAMES[0]}"):
        crafter.load_agent("no/body")
    (tmp_path / "x.npz").write_bytes(b"no")
    with pytest.raises(ValueError, match="is not an agent"):
        crafter.load_agent(str(tmp_path / "x.npz"))
    agent, env = make(FREE[0])
    with pytest.raises(ValueError, match=r"observations of shape .* got \(3,\)"):
        agent.act(np.zeros(3), agent.start())
    other = Agent("other", {}, {"game": agent.game, "digest": "0"})
    with pytest.raises(ValueError, match="other plays .* with the rules 0, got"):
        other.check(env)

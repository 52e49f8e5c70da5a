"""Presets are the published settings, and PPO with them is what its formulas say."""

import pathlib

import numpy as np
import pytest
import yaml

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
from baselines import loop, networks, options, ppo, presets

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"
TABLE = yaml.safe_load((GOLDEN / "presets.yaml").read_text("utf-8"))
SHAPES = {
    "towers": {"actor": [9, 6, 6, 6, 4], "critics": [9, 6, 6, 6, 1]},
    "rnn": {"encoder": [9, 6], "actor": [6, 6, 6, 4], "critics": [6, 6, 6, 1]},
}


CASES = [
    (preset, algorithm)
    for preset in presets.PRESETS
    for algorithm in presets.VALID.get(preset, presets.ALGORITHMS)
]


@pytest.mark.parametrize(("preset", "algorithm"), CASES)
def test_presets_are_the_published_table(preset, algorithm):
    args = vars(options.read("", ["--preset", preset, "--algorithm", algorithm]))
    names = ["all", algorithm, preset, f"{algorithm} {preset}"]
    if preset.startswith("craftax") and not algorithm.startswith("ppo"):
        names += ["models"]
    expected = {k: v for n in names for k, v in TABLE.get(n, {}).items()}
    assert {name: args[name] for name in expected} == expected


@pytest.mark.parametrize("kind", SHAPES)
def test_networks_have_the_published_layers(kind):
    net = networks.KINDS[kind].init(jax.random.key(0), (9,), 4, 6)
    net["critics"] = net["critics"][0]
    gain = {"towers": 2.0, "rnn": 4.0}[kind]
    for name, sizes in SHAPES[kind].items():
        weights = [layer["w"] for layer in net[name]["layers"]]
        assert [len(weights[0]), *(w.shape[1] for w in weights)] == sizes
        squares = [float((w**2).sum() / min(w.shape)) for w in weights]
        last = {"actor": 1e-4, "critics": 1.0, "encoder": 2.0}[name]
        np.testing.assert_allclose(squares, [gain] * len(squares[1:]) + [last], 1e-4)


def test_zeros_that_are_left_out_change_nothing():
    random, kind = np.random.default_rng(0), networks.KINDS["towers"]
    obs = random.random((3, 2, 40)) * (random.random(40) < 0.3)
    obs = jnp.concatenate([jnp.asarray(obs), jnp.ones((3, 2, 4))], -1)  # and masks
    net = kind.init(jax.random.key(0), (40,), 4, 8)
    cut, (seen,) = networks.narrow(networks.used(40, obs), 20, obs)
    assert seen.shape[-1] == 24

    def total(net, cut, obs):
        return sum(map(jnp.sum, kind.follow(cut(net), (), obs, ())[1:]))

    whole = jax.grad(total)(net, lambda net: net, obs)
    for one, two in zip(
        *map(jax.tree.leaves, (whole, jax.grad(total)(net, cut, seen)))
    ):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-6)


# One update of PPO against its formulas in NumPy, with gradients by differences.

WORDS = "--network towers --parts steps --width 4 --minibatches 1 --epochs 2"
WORDS += " --rate 0.01 --value 0.5 --envs 3 --max-norm 0.5"


def tower(net, x):
    *hidden, last = net["layers"]
    for layer in hidden:
        x = np.tanh(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss(net, batch, advantage):
    """Returns the clipped surrogate, half of half the larger error, the entropy."""
    logits = tower(net["actor"], batch.obs)
    logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
    value = tower(net["critics"][0], batch.obs)[..., 0]
    old, advantage = batch.value[..., 0], advantage[..., 0]
    target = advantage + old
    near = old + np.clip(value - old, -0.2, 0.2)
    error = 0.5 * np.maximum((value - target) ** 2, (near - target) ** 2).mean()
    gain = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    found = np.take_along_axis(logits, batch.action[..., None], -1)[..., 0]
    ratio = np.exp(found - batch.log_prob)
    surrogate = np.minimum(ratio * gain, np.clip(ratio, 0.8, 1.2) * gain).mean()
    entropy = -(np.exp(logits) * logits).sum(-1).mean()
    return -surrogate + 0.5 * error - 0.01 * entropy


def slopes(function, leaves, step=1e-5):
    """Returns the gradient of a function of arrays, which are changed and put back."""
    found = [np.zeros_like(leaf) for leaf in leaves]
    for leaf, slope in zip(leaves, found):
        for i in np.ndindex(leaf.shape):
            ends = []
            for change in (step, -2 * step, step):
                leaf[i] += change
                ends.append(function())
            slope[i] = (ends[0] - ends[1]) / (2 * step)
    return found


def test_an_update_is_that_of_the_formulas():
    args, random = options.read("", WORDS.split()), np.random.default_rng(0)
    net = networks.KINDS["towers"].init(jax.random.key(0), (5,), 3, 4)
    reference = jax.tree.map(lambda leaf: np.array(leaf, np.float64), net)
    shape = 6, 3
    batch = ppo.Batch(
        obs=random.normal(size=(*shape, 5)), memory=np.zeros((1, 3, 0)), fresh=(),
        action=random.integers(3, size=shape), value=random.normal(size=(*shape, 1)),
        log_prob=np.log(random.uniform(0.2, 0.5, shape)), reward=(), done=(),
    )  # fmt: skip
    advantage = random.normal(size=(*shape, 1))
    leaves, moments = jax.tree.leaves(reference), None
    for number in (1, 2):
        slope = slopes(lambda: loss(reference, batch, advantage), leaves)
        norm = np.sqrt(sum((s**2).sum() for s in slope))
        slope = [s * min(1, 0.5 / norm) for s in slope]
        moments = moments or [(0, 0)] * len(slope)
        moments = [
            (0.9 * m + 0.1 * s, 0.999 * v + 0.001 * s**2)
            for (m, v), s in zip(moments, slope)
        ]
        for leaf, (m, v) in zip(leaves, moments):
            m, v = m / (1 - 0.9**number), v / (1 - 0.999**number)
            leaf -= 0.01 * m / (np.sqrt(v) + 1e-5)
    optimizer = ppo.make_optimizer(args)
    rows = jax.tree.map(jnp.asarray, ppo.single_steps(batch, advantage))
    (found, _), _ = ppo.learn(
        args, optimizer, loop.objective(args, lambda net: net),
        (net, optimizer.init(net)), rows, jax.random.key(1),
    )  # fmt: skip
    for ours, theirs in zip(jax.tree.leaves(found), leaves, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=2e-4)

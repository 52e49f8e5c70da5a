"""The parts of the baselines in JAX: networks, advantages, bonuses, options, files."""

import types

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
import optax
from baselines import networks, options, ppo
from baselines.bonuses import BONUSES
from baselines.bonuses.e3b import elliptical
from baselines.bonuses.frame import Played, Scale, add_moments, no_moments, scaled
from budget import sample

from crafter import scoring

KEY = jax.random.key(0)


def make_bonus(name, width, features, **more):
    """Returns a bonus of small networks."""
    words = f"--bonus {name} --bonus-width {width} --bonus-features {features}"
    words += "".join(f" --bonus-{key} {value}" for key, value in more.items())
    return BONUSES[name](options.read("", words.split()))


def trained(loss, params, rounds, rate=0.01):
    """Returns weights after steps of Adam."""
    optimizer = optax.adam(rate)

    def step(carry, _):
        params, state = carry
        change, state = optimizer.update(jax.grad(loss)(params), state)
        return (optax.apply_updates(params, change), state), None

    start = params, optimizer.init(params)
    return jax.jit(lambda: jax.lax.scan(step, start, None, rounds)[0][0])()


# Networks.


@pytest.mark.parametrize("kind", sample(["gru", "mlp", "rnn", "towers"]))
def test_hidden_actions_are_not_chosen_and_change_nothing_else(kind):
    kind = networks.KINDS[kind]
    net = kind.init(KEY, (5,), 3, 8)
    obs = jax.random.normal(jax.random.key(1), (6, 2, 5))
    mask = jnp.array([1.0, 0.0, 1.0]) * jnp.ones((6, 2, 1))
    seen = jnp.concatenate([obs, mask], -1)
    memory, fresh = jnp.zeros((2, 8)), jnp.zeros((6, 2), bool)
    _, free, value = kind.follow(net, memory, obs, fresh)
    _, bound, same = kind.follow(net, memory, seen, fresh)
    np.testing.assert_array_equal(value, same)
    chances = np.exp(free) * mask
    np.testing.assert_allclose(
        np.exp(bound), chances / chances.sum(-1, keepdims=True), rtol=1e-5
    )
    _, first, _ = kind.look(net, memory, seen[0], fresh[0])
    np.testing.assert_allclose(first, bound[0], rtol=1e-5)


@pytest.mark.parametrize("side", [64, 84])
def test_convolutions_are_those_of_jax(side):
    layers, _ = networks.make_convolutions(KEY, (side, side, 3))
    x = jax.random.normal(KEY, (2, side, side, 3))
    for layer, (_, stride, _) in zip(layers, networks.CONVOLUTIONS, strict=True):
        expected = jax.lax.conv_general_dilated(
            x, layer["w"], (stride, stride), "VALID",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )  # fmt: skip
        found = networks.convolve({**layer, "b": jnp.ones(())}, stride, x)
        np.testing.assert_allclose(found, expected + 1, rtol=1e-4, atol=1e-4)
        x = expected


def test_memory_of_a_gru_ends_with_the_episode():
    kind = networks.KINDS["gru"]
    net = kind.init(KEY, (5,), 3, 8)
    obs = jax.random.normal(jax.random.key(1), (6, 2, 5))
    fresh = jnp.zeros((6, 2), bool).at[3, 0].set(True)
    memory = jax.random.normal(jax.random.key(2), (2, 8))
    follow, look = jax.jit(kind.follow), jax.jit(kind.look)
    end, logits, value = follow(net, memory, obs, fresh)
    # Game 0 begins anew in step 3, whatever was before; game 1 remembers.
    _, *again = follow(net, jnp.zeros((2, 8)), obs[3:], fresh[3:])
    np.testing.assert_allclose(logits[3:, 0], again[0][:, 0], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(value[3:, 0], again[1][:, 0], rtol=1e-4, atol=1e-6)
    assert np.abs(logits[3:, 1] - again[0][:, 1]).max() > 1e-4
    # Step by step, as while playing, it is the same.
    for t in range(6):
        memory, found, _ = look(net, memory, obs[t], fresh[t])
        np.testing.assert_allclose(found, logits[t], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(memory, end, rtol=1e-4, atol=1e-6)


def test_advantages_are_those_of_their_definition():
    random = np.random.default_rng(0)
    value, reward = random.normal(size=(2, 7, 3, 2))
    done, last = random.random((7, 3, 2)) < 0.3, random.normal(size=(3, 2))
    discount, trace = 0.9, 0.8
    batch = types.SimpleNamespace(value=value, reward=reward)
    found = ppo.advantages(batch, done, last, discount, trace)
    following = np.concatenate([value[1:], last[None]])
    errors = reward + discount * following * ~done - value
    for t in range(7):
        expected, alive = np.zeros((3, 2)), np.ones((3, 2))
        for later in range(t, 7):
            expected += (discount * trace) ** (later - t) * alive * errors[later]
            alive = alive * ~done[later]
        np.testing.assert_allclose(found[t], expected, rtol=1e-4, atol=1e-5)


def test_the_rate_falls_to_nothing():
    sizes = {"envs": 4, "rollout": 8, "epochs": 2, "minibatches": 2, "max_norm": 9.0}
    args = types.SimpleNamespace(rate=0.1, anneal_steps=64, **sizes)
    optimizer, weights = ppo.make_optimizer(args), jnp.zeros(1)
    state, changes = optimizer.init(weights), []
    for _ in range(9):
        change, state = optimizer.update(jnp.ones(1), state, weights)
        changes.append(float(change[0]))
    np.testing.assert_allclose(changes, -0.1 * np.r_[np.arange(8, -1, -1)] / 8, 1e-3)


def test_networks_of_a_bonus_are_clipped_each_by_itself():
    args = types.SimpleNamespace(max_norm=1.0)
    optimizer = ppo.make_optimizer(args, 0.1)
    weights = {"encoder": jnp.zeros(2), "forward": jnp.zeros(2)}
    grads = {"encoder": jnp.array([3.0, 4.0]), "forward": jnp.array([0.0, 0.5])}
    _, state = optimizer.update(grads, optimizer.init(weights), weights)
    # Adam's first moment is a tenth of the gradients.
    moment = state[1][0].mu
    np.testing.assert_allclose(moment["encoder"], [0.06, 0.08], rtol=1e-5)
    np.testing.assert_allclose(moment["forward"], [0.0, 0.05], rtol=1e-5)


# Bonuses.


def test_moments_are_those_of_all_values():
    parts = np.random.default_rng(0).normal(3, 2, (4, 5, 6, 2)).astype(np.float32)
    found = no_moments((2,))
    for part in parts:
        found = add_moments(found, jnp.asarray(part))
    every = parts.reshape(-1, 2)
    np.testing.assert_allclose(found.mean, every.mean(0), rtol=1e-5)
    np.testing.assert_allclose(found.var, every.var(0), rtol=1e-4)
    assert found.number == len(every)


def test_bonuses_are_in_units_of_their_discounted_sums():
    raw = np.random.default_rng(0).exponential(7.0, (50, 4)).astype(np.float32)
    scale = Scale(jnp.zeros(4), no_moments())
    sums, total = [], np.zeros(4)
    for row in raw:
        total = 0.9 * total + row
        sums.append(total)
    for half in (raw[:25], raw[25:]):
        scale, found = scaled(scale, jnp.asarray(half), 0.9)
    np.testing.assert_allclose(scale.returns, total, rtol=1e-5)
    np.testing.assert_allclose(found, raw[25:] / np.std(sums), rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("use", ["scaled", "critic"])
def test_rnd_is_small_where_it_has_been(use):
    rnd = make_bonus("rnd", 32, 16, use=use)
    params = rnd.init(KEY, (20,), 3)
    known, other = jax.random.normal(jax.random.key(1), (2, 8, 20))
    params = rnd.observe(params, jnp.concatenate([known, other])[None])
    seen, new = (Played(x, None, x, jnp.zeros(8, bool)) for x in (known, other))
    after = trained(lambda p: rnd.loss(p, seen), params, 200, 0.003)
    before, learned = (
        [rnd.reward(p, (), x)[1].mean() for x in (seen, new)] for p in (params, after)
    )
    assert learned[0] < 0.05 * before[0]
    assert learned[1] > 10 * learned[0]
    # Only the predictor has learned.
    params, after = ({**p, "predictor": ()} for p in (params, after))
    for one, two in zip(*map(jax.tree.leaves, (params, after)), strict=True):
        np.testing.assert_array_equal(one, two)


def walk(steps):
    """Returns steps on a circle of 8 places; actions go left, stay or go right."""
    action = jax.random.randint(jax.random.key(3), (steps,), 0, 3)
    place = jnp.cumsum(action - 1) - (action - 1)
    done = jnp.zeros(steps, bool).at[4].set(True)
    after = (place + action - 1 + 3 * done) % 8  # begins elsewhere
    return Played(jax.nn.one_hot(place % 8, 8), action, jax.nn.one_hot(after, 8), done)


@pytest.mark.parametrize("name", BONUSES)
def test_networks_of_bonuses_are_drawn_as_flax_does(name):
    params = make_bonus(name, 256, 4).init(KEY, (400,), 3)
    layer = params["target" if name == "rnd" else "encoder"]["layers"][0]["w"]
    np.testing.assert_allclose(layer.var() * 400, 1, rtol=0.03)
    assert np.abs(layer).max() < 2.3 / 20  # two deviations of the normal one


@pytest.mark.slow
def test_icm_learns_which_action_and_what_comes_of_it():
    icm, played = make_bonus("icm", 32, 8), walk(256)
    params = icm.init(KEY, (8,), 3)
    after = trained(lambda p: icm.loss(p, played), params, 400)

    @jax.jit
    def right(params):
        seen = icm.look(params, played.before), icm.look(params, played.after)
        guessed = icm.guess(params, *seen).argmax(-1)
        return ((guessed == played.action) & ~played.done).sum() / 255

    assert right(params) < 0.7
    assert right(after) > 0.98
    # It is surprised by what an action does not do: here, two places at once.
    obs, action, done = jnp.eye(8), jnp.full(8, 2), jnp.zeros(8, bool)
    usual, odd = (
        icm.reward(after, (), Played(obs, action, jnp.roll(obs, -n, 0), done))[1].mean()
        for n in (1, -3)
    )
    assert 20 * usual < odd


@pytest.mark.slow
def test_features_learn_from_the_inverse_model_inside_episodes():
    icm, played = make_bonus("icm", 8, 4), walk(16)
    params = icm.init(KEY, (8,), 3)
    gradient = jax.jit(jax.value_and_grad(icm.loss))
    usual, learned = gradient(params, played)
    first = learned["encoder"]["layers"][0]["w"]
    assert np.abs(first).max() > 0
    # Not from the forward model.
    changed = {**params, "forward": jax.tree.map(lambda x: 3 * x, params["forward"])}
    other = gradient(changed, played)[1]["encoder"]["layers"][0]["w"]
    np.testing.assert_allclose(other, first, rtol=1e-5)
    # An action that ended an episode does not matter.
    for step, same in ((4, True), (3, False)):
        action = played.action.at[step].add(1) % 3
        assert (gradient(params, played._replace(action=action))[0] == usual) == same


def test_the_elliptical_bonus_is_that_of_a_dense_inverse():
    features = np.random.default_rng(0).normal(size=(40, 3, 5))
    inverse = make_bonus("e3b", 8, 5, ridge=0.1).begin(3)
    matrices = np.broadcast_to(0.1 * np.eye(5), (3, 5, 5))
    for row in features:
        expected = np.einsum("bi,bij,bj->b", row, np.linalg.inv(matrices), row)
        inverse, bonus = elliptical(inverse, jnp.asarray(row, jnp.float32))
        np.testing.assert_allclose(bonus, expected, rtol=2e-3)
        matrices = matrices + np.einsum("bi,bj->bij", row, row)
    np.testing.assert_allclose(inverse, np.linalg.inv(matrices), rtol=1e-2, atol=1e-4)


# Options and files.


@pytest.mark.parametrize(
    "words, folder",
    [
        ("", "crafter_symbolic-ppo-mlp/0"),
        ("--network gru --seed 3", "crafter_symbolic-ppo-gru/3"),
        ("--network cnn", "crafter_reward-ppo-cnn/0"),
        ("--game craftax --bonus e3b", "craftax_symbolic-e3b-mlp/0"),
        ("--game craftax --network cnn", "craftax_pixels-ppo-cnn/0"),
        ("--game craftax --observation puffer", "craftax_puffer-ppo-mlp/0"),
        ("--preset craftax-1m --algorithm ppo-rnn", "craftax_symbolic-ppo_rnn/0"),
        ("--preset crafter-noreward", "crafter_noreward-unsup_rnd/0"),
    ],
)
def test_folders_are_named_as_scores_need_them(words, folder):
    args = options.read("", words.split())
    assert args.outdir.as_posix() == f"logdir/{folder}"
    benchmarks = map(scoring.find_benchmark, scoring.benchmark_names())
    found = [one for one in benchmarks if one.split_name(args.outdir.parent.name)]
    assert found and found[0].name.startswith(args.game)

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
from baselines.bonuses import (
    E3B,
    ICM,
    RND,
    Scale,
    Step,
    add_moments,
    elliptical,
    no_moments,
    scaled,
)
from budget import sample

from crafter import scoring

KEY = jax.random.key(0)


def batch(obs, action, done):
    """Returns a batch in which only these matter."""
    zeros = jnp.zeros(done.shape)
    memory = jnp.zeros((1, done.shape[1], 0))
    return ppo.Batch(
        obs, memory, zeros > 0, action, zeros, zeros[..., None], zeros[..., None], done
    )


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


@pytest.mark.parametrize("kind", sample(["gru", "mlp"]))
def test_hidden_actions_are_not_chosen_and_change_nothing_else(kind):
    net = networks.make_network(KEY, kind, (5,), 3, 8)
    obs = jax.random.normal(jax.random.key(1), (6, 2, 5))
    mask = jnp.array([1.0, 0.0, 1.0]) * jnp.ones((6, 2, 1))
    seen = jnp.concatenate([obs, mask], -1)
    memory, fresh = jnp.zeros((2, 8)), jnp.zeros((6, 2), bool)
    free, value = networks.follow(net, memory, obs, fresh)
    bound, same = networks.follow(net, memory, seen, fresh)
    np.testing.assert_array_equal(value, same)
    chances = np.exp(free) * mask
    np.testing.assert_allclose(
        np.exp(bound), chances / chances.sum(-1, keepdims=True), rtol=1e-5
    )
    _, first, _ = networks.look(net, memory, seen[0], fresh[0])
    np.testing.assert_allclose(first, bound[0], rtol=1e-5)


def test_memory_of_a_gru_ends_with_the_episode():
    net = networks.make_network(KEY, "gru", (5,), 3, 8)
    obs = jax.random.normal(jax.random.key(1), (6, 2, 5))
    fresh = jnp.zeros((6, 2), bool).at[3, 0].set(True)
    memory = jax.random.normal(jax.random.key(2), (2, 8))
    follow, look = jax.jit(networks.follow), jax.jit(networks.look)
    logits, value = follow(net, memory, obs, fresh)
    # Game 0 begins anew in step 3, whatever was before; game 1 remembers.
    again = follow(net, jnp.zeros((2, 8)), obs[3:], fresh[3:])
    np.testing.assert_allclose(logits[3:, 0], again[0][:, 0], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(value[3:, 0], again[1][:, 0], rtol=1e-4, atol=1e-6)
    assert np.abs(logits[3:, 1] - again[0][:, 1]).max() > 1e-4
    # Step by step, as while playing, it is the same.
    for t in range(6):
        memory, found, _ = look(net, memory, obs[t], fresh[t])
        np.testing.assert_allclose(found, logits[t], rtol=1e-4, atol=1e-6)


def test_advantages_are_those_of_their_definition():
    random = np.random.default_rng(0)
    value, reward = random.normal(size=(2, 7, 3, 2))
    done, last = random.random((7, 3, 2)) < 0.3, random.normal(size=(3, 2))
    discount, trace = np.array([0.9, 0.5]), 0.8
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
def test_rnd_is_small_where_it_has_been():
    rnd = RND(32, 16)
    params = rnd.init(KEY, (20,), 3)
    known, other = jax.random.normal(jax.random.key(1), (2, 8, 1, 20))
    params = rnd.observe(params, jnp.concatenate([known, other]))
    seen = batch(known, jnp.zeros((8, 1), int), jnp.zeros((8, 1), bool))
    after = trained(lambda p: rnd.loss(p, seen), params, 200, 0.003)
    before, learned = (
        [rnd.reward(p, (), Step(None, None, x[:, 0]))[1].mean() for x in (known, other)]
        for p in (params, after)
    )
    assert learned[0] < 0.05 * before[0]
    assert learned[1] > 10 * learned[0]
    # Only the predictor has learned.
    for name in ("target", "seen"):
        for one, two in zip(*map(jax.tree.leaves, (params[name], after[name]))):
            np.testing.assert_array_equal(one, two)


def walk(steps, games):
    """Returns a batch on a circle of 8 places; actions go left, stay or go right."""
    action = jax.random.randint(jax.random.key(3), (steps, games), 0, 3)
    place = jnp.cumsum(action - 1, 0) - (action - 1)
    done = jnp.zeros((steps, games), bool).at[4].set(True)
    obs = jax.nn.one_hot(place % 8, 8)
    obs = obs.at[5:].set(jax.nn.one_hot((place[5:] + 3) % 8, 8))  # begins elsewhere
    return batch(obs, action, done)


@pytest.mark.slow
def test_icm_learns_which_action_and_what_comes_of_it():
    icm, played = ICM(32, 8), walk(16, 32)
    params = icm.init(KEY, (8,), 3)
    after = trained(lambda p: icm.loss(p, played), params, 400)
    inside = ~played.done[:-1]

    @jax.jit
    def right(params):
        seen = icm.look(params, played.obs)
        guessed = icm.guess(params, seen[:-1], seen[1:]).argmax(-1)
        return ((guessed == played.action[:-1]) & inside).sum() / inside.sum()

    assert right(params) < 0.7
    assert right(after) > 0.98
    # It is surprised by what an action does not do: here, two places at once.
    obs, action = jnp.eye(8), jnp.full(8, 2)
    _, usual = icm.reward(after, (), Step(obs, action, jnp.roll(obs, -1, 0)))
    _, odd = icm.reward(after, (), Step(obs, action, jnp.roll(obs, 3, 0)))
    assert 20 * usual.mean() < odd.mean()


@pytest.mark.slow
def test_features_learn_from_the_inverse_model_inside_episodes():
    icm, played = ICM(8, 4), walk(8, 4)
    params = icm.init(KEY, (8,), 3)
    gradient = jax.jit(jax.value_and_grad(icm.loss))
    usual, learned = gradient(params, played)
    assert np.abs(learned["encoder"]["dense"]["w"]).max() > 0
    # Not from the forward model.
    changed = {**params, "forward": jax.tree.map(lambda x: 3 * x, params["forward"])}
    other = gradient(changed, played)[1]
    np.testing.assert_allclose(
        other["encoder"]["dense"]["w"], learned["encoder"]["dense"]["w"], rtol=1e-5
    )
    # An action that ended an episode does not matter.
    action = played.action.at[4].set(0)
    assert (played.action[4] != 0).any()
    assert gradient(params, played._replace(action=action))[0] == usual
    assert gradient(params, played._replace(action=action.at[3].set(0)))[0] != usual


def test_the_elliptical_bonus_is_that_of_a_dense_inverse():
    features = np.random.default_rng(0).normal(size=(40, 3, 5))
    inverse = E3B(8, 5, ridge=0.1).begin(3)
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
    ],
)
def test_folders_are_named_as_scores_need_them(words, folder):
    args = options.read("", words.split())
    assert args.outdir.as_posix() == f"logdir/{folder}"
    benchmarks = map(scoring.find_benchmark, scoring.benchmark_names())
    found = [one for one in benchmarks if one.split_name(args.outdir.parent.name)]
    assert found and found[0].name.startswith(args.game)

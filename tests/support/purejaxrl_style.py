"""A training script in the style of PureJaxRL and the Craftax baselines.

    python tests/support/purejaxrl_style.py craftax Craftax-Classic-Symbolic-v1
    python tests/support/purejaxrl_style.py crafter Crafter-Symbolic-v1

Only the import differs between the packages. The test runs it with ours; with Craftax
it shows that the script is realistic.
"""

import json
import sys
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from crafter.batch.jax import LogWrapper

NUM_ENVS, NUM_STEPS, NUM_UPDATES = 8, 32, 12
GAMMA, ENT_COEF, WIDTH = 0.99, 0.01, 64


class Transition(NamedTuple):
    done: jax.Array
    action: jax.Array
    value: jax.Array
    reward: jax.Array
    log_prob: jax.Array
    obs: jax.Array
    info: Any


def init_network(key, obs_size, actions):
    sizes = [(obs_size, WIDTH), (WIDTH, actions), (WIDTH, 1)]
    make_weights = jax.nn.initializers.orthogonal()
    return [
        (make_weights(k, size, jnp.float32), jnp.zeros(size[1]))
        for k, size in zip(jax.random.split(key, 3), sizes)
    ]


def network(params, obs):
    (w, b), (w_pi, b_pi), (w_v, b_v) = params
    x = jnp.tanh(obs @ w + b)
    return jax.nn.log_softmax(x @ w_pi + b_pi), (x @ w_v + b_v)[..., 0]


def loss(params, batch, targets):
    logits, value = network(params, batch.obs)
    log_prob = jnp.take_along_axis(logits, batch.action[..., None], -1)[..., 0]
    gain = (jnp.exp(log_prob - batch.log_prob) * (targets - batch.value)).mean()
    entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
    return 0.5 * ((value - targets) ** 2).mean() - gain - ENT_COEF * entropy


def make_train(make, name):
    env = LogWrapper(make(name, True))
    env_params = env.default_params.replace(max_timesteps=100)
    tx = optax.adam(3e-4)

    def env_step(runner, _):
        params, env_state, last_obs, rng = runner
        rng, act_rng, step_rng = jax.random.split(rng, 3)
        logits, value = network(params, last_obs)
        action = jax.random.categorical(act_rng, logits)
        log_prob = jnp.take_along_axis(logits, action[:, None], 1)[:, 0]
        keys = jax.random.split(step_rng, NUM_ENVS)
        step = jax.vmap(env.step, in_axes=(0, 0, 0, None))
        obs, env_state, reward, done, info = step(keys, env_state, action, env_params)
        row = Transition(done, action, value, reward, log_prob, last_obs, info)
        return (params, env_state, obs, rng), row

    def update_step(runner, _):
        opt_state, *rest = runner
        (params, *rest), batch = jax.lax.scan(env_step, tuple(rest), None, NUM_STEPS)

        def discounted(following, row):
            value = row.reward + GAMMA * following * (1 - row.done)
            return value, value

        _, last_value = network(params, rest[1])
        _, targets = jax.lax.scan(discounted, last_value, batch, reverse=True)
        updates, opt_state = tx.update(
            jax.grad(loss)(params, batch, targets), opt_state
        )
        params = optax.apply_updates(params, updates)
        ended = batch.info["returned_episode"]
        metric = jax.tree.map(
            lambda x: (x * ended).sum() / jnp.maximum(ended.sum(), 1), batch.info
        )
        return (opt_state, params, *rest), {**metric, "episodes": ended.sum()}

    def train(rng):
        rng, net_rng, reset_rng = jax.random.split(rng, 3)
        obs_shape = env.observation_space(env_params).shape
        params = init_network(net_rng, obs_shape[0], env.action_space(env_params).n)
        keys = jax.random.split(reset_rng, NUM_ENVS)
        obs, env_state = jax.vmap(env.reset, in_axes=(0, None))(keys, env_params)
        runner = (tx.init(params), params, env_state, obs, rng)
        return jax.lax.scan(update_step, runner, None, NUM_UPDATES)[1]

    return train


def main():
    package, name = sys.argv[1:]
    if package == "craftax":
        from craftax.craftax_env import make_craftax_env_from_name as make
    else:
        from crafter.batch.jax import make
    metrics = jax.jit(make_train(make, name))(jax.random.PRNGKey(0))
    episodes = metrics["episodes"]
    shown = {
        name: float((metrics[f"returned_episode_{name}s"] * episodes).sum())
        / float(episodes.sum())
        for name in ("return", "length")
    }
    names = sorted(k for k in metrics if "achievements" in k.lower())
    print(json.dumps({**shown, "episodes": int(episodes.sum()), "achievements": names}))


if __name__ == "__main__":
    main()

"""A training script in the style of PureJaxRL and the Craftax baselines.

    python tests/purejaxrl_style.py craftax Craftax-Classic-Symbolic-v1
    python tests/purejaxrl_style.py crafter Crafter-Symbolic-v1

Nothing but the import differs between the packages. The test runs it with ours; with
Craftax it shows that the script is what people write for it.
"""

import functools
import json
import sys
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

CONFIG = {
    "NUM_ENVS": 8,
    "NUM_STEPS": 32,
    "NUM_UPDATES": 12,
    "LR": 3e-4,
    "GAMMA": 0.99,
    "ENT_COEF": 0.01,
    "MAX_TIMESTEPS": 100,
}


class LogState(NamedTuple):
    env_state: Any
    episode_return: jax.Array
    episode_length: jax.Array
    returned_return: jax.Array
    returned_length: jax.Array


class LogWrapper:
    """Adds return and length of the last finished episode to infos."""

    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        return getattr(self._env, name)

    @functools.partial(jax.jit, static_argnums=(0,))
    def reset(self, key, params=None):
        obs, env_state = self._env.reset(key, params)
        return obs, LogState(env_state, *(jnp.float32(0) for _ in range(4)))

    @functools.partial(jax.jit, static_argnums=(0,))
    def step(self, key, state, action, params=None):
        obs, env_state, reward, done, info = self._env.step(
            key, state.env_state, action, params
        )
        total = state.episode_return + reward
        length = state.episode_length + 1
        state = LogState(
            env_state,
            total * (1 - done),
            length * (1 - done),
            jnp.where(done, total, state.returned_return),
            jnp.where(done, length, state.returned_length),
        )
        info["returned_episode_returns"] = state.returned_return
        info["returned_episode_lengths"] = state.returned_length
        info["returned_episode"] = done
        return obs, state, reward, done, info


class Transition(NamedTuple):
    done: jax.Array
    action: jax.Array
    value: jax.Array
    reward: jax.Array
    log_prob: jax.Array
    obs: jax.Array
    info: Any


def init_network(key, obs_size, actions, width=64):
    sizes = [(obs_size, width), (width, actions), (width, 1)]
    make_weights = jax.nn.initializers.orthogonal()
    return [
        (make_weights(k, size, jnp.float32), jnp.zeros(size[1]))
        for k, size in zip(jax.random.split(key, 3), sizes)
    ]


def network(params, obs):
    (w, b), (w_pi, b_pi), (w_v, b_v) = params
    x = jnp.tanh(obs @ w + b)
    return jax.nn.log_softmax(x @ w_pi + b_pi), (x @ w_v + b_v)[..., 0]


def make_train(config, make, name):
    env = LogWrapper(make(name, True))
    env_params = env.default_params.replace(max_timesteps=config["MAX_TIMESTEPS"])
    tx = optax.adam(config["LR"])

    def train(rng):
        rng, net_rng, reset_rng = jax.random.split(rng, 3)
        obs_shape = env.observation_space(env_params).shape
        params = init_network(net_rng, obs_shape[0], env.action_space(env_params).n)
        reset_rng = jax.random.split(reset_rng, config["NUM_ENVS"])
        obs, env_state = jax.vmap(env.reset, in_axes=(0, None))(reset_rng, env_params)

        def update_step(runner, _):
            def env_step(runner, _):
                params, opt_state, env_state, last_obs, rng = runner
                rng, act_rng, step_rng = jax.random.split(rng, 3)
                logits, value = network(params, last_obs)
                action = jax.random.categorical(act_rng, logits)
                log_prob = jnp.take_along_axis(logits, action[:, None], 1)[:, 0]
                step_rng = jax.random.split(step_rng, config["NUM_ENVS"])
                obs, env_state, reward, done, info = jax.vmap(
                    env.step, in_axes=(0, 0, 0, None)
                )(step_rng, env_state, action, env_params)
                transition = Transition(
                    done, action, value, reward, log_prob, last_obs, info
                )
                return (params, opt_state, env_state, obs, rng), transition

            runner, batch = jax.lax.scan(env_step, runner, None, config["NUM_STEPS"])
            params, opt_state, env_state, last_obs, rng = runner
            _, last_value = network(params, last_obs)

            def discounted(following, row):
                value = row.reward + config["GAMMA"] * following * (1 - row.done)
                return value, value

            _, targets = jax.lax.scan(discounted, last_value, batch, reverse=True)

            def loss(params):
                logits, value = network(params, batch.obs)
                log_prob = jnp.take_along_axis(logits, batch.action[..., None], -1)
                advantage = targets - batch.value
                ratio = jnp.exp(log_prob[..., 0] - batch.log_prob)
                entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
                error = ((value - targets) ** 2).mean()
                gain = (ratio * advantage).mean()
                return 0.5 * error - gain - config["ENT_COEF"] * entropy

            updates, opt_state = tx.update(jax.grad(loss)(params), opt_state)
            params = optax.apply_updates(params, updates)
            ended = batch.info["returned_episode"]
            metric = jax.tree.map(
                lambda x: (x * ended).sum() / jnp.maximum(ended.sum(), 1), batch.info
            )
            metric["episodes"] = ended.sum()
            return (params, opt_state, env_state, last_obs, rng), metric

        runner = (params, tx.init(params), env_state, obs, rng)
        _, metrics = jax.lax.scan(update_step, runner, None, config["NUM_UPDATES"])
        return metrics

    return train


def main():
    package, name = sys.argv[1:]
    if package == "craftax":
        from craftax.craftax_env import make_craftax_env_from_name as make
    else:
        from crafter.batch.jax import make
    metrics = jax.jit(make_train(CONFIG, make, name))(jax.random.PRNGKey(0))
    episodes = metrics["episodes"]

    def mean(name):
        return float((metrics[name] * episodes).sum() / episodes.sum())

    shown = {
        "episodes": float(episodes.sum()),
        "return": mean("returned_episode_returns"),
        "length": mean("returned_episode_lengths"),
        "achievements": sorted(k for k in metrics if "achievements" in k.lower()),
    }
    print(json.dumps(shown))


if __name__ == "__main__":
    main()

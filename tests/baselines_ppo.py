"""PPO with optimistic resets, as the Craftax baselines are written.

    python tests/baselines_ppo.py craftax
    python tests/baselines_ppo.py crafter

Nothing but the import differs between the packages: the test runs it with ours, and
with Craftax it shows that the script is what people write for it. It brings wrappers of
its own, as the published package has none.
"""

import json
import sys
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

NAME = "Craftax-Symbolic-v1"
CONFIG = {
    "NUM_ENVS": 16,
    "RESET_RATIO": 8,
    "NUM_STEPS": 8,
    "NUM_UPDATES": 2,
    "UPDATE_EPOCHS": 2,
    "NUM_MINIBATCHES": 2,
    "LAYER_SIZE": 32,
    "LR": 2e-4,
    "GAMMA": 0.99,
    "GAE_LAMBDA": 0.8,
    "CLIP_EPS": 0.2,
    "ENT_COEF": 0.01,
    "VF_COEF": 0.5,
    "MAX_GRAD_NORM": 1.0,
    "MAX_TIMESTEPS": 6,
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

    def reset(self, key, params=None):
        obs, env_state = self._env.reset(key, params)
        return obs, LogState(
            env_state, jnp.float32(0), jnp.int32(0), jnp.float32(0), jnp.int32(0)
        )

    def step(self, key, state, action, params=None):
        obs, env_state, reward, done, info = self._env.step(
            key, state.env_state, action, params
        )
        total, length = state.episode_return + reward, state.episode_length + 1
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


class OptimisticResets:
    """Makes one world for `ratio` games in every step, for those that end in it."""

    def __init__(self, env, num_envs, ratio):
        self._env, self._num_envs, self._ratio = env, num_envs, ratio

    def __getattr__(self, name):
        return getattr(self._env, name)

    def reset(self, key, params=None):
        keys = jax.random.split(key, self._num_envs)
        return jax.vmap(self._env.reset, in_axes=(0, None))(keys, params)

    def step(self, key, state, action, params=None):
        step_key, reset_key, choice_key = jax.random.split(key, 3)
        step_keys = jax.random.split(step_key, self._num_envs)
        obs, state, reward, done, info = jax.vmap(
            self._env.step, in_axes=(0, 0, 0, None)
        )(step_keys, state, action, params)
        worlds = self._num_envs // self._ratio
        fresh = jax.vmap(self._env.reset, in_axes=(0, None))(
            jax.random.split(reset_key, worlds), params
        )
        # Every game has the world of its block, and some ended ones one each.
        index = jnp.arange(self._num_envs) // self._ratio
        ended = jax.random.choice(
            choice_key,
            jnp.arange(self._num_envs),
            (worlds,),
            replace=False,
            p=(done + 1e-6) / (done + 1e-6).sum(),
        )
        index = index.at[ended].set(jnp.arange(worlds))

        def select(new, old):
            return jnp.where(
                done.reshape(-1, *[1] * (old.ndim - 1)), new[index], old
            ).astype(old.dtype)

        obs, state = jax.tree.map(select, fresh, (obs, state))
        return obs, state, reward, done, info


class Transition(NamedTuple):
    done: jax.Array
    action: jax.Array
    value: jax.Array
    reward: jax.Array
    log_prob: jax.Array
    obs: jax.Array
    info: Any


def dense(key, inputs, outputs):
    make = jax.nn.initializers.orthogonal()
    return make(key, (inputs, outputs), jnp.float32), jnp.zeros(outputs)


def init_network(key, obs_size, actions, width):
    sizes = [(obs_size, width), (width, width), (width, actions), (width, 1)]
    return [dense(k, *size) for k, size in zip(jax.random.split(key, 4), sizes)]


def network(params, obs):
    first, second, actor, critic = params
    for w, b in (first, second):
        obs = jnp.tanh(obs @ w + b)
    logits = jax.nn.log_softmax(obs @ actor[0] + actor[1])
    return logits, (obs @ critic[0] + critic[1])[..., 0]


def take_action(logits, action):
    return jnp.take_along_axis(logits, action[..., None], -1)[..., 0]


def estimate_advantages(config, batch, last_value):
    def backwards(carry, row):
        advantage, following = carry
        alive = 1 - row.done
        delta = row.reward + config["GAMMA"] * following * alive - row.value
        decay = config["GAMMA"] * config["GAE_LAMBDA"]
        advantage = delta + decay * alive * advantage
        return (advantage, row.value), advantage

    start = jnp.zeros_like(last_value), last_value
    return jax.lax.scan(backwards, start, batch, reverse=True)[1]


def ppo_loss(config, logits, value, batch, advantages):
    targets = advantages + batch.value
    clip = config["CLIP_EPS"]
    clipped = batch.value + (value - batch.value).clip(-clip, clip)
    error = jnp.maximum((value - targets) ** 2, (clipped - targets) ** 2).mean()
    ratio = jnp.exp(take_action(logits, batch.action) - batch.log_prob)
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = jnp.minimum(ratio * scaled, ratio.clip(1 - clip, 1 + clip) * scaled)
    entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
    return config["VF_COEF"] * error - gain.mean() - config["ENT_COEF"] * entropy


def optimizer(config):
    updates = (
        config["NUM_UPDATES"] * config["UPDATE_EPOCHS"] * config["NUM_MINIBATCHES"]
    )
    return optax.chain(
        optax.clip_by_global_norm(config["MAX_GRAD_NORM"]),
        optax.adam(optax.linear_schedule(config["LR"], 0.0, updates), eps=1e-5),
    )


def mean_over_episodes(info):
    """Returns the means of infos over the steps that ended an episode."""
    ended = info["returned_episode"]
    count = ended.sum()
    metric = jax.tree.map(lambda x: (x * ended).sum() / jnp.maximum(count, 1), info)
    metric["episodes"] = count
    return metric


def make_env(config, make):
    env = make(NAME, auto_reset=False)
    env_params = env.default_params.replace(max_timesteps=config["MAX_TIMESTEPS"])
    env = OptimisticResets(LogWrapper(env), config["NUM_ENVS"], config["RESET_RATIO"])
    return env, env_params


def make_train(config, make):
    env, env_params = make_env(config, make)
    tx = optimizer(config)

    def env_step(runner, _):
        params, opt_state, env_state, last_obs, rng = runner
        rng, act_rng, step_rng = jax.random.split(rng, 3)
        logits, value = network(params, last_obs)
        action = jax.random.categorical(act_rng, logits)
        obs, env_state, reward, done, info = env.step(
            step_rng, env_state, action, env_params
        )
        log_prob = take_action(logits, action)
        transition = Transition(done, action, value, reward, log_prob, last_obs, info)
        return (params, opt_state, env_state, obs, rng), transition

    def update_minibatch(carry, minibatch):
        params, opt_state = carry
        batch, advantages = minibatch

        def loss(params):
            return ppo_loss(config, *network(params, batch.obs), batch, advantages)

        updates, opt_state = tx.update(jax.grad(loss)(params), opt_state)
        return (optax.apply_updates(params, updates), opt_state), None

    def update_epoch(carry, key):
        params, opt_state, batch, advantages = carry
        size = config["NUM_STEPS"] * config["NUM_ENVS"]
        order = jax.random.permutation(key, size)

        def shuffle(x):
            x = x.reshape(size, *x.shape[2:])[order]
            return x.reshape(config["NUM_MINIBATCHES"], -1, *x.shape[1:])

        minibatches = jax.tree.map(shuffle, (batch._replace(info={}), advantages))
        (params, opt_state), _ = jax.lax.scan(
            update_minibatch, (params, opt_state), minibatches
        )
        return (params, opt_state, batch, advantages), None

    def update_step(runner, _):
        runner, batch = jax.lax.scan(env_step, runner, None, config["NUM_STEPS"])
        params, opt_state, env_state, last_obs, rng = runner
        _, last_value = network(params, last_obs)
        advantages = estimate_advantages(config, batch, last_value)
        rng, *keys = jax.random.split(rng, config["UPDATE_EPOCHS"] + 1)
        carry = params, opt_state, batch, advantages
        (params, opt_state, *_), _ = jax.lax.scan(update_epoch, carry, jnp.stack(keys))
        runner = params, opt_state, env_state, last_obs, rng
        return runner, mean_over_episodes(batch.info)

    def train(rng):
        rng, net_rng, reset_rng = jax.random.split(rng, 3)
        params = init_network(
            net_rng,
            env.observation_space(env_params).shape[0],
            env.action_space(env_params).n,
            config["LAYER_SIZE"],
        )
        obs, env_state = env.reset(reset_rng, env_params)
        runner = params, tx.init(params), env_state, obs, rng
        return jax.lax.scan(update_step, runner, None, config["NUM_UPDATES"])

    return train


def run(make_train):
    """Trains with the package named on the command line, and prints what came of it."""
    if sys.argv[1] == "craftax":
        from craftax.craftax_env import make_craftax_env_from_name as make
    else:
        from crafter.games.craftax.jax import make_craftax_env_from_name as make
    runner, metrics = jax.jit(make_train(CONFIG, make))(jax.random.PRNGKey(0))
    weights = jax.tree.leaves(runner[0])
    shown = {
        "episodes": metrics["episodes"].tolist(),
        "lengths": metrics["returned_episode_lengths"].tolist(),
        "returns": metrics["returned_episode_returns"].tolist(),
        "finite": all(bool(jnp.isfinite(w).all()) for w in weights),
        "infos": sorted(metrics),
    }
    print(json.dumps(shown))


if __name__ == "__main__":
    run(make_train)

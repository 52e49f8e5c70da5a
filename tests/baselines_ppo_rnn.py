"""PPO with a memory and optimistic resets, as the Craftax baselines are written.

    python tests/baselines_ppo_rnn.py craftax
    python tests/baselines_ppo_rnn.py crafter

As `baselines_ppo`, with a GRU that forgets where an episode begins, whole sequences as
minibatches, and the wrappers of this package for both.
"""

import baselines_ppo
import jax
import jax.numpy as jnp
import optax
from baselines_ppo import (
    NAME,
    Transition,
    dense,
    estimate_advantages,
    mean_over_episodes,
    optimizer,
    ppo_loss,
    take_action,
)
from crafter.batch.jax import LogWrapper, OptimisticResetVecEnvWrapper


def init_network(key, obs_size, actions, width):
    sizes = {
        "embed": (obs_size, width),
        "gates": (2 * width, 2 * width),
        "candidate": (2 * width, width),
        "actor": (width, actions),
        "critic": (width, 1),
    }
    keys = jax.random.split(key, len(sizes))
    return {name: dense(k, *sizes[name]) for k, name in zip(keys, sizes)}


def apply(layer, x):
    return x @ layer[0] + layer[1]


def recur(params, memory, row):
    """Returns the memory after one observation, twice, as scans want it."""
    embedded, begins = row
    memory = jnp.where(begins[:, None], 0, memory)
    both = jnp.concatenate([memory, embedded], -1)
    update, reset = jnp.split(jax.nn.sigmoid(apply(params["gates"], both)), 2, -1)
    both = jnp.concatenate([reset * memory, embedded], -1)
    candidate = jnp.tanh(apply(params["candidate"], both))
    memory = update * memory + (1 - update) * candidate
    return memory, memory


def network(params, memory, obs, begins):
    """Returns the last memory, and log-probabilities and values (steps, games)."""
    embedded = jnp.tanh(apply(params["embed"], obs))
    memory, features = jax.lax.scan(
        lambda memory, row: recur(params, memory, row), memory, (embedded, begins)
    )
    logits = jax.nn.log_softmax(apply(params["actor"], features))
    return memory, logits, apply(params["critic"], features)[..., 0]


def make_env(config, make):
    env = LogWrapper(make(NAME, auto_reset=False))
    env_params = env.default_params.replace(max_timesteps=config["MAX_TIMESTEPS"])
    games, ratio = config["NUM_ENVS"], config["RESET_RATIO"]
    return OptimisticResetVecEnvWrapper(env, games, ratio), env_params


def make_train(config, make):
    env, env_params = make_env(config, make)
    tx = optimizer(config)

    def act(params, memory, obs, begins):
        memory, logits, value = network(params, memory, obs[None], begins[None])
        return memory, logits[0], value[0]

    def env_step(runner, _):
        params, opt_state, env_state, last_obs, begins, memory, rng = runner
        rng, act_rng, step_rng = jax.random.split(rng, 3)
        memory, logits, value = act(params, memory, last_obs, begins)
        action = jax.random.categorical(act_rng, logits)
        obs, env_state, reward, done, info = env.step(
            step_rng, env_state, action, env_params
        )
        log_prob = take_action(logits, action)
        transition = Transition(done, action, value, reward, log_prob, last_obs, info)
        runner = params, opt_state, env_state, obs, done, memory, rng
        return runner, (transition, begins)

    def update_minibatch(carry, minibatch):
        params, opt_state = carry
        memory, begins, batch, advantages = minibatch

        def loss(params):
            _, logits, value = network(params, memory[0], batch.obs, begins)
            return ppo_loss(config, logits, value, batch, advantages)

        updates, opt_state = tx.update(jax.grad(loss)(params), opt_state)
        return (optax.apply_updates(params, updates), opt_state), None

    def update_epoch(carry, key):
        params, opt_state, data = carry
        order = jax.random.permutation(key, config["NUM_ENVS"])

        def shuffle(x):
            x = x[:, order].reshape(
                x.shape[0], config["NUM_MINIBATCHES"], -1, *x.shape[2:]
            )
            return x.swapaxes(0, 1)

        (params, opt_state), _ = jax.lax.scan(
            update_minibatch, (params, opt_state), jax.tree.map(shuffle, data)
        )
        return (params, opt_state, data), None

    def update_step(runner, _):
        first_memory = runner[5]
        runner, (batch, began) = jax.lax.scan(
            env_step, runner, None, config["NUM_STEPS"]
        )
        params, opt_state, env_state, last_obs, begins, memory, rng = runner
        _, _, last_value = act(params, memory, last_obs, begins)
        advantages = estimate_advantages(config, batch, last_value)
        rng, *keys = jax.random.split(rng, config["UPDATE_EPOCHS"] + 1)
        data = first_memory[None], began, batch._replace(info={}), advantages
        (params, opt_state, _), _ = jax.lax.scan(
            update_epoch, (params, opt_state, data), jnp.stack(keys)
        )
        runner = params, opt_state, env_state, last_obs, begins, memory, rng
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
        begins = jnp.ones(config["NUM_ENVS"], bool)
        memory = jnp.zeros((config["NUM_ENVS"], config["LAYER_SIZE"]))
        runner = params, tx.init(params), env_state, obs, begins, memory, rng
        return jax.lax.scan(update_step, runner, None, config["NUM_UPDATES"])

    return train


if __name__ == "__main__":
    baselines_ppo.run(make_train)

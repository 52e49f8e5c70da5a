"""A minimal JAX game that uses every feature of the environment interface."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.env import Env, achievement_infos

LEFT, STAY, RIGHT = range(3)


class Params(NamedTuple):
    max_timesteps: int | jax.Array = 20

    def replace(self, **changes: Any) -> Params:
        return self._replace(**changes)


class State(NamedTuple):
    """Position of the walker, its goal, and the steps taken."""

    place: jax.Array
    goal: jax.Array
    step: jax.Array
    noise_seed: jax.Array = np.uint32(0)


class Walk(Env[State, Params]):
    """A walk along a line from position 0; each world has its own goal to the right."""

    def __init__(self, auto_reset: bool = True, action_masks: str | None = None):
        self.name, self.num_actions, self.auto_reset = "Walk-v1", 3, auto_reset
        self.action_masks = action_masks

    @property
    def default_params(self) -> Params:
        return Params()

    def _sample(self, words: jax.Array, params: Params) -> jax.Array:
        return 2 + (words[0] % 198).astype(jnp.int32)

    def _start(self, level: jax.Array, params: Params) -> State:
        return State(jnp.int32(0), level, jnp.int32(0))

    def _step(
        self, words: jax.Array, state: State, action: jax.Array, params: Params
    ) -> tuple[State, jax.Array]:
        place = state.place + jnp.asarray(action, jnp.int32) - 1
        state = state._replace(place=jnp.maximum(place, 0), step=state.step + 1)
        return state, jnp.float32(0.5) * (state.place == state.goal)

    def _observe(self, state: State) -> jax.Array:
        seen = jnp.stack([state.place, state.goal, state.step])
        return jnp.minimum(seen, 255).astype(jnp.uint8)

    def _mask(self, state: State, params: Params) -> jax.Array:
        moves = jnp.stack([state.place > 0, True, True])  # cannot move left of 0
        return moves.astype(jnp.int8)

    def _terminated(self, state: State, params: Params) -> jax.Array:
        return state.place == state.goal

    def _truncated(self, state: State, params: Params) -> jax.Array:
        return state.step >= params.max_timesteps

    def _info(self, state: State, done: jax.Array) -> dict[str, Any]:
        reached = jnp.stack([state.place > 0, state.place == state.goal])
        return {
            "place": state.place,
            **achievement_infos(["leave", "arrive"], reached, done),
        }

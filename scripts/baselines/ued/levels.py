"""Games in given levels, and sources of levels."""

import functools
from collections.abc import Callable
from typing import Any

import jax

import crafter.games.craftax.jax.levels as craftax_levels
import crafter.games.crafter.jax.levels as crafter_levels
from baselines import games
from crafter.core.arguments import find_callable
from crafter.functional.wrappers import AutoResetEnvWrapper, Wrapper

MODULES = {"crafter": crafter_levels, "craftax": craftax_levels}
MUTATIONS = ("noise", "swap", "rswap")
#: Generates a level from a key.
Maker = Callable[[jax.Array], Any]


class OneLevel(Wrapper):
    """Environment whose episodes all start in one level, passed as parameters.

    Args:
        env: The environment.
        limit: Steps after which an episode is truncated, or `None` for its own limit.
    """

    def __init__(self, env: Any, limit: int | None) -> None:
        super().__init__(env)
        params = env.default_params
        self._params = params.replace(max_timesteps=limit) if limit else params

    def reset(self, key: jax.Array, level: Any) -> tuple[Any, Any]:
        """Starts an episode in the level."""
        return self.env.reset_to_level(key, level, self._params)

    def step(self, key: jax.Array, state: Any, action: jax.Array, level: Any) -> Any:
        """Plays one step."""
        return self.env.step(key, state, action, self._params)


class InLevel(Wrapper):
    """Environment whose state includes the level in which all episodes start."""

    def reset(self, key: jax.Array) -> tuple[Any, Any]:
        """Starts an episode in a random level."""
        return self.start(key, self.env.sample_level(key))

    def start(self, key: jax.Array, level: Any) -> tuple[Any, Any]:
        """Starts an episode in a level."""
        obs, game = self.env.reset(key, level)
        return obs, (game, level)

    def step(self, key: jax.Array, state: Any, action: jax.Array, _: Any = None) -> Any:
        """Plays one step, and restarts the same level at the end of an episode."""
        game, level = state
        obs, game, *rest = self.env.step(key, game, action, level)
        return obs, (game, level), *rest

    step_env = step


class LevelGames(games.JaxGames):
    """Games that can be started in levels.

    Args:
        env: The environment, without auto-reset.
        mesh: The devices.
        count: Number of games.
        limit: See `OneLevel`.
    """

    def __init__(
        self, env: Any, mesh: Any, count: int, limit: int | None = None
    ) -> None:
        super().__init__(
            InLevel(AutoResetEnvWrapper(OneLevel(env, limit))), mesh, count
        )

    def start(self, key: jax.Array, levels: Any) -> tuple[jax.Array, Any]:
        """Starts each game in its level."""
        keys = jax.random.split(key, self._count)
        return jax.vmap(self._env.start)(keys, levels)


def maker(args: Any, env: Any) -> Maker:
    """Returns the source of new levels: the generator, or `--levels`."""
    if args.levels is None:
        return env.sample_level
    return functools.partial(find_callable(args.levels), env)


def changer(args: Any, env: Any) -> Callable[[jax.Array, Any], Any]:
    """Returns the level mutation of `--mutate`, a function of a key and a level."""
    change = getattr(MODULES[args.game], f"mutate_{args.mutate}")
    edits = {} if args.edits is None else {"edits": args.edits}
    return functools.partial(change, env.config, **edits)

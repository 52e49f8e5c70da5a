"""World generation: draws all random numbers, then applies deterministic rules.

The draws and their names are those of `crafter.games.craftax.worldgen`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import random
from crafter.functional.arrays import pick
from crafter.games.craftax import worldgen
from crafter.games.craftax.jax import ladders, light, rooms, terrain
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, EnvParams, State, empty
from crafter.games.craftax.tables import load

Draws = dict[str, jax.Array]

_FIRST_USE = 128  # first argument of `random.bits`
_SMOOTH, _BUILT = (
    np.array([load().floor_names.index(name) for name in kind.floors])
    for kind in (terrain.TERRAIN, rooms.BUILT)
)
# Floors in generation order -> floor indices, and back.
_ORDER = np.argsort(np.concatenate([_SMOOTH, _BUILT]))


class Level(NamedTuple):
    """A world before the first step, and its draws.

    Attributes:
      cells: Blocks and items, uint8 (F, S, S); see `tables.ITEM_SHIFT`.
      dark_light: Light of the dark floors, float32 (dark floors, S, S).
      down_ladders: Cells of the ladders down, int16 (F, 2).
      up_ladders: Cells of the ladders up, where the player arrives, int16 (F, 2).
      potion_mapping: Colour of a potion -> effect id, int8 (colours,).
      words: Random words of all draws, uint32 (4,).
      angles: Gradient directions of each noise in turns, in the order of
        `terrain.TERRAIN.noises`, float32 (floors with noise, a, b).
    """

    cells: jax.Array
    dark_light: jax.Array
    down_ladders: jax.Array
    up_ladders: jax.Array
    potion_mapping: jax.Array
    words: jax.Array
    angles: tuple[jax.Array, ...]


#: Fields of a level that the state includes.
OF_STATE = Level._fields[:-2]


def sample(config: Config, params: EnvParams, words: jax.Array) -> Level:
    """Generates a random level.

    Args:
      config: Static configuration.
      params: Dynamic parameters.
      words: Words from `random.words`.
    """
    return generate(config, params, draw(config, params, words), words)


def with_angles(
    config: Config, params: EnvParams, level: Level, angles: tuple[jax.Array, ...]
) -> Level:
    """Regenerates a level with other gradients and the same other draws.

    Args:
      config: Static configuration.
      params: Dynamic parameters.
      level: A level.
      angles: See `Level`.
    """
    draws = draw(config, params, level.words)
    draws |= dict(zip(map(_angle, terrain.TERRAIN.noises), angles))
    return generate(config, params, draws, level.words)


def _angle(noise: str) -> str:
    """Returns the draw name of a noise's gradient directions."""
    return f"smooth.{noise}_angle"


def draw(config: Config, params: EnvParams, words: jax.Array) -> Draws:
    """Draws all random values of a world.

    Args:
      config: Static configuration.
      params: Dynamic parameters, which may set gradient directions.
      words: Words from `random.words`.
    """
    table = worldgen.draw_table(config.tables, terrain.TERRAIN, config.size)
    shapes = {draw.name: draw.shape for draw in table}
    side = config.size // rooms.RULES["chunk"]
    shapes["room.chunk"] = (len(_BUILT), side**2)
    reals = random.fill(shapes, words, _FIRST_USE)
    return reals | _convert_draws(reals, side) | _given_angles(params, shapes)


def _convert_draws(reals: Draws, side: int) -> Draws:
    """Converts uniforms in [0, 1) to the non-uniform draws."""
    (least, most), (near, far) = rooms.RULES["size"], rooms.RULES["offset"]
    size = least + pick(reals["room.size"], most - least + 1)
    chunks = jnp.argsort(reals["room.chunk"], axis=-1)[:, : rooms.ROOMS]
    chunks = jnp.pad(chunks, ((0, 0), (0, rooms.ROOMS - chunks.shape[1])))
    earlier = pick(
        reals["room.corridor_to"], np.arange(1, rooms.ROOMS + 1, dtype=np.int32)
    )
    picked = {
        "room.size": size,
        "room.chunk": jnp.stack([chunks // side, chunks % side], -1),
        "room.offset": near + pick(reals["room.offset"], far - near + 1),
        # The last room, or an earlier one in the list.
        "room.corridor_to": jnp.where(earlier == 0, rooms.ROOMS - 1, earlier - 1),
        "room.rare": reals["room.rare"] < np.float32(rooms.RULES["rare"]),
        "potion_mapping": jnp.argsort(reals["potion_mapping"]),
    }
    for name in ("room.chest_offset", "room.fountain_offset"):
        picked[name] = 1 + pick(reals[name], size - 2)  # inside the border
    return picked


def _given_angles(params: EnvParams, shapes: Mapping[str, tuple[int, ...]]) -> Draws:
    """Returns the draws replaced by given gradient directions."""
    given = {}
    for name, angles in zip(
        map(_angle, terrain.TERRAIN.noises), params.fractal_noise_angles
    ):
        if angles is not None:
            shape = shapes[name]
            if jnp.shape(angles) != shape[1:]:
                raise ValueError(
                    f"Expected angles of shape {shape[1:]} for {name}, got "
                    f"{jnp.shape(angles)}."
                )
            angles = jnp.asarray(angles, jnp.float32)
            given[name] = jnp.broadcast_to(angles, shape)
    return given


def generate(
    config: Config, params: EnvParams, draws: Mapping[str, jax.Array], words: jax.Array
) -> Level:
    """Generates a level from its draws.

    Args:
      config: Static configuration.
      params: Dynamic parameters, with `always_diamond`.
      draws: Result of `draw`; `smooth.diamond_u` is used only with `always_diamond`.
      words: Random words of the draws.
    """
    land, lava = terrain.generate(config, draws, params.always_diamond)
    built, items = rooms.generate(config, draws)
    blocks = jnp.concatenate([land, built])[_ORDER]
    items = jnp.concatenate([jnp.zeros_like(land), items])[_ORDER]
    ways = [
        jnp.concatenate([draws[f"{kind}.{name}"] for kind in ("smooth", "room")])
        for name in ("ladder_down_u", "ladder_up_u")
    ]
    items, cells = ladders.place(config, blocks, items, jnp.stack(ways, 1)[_ORDER])
    shines = lava & terrain.TERRAIN.glows()[:, None, None]
    dark = np.array(t.DARK_FLOORS)
    shines = shines[np.searchsorted(_SMOOTH, dark)]
    return Level(
        cells=(blocks | items << t.ITEM_SHIFT).astype(jnp.uint8),
        dark_light=light.generate(config, cells[dark, 1], shines),
        down_ladders=cells[:, 0].astype(jnp.int16),
        up_ladders=cells[:, 1].astype(jnp.int16),
        potion_mapping=draws["potion_mapping"].astype(jnp.int8),
        words=words,
        angles=tuple(draws[_angle(name)] for name in terrain.TERRAIN.noises),
    )


def start(config: Config, params: EnvParams, level: Level) -> State:
    """Returns the initial state of an episode in a level."""
    state = empty(config)
    god = config.tables.per_item(lambda row: min(row["god"], row["max"]))
    items = god.astype(np.int16)
    return state._replace(
        **{name: getattr(level, name) for name in OF_STATE},
        items=jnp.where(jnp.asarray(params.god_mode), items, state.items),
        light_level=light.daylight(config, state.timestep, params.day_length),
    )

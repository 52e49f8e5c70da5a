"""Renders recorded states with the renderer of Craftax 1.6.1."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

LAYERS = ("map", "item_map", "mob_map", "light_map")

State = dict[str, np.ndarray]


def states(path: Path) -> Iterator[State]:
    """Yield the states before the recorded transitions of a file."""
    with np.load(path) as archive:
        data = {key: archive[key] for key in archive.files}
    ends = np.cumsum(data["before_cell_count"])
    for number, end in enumerate(ends):
        state = {
            key.removeprefix("before."): values[number]
            for key, values in data.items()
            if key.startswith("before.")
        }
        world = data["world_index"][number]
        for name in ("map", "item_map", "light_map"):
            state[name] = data[f"world_{name}"][world].copy()
        state["mob_map"] = np.zeros(state["map"].shape, bool)
        part = slice(end - data["before_cell_count"][number], end)
        cells, values = data["before_cell_index"][part], data["before_cell_value"][part]
        for layer, name in enumerate(LAYERS):
            own = data["before_cell_layer"][part] == layer
            state[name].flat[cells[own]] = values[own]
        yield state


def night_noise(key: Any, shape: tuple[int, int]) -> np.ndarray:
    """Return the grey levels of the published renderer's night noise."""
    return np.asarray(jax.random.uniform(key, shape) * 95 + 32)


def as_published(types: Any, state: State, key: Any) -> Any:
    """Convert a state to the published package's state.

    Args:
        types: Its module `craftax_state`.
        state: Field -> array.
        key: Random key of the state; only the night noise depends on it.
    """
    nested: dict[str, Any] = {"state_rng": key}
    for name, value in state.items():
        head, _, tail = name.partition(".")
        whole = value.astype(np.int32) if value.dtype == np.uint8 else value
        if tail:
            nested.setdefault(head, {})[tail] = jnp.asarray(whole)
        else:
            nested[head] = jnp.asarray(whole)
    kinds = {"inventory": types.Inventory}
    for name, part in nested.items():
        if isinstance(part, dict):
            nested[name] = kinds.get(name, types.Mobs)(**part)
    return types.EnvState(**nested)


class Published:
    """The published renderer.

    Args:
        assets: Folder of the images to read; it must be named `assets`.
        block_pixels: Width and height of a cell in pixels.
        with_noise: Whether nights are noisy.
    """

    def __init__(self, assets: Path, block_pixels: int, with_noise: bool) -> None:
        from craftax.craftax import constants, craftax_state, renderer

        # It looks for images beside this file, and caches those of three sizes.
        constants.__file__ = str(assets.parent / "constants.py")
        images = constants.load_all_textures_given_size(block_pixels)
        renderer.load_all_textures = lambda: {block_pixels: images}
        self._types = craftax_state
        self._render: Callable[[Any], Any] = jax.jit(
            renderer.make_craftax_pixel_renderer(block_pixels, with_noise)
        )

    def frame(self, state: State, key: Any) -> np.ndarray:
        """Draw a state; floats from 0 to 255."""
        return np.asarray(self._render(as_published(self._types, state, key)))

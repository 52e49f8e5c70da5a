"""Compares our frames of the larger game with those of Craftax 1.6.1.

    python scripts/compare_craftax_pixels.py tests/golden/craftax/steps-*.npz

Craftax is installed into a folder of its own. Every state of the files is drawn twice,
by its renderer and by ours with its images as a texture pack, the noise of the night
being the same. Its pixels are real numbers and ours are rounded, so that they differ by
up to half a grey level.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from reference.server import default_folder

from crafter.craftax import fields, parameters, tables
from crafter.craftax.textures import Textures
from crafter.craftax.views import FrameView

VERSION = "1.6.1"
LAYERS = ("map", "item_map", "mob_map", "light_map")

State = dict[str, np.ndarray]


def install(folder: Path) -> Path:
    """Install Craftax, unless the folder has it, and return where its images are."""
    if not any(folder.glob(f"craftax-{VERSION}.dist-info")):
        command = [sys.executable, "-m", "pip", "install", "--quiet"]
        requirement = f"craftax=={VERSION}"
        subprocess.run([*command, "--target", str(folder), requirement], check=True)
    sys.path.append(str(folder))  # Our own packages come first.
    return folder / "craftax" / "craftax" / "assets"


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


class Published:
    """The published renderer.

    Args:
      block_pixels: Width and height of a cell in pixels.
      with_noise: Whether nights are noisy.
    """

    def __init__(self, block_pixels: int, with_noise: bool) -> None:
        from craftax.craftax import (  # type: ignore[import-not-found]
            craftax_state,
            renderer,
        )

        self._types = craftax_state
        self._render: Callable[[Any], Any] = jax.jit(
            renderer.make_craftax_pixel_renderer(block_pixels, with_noise)
        )

    def frame(self, state: State, key: Any) -> np.ndarray:
        """Draw a state, float32 from 0 to 255."""
        nested: dict[str, Any] = {}
        for name, value in state.items():
            head, _, tail = name.partition(".")
            whole = value.astype(np.int32) if value.dtype == np.uint8 else value
            if tail:
                nested.setdefault(head, {})[tail] = jnp.asarray(whole)
            else:
                nested[head] = jnp.asarray(whole)
        kinds = {"inventory": self._types.Inventory}
        for name, part in nested.items():
            if isinstance(part, dict):
                nested[name] = kinds.get(name, self._types.Mobs)(**part)
        return np.asarray(self._render(self._types.EnvState(**nested, state_rng=key)))


class Ours:
    """Our renderer, with published images."""

    def __init__(self, block_pixels: int, assets: Path) -> None:
        self._view = FrameView(block_pixels, Textures(assets))
        self._tables = tables.load()
        self._parameters = parameters.make(self._tables.data["parameters"], {})

    def frame(self, state: State, key: Any, with_noise: bool) -> np.ndarray:
        """Draw a state, uint8."""
        world, player = fields.restore(state, self._tables, self._parameters)
        noise = None
        if with_noise:
            uniforms = jax.random.uniform(key, self._view.noise_shape)
            noise = np.asarray(uniforms * 95 + 32)
        return self._view(world, player, noise)


def compare(
    paths: list[Path], assets: Path, block_pixels: int, with_noise: bool, every: int
) -> float:
    """Draw states both ways and print how far the pixels differ.

    Returns:
      The largest difference in grey levels of 0 ... 255.
    """
    published = Published(block_pixels, with_noise)
    ours = Ours(block_pixels, assets)
    largest = {"day or caves": 0.0, "dusk": 0.0, "night": 0.0}
    counts = dict.fromkeys(largest, 0)
    for path in paths:
        for number, state in enumerate(states(path)):
            if number % every:
                continue
            key = jax.random.key(number)
            theirs = published.frame(state, jax.random.key_data(key))
            mine = ours.frame(state, key, with_noise)
            light = 1.0 if state["player_level"] else float(state["light_level"])
            when = "night" if light < 0.5 else "dusk" if light < 1 else "day or caves"
            difference = float(np.abs(theirs - mine).max())
            largest[when] = max(largest[when], difference)
            counts[when] += 1
    print(f"{block_pixels} pixels a cell, {'' if with_noise else 'no '}noise")
    for when, difference in largest.items():
        print(
            f"  {when:13} {counts[when]:5} states, largest difference {difference:.4f}"
        )
    return max(largest.values())


def main() -> int:
    """Compare, and return 1 if a difference is larger than the rounding."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="recorded transitions")
    parser.add_argument(
        "--folder",
        type=Path,
        default=default_folder().parent / f"craftax-{VERSION}",
        help="where Craftax is or will be installed",
    )
    parser.add_argument("--block-pixels", nargs="+", type=int, default=[10])
    parser.add_argument("--every", type=int, default=1, help="take every n-th state")
    args = parser.parse_args()
    assets = install(args.folder.expanduser())
    worst = [
        compare(args.files, assets, block_pixels, with_noise, args.every)
        for block_pixels in args.block_pixels
        for with_noise in (True, False)
    ]
    return int(max(worst) > 0.51)


if __name__ == "__main__":
    sys.exit(main())

"""Compares our frames of the larger game with those of Craftax 1.6.1.

    python scripts/compare_craftax_pixels.py tests/golden/craftax/steps-*.npz
    python scripts/compare_craftax_pixels.py tests/golden/craftax/steps-*.npz \
        --record tests/golden/craftax/frames.npz

Craftax is installed into a folder of its own. Every state of the files is drawn twice,
by its renderer and by ours with its images as a texture pack, the noise of the night
being the same. Its pixels are real numbers and ours are rounded, so that they differ by
up to half a grey level.

With `--record` a few states are drawn by Craftax with images made from a formula, which
tests can make again, and the frames are kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import jax
import numpy as np
from reference.craftax_frames import (
    Published,
    State,
    import_from,
    night_noise,
    states,
    write_formula_textures,
)
from reference.releases import CRAFTAX, InstallError, cache_folder

from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import GRID, FrameView

ROUNDING = 0.51  # half a level, and the errors of single precision


class Ours:
    """Our renderer, with the images of a folder."""

    def __init__(self, assets: Path, block_pixels: int) -> None:
        self._view = FrameView(block_pixels, Textures(assets))
        self._tables = tables.load()
        self._parameters = parameters.make(self._tables.data["parameters"], {})

    def frame(self, state: State, noise: np.ndarray | None) -> np.ndarray:
        """Draw a state, uint8."""
        world, player = fields.restore(state, self._tables, self._parameters)
        return self._view(world, player, noise)


def time_of_day(state: State) -> str:
    """Tell which rule of light holds for a state."""
    light = 1.0 if state["player_level"] else float(state["light_level"])
    return "night" if light < 0.5 else "dusk" if light < 1 else "day or caves"


def compare(
    paths: list[Path], assets: Path, block_pixels: int, with_noise: bool, every: int
) -> float:
    """Draw states both ways and print how far the pixels differ.

    Returns:
        The largest difference in grey levels of 0 ... 255.
    """
    published = Published(assets, block_pixels, with_noise)
    ours = Ours(assets, block_pixels)
    largest = {"day or caves": 0.0, "dusk": 0.0, "night": 0.0}
    counts = dict.fromkeys(largest, 0)
    shape = GRID[0] * block_pixels, GRID[1] * block_pixels
    for path in paths:
        for number, state in enumerate(states(path)):
            if number % every:
                continue
            key = jax.random.key(number)
            theirs = published.frame(state, jax.random.key_data(key))
            mine = ours.frame(state, night_noise(key, shape) if with_noise else None)
            when = time_of_day(state)
            difference = float(np.abs(theirs - mine).max())
            largest[when] = max(largest[when], difference)
            counts[when] += 1
    print(f"{block_pixels} pixels a cell, {'' if with_noise else 'no '}noise")
    for when, difference in largest.items():
        print(f"  {when}: {counts[when]} states, at most {difference:.4f} levels apart")
    return max(largest.values())


def scenes(paths: list[Path]) -> dict[tuple[Any, ...], tuple[str, int, State]]:
    """Choose the states with most to see, one of each kind."""
    best: dict[tuple[Any, ...], tuple[int, str, int, State]] = {}
    for path in paths:
        for number, state in enumerate(states(path)):
            level = int(state["player_level"])
            kind = (level, bool(state["is_sleeping"]), time_of_day(state))
            seen = busyness(state)
            if kind not in best or seen > best[kind][0]:
                best[kind] = (seen, path.name, number, state)
    return {kind: found[1:] for kind, found in sorted(best.items())}


def busyness(state: State) -> int:
    """Count what is to be seen in the light."""
    level, position = state["player_level"], state["player_position"]
    top, left = np.maximum(position - np.array(GRID) // 2, 0)
    window = np.s_[level, top : top + GRID[0], left : left + GRID[1]]
    lit = state["light_map"][window] > 0.2
    seen = np.unique(state["map"][window][lit]).size
    seen += 2 * np.unique(state["item_map"][window][lit]).size
    for name in ("melee_mobs", "passive_mobs", "ranged_mobs", "mob_projectiles"):
        near = np.abs(state[f"{name}.position"][level] - position) <= (4, 5)
        seen += 2 * int((near.all(-1) & state[f"{name}.mask"][level]).sum())
    return int(seen)


def record(paths: list[Path], published_images: Path, target: Path) -> None:
    """Write frames of a few states, drawn by Craftax with images from a formula.

    The file has the `steps` file and the `number` of each state, whether it was drawn
    with `noise`, the `grey` levels of that, and the `frame`, rounded to whole levels.
    """
    chosen = scenes(paths)
    rows: dict[str, list[Any]] = {"steps": [], "number": [], "noise": [], "frame": []}
    grey = []
    with tempfile.TemporaryDirectory() as folder:
        assets = write_formula_textures(Path(folder), published_images)
        even, noisy = (Published(assets, 10, noise) for noise in (False, True))
        for (_, sleeping, when), (file, number, state) in chosen.items():
            with_noise = when == "night" and not sleeping
            key = jax.random.key(number)
            if with_noise:
                grey.append(night_noise(key, (GRID[0] * 10, GRID[1] * 10)))
            renderer = noisy if with_noise else even
            frame = renderer.frame(state, jax.random.key_data(key))
            values = file, number, with_noise, np.floor(frame + 0.5).astype(np.uint8)
            for name, value in zip(rows, values):
                rows[name].append(value)
    arrays: dict[str, Any] = {name: np.array(values) for name, values in rows.items()}
    np.savez_compressed(target, grey=np.array(grey, np.float32), **arrays)
    print(f"Wrote {len(chosen)} frames to {target}.")


def main() -> int:
    """Compare, and return 1 if a difference is larger than the rounding."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="recorded transitions")
    parser.add_argument(
        "--folder",
        type=Path,
        default=cache_folder() / f"craftax-{CRAFTAX.version}",
        help="where Craftax is or will be installed",
    )
    parser.add_argument("--block-pixels", nargs="+", type=int, default=[10])
    parser.add_argument("--every", type=int, default=1, help="take every n-th state")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write frames only")
    args = parser.parse_args()
    try:
        assets = import_from(CRAFTAX.install(args.folder))
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    if args.record:
        record(args.files, assets, args.record)
        return 0
    worst = [
        compare(args.files, assets, block_pixels, with_noise, args.every)
        for block_pixels in args.block_pixels
        for with_noise in (True, False)
    ]
    return int(max(worst) > ROUNDING)


if __name__ == "__main__":
    sys.exit(main())

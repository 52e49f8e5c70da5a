"""Compares our Craftax frames with those of Craftax 1.6.1.

    python scripts/compare_craftax.py tests/golden/craftax/steps-*.npz

Craftax is installed into its own folder. Every state in the files is drawn twice, by
its renderer and by ours with its images as a texture pack, with the same night noise.
Its pixels are floats and ours are rounded, so they differ by up to half a grey level.

With `--record FILE` the frames of Craftax are stored for the tests, drawn with
procedural textures.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
from reference.craftax_frames import Published, State, night_noise, states
from reference.releases import CRAFTAX, InstallError
from reference.textures import write_textures

from crafter.core.arguments import positive
from crafter.core.options import Table, exit_on, make_parser
from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.textures import Textures
from crafter.games.craftax.views import GRID, FrameView

ROUNDING = 0.51  # half a level, plus float32 error
_RULES = tables.load()
_PARAMETERS = parameters.make(_RULES.data["parameters"], {})

OPTIONS: Table = {
    "folder": (CRAFTAX.folder, Path, "folder of Craftax; created if missing"),
    "block-pixels": (10, positive, "pixels per cell"),
    "every": (1, positive, "use every n-th state"),
    "record": (None, Path, "save the results of Craftax to this file"),
}

#: A file, the index of a state in it, and the state.
Place = tuple[Path, int, State]


def every(args: argparse.Namespace) -> Iterator[Place]:
    """Yields every n-th state of the files."""
    for path in args.files:
        for number, state in enumerate(states(path)):
            if number % args.every == 0:
                yield path, number, state


def time_of_day(state: State) -> str:
    """Returns which lighting rule applies to a state."""
    light = 1.0 if state["player_level"] else float(state["light_level"])
    return "night" if light < 0.5 else "dusk" if light < 1 else "day or caves"


def compare_pixels(args: argparse.Namespace, assets: Path) -> bool:
    """Draws states both ways, prints differences; returns whether all are small."""
    if args.record:
        record(every(args), assets, args.record)
        return True
    worst = 0.0
    for with_noise in (True, False):
        published = Published(assets, args.block_pixels, with_noise)
        view = FrameView(args.block_pixels, Textures(assets))
        shape = GRID[0] * args.block_pixels, GRID[1] * args.block_pixels
        largest: dict[str, list[float]] = {}
        for _, number, state in every(args):
            key = jax.random.key(number)
            theirs = published.frame(state, jax.random.key_data(key))
            noise = night_noise(key, shape) if with_noise else None
            ours = view(*fields.restore(state, _RULES, _PARAMETERS), noise)
            difference = float(np.abs(theirs - ours).max())
            largest.setdefault(time_of_day(state), []).append(difference)
        print(f"{args.block_pixels} pixels a cell, {'' if with_noise else 'no '}noise")
        for when, differences in largest.items():
            most = max(differences)
            print(
                f"  {when}: {len(differences)} states, at most {most:.4f} levels apart"
            )
            worst = max(worst, most)
    return worst <= ROUNDING


def record(places: Iterable[Place], published_images: Path, target: Path) -> None:
    """Writes frames of states, drawn by Craftax with procedural textures.

    The file has the `steps` file and the `number` of each state, whether it was drawn
    with `noise`, the `grey` levels of the noise, and the `frame`, rounded to integers.
    """
    rows: dict[str, list[Any]] = {"steps": [], "number": [], "noise": [], "frame": []}
    grey = []
    with tempfile.TemporaryDirectory() as folder:
        stems = sorted(path.stem for path in published_images.glob("*.png"))
        assets = write_textures(Path(folder) / "assets", stems)
        renderers = [Published(assets, 10, noise) for noise in (False, True)]
        for path, number, state in places:
            noisy = time_of_day(state) == "night" and not bool(state["is_sleeping"])
            key = jax.random.key(number)
            if noisy:
                grey.append(night_noise(key, (GRID[0] * 10, GRID[1] * 10)))
            frame = renderers[noisy].frame(state, jax.random.key_data(key))
            whole = np.floor(frame + 0.5).astype(np.uint8)
            for name, value in zip(rows, (path.name, number, noisy, whole)):
                rows[name].append(value)
    arrays: dict[str, Any] = {name: np.array(values) for name, values in rows.items()}
    np.savez_compressed(target, grey=np.array(grey, np.float32), **arrays)
    print(f"Wrote {len(rows['number'])} frames to {target}.")


def main() -> int:
    """Compares; returns 1 if something differs by more than rounding."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument("files", nargs="+", type=Path, help="recorded transitions")
    args = parser.parse_args()
    with exit_on(parser, InstallError):
        installed = CRAFTAX.install(args.folder)
    sys.path.append(str(installed))  # Our packages take precedence.
    return int(not compare_pixels(args, installed / "craftax" / "craftax" / "assets"))


if __name__ == "__main__":
    sys.exit(main())

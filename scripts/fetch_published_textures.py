"""Bring the images of Crafter 1.8.3 into a folder, to be used as a texture pack.

The images are part of the published package and not of this one. They are taken from
the package, which is downloaded on request from the package index that pip uses:

    python scripts/fetch_published_textures.py DIR
    python -m crafter.run_gui --textures DIR

With this pack, observations are those of the published package to the bit.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from reference.published import VERSION, InstallError, install, texture_folder


class FetchError(RuntimeError):
    """The images could not be put where they were asked for."""


def copy_images(source: Path, folder: Path, force: bool) -> list[Path]:
    """Copy all PNG files of a folder into another.

    Args:
        source: Folder with the images.
        folder: Where to put them; created when missing.
        force: Whether files that are there may be replaced.

    Returns:
        The files written, sorted.

    Raises:
        FetchError: If there are no images, a file is in the way and `force` is not
            given, or the folder cannot be written. Nothing is written in the first two
            cases.
    """
    images = sorted(source.glob("*.png"))
    if not images:
        raise FetchError(f"Expected PNG files in {source}, but there are none.")
    targets = [folder / image.name for image in images]
    present = [target.name for target in targets if target.exists()]
    if present and not force:
        raise FetchError(
            f"{folder} already holds {present[0]} and {len(present) - 1} more of the "
            f"{len(images)} images. Give another folder, or --force to replace them."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for image, target in zip(images, targets):
            shutil.copyfile(image, target)
    except OSError as error:
        raise FetchError(f"Cannot write into {folder}: {error}.") from error
    return targets


def fetch(folder: Path, force: bool, scratch: Path | None = None) -> list[Path]:
    """Bring the published images into a folder.

    Args:
        folder: Where to put them.
        force: Whether files that are there may be replaced.
        scratch: Folder where the published package is or shall be installed; a
            temporary one when None.

    Returns:
        The files written, sorted.

    Raises:
        InstallError: If the published package cannot be brought here.
        FetchError: See `copy_images`.
    """
    with tempfile.TemporaryDirectory() as temporary:
        installed = install(scratch or Path(temporary) / "published")
        return copy_images(texture_folder(installed), folder, force)


def main() -> int:
    """Run the command line program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="where to put them")
    parser.add_argument(
        "--force", action="store_true", help="replace files that are there"
    )
    parser.add_argument(
        "--scratch",
        type=Path,
        metavar="DIR",
        help="folder with an installation to use or keep; by default a temporary one",
    )
    args = parser.parse_args()
    try:
        files = fetch(args.folder.expanduser(), args.force, args.scratch)
    except (InstallError, FetchError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(files)} images of Crafter {VERSION} are in {args.folder}.")
    print(f"Use them with Env(textures={str(args.folder)!r}) or CRAFTER_TEXTURES.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Downloads the images of Crafter 1.8.3 into a folder, for use as a texture pack.

The images are part of the published package and not of this one. They are extracted
from the package, which is downloaded from the package index that pip uses:

    python scripts/fetch_published_textures.py DIR
    python -m crafter.run_gui --textures DIR

With this pack, observations match those of the published package to the bit.
"""

import shutil
from pathlib import Path

from reference.published import texture_folder
from reference.releases import CRAFTER, InstallError

from crafter.core.options import exit_on, make_parser


def main(argv: list[str] | None = None) -> None:
    """Run the command line program."""
    table = {
        "scratch": (CRAFTER.folder, Path, "folder of the package; created if missing")
    }
    parser = make_parser(__doc__, table)
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="new folder for the textures"
    )
    args = parser.parse_args(argv)
    folder = args.folder.expanduser()
    with exit_on(parser, InstallError, OSError):
        source = texture_folder(CRAFTER.install(args.scratch))
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.[!p]*"))
    count = len(list(folder.glob("*.png")))
    print(f"{count} images of {CRAFTER.title} are in {args.folder}.")
    print(f"Use them with Env(textures={str(args.folder)!r}) or CRAFTER_TEXTURES.")


if __name__ == "__main__":
    main()

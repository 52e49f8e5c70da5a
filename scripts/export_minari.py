"""Turns recorded episodes into a Minari data set.

Reads the npz files that `crafter.Recorder` (or the published package) wrote into a
folder, oldest first, all of Crafter or all of Craftax, and makes a data set that
`minari.load_dataset` opens:

    python scripts/export_minari.py ~/logdir/crafter crafter/random-v0

An episode of T steps becomes T + 1 observations and T actions, rewards, terminations
and truncations. The rewards are those of `info['reward']`, so also there when the game
was recorded with `CrafterNoReward-v1`. A step is a termination when its discount is 0,
and the last step is a truncation otherwise.

Needs `pip install crafter[minari]`, Minari 0.5.4 or newer. Data sets live in
`~/.minari/datasets`, or where --output or the variable MINARI_DATASETS_PATH says.
"""

import argparse
import pathlib

from data_sets.minari import (
    add_data_set_options,
    choose_folder,
    export,
    import_minari,
    print_summary,
)
from data_sets.recordings import ExportError, find_episodes, game_of, read_episodes


def main(arguments: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    choose_folder(args.output)
    try:
        minari = import_minari()
        paths = find_episodes(args.directory.expanduser())
        game = game_of(paths)
        episodes = read_episodes(paths, args.include_partial)
        dataset = export(minari, episodes, args.dataset, args, game)
    except (ExportError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    print_summary(dataset)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("directory", type=pathlib.Path, help="folder with recorded npz files")
    add("dataset", help="id of the new data set, as in crafter/random-v0")
    add(
        "--include-partial",
        action="store_true",
        help="also take interrupted episodes; their last step is a truncation",
    )
    add_data_set_options(parser)
    return parser


if __name__ == "__main__":
    main()

"""Converts recorded episodes into a Minari dataset.

Reads npz files written by `crafter.Recorder`, `python -m crafter.run_gui --record` or
the published package, oldest first, all of Crafter or all of Craftax, and creates a
dataset that `minari.load_dataset` opens:

    python scripts/export_minari.py ~/logdir/crafter crafter/random-v0

It also reads task episodes from `crafter-tasks run --record`, and replays them for
--observation. The episode metadata then has `task`, `level`, `agent` and `verdict`, the
`instruction`, the `goal_tree` as integers, and `attempt`, from which
`crafter.tasks.env.replay.begin` starts the episode again:

    crafter-tasks run --suite smoke --agent scout --record --out runs/scout
    python scripts/export_minari.py runs/scout crafter/smoke-scout-v0

An episode of T steps becomes T + 1 observations and T actions, rewards, terminations
and truncations. Rewards are those of `info['reward']`, so they exist even if the game
was recorded with `CrafterNoReward-v1`; in task episodes the reward is 1 on the step
that solves the task. A step is a termination when its discount is 0; otherwise the last
step is a truncation.

Needs `pip install crafter[minari]`, Minari 0.5.4 or newer. Datasets live in
`~/.minari/datasets`, or in --output or MINARI_DATASETS_PATH if given.
"""

import argparse
import copy
import importlib
import os
import pathlib
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from training.run import TrainingError, check_packages

from crafter.core import npz
from crafter.core.options import Table, exit_on, make_parser
from crafter.games.craftax import tables as craftax_tables
from crafter.games.crafter import constants
from crafter.recorder import load_episode, load_game
from crafter.recording.transitions import KEYS, PREFIXES
from crafter.tasks.episodes import demos

Episode = dict[str, np.ndarray]
#: Game, content and metadata of an episode.
Read = tuple[str, Episode, dict[str, Any]]

#: Game -> number of actions, and environment ids for `recover_environment`.
GAMES = {
    "crafter": (len(constants.actions), ("CrafterReward-v1",)),
    "craftax": (
        len(craftax_tables.load().action_names),
        ("Craftax-Symbolic-v1", "Craftax-Pixels-v1"),
    ),
}


#: Errors that end the program with a message.
ERRORS = (ValueError, TypeError, OSError, TrainingError, gymnasium.error.Error)
OPTIONS: Table = {
    "include-partial": (False, None, "also take interrupted episodes, as truncated"),
    "infos": (False, None, "also store the other arrays, T + 1 rows each"),
    "observation": ("pixels", demos.KINDS, "observations of task attempts"),
    "jpeg": (False, None, "store images as JPEG (lossy)"),
    "output": (None, pathlib.Path, "root folder of Minari data sets"),
    "env": (None, str, "id of an environment for recover_environment, or none"),
    "author": (None, str, "author stored with the data set"),
    "algorithm": (None, str, "algorithm stored with the data set"),
}


def main(argv: list[str] | None = None) -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    add = parser.add_argument
    add("directory", type=pathlib.Path, help="folder with npz files, at any depth")
    add("dataset", help="id of the new data set, as in crafter/random-v0")
    args = parser.parse_args(argv)
    if args.output:  # Minari reads it when storing.
        os.environ["MINARI_DATASETS_PATH"] = str(args.output.expanduser().absolute())
    with exit_on(parser, *ERRORS):
        check_packages(("h5py", "minari"), "minari")
        dataset = export(importlib.import_module("minari"), args)
        print(
            f"{dataset.spec.dataset_id}: {dataset.total_episodes} episodes, "
            f"{dataset.total_steps} steps, in {dataset.spec.data_path}"
        )


# Reading.


def _is_saved_game(path: pathlib.Path) -> bool:
    try:
        return bool(npz.read(path, "version"))  # episodes have none
    except ValueError:
        return False


def read_attempts(args: argparse.Namespace) -> Iterator[Read]:
    """Yields task episodes, replayed."""
    for demo in demos.read(args.directory.expanduser(), args.observation):
        about, steps = demo.about, len(demo.actions)
        last = np.arange(steps + 1) == steps
        episode = {
            "image": np.array([*demo.observations, demo.last]),
            "action": np.array([0, *demo.actions], np.int64),
            "reward": (last & demo.solved).astype(np.float32),
            "discount": (~last | (about["reason"] == "timeout")).astype(np.float32),
            "done": last,
        }
        yield demo.attempt.header.game.name, episode, about


def read_episodes(args: argparse.Namespace) -> Iterator[Read]:
    """Yields recorded episodes, which must share game and observation format."""
    first = None
    for path in sorted(args.directory.expanduser().glob("**/[!.]*.npz")):
        if _is_saved_game(path):  # of the app
            continue
        game, episode = load(path)
        if not (episode["done"][-1] or args.include_partial):
            print(f"Skipped {path.name}: it is partial.", file=sys.stderr)
            continue
        forms = {
            key: f"{episode[key].dtype} {episode[key].shape[1:]}"
            for key in ("image", "semantic")
            if key in episode
        }
        first = first or (game, forms)
        if (game, forms) != first:
            raise ValueError(
                "All episodes of a data set must have the same game and form, but "
                f"{path.name} has {(game, forms)} after {first}."
            )
        yield game, episode, {}
    if first is None:
        raise ValueError(
            f"No complete episodes (*.npz) in {args.directory}; --include-partial "
            "adds partial ones."
        )


def load(path: pathlib.Path) -> tuple[str, Episode]:
    """Returns the game and content of an episode."""
    game = load_game(path)
    if game not in GAMES:
        raise ValueError(f"{path} is of the game {game!r}; valid: {list(GAMES)}.")
    return game, load_episode(path)


# Writing.


def export(minari: Any, args: argparse.Namespace) -> Any:
    """Creates a dataset, all or nothing, with one episode in memory at a time."""
    path = data_set_path(minari, args.dataset)
    at_tasks = any(args.directory.expanduser().glob("attempts/*"))
    episodes = (read_attempts if at_tasks else read_episodes)(args)
    first = next(episodes)
    try:
        dataset = create(minari, first, args)
        dataset.storage.update_episode_metadata([first[-1]], [0])
        for number, (_, episode, about) in enumerate(episodes, 1):
            buffer = make_buffer(minari, episode, args.infos)
            dataset.update_dataset_from_buffer([buffer])
            dataset.storage.update_episode_metadata([about], [number])
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise
    return dataset


def data_set_path(minari: Any, name: str) -> pathlib.Path:
    """Returns the path of a new dataset; rejects invalid and existing ids."""
    try:
        minari.dataset.minari_dataset.parse_dataset_id(name)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name!r} is not a data set id; expected name-v0 or namespace/name-v0."
        ) from error
    path: pathlib.Path = minari.storage.datasets_root_dir.get_dataset_path(name)
    if path.exists():
        raise ValueError(
            f"The data set {name} already exists in {path}. Choose another version or "
            f"run `minari delete {name}`."
        )
    return path


def create(minari: Any, first: Read, args: argparse.Namespace) -> Any:
    """Creates the dataset with its first episode."""
    game, episode, about = first
    if about and args.env is None:
        spec = copy.deepcopy(gymnasium.spec(f"{game.title()}Task-v1"))
        spec.kwargs["observation"] = args.observation
    else:
        spec = environment_spec(args.env, game, episode)
    image = episode["image"]
    low, high = (0, 255) if image.dtype == np.uint8 else (-np.inf, np.inf)
    space = gymnasium.spaces.Box(low, high, image.shape[1:], image.dtype.type)
    with warnings.catch_warnings():
        # Minari recommends every field that is missing.
        warnings.filterwarnings("ignore", ".* is set to None", UserWarning)
        warnings.filterwarnings("ignore", "env_spec is None", UserWarning)
        return minari.create_dataset_from_buffers(
            args.dataset,
            [make_buffer(minari, episode, args.infos)],
            env=spec,
            observation_space=space,
            action_space=gymnasium.spaces.Discrete(GAMES[game][0]),
            author=args.author,
            algorithm_name=args.algorithm,
            jpeg_encoding=args.jpeg,
        )


def make_buffer(minari: Any, episode: Episode, infos: bool) -> Any:
    """Returns an episode as a Minari buffer."""
    terminations = episode["discount"][1:] == 0
    truncations = episode["done"][1:] & ~terminations
    truncations[-1] = not terminations[-1]
    return minari.data_collector.EpisodeBuffer(
        observations=episode["image"],
        actions=episode["action"][1:],
        rewards=episode["reward"][1:],
        terminations=terminations,
        truncations=truncations,
        infos=make_infos(episode) if infos else None,
    )


def make_infos(episode: Episode) -> dict[str, Any]:
    """Returns the other recorded fields, under their names in info."""
    infos: dict[str, Any] = {name: {} for name in PREFIXES.values()}
    for key, array in episode.items():
        prefix = next((p for p in PREFIXES if key.startswith(p)), None)
        if prefix:
            infos[PREFIXES[prefix]][key.removeprefix(prefix)] = array
        elif key == "discount" or key not in KEYS:
            infos[key] = array
    return infos


def environment_spec(env_id: str | None, game: str, episode: Episode) -> Any:
    """Returns the spec of an environment with the recorded observations.

    What the files do not contain, such as the view, is as in the id.
    """
    if env_id is not None and env_id.lower() == "none":
        return None
    shape = episode["image"].shape[1:]
    for one in [env_id] if env_id else GAMES[game][1]:
        spec = copy.deepcopy(gymnasium.spec(one))
        if game == "crafter" and len(shape) == 3:
            spec.kwargs["size"] = shape[1::-1]
            spec.kwargs["area"] = episode["semantic"].shape[1:]
        env = gymnasium.make(spec)
        env.close()
        if env.observation_space.shape == shape:
            return env.spec
    if env_id:
        raise ValueError(f"The environment {env_id} has no observations {shape}.")
    print(
        "Exporting without an environment: none has images like these.", file=sys.stderr
    )
    return None


if __name__ == "__main__":
    main()

"""Recorded episodes as a Minari data set."""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import os
import pathlib
import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

from crafter.recording.transitions import KEYS, PREFIXES
from data_sets.recordings import ACTIONS, Episode, ExportError, note


def add_data_set_options(parser: argparse._ActionsContainer) -> None:
    """Add the options of `export`, and --output."""
    add = parser.add_argument
    add("--output", type=pathlib.Path, help="folder of all Minari data sets")
    add(
        "--infos",
        action="store_true",
        help="also store discount, achievements, inventory and what else was recorded, "
        "such as semantic and player_pos, T + 1 rows each; row 0 is the reset, with "
        "zeros if the published package recorded it",
    )
    add(
        "--jpeg",
        action="store_true",
        help="store images as JPEG: smaller, but not the pixels that were recorded",
    )
    add(
        "--env",
        metavar="ID",
        help="id for recover_environment (default: that of the game, in Crafter with "
        "size and area as recorded); 'none' for no environment",
    )
    add("--author", help="who made the data")
    add("--author-email", metavar="EMAIL", help="how to reach the author")
    add("--algorithm", metavar="NAME", help="what played")
    add("--description", help="what the data set is")
    add("--code", metavar="URL", help="the code that made the data")


def choose_folder(output: pathlib.Path | None) -> None:
    """Let Minari use a folder of data sets; without one, it uses that of the user."""
    if output:
        os.environ["MINARI_DATASETS_PATH"] = str(output.expanduser().absolute())


def import_minari() -> Any:
    """Import Minari with its storage, or say what to install."""
    try:
        # Minari stores with h5py, but looks for it only when it stores.
        importlib.import_module("h5py")
        return importlib.import_module("minari")
    except ImportError as error:
        raise ExportError(
            f"{error.name} is missing; run `pip install crafter[minari]`."
        ) from error


def export(
    minari: Any,
    episodes: Iterator[tuple[pathlib.Path, Episode]],
    dataset_id: str,
    args: argparse.Namespace,
    game: str,
) -> Any:
    """Make a data set, whole or not at all, with one episode in memory at a time.

    Args:
      minari: The module.
      episodes: Path and content of each episode.
      dataset_id: Name of the data set.
      args: Values of the options of `add_data_set_options`.
      game: Of which game the episodes are.

    Returns:
      The data set.
    """
    alike = of_one_form(episodes)
    try:
        first = next(alike)
    except StopIteration:
        raise ExportError(
            "All episodes are partial; --include-partial takes those."
        ) from None
    with removed_on_error(minari, dataset_id):
        dataset = create(minari, first, dataset_id, args, game)
        for episode in alike:
            buffer = make_buffer(minari, episode, args.infos)
            dataset.update_dataset_from_buffer([buffer])
    return dataset


def print_summary(dataset: Any) -> None:
    """Say how much there is, and where."""
    print(
        f"{dataset.spec.dataset_id}: {dataset.total_episodes} episodes, "
        f"{dataset.total_steps} steps, in {dataset.spec.data_path}"
    )


def of_one_form(episodes: Iterator[tuple[pathlib.Path, Episode]]) -> Iterator[Episode]:
    """Yield the episodes as long as they can be in one data set."""
    form = None
    for path, episode in episodes:
        form = form or describe(episode)
        if describe(episode) != form:
            raise ExportError(
                "All episodes of a data set must have the same form, but "
                f"{path.name} has {describe(episode)} after {form}."
            )
        yield episode


def describe(episode: Episode) -> str:
    """Return what all episodes of a data set have in common."""
    image = episode["image"]
    form = f"{image.dtype} images {image.shape[1:]}"
    if "semantic" in episode:
        form += f" and maps {episode['semantic'].shape[1:]}"
    return form


def create(
    minari: Any,
    episode: Episode,
    dataset_id: str,
    args: argparse.Namespace,
    game: str,
) -> Any:
    """Make the data set with its first episode."""
    image = episode["image"]
    low, high = (0, 255) if image.dtype == np.uint8 else (-np.inf, np.inf)
    with warnings.catch_warnings():
        # Minari recommends each field that was not given.
        warnings.filterwarnings("ignore", ".* is set to None", UserWarning)
        warnings.filterwarnings("ignore", "env_spec is None", UserWarning)
        try:
            return minari.create_dataset_from_buffers(
                dataset_id,
                [make_buffer(minari, episode, args.infos)],
                env=environment_spec(args.env, episode, game),
                observation_space=gymnasium.spaces.Box(
                    low, high, image.shape[1:], image.dtype.type
                ),
                action_space=gymnasium.spaces.Discrete(len(ACTIONS[game])),
                author=args.author,
                author_email=args.author_email,
                algorithm_name=args.algorithm,
                description=args.description,
                code_permalink=args.code,
                jpeg_encoding=args.jpeg,
            )
        except TypeError as error:
            if "jpeg_encoding" not in str(error):
                raise
            raise ExportError(
                f"Minari {minari.__version__} can store images as JPEG only; run "
                "`pip install 'minari[hdf5]>=0.5.4'`."
            ) from error


def make_buffer(minari: Any, episode: Episode, infos: bool) -> Any:
    """Return an episode as Minari stores it."""
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
    """Return what was recorded beside the transitions, under the names of info."""
    counted = tuple(PREFIXES)
    infos: dict[str, Any] = {
        key: array
        for key, array in episode.items()
        if key == "discount" or key not in KEYS and not key.startswith(counted)
    }
    for prefix, name in PREFIXES.items():
        infos[name] = {
            key.removeprefix(prefix): array
            for key, array in episode.items()
            if key.startswith(prefix)
        }
    return infos


def environment_spec(env_id: str | None, episode: Episode, game: str) -> Any:
    """Return the specification of an environment like the recorded one.

    What the files do not tell, such as the view, is as in the id.
    """
    if env_id is not None and env_id.lower() == "none":
        return None
    if game == "craftax":
        return craftax_spec(env_id, episode)
    return crafter_spec(env_id or "CrafterReward-v1", episode)


def craftax_spec(env_id: str | None, episode: Episode) -> Any:
    """Return the environment of Craftax with observations of the recorded shape."""
    shape, ids = (
        episode["image"].shape[1:],
        ["Craftax-Symbolic-v1", "Craftax-Pixels-v1"],
    )
    for one in [env_id] if env_id else ids:
        try:
            env = gymnasium.make(one)
        except gymnasium.error.Error as error:
            raise ExportError(f"There is no environment {one} ({error}).") from error
        with contextlib.closing(env):
            if env.observation_space.shape == shape:
                return env.spec
    if env_id:
        raise ExportError(f"The environment {env_id} has no observations {shape}.")
    note("The observations are not those of an environment: exporting without one.")
    return None


def crafter_spec(env_id: str, episode: Episode) -> Any:
    """Return an environment of Crafter with pictures and maps as recorded."""
    image = episode["image"]
    if image.ndim != 4 or image.shape[-1] != 3 or image.dtype != np.uint8:
        note("The images are not those of an environment: exporting without one.")
        return None
    try:
        spec = copy.deepcopy(gymnasium.spec(env_id))
        spec.kwargs["size"] = (image.shape[2], image.shape[1])
        spec.kwargs["area"] = episode["semantic"].shape[1:]
        gymnasium.make(spec).close()
    except (gymnasium.error.Error, TypeError, ValueError) as error:
        raise ExportError(
            f"There is no environment {env_id} that fits the recorded images and maps "
            f"({error}). Give another --env, or 'none' for a data set without."
        ) from error
    return spec


@contextlib.contextmanager
def removed_on_error(minari: Any, dataset_id: str) -> Iterator[None]:
    """Take back a data set that did not become whole."""
    try:
        minari.dataset.minari_dataset.parse_dataset_id(dataset_id)
    except (ValueError, TypeError) as error:
        raise ExportError(
            f"{dataset_id!r} is no id of a data set; it must look like name-v0 or "
            "namespace/name-v0."
        ) from error
    path = minari.storage.datasets_root_dir.get_dataset_path(dataset_id)
    if path.exists():
        raise ExportError(
            f"There is a data set {dataset_id} in {path}. Give another version, or run "
            f"`minari delete {dataset_id}`."
        )
    try:
        yield
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise

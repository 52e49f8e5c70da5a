"""Converts recorded task episodes into a dataset for LeRobot and `datasets`.

    crafter-tasks run --suite smoke --agent scout --record --out runs/scout
    python scripts/export_lerobot.py runs/scout --output datasets/scout

The folder has the LeRobot 3.0 layout: frames in data/; tasks, episodes, statistics and
a description in meta/. `datasets.load_dataset("parquet", data_files=...)` reads the
frames, too. A frame is the observation before a step and the action taken;
`next.reward` is 1 on the step that solves the task.

The episode table has further columns: `task`, `level`, `agent`, `verdict` and its
`reason`, the `instruction`, `goal_tree` (the goal as integers), and `attempt`, from
which `crafter.tasks.env.replay.begin` starts the episode again; replaying its actions
gives the same observations.

Needs `pip install crafter[parquet]`.
"""

import argparse
import contextlib
import io
import json
import pathlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import PIL.Image
from training.run import TrainingError, check_packages

from crafter.core.env import GameEnv
from crafter.core.options import REQUIRED, Table, exit_on, make_parser
from crafter.tasks.episodes import demos
from crafter.tasks.episodes.demos import Demo

with contextlib.suppress(ImportError):  # `main` reports which extra is missing
    import pyarrow
    from pyarrow import parquet

FPS = GameEnv.metadata["render_fps"]
#: Where LeRobot looks for frames and for episodes; there is one file of each.
NAME = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
ONLY = {"chunk_index": 0, "file_index": 0}
FILE = NAME.format(**ONLY)
#: Columns of the data, one row per frame.
Columns = Mapping[str, np.ndarray]

OPTIONS: Table = {
    "output": (None, {"type": pathlib.Path, **REQUIRED}, "folder to create"),
    "observation": ("pixels", demos.KINDS, "kind of observations"),
    "solved": (False, None, "only attempts that solved their task"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument(
        "runs", nargs="+", help="folders written by crafter-tasks run --record"
    )
    args = parser.parse_args(argv)
    with exit_on(parser, TrainingError, ValueError, OSError):
        check_packages(("pyarrow",), "parquet")
        info = export(args)
    counts = "{total_episodes} episodes, {total_frames} frames".format(**info)
    print(f"{args.output}: {counts}")


def export(args: argparse.Namespace) -> dict[str, Any]:
    """Writes the dataset, all or nothing; see `write`."""
    if args.output.exists():
        raise ValueError(f"Expected a new folder, but {args.output} exists.")
    episodes = (demo for run in args.runs for demo in demos.read(run, args.observation))
    try:
        return write(args.output, (d for d in episodes if d.solved or not args.solved))
    except BaseException:
        shutil.rmtree(args.output, ignore_errors=True)
        raise


def write(folder: pathlib.Path, attempts: Iterable[Demo]) -> dict[str, Any]:
    """Writes a dataset, with one episode in memory at a time.

    Returns:
      The content of `meta/info.json`.

    Raises:
      ValueError: If there are no episodes.
    """
    tasks: dict[str, int] = {}
    episodes: list[dict[str, Any]] = []
    statistics: dict[str, Any] = {}
    for part in ("data", "meta/episodes"):
        (folder / part / FILE).parent.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        for demo in attempts:
            text = demo.about["instruction"]
            begin = episodes[-1]["dataset_to_index"] if episodes else 0
            task = tasks.setdefault(text, len(tasks))
            columns = columns_of(demo, begin, len(episodes), task)
            table = table_of(columns)
            if not episodes:
                path = folder / "data" / FILE
                out = stack.enter_context(parquet.ParquetWriter(path, table.schema))
            out.write_table(table)
            add_statistics(statistics, columns)
            episodes.append(
                {
                    "episode_index": len(episodes),
                    "tasks": [text],
                    "length": len(demo.actions),
                    "dataset_from_index": begin,
                    "dataset_to_index": begin + len(demo.actions),
                    **{f"data/{name}": place for name, place in ONLY.items()},
                    **{f"meta/episodes/{name}": place for name, place in ONLY.items()},
                    **demo.about,
                }
            )
    if not episodes:
        raise ValueError("No recorded attempts match the options.")
    return describe(folder / "meta", tasks, episodes, columns, statistics)


def columns_of(demo: Demo, begin: int, episode: int, task: int) -> Columns:
    """Returns the frames of an episode.

    Args:
      demo: The episode.
      begin: Number of frames before it.
      episode: Index of the episode.
      task: Index of its instruction.
    """
    steps = np.arange(len(demo.actions))
    last = steps == len(steps) - 1
    seen = demo.observations
    name, shape = (
        ("image", seen.shape) if seen.ndim == 4 else ("state", (len(seen), -1))
    )
    return {
        f"observation.{name}": seen.reshape(shape),
        "action": demo.actions.astype(np.int64),
        "next.reward": (last & demo.solved).astype(np.float32),
        "next.done": last,
        "timestamp": (steps / FPS).astype(np.float32),
        "frame_index": steps,
        "episode_index": np.full(len(steps), episode),
        "index": begin + steps,
        "task_index": np.full(len(steps), task),
    }


# Columns, for Arrow, `datasets` and LeRobot.


def table_of(columns: Columns) -> Any:
    """Returns columns as a table, with the metadata that `datasets` needs."""
    hints = {name: kinds(values)[0] for name, values in columns.items()}
    about = {"huggingface": json.dumps({"info": {"features": hints}})}
    arrays = {name: arrow(values) for name, values in columns.items()}
    return pyarrow.table(arrays).replace_schema_metadata(about)


def arrow(values: np.ndarray) -> Any:
    """Returns a column of a table: images as PNG files, other values unchanged."""
    if values.ndim == 4:
        kind = pyarrow.struct({"bytes": pyarrow.binary(), "path": pyarrow.string()})
        return pyarrow.array([{"bytes": png(image)} for image in values], kind)
    if values.ndim == 2:
        flat = pyarrow.array(values.ravel())
        return pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])
    return pyarrow.array(values)


def png(image: np.ndarray) -> bytes:
    """Encodes an image as PNG."""
    out = io.BytesIO()
    PIL.Image.fromarray(image).save(out, "png")
    return out.getvalue()


def kinds(values: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the feature descriptions of a column for `datasets` and for LeRobot."""
    shape, names = values.shape[1:], ["height", "width", "channels"]
    if values.ndim == 4:
        return {"_type": "Image"}, {"dtype": "image", "shape": shape, "names": names}
    value = {"_type": "Value", "dtype": values.dtype.name}
    feature = {"dtype": values.dtype.name, "shape": shape or (1,), "names": None}
    if values.ndim == 1:
        return value, feature
    return {"_type": "Sequence", "feature": value, "length": shape[0]}, feature


# Statistics, with which LeRobot normalises.


def add_statistics(known: dict[str, Any], columns: Columns) -> None:
    """Updates count, minimum, maximum, mean and deviation with an episode's frames."""
    for name, values in columns.items():
        rows = values.reshape(len(values), -1).astype(float)
        if values.ndim == 4:  # per channel, scaled to [0, 1]
            rows = values.reshape(-1, values.shape[-1]) / 255
        own = [rows.min(0), rows.max(0), rows.mean(0), (rows**2).mean(0)]
        count, *old = known.get(name, (0, *own))
        share = len(values) / (count + len(values))
        means = [a + share * (b - a) for a, b in zip(old[2:], own[2:])]
        ends = np.minimum(old[0], own[0]), np.maximum(old[1], own[1])
        known[name] = count + len(values), *ends, *means


def statistics_of(known: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the statistics in LeRobot's format."""
    statistics = {}
    for name, (count, low, high, mean, square) in known.items():
        std = np.sqrt(np.maximum(square - mean**2, 0))
        values = {"min": low, "max": high, "mean": mean, "std": std}
        shape = (-1, 1, 1) if name == "observation.image" else (-1,)
        statistics[name] = {key: v.reshape(shape).tolist() for key, v in values.items()}
        statistics[name]["count"] = [count]
    return statistics


# Metadata.


def describe(
    meta: pathlib.Path,
    tasks: Mapping[str, int],
    episodes: Sequence[Mapping[str, Any]],
    columns: Columns,
    statistics: Mapping[str, Any],
) -> dict[str, Any]:
    """Writes the metadata files; returns the content of `info.json`."""
    parquet.write_table(pyarrow.Table.from_pylist(episodes), meta / "episodes" / FILE)
    parquet.write_table(tasks_table(tasks), meta / "tasks.parquet")
    info = {
        "codebase_version": "v3.0",
        "robot_type": None,
        "total_episodes": len(episodes),
        "total_frames": episodes[-1]["dataset_to_index"],
        "total_tasks": len(tasks),
        "chunks_size": 1000,
        "fps": FPS,
        "splits": {"train": f"0:{len(episodes)}"},
        "data_path": f"data/{NAME}",
        "video_path": None,
        "features": {name: kinds(values)[1] for name, values in columns.items()},
    }
    for name, content in (("info", info), ("stats", statistics_of(statistics))):
        (meta / f"{name}.json").write_text(json.dumps(content, indent=1), "utf-8")
    return info


def tasks_table(tasks: Mapping[str, int]) -> Any:
    """Returns the table of tasks, with the instructions as pandas index."""
    table = pyarrow.table({"task_index": [*tasks.values()], "task": [*tasks]})
    column = {"name": "task", "field_name": "task", "numpy_type": "object"}
    column["pandas_type"] = "unicode"
    index = {"index_columns": ["task"], "column_indexes": [], "columns": [column]}
    return table.replace_schema_metadata({"pandas": json.dumps(index)})


if __name__ == "__main__":
    main()

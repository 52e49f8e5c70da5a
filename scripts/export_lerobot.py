"""Turns recorded attempts at tasks into a data set for LeRobot and `datasets`.

    crafter-tasks run --suite smoke --agent scout --record --out runs/scout
    python scripts/export_lerobot.py runs/scout --output datasets/scout

The folder has the layout of LeRobot 3.0: frames in data/; tasks, episodes, statistics
and a description in meta/. `datasets.load_dataset("parquet", data_files=...)` reads the
frames, too. A frame is what was seen before a step, and the action that followed;
`next.reward` is 1 on the step that solves the task.

The table of episodes has further columns: `task`, `level`, `agent`, `verdict` and its
`reason`, the `instruction`, `goal_tree`, the goal as integers, and `attempt`: from it,
`crafter.tasks.env.replay.begin` begins the episode again, and its actions lead to the
same observations.

Needs `pip install crafter[parquet]`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import PIL.Image
from training.run import TrainingError, check_packages

from crafter.core.env import GameEnv
from crafter.core.options import REQUIRED, Table, exit_on, make_parser
from crafter.tasks.episodes import demos
from crafter.tasks.episodes.demos import Demo

with contextlib.suppress(ImportError):  # `main` says what brings it
    import pyarrow
    from pyarrow import parquet

VERSION = "v3.0"
#: One file holds at most this many bytes of frames, and the episode that exceeds them.
LARGEST = 100 * 2**20
NAME = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
FIRST = {"chunk_index": 0, "file_index": 0}
FPS = GameEnv.metadata["render_fps"]

OPTIONS: Table = {
    "output": (None, {"type": pathlib.Path, **REQUIRED}, "folder that is made"),
    "observation": ("pixels", demos.KINDS, "kind of the observations"),
    "solved": (False, None, "only attempts that solved their task"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    help = "what crafter-tasks run --record wrote"
    parser.add_argument("runs", nargs="+", type=pathlib.Path, help=help)
    args = parser.parse_args(argv)
    with exit_on(parser, TrainingError, ValueError, OSError):
        check_packages(("pyarrow",), "parquet")
        writer = Writer(args.output)
        for demo in read(args):
            writer.add(demo)
        info = writer.finish()
    counts = "{total_episodes} episodes, {total_frames} frames".format(**info)
    print(f"{args.output}: {counts}, {info['total_tasks']} instructions")


def read(args: argparse.Namespace) -> Iterable[Demo]:
    """Yields the attempts that are wanted."""
    for run in args.runs:
        for demo in demos.read(run, args.observation):
            if demo.solved or not args.solved:
                yield demo


class Writer:
    """Writes a data set, one episode at a time.

    Args:
      folder: Its folder, which must be new or empty.

    Raises:
      ValueError: If there is something in the folder.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise ValueError(f"Expected a new folder, but {folder} is not empty.")
        self.folder = folder
        self.tasks: dict[str, int] = {}
        self.episodes: list[dict[str, Any]] = []
        self.features: dict[str, Any] = {}
        self._stats: dict[str, list[np.ndarray]] = {}
        self._frames = self._file = 0
        self._out: parquet.ParquetWriter | None = None

    def add(self, demo: Demo) -> None:
        """Adds an episode."""
        about = demo.about
        text = about["instruction"]
        task = self.tasks.setdefault(text, len(self.tasks))
        columns = self._columns(demo, task)
        if self._out is not None and self._sink.tell() > LARGEST:
            self._close()
        begin, self._frames = self._frames, self._frames + len(demo.actions)
        self.episodes.append(
            {
                "episode_index": len(self.episodes),
                "tasks": [text],
                "length": len(demo.actions),
                "dataset_from_index": begin,
                "dataset_to_index": self._frames,
                **{f"data/{name}": value for name, value in self._place().items()},
                **{f"meta/episodes/{name}": value for name, value in FIRST.items()},
                **about,
            }
        )
        self._write(columns)
        self._add_stats(columns)

    def _columns(self, demo: Demo, task: int) -> dict[str, np.ndarray]:
        steps = np.arange(len(demo.actions))
        image = demo.observations.ndim == 4
        last = steps == len(steps) - 1
        return {
            "observation.image" if image else "observation.state": demo.observations,
            "action": demo.actions.astype(np.int64),
            "next.reward": (last & demo.solved).astype(np.float32),
            "next.done": last,
            "timestamp": (steps / FPS).astype(np.float32),
            "frame_index": steps,
            "episode_index": np.full(len(steps), len(self.episodes)),
            "index": self._frames + steps,
            "task_index": np.full(len(steps), task),
        }

    # Frames.

    def _write(self, columns: Mapping[str, np.ndarray]) -> None:
        arrays = {name: arrow(values) for name, values in columns.items()}
        table = pyarrow.table(arrays)
        if self._out is None:
            self.features = {n: feature(values) for n, values in columns.items()}
            hints = {name: hint(values) for name, values in columns.items()}
            self._metadata = {"huggingface": json.dumps({"info": {"features": hints}})}
            path = self.folder / "data" / NAME.format(**self._place())
            path.parent.mkdir(parents=True, exist_ok=True)
            schema = table.schema.with_metadata(self._metadata)
            self._sink = path.open("wb")
            self._out = parquet.ParquetWriter(self._sink, schema)
        self._out.write_table(table.replace_schema_metadata(self._metadata))

    def _place(self) -> dict[str, int]:
        return {"chunk_index": 0, "file_index": self._file}

    def _close(self) -> None:
        assert self._out is not None
        self._out.close()
        self._sink.close()
        self._out, self._file = None, self._file + 1

    # Statistics, which LeRobot normalises with.

    def _add_stats(self, columns: Mapping[str, np.ndarray]) -> None:
        """Adds count, minimum, maximum, sum and sum of squares of each column."""
        for name, values in columns.items():
            rows = values.reshape(len(values), -1).astype(float)
            if values.ndim == 4:  # images: by channel, from 0 to 1
                rows = values.reshape(-1, values.shape[-1]) / 255
            own = [rows.min(0), rows.max(0), rows.sum(0), (rows**2).sum(0)]
            count = np.array([len(rows)])
            old = self._stats.get(name)
            if old is None:
                self._stats[name] = [count, *own]
                continue
            lows, highs = np.minimum(old[1], own[0]), np.maximum(old[2], own[1])
            sums = [a + b for a, b in zip(old[3:], own[2:])]
            self._stats[name] = [old[0] + count, lows, highs, *sums]

    def _statistics(self) -> dict[str, Any]:
        found = {}
        for name, (count, low, high, total, squares) in self._stats.items():
            mean = total / count
            values = {"min": low, "max": high, "mean": mean}
            values["std"] = np.sqrt(np.maximum(squares / count - mean**2, 0))
            shape = (-1, 1, 1) if self.features[name]["dtype"] == "image" else (-1,)
            found[name] = {k: v.reshape(shape).tolist() for k, v in values.items()}
            found[name]["count"] = [self._frames]
        return found

    # What describes the frames.

    def finish(self) -> dict[str, Any]:
        """Writes what describes the frames, and returns the description.

        Raises:
          ValueError: If there are no episodes.
        """
        if self._out is None:
            raise ValueError("There are no recorded attempts such as are wanted.")
        self._close()
        meta = self.folder / "meta"
        path = meta / "episodes" / NAME.format(**FIRST)
        path.parent.mkdir(parents=True)
        parquet.write_table(pyarrow.Table.from_pylist(self.episodes), path)
        parquet.write_table(tasks_table(self.tasks), meta / "tasks.parquet")
        info = {
            "codebase_version": VERSION,
            "robot_type": "crafter",
            "total_episodes": len(self.episodes),
            "total_frames": self._frames,
            "total_tasks": len(self.tasks),
            "chunks_size": 1000,
            "data_files_size_in_mb": LARGEST // 2**20,
            "video_files_size_in_mb": 0,
            "fps": FPS,
            "splits": {"train": f"0:{len(self.episodes)}"},
            "data_path": f"data/{NAME}",
            "video_path": None,
            "features": self.features,
        }
        for name, content in (("info", info), ("stats", self._statistics())):
            (meta / f"{name}.json").write_text(json.dumps(content, indent=1), "utf-8")
        return info


def arrow(values: np.ndarray) -> Any:
    """Returns a column of a table: images as PNG files, others as they are."""
    if values.ndim == 4:
        kind = pyarrow.struct({"bytes": pyarrow.binary(), "path": pyarrow.string()})
        return pyarrow.array([{"bytes": png(image)} for image in values], kind)
    if values.ndim == 2:
        flat = pyarrow.array(values.ravel())
        return pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])
    return pyarrow.array(values)


def png(image: np.ndarray) -> bytes:
    """Returns an image as a PNG file."""
    out = io.BytesIO()
    PIL.Image.fromarray(image).save(out, "png")
    return out.getvalue()


def feature(values: np.ndarray) -> dict[str, Any]:
    """Returns what LeRobot has to know of a column."""
    if values.ndim == 4:
        names = ["height", "width", "channels"]
        return {"dtype": "image", "shape": values.shape[1:], "names": names}
    shape = values.shape[1:] or (1,)
    return {"dtype": values.dtype.name, "shape": shape, "names": None}


def hint(values: np.ndarray) -> dict[str, Any]:
    """Returns what `datasets` has to know of a column."""
    if values.ndim == 4:
        return {"_type": "Image"}
    value = {"_type": "Value", "dtype": values.dtype.name}
    if values.ndim == 1:
        return value
    return {"_type": "Sequence", "feature": value, "length": values.shape[1]}


def tasks_table(tasks: Mapping[str, int]) -> Any:
    """Returns the table of instructions, by which pandas indexes it."""
    table = pyarrow.table({"task_index": [*tasks.values()], "task": [*tasks]})
    columns = [
        {"name": name, "field_name": name, "metadata": None, **kinds}
        for name, kinds in (
            ("task_index", {"pandas_type": "int64", "numpy_type": "int64"}),
            ("task", {"pandas_type": "unicode", "numpy_type": "object"}),
        )
    ]
    index = {"index_columns": ["task"], "column_indexes": [], "columns": columns}
    return table.replace_schema_metadata({"pandas": json.dumps(index)})


if __name__ == "__main__":
    main()

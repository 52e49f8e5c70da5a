"""Run folders of trainings: options, logs, checkpoints, and resuming.

    with Run(args.logdir, vars(args), FREE, GROWING) as run:  # one process at a time
        saved = run.load()  # what `save` wrote, or None for a new training
        run.append("stats.jsonl", {"length": 1})
        run.save({"steps": 1, "weights": weights})

A checkpoint stores the sizes of the logs and the options that affect learning. A run
resumes only with the same options. Lines that were logged after the checkpoint move to
files such as `stats-dropped.jsonl`, so that the logs are those of one uninterrupted
run.

Checkpoints are either one file of arrays, `checkpoint.npz`, or files and folders of
another library, `checkpoints/<steps>`, with metadata in `checkpoints/<steps>.json`.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from crafter.core import journal

NAME = "checkpoint.npz"


class TrainingError(Exception):
    """A training cannot start or resume; the message says why."""


class Run:
    """The folder of a training, locked inside a `with` block.

    Args:
      folder: The folder.
      options: Options by name.
      free: Names of options that do not affect learning.
      growing: File names of logs.

    Attributes:
      settings: Options that affect learning.
    """

    def __init__(
        self,
        folder: Path,
        options: Mapping[str, Any],
        free: Collection[str],
        growing: Collection[str],
    ) -> None:
        self.folder, self._growing = folder, growing
        self.settings = {n: value for n, value in options.items() if n not in free}
        self._lock = contextlib.ExitStack()

    def __enter__(self) -> Run:
        """Creates and locks the folder.

        Raises:
          TrainingError: If another process has the lock.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.enter_context(journal.locked(self.folder))
        except journal.JournalError as error:
            raise TrainingError(str(error)) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    # Logs.

    def append(self, name: str, *rows: Mapping[str, Any] | str) -> None:
        """Appends lines to a log: strings, or rows as JSON."""
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    def check_unused(self, checkpoint: str, *more: str) -> None:
        """Rejects a folder with logs but no checkpoint.

        Raises:
          TrainingError: If a log is not empty.
        """
        names = [n for n in (*self._growing, *more) if self.size(n)]
        if names:
            raise TrainingError(
                f"{self.folder} has {' and '.join(names)} but no {checkpoint}, so it "
                "cannot be resumed. Choose another folder."
            )

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Moves what follows a number of bytes in logs to files beside them."""
        for name, size in sizes.items():
            if self.size(name) > size:
                _cut(self.folder / name, size)

    def size(self, name: str) -> int:
        """Returns the size of a file in bytes; 0 if it does not exist."""
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def _note(self) -> str:
        sizes = {name: self.size(name) for name in self._growing}
        return json.dumps({"sizes": sizes, "settings": self.settings})

    def _read_note(self, checkpoint: Path, text: str) -> dict[str, int]:
        """Returns the log sizes in a note, after checking its settings."""
        note = json.loads(text)
        check_settings(checkpoint, note["settings"], self.settings)
        sizes: dict[str, int] = note["sizes"]
        return sizes

    # One file of arrays.

    def load(self, writes: bool = True) -> dict[str, np.ndarray] | None:
        """Returns the content of the checkpoint, or None if there is none.

        Args:
          writes: Whether this process truncates the logs.

        Raises:
          TrainingError: If it belongs to another training, or there are logs but no
            checkpoint.
        """
        path = self.folder / NAME
        if not path.exists():
            self.check_unused(NAME)
            return None
        arrays = read_arrays(path)
        sizes = self._read_note(path, str(arrays.pop("note")))
        if writes:
            self.cut(sizes)
        return arrays

    def save(self, arrays: Mapping[str, Any]) -> None:
        """Writes the checkpoint; a crash leaves the old one intact."""
        content = io.BytesIO()
        np.savez(content, note=self._note(), **arrays)
        journal.replace(self.folder / NAME, content.getvalue())

    # Checkpoints of another library.

    def find(self, resume: bool) -> Path | None:
        """Returns the newest checkpoint of a training, or None for a new one.

        Args:
          resume: Whether to resume a training.

        Raises:
          TrainingError: If there is nothing to resume, or options differ; or if a new
            training would overwrite another.
        """
        there = self.folder / "checkpoints"
        checkpoints = [path for path in there.glob("[0-9]*") if path.suffix != ".json"]
        if not resume:
            if checkpoints:
                raise TrainingError(
                    f"{self.folder} already has a training run; add --resume or "
                    "choose another folder."
                )
            self.check_unused("checkpoint")
            return None
        if not checkpoints:
            raise TrainingError(f"No checkpoint found in {there}.")
        newest = max(checkpoints, key=lambda path: int(path.stem))
        self.sizes_at(newest)
        return newest

    def sizes_at(self, checkpoint: Path) -> dict[str, int]:
        """Returns the log sizes at a checkpoint; see `find`."""
        note = checkpoint.with_suffix(".json").read_text("utf-8")
        return self._read_note(checkpoint, note)

    @contextlib.contextmanager
    def checkpoint(self, steps: int, suffix: str = "") -> Iterator[Path]:
        """Yields a path to write to, and makes it a checkpoint, all or nothing."""
        folder = self.folder / "checkpoints"
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f".unfinished{suffix}"
        if unfinished.is_dir():
            shutil.rmtree(unfinished)
        yield unfinished
        path = folder / f"{steps:09}{suffix}"
        journal.replace(path.with_suffix(".json"), self._note() + "\n")
        os.replace(unfinished, path)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """Returns the arrays of a one-file checkpoint, with its `note`.

    Raises:
      TrainingError: If there is none.
    """
    if not path.exists():
        raise TrainingError(f"{path} does not exist.")
    with np.load(path) as file:
        return {name: file[name] for name in file}


def _cut(path: Path, size: int) -> None:
    beside = path.with_stem(f"{path.stem}-dropped")
    with path.open("r+b") as file, beside.open("ab") as dropped:
        file.seek(size)
        late = file.read()
        dropped.write(late if late.endswith(b"\n") else late + b"\n")
        file.truncate(size)
    print(
        f"Moved {len(late.splitlines())} lines from {path.name} to {beside.name}; they "
        "came after the checkpoint."
    )


def check_settings(
    checkpoint: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    """Checks that options match those of a checkpoint.

    Raises:
      TrainingError: If options differ; lists them with old and new values.
    """
    names = [n for n in {**theirs, **ours} if theirs.get(n) != ours.get(n)]
    if names:
        was, now = (
            ", ".join(f"{name} {options.get(name)}" for name in names)
            for options in (theirs, ours)
        )
        raise TrainingError(
            f"{checkpoint} was made with {was}, got {now}. Use the same options or "
            "another folder."
        )


# Before training.


def check_packages(names: Iterable[str], extra: str) -> None:
    """Checks that the packages for training can be imported.

    Args:
      names: Names of modules.
      extra: The extra that installs them.

    Raises:
      TrainingError: If one cannot be imported; says what to install.
    """
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise TrainingError(
                f"{name} cannot be imported ({error}); run `pip install "
                f"crafter[{extra}]`."
            ) from error


def make_seed(*numbers: int) -> int:
    """Returns a 31-bit seed that depends on all the numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0] >> 1)

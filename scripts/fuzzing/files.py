"""Damaged files of recorded episodes, saved games and results."""

from __future__ import annotations

import json
import pathlib
import random
import warnings

import numpy as np

import crafter
from crafter import scoring
from crafter.gui import savefile
from crafter.recording.reader import is_saved_game
from fuzzing import damage, replies
from fuzzing.target import Folder, expect

_LENGTH = 6


def _damaged(whole: bytes, rng: random.Random) -> bytes:
    change = rng.choice((damage.content, damage.archive, damage.archive))
    return change(whole, rng)


class Episodes(Folder):
    """Recorded episodes that are read whole, or refused with the name of the file."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder)
        env = crafter.Env(area=(12, 10), size=(18, 18), length=_LENGTH, seed=0)
        with crafter.EpisodeRecorder(env, folder) as recorder:
            recorder.reset()
            for action in range(_LENGTH):
                recorder.step(action)
        (path,) = folder.glob("*.npz")
        self._whole = path.read_bytes()

    def check(self, rng: random.Random) -> None:
        """Reads one damaged file in all ways."""
        path = self.folder / "damaged.npz"
        path.write_bytes(_damaged(self._whole, rng))
        try:
            _check_episode(crafter.load_episode(path))
        except ValueError as error:
            _check_refusal(error, path)
        try:
            start = crafter.load_start(path)
            expect(all(isinstance(a, np.ndarray) for a in start.values()), "no arrays")
        except ValueError as error:
            _check_refusal(error, path)
        is_saved_game(path)


def _check_episode(episode: dict[str, np.ndarray]) -> None:
    lengths = {len(array) for array in episode.values()}
    expect(len(lengths) == 1, f"lengths {lengths}")
    expect(episode["done"].dtype == bool, f"done is {episode['done'].dtype}")
    expect(not any(a.dtype.hasobject for a in episode.values()), "objects")


def _check_refusal(error: ValueError, path: pathlib.Path) -> None:
    expect(repr(str(path)) in str(error), f"a refusal without the file: {error}")


class SaveFiles(Folder):
    """Saved games of the app: read and resumed, or refused."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder)
        self._env = crafter.Env(area=(12, 10), size=(18, 18), seed=0)
        self._env.reset()
        savefile.write(folder / "whole.npz", self._env.get_state())
        self._whole = (folder / "whole.npz").read_bytes()

    def check(self, rng: random.Random) -> None:
        """Loads one damaged file."""
        path = self.folder / "damaged.npz"
        path.write_bytes(_damaged(self._whole, rng))
        try:
            self._env.set_state(savefile.read(path))
        except (savefile.SaveError, crafter.games.crafter.state.StateError) as error:
            expect(len(str(error)) < 3000, f"a long message: {str(error)[:200]}")
            return
        self._env.step(rng.randrange(17))


class Results(Folder):
    """Logs and files of scores: read, or refused with `RunError`."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder)
        counts = {f"achievement_{name}": 1 for name in crafter.constants.achievements}
        lines = [{"length": 50 + i, "reward": 1.5, **counts} for i in range(4)]
        self._log = "".join(json.dumps(line) + "\n" for line in lines).encode()
        path = folder / "crafter_reward-x" / "0" / "stats.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(self._log)
        scores = folder / "crafter_reward-x.json"
        scoring.write_scores(scores, scoring.load_runs([path], 210))
        self._scores = json.loads(scores.read_text())

    def check(self, rng: random.Random) -> None:
        """Reads one damaged log or file of scores."""
        if rng.random() < 0.5:
            path = self.folder / "crafter_reward-x" / "0" / "stats.jsonl"
            log = next(replies.damaged(self._log, rng))
        else:
            path = self.folder / "crafter_reward-x.json"
            log = json.dumps(damage.mutated(self._scores, rng), default=repr).encode(
                errors="surrogatepass"
            )
            log = rng.choice((log, damage.content(log, rng)))
        path.write_bytes(log)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                runs = scoring.load_runs([path], 210)
            except scoring.RunError:
                return
        for run in runs:
            expect(np.isfinite(scoring.run_score(run)), "a score that is no number")

"""Statistics of vector environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from crafter.core.game import DEFAULT_SETUP
from crafter.core.reset_options import how_it_starts
from crafter.recording.episode import Episode
from crafter.recording.folder import Path, check_info
from crafter.recording.stats import StatsFile


class VectorStatsRecorder(gymnasium.vector.VectorWrapper):
    """Appends one line per finished episode of any game to `stats.jsonl`.

    Lines are those of `crafter.StatsRecorder`, in the order in which episodes end;
    those that end in the same step are ordered by game. Works in every autoreset mode.
    Observations, rewards and infos pass through unchanged.

    Args:
      env: Vector environment of Crafter games, from `gymnasium.make_vec` in any
        vectorization mode. Its infos need `reward` and `achievements`:
        `make_vec(..., info_keys=["reward", "achievements"])` for the batched engine.
      directory: Output folder; see `crafter.Recorder`.

    Raises:
      ValueError: If infos lack required keys.
      OSError: If the directory or the file cannot be created or written to.

    Source: Crafter 1.8.3, `StatsRecorder`.

    Example:
      >>> import pathlib, tempfile
      >>> directory = tempfile.mkdtemp()
      >>> envs = gymnasium.make_vec("CrafterReward-v1", 2, "sync", length=3)
      >>> envs = VectorStatsRecorder(envs, directory)
      >>> observations, infos = envs.reset(seed=0)
      >>> for _ in range(3):
      ...     results = envs.step([0, 0])
      >>> len((pathlib.Path(directory) / "stats.jsonl").read_text().splitlines())
      2
    """

    def __init__(self, env: gymnasium.vector.VectorEnv, directory: Path):
        super().__init__(env)
        # Names of modes, since Gymnasium 1.0 has no class for them.
        mode = env.metadata.get("autoreset_mode", "NextStep")
        self._next_step = getattr(mode, "value", mode) == "NextStep"
        self._file = StatsFile(directory)
        self._playing = np.zeros(self.num_envs, bool)
        self._restarting = np.zeros(self.num_envs, bool)  # by the next step
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._rewards = np.zeros(self.num_envs)
        self._starts: list[str | None] = [None] * self.num_envs
        self._loads = self._count_loads()
        self._remembered = hasattr(env.unwrapped, "started") or isinstance(
            env.unwrapped,
            gymnasium.vector.SyncVectorEnv | gymnasium.vector.AsyncVectorEnv,
        )

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the games; unfinished episodes are not counted.

        Args:
          seed: See the environment.
          options: See the environment; `reset_mask` selects the games to reset.

        Returns:
          The result of the environment.

        Raises:
          ValueError: If infos lack required keys.
        """
        rest = dict(options or {})  # Copied before Gymnasium removes the mask.
        started: Any = rest.pop("reset_mask", slice(None))
        observations, infos = self.env.reset(seed=seed, options=options)
        advice = "make_vec(..., info_keys=['reward', 'achievements']) gives them"
        check_info(self, infos, advice)
        # Gymnasium's own vector environments have it only in the infos of each game.
        setup = infos.get("setup", [DEFAULT_SETUP])[0]
        self._setup = getattr(self.env.unwrapped, "setup", setup)
        self._begin(started, how_it_starts(rest))
        self._restarting[started] = False
        return observations, infos

    def step(
        self, actions: Any
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Steps the games and writes a line for every finished episode.

        Args:
          actions: See the environment.

        Returns:
          The result of the environment.
        """
        results = self.env.step(actions)
        _, _, terminated, truncated, infos = results
        over = terminated | truncated
        # With same-step autoreset, the others belong to the next episode.
        ends = infos.get("final_info", infos)
        rewards = infos["reward"]
        if "final_info" in infos:
            rewards = np.where(over, ends["reward"], rewards)
        self._lengths += 1
        self._rewards += rewards
        self._begin(self._restarting)
        finished = np.flatnonzero(over & self._playing)
        for b in finished.tolist():
            self._append(b, ends)
        if self._next_step:
            self._restarting = over
        elif "final_info" in infos:
            self._begin(over)
        else:
            self._playing &= ~over
        return results

    def _begin(self, which: Any, start: str | None = None) -> None:
        """Starts counting the episodes of some games."""
        self._playing[which] = True
        self._lengths[which] = 0
        self._rewards[which] = 0.0
        games = np.arange(self.num_envs)[which].tolist()
        # The environment or wrappers inside may have chosen the start.
        envs: Any = self.env.unwrapped
        starts = envs.get_attr("started") if games and self._remembered else None
        for b in games:
            self._starts[b] = start if starts is None else starts[b]
        self._loads[which] = self._count_loads()[which]

    def _count_loads(self) -> np.ndarray:
        """Returns the number of saved games loaded in each game, if counted."""
        counts = getattr(self.env.unwrapped, "loads", None)
        return np.zeros(self.num_envs, int) if counts is None else counts.copy()

    def _append(self, b: int, ends: dict[str, Any]) -> None:
        # Names with a leading underscore are masks.
        counts = {
            name: int(values[b])
            for name, values in ends["achievements"].items()
            if not name.startswith("_")
        }
        length, reward = int(self._lengths[b]), float(self._rewards[b])
        loaded = self._count_loads()[b] != self._loads[b]
        ticks = None if loaded or "ticks" not in ends else int(ends["ticks"][b])
        episode = Episode(
            "state" if loaded else self._starts[b],
            length=length,
            reward=reward,
            achievements=counts,
            setup=self._setup,
            ticks=ticks,
        )
        self._file.append(episode.line())

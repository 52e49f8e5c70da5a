"""Gold: a game of one row. Walk to the gold and dig it up in time."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from gymnasium import spaces

from crafter.core.env import GameEnv, no_game

ACTIONS = ("noop", "left", "right", "dig")
ACHIEVEMENTS = ("walk", "dig_gold")
CELLS = 7
COLORS = np.array([(90, 70, 40), (240, 200, 60), (60, 120, 220)], np.uint8)


@dataclasses.dataclass(frozen=True)
class State:
    """A moment of the game; also what `snapshot` returns."""

    seed: int
    episode: int
    step: int
    position: int
    gold: int
    health: int
    dug: int
    action: str = "noop"
    events: tuple[dict[str, Any], ...] = ()

    @property
    def dead(self) -> bool:
        """Whether the player is out of breath."""
        return self.health <= 0

    @property
    def inventory(self) -> dict[str, int]:
        """Item -> amount."""
        return {"health": self.health, "gold": self.dug}

    @property
    def achievements(self) -> dict[str, int]:
        """Achievement -> how often reached."""
        return {"walk": int(self.position != CELLS // 2), "dig_gold": self.dug}


_SAVED = ("seed", "episode", "step", "position", "gold", "health", "dug")


def play(now: State, action: str) -> State:
    """Returns the moment after a step."""
    step = {"left": -1, "right": 1}.get(action, 0)
    position = min(max(now.position + step, 0), CELLS - 1)
    found = action == "dig" and now.position == now.gold
    events = [{"type": "rejected", "action": action, "reason": "nothing_there"}]
    fails = action == "dig" and not found
    return dataclasses.replace(
        now,
        step=now.step + 1,
        action=action,
        position=position,
        gold=(now.gold + 2) % CELLS if found else now.gold,
        dug=now.dug + found,
        health=now.health - 1 + 3 * found,
        events=tuple(events) if fails else (),
    )


class Env(GameEnv):
    """The game as a Gymnasium environment."""

    game = "gold"
    recorded = ("player_pos",)
    _own_size = None
    _render_size = (CELLS * 16, 16)

    def __init__(self, seed: int | None = None, length: int = 50) -> None:
        super().__init__(ACTIONS, seed, reward=True, render_mode=None)
        self.rules, self.view, self.events = None, (CELLS, 1), True
        self._length = length
        self.observation_space = spaces.Box(0, 255, (2, 2 * CELLS, 3), np.uint8)
        self._now: State | None = None
        self._unlocked: set[str] = set()

    @property
    def length(self) -> int:
        """Steps after which an episode is truncated."""
        return self._length

    @property
    def step_count(self) -> int:
        """Steps since reset."""
        return 0 if self._now is None else self._now.step

    clock = step_count

    @property
    def daylight(self) -> float:
        """Brightness: it is always day."""
        return 1.0

    @property
    def unlocked(self) -> set[str]:
        """Achievements unlocked in this episode."""
        return set(self._unlocked)

    def get_keys_to_action(self) -> dict[tuple[str], int]:
        """Returns the first letters of the actions."""
        return {(name[0],): index for index, name in enumerate(ACTIONS)}

    def snapshot(self, whole_map: bool = False) -> State:
        """Returns a frozen record of this moment."""
        return self._need_game()

    def frame(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draws the row: gold, and the player."""
        now, (width, height) = self._need_game(), size or (2 * CELLS, 2)
        row = np.zeros(CELLS, int)
        row[now.gold], row[now.position] = 1, 2
        picture = COLORS[row[np.arange(width) * CELLS // width]]
        return np.repeat(picture[None], height, 0)

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the whole game as arrays."""
        fields = dataclasses.asdict(self._need_game())
        return {name: np.array(fields[name]) for name in _SAVED}

    def set_state(self, value: Any) -> None:
        """Resumes a game."""
        self._install(State(**{name: int(value[name]) for name in _SAVED}))

    def _install(self, now: State) -> None:
        self._now = now
        self._unlocked = {name for name, count in now.achievements.items() if count}
        self._enter(now.seed, now.episode, now.dead)

    def _need_game(self) -> State:
        if self._now is None:
            raise no_game()
        return self._now

    def _read_options(self, options: Any) -> Any:
        return Start(**(options or {}))

    def _begin(self, seed: int, episode: int, start: Any) -> None:
        away = int(np.random.default_rng((seed, episode)).integers(1, CELLS))
        gold = (CELLS // 2 + away) % CELLS
        self._install(State(seed, episode, 0, CELLS // 2, gold, health=9, dug=0))

    def _play(self, action: int) -> tuple[float, set[str], bool, bool]:
        self._now = now = play(self._need_game(), ACTIONS[action])
        reached = {name for name, count in now.achievements.items() if count}
        new, self._unlocked = reached - self._unlocked, reached | self._unlocked
        return float(len(new)), new, now.dead, not now.dead and now.step >= self.length

    def _look(self) -> np.ndarray:
        return self.frame()

    def _info(self, reward: float, unlocked: Any) -> dict[str, Any]:
        now = self._need_game()
        return {
            "inventory": now.inventory,
            "achievements": {n: int(n in self._unlocked) for n in ACHIEVEMENTS},
            "discount": 0.0 if now.dead else 1.0,
            "player_pos": np.array([now.position]),
            "reward": reward,
            "dead": now.dead,
            "unlocked": set(unlocked),
            "action": now.action,
            "events": now.events,
        }

    def _make_view(self, size: Any) -> Any:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Start:
    """Options of `reset`."""

    state: Any = None
    episode: int | None = None

"""Games to compare: configurations, players and lengths."""

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from crafter.games.crafter.players.random import RandomPlayer, Wanderer
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.lm.agents.base import Briefing
from reference import golden
from reference.our_side import OurSide
from reference.tally import Tally
from reference.trace import Game, Trace, moments, record


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Returns arguments of `Env` in the form that the published package takes."""
    return {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}


_FILE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
CONFIGURATIONS = [_arguments(one) for one in _FILE["configurations"]]
PLAYERS: dict[str, Callable[[int], Any]] = {
    "scripted": lambda seed: ScriptedPlayer(Briefing(seed=seed, macros=False)),
    "random": RandomPlayer,
    "wanderer": Wanderer,
}


@dataclass
class Plan:
    """A game to be played.

    Attributes:
        seed: Seed of the environment and of the player.
        configuration: Arguments of `Env` besides the seed.
        player: Name in `PLAYERS`; or `survivor`, whose actions are recorded.
        episodes: Number of episodes after which the game ends.
        steps: Maximum number of steps, or None.
        after_done: As in `Game`. With `continue` there is only one episode, and `steps`
            alone ends the game.
        recorded: Actions to replay instead of running the player.
    """

    seed: int
    configuration: dict[str, Any] = field(default_factory=dict)
    player: str = "random"
    episodes: int = 2
    steps: int | None = None
    after_done: str = "reset"
    recorded: list[int] | None = field(default=None, repr=False)

    def __str__(self) -> str:
        arguments = ", ".join(f"{k}={v!r}" for k, v in self.configuration.items())
        return f"seed {self.seed}, Env({arguments}), {self.player} player"

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `Env`."""
        return {**self.configuration, "seed": self.seed}

    def actions(self, side: OurSide) -> Iterator[int]:
        """Run the player on our side and yield its actions."""
        if self.recorded is not None:
            yield from self.recorded
            return
        episode = 0
        for _ in itertools.count() if self.steps is None else range(self.steps):
            if side.env.episode > self.episodes:
                return
            if side.env.episode != episode:
                episode = side.env.episode
                player = PLAYERS[self.player](self.seed + 1_000_000 * (episode - 1))
            yield player.act(side.env, side.info)


def plans(first: int, count: int, steps: int | None) -> list[Plan]:
    """Plan one game per seed, rotating through configurations and players."""
    result = []
    for seed in range(first, first + count):
        configuration = CONFIGURATIONS[seed % len(CONFIGURATIONS)]
        player = list(PLAYERS)[seed % len(PLAYERS)]
        plan = Plan(seed, configuration, player, steps=steps)
        if player == "scripted":
            plan.episodes = 1  # It lives longer than the others.
        elif seed % 10 == 9:
            plan.after_done, plan.steps = "continue", 400 if steps is None else steps
        result.append(plan)
    return result


def play_ours(plan: Plan, textures: Path, tally: Tally | None = None) -> Trace:
    """Play a planned game in our environment."""
    side = OurSide(plan.arguments(), textures)
    game = Game(plan.arguments(), plan.actions(side), plan.after_done)
    rows = moments(side, game)
    return record(rows if tally is None else tally.watch(rows))


#: The recorded games in tests/golden, by file name.
GOLDEN = {
    name: Plan(**{**plan, "configuration": _arguments(plan.get("configuration", {}))})
    for name, plan in _FILE["golden"].items()
}


def long_plan() -> Plan:
    """Return a game of 10,000 recorded steps that the player survives."""
    plan = GOLDEN["survivor"]
    folder = Path(__file__).resolve().parents[2] / "tests" / "golden"
    recorded = golden.load(folder / "survivor.npz").game.actions
    return dataclasses.replace(plan, recorded=list(recorded))

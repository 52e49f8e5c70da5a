"""Golden games: played by Crafter 1.8.3, stored as small files, replayed by the tests.

A file holds the arguments of the environment, the actions, and for each reset and step
of the published game the reward, done, the player's position and inventory, and three
checksums: of the image, drawn with the textures of textures.py; of the random state;
and of everything else in a trace.

`scripts/compare_with_published.py --write-golden tests/golden` writes them.
"""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reference.trace import FIELDS, Game, Trace

CHECKS = ("observation", "random", "state")

# Daylight comes from a cosine, whose last bits depend on the processor. It has its own
# test, and an error that matters shows in the image.
_APART = ("observation", "random", "daylight")
_STATE = [i for i, name in enumerate(FIELDS) if name not in _APART]


@dataclass
class GoldenGame:
    """A recorded game of the published package.

    Attributes:
        game: The arguments and actions.
        checks: uint32 array (rows, 3): checksums in the order of `CHECKS`.
        rewards: float64 array (rows,); 0 for a reset.
        dones: bool array (rows,).
        positions: int16 array (rows, 2): the player's cell (x, y).
        amounts: int16 array (rows, items): the inventory.
    """

    game: Game
    checks: np.ndarray
    rewards: np.ndarray
    dones: np.ndarray
    positions: np.ndarray
    amounts: np.ndarray


def checks_of(trace: Trace) -> np.ndarray:
    """Reduce the checksums of a trace to three, uint32 array (rows, 3)."""
    state = [zlib.crc32(row.tobytes()) for row in trace.checksums[:, _STATE]]
    columns = (trace.column("observation"), trace.column("random"), state)
    return np.stack([np.asarray(c, np.uint32) for c in columns], 1)


def save(path: Path, game: Game, trace: Trace) -> None:
    """Write a game of the published package into an npz file.

    Args:
        path: File to write.
        game: The arguments and actions.
        trace: Its trace, rendered with the synthetic textures.
    """
    header = {"arguments": game.arguments, "after_done": game.after_done}
    np.savez_compressed(
        path,
        header=np.array(json.dumps(header)),
        actions=np.array(trace.played, np.uint8),
        checks=checks_of(trace),
        rewards=trace.rewards,
        dones=trace.dones,
        positions=trace.positions,
        amounts=trace.amounts,
    )


def load(path: Path) -> GoldenGame:
    """Read a file that `save` wrote."""
    with np.load(path, allow_pickle=False) as data:
        header = json.loads(str(data["header"]))
        game = Game(header["arguments"], data["actions"].tolist(), header["after_done"])
        names = ("checks", "rewards", "dones", "positions", "amounts")
        return GoldenGame(game, *(data[name] for name in names))

"""Plays and records one episode with the scripted player; `make demo` runs this.

Needs the extra "demo": pip install crafter[demo]
"""

import pathlib
from collections.abc import Sequence

import gymnasium
import imageio.v3 as imageio
import numpy as np
from tqdm import tqdm

import crafter
from crafter.core.arguments import positive
from crafter.core.options import Table, make_parser
from crafter.engine import World
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.views import LocalView, Textures

OPTIONS: Table = {
    "seed": (3, int, "seed of the world"),
    "steps": (1500, positive, "maximum number of steps"),
    "directory": (pathlib.Path("demo-output"), pathlib.Path, "output folder"),
}
#: Pixels per cell in the picture of the world; the size of the textures.
CELL = 16
NOON = 1.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, record and print a summary."""
    options = make_parser(__doc__, OPTIONS).parse_args(arguments)
    game = gymnasium.make("CrafterReward-v1", seed=options.seed, length=options.steps)
    env = crafter.Recorder(game, options.directory)
    reward, info = play(env, options.steps)
    env.close()
    path = options.directory / f"world-seed{options.seed}.png"
    imageio.imwrite(path, draw_world(game.get_wrapper_attr("world")))
    report(reward, info, game.get_wrapper_attr("step_count"))
    print("Files:", *sorted(options.directory.iterdir()), sep="\n  ")


def play(env: gymnasium.Env, steps: int) -> tuple[float, dict]:
    """Play one episode.

    Returns:
        The return of the episode, and the last `info`.
    """
    player = ScriptedPlayer()
    _, info = env.reset()
    total, done = 0.0, False
    with tqdm(total=steps, unit="step", ncols=78) as progress:
        while not done:
            action = player.act(env, info)
            _, reward, terminated, truncated, info = env.step(action)
            total += float(reward)
            done = terminated or truncated
            for name in sorted(info["unlocked"]):
                progress.write(f"Step {progress.n + 1:>4}: {name}")
            progress.update()
    return total, info


def draw_world(world: World) -> np.ndarray:
    """Draw the whole map with everything on it, in full light.

    Returns:
        uint8 of shape (height, width, 3).
    """
    draw = LocalView(Textures(), world.area, (CELL, CELL), world.rules)
    return draw(world.window((0, 0), world.area), NOON, sleeping=False)


def report(reward: float, info: dict, steps: int) -> None:
    """Print how the episode went."""
    unlocked = [name for name, count in info["achievements"].items() if count]
    print(f"\nAchievements: {len(unlocked)} of {len(info['achievements'])}")
    for name in unlocked:
        print(f"  {name} x{info['achievements'][name]}")
    print(f"Return: {reward:.1f}")
    end = "died" if info["dead"] else "stopped at the limit"
    print(f"Length: {steps} steps, {end}")


if __name__ == "__main__":
    main()

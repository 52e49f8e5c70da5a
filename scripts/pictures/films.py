"""Animations of games, and a game as an HTML page."""

import collections
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from PIL import Image

import crafter
from crafter import run_gui
from crafter.games.crafter.planner.agents import Oracle
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.lm import CrafterACI
from crafter.lm.agents.base import Message, briefing_of
from crafter.lm.agents.players import ScriptedAgent
from crafter.tasks.env.single import TaskEnv

DELAY = 120  # milliseconds


def save(path: pathlib.Path, frames: list[np.ndarray]) -> None:
    """Writes frames as an animation with one shared palette of 255 colours."""
    sample = np.concatenate(frames[:: max(1, len(frames) // 24)])
    palette = Image.fromarray(sample).quantize(255)
    look: dict[str, Any] = {"palette": palette, "dither": Image.Dither.NONE}
    first, *rest = (Image.fromarray(frame).quantize(**look) for frame in frames)
    delays = [DELAY] * len(rest) + [15 * DELAY]
    film = {"append_images": rest, "duration": delays, "loop": 0, "optimize": False}
    first.save(path, "GIF", save_all=True, **film)


def play(env: gymnasium.Env, steps: int) -> Iterator[str]:
    """Lets the scripted player play; yields the action of each step."""
    player, (_, info) = ScriptedPlayer(), env.reset()
    yield "noop"
    for _ in range(steps):
        action = player.act(env.unwrapped, info)
        _, _, terminated, truncated, info = env.step(action)
        yield info["action"]
        if terminated or truncated:
            return


def save_page(path: pathlib.Path, env: gymnasium.Env, steps: int) -> None:
    """Writes a game of the scripted player as an HTML page."""
    with tempfile.TemporaryDirectory() as folder:
        env = crafter.Recorder(env, folder, save_video=False)
        collections.deque(play(env, steps), maxlen=0)
        env.close()
        (recording,) = pathlib.Path(folder).glob("*.npz")
        named = recording.rename(recording.with_name("a game of the scripted player"))
        run_gui.main(["--replay", str(named), "--html", str(path)])


def craftax(size: tuple[int, int], **start: Any) -> list[np.ndarray]:
    """Returns frames of the scripted text agent in Craftax."""
    aci, agent = CrafterACI(game="craftax", **start), ScriptedAgent()
    agent.reset(briefing_of(aci))
    frames = [aci.env.frame(size)]
    aci.listen(lambda aci: frames.append(aci.env.frame(size)))
    while not aci.done:
        now = aci.observe()
        aci.act(agent.act(Message(aci.describe(now), now.json())))
    return frames


def task(task: str, size: tuple[int, int] = (144, 144)) -> list[np.ndarray]:
    """Returns frames of the planner in the first simple scene of a task."""
    env = TaskEnv(task, split="test")
    agent, done = Oracle(env), False
    agent.reset(*env.reset(seed=0))
    frames = [env.frame(size)]
    while not done:
        _, _, terminated, truncated, _ = env.step(agent.act(None))
        done = terminated or truncated
        frames.append(env.frame(size))
    return frames

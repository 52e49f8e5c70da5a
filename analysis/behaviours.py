"""Counts emergent behaviours in recorded games of Crafter, or prints the counts.

    python analysis/behaviours.py --record random --episodes 1000 games/random
    python analysis/behaviours.py --record agent.npz --episodes 200 games/ppo-gru-1M
    python analysis/behaviours.py games/random games/ppo-gru-1M games/human \
        --save scores/behaviours.json.gz --pictures pictures
    python analysis/behaviours.py scores/behaviours.json.gz

Each folder of recordings is a group named after it. Recordings are replayed with all
their events. Recordings of the published package cannot be replayed and are read row by
row: flanks are not detected then, every loss of health counts as caused by an arrow,
and the ground beneath objects is taken from earlier or later rows.
"""

import collections
import functools
import gzip
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import common
import numpy as np
from detectors import BEHAVIOURS, Watch
from PIL import Image
from recorded_games import PlainGame

import crafter
from crafter import scoring
from crafter.core import npz
from crafter.core.agents import load_agent
from crafter.core.arguments import positive
from crafter.core.options import Table, exit_on, make_parser
from crafter.games.crafter import rules
from crafter.games.crafter.app.adapter import App
from crafter.games.crafter.players.random import RandomPlayer
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.tasks.view import TaskView
from crafter.gui.autopilot import Autopilot
from crafter.recording.reader import load_episode, load_start
from crafter.recording.transitions import START
from crafter.reporting import tables

#: Behaviours in at least this share of random-play episodes do not count.
CHANCE = 0.005
#: The group of random play.
RANDOM = "random"
ABOUT = "made_by.json"
#: Pixels of a frame in images, and the frames: now, and 3 and 6 steps before.
PIXELS, FRAMES = (216, 216), slice(None, None, 3)
OPTIONS: Table = {
    "record": (None, str, "only record games of `random`, `scripted` or an agent"),
    "episodes": (200, positive, "number of games to record; the index is the seed"),
    "save": (None, pathlib.Path, "write the counts into this file, .json.gz"),
    "pictures": (None, pathlib.Path, "folder for images of each behaviour's start"),
    "rates": (False, None, "print counts per 10,000 steps, not shares of episodes"),
    **common.TABLE_OPTIONS,
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    text = "folders of recordings or files of --save"
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help=text)
    args = parser.parse_args(argv)
    with exit_on(parser, ValueError, OSError):
        if args.record:
            for path in args.paths:
                record(args.record, path, args.episodes)
            return
        groups = [group for path in args.paths for group in read(path, args.pictures)]
        if args.save:
            text = json.dumps(groups, separators=(",", ":"))
            args.save.write_bytes(gzip.compress(text.encode(), mtime=0))
        common.write_table(make_table(groups, args.rates), args)


# Recording.


def record(name: str, folder: pathlib.Path, episodes: int) -> None:
    """Records episodes of a player until a folder has enough.

    Args:
      name: `random`, `scripted`, or an argument of `crafter.load_agent`.
      folder: The folder.
      episodes: Target number of episodes.

    Raises:
      ValueError: If the agent is unknown.
    """
    agent = None if name in (RANDOM, "scripted") else load_agent(name)
    env = crafter.Env(observation="compact")
    if agent:
        agent.check(env)
    recorder = crafter.EpisodeRecorder(env, folder)
    about = {"agent": name, "steps": agent and agent.about["steps"]}
    (folder / ABOUT).write_text(json.dumps(about) + "\n", "utf-8")
    for number in range(len(_files(folder)), episodes):
        _, info = recorder.reset(seed=number)
        if agent:
            choose = functools.partial(_by_agent, Autopilot(agent, env), env)
        else:
            player = RandomPlayer(number) if name == RANDOM else ScriptedPlayer()
            choose = functools.partial(player.act, env)
        done = False
        while not done:
            _, _, terminated, truncated, info = recorder.step(choose(info))
            done = terminated or truncated


def _by_agent(pilot: Autopilot, env: Any, _info: Any) -> int:
    pilot.look()
    return int(env.action_names.index(pilot.choose()))


# Counting.


def read(path: pathlib.Path, pictures: pathlib.Path | None = None) -> list[Any]:
    """Returns the groups of a file, or counts the group of a folder.

    A group is a dict of its `name`, the training `steps` of its agent (None without
    training), the `lengths` of its episodes, and `counts`: behaviour -> per episode.

    Raises:
      ValueError: If there are no recordings, or one is damaged.
      OSError: If a file cannot be read.
    """
    if not path.is_dir():
        groups: list[Any] = json.loads(gzip.decompress(path.read_bytes()))
        return groups
    files = _files(path)
    if not files:
        raise ValueError(f"expected recorded episodes (npz) in {path}, found none")
    about = path / ABOUT
    steps = json.loads(about.read_text("utf-8"))["steps"] if about.exists() else None
    watched = [count(file, pictures) for file in files]
    return [
        {
            "name": path.name,
            "steps": steps,
            "lengths": [watch.now for watch in watched],
            "counts": {n: [w.counts[n] for w in watched] for n in BEHAVIOURS},
        }
    ]


def _files(folder: pathlib.Path) -> list[pathlib.Path]:
    """Returns the recordings of whole episodes."""
    return [p for p in sorted(folder.rglob("*.npz")) if "-partial-" not in p.name]


def count(path: pathlib.Path, pictures: pathlib.Path | None = None) -> Watch:
    """Counts the behaviours in a recorded episode.

    Args:
      path: The npz file.
      pictures: Folder in which to draw behaviours that have no image there yet.

    Raises:
      ValueError: If it is not an episode of Crafter.
    """
    episode = load_episode(path)
    replayed = START in npz.read(path, START)
    env: Any = PlainGame(episode)
    if replayed:
        env = App.resume(load_start(path), rules.default())
    view = TaskView.of(env)
    watch = Watch(view, lambda: env.world.objects)
    frames: collections.deque[np.ndarray] = collections.deque(maxlen=7)
    for action in episode["action"][1:].tolist():
        events = env.step(action)[-1]["events"]
        view.advance(events)
        if pictures and replayed:
            frames.append(_frame(env))
        for name in watch.step(events):
            if pictures and replayed:
                _draw(pictures / f"{name.replace(' ', '-')}.png", list(frames)[FRAMES])
    return watch


def _frame(env: Any) -> np.ndarray:
    """Draws a frame, with nights brightened."""
    frame = env.frame(PIXELS, noise=False)
    return np.asarray(
        255 * (frame / 255) ** np.clip(1.5 * env.daylight, 0.4, 1), np.uint8
    )


def _draw(path: pathlib.Path, frames: Sequence[np.ndarray]) -> None:
    """Draws frames side by side, unless the image exists."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        apart = [
            np.pad(f, ((0, 0), (0, 8), (0, 0)), constant_values=255) for f in frames
        ]
        picture = Image.fromarray(np.concatenate(apart, 1)[:, :-8])
        picture.quantize(96).save(path, optimize=True)


# Printing.


def make_table(groups: Sequence[Mapping[str, Any]], rates: bool) -> tables.Table:
    """Returns a row per behaviour and a column per group, with 95 % intervals.

    Args:
      groups: Groups from `read`; groups with the same name and training are merged.
      rates: Whether to show rates per 10,000 steps, with bootstrap intervals over
        episodes, instead of percentages of episodes, with Wilson intervals.
    """
    cell = _rate if rates else _share
    rows: list[list[tables.Cell]] = []
    for name in BEHAVIOURS:
        first = min(
            (_steps(g) for g in groups if any(g["counts"][name])), default=np.inf
        )
        chance = [g["counts"][name] for g in groups if g["name"] == RANDOM]
        by_chance = any(np.mean(np.sign(c)) >= CHANCE for c in chance)
        shown = first < np.inf and not by_chance
        trained = common.thousands(round(first, -5), 0) if shown else ""
        mark = " †" if by_chance else ""
        rows.append([name + mark, *(cell(group, name) for group in groups), trained])
    heads = [f"{g['name']} ({len(g['lengths']):,})" for g in groups]
    note = f"† does not count: {100 * CHANCE:g} % or more of random episodes show it"
    return tables.Table(["Behaviour", *heads, "First after"], rows, note)


def _steps(group: Mapping[str, Any]) -> float:
    return group["steps"] or np.inf


def _share(group: Mapping[str, Any], name: str) -> tables.Value:
    counts = group["counts"][name]
    shown = sum(map(bool, counts))
    low, high = scoring.wilson_interval(shown, len(counts))
    share = shown / len(counts)
    return tables.Value(100 * share, digits=1, low=100 * low, high=100 * high)


def _rate(group: Mapping[str, Any], name: str) -> tables.Value:
    pairs = np.array([group["counts"][name], group["lengths"]], float)
    if not pairs[0].any():
        return tables.Value(0, digits=2)  # a bootstrap of zeros has no spread
    drawn = np.random.default_rng(0).integers(len(pairs[0]), size=(2000, len(pairs[0])))
    sums = pairs[:, drawn].sum(-1)
    low, high = 1e4 * np.quantile(sums[0] / sums[1], [0.025, 0.975])
    mean = 1e4 * pairs[0].sum() / pairs[1].sum()
    return tables.Value(mean, digits=2, low=low, high=high)


if __name__ == "__main__":
    main()

"""Games, files and programs for recording tests."""

import errno
import gc
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import warnings

import numpy as np

import crafter
from crafter.games import craftax
from crafter.games.crafter import constants

# Crafter 1.8.3: key, dtype and shape after the number of rows.
EPISODE_TABLE = [
    ("image", "uint8", (48, 64, 3)),
    ("action", "int64", ()),
    ("reward", "float64", ()),
    ("done", "bool", ()),
    ("discount", "float64", ()),
    ("semantic", "uint8", (24, 32)),
    ("player_pos", "int64", (2,)),
    *((f"achievement_{name}", "int64", ()) for name in constants.achievements),
    *((f"ainventory_{name}", "int64", ()) for name in constants.items),
]


def make_env(length=5, **kwargs):
    kwargs = {"area": (24, 32), "size": (64, 48), "seed": 1, **kwargs}
    return crafter.Env(length=length, **kwargs)


def make_craftax(length=5):
    return craftax.Env("pixels", max_timesteps=length)


def play(env, steps, seed=0):
    """Resets the environment, acts randomly and returns all results."""
    rng = np.random.RandomState(seed)
    results = [(None, *env.reset())]
    for action in rng.randint(0, env.action_space.n, steps):
        results.append((int(action), *env.step(int(action))))
    return results


def record(env, folder, actions, look=lambda: None, **options):
    """Records an episode; returns its path, and `look()` after reset and every step."""
    recorder = crafter.Recorder(env, folder, save_video=False)
    recorder.reset(options=options or None)
    seen = [look()]
    for action in actions:
        ended = any(recorder.step(int(action))[2:4])
        seen.append(look())
        if ended:
            break
    recorder.close()
    return only(folder, "*.npz"), seen


def files(directory, pattern="*"):
    """Returns the names of all files, including hidden ones."""
    return sorted(path.name for path in pathlib.Path(directory).glob(pattern))


def only(directory, pattern):
    (name,) = files(directory, pattern)
    return pathlib.Path(directory) / name


def stats_of(directory):
    lines = (pathlib.Path(directory) / "stats.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def read_video(ffmpeg, path):
    """Returns the metadata and frames of a video."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # It leaves pipes open.
        meta, *data = ffmpeg.read_frames(str(path))
        gc.collect()
    width, height = meta["size"]
    frames = [np.frombuffer(frame, np.uint8) for frame in data]
    return meta, np.stack(frames).reshape(-1, height, width, 3)


def start_program(directory, ending, length=5, **options):
    """Starts a process that creates a recorder `env`, then runs `ending`."""
    program = f"""
        import signal
        import sys
        import crafter
        from crafter.recorder import Recorder
        # What runs in the background may have been told to ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        env = crafter.Env(seed=1, area=(24, 32), length={length})
        env = Recorder(env, sys.argv[1], video_size=64)
        {textwrap.indent(textwrap.dedent(ending).strip(), " " * 8).strip()}
    """
    root = str(pathlib.Path(crafter.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(directory)],
        env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run_program(directory, ending, **options):
    """Takes three steps of an episode of five in a subprocess, then runs `ending`."""
    played = f"""
        env.reset()
        for _ in range(3):
            env.step(0)
        {textwrap.indent(textwrap.dedent(ending).strip(), " " * 8).strip()}
    """
    process = start_program(directory, played, **options)
    output, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def no_space(*args, **kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupt(*args, **kwargs):
    raise KeyboardInterrupt

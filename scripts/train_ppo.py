"""Trains PPO from Stable-Baselines3 on Crafter, or on one of its tasks.

    python scripts/train_ppo.py --steps 1000000 --logdir ~/logdir/ppo
    python scripts/train_ppo.py --steps 1000000 --logdir ~/logdir/ppo --resume
    python scripts/train_ppo.py --task eat_cow --vector --logdir ~/logdir/ppo_cow

The agent is CnnPolicy, or with --observation symbolic MlpPolicy, with the settings of
the RL Baselines3 Zoo for Atari: eight environments, and a learning rate and clip range
that decay linearly to zero. Frames are not stacked. --settings library takes the
defaults of Stable-Baselines3, and one environment. --vector steps all environments in
one process in compiled code; otherwise each has its own process. With --task an episode
is an attempt at the task, and its return is 1 on success. The folder gets:

- stats.jsonl, a line per finished episode, as crafter.Recorder writes it;
- logs/<first step>/progress.csv and TensorBoard files, for every start of the program;
- checkpoints/<step>.zip, the agent and its optimizer, also at the end and on Ctrl-C;
- videos/<steps>/*.mp4, the trained agent in the first episodes of --seed;
- success.jsonl, only with --task: the number of successes on --eval-scenes held-out
  scenes, a line each for a random, the untrained and the trained agent.

--resume continues from the newest checkpoint with new worlds; options that affect
learning must be the same. Episodes that ended after the checkpoint, before the program
was killed, do not count: their lines move from stats.jsonl to stats-dropped.jsonl, so
that the file is that of one training with this many steps. The tables of earlier starts
lose their rows after it, so that each step occurs in one only. Episodes in progress at
the checkpoint are lost. After the end, --resume records missing videos.

Needs `pip install crafter[train]`, and --vector also `pip install crafter[vector]`.
"""

import argparse
import contextlib
import csv
import functools
import multiprocessing
import operator
import pathlib
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from training import success
from training.run import Run, TrainingError, check_packages, make_seed

import crafter
from crafter.core import journal
from crafter.core.arguments import not_negative, positive
from crafter.core.options import REQUIRED, Table, exit_on, make_parser
from crafter.recording.video import find_ffmpeg
from crafter.tasks import Task, scenes

ENV, TASK_ENV = "CrafterReward-v1", "CrafterTask-v1"
POLICIES = {"pixels": "CnnPolicy", "symbolic": "MlpPolicy"}
NEEDS = ("torch", "stable_baselines3", "tensorboard", "tqdm")

ROLLOUT = 128  # steps per environment between two updates
LARGEST_BATCH = 2048
# Decay linearly to zero over the training.
DECAYING = {"learning_rate": 2.5e-4, "clip_range": 0.1}
SETTINGS = {
    "n_steps": ROLLOUT,
    "n_epochs": 4,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
}
GAMES = {"zoo": 8, "library": 1}  # environments, by the name of the settings


# Logs, truncated to their size at a checkpoint. The success at a checkpoint is measured
# after it.
GROWING = ("stats.jsonl",)
SUCCESS = "success.jsonl"
# Options that do not affect learning, and its length.
_FREE = ("steps", "logdir", "device", "checkpoint_every", "resume")
FREE = (*_FREE, "eval_scenes", "videos")


OPTIONS: Table = {
    "logdir": (None, {"type": pathlib.Path, **REQUIRED}, "folder"),
    "steps": (1_000_000, positive, "total steps of all games, including those before "
                                   "--resume"),
    "seed": (0, not_negative, "seed"),
    "envs": (None, positive, "parallel games, each with 3 MB for its steps, or 50 MB "
                             "with --settings library (default: 8, or 1 with library)"),
    "settings": ("zoo", list(GAMES), "of PPO: those of the RL Zoo for Atari, or of "
                                     "the library"),
    "vector": (False, None, "step all games in compiled code"),
    "device": ("auto", str, "auto, cpu, cuda, cuda:1, ..."),
    "checkpoint-every": (100_000, positive, "steps between checkpoints"),
    "resume": (False, None, "resume from the newest checkpoint"),
    "observation": ("pixels", list(POLICIES), "observations of the agent"),
    "task": (None, str, "name of a task, an expression or a task file"),
    "difficulty": ("simple", str, "difficulty of the task"),
    "scenes": (512, positive, "scenes to train on, with --vector"),
    "eval-scenes": (200, not_negative, "scenes of the split val to evaluate on"),
    "videos": (1, not_negative, "episodes of the trained agent to record at the end"),
}  # fmt: skip


def main(argv: list[str] | None = None) -> None:
    """Run the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    args = parser.parse_args(argv)
    args.logdir = args.logdir.expanduser()
    if args.envs is None:
        args.envs = GAMES[args.settings]
    run = Run(args.logdir, vars(args), FREE, GROWING)
    missing = gymnasium.error.DependencyNotInstalled
    with exit_on(parser, TrainingError, OSError, ImportError, missing):
        check_packages(NEEDS, "train")
        check_device(args.device)
        check_task(args)
        if args.videos:
            find_ffmpeg()
        newest = run.find(args.resume)
        if newest is None:
            run.check_unused("checkpoint", SUCCESS)
        with run:
            train_and_show(run, args, newest)


def train_and_show(run: Run, args: argparse.Namespace, newest: Any) -> None:
    """Train unless all steps are done; then measure success and record videos."""
    if newest is not None and int(newest.stem) >= args.steps:
        print(f"Nothing to train: {int(newest.stem)} steps are done.")
        model = load(newest, args)
    else:
        model = train(run, args, newest)
    if model.num_timesteps >= args.steps:
        measure_success(run, model, args)
        record_videos(model, args)


def check_device(name: str) -> None:
    """Reject a missing device; the library would fall back to the CPU."""
    import torch

    if name == "auto":
        return
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise TrainingError(f"Cannot use device {name!r}: {reason}") from error


def check_task(args: argparse.Namespace) -> None:
    """Reject an invalid or unsupported task before anything is written."""
    if args.task is None:
        return
    try:
        if args.eval_scenes:
            task = Task(args.task, args.difficulty)
            scenes.check(task, success.SPLIT, args.eval_scenes - 1)
        if args.vector:
            gymnasium.make_vec(TASK_ENV, 1, scenes=1, **task_of(args)).close()
    except ValueError as error:
        raise TrainingError(f"argument --task: {error}") from error


def task_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the environment arguments that select the task."""
    return {"task": args.task, "difficulty": args.difficulty}


def train(run: Run, args: argparse.Namespace, newest: pathlib.Path | None) -> Any:
    """Train up to the number of steps or to Ctrl-C, and return the agent."""
    if newest is not None:
        run.cut(run.sizes_at(newest))
        cut_tables(args.logdir, int(newest.stem))
    with contextlib.closing(make_envs(args)) as envs:
        model = make_model(args, envs, newest)
        if newest is None:
            measure_success(run, model, args)
        with contextlib.closing(model.logger):
            learn(run, model, args)
    return model


def cut_tables(logdir: pathlib.Path, steps: int) -> None:
    """Drop the rows of all progress tables after a checkpoint."""
    for path in logdir.glob("logs/*/progress.csv"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        done = (int(row["time/total_timesteps"]) for row in csv.DictReader(lines))
        kept = [line for line, count in zip(lines[1:], done) if count <= steps]
        journal.replace(path, "".join([*lines[:1], *kept]))


def make_envs(args: argparse.Namespace) -> Any:
    """Return the vector environment, with episode statistics recorded."""
    game: dict[str, Any] = {"id": ENV, "observation": args.observation}
    if args.task is not None:
        game |= {"id": TASK_ENV, **task_of(args)}
    if args.vector:
        from crafter.compiled import sb3

        if args.task is not None:
            game["scenes"] = args.scenes
        games = gymnasium.make_vec(
            **game,
            num_envs=args.envs,
            autoreset_mode="SameStep",
            info_keys=["reward", "achievements"],
        )
        return sb3.VecEnv(crafter.VectorStatsRecorder(games, args.logdir))
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    make = functools.partial(make_game, args.logdir, **game)
    return (DummyVecEnv if args.envs == 1 else SubprocVecEnv)([make] * args.envs)


def make_game(logdir: pathlib.Path, **game: Any) -> gymnasium.Env:
    """Return one environment, with episode statistics recorded."""
    from stable_baselines3.common.monitor import Monitor

    if multiprocessing.parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # The main process handles Ctrl-C.
    return Monitor(crafter.StatsRecorder(gymnasium.make(**game), logdir))


def make_model(args: argparse.Namespace, envs: Any, newest: Any) -> Any:
    """Return a new agent or that of a checkpoint, with its logger set up."""
    from stable_baselines3 import PPO
    from stable_baselines3.common import logger

    # A new seed for every start, so that no world is repeated.
    seed = make_seed(args.seed, 0 if newest is None else int(newest.stem))
    if newest is None:
        options = {"seed": seed, "device": args.device, **make_schedules(args)}
        if args.settings == "zoo":
            options |= {"batch_size": choose_batch(ROLLOUT * args.envs), **SETTINGS}
        model = PPO(POLICIES[args.observation], envs, **options)
    else:
        model = load(newest, args, env=envs, seed=seed)
    folder = args.logdir / "logs" / f"{model.num_timesteps:09}"
    shutil.rmtree(folder, ignore_errors=True)  # From a start at the same checkpoint.
    model.set_logger(logger.configure(str(folder), ["csv", "tensorboard"]))
    return model


def load(checkpoint: pathlib.Path, args: argparse.Namespace, **options: Any) -> Any:
    """Return the agent of a checkpoint."""
    from stable_baselines3 import PPO

    options |= make_schedules(args)
    return PPO.load(checkpoint, device=args.device, **options)


def make_schedules(args: argparse.Namespace) -> dict[str, Callable[[float], float]]:
    """Return the schedules of the decaying settings."""
    decaying = {} if args.settings == "library" else DECAYING
    return {n: functools.partial(operator.mul, first) for n, first in decaying.items()}


def choose_batch(rollout: int) -> int:
    """Return the largest divisor of a rollout up to a quarter of it, at most 2048.

    Example:
      >>> choose_batch(8 * 128), choose_batch(1024 * 128), choose_batch(100 * 128)
      (256, 2048, 1600)
    """
    largest = min(rollout // 4, LARGEST_BATCH)
    return next(size for size in range(largest, 0, -1) if rollout % size == 0)


def learn(run: Run, model: Any, args: argparse.Namespace) -> None:
    """Train up to the number of steps or to Ctrl-C, and save the agent."""
    import tqdm

    left = args.steps - model.num_timesteps
    with tqdm.tqdm(
        total=args.steps, initial=model.num_timesteps, unit="step", file=sys.stderr
    ) as bar:
        callback = follow(model, bar, run, args)
        try:
            model.learn(left, callback, reset_num_timesteps=False)
        except KeyboardInterrupt:
            bar.write("Interrupted.", file=sys.stderr)
        save(run, model)
    print(f"Trained {model.num_timesteps} steps; everything is in {args.logdir}.")


def follow(model: Any, bar: Any, run: Run, args: argparse.Namespace) -> Callable:
    """Return the step callback, which shows progress and saves checkpoints."""
    saved = model.num_timesteps

    def after_step(_locals: dict, _globals: dict) -> bool:
        nonlocal saved
        bar.update(model.num_timesteps - bar.n)
        if model.ep_info_buffer:
            returns = [episode["r"] for episode in model.ep_info_buffer]
            bar.set_postfix(reward=f"{np.mean(returns):.2f}", refresh=False)
        if model.num_timesteps - saved >= args.checkpoint_every:
            saved = model.num_timesteps
            save(run, model)
        return True

    return after_step


def save(run: Run, model: Any) -> None:
    """Write a checkpoint, all or nothing."""
    with run.checkpoint(model.num_timesteps, ".zip") as path:
        model.save(path)


def measure_success(run: Run, model: Any, args: argparse.Namespace) -> None:
    """Measure the agent's success rate on the task, unless already done."""
    if args.task is None or not args.eval_scenes:
        return
    results = journal.read(args.logdir / SUCCESS)
    game = {**task_of(args), "observation": args.observation}
    for agent, steps, act in (
        ("random", 0, success.random_actions(args.seed)),
        ("ppo", model.num_timesteps, lambda obs: model.predict(obs)[0]),
    ):
        if any((row["agent"], row["steps"]) == (agent, steps) for row in results):
            continue
        seed_actions(model, args.seed, 0)
        done = success.measure(act, args.eval_scenes, args.vector, **game)
        row = {"agent": agent, "steps": steps, "done": int(done.sum())}
        row["attempts"] = args.eval_scenes
        run.append(SUCCESS, row)
        text = success.describe(row)
        print(f"{args.task}, {args.difficulty}: {text}", flush=True)


def record_videos(model: Any, args: argparse.Namespace) -> None:
    """Record the trained agent in the first episodes of the seed, unless done."""
    folder = args.logdir / "videos" / f"{model.num_timesteps:09}"
    there = [path for path in folder.glob("*.mp4") if "-partial-" not in path.name]
    if len(there) >= args.videos:
        return
    options: dict[str, Any] = {"observation": args.observation}
    if args.task is None:
        game = gymnasium.make(ENV, seed=args.seed, **options)
    else:
        game = gymnasium.make(TASK_ENV, split="val", **options, **task_of(args))
    with contextlib.closing(crafter.VideoRecorder(game, folder)) as env:
        for episode in range(len(there) + 1, args.videos + 1):
            print(f"Recording episode {episode} of {args.videos} ...", flush=True)
            seed_actions(model, args.seed, episode)
            which = {"scene": episode - 1} if args.task else {"episode": episode}
            observation, _ = env.reset(options=which)
            done = False
            while not done:  # Actions are sampled, as in training.
                action, _ = model.predict(observation)
                observation, _, *ends, _ = env.step(int(action))
                done = any(ends)
    print(f"The videos are in {folder}.")


def seed_actions(model: Any, *numbers: int) -> None:
    """Seed the sampling of actions."""
    from stable_baselines3.common.utils import set_random_seed

    set_random_seed(make_seed(*numbers), using_cuda=model.device.type == "cuda")


if __name__ == "__main__":
    main()

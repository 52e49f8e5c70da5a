"""Trains PPO from RLlib on Crafter or Craftax, on one machine or on a Ray cluster.

    python scripts/train_rllib.py --steps 1000000 --out ~/logdir/rllib
    python scripts/train_rllib.py --steps 2000000 --out ~/logdir/rllib --resume
    python scripts/train_rllib.py --runners 64 --address auto --out ~/logdir/rllib
    python scripts/train_rllib.py --env Craftax-Symbolic-v1 --observation symbolic \
        --out ~/logdir/craftax_symbolic-rllib/0

Each of the --runners has a core of the cluster, on which it steps --games environments
in compiled code and runs the policy. This program learns from their samples, in rounds
of 64 steps per environment. Only it writes files:

- stats.jsonl, a line per finished episode of any runner, as crafter.Recorder writes it;
- progress.jsonl, a line per round;
- checkpoints/<steps>, of RLlib, and checkpoints/<steps>.json, its metadata.

A runner that dies is restarted, elsewhere if its machine is gone, with new worlds;
meanwhile the others play more. Its samples of the round and its unfinished episodes are
lost. --resume continues from the newest checkpoint with new worlds, on any number of
runners; other options that affect learning must be the same. What was logged after the
checkpoint moves to stats-dropped.jsonl and progress-dropped.jsonl; episodes in progress
at the checkpoint are lost.

Needs `pip install crafter[rllib]`, on all machines.
"""

import argparse
import contextlib
import functools
import json
import pathlib
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from training.run import Run, TrainingError, check_packages, make_seed

import crafter
from crafter.core import cluster
from crafter.core.arguments import not_negative, positive
from crafter.core.options import Table, exit_on, make_parser

OBSERVATIONS = ("pixels", "symbolic", "compact")
#: Environment -> observations that the network supports.
ENVS = {
    "CrafterReward-v1": OBSERVATIONS,
    "CrafterNoReward-v1": OBSERVATIONS,
    "Craftax-Symbolic-v1": ("pixels", "symbolic", "puffer"),
}
NEEDS = ("ray.rllib", "torch", "numba")
GROWING = ("stats.jsonl", "progress.jsonl")  # logs
# Options that do not affect learning, its length, and the number of runners, which may
# change.
FREE = ("steps", "runners", "out", "checkpoint_every", "resume", "address")

ROLLOUT = 64  # steps per environment in a round
MINIBATCH = 1024
WIDTH = 256  # of the features that both heads share
SETTINGS: dict[str, Any] = {
    "lr": 3e-4,
    "gamma": 0.99,
    "lambda_": 0.95,
    "num_epochs": 4,
    "clip_param": 0.2,
    "vf_loss_coeff": 0.5,
    "entropy_coeff": 0.01,
    "use_kl_loss": False,
    "grad_clip": 0.5,
    "grad_clip_by": "global_norm",
}
# Timeouts in seconds: for restarting runners to answer, and for the samples of a round;
# in the first one, the environments may have to be compiled.
ANSWER, ROUND = 5.0, 600.0
# The phases of a round, and RLlib's names of their timers.
TIMERS = {
    "playing": "env_runner_sampling_timer",
    "learning": "learner_update_timer",
}


OPTIONS: Table = {
    "steps": (1_000_000, positive, "total steps of all games, including those before "
                                   "--resume"),
    "runners": (1, positive, "runner processes, each on one core"),
    "games": (64, positive, "parallel games per runner"),
    "env": ("CrafterReward-v1", list(ENVS), "the game"),
    "observation": ("pixels", [*OBSERVATIONS, "puffer"], "observations of the agent"),
    "seed": (0, not_negative, "seed"),
    "out": (pathlib.Path("logdir/crafter_reward-rllib/0"), pathlib.Path, "folder"),
    "checkpoint-every": (100_000, positive, "steps between checkpoints"),
    "resume": (False, None, "resume from the newest checkpoint"),
    "address": (None, str, "address of a Ray cluster, such as 'auto' on one of its "
                           "machines (default: RAY_ADDRESS, or a new local cluster)"),
}  # fmt: skip


def main(argv: list[str] | None = None) -> None:
    """Run the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    args = parser.parse_args(argv)
    if args.observation not in ENVS[args.env]:
        valid = ", ".join(ENVS[args.env])
        parser.error(
            f"--env {args.env} supports --observation {valid}, not {args.observation}."
        )
    args.out = args.out.expanduser().absolute()
    run = Run(args.out, vars(args), FREE, GROWING)
    stopped = "Interrupted; --resume continues from the last checkpoint."
    errors = TrainingError, OSError, ImportError
    with exit_on(parser, *errors, interrupted=stopped):
        check_packages(NEEDS, "rllib")
        newest = run.find(args.resume)
        if newest is not None and int(newest.stem) >= args.steps:
            print(f"Nothing to train: {int(newest.stem)} steps are done.")
            return
        with cluster.mapping(args.address or cluster.LOCAL):
            check_cores(args)
            with run:
                train(run, args, newest)


def check_cores(args: argparse.Namespace) -> None:
    """Reject more runners than cores; RLlib would wait silently for ever."""
    import ray

    cores = int(ray.cluster_resources().get("CPU", 0))
    if args.runners > cores:
        raise TrainingError(
            f"argument --runners: expected at most {cores}, the number of cores of "
            f"the cluster, got {args.runners}."
        )


def train(run: Run, args: argparse.Namespace, newest: pathlib.Path | None) -> None:
    """Train up to the number of steps, with periodic checkpoints and a final one."""
    if newest is not None:
        run.cut(run.sizes_at(newest))
    steps = saved = 0 if newest is None else int(newest.stem)
    with make_algorithm(args, steps) as algorithm:
        if newest is not None:
            algorithm.restore_from_path(str(newest))
        for round_ in rounds(algorithm, steps):
            steps = round_["steps"]
            write(run, round_)
            show(algorithm, args, round_)
            if steps >= args.steps or steps - saved >= args.checkpoint_every:
                saved = steps
                with run.checkpoint(steps) as path:
                    path.mkdir()
                    algorithm.save_to_path(str(path))
            if steps >= args.steps:
                break
    print(f"Trained {steps} steps; everything is in {args.out}.")


@contextlib.contextmanager
def make_algorithm(args: argparse.Namespace, steps: int) -> Iterator[Any]:
    """Yield the algorithm with an untrained agent."""
    from ray import tune

    tune.register_env("crafter", functools.partial(Games, crafter.__version__))
    algorithm = make_config(args, steps).build_algo()
    try:
        yield algorithm
    finally:
        algorithm.stop()
        shutil.rmtree(algorithm.logdir, ignore_errors=True)  # RLlib's own, empty.


def make_config(args: argparse.Namespace, steps: int) -> Any:
    """Return RLlib's configuration."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec

    batch = args.runners * args.games * ROLLOUT
    game = {"id": args.env, "observation": args.observation}
    return (
        PPOConfig()
        .environment("crafter", env_config=game)
        .env_runners(
            num_env_runners=args.runners,
            num_envs_per_env_runner=args.games,
            rollout_fragment_length=ROLLOUT,
            sample_timeout_s=ROUND,
            gym_env_vectorize_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT,
        )
        .fault_tolerance(
            restart_failed_env_runners=True,
            env_runner_health_probe_timeout_s=ANSWER,
        )
        .rl_module(rl_module_spec=RLModuleSpec(module_class=make_agent_class()))
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(MINIBATCH, batch),
            **SETTINGS,
        )
        .callbacks(on_sample_end=send_episodes)
        # A new seed for every start, so that no world is repeated.
        .debugging(seed=make_seed(args.seed, steps))
    )


class Games(gymnasium.vector.VectorWrapper):
    """The vector environment of a runner, with episode statistics recorded.

    Args:
      version: Version of the package in the main program.
      settings: Arguments of `gymnasium.make_vec`.
    """

    def __init__(self, version: str, settings: dict[str, Any]) -> None:
        if crafter.__version__ != version:
            raise RuntimeError(
                f"Runner has crafter {crafter.__version__} but the program has "
                f"{version}: install the same version on all machines."
            )
        self._folder = tempfile.TemporaryDirectory(prefix="crafter-")
        games = gymnasium.make_vec(
            **settings,
            vectorization_mode="vector_entry_point",
            threads=1,
            info_keys=["reward", "achievements"],
        )
        super().__init__(crafter.VectorStatsRecorder(games, self._folder.name))
        self.path = pathlib.Path(self._folder.name) / "stats.jsonl"
        self._sent = 0

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict]:
        """Reset the games with seeds that are unique to the runner.

        RLlib numbers the seeds of the runners consecutively, and gives a restarted
        runner the same one again.
        """
        if seed is not None:
            source = np.random.SeedSequence(None if is_started_again() else seed)
            seed = [int(number) for number in source.generate_state(self.num_envs)]
        observations, _ = self.env.reset(seed=seed, options=options)
        return observations, {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict]:
        """Step the games; drop infos, since RLlib makes a dictionary for each."""
        *results, _ = self.env.step(actions)
        return (*results, {})

    def new_lines(self) -> list[str]:
        """Return the lines of episodes that ended since the last call."""
        with self.path.open("rb") as file:
            file.seek(self._sent)
            lines = file.read()
        self._sent += len(lines)
        return lines.decode().splitlines()

    def close(self, **options: Any) -> None:
        """Close the games and remove the log."""
        super().close(**options)
        self._folder.cleanup()


def is_started_again() -> bool:
    """Return whether this process replaces one that died."""
    import ray

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray accesses deprecated attributes.
        return ray.get_runtime_context().was_current_actor_reconstructed


def send_episodes(env_runner: Any, metrics_logger: Any, **others: Any) -> None:
    """Send the episode statistics of a runner with its samples."""
    for line in env_runner.env.env.new_lines():
        metrics_logger.log_value("episodes", line, reduce="item_series")


@functools.cache
def make_agent_class() -> type:
    """Return the class of the network, which is small enough for one core."""
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from torch import nn

    class Agent(TorchRLModule, ValueFunctionAPI):
        """Policy and value heads on a shared body."""

        def setup(self) -> None:
            """Make the layers."""
            # RLlib types both spaces as optional, of any kind.
            observations: Any = self.observation_space
            actions: Any = self.action_space
            self.body = make_body(observations)
            self.policy = nn.Linear(WIDTH, actions.n)
            self.value = nn.Linear(WIDTH, 1)

        def _forward(self, batch: dict, **others: Any) -> dict:
            features = self.body(batch[Columns.OBS])
            return {Columns.ACTION_DIST_INPUTS: self.policy(features)}

        def _forward_train(self, batch: dict, **others: Any) -> dict:
            features = self.body(batch[Columns.OBS])
            logits = self.policy(features)
            return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: features}

        def compute_values(self, batch: dict, embeddings: Any = None) -> Any:
            """Return the value of every observation."""
            if embeddings is None:
                embeddings = self.body(batch[Columns.OBS])
            return self.value(embeddings).squeeze(-1)

    return Agent


def make_body(space: gymnasium.spaces.Box) -> Any:
    """Return the encoder of an observation: image, bytes, or floats."""
    import torch
    from torch import nn

    class Pixels(nn.Module):
        """Converts channel-last bytes to channel-first floats."""

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            return images.movedim(-1, -3).float() / 255

    class Codes(nn.Module):
        """Embeds every byte, since bytes such as materials are categorical."""

        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(256, 8)

        def forward(self, codes: torch.Tensor) -> torch.Tensor:
            return self.table(codes.int()).flatten(-2)

    if len(space.shape) == 3:
        first: list[nn.Module] = [
            Pixels(),
            nn.Conv2d(space.shape[-1], 16, 8, 4),
            nn.ReLU(),
            nn.Conv2d(16, 32, 4, 2),
            nn.ReLU(),
            nn.Flatten(),
        ]
    elif space.dtype == np.uint8:
        first = [Codes()]
    else:
        first = [nn.Identity()]
    with torch.no_grad():
        sample = torch.as_tensor(space.sample())[None]
        width = nn.Sequential(*first)(sample).shape[-1]
    return nn.Sequential(*first, nn.Linear(width, WIDTH), nn.ReLU())


def rounds(algorithm: Any, steps: int) -> Iterator[dict[str, Any]]:
    """Train; yield the results of each round.

    Args:
      algorithm: The algorithm.
      steps: Number of earlier steps.

    Yields:
      The steps so far, the number of healthy runners, the seconds of the round and of
      its two phases, and the lines of the episodes that ended.
    """
    for name in TIMERS.values():  # Otherwise RLlib reports moving averages.
        algorithm.metrics.log_value(("timers", name), 0.0, window=1)
    while True:
        start = time.perf_counter()
        result = algorithm.train()
        played = result.get("env_runners", {})  # Empty if all runners died.
        steps += int(played.get("num_env_steps_sampled", 0))
        yield {
            "steps": steps,
            "runners": algorithm.env_runner_group.num_healthy_remote_workers(),
            "seconds": round(time.perf_counter() - start, 3),
            **{part: round(result["timers"][name], 3) for part, name in TIMERS.items()},
            "lines": episode_lines(played),
        }


def episode_lines(played: dict[str, Any]) -> list[str]:
    """Return the lines of the episodes that ended, from RLlib's results of a round."""
    lines = played.get("episodes", [])
    # RLlib unwraps lists with one element.
    return [lines] if isinstance(lines, str) else list(lines)


def write(run: Run, round_: dict[str, Any]) -> None:
    """Append a round to the logs, with the mean return in place of its lines."""
    lines = round_.pop("lines")
    returns = [json.loads(line)["reward"] for line in lines]
    round_["episodes"] = len(lines)
    round_["return"] = round(float(np.mean(returns)), 3) if returns else None
    run.append("stats.jsonl", *lines)
    run.append("progress.jsonl", round_)


def show(algorithm: Any, args: argparse.Namespace, round_: dict[str, Any]) -> None:
    """Print a summary of a round."""
    reward = round_["return"]
    print(
        f"{round_['steps']:,} of {args.steps:,} steps, "
        f"return {'-' if reward is None else f'{reward:.2f}'}, "
        f"{round_['runners']} of {args.runners} runners, "
        f"{round_['seconds']:.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()

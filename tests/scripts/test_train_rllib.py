"""The script that trains on Ray, over a few steps on a cluster of two machines."""

import json
import os
import pathlib
import signal
import sys

import numpy as np
import pytest
import train_rllib
from printed import refusal

from crafter import scoring

ROOT = pathlib.Path(train_rllib.__file__).parents[1]
GAMES = 8
ROUND = 2 * GAMES * train_rllib.ROLLOUT  # steps of two runners
ORDER = ["--runners", "2", "--games", str(GAMES), "--observation", "symbolic"]
ENDLESS = str(1000 * ROUND)


class Over(Exception):
    """Ends a training that has shown what it should."""


@pytest.fixture(scope="module")
def machines():
    """Two machines of one core each, which this process is connected to."""
    pytest.importorskip("ray.rllib", reason="needs crafter[rllib]")
    pytest.importorskip("torch", reason="needs crafter[rllib]")
    pytest.importorskip("numba", reason="needs crafter[rllib]")
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    cluster.add_node(num_cpus=1)
    paths = os.pathsep.join([str(ROOT), str(ROOT / "scripts"), *sys.path])
    ray.init(
        cluster.address,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def run(folder, *arguments):
    train_rllib.main(["--out", str(folder), *ORDER, *arguments])


def watch(monkeypatch, look):
    """Calls a function with the algorithm and what happened, after every round."""
    monkeypatch.setattr(
        train_rllib, "show", lambda algorithm, args, round_: look(algorithm, round_)
    )


def ask(algorithm, question):
    """Returns the answers of the runners that answer."""
    return algorithm.env_runner_group.foreach_env_runner(
        question, local_env_runner=False
    )


def lines(folder):
    return (folder / "stats.jsonl").read_text().splitlines()


def rounds(folder):
    text = (folder / "progress.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def checkpoints(folder):
    found = sorted((folder / "checkpoints").glob("[0-9]*"))
    assert [path.with_suffix("") for path in found if path.suffix] == [
        path for path in found if path.is_dir()
    ]
    return [int(path.name) for path in found if path.is_dir()]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_lines_of_any_number_of_episodes(count):
    lines = [f'{{"reward": {n}}}' for n in range(count)]
    logger = pytest.importorskip(
        "ray.rllib.utils.metrics.metrics_logger", reason="needs crafter[rllib]"
    ).MetricsLogger(root=True)
    for line in lines:
        logger.log_value("episodes", line, reduce="item_series")
    assert train_rllib.episode_lines(logger.compile()) == lines


@pytest.mark.parametrize("kind", train_rllib.OBSERVATIONS)
def test_the_network_reads_every_observation(kind):
    torch = pytest.importorskip("torch", reason="needs crafter[rllib]")
    import crafter

    space = crafter.Env(observation=kind).observation_space
    body = train_rllib.make_body(space)
    seen = np.stack([space.sample() for _ in range(3)])
    features = body(torch.from_numpy(seen))
    assert features.shape == (3, train_rllib.WIDTH)
    assert not torch.equal(features[0], features[1])


@pytest.mark.slow
def test_impossible_orders_are_refused_before_anything_is_written(
    machines, tmp_path, capsys
):
    new = tmp_path / "new"
    assert "No checkpoint found" in refusal(capsys, run, new, "--resume")
    assert "expected at most 2" in refusal(capsys, run, new, "--runners", "3")
    assert not new.exists()


def test_observations_that_no_network_reads_are_refused(capsys):
    with pytest.raises(SystemExit):
        train_rllib.main(["--env", "Craftax-Symbolic-v1", "--observation", "compact"])
    told = "supports --observation pixels, symbolic, puffer, not compact."
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_trains_on_craftax(machines, tmp_path):
    folder = tmp_path / "craftax_symbolic-rllib" / "0"
    run(folder, "--env", "Craftax-Symbolic-v1", "--steps", str(8 * ROUND))
    benchmark = scoring.find_benchmark("craftax-1m")
    with pytest.warns(scoring.ShortRunWarning):
        (found,) = scoring.load_runs([folder.parent], benchmark=benchmark)
    assert len(found.length) == len(lines(folder)) > 0
    assert found.length.sum() <= 9 * ROUND


@pytest.mark.slow
def test_trains_and_resumes_with_the_statistics_of_all_runners(
    machines, tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "crafter_reward-rllib" / "0"
    played, weights, counts = [], [], []

    def look(algorithm, round_):
        played[:] = ask(algorithm, lambda runner: runner.env.env.path.read_text())
        module = algorithm.get_module().state_dict()
        weights.append({name: value.numpy().copy() for name, value in module.items()})
        result = algorithm.metrics.peek(("env_runners", "num_episodes_lifetime"))
        counts.append(int(result))

    watch(monkeypatch, look)
    run(folder, "--steps", str(4 * ROUND), "--checkpoint-every", str(2 * ROUND))
    assert f"Trained {rounds(folder)[-1]['steps']} steps" in capsys.readouterr().out
    steps = [round_["steps"] for round_ in rounds(folder)]
    assert checkpoints(folder) == [steps[1], steps[-1]]
    # Steps that start an episode do not count, so that runners play a few more.
    assert all(0 <= more < 2 * GAMES for more in np.diff([0, *steps]) - ROUND)
    assert {round_["runners"] for round_ in rounds(folder)} == {2}
    assert sum(round_["episodes"] for round_ in rounds(folder)) == len(lines(folder))
    first = lines(folder)
    assert len(played) == 2 and all(played)
    assert played[0] != played[1]  # other worlds
    assert sorted(first) == sorted("".join(played).splitlines())
    assert len(first) == counts[-1]  # as RLlib counts them
    (scored,) = scoring.load_runs([tmp_path], budget=4 * ROUND)
    assert scored.episodes == len(first)

    learned = weights[-1]
    told = rounds(folder)
    weights.clear()
    run(folder, "--steps", str(7 * ROUND), "--resume")
    assert 7 * ROUND <= checkpoints(folder)[-1] < 8 * ROUND
    # Every round and every episode is there once.
    assert rounds(folder)[: len(told)] == told
    steps = [round_["steps"] for round_ in rounds(folder)]
    assert all(0 <= more < 2 * GAMES for more in np.diff([0, *steps]) - ROUND)
    assert steps[-1] == checkpoints(folder)[-1]
    assert sum(round_["episodes"] for round_ in rounds(folder)) == len(lines(folder))
    after = lines(folder)
    assert after[: len(first)] == first
    assert sorted(after[len(first) :]) == sorted("".join(played).splitlines())
    assert not set(after[len(first) :]) & set(first)
    # One round further, the weights are near those of the checkpoint, not new ones.
    change = sum(np.abs(weights[0][name] - learned[name]).sum() for name in learned)
    size = sum(np.abs(value).sum() for value in learned.values())
    assert 0 < change < size / 2
    run(folder, "--steps", str(7 * ROUND), "--resume")
    assert "Nothing to train" in capsys.readouterr().out


@pytest.mark.slow
def test_a_killed_runner_and_a_lost_machine_are_survived(
    machines, tmp_path, monkeypatch
):
    story = []

    def kill(algorithm):
        process, _ = ask(algorithm, lambda runner: os.getpid())
        os.kill(process, signal.SIGKILL)

    def lose(algorithm):
        (other,) = machines.worker_nodes
        machines.remove_node(other, allow_graceful=False)

    def replace(algorithm):
        machines.add_node(num_cpus=1)

    # What is done when so many runners answer.
    acts = [(2, kill), (1, None), (2, lose), (1, replace), (2, None)]

    def look(algorithm, round_):
        number, act = acts[len(story)]
        if round_["runners"] != number:
            return
        story.append(round_["steps"])
        if act is not None:
            act(algorithm)
        if len(story) == len(acts):
            again = ask(algorithm, lambda runner: train_rllib.is_started_again())
            raise Over(sorted(again))

    watch(monkeypatch, look)
    with pytest.raises(Over) as over:
        run(tmp_path, "--steps", ENDLESS, "--checkpoint-every", ENDLESS)
    assert over.value.args == ([True, True],) or over.value.args == ([False, True],)
    steps = [round_["steps"] for round_ in rounds(tmp_path)]
    assert all(after - before >= ROUND for before, after in zip(steps, steps[1:]))
    assert sum(json.loads(line)["length"] for line in lines(tmp_path)) <= steps[-1]

"""Work in pieces gives the same here, in any order, and on a Ray cluster."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys

import pytest
from cluster_work import refuse
from short_suite import scene

from crafter.core import cluster
from crafter.tasks import cli, scenes
from crafter.tasks.episodes import runs, suites
from crafter.tasks.episodes.agents import factory_of

ROOT = pathlib.Path(cluster.__file__).parents[2]
SUPPORT = pathlib.Path(__file__).parents[1] / "support"
COUNT = 5
#: A command that needs a cluster.
RUN = ["run", "--suite", "smoke", "--agent", "noop", "--out", "x", "--ray"]


def backwards(function, pieces):
    """Does pieces in another order, with copies such as another process has."""
    function, pieces = pickle.loads(pickle.dumps((function, list(pieces))))
    done = [pickle.dumps(function(piece)) for piece in reversed(pieces)]
    return map(pickle.loads, reversed(done))


def files(folder):
    """Returns the content of all files in a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(pathlib.Path(folder).rglob("*"))
        if path.is_file()
    }


def suite():
    return suites.suite_of("mine", [scene(index) for index in range(COUNT)])


def attempts(folder, each=map):
    runs.run_shard(
        suite(),
        "random",
        factory_of("random"),
        folder,
        record=True,
        log=lambda line: None,
        each=each,
    )
    return files(folder)


# Without Ray.


def test_missing_ray_is_explained():
    code = "import sys; sys.modules['ray'] = None\n"
    code += "from crafter.tasks import cli\n"
    code += f"sys.exit(cli.main({RUN}))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "pip install 'crafter[ray]'" in done.stderr


def test_attempts_are_the_same_in_any_order_and_go_on(tmp_path):
    whole = attempts(tmp_path / "here")
    assert len(whole) == 1 + COUNT
    there = tmp_path / "there"
    assert attempts(there, backwards) == whole
    path = there / "results-1-of-1.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    assert attempts(there, backwards) == whole


# With Ray.


@pytest.fixture(scope="module")
def markers(tmp_path_factory):
    """Where workers of the cluster note that they died."""
    return tmp_path_factory.mktemp("markers")


@pytest.fixture(scope="module")
def ray(markers):
    """Ray, connected to a cluster of two processes that finds these tests."""
    module = pytest.importorskip("ray", reason="needs the extra 'ray'")
    paths = os.pathsep.join([*map(str, (ROOT, SUPPORT, ROOT / "scripts")), *sys.path])
    module.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": paths, "MARKERS": str(markers)}},
    )
    yield module
    module.shutdown()


@pytest.mark.slow
def test_errors_are_those_of_the_work(ray):
    wrong = pytest.raises(ValueError, match="2 is refused")
    with cluster.mapping(cluster.LOCAL) as each, wrong:
        list(each(refuse, [2, 3]))
    assert ray.is_initialized()  # it was before


@pytest.mark.slow
def test_a_piece_that_always_kills_its_worker_ends_the_program(ray, monkeypatch):
    monkeypatch.setattr(cluster, "_RETRIES", 1)

    def die(number):
        os.kill(os.getpid(), signal.SIGKILL)

    gone = pytest.raises(cluster.ClusterError, match="same command to resume")
    with cluster.mapping(cluster.LOCAL) as each, gone:
        list(each(die, [1]))


@pytest.mark.slow
def test_there_must_be_a_cluster():
    pytest.importorskip("ray", reason="needs the extra 'ray'")
    code = "import sys\nfrom crafter.tasks import cli\n"
    code += f"sys.exit(cli.main([*{RUN}, {{!r}}]))"
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1"):
        done = subprocess.run(
            [sys.executable, "-c", code.format(address)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert f"Cannot connect to a Ray cluster at {address!r}" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("named", [False, True])
def test_without_an_address_only_a_cluster_that_is_named_is_joined(named):
    pytest.importorskip("ray", reason="needs the extra 'ray'")
    from ray.cluster_utils import Cluster

    code = "import ray\nfrom crafter.core import cluster\n"
    code += "with cluster.mapping(cluster.LOCAL):\n"
    code += "    print(ray.get_runtime_context().gcs_address)"
    env = {name: v for name, v in os.environ.items() if name != "RAY_ADDRESS"}
    head = {"num_cpus": 1, "include_dashboard": False}
    other = Cluster(initialize_head=True, head_node_args=head)
    address = other.address
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env={**env, "RAY_ADDRESS": address} if named else env,
        )
    finally:
        other.shutdown()
    assert done.returncode == 0, done.stderr
    assert (done.stdout.split()[-1] == address) == named


@pytest.mark.slow
def test_attempts_are_the_same_though_their_workers_die(ray, markers, tmp_path):
    pack, agent = tmp_path / "pack.jsonl", "cluster_work:dying"
    scenes.write(pack, [scene(index) for index in range(COUNT)])
    here, there = tmp_path / "here", tmp_path / "there"
    order = ["run", "--suite", str(pack), "--agent", agent, "--record", "--quiet"]
    assert cli.main([*order, "--out", str(here)]) == 0
    assert not list(markers.iterdir())
    assert cli.main([*order, "--out", str(there), "--ray"]) == 0
    assert len(list(markers.iterdir())) == 2
    assert files(there) == files(here)
    assert len(files(there)) == 1 + COUNT


@pytest.mark.slow
@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_random_play_writes_the_same_logs(ray, game, tmp_path):
    import record_random

    order = ["--game", game, "--seeds", "2", "--steps", "400"]
    for name, more in (("here", []), ("there", ["--ray"])):
        record_random.main(["--logdir", str(tmp_path / name), *order, *more])
    here, there = (files(tmp_path / name) for name in ("here", "there"))
    assert there == here

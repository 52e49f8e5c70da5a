"""Adapters with the real frameworks; each is skipped without its package.

`make test-llm` runs each in an environment of its own, since some exclude each other.
"""

import concurrent.futures
import contextlib
import importlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest.mock

import pytest
import yaml

from crafter.llm_client.stub import Stub
from crafter.lm.agents.players import answer
from crafter.tasks import Task

REPLIES = (
    "<think>Go.</think>Action: move_right x3, do",
    "\\boxed{move_up}",
    "sleep x9",
)


#: Extra -> the package that it brings, where that is not called the same.
PACKAGES = {"inspect": "inspect_ai", "nemo": "nemo_gym", "skyrl": "skyrl_gym"}
#: Frameworks that demand an older `mcp` than ours, so that `all` excludes them.
WITHOUT_MCP = ("nemo", "openenv")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gem", "verifiers", *PACKAGES, "openenv"])
def test_all_extras_resolve_beside(name):
    pytest.importorskip(PACKAGES.get(name, name))
    folder = pathlib.Path(__file__).parents[2]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
    command.append(f"{folder}[all,{name}]")
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode == 0) == (name not in WITHOUT_MCP), found.stderr


def test_inspect_evaluates_games(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from crafter.lm.trainers import Conversation
    from crafter.lm.trainers import inspect as adapter

    def answer(*arguments):
        output = ModelOutput.from_content("mockllm/model", REPLIES[0])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    task = adapter.crafter(games=3, max_actions=20, max_calls=6)
    (log,) = inspect_ai.eval(task, model=model, display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    talk = Conversation(seed=1, max_actions=20, max_calls=6)
    while not talk.done:
        talk.reply(REPLIES[0])
    sample = next(s for s in log.samples if s.id == "crafter-1")
    assert sample.scores["metrics"].value == talk.metrics()
    assert {score.name for score in log.results.scores} >= {"return", "achievements"}


def test_gem_makes_and_plays():
    gem = pytest.importorskip("gem")
    importlib.import_module("crafter.lm.trainers.gem")  # registers the games

    env = gem.make("game:Crafter-v0", max_actions=30)
    texts = {env.reset(seed=5)[0] for _ in range(2)}
    assert len(texts) == 1 and env.reset()[0] not in texts
    for seed in range(20):
        env.reset(seed=seed)
        done, total = False, 0.0
        while not done:
            _, reward, terminated, truncated, info = env.step(REPLIES[seed % 3])
            done, total = terminated or truncated, total + reward
        assert info["return"] == total and info["error"] is None
    env.reset(seed=0)
    *_, info = env.step(env.sample_random_action())
    assert info["error"] is None
    assert env.unwrapped.spawn(max_actions=5) is not env
    many = gem.make_vec(["game:Craftax-v0"] * 3, seed=0, max_actions=6)
    assert len(set(many.reset()[0])) == 3


def test_skyrl_makes_and_plays():
    skyrl_gym = pytest.importorskip("skyrl_gym")
    importlib.import_module("crafter.lm.trainers.skyrl")  # registers the game

    for seed in range(20):
        extras = {"max_turns": 10, "crafter": {"seed": seed % 5}}
        env = skyrl_gym.make("crafter", env_config={"max_actions": 30}, extras=extras)
        messages, _ = env.init([])
        assert [message["role"] for message in messages] == ["system", "user"]
        done, total = False, 0.0
        while not done:
            out = env.step(REPLIES[seed % 3])
            done, total = out["done"], total + out["reward"]
        assert env.get_metrics()["return"] == total
        env.close()


@pytest.mark.train
def test_trl_makes_a_step_of_training(tmp_path, monkeypatch):
    trl = pytest.importorskip("trl")
    import datasets
    import tokenizers
    import transformers

    from crafter.lm.trainers import rows
    from crafter.lm.trainers.trl import PROMPT, CrafterEnvironment

    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    special = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
    letters = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    known = {text: number for number, text in enumerate([*special, *sorted(letters)])}
    raw = tokenizers.Tokenizer(tokenizers.models.BPE(known, []))
    raw.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = tokenizers.decoders.ByteLevel()
    words = transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token=special[1], pad_token=special[2]
    )
    folder = pathlib.Path(trl.__file__).parent / "chat_templates"
    words.chat_template = (folder / "qwen3.jinja").read_text()
    size = {"vocab_size": len(known), "hidden_size": 16, "intermediate_size": 16}
    size |= {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1}
    model = transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**size, head_dim=8))
    before = model.lm_head.weight.detach().clone()
    games = []

    def game():
        games.append(CrafterEnvironment())
        return games[-1]

    def length(completions, **kwargs):  # in which random replies differ
        return [float(len(str(completion))) for completion in completions]

    settings = {"max_steps": 1, "num_generations": 2, "max_completion_length": 8}
    settings |= {"per_device_train_batch_size": 2, "report_to": [], "use_cpu": True}
    trainer = trl.GRPOTrainer(
        model,
        reward_funcs=length,
        args=trl.GRPOConfig(str(tmp_path), save_strategy="no", **settings),
        train_dataset=datasets.Dataset.from_list(
            [{"prompt": PROMPT, **row} for row in rows(2, max_actions=9)]
        ),
        processing_class=words,
        environment_factory=game,
    )
    assert {tool.__name__ for tool in trainer.tools} == {"act", "look", "rules"}
    for tool in trainer.tools:
        assert transformers.utils.get_json_schema(tool)["function"]["description"]
    trainer.train()
    (log,) = [line for line in trainer.state.log_history if "reward" in line]
    assert log["rewards/CrafterEnvironment/mean"] == 0.0
    assert len({env.talk.first for env in games[:2]}) == 1  # a group has one start
    assert not before.equal(model.lm_head.weight)


def test_nemo_serves_the_rows_of_its_package():
    pytest.importorskip("nemo_gym", reason="needs Python 3.12")
    from fastapi.testclient import TestClient
    from nemo_gym.openai_utils import NeMoGymResponse
    from nemo_gym.server_utils import ServerClient

    from crafter.lm.trainers import Conversation, nemo

    folder = pathlib.Path(__file__).parents[2] / "scripts" / "nemo_package"
    folder = folder / "resources_servers" / "crafter"
    lines = (folder / "data" / "example.jsonl").read_text().splitlines()
    assert list(map(json.loads, lines)) == list(nemo.rows(5))
    told = yaml.safe_load((folder / "configs" / "crafter.yaml").read_text())
    settings = told["crafter"]["resources_servers"]["crafter"]
    steps = told[nemo.AGENT["name"]][nemo.AGENT["type"]]["gymnasium_agent"]["max_steps"]
    assert steps >= settings["crafter"]["max_calls"]
    settings["crafter"] |= {"max_actions": 30}
    config = nemo.CrafterConfig(host="", port=0, name="", **settings)
    client = unittest.mock.MagicMock(spec=ServerClient)
    server = nemo.CrafterServer(config=config, server_client=client)
    told = {"annotations": [], "text": REPLIES[0], "type": "output_text"}
    message = {"role": "assistant", "status": "completed", "type": "message"}
    message |= {"id": "m", "content": [told]}
    reply = dict.fromkeys(("id", "model"), "r") | {"created_at": 0.0, "tools": []}
    reply |= {"object": "response", "output": [message], "tool_choice": "auto"}
    reply = NeMoGymResponse(**reply, parallel_tool_calls=True).model_dump(mode="json")

    def play(row):
        client = TestClient(server.setup_webserver())
        first = client.post("/reset", json=row).json()["observation"]
        total, turn = 0.0, {}
        while not (turn.get("terminated") or turn.get("truncated")):
            turn = client.post("/step", json={**row, "response": reply}).json()
            total += turn["reward"]
        return first, total, turn["info"]

    rows = list(nemo.rows(20, 3))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        games = list(pool.map(play, rows))
    for row, (first, total, info) in zip(rows, games):
        talk = Conversation(**settings["crafter"], **row["crafter"])
        assert first == talk.opening
        while not talk.done:
            talk.reply(REPLIES[0])
        assert (total, info) == (talk.total, {"error": None, **talk.metrics()})
    assert server.session_state == {}  # games that are over are gone


@contextlib.contextmanager
def served(app):
    """Serves an application on a free port of this machine."""
    import uvicorn

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(app, "127.0.0.1", port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def test_openenv_serves_many_sessions():
    pytest.importorskip("openenv")
    from openenv.core import GenericEnvClient

    from crafter.lm.trainers import Conversation
    from crafter.lm.trainers import openenv as adapter

    def play(address, seed):
        with GenericEnvClient(base_url=address).sync() as env:
            result = env.reset(seed=seed, max_actions=12)
            first, total = result.observation["text"], 0.0
            while not result.done:
                result = env.step({"text": REPLIES[0]})
                total += result.reward
            return first, round(total, 6)

    def direct(seed):
        talk = Conversation(seed=seed, max_actions=12)
        while not talk.done:
            talk.reply(REPLIES[0])
        return talk.opening, round(talk.total, 6)

    with (
        served(adapter.make_app()) as address,
        concurrent.futures.ThreadPoolExecutor(64) as pool,
    ):
        found = list(pool.map(lambda seed: play(address, seed), range(64)))
        assert found == [direct(seed) for seed in range(64)]


@pytest.fixture
def openenv():
    pytest.importorskip("openenv")
    return importlib.import_module("crafter.lm.trainers.openenv")


def test_openenv_offers_the_tasks_of_splits(openenv):
    requests = pytest.importorskip("requests")
    with served(openenv.make_app(2, max_actions=20)) as url:
        splits = requests.get(f"{url}/crafter/splits").json()
        assert [split["type"] for split in splits] == ["train", "validation", "test"]
        asked = {"split": "test", "index": 5}
        task = requests.post(f"{url}/crafter/task", json=asked).json()["task"]
        split = {"split": "test"}
        counted = requests.post(f"{url}/crafter/num_tasks", json=split).json()
        many = counted["num_tasks"]
        last = {"split": "test", "start": many - 2}
        found = requests.post(f"{url}/crafter/task_range", json=last).json()["tasks"]
        assert [one["index"] for one in found] == [many - 2, many - 1]
        with openenv.CrafterClient(base_url=url).sync() as env:
            result = env.reset(seed=1, **asked)
            goal = result.observation.text.partition("Your goal: ")[2].splitlines()[0]
            assert goal in Task(task["task"], task["difficulty"]).texts("test")
            assert "move_left" in result.observation.legal_actions
            result = env.step(openenv.CrafterAction(text="left x2"))
            assert env.state().step_count == 2 and result.reward == 0.0
            image = env.reset(seed=1, images=True).observation.image
            assert image.startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"task": "/etc/x.yaml"}, "an expression, not a file"),
        ({"rules": "/etc/x.yaml"}, "rules must be one of"),
        ({"bogus": 1}, "bogus"),
        ({"index": 3}, "split must be one of train, val, test"),
        ({"index": 9999, "split": "val"}, "index out of range"),
    ],
)
def test_openenv_refuses_what_no_client_may_ask(openenv, row, told):
    with pytest.raises((ValueError, IndexError, TypeError), match=told):
        openenv.CrafterEnvironment().reset(**row)


def test_openenv_gives_the_game_of_a_lost_client_to_the_next(openenv):
    websockets = pytest.importorskip("websockets.sync.client")
    with served(openenv.make_app(1)) as url:
        lost = websockets.connect(url.replace("http", "ws") + "/ws")
        lost.send(json.dumps({"type": "reset", "data": {"seed": 1}}))
        assert "You play the game" in lost.recv()
        with pytest.raises(Exception, match=r"(?i)capacity|sessions"):
            play_once(openenv, url)
        lost.socket.shutdown(socket.SHUT_RDWR)  # no goodbye
        for _ in range(100):
            with contextlib.suppress(Exception):
                return play_once(openenv, url)
            time.sleep(0.1)
        pytest.fail("the game was never free again")


def play_once(openenv, url):
    with openenv.CrafterClient(base_url=url).sync() as env:
        env.reset(seed=1)
        assert env.step(openenv.CrafterAction(text="noop")).done is False


def test_openenv_validates_the_package_form(openenv, tmp_path):
    program = pathlib.Path(sys.executable).parent / "openenv"
    source = pathlib.Path(__file__).parents[2] / "scripts" / "openenv_package"
    folder = tmp_path / "crafter"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "uv.lock").touch()  # which `uv lock` writes from a package index
    with served(openenv.make_app(2)) as url:
        for words in ([folder, "--level", "static", "--skip-build"], ["--url", url]):
            command = [program, "validate", *words]
            found = subprocess.run(command, capture_output=True, text=True)
            assert found.returncode == 0, found.stdout + found.stderr


def test_verifiers_task_set():
    vf = pytest.importorskip("verifiers.v1")
    from crafter.lm.trainers import verifiers as adapter

    tasks = adapter.CrafterTaskset(adapter.CrafterConfig(max_actions=5)).load()
    first, second = next(tasks), next(tasks)
    assert first.data.name == "crafter-0" and second.data.settings["seed"] == 1
    assert first.data.prompt != second.data.prompt
    assert issubclass(adapter.CrafterEnv, vf.Env)


def test_vf_eval_plays_against_the_stub(tmp_path):
    pytest.importorskip("verifiers.v1")
    pytest.importorskip("uv")  # runs the program that talks to the endpoint
    from crafter.lm.trainers import Conversation

    name = "crafter.lm.trainers.verifiers"
    module = f"from {name} import *\nfrom {name} import __all__\n"
    (tmp_path / "crafter_vf.py").write_text(module)
    folder = str(pathlib.Path(sys.executable).parent)
    paths = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    paths["PATH"] = os.pathsep.join([folder, os.environ["PATH"]])
    with Stub(answer) as stub:
        words = f"""crafter-vf -n 2 -m stub --client.base-url {stub.url}
            --client.api-key-var STUB_KEY --env.player.runtime.type subprocess
            --env.taskset.max-actions 30 --env.taskset.max-calls 6
            --no-push --no-rich -o {tmp_path}"""
        subprocess.run(
            [f"{folder}/vf-eval", *words.split()],
            env={**os.environ, **paths, "STUB_KEY": "x"},
            check=True,
            timeout=300,
        )
    (path,) = tmp_path.rglob("traces.jsonl")
    traces = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(traces) == 2
    for trace in traces:
        (trace,) = trace.get("traces", [trace])
        talk = Conversation(**trace["task"]["data"]["settings"])
        for node in trace["nodes"]:
            if node["message"]["role"] == "assistant":
                talk.reply(node["message"]["content"])
        assert talk.done and talk.metrics().items() <= trace["metrics"].items()

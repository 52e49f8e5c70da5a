"""Scenes that a model proposes, behind a stub of an endpoint."""

import json

import pytest
from chat_server import NotingStub

pytest.importorskip("httpx2", reason="needs crafter[lm]")

from crafter.llm_client.client import Endpoint
from crafter.tasks import Task, scenes
from crafter.tasks.cli import main
from crafter.tasks.episodes import proposer
from crafter.tasks.episodes.solutions import check
from crafter.tasks.game import find


def proposed(scene, goal="place_table", text="Place a table in the grass."):
    """Return an answer with a scene."""
    needs = "needs: []\n" if goal != "place_table" else "needs: [grass]\n"
    return f"Here:\n```yaml\ntext: {text}\ngoal: {goal}\n{needs}scene: {scene}\n```"


# There is no wood, and no tree on the whole map.
UNSOLVABLE = proposed(
    "{base: meadow, inventory: {}, clock: [30, 60], vitals: {health: 9}, "
    "edits: [[rectangle, -63, -63, 126, 126, sand]]}"
)
GOOD = proposed("{inventory: {wood: 3}, clock: [20, 60]}", "place_table | died")


def answering(*answers):
    """Return a stub that gives the answers in turn, the last one for ever."""

    def answer(messages):
        turn = sum(message["role"] == "assistant" for message in messages)
        return answers[min(turn, len(answers) - 1)]

    return NotingStub(answer)


def ask(stub, task, **options):
    with stub:
        endpoint = Endpoint(stub.url, "stub", sleep=lambda seconds: None)
        return proposer.propose(task, endpoint, **options)


def test_good_proposal_after_one_that_cannot_be_solved():
    task = Task("place_table")
    stub = answering(UNSOLVABLE, GOOD)
    scene, rounds = ask(stub, task)
    assert [r.reason is None for r in rounds] == [False, True]
    assert rounds[0].reason.partition(":")[0] in {
        **proposer.WHY,
        **find().scenes.problems,
    }
    said = scene.provenance["proposed"]
    assert said["text"] == "Place a table in the grass." and said["rounds"] == 2
    assert said["goal"] == "place_table | died"
    assert scene.inventory["wood"] == 3 and 20 <= scene.clock <= 60
    assert check(task, scene, scene.certificate) is None
    said = stub.requests[1]["messages"][-1]["content"]
    assert rounds[0].reason in said and rounds[0].sentence in said


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I would rather not.", "schema"),
        ("```yaml\n- 3\n```", "schema"),
        ("```yaml\nscene: {inventory: {wood: 3}}\n```", "schema"),
        (proposed("{inventory: {wood: many}}"), "schema"),
        (proposed("!!python/name:os.system"), "schema"),
        (proposed("{inventory: {gold: 3}}"), "schema"),
        (proposed("{inventory: {wood: cost(gold)}}"), "rules"),
        (proposed("{}", "place_tabel"), "lint"),
        (proposed("{inventory: {wood: 3}}", "make_wood_pickaxe"), "goal"),
    ],
)
def test_answers_that_are_no_scene_are_refused(answer, reason):
    scene, rounds = ask(answering(answer), Task("place_table"), rounds=2)
    assert scene is None and [one.reason for one in rounds] == [reason, reason]


def test_scenes_that_are_solved_without_trying_are_refused():
    task = Task("place_plant | act_noop", "medium")
    answer = proposed("{inventory: {sapling: 3}}", "place_plant | act_noop")
    _, rounds = ask(answering(answer), task, rounds=1)
    assert rounds[0].reason in ("trivial", "goal_true")


def test_what_is_to_be_obtained_is_not_given():
    answer = proposed("{inventory: {wood_pickaxe: 1, wood: 9}}", "make_wood_pickaxe")
    _, rounds = ask(answering(answer), Task("make_wood_pickaxe"), rounds=1)
    assert rounds[0].reason == "given" and "wood_pickaxe" in rounds[0].sentence


def test_prompt_has_task_rules_fields_and_examples():
    text = proposer.prompt(Task("place_table", "hard"))
    assert Task("place_table", "hard").text() in text
    assert "nearby" in text and "obstruction" in text
    assert text.count("```yaml") == 3
    assert "more material" in text and "does not need" in text


def test_command_writes_what_was_accepted(tmp_path, capsys):
    out, log = str(tmp_path / "made.jsonl"), tmp_path / "log.jsonl"
    base = ["generate", "place_table", "--difficulty", "simple", "--out", out]
    with answering(UNSOLVABLE, GOOD) as stub:
        where = ["--base-url", stub.url, "--model", "stub", "--log", str(log)]
        assert main([*base, "--propose", *where]) == 0
    assert "edge 1" in capsys.readouterr().out
    (scene,) = scenes.read(out)
    assert scene.level == "custom" and scene.certificate is not None
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["answer"] for line in lines] == [UNSOLVABLE, GOOD]
    assert [line["reason"] for line in lines][1] is None
    with answering("no") as stub:
        where = ["--base-url", stub.url, "--model", "stub", "--rounds", "1"]
        assert main([*base, "--propose", *where]) == 2
    assert "schema" in capsys.readouterr().err

"""Tasks in the window: attempts, their end, recording and replay."""

import pytest

from crafter.gui.tasks import TaskSession
from crafter.tasks import Task
from crafter.tasks.env.replay import replay
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.scenes import SceneError
from crafter.tasks.world import records

TABLE = ["--task", "place_table", "--seed", "3", "--split", "val", "--fps", "60"]


def start(task="place_table", death="reset", first=3, folder=None, **options):
    env = TaskEnv(task, split="val", record=folder is not None, **options)
    session = TaskSession(env, first, folder, death=death)
    session.start()
    return session


def test_status_tells_the_task_and_the_next_scene_follows_when_it_is_done(capsys):
    session = start()
    task = session.status().task
    assert task.text == Task("place_table").text()
    assert (task.progress, task.steps_left, task.verdict) == (0, 60, "PENDING")
    session.advance(None)
    assert session.status().task.steps_left == 59
    assert (session.status().step, session.status().steps) == (1, 60)
    first = session._tasks.scene
    session.advance("place_table")
    ending = session.ending
    assert (ending.title, ending.verdict) == ("Done", "DONE")
    assert session.status().task.verdict == "DONE"
    assert "Verdict: DONE" in capsys.readouterr().out
    session.next_episode()
    assert (first.index, session._tasks.scene.index) == (3, 4)
    assert session.status().task.verdict == "PENDING"
    assert session.status().episode == 2


@pytest.mark.parametrize(
    ("task", "options", "why"),
    [
        ("collect_diamond.within(2)", {}, "Too late: collect a diamond within 2 ste"),
        ("place_plant & ~act_sleep", {}, "Not kept: never choose the action sleep."),
        ("collect_diamond", {"budget": 2}, "The steps are used up."),
    ],
)
def test_attempt_that_failed_says_why(task, options, why):
    session = start(task, **options)
    session.advance("noop")
    assert session.ending is None
    session.advance("sleep")
    assert (session.ending.title, session.ending.verdict) == ("Failed", "FAILED")
    assert session.ending.paragraphs[0].startswith(why)


@pytest.mark.slow
def test_scenes_that_cannot_be_made_are_left_out_until_it_is_given_up():
    with pytest.raises(SceneError, match="goal_failed"):
        start("place_table & ~act_noop", first=0)


def test_attempts_are_recorded_as_those_of_agents(tmp_path):
    session = start(folder=tmp_path)
    session.advance("place_table")
    session.next_episode()
    session.advance("noop")
    session.close()  # in the middle of the second attempt
    again = start(folder=tmp_path)
    again.advance("place_table")
    again.close()
    done, begun, last = sorted((tmp_path / "attempts").iterdir())
    assert done.name < begun.name < last.name == "00002.jsonl.gz"
    assert replay(done) is None and replay(begun) is None
    first, second = records.read(done), records.read(begun)
    assert (first.header.agent, first.footer.verdict) == ("human", "DONE")
    assert (second.footer.verdict, len(second.steps)) == ("PENDING", 1)


# The window.


def test_window_shows_the_task_and_its_end(drive):
    window = drive(*TABLE, nonstop=False)
    before = window.panel()
    page = window.app.page()
    assert (page.title, page.paragraphs[1]) == ("Task", "You have 60 steps.")
    window.press("return", "t")
    page = window.app.page()
    assert (page.title, page.verdict) == ("Done", "DONE")
    assert "next attempt" in page.footer
    assert (window.panel() != before).any()
    window.press("return")
    assert window.app.page() is None and window.source.status().step <= 1


def test_recorded_attempt_is_replayed_with_its_task(drive, tmp_path):
    session = start(folder=tmp_path)
    session.advance("move_left")
    session.advance("place_table")
    session.close()
    (path,) = (tmp_path / "attempts").iterdir()
    window = drive("--replay", str(path))
    assert window.source.last == 2
    assert window.source.status().task.verdict == "PENDING"
    window.press("end")
    status = window.source.status()
    assert (status.task.verdict, status.task.steps_left) == ("DONE", 58)
    window.press("left")
    assert window.source.status().task.verdict == "PENDING"
    assert (window.picture() != 0).any()

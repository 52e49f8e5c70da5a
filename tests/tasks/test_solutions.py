"""Solutions: certificates, where they are found, and those of the package."""

import planner_scenes
import pytest
import verify_scenes

from crafter.tasks import Task, scenes
from crafter.tasks.episodes import results, solutions, suites
from crafter.tasks.episodes.results import RunError
from crafter.tasks.episodes.solutions import (
    certificate_of,
    check,
    pack,
    solve,
    unpack,
)
from crafter.tasks.game import find


def test_actions_as_text():
    actions = [0, 0, 5, 16, 16, 16, 1]
    assert pack(actions) == "a2fq3b"
    assert unpack(pack(actions)) == actions
    for wrong in ("a-1", 3, "é"):
        with pytest.raises(ValueError, match="Expected actions"):
            unpack(wrong)


def test_a_wrong_certificate_is_found():
    task = Task("place_table")
    scene = scenes.draw(task, "test", 0)
    right = solve(task, scene).certificate
    assert check(task, scene, right) is None
    for change in ({"state": "0"}, {"events": "0"}, {"actions": "b", "steps": 1}):
        assert check(task, scene, {**right, **change}) is not None


def test_certificates_are_those_of_the_package_or_made(monkeypatch):
    task = Task("place_table")
    known, new = (scenes.draw(task, split, 0) for split in ("test", "val"))
    assert certificate_of(task, new) is None
    made = certificate_of(task, new, solve_new=True)
    assert made == solve(task, new).certificate
    monkeypatch.setattr(solutions, "solve", None)  # nothing has to be solved
    assert certificate_of(task, known, solve_new=True)["steps"] > 0


def test_the_file_of_the_package_is_made_by_a_program_that_can_be_stopped(
    tmp_path, capsys
):
    path = tmp_path / "made.jsonl"
    words = [str(path), "--levels", "simple", "--scenes", "2", "--tasks", "place_table"]
    verify_scenes.main(words)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    verify_scenes.main(words)
    assert path.read_bytes() == whole and "place_table simple 1: in" in (
        capsys.readouterr().out
    )
    head, found = results.read(path)
    assert head == results.read(find().data / results.SHIPPED)[0]
    assert head == verify_scenes.HEADER
    planner_scenes.assert_holds(found[1], found[1].certificate)


@pytest.mark.parametrize("text", ["", "no json\n", "{}\n", '{"verification":2}\n'])
def test_a_damaged_file_is_refused(tmp_path, text):
    path = tmp_path / "damaged.jsonl"
    path.write_text(text)
    with pytest.raises((RunError, ValueError), match=r"damaged\.jsonl"):
        results.read(path)


def test_the_shipped_scenes_can_mostly_be_solved():
    found = results.shipped(find())
    assert len({one.place for one in found}) == len(found)
    solved = [one for one in found if one.solved]
    assert all(one.certificate for one in solved) and len(solved) >= 0.8 * len(found)
    for suite in map(suites.suite, suites.names()):
        missing = results.unsolved(suite.game)
        assert not missing & {entry.place for entry in suite.entries}


@pytest.mark.parametrize(
    "every",
    [
        pytest.param(200, id="some"),
        pytest.param(20, marks=pytest.mark.slow, id="twentieth"),
        pytest.param(1, marks=pytest.mark.slow, id="all"),
    ],
)
def test_the_shipped_certificates_hold(every):
    proven = [one for one in results.shipped(find()) if one.certificate]
    for one in proven[::every]:
        planner_scenes.assert_holds(one, one.certificate)

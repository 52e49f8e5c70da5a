"""Verification: resumed after any end, replayed, reported."""

import json

import pytest

from crafter.tasks import cli, scenes
from crafter.tasks.env.replay import versions
from crafter.tasks.episodes import results, suites, verification
from crafter.tasks.episodes.play import EpisodeResult
from crafter.tasks.episodes.results import RunError
from crafter.tasks.episodes.solutions import pack, unpack

LEVELS = ("simple", "medium", "hard")
TASKS = ["place_table", "make_wood_pickaxe"]
SPECS = verification.specs_of(TASKS, ["simple"], scenes=2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of a verification that ran through."""
    path = tmp_path_factory.mktemp("verification") / "whole.jsonl"
    assert [one.solved for one in verification.run(SPECS, path)] == [True] * 4
    return path


@pytest.mark.parametrize("cut", [0, 10, 400, 1900])
def test_a_file_that_is_cut_off_is_continued(whole, tmp_path, cut):
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole.read_bytes()[: -cut or None])
    made = list(verification.run(SPECS, path))
    assert results.read(path) == results.read(whole) and bool(made) == bool(cut)


def test_the_file_of_another_verification_is_refused(whole):
    with pytest.raises(RunError, match="holds other results"):
        list(verification.run(SPECS, whole, split="val"))


@pytest.mark.parametrize("text", ["", "no json\n", "{}\n", '{"verification":2}\n{}\n'])
def test_a_damaged_file_is_refused(tmp_path, text):
    path = tmp_path / "damaged.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"damaged\.jsonl"):
        results.read(path)


def test_a_wrong_certificate_is_found(whole, tmp_path):
    assert [wrong for _, wrong in verification.replay(whole)] == [None] * 4
    path = tmp_path / "wrong.jsonl"
    header, first, *_ = whole.read_text().splitlines()
    line = json.loads(first)
    for change in ({"state": "0"}, {"actions": "b", "steps": 1}, {"actions": "?"}):
        changed = {**line, "certificate": {**line["certificate"], **change}}
        path.write_text(f"{header}\n{json.dumps(changed)}\n")
        [(_, wrong)] = verification.replay(path)
        assert wrong is not None
    assert cli.main(["verify", str(path), "--replay"]) == 1


def line(task, level, index, steps, budget=60):
    """Returns the result of a scene; one that was not solved has no steps."""
    verdict, reason = ("FAILED", "budget") if steps is None else ("DONE", None)
    return EpisodeResult(task, level, index, "", verdict, reason, steps, budget, 1.0)


def lines(task, *found):
    """Returns results of a task: steps of the scenes of each level."""
    return [
        line(task, level, n, s)
        for level, steps in zip(LEVELS, found)
        for n, s in enumerate(steps)
    ]


def test_the_report_has_intervals_and_reasons():
    found = lines("harder", [3, 5, 4], [9, 7, None], [20, 30, None])
    found += lines("easier", [9, 8, 7], [3, 3, 3], [None, None, None])
    text = verification.report(found).render("markdown")
    assert (
        "| harder | medium | 2/3, 66.7 % [20.8, 93.9] | 8 | 13 | `budget` 1 |" in text
    )
    assert "| all | hard | 2/6, 33.3 %" in text


def test_actions_as_text():
    actions = [0, 0, 5, 16, 16, 16, 1]
    assert pack(actions) == "a2fq3b"
    assert unpack(pack(actions)) == actions
    for wrong in ("a-1", 3, "é"):
        with pytest.raises(ValueError, match="Actions are"):
            unpack(wrong)


def test_the_command(tmp_path, capsys):
    path = str(tmp_path / "command.jsonl")
    what = ["--tasks", "place_table", "--levels", "simple", "--scenes", "1"]
    assert cli.main(["verify", path, *what]) == 0
    assert cli.main(["verify", path, "--replay", "--sample", "0.5"]) == 0
    assert "1 of 1 certificates hold" in capsys.readouterr().out
    assert cli.main(["verify", path, "--report"]) == 0
    assert "| place_table | simple | 1/1" in capsys.readouterr().out
    assert cli.main(["verify"]) == 2


# What comes with the package.


def test_the_shipped_scenes_are_of_this_version():
    header, found = results.read(results.SHIPPED)
    assert {**versions(), "generator": scenes.VERSION}.items() <= header.items()
    assert len({one.place for one in found}) == len(found)
    solved = [one for one in found if one.solved]
    assert all(one.certificate for one in solved) and len(solved) >= 0.8 * len(found)


def test_suites_leave_out_what_was_not_solved():
    missing = results.unsolved()
    for name in suites.names():
        assert not missing & {entry.place for entry in suites.suite(name).entries}


@pytest.mark.parametrize(
    "share", [0.005, pytest.param(1.0, marks=pytest.mark.slow, id="all")]
)
def test_the_shipped_certificates_hold(share):
    found = list(verification.replay(results.SHIPPED, share))
    assert found and [wrong for _, wrong in found] == [None] * len(found)

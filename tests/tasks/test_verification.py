"""Verification runs: continued after any end, replayed, reported."""

import json
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from crafter.tasks import cli, proofs, suites, verification, verification_report
from crafter.tasks.certificates import Certificate, pack, unpack
from crafter.tasks.proofs import VerificationError
from crafter.tasks.verification import Plan

PLAN = Plan(["place_table", "make_wood_pickaxe"], ["simple"], scenes=2)
#: Lines without what depends on the machine.
STABLE = ("task", "level", "index", "solved", "steps", "reason", "certificate")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of a verification that ran through."""
    path = tmp_path_factory.mktemp("verification") / "whole.jsonl"
    list(verification.run(PLAN, path))
    return path


def stable(path):
    return [{name: line.get(name) for name in STABLE} for line in lines(path)]


def lines(path):
    return proofs.read(path)[1]


def test_a_run_tries_every_scene_once(whole):
    assert [line["solved"] for line in lines(whole)] == [True] * 4
    assert list(verification.run(PLAN, whole)) == []
    assert len(lines(whole)) == 4


@pytest.mark.parametrize("cut", [0, 10, 400, 900])
def test_a_file_that_is_cut_off_is_continued(whole, tmp_path, cut):
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole.read_bytes()[: -cut or None][: 2000 - cut])
    list(verification.run(PLAN, path))
    assert stable(path) == stable(whole)


def test_shards_make_up_the_whole(whole, tmp_path):
    found = []
    for part in range(1, 4):
        plan = Plan(PLAN.tasks, PLAN.levels, scenes=2, shard=(part, 3))
        list(verification.run(plan, tmp_path / f"{part}.jsonl"))
        found += stable(tmp_path / f"{part}.jsonl")
    assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, stable(whole)))


def test_the_file_of_another_verification_is_refused(whole):
    with pytest.raises(VerificationError, match="another verification"):
        list(verification.run(Plan(PLAN.tasks, ["simple"], split="val"), whole))


@pytest.mark.parametrize("text", ["", "no json\n", '{"verification":99}\n', "{}\n"])
def test_a_damaged_file_is_refused(tmp_path, text):
    path = tmp_path / "damaged.jsonl"
    path.write_text(text)
    with pytest.raises(VerificationError):
        proofs.read(path)


def test_certificates_hold(whole):
    assert [wrong for _, wrong in verification.replay(whole)] == [None] * 4
    assert len(list(verification.replay(whole, sample=0.3))) == 1


def test_a_wrong_certificate_is_found(whole, tmp_path):
    path = tmp_path / "wrong.jsonl"
    header, first, *_ = whole.read_text().splitlines()
    line = json.loads(first)
    for change in ({"state": "0"}, {"actions": "b", "steps": 1}, {"actions": "?"}):
        changed = {**line, "certificate": {**line["certificate"], **change}}
        path.write_text(f"{header}\n{json.dumps(changed)}\n")
        [(_, wrong)] = verification.replay(path)
        assert wrong is not None
    assert cli.main(["verify", str(path), "--replay"]) == 1


def test_the_report_has_intervals_and_reasons():
    header = {"split": "val", "catalogue": 2, "generator": 3, "known": "all"}
    base = {"task": "a", "level": "simple", "index": 0, "budget": 60}
    good = {**base, "solved": True, "steps": 12, "reason": None}
    bad = {**base, "solved": False, "steps": 60, "reason": "budget"}
    text = verification_report.report(header, [good, good, bad])
    assert "| simple | 3 | 2, 66.7 % [20.8, 93.9] | 1 | 12 | 20 % | 1 of 1 |" in text
    assert "| `budget` | 1 |" in text
    assert "| `a` | 2/3 [21, 94] 12 (20 %) | `budget` 1 |" in text


def test_shards_are_packed_to_one_file(whole, tmp_path):
    paths = [tmp_path / f"{part}.jsonl" for part in (1, 2)]
    for part, path in enumerate(paths, 1):
        plan = Plan(PLAN.tasks, PLAN.levels, scenes=2, shard=(part, 2))
        list(verification.run(plan, path))
    packed, again = tmp_path / "packed.jsonl.gz", tmp_path / "again.jsonl.gz"
    assert proofs.pack(paths, packed) == 4
    assert proofs.pack(paths[::-1], again) == 4
    assert packed.read_bytes() == again.read_bytes()
    assert sorted(map(str, stable(packed))) == sorted(map(str, stable(whole)))
    with pytest.raises(VerificationError, match="in two of the files"):
        proofs.pack([paths[0], paths[0]], packed)


def test_actions_as_text():
    actions = [0, 0, 5, 16, 16, 16, 1]
    assert pack(actions) == "a2fq3b"
    assert unpack(pack(actions)) == actions
    for wrong in ("a-1", 3, "é"):
        with pytest.raises(ValueError, match="Actions are"):
            unpack(wrong)
    with pytest.raises(ValueError, match="no certificate"):
        Certificate.from_data({"actions": "a2", "steps": 3, "state": "", "events": ""})


def test_the_command(whole, tmp_path, capsys):
    path = str(tmp_path / "command.jsonl")
    what = ["--tasks", "place_table", "--levels", "simple", "--scenes", "1"]
    assert cli.main(["verify", path, *what]) == 0
    assert cli.main(["verify", path, "--replay", "--sample", "0.5"]) == 0
    assert "1 of 1 certificates hold" in capsys.readouterr().out
    assert cli.main(["verify", path, "--report"]) == 0
    assert "| `place_table` | 1/1" in capsys.readouterr().out
    assert cli.main(["verify"]) == 2
    assert cli.main(["verify", path, "--shard", "0/2"]) == 2
    assert cli.main(["verify", path, "--scenes", "0"]) == 2


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_is_continued(whole, tmp_path):
    path = tmp_path / "killed.jsonl"
    program = [sys.executable, "-m", "crafter.tasks", "verify", str(path)]
    what = ["--tasks", *PLAN.tasks, "--levels", "simple", "--scenes", "2"]
    for wait in (0.5, 1.0, 1.5, 2.0):
        process = subprocess.Popen([*program, *what], stdout=subprocess.DEVNULL)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run([*program, *what], stdout=subprocess.DEVNULL).returncode == 0
    assert stable(path) == stable(whole)


# What comes with the package.


def shipped():
    return proofs.read(proofs.SHIPPED)


def test_the_shipped_scenes_are_of_this_version():
    header, found = shipped()
    assert Plan([], []).header().items() <= header.items()
    keys = [proofs.key_of(line) for line in found]
    assert len(set(keys)) == len(keys)
    solved = [line for line in found if line["solved"]]
    assert all("certificate" in line for line in solved)
    assert len(solved) >= 0.8 * len(found)


def test_the_report_of_the_documentation_is_that_of_the_shipped_scenes():
    page = pathlib.Path(__file__).parents[2] / "docs" / "task-verification.md"
    assert page.read_text("utf-8") == verification_report.report(*shipped())


def test_suites_leave_out_what_was_not_solved():
    missing = proofs.unsolved()
    for name in suites.names():
        entries = suites.suite(name).entries
        assert not missing & {(e.task, e.level, e.index) for e in entries}


@pytest.mark.parametrize(
    "share", [0.005, pytest.param(0.05, marks=pytest.mark.slow, id="a twentieth")]
)
def test_some_of_the_shipped_certificates_hold(share):
    found = list(verification.replay(proofs.SHIPPED, share))
    assert found and [wrong for _, wrong in found] == [None] * len(found)


@pytest.mark.slow
def test_all_shipped_certificates_hold():
    found = list(verification.replay(proofs.SHIPPED))
    assert [(line["task"], wrong) for line, wrong in found if wrong] == []

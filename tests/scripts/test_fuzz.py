"""The script that feeds hostile input to what reads foreign input."""

import contextlib
import random
import re

import fuzz
import numpy as np
import pytest
from fuzzing import damage


def run(capsys, *argv):
    """Runs the program; returns its exit status and what it printed."""
    with pytest.raises(SystemExit) as stop:
        fuzz.main([str(argument) for argument in argv])
    return stop.value.code, capsys.readouterr().out


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_nothing_is_found_in_a_few_inputs(capsys, target):
    cases = {"replies": 8, "logs": 8}.get(target, 40)
    status, told = run(capsys, "--target", target, "--seed", 7, "--cases", cases)
    assert "\n0 findings\n" in f"\n{told}", told
    assert (status, told.split()[:2]) == (0, [f"{target}:", str(cases)])


class Fragile:
    """Fails for about every fifth input."""

    def __init__(self, folder):
        self.folder = folder

    def check(self, rng):
        number = rng.randrange(5)
        (self.folder / "seen").write_text(str(number))
        if number == 0:
            raise KeyError(f"number {rng.randrange(10**9)} \x1b[2J\ud800")


def test_a_finding_is_told_and_can_be_repeated(capsys, monkeypatch):
    monkeypatch.setitem(fuzz.TARGETS, "parse", Fragile)
    arguments = ("--target", "parse", "--seed", 3)
    status, told = run(capsys, *arguments, "--cases", 60)
    assert status == 1
    assert told.endswith("1 findings\n")  # though several inputs led to it
    assert told.isascii() and "\x1b" not in told
    (command,) = re.findall(r"Repeat it: python scripts/fuzz.py (.*)", told)
    status, again = run(capsys, *command.split())
    assert status == 1
    key = re.compile(r"KeyError: .*")
    assert key.findall(again) == key.findall(told) != []


def test_other_inputs_come_with_other_seeds(capsys, monkeypatch):
    seen = set()

    class Seen(Fragile):
        def check(self, rng):
            seen.add(rng.random())

    monkeypatch.setitem(fuzz.TARGETS, "parse", Seen)
    for _ in range(2):  # the second time nothing is new
        for seed in (0, 1):
            status, _ = run(capsys, "--target", "parse", "--seed", seed, "--cases", 5)
            assert status == 0
    assert len(seen) == 10


def test_what_takes_too_long_is_a_finding(capsys, monkeypatch):
    class Endless(Fragile):
        def check(self, rng):
            while True:
                with contextlib.suppress(Exception):
                    rng.random()

    monkeypatch.setitem(fuzz.TARGETS, "parse", Endless)
    arguments = ("--target", "parse", "--case", 0, "--limit", 0.05)
    status, told = run(capsys, *arguments)
    assert status == 1
    assert "TooLong: took longer than 0.05 s" in told


def test_time_is_shared_between_targets(capsys, monkeypatch):
    monkeypatch.setitem(fuzz.TARGETS, "parse", Fragile)
    monkeypatch.setitem(fuzz.TARGETS, "scores", Fragile)
    _, told = run(capsys, "--target", "parse", "--target", "scores", "--seconds", 0.2)
    counts = [int(count) for count in re.findall(r": (\d+) inputs", told)]
    assert len(counts) == 2 and min(counts) > 0


@pytest.mark.parametrize(
    "argv",
    [
        ["--seconds", "0"],
        ["--minutes", "-1"],
        ["--minutes", "nan"],
        ["--target", "nothing"],
        ["--cases", "3", "--seconds", "5"],
    ],
)
def test_arguments_that_make_no_sense(capsys, argv):
    with pytest.raises(SystemExit) as stop:
        fuzz.main(argv)
    assert stop.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(5))
def test_damages_leave_the_original_alone(seed):
    rng = random.Random(seed)
    state = {"a": np.arange(6).reshape(2, 3), "b": np.array("text"), "c": np.array(1.5)}
    before = {name: array.copy() for name, array in state.items()}
    nested = {"list": [1, (2, 3)], "map": {"x": state["a"]}}
    different = 0
    for _ in range(60):
        damaged = damage.arrays(state, rng, state)
        different += list(damaged) != list(state) or any(
            a is not b for a, b in zip(damaged.values(), state.values())
        )
        damage.mutated(nested, rng)
        np.testing.assert_equal(state, before)
        assert nested["list"] == [1, (2, 3)]
    assert different > 30

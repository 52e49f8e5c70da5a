"""A script written for other environments in JAX runs with the import changed."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")
pytest.importorskip("optax", reason="needs the extra 'jax'")

import purejaxrl_style

from crafter import constants

NAME = "Crafter-Symbolic-v1"


@pytest.mark.slow
def test_a_script_for_craftax_trains():
    command = [sys.executable, purejaxrl_style.__file__, "crafter", NAME]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["episodes"] >= 8  # every game ended at least once
    assert 0 < shown["length"] <= 100
    assert -1 < shown["return"] < 22
    names = {f"Achievements/{name}" for name in constants.achievements}
    assert set(shown["achievements"]) == names

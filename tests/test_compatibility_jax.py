"""The engine in JAX plays the recorded games of players that craft."""

from __future__ import annotations

import json

import compatibility
import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax_programs


def test_games_of_crafter():
    actions = np.load(compatibility.FOLDER / "actions-jax.npz")["crafter"]
    found = compatibility.play_jax(
        jax_programs.reset, jax_programs.step, jax_programs.PARAMS, actions
    )
    expected = json.loads((compatibility.FOLDER / "games-jax.json").read_text("utf-8"))
    assert found == expected["crafter"]

"""Rule changes that the JAX engine rejects; test_parity plays the others."""

import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import crafter.batch.jax as crafter_jax
from crafter.games.crafter.rules import RulesError

REFUSED = {
    "actions": {
        "make": {"bed": {"uses": {}, "nearby": [], "gives": 1}},
        "items": {"bed": {"max": 9, "initial": 0}},
    },
    "world.chunk": {"world": {"chunk": [10, 12]}},
    "terrain.water.noise": {"terrain": {"water": {"noise": {"z": 4}}}},
    "terrain.mountain.start_weight": {"terrain": {"mountain": {"start_weight": 3}}},
    "terrain.start": {"terrain": {"start": {"radius": 5}}},
    "light": {"light": {"saturation": 0.5}},
    "time.dark": {"time": {"dark": 0.4}},
    "time.day": {"time": {"day": 40_000}},
    "creatures.zombie.health": {"creatures": {"zombie": {"health": 40_000}}},
    "life.hunger.asleep": {"life": {"hunger": {"asleep": 0.3}}},
}


@pytest.mark.parametrize("place", REFUSED)
def test_what_the_code_does_not_read_is_refused(place):
    with pytest.raises(RulesError, match=rf"{place}\b.*crafter.Env supports all rules"):
        crafter_jax.make("Crafter-Compact-v1", rules=REFUSED[place])

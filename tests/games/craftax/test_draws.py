"""The random values of a step: their names, shapes, order and distributions."""

import numpy as np
import pytest
from craftax_golden import Steps

from crafter.games.craftax import parameters, tables
from crafter.games.craftax.draws import Draws, Sampler

TABLES = tables.load()
DEFAULTS = parameters.make(TABLES.data["parameters"], {})
COUNT = 20_000


@pytest.fixture(scope="module")
def sample():
    """Many draws: name -> array with the samples along the first axis."""
    sampler, rng = Sampler(TABLES, DEFAULTS), np.random.default_rng(0)
    rows = [sampler.draw(rng) for _ in range(COUNT)]
    return {
        name: np.array([getattr(row, name) for row in rows]) for name in Draws._fields
    }


def test_names_and_shapes_are_those_of_recorded_draws(sample):
    recorded = Steps("boss").draws(0)
    assert recorded.keys() == sample.keys()
    for name, values in sample.items():
        assert values.shape[1:] == recorded[name].shape, name
        assert values.dtype.kind == recorded[name].dtype.kind, name


def test_real_numbers_are_single_precision_from_0_to_1(sample):
    for name, values in sample.items():
        if name.endswith("_u"):
            assert (values == values.astype(np.float32)).all()
            assert values.min() >= 0
            assert values.max() < 1
            # Five standard errors of the mean of uniform numbers.
            assert abs(values.mean() - 0.5) < 5 * np.sqrt(1 / 12 / values.size)


QUARTER, HALF, SIXTH = [1 / 4] * 4, [1 / 2] * 2, [1 / 6] * 6
DISTRIBUTIONS = {
    "chest_torch_count": (4, QUARTER),
    "chest_ore_kind": (0, [0.3, 0.3, 0.15, 0.125, 0.125]),
    "chest_potion_colour": (0, SIXTH),
    "chest_potion_count": (1, HALF),
    "chest_arrow_count": (1, QUARTER),
    "chest_tool_kind": (0, HALF),
    "chest_pickaxe_tier": (1, [0.4, 0.3, 0.2, 0.1]),
    "chest_sword_tier": (1, [0.4, 0.3, 0.2, 0.1]),
    "book_spell": (0, HALF),
    "melee_direction": (1, QUARTER),
    "melee_tie_axis": (0, HALF),
    "passive_direction": (0, [1 / 2, *[1 / 8] * 4]),
    "ranged_direction": (1, QUARTER),
    "ranged_tie_axis": (0, HALF),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_whole_numbers_have_their_distribution(sample, name):
    first, weights = DISTRIBUTIONS[name]
    check_distribution(sample[name].ravel() - first, weights)


@pytest.mark.parametrize(
    ("ore", "weights"), [*enumerate([[1 / 3] * 3, HALF, [1], [1], [1]])]
)
def test_the_number_of_ores_depends_on_the_ore(sample, ore, weights):
    found = sample["chest_ore_count"][sample["chest_ore_kind"] == ore]
    check_distribution(found - 1, weights)


def check_distribution(values, weights):
    counts = np.bincount(values, minlength=len(weights))
    assert len(counts) == len(weights)
    expected = np.array(weights) * values.size
    errors = np.sqrt(expected * (1 - np.array(weights)))
    assert (np.abs(counts - expected) <= 5 * errors).all()


def test_all_whole_numbers_are_covered(sample):
    whole = {name for name in sample if not name.endswith("_u")}
    assert whole == {*DISTRIBUTIONS, "chest_ore_count"}


def test_rules_change_ranges():
    changed = tables.load({"chest": {"torches": {"count": [9, 9]}}})
    row = Sampler(changed, DEFAULTS).draw(np.random.default_rng(0))
    assert row.chest_torch_count == 9

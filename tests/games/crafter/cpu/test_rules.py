"""The batched engines are compiled for the default rules and refuse others."""

import gymnasium
import pytest

import crafter
from crafter.games.crafter.rules import RulesError

OTHERS = {
    "life": {"life": {"hunger": {"limit": 50}}},
    "place": {"place": {"table": {"uses": {"wood": 1}}}},
    "time": {"time": {"day": 200}},
    "balance": {"balance": {"interval": 5}},
}


def vector(rules):
    pytest.importorskip("numba", reason="needs crafter[vector]")
    return gymnasium.make_vec("CrafterReward-v1", num_envs=2, rules=rules)


def functional(rules):
    pytest.importorskip("jax", reason="needs crafter[jax]")
    from crafter.batch.jax import make

    return make("Crafter-Pixels-v1", rules=rules)


@pytest.mark.parametrize("make", [vector, functional])
@pytest.mark.parametrize("section", OTHERS)
def test_other_rules_are_refused_by_name(make, section):
    rules = OTHERS[section]
    ours, default = crafter.Env(rules=rules).rules, crafter.Env().rules
    assert ours.data[section] != default.data[section]
    with pytest.raises(RulesError) as refusal:
        make(rules)
    told = str(refusal.value)
    assert f"only the amounts of items may differ, not {section}." in told
    assert "crafter.Env takes all rules" in told

"""A script as people wrote them for the full game; only the imports are ours."""

import random

from crafter.lm.craftaxlm import (
    CRAFTAX_FULL_ACHIEVEMENTS,
    CRAFTAX_FULL_ACTION_MAPPING,
    CraftaxACI,
    make_craftax_env_from_name,
    mob_id_to_name,
    render_craftax_text_custom,
)
from crafter.lm.craftaxlm.full.metadata import (
    CRAFTAX_FULL_BACKDROP_BLOCK_TYPES,
    CRAFTAX_FULL_HIGH_SALIENCE_ITEMS,
    CRAFTAX_FULL_HIGH_SALIENCE_MOBS,
    CRAFTAX_FULL_HIGH_SALIENCE_OBJECTS,
    CRAFTAX_FULL_LOW_SALIENCE_OBJECTS,
)

KNOWN = {
    *CRAFTAX_FULL_BACKDROP_BLOCK_TYPES,
    *CRAFTAX_FULL_LOW_SALIENCE_OBJECTS,
    *CRAFTAX_FULL_HIGH_SALIENCE_OBJECTS,
}


def rollout(seed):
    """Play some random actions and return what was reached."""
    aci = CraftaxACI(seed, [0, 3], False, "xml", "full")
    print(aci.starting_obs["state"][:200])
    rng, total, done = random.Random(seed), 0.0, False
    names = [name for name in CRAFTAX_FULL_ACTION_MAPPING if "diamond" not in name]
    while not done and len(aci.action_history) < 60:
        infos, rewards, done = aci.multistep([rng.choice(names) for _ in range(5)])
        for info in infos:
            assert set(info) == {"state", "reward", "done"}
        total += sum(rewards)
    info = aci._step(aci.map_action_string_to_int("noop"))
    info = aci.go_forward([1, 2])
    assert isinstance(info["state"], str)
    aci.go_back(2)
    found = aci.get_achievements(aci.state)["achievements"]
    assert list(found) == list(CRAFTAX_FULL_ACHIEVEMENTS.values())
    news = [name for names in aci.achievement_deltas for name in names]
    assert sorted(news) == sorted(name for name, flag in found.items() if flag)
    return aci.terminate(), total


def inspect(seed):
    """Step the environment itself and look into the states."""
    aci = CraftaxACI(seed=seed, formatting="md")
    env = make_craftax_env_from_name("Craftax-Symbolic-v1", auto_reset=False)
    obs, state = env.reset(aci.rngs[0], env.default_params)
    rewards = []
    for name in ["left", "do", "up", "do", "noop"]:
        action = aci.map_action_string_to_int(name)
        obs, state, reward, done, info = env.step(
            aci.rngs[2], state, action, env.default_params
        )
        assert obs.shape == (8268,) and not done
        rewards.append(float(reward))
    rendered = render_craftax_text_custom(state)
    for tile in rendered.map:
        assert set(tile["position"]) == {"x", "y"}
        assert not tile["visible"] or tile["block"] in KNOWN
        assert tile.get("mob", "Cow") in CRAFTAX_FULL_HIGH_SALIENCE_MOBS
        assert tile.get("item", "ladder_up") in [
            *CRAFTAX_FULL_HIGH_SALIENCE_ITEMS,
            "torch",
        ]
    assert mob_id_to_name(17) == "Gnome Archer"
    text = rendered.render_to_text_simple(verbose=False, formatting="md")
    step = aci.create_step_info(state, rewards[-1], False)
    assert step["reward"] == rewards[-1]
    return rendered, text, rewards

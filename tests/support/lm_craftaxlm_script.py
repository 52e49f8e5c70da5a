"""Scripts in the style of craftaxlm users; only the imports are ours.

They use its whole interface: positional constructor arguments, `starting_obs`,
`multistep`, `_step`, `go_forward`, `go_back`, achievements, the recorder, and the
environment behind the interface as a pure function of keys and states.
"""

import random

from crafter.lm.craftaxlm import (
    CRAFTAX_FULL_ACHIEVEMENTS,
    CRAFTAX_FULL_ACTION_MAPPING,
    CraftaxACI,
    CraftaxClassicACI,
    EpisodeRecorder,
    make_craftax_env_from_name,
    mob_id_to_name,
    render_craftax_text_custom,
)
from crafter.lm.craftaxlm.classic.metadata import (
    CRAFTAX_CLASSIC_ACTION_MAPPING,
)
from crafter.lm.craftaxlm.classic.state import (
    render_craftax_classic_text_custom,
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


def play(aci, mapping, moment=lambda: None):
    """Take random actions; return the last info, the result and the total reward."""
    rng, total, done, keys = random.Random(3), 0.0, False, set()
    names = [name for name in mapping if "iron" not in name and "diamond" not in name]
    while not done and len(aci.action_history) < 60:
        infos, rewards, done = aci.multistep([rng.choice(names) for _ in range(5)])
        keys |= {key for info in infos for key in info}
        total += sum(rewards)
        moment()
    aci._step(aci.map_action_string_to_int("noop"))
    last = aci.go_forward([1, 2])
    assert set(last) == keys
    aci.go_back(2)
    flags = aci.get_achievements(aci.state)["achievements"]
    news = [name for names in aci.achievement_deltas for name in names]
    assert sorted(news) == sorted(name for name, flag in flags.items() if flag)
    return last, aci.terminate(), total


def rollout(seed, folder):
    """Play Crafter and record a video."""
    aci = CraftaxClassicACI(seed, [0, 3], False, "xml", "compact")
    recorder = EpisodeRecorder(save_dir=folder, enabled=True)
    recorder.record_frame(aci.state)
    print(aci.starting_obs["state_text"][:200])
    frame = lambda: recorder.record_frame(aci.state)  # noqa: E731
    info, reached, total = play(aci, CRAFTAX_CLASSIC_ACTION_MAPPING, frame)
    assert set(info) == {"state_image", "state_text", "reward", "done"}
    assert info["state_image"].shape == (576, 576, 3)
    path = recorder.save_video("episode.gif", fps=5)
    recorder.clear()
    return reached, total, path


def larger_rollout(seed):
    """Play Craftax."""
    aci = CraftaxACI(seed, [0, 3], False, "xml", "full")
    print(aci.starting_obs["state"][:200])
    info, reached, total = play(aci, CRAFTAX_FULL_ACTION_MAPPING)
    assert set(info) == {"state", "reward", "done"} and isinstance(info["state"], str)
    assert list(reached) == list(CRAFTAX_FULL_ACHIEVEMENTS.values())
    return reached, total


def hello_world(seed):
    """Step the environment directly; return texts, rewards and achievements."""
    aci = CraftaxClassicACI(seed=seed, formatting="xml")
    obs, state = aci.env.reset(aci.rngs[0], aci.env_params)
    texts = [aci.create_step_info(state, 0.0, False)["state_text"]]
    rewards, news = [], []
    for name in ["left", "do", "up", "do", "noop"]:
        action = aci.map_action_string_to_int(name)
        obs, state, reward, done, info = aci.env.step(
            aci.rngs[2], state, action, aci.env_params
        )
        news += aci.get_achievement_delta(aci.get_achievements(state))
        rendered = render_craftax_classic_text_custom(state)
        text = rendered.render_to_text_simple(verbose=False, formatting="xml")
        texts.append(text)
        rewards.append(float(reward))
        assert not done and mob_id_to_name(8) == "Cow"
    aci.state = state
    assert aci.create_starting_obs()["reward"] == 0.0
    return texts, rewards, news


def inspect(seed):
    """Step the environment directly and inspect the states."""
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

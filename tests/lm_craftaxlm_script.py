"""Scripts as people wrote them for craftaxlm; only the imports are ours.

They use what its interface offered: constructor by position, `starting_obs`,
`multistep`, `_step`, `go_forward`, `go_back`, achievements, the recorder, and the
environment behind the interface as a pure function of keys and states.
"""

import random

from crafter.lm.craftaxlm import CraftaxClassicACI, EpisodeRecorder, mob_id_to_name
from crafter.lm.craftaxlm.classic.metadata import (
    CRAFTAX_CLASSIC_ACTION_MAPPING,
)
from crafter.lm.craftaxlm.classic.state import (
    render_craftax_classic_text_custom,
)


def rollout(seed, folder):
    """Play some random actions and return what was reached."""
    aci = CraftaxClassicACI(seed, [0, 3], False, "xml", "compact")
    recorder = EpisodeRecorder(save_dir=folder, enabled=True)
    recorder.record_frame(aci.state)
    print(aci.starting_obs["state_text"][:200])
    names = [name for name in CRAFTAX_CLASSIC_ACTION_MAPPING if "iron" not in name]
    rng = random.Random(seed)
    total, done = 0.0, False
    while not done and len(aci.action_history) < 60:
        chosen = [rng.choice(names) for _ in range(5)]
        infos, rewards, done = aci.multistep(chosen)
        for info in infos:
            assert set(info) == {"state_image", "state_text", "reward", "done"}
        total += sum(rewards)
        recorder.record_frame(aci.state)
    info = aci._step(aci.map_action_string_to_int("noop"))
    info = aci.go_forward([1, 2])
    assert info["state_image"].shape == (576, 576, 3)
    aci.go_back(2)
    path = recorder.save_video("episode.gif", fps=5)
    recorder.clear()
    found = aci.get_achievements(aci.state)["achievements"]
    reached = [name for name, flag in found.items() if flag]
    news = [name for names in aci.achievement_deltas for name in names]
    assert sorted(news) == sorted(reached)
    return aci.terminate(), total, path


def hello_world(seed):
    """Step the environment itself; return texts, rewards and achievements."""
    aci = CraftaxClassicACI(seed=seed, formatting="xml")
    obs, state = aci.env.reset(aci.rngs[0], aci.env_params)
    told = [aci.create_step_info(state, 0.0, False)["state_text"]]
    rewards, news = [], []
    for name in ["left", "do", "up", "do", "noop"]:
        action = aci.map_action_string_to_int(name)
        obs, state, reward, done, info = aci.env.step(
            aci.rngs[2], state, action, aci.env_params
        )
        news += aci.get_achievement_delta(aci.get_achievements(state))
        rendered = render_craftax_classic_text_custom(state)
        text = rendered.render_to_text_simple(verbose=False, formatting="xml")
        told.append(text)
        rewards.append(float(reward))
        assert not done and mob_id_to_name(8) == "Cow"
    aci.state = state
    assert aci.create_starting_obs()["reward"] == 0.0
    return told, rewards, news

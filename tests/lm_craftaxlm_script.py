"""A script as people wrote it for craftaxlm; only the first import is ours.

It uses what its interface offered: constructor by position, `starting_obs`,
`multistep`, `_step`, `go_forward`, `go_back`, achievements, and the recorder.
"""

import random

from crafter.lm import CraftaxClassicACI, EpisodeRecorder


def rollout(seed, folder):
    """Play some random actions and return what was reached."""
    aci = CraftaxClassicACI(seed, [0, 3], False, "xml", "compact")
    recorder = EpisodeRecorder(save_dir=folder, enabled=True)
    recorder.record_frame(aci.state)
    print(aci.starting_obs["state_text"][:200])
    names = ["left", "right", "up", "down", "do", "place_table", "make_wood_pickaxe"]
    names = [n if "_" in n or n == "do" else f"move_{n}" for n in names]
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
    reached = [name for name, flag in aci.get_achievements(aci.state).items() if flag]
    news = [name for names in aci.achievement_deltas for name in names]
    assert sorted(news) == sorted(reached)
    return aci.terminate(), total, path

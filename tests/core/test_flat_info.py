"""Flat infos, and Minari, which needs them."""

import gymnasium
import numpy as np
import pytest

from crafter import FlatInfo

GAMES = {
    "CrafterReward-v1": {},
    "Craftax-Symbolic-v1": {"action_masks": "exact"},
    "CrafterTask-v1": {"task": "collect_wood"},
}


@pytest.fixture(params=GAMES)
def env(request):
    return FlatInfo(gymnasium.make(request.param, **GAMES[request.param]))


def test_infos_have_the_same_numbers_in_every_step(env):
    _, first = env.reset(seed=0)
    *_, nested = env.unwrapped.step(0)
    *_, info = env.step(0)
    for found in (first, info):
        kinds = {key: (value.shape, value.dtype) for key, value in found.items()}
        assert kinds == {key: (v.shape, v.dtype) for key, v in first.items()}
        assert not any(value.dtype.hasobject for value in found.values())
    assert info["reward_game"] == nested["reward"] and "reward" not in info
    assert {key.partition(".")[0] for key in info} >= {"inventory", "achievements"}
    assert info["inventory.health"] == nested["inventory"]["health"]


@pytest.mark.filterwarnings("ignore")  # of Minari: fields not given, a folder removed
def test_minari_records_them(env, tmp_path, monkeypatch):
    minari = pytest.importorskip("minari", reason="needs crafter[minari]")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    if isinstance(env.observation_space, gymnasium.spaces.Dict):
        pytest.skip("texts of goals differ in length, which data sets do not hold")
    recorder = minari.DataCollector(env, record_infos=True)
    recorder.reset(seed=0)
    healths = [recorder.step(0)[-1]["inventory.health"] for _ in range(5)]
    told = dict.fromkeys(("algorithm_name", "author", "description"), "nobody")
    told |= {"author_email": "a@b.org", "code_permalink": "https://b.org"}
    data = recorder.create_dataset("crafter/flat-v0", **told)
    (episode,) = data.iterate_episodes()
    np.testing.assert_array_equal(episode.infos["inventory.health"][1:], healths)

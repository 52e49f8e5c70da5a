"""Published experiments: settings that are not for us to choose.

`--preset craftax-1m --algorithm icm` sets all options of the budget and of the
algorithm. Values of RND are those of 1B in both; that of 1M was not published.

Source: Matthews et al. 2024, "Craftax: A Lightning-Fast Benchmark for Open-Ended
Reinforcement Learning", and its baselines.
"""

from __future__ import annotations

from typing import Any

Settings = dict[str, Any]

#: What all of them have.
CRAFTAX: Settings = {
    "game": "craftax",
    "observation": "symbolic",
    "setup": None,
    "masks": None,
    "world_pool": None,
    "epochs": 4,
    "minibatches": 8,
    "width": 512,
    "discount": 0.99,
    "trace": 0.8,
    "clip": 0.2,
    "value": 0.5,
    "entropy": 0.01,
    "max_norm": 1.0,
}
#: Preset -> the rest that PPO needs.
BUDGETS: dict[str, Settings] = {
    "craftax-1m": {"envs": 256, "rollout": 16, "rate": 3e-4, "anneal_steps": 10**6},
    "craftax-1b": {"envs": 1024, "rollout": 64, "rate": 2e-4, "anneal_steps": 10**9},
}

TOWERS: Settings = {"network": "towers", "parts": "steps"}
NETS: Settings = {"bonus_rate": 3e-4, "bonus_width": 256, "bonus_layers": 3}
MODELS: Settings = {**TOWERS, **NETS, "bonus_use": "reward", "bonus_epochs": 4}
#: Algorithm -> its settings with any budget,
ALGORITHMS: dict[str, Settings] = {
    "ppo": {**TOWERS, "bonus": None},
    "ppo-rnn": {"network": "rnn", "parts": "games", "bonus": None},
    "icm": {**MODELS, "bonus": "icm"},
    "e3b": {**MODELS, "bonus": "e3b"},
    "rnd": {
        **TOWERS,
        **NETS,
        "bonus": "rnd",
        "bonus_use": "critic",
        "bonus_weight": 0.01,
        "bonus_epochs": 1,
        "bonus_features": 512,
        "bonus_forward": 0.01,
    },
}
#: and algorithm and preset -> those with this budget. E3B has no inverse loss of its
#: own in the paper, so it takes that of ICM.
BOTH: dict[tuple[str, str], Settings] = {
    ("icm", "craftax-1m"): {
        "bonus_weight": 10.0,
        "bonus_forward": 0.1,
        "bonus_inverse": 0.5,
        "bonus_features": 16,
    },
    ("icm", "craftax-1b"): {
        "bonus_weight": 1.0,
        "bonus_forward": 1.0,
        "bonus_inverse": 1.0,
        "bonus_features": 32,
    },
    ("e3b", "craftax-1m"): {
        "bonus_weight": 0.01,
        "bonus_ridge": 0.5,
        "bonus_inverse": 0.5,
        "bonus_features": 16,
    },
    ("e3b", "craftax-1b"): {
        "bonus_weight": 0.001,
        "bonus_ridge": 0.1,
        "bonus_inverse": 1.0,
        "bonus_features": 32,
    },
}


def settings(preset: str, algorithm: str) -> Settings:
    """Returns the options of an algorithm in a published experiment."""
    both = BOTH.get((algorithm, preset), {})
    return {**CRAFTAX, **BUDGETS[preset], **ALGORITHMS[algorithm], **both}

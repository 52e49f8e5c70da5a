"""Crafter: an open-world survival benchmark for reinforcement learning.

Importing the package registers `CrafterReward-v1` and `CrafterNoReward-v1` with
Gymnasium, and with the old `gym` if that is installed; `CrafterText-v1`, the game in
words; `CrafterTask-v1`, the game with a goal; `CrafterMultiTask-v1`, with another goal
in every episode; and `Craftax-Symbolic-v1` and `Craftax-Pixels-v1`, the larger game.
"""

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

import gymnasium

from crafter.core import aliases
from crafter.games.crafter import constants
from crafter.games.crafter.env import Env
from crafter.games.crafter.rules import Rules, RulesError
from crafter.games.crafter.snapshot import Snapshot
from crafter.recorder import (
    EpisodeRecorder,
    Recorder,
    StatsRecorder,
    VideoRecorder,
    load_episode,
    load_game,
    load_start,
)

if TYPE_CHECKING:
    from crafter.recording.vector import VectorStatsRecorder

__version__ = "2.0.0"

__all__ = [
    "Env",
    "EpisodeRecorder",
    "Recorder",
    "Rules",
    "RulesError",
    "Snapshot",
    "StatsRecorder",
    "VectorStatsRecorder",
    "VideoRecorder",
    "constants",
    "load_episode",
    "load_game",
    "load_start",
]


# Published names of modules, loaded when they are asked for.
_MODULES = ("engine", "env", "legacy", "objects", "worldgen")
# Modules that pickled environments name, which were made before these modules moved.
_PICKLED = "chunks creatures game player rules settings snapshot views"
_PICKLED_CORE = "events ruleset stream"
aliases.install(
    {
        "crafter.batch": "crafter.games.crafter",
        "crafter.craftax": "crafter.games.craftax",
        "crafter.legacy": "crafter.games.crafter.legacy",
        "crafter.lm.craftaxlm": "crafter.games.craftax.text.craftaxlm",
        **{f"crafter.{n}": f"crafter.games.crafter.{n}" for n in _PICKLED.split()},
        **{f"crafter.{n}": f"crafter.core.{n}" for n in _PICKLED_CORE.split()},
        "crafter.game_env": "crafter.core.env",
    }
)


def __getattr__(name: str) -> Any:
    """Imports modules under their published names, and optional parts, when used."""
    if name in _MODULES:
        return importlib.import_module(f"crafter.{name}")
    if name == "VectorStatsRecorder":
        return importlib.import_module("crafter.recording.vector").VectorStatsRecorder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# The step limit is the environment's own `length`, so none is registered here. The
# passive checker is for authors of environments; the tests run it, users need not pay.
for _name, _reward in [("CrafterReward-v1", True), ("CrafterNoReward-v1", False)]:
    gymnasium.register(
        id=_name,
        entry_point="crafter.env:Env",
        vector_entry_point="crafter.games.crafter.cpu.env:VectorEnv",
        kwargs={"reward": _reward},
        disable_env_checker=True,
    )

gymnasium.register(
    id="CrafterText-v1",
    entry_point="crafter.lm.play.gym_env:TextEnv",
    disable_env_checker=True,
)

gymnasium.register(
    id="CrafterTask-v1",
    entry_point="crafter.tasks.envs:TaskEnv",
    vector_entry_point="crafter.tasks.batched.env:TaskVectorEnv",
    disable_env_checker=True,
)
gymnasium.register(
    id="CrafterMultiTask-v1",
    entry_point="crafter.tasks.multi:MultiTaskEnv",
    disable_env_checker=True,
)

# The larger game is imported when it is made.
for _name, _observation in [
    ("Craftax-Symbolic-v1", "symbolic"),
    ("Craftax-Pixels-v1", "pixels"),
]:
    gymnasium.register(
        id=_name,
        entry_point="crafter.craftax.env:Env",
        kwargs={"observation": _observation},
        disable_env_checker=True,
    )

# Agents written for the published package look the ids up in the old gym.
if "gym" in sys.modules or importlib.util.find_spec("gym"):
    importlib.import_module("crafter.games.crafter.legacy")

"""Crafter: an open-world survival benchmark for reinforcement learning.

Importing the package registers `CrafterReward-v1` and `CrafterNoReward-v1` with
Gymnasium, and with the old `gym` if that is installed; `CrafterText-v1`, with text
observations; `CrafterTask-v1`, with a goal; `CrafterMultiTask-v1`, with another goal in
every episode; and `Craftax-Symbolic-v1` and `Craftax-Pixels-v1`, the larger game.
"""

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

import gymnasium

from crafter.core import aliases
from crafter.core.agents import agent_names, load_agent
from crafter.core.decisions import CollapseSleep
from crafter.core.flat_info import FlatInfo
from crafter.core.version import __version__ as __version__
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

__all__ = [
    "CollapseSleep",
    "Env",
    "EpisodeRecorder",
    "FlatInfo",
    "Recorder",
    "Rules",
    "RulesError",
    "Snapshot",
    "StatsRecorder",
    "VectorStatsRecorder",
    "VideoRecorder",
    "agent_names",
    "constants",
    "load_agent",
    "load_episode",
    "load_game",
    "load_start",
]


# Published names of modules, loaded on first use.
_MODULES = ("engine", "env", "legacy", "objects", "worldgen")
# Modules named in pickles of environments made before these modules moved.
_PICKLED = "chunks creatures game player rules settings snapshot views"
_PICKLED_CORE = "events ruleset stream"
# Names of the craftaxlm module, which spans two folders of four modules there.
_CRAFTAXLM = "crafter.games.craftax.text.craftaxlm"
_MODULES_THERE = ".aci", ".env", ".metadata", ".state", ""
_FOLDERS = [f"{n}{m}" for n in (".classic", ".full") for m in _MODULES_THERE] + [""]
_ALIASES = aliases.AliasFinder(
    {
        "crafter.batch": "crafter.games.crafter",
        "crafter.craftax": "crafter.games.craftax",
        "crafter.legacy": "crafter.games.crafter.legacy",
        **{f"crafter.lm.craftaxlm{n}": _CRAFTAXLM for n in _FOLDERS},
        **{f"crafter.{n}": f"crafter.games.crafter.{n}" for n in _PICKLED.split()},
        **{f"crafter.{n}": f"crafter.core.{n}" for n in _PICKLED_CORE.split()},
        "crafter.game_env": "crafter.core.env",
    }
)
sys.meta_path.insert(0, _ALIASES)


def __getattr__(name: str) -> Any:
    """Imports optional parts, and modules under their published names, on first use."""
    if name in _MODULES:
        return importlib.import_module(f"crafter.{name}")
    if name == "VectorStatsRecorder":
        return importlib.import_module("crafter.recording.vector").VectorStatsRecorder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Id -> entry point, its arguments, and entry point for batches. The step limit is the
# environment's own `length`, so none is registered here. Modules are imported on first
# use.
_CRAFTER = "crafter.env:Env"
_BATCH = "crafter.games.crafter.cpu.env:VectorEnv"
_CRAFTAX = "crafter.craftax.env:Env"
_CRAFTAX_BATCH = "crafter.games.craftax.cpu.env:VectorEnv"
_IDS: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "CrafterReward-v1": (_CRAFTER, {"reward": True}, _BATCH),
    "CrafterNoReward-v1": (_CRAFTER, {"reward": False}, _BATCH),
    "CrafterText-v1": ("crafter.lm.play.gym_env:TextEnv", {}, None),
    "CrafterTask-v1": (
        "crafter.tasks.env.single:TaskEnv",
        {},
        "crafter.games.crafter.tasks.batched.env:TaskVectorEnv",
    ),
    "CraftaxTask-v1": ("crafter.tasks.env.single:TaskEnv", {"game": "craftax"}, None),
    "CrafterMultiTask-v1": ("crafter.tasks.episodes.multi:MultiTaskEnv", {}, None),
    "Craftax-Symbolic-v1": (_CRAFTAX, {"observation": "symbolic"}, _CRAFTAX_BATCH),
    "Craftax-Pixels-v1": (_CRAFTAX, {"observation": "pixels"}, _CRAFTAX_BATCH),
}
for _name, (_entry, _arguments, _vector) in _IDS.items():
    gymnasium.register(
        id=_name,
        entry_point=_entry,
        vector_entry_point=_vector,
        kwargs=_arguments,
        disable_env_checker=True,  # meant for authors; the tests run it
    )

# Agents written for the published package look up ids in the old gym.
if "gym" in sys.modules or importlib.util.find_spec("gym"):
    importlib.import_module("crafter.games.crafter.legacy")

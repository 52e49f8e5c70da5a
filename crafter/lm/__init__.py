"""Text interface for language models.

`CrafterACI` renders a game as text, JSON, ASCII map and picture, and parses actions
from model output. `rendering` renders observations and rules, `parsing` parses actions,
`play` connects the two, `agents` contains agents, `runs` evaluates agents by protocols,
with logs and scores, and `game_host` and `mcp` serve games to other programs. `game`
defines what a game must provide.
`craftaxlm` provides the names of that package.
"""

import importlib
from typing import Any

from crafter.lm.game import rules, tutorial
from crafter.lm.parsing.parse import ParseError, ParseResult, parse
from crafter.lm.play import stops
from crafter.lm.play.aci import CrafterACI, Turn, UndoError
from crafter.lm.play.record import EpisodeRecorder
from crafter.lm.rendering.observation import Observation

__all__ = [
    "CrafterACI",
    "EpisodeRecorder",
    "Observation",
    "ParseError",
    "ParseResult",
    "Turn",
    "UndoError",
    "parse",
    "rules",
    "stops",
    "tutorial",
    # Published names of craftaxlm, from the module of that name.
    "CRAFTAX_CLASSIC_ACHIEVEMENTS",
    "CRAFTAX_CLASSIC_ACTION_MAPPING",
    "CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES",
    "CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS",
    "CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS",
    "CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS",
    "CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS",
    "CRAFTAX_FULL_ACHIEVEMENTS",
    "CRAFTAX_FULL_ACTION_MAPPING",
    "CraftaxACI",
    "CraftaxBaseACI",
    "CraftaxClassicACI",
    "CraftaxState",
    "from_title",
    "make_craftax_env_from_name",
    "mob_id_to_name",
    "render_craftax_text_custom",
    "to_title",
]


def __getattr__(name: str) -> Any:
    """Imports the names of craftaxlm on first use."""
    if name in __all__:
        return getattr(importlib.import_module(f"{__name__}.craftaxlm"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

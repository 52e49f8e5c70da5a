"""Crafter for language models.

`CrafterACI` tells the game as text, JSON, ASCII map and picture, and reads actions from
what a model writes. `runner` plays protocols with agents, `scores` has the scores, and
`mcp` serves games to any client. `CraftaxClassicACI` and its companions stand in for
the names of craftaxlm.
"""

from crafter.lm.hear.parse import ParseError, ParseResult, parse
from crafter.lm.play.aci import CrafterACI, Turn
from crafter.lm.play.compat import (
    CRAFTAX_CLASSIC_ACHIEVEMENTS,
    CRAFTAX_CLASSIC_ACTION_MAPPING,
    CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS,
    CraftaxBaseACI,
    CraftaxClassicACI,
    CraftaxState,
    from_title,
    make_craftax_env_from_name,
    to_title,
)
from crafter.lm.play.controls import rules
from crafter.lm.play.record import EpisodeRecorder
from crafter.lm.play.undo import UndoError
from crafter.lm.tell.observation import Observation
from crafter.lm.tell.tutorial import tutorial

__all__ = [
    "CRAFTAX_CLASSIC_ACHIEVEMENTS",
    "CRAFTAX_CLASSIC_ACTION_MAPPING",
    "CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES",
    "CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS",
    "CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS",
    "CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS",
    "CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS",
    "CraftaxBaseACI",
    "CraftaxClassicACI",
    "CraftaxState",
    "CrafterACI",
    "EpisodeRecorder",
    "Observation",
    "ParseError",
    "ParseResult",
    "Turn",
    "UndoError",
    "from_title",
    "make_craftax_env_from_name",
    "parse",
    "rules",
    "to_title",
    "tutorial",
]

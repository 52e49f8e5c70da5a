"""Crafter and Craftax for language models.

`CrafterACI` tells the game as text, JSON, ASCII map and picture, and reads actions from
what a model writes. The rooms: `tell` makes words of the game, `hear` actions of words,
`play` joins them, `agents` play, `runs` plays protocols with logs and scores, `serve`
offers games to other programs, and `craftaxlm` has the names of that package.
"""

from crafter.games.craftax.text.craftaxlm import (
    CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS,
    CRAFTAX_FULL_ACHIEVEMENTS,
    CRAFTAX_FULL_ACTION_MAPPING,
    CraftaxACI,
    CraftaxBaseACI,
    CraftaxClassicACI,
    CraftaxState,
    make_craftax_env_from_name,
    mob_id_to_name,
    render_craftax_text_custom,
)
from crafter.games.craftax.text.craftaxlm.classic.metadata import (
    CRAFTAX_CLASSIC_ACHIEVEMENTS,
    CRAFTAX_CLASSIC_ACTION_MAPPING,
)
from crafter.games.craftax.text.craftaxlm.titles import from_title, to_title
from crafter.lm.parsing.parse import ParseError, ParseResult, parse
from crafter.lm.play import stops
from crafter.lm.play.aci import CrafterACI, Turn
from crafter.lm.play.controls import rules, tutorial
from crafter.lm.play.record import EpisodeRecorder
from crafter.lm.play.undo import UndoError
from crafter.lm.rendering.observation import Observation

__all__ = [
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
    "CrafterACI",
    "EpisodeRecorder",
    "Observation",
    "ParseError",
    "ParseResult",
    "Turn",
    "UndoError",
    "from_title",
    "make_craftax_env_from_name",
    "mob_id_to_name",
    "parse",
    "render_craftax_text_custom",
    "rules",
    "stops",
    "to_title",
    "tutorial",
]

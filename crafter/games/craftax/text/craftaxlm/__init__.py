"""The names of craftaxlm, in the modules where scripts look for them.

A script changes its import, `craftaxlm` to `crafter.lm.craftaxlm`, and runs; what
behaves differently, and why, is on the page about language models. Its folders
`classic` and `full` are second names of this one. `CraftaxACI` plays the larger game,
which craftaxlm names but could not play.

Source: the interface of craftaxlm 0.0.22 to 0.0.37.
"""

from crafter.games.craftax.text.craftaxlm.aci import (
    CraftaxACI,
    CraftaxBaseACI,
    CraftaxClassicACI,
)
from crafter.games.craftax.text.craftaxlm.env import make_craftax_env_from_name
from crafter.games.craftax.text.craftaxlm.metadata import (
    CRAFTAX_CLASSIC_ACHIEVEMENTS,
    CRAFTAX_CLASSIC_ACTION_MAPPING,
    CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS,
    CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS,
    CRAFTAX_FULL_ACHIEVEMENTS,
    CRAFTAX_FULL_ACTION_MAPPING,
    from_title,
    mob_id_to_name,
    to_title,
)
from crafter.games.craftax.text.craftaxlm.state import (
    CraftaxState,
    render_craftax_text_custom,
)
from crafter.lm.play.record import EpisodeRecorder

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
    "EpisodeRecorder",
    "from_title",
    "make_craftax_env_from_name",
    "mob_id_to_name",
    "render_craftax_text_custom",
    "to_title",
]

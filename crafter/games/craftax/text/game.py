"""The text part of Craftax."""

from __future__ import annotations

from typing import Any

from crafter.games.craftax import sprites, tables
from crafter.games.craftax.env import Env
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.text.book import book_of
from crafter.games.craftax.text.perception import CraftaxPerception
from crafter.games.craftax.text.rules_text import CraftaxWriter
from crafter.lm.agents.base import Briefing, Policy
from crafter.lm.game import TextGame


def _load(rules: Any = None) -> Tables:
    if isinstance(rules, Tables):
        return rules
    return tables.load("published" if rules is None else rules)


def _scripted(briefing: Briefing) -> Policy:
    # Imported when it plays: the player stands above these texts.
    from crafter.games.craftax.players.scripted import CraftaxPlayer

    tables, seed, steps = briefing.words.rules, briefing.seed, briefing.max_actions
    return CraftaxPlayer(tables, seed, steps, briefing.max_batch, briefing.macros)


GAME = TextGame(
    name="craftax",
    load=_load,
    restore=lambda data: Tables(Rules(data)),
    make_env=lambda seed, rules: Env(seed=seed, events=True, rules=rules.rules),
    book=book_of,
    perception=CraftaxPerception,
    writer=CraftaxWriter,
    cells=lambda env: sprites.frame_cells(env.tables),
    score="craftax",
    scripted=_scripted,
)

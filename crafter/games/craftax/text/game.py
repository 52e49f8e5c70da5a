"""Text adapter of Craftax."""

from __future__ import annotations

from crafter.games.craftax import tables
from crafter.games.craftax.env import Env
from crafter.games.craftax.players.scripted import CraftaxPlayer
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.tasks.solver import Solver
from crafter.games.craftax.text.perception import CraftaxPerception
from crafter.games.craftax.text.words import CraftaxWriter, words_of
from crafter.lm.game import TextGame

GAME = TextGame(
    name="craftax",
    load=tables.load,
    restore=lambda data: Tables(Rules(data)),
    make_env=lambda seed, rules: Env(seed=seed, events=True, rules=rules),
    make_words=words_of,
    perception=CraftaxPerception,
    writer=CraftaxWriter,
    score="craftax",
    scripted=CraftaxPlayer,
    planner=lambda goal, attempt: Solver(attempt.monitor, attempt.view),
)

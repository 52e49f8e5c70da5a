"""The text part of Crafter."""

from __future__ import annotations

from crafter.games.crafter.env import Env
from crafter.games.crafter.planner import Planner
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.rules import Rules, load
from crafter.games.crafter.text.book import book_of
from crafter.games.crafter.text.perception import CrafterPerception
from crafter.games.crafter.text.rules_text import CrafterWriter
from crafter.lm.game import TextGame

GAME = TextGame(
    name="crafter",
    load=load,
    restore=Rules,
    make_env=lambda seed, rules: Env(seed=seed, events=True, rules=rules),
    book=book_of,
    perception=CrafterPerception,
    writer=CrafterWriter,
    cells=lambda env: env.view,
    score="craftaxlm",
    scripted=ScriptedPlayer,
    planner=lambda goal, attempt: Planner(goal, attempt.monitor, attempt.view),
)

"""The text part of Crafter."""

from __future__ import annotations

from crafter.games.crafter.env import Env
from crafter.games.crafter.planner import Planner
from crafter.games.crafter.players.scripted import ScriptedPlayer
from crafter.games.crafter.rules import Rules, load
from crafter.games.crafter.text.perception import CrafterPerception
from crafter.games.crafter.text.words import CrafterWriter, words_of
from crafter.lm.game import TextGame

GAME = TextGame(
    name="crafter",
    load=load,
    restore=Rules,
    make_env=lambda seed, rules: Env(seed=seed, events=True, rules=rules),
    make_words=words_of,
    perception=CrafterPerception,
    writer=CrafterWriter,
    score="craftaxlm",
    scripted=ScriptedPlayer,
    planner=lambda goal, attempt: Planner(goal, attempt.monitor, attempt.view),
)

"""What the text interface has to know of Crafter."""

from __future__ import annotations

from typing import Any

import crafter
from crafter.core.ruleset import thaw
from crafter.games.crafter.rules import Rules, default, load
from crafter.lm.play.game import Game
from crafter.lm.rendering.hints import available
from crafter.lm.rendering.perceive import CrafterEye
from crafter.lm.rendering.rules_text import rules_text
from crafter.lm.rendering.tutorial import route
from crafter.lm.rendering.words import words_of


def _data(rules: Rules) -> Any:
    return None if rules == default() else thaw(rules.data)


def _make_env(seed: int, rules: Rules) -> crafter.Env:
    return crafter.Env(seed=seed, events=True, rules=rules)


GAME = Game(
    name="crafter",
    title="Crafter",
    env_class=crafter.Env,
    load=load,
    data=_data,
    restore=Rules,
    make_env=_make_env,
    rules_of=lambda env: env.rules,
    words=words_of,
    eye=CrafterEye,
    hints=available,
    rules_text=rules_text,
    tutorial=route,
    cells=lambda env: env.view,
    length=lambda env: env.length,
    score="craftaxlm",
)

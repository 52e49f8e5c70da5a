"""What the text interface has to know of Craftax."""

from __future__ import annotations

import functools
from typing import Any

import yaml

from crafter.games.craftax import sprites, tables
from crafter.games.craftax.env import Env
from crafter.games.craftax.tables import Tables
from crafter.games.craftax.text import published_text
from crafter.games.craftax.text.book import book_of
from crafter.games.craftax.text.hints import available
from crafter.games.craftax.text.perception import CraftaxEye
from crafter.games.craftax.text.rules_text import rules_text
from crafter.games.craftax.text.tutorial import route
from crafter.lm.play.game import Game
from crafter.lm.rendering.words import Words


def _load(rules: Any = None) -> Tables:
    if isinstance(rules, Tables):
        return rules
    return tables.load("published" if rules is None else rules)


def _data(rules: Tables) -> Any:
    # As text, since some keys are numbers, which JSON has not.
    published = rules.digest == tables.load().digest
    return None if published else yaml.safe_dump(rules.data, sort_keys=False)


def _restore(told: Any) -> Tables:
    """Returns the rules that `_data` told.

    Raises:
      ValueError: If it is something else.
    """
    try:
        return _load(yaml.safe_load(str(told)))
    except yaml.YAMLError as error:
        raise ValueError(f"Not the rules of Craftax: {error}") from None


def _make_env(seed: int, rules: Tables) -> Env:
    published = _data(rules) is None
    chosen = "published" if published else rules.data
    return Env(seed=seed, events=True, rules=chosen)


@functools.lru_cache(maxsize=16)
def _words(rules: Tables) -> Words:
    return Words(book_of(rules))


GAME = Game(
    name="craftax",
    title="Craftax",
    env_class=Env,
    load=_load,
    data=_data,
    restore=_restore,
    make_env=_make_env,
    rules_of=lambda env: env.tables,
    words=_words,
    eye=CraftaxEye,
    hints=available,
    rules_text=rules_text,
    tutorial=route,
    cells=lambda env: sprites.frame_cells(env.tables),
    length=lambda env: env.parameters.max_timesteps,
    score="craftax",
    published=lambda env: published_text.render(env.player, env.observer),
)

"""Vocabulary of a game under its rules, for texts and parser."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import pathlib
import string
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import yaml

from crafter.core.phrases import amounts, listed, one
from crafter.lm.rendering.facts import EDGE, OUTSIDE, UNCLEAR

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA = pathlib.Path(__file__).parents[1] / "data"


@functools.cache
def load(name: str, folder: pathlib.Path = DATA) -> dict[str, Any]:
    """Returns the content of a YAML file of words, which must not be changed.

    Args:
      name: The file, without the ending.
      folder: Where it is; by default where those of the interface are.
    """
    text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)


INTERFACE = load("interface")
#: Largest numbers: of repetitions, of actions in a call, of steps of a macro.
LIMITS: dict[str, int] = INTERFACE["limits"]


class Recipe(NamedTuple):
    """Costs and conditions of an action that places or makes something.

    Attributes:
      uses: Item -> amount that is used up.
      near: Stations that must be near.
      where: Materials on which it can be placed.
      gives: Item -> amount that is made, where it is more than one.
    """

    uses: Mapping[str, int]
    near: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    gives: Mapping[str, int] = {}


class Source(NamedTuple):
    """What `do` gets from a material.

    Attributes:
      gives: Item or vital -> amount.
      needs: Tools that are needed.
      chance: Probability of success.
      leaves: Material that remains, or `None` for the same.
    """

    gives: Mapping[str, int]
    needs: tuple[str, ...] = ()
    chance: float = 1.0
    leaves: str | None = None


@dataclasses.dataclass(eq=False)
class Words:
    """Rules of a game with the words for them, for texts and parser.

    The words come from the YAML files of the game; lists of things are completed from
    the rules. What has no words is called by its name in the rules, with blanks for
    underscores.

    Attributes:
      folder: Where its words are: `words.yaml`, `rules.yaml`, `synonyms.yaml`.
      rules: The rules themselves, as the environment has them.
      actions: Names of the actions, by index.
      moves: Direction -> action that goes there.
      achievements: Names, in table order.
      recipes: Action -> what it takes, if it places or makes something.
      sources: Material -> what is got from it.
      plantable: Materials on which plants and blocks can be placed.
      vitals: Items that measure the body.
      tools: Items that are made and kept.
      groups: Name -> items that are told together; the tools are added.
      ores: Materials worth finding.
      stations: Materials that crafting needs nearby.
      creatures: Kind that can be hit -> its health when it appears.
      materials: All materials of the map.
      kinds: All kinds of objects on it, the player not included.
      walkable: Materials on which one can walk safely.
      deadly: Materials that kill who walks into them.
      symbols: Name -> character of hand-made maps.
      reach: Cells within which a station is near.
      rewards: Reward for each achievement.
      tiers: Name -> achievements of one difficulty, where the game has that.
      time: The section `time` of the rules, as `crafter.core.clock` takes it.
      lives: Those of the vitals that are a danger when they are low.
      grouped: The vitals, and the items of all groups.
      dangers: Kinds that hurt.
      background: Materials that are told only where the player is or looks.

    Example:
      >>> from crafter.lm import game
      >>> words = game.find("crafter").words()
      >>> words.with_article("arrow"), words.with_article("grass")
      ('an arrow', 'grass')
      >>> words.with_article("outside"), words.name("gold_ore")
      ('the edge of the world', 'gold ore')
    """

    folder: pathlib.Path
    rules: Any
    actions: tuple[str, ...]
    moves: Mapping[str, str]
    achievements: tuple[str, ...]
    recipes: Mapping[str, Recipe]
    sources: Mapping[str, Source]
    plantable: tuple[str, ...]
    vitals: tuple[str, ...]
    tools: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    ores: tuple[str, ...]
    stations: tuple[str, ...]
    creatures: Mapping[str, float]
    materials: tuple[str, ...]
    kinds: tuple[str, ...]
    walkable: frozenset[str]
    deadly: frozenset[str]
    symbols: Mapping[str, str]
    reach: int
    rewards: tuple[float, ...]
    tiers: Mapping[str, tuple[str, ...]]
    time: Mapping[str, Any]

    def __post_init__(self) -> None:
        table = self._table = load("words", self.folder)
        self.lives = tuple(v for v in self.vitals if v not in table.get("spent", ()))
        self.groups = {"tools": self.tools, **self.groups}
        together = itertools.chain(self.vitals, *self.groups.values())
        self.grouped = frozenset(together)
        self.dangers = frozenset(table["dangers"])
        self.background = frozenset(table["background"])
        self._ranks = {name: rank for rank, name in enumerate(table["order"])}
        self._countable = frozenset(table["countable"])
        self._names: dict[str, str] = table.get("names", {})
        self._glyphs = {name: self._make_glyphs(name) for name in table["glyphs"]}

    def __getitem__(self, section: str) -> Any:
        """Returns a section of the game's words or of those of the interface."""
        return self._table[section] if section in self._table else INTERFACE[section]

    def more(self, name: str) -> dict[str, Any]:
        """Returns another file of the game's words, such as `synonyms`."""
        return load(name, self.folder)

    # Recipes.

    def uses(self, action: str) -> Mapping[str, int]:
        """Returns the items that an action uses up."""
        return self.recipes.get(action, Recipe({})).uses

    def total_uses(self, actions: Iterable[str]) -> dict[str, int]:
        """Returns the items that some actions use up together."""
        used = map(collections.Counter, map(self.uses, actions))
        return dict(sum(used, collections.Counter()))

    # Names.

    def amounts(self, needs: Mapping[str, int]) -> str:
        """Returns items with their amounts."""
        names = self._table.get("singular", {})
        return amounts({names.get(i, i) if n == 1 else i: n for i, n in needs.items()})

    @property
    def needs(self) -> dict[str, str]:
        """Action -> what it needs, of those that need something.

        Example:
          >>> from crafter.lm import game
          >>> game.find("crafter").words().needs["make_iron_sword"]
          '1 wood, 1 coal and 1 iron, near a table and a furnace'
        """
        return self.needs_where("near {stations}")

    def needs_where(self, near: str) -> dict[str, str]:
        """Returns `needs` with other words for where: a template with `stations`."""
        told = {action: self._needs(action, near) for action in self.actions}
        return {action: text for action, text in told.items() if text}

    def _needs(self, action: str, template: str) -> str:
        recipe = self.recipes.get(action, Recipe({}))
        near = listed([self.with_article(name) for name in recipe.near])
        told = [self.amounts(recipe.uses) if recipe.uses else ""]
        near = near and template.format(stations=near, reach=self.reach)
        told += [near, self["needs"].get(action, "")]
        return ", ".join(filter(None, told))

    def name(self, name: str) -> str:
        """Returns what a material or an object is called."""
        return self._names.get(name) or name.replace("_", " ")

    def with_article(self, name: str) -> str:
        """Returns a noun with its article, or alone if it has none."""
        if name in (OUTSIDE, "edge"):
            return f"the {EDGE}"
        noun = self.name(name)
        return one(noun) if noun in self._countable else noun

    def cause(self, by: str) -> str:
        """Returns how something hurt the player, as a sentence."""
        causes: dict[str, str] = self["causes"]
        other = causes.get("other", f"{self.name(by)} hurts you")
        return causes.get(by) or other.format(by=self.with_article(by))

    def ending(self, reason: str | None) -> str:
        """Returns why a game is over."""
        return str(self["reasons"].get(reason, reason))

    def rank(self, name: str) -> float:
        """Returns the place of a name in lists of what is seen."""
        return self._ranks.get(name, self._ranks[UNCLEAR] - 0.5)

    # Glyphs.

    def glyphs(self, name: str = "crafter") -> dict[str, str]:
        """Returns a set of map characters.

        Args:
          name: `crafter` (the symbols of hand-made maps and more), or another set of
            the game, such as `craftaxlm`.

        Returns:
          Name -> character; directions are written `arrow left` and `player left`.

        Raises:
          ValueError: If there is no such set.

        Example:
          >>> from crafter.lm import game
          >>> words = game.find("crafter").words()
          >>> glyphs = words.glyphs()
          >>> glyphs["tree"], glyphs["player up"], words.glyphs("craftaxlm")["cow"]
          ('T', '^', 'c')
        """
        if name not in self._glyphs:
            raise ValueError(f"glyphs must be one of {[*self._glyphs]}, got {name!r}.")
        return self._glyphs[name]

    def _make_glyphs(self, name: str) -> dict[str, str]:
        table = dict(self["glyphs"][name])
        if name == "crafter":
            table = {**self.symbols, **table}
        turning = [kind for kind, char in table.items() if isinstance(char, dict)]
        for kind in sorted(turning, key="player".__ne__):
            for direction, char in table.pop(kind).items():
                table[f"{kind} {direction}"] = char
        for missing in [*self.materials, *self.kinds]:
            if missing not in table and f"{missing} left" not in table:
                table[missing] = _free_glyph(missing, set(table.values()))
        return table


def _free_glyph(name: str, used: set[str]) -> str:
    """Returns a character that is not used yet: of the name, if possible."""
    wanted = name.lower() + name.upper() + string.ascii_letters + string.digits
    more = map(chr, itertools.count(0xC0))  # letters of other languages
    letters = (c for c in itertools.chain(wanted, more) if c.isalnum())
    return next(char for char in letters if char not in used)

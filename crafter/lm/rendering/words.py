"""Vocabulary of a game under its rules, for rendering and parsing."""

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
    """Returns the content of a YAML file of words; do not modify it.

    Args:
      name: The file name without suffix.
      folder: Its folder; by default the interface's own.
    """
    text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)


INTERFACE = load("interface")
#: Maximum repetitions, actions per call, and steps per macro.
LIMITS: dict[str, int] = INTERFACE["limits"]


class Recipe(NamedTuple):
    """Costs and conditions of an action that places or crafts something.

    Attributes:
      uses: Item -> amount consumed.
      near: Stations required nearby.
      where: Materials on which it can be placed.
      gives: Item -> amount produced, if more than one.
    """

    uses: Mapping[str, int]
    near: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    gives: Mapping[str, int] = {}


class Source(NamedTuple):
    """What `do` collects from a material.

    Attributes:
      gives: Item or vital -> amount.
      needs: Required tools.
      chance: Probability of success.
      leaves: Material left behind, or `None` if unchanged.
    """

    gives: Mapping[str, int]
    needs: tuple[str, ...] = ()
    chance: float = 1.0
    leaves: str | None = None


@dataclasses.dataclass(eq=False)
class Words:
    """Vocabulary of a game under its rules, for rendering and parsing.

    Words come from the game's YAML files; lists of things are completed from the rules.
    Things without words are called by their name in the rules, with spaces for
    underscores.

    Attributes:
      folder: Folder of `words.yaml`, `rules.yaml` and `synonyms.yaml`.
      rules: The rules of the environment.
      actions: Action names, by index.
      moves: Direction -> action that moves there.
      achievements: Achievement names, in table order.
      recipes: Placing or crafting action -> its recipe.
      sources: Material -> what can be collected from it.
      plantable: Materials on which plants and blocks can be placed.
      vitals: Items that measure the body's condition.
      tools: Crafted items that are kept.
      groups: Name -> items listed together; tools are added.
      ores: Materials worth finding.
      stations: Materials required nearby for crafting.
      creatures: Kind that can be hit -> its initial health.
      materials: All materials of the map.
      kinds: All kinds of objects on the map, without the player.
      walkable: Materials that are safe to walk on.
      deadly: Materials that kill the player on entering.
      symbols: Name -> character in hand-made maps.
      reach: Distance at which a station counts as nearby, in cells.
      rewards: Reward for each achievement.
      tiers: Name -> achievements of a difficulty, if the game has tiers.
      time: The section `time` of the rules, as taken by `crafter.core.clock`.
      lives: Vitals that are dangerous when low.
      grouped: The vitals, and the items of all groups.
      dangers: Kinds that do damage.
      background: Materials shown only where the player stands or looks.

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
        """Returns a section of the words of the game or the interface."""
        return self._table[section] if section in self._table else INTERFACE[section]

    def more(self, name: str) -> dict[str, Any]:
        """Returns another file of the game's words, such as `synonyms`."""
        return load(name, self.folder)

    # Recipes.

    def uses(self, action: str) -> Mapping[str, int]:
        """Returns the items consumed by an action."""
        return self.recipes.get(action, Recipe({})).uses

    def total_uses(self, actions: Iterable[str]) -> dict[str, int]:
        """Returns the items consumed by several actions together."""
        used = map(collections.Counter, map(self.uses, actions))
        return dict(sum(used, collections.Counter()))

    # Names.

    def amounts(self, needs: Mapping[str, int]) -> str:
        """Returns items with their amounts."""
        names = self._table.get("singular", {})
        return amounts({names.get(i, i) if n == 1 else i: n for i, n in needs.items()})

    @property
    def needs(self) -> dict[str, str]:
        """Action -> its requirements as text; omitted if none.

        Example:
          >>> from crafter.lm import game
          >>> game.find("crafter").words().needs["make_iron_sword"]
          '1 wood, 1 coal and 1 iron, near a table and a furnace'
        """
        return self.needs_where("near {stations}")

    def needs_where(self, near: str) -> dict[str, str]:
        """Returns `needs` with another template for the place, with `stations`."""
        texts = {action: self._needs(action, near) for action in self.actions}
        return {action: text for action, text in texts.items() if text}

    def _needs(self, action: str, template: str) -> str:
        recipe = self.recipes.get(action, Recipe({}))
        near = listed([self.with_article(name) for name in recipe.near])
        parts = [self.amounts(recipe.uses) if recipe.uses else ""]
        near = near and template.format(stations=near, reach=self.reach)
        parts += [near, self["needs"].get(action, "")]
        return ", ".join(filter(None, parts))

    def name(self, name: str) -> str:
        """Returns the display name of a material or an object."""
        return self._names.get(name) or name.replace("_", " ")

    def with_article(self, name: str) -> str:
        """Returns a noun with its article, if it takes one."""
        if name in (OUTSIDE, "edge"):
            return f"the {EDGE}"
        noun = self.name(name)
        return one(noun) if noun in self._countable else noun

    def cause(self, by: str) -> str:
        """Returns the cause of damage as a sentence."""
        causes: dict[str, str] = self["causes"]
        other = causes.get("other", f"{self.name(by)} hurts you")
        return causes.get(by) or other.format(by=self.with_article(by))

    def ending(self, reason: str | None) -> str:
        """Returns the reason for the end of a game as a sentence."""
        return str(self["reasons"].get(reason, reason))

    def rank(self, name: str) -> float:
        """Returns the sort key of a name in lists of things in view."""
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
    """Returns an unused character, from the name if possible."""
    wanted = name.lower() + name.upper() + string.ascii_letters + string.digits
    more = map(chr, itertools.count(0xC0))  # accented and other letters
    letters = (c for c in itertools.chain(wanted, more) if c.isalnum())
    return next(char for char in letters if char not in used)

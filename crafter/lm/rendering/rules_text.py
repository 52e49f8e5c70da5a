"""Rules and tutorial of a game as text, from templates and tables.

The templates of a game are in rules.yaml and tutorial.yaml. Every number, cost and name
is a field, filled in from the rules.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.core.phrases import listed
from crafter.lm.rendering.words import Recipe, Words

#: Levels of the rules text.
LEVELS = ("full", "brief", "actions")
#: What can be withheld.
SECRETS = ("costs", "numbers", "stations", "creatures")
#: Part of a recipe -> the secret it belongs to.
_SECRET_PARTS = {"uses": "costs", "near": "stations"}


class Writer(string.Formatter):
    """Fills the templates of a game.

    A field is a template, a property of the writer, or a section of the rules, as in
    `{life[hunger][limit]}`. Lists are written as `a, b and c` (`{x:or}`: `a, b or c`;
    `{x:,}`: `a, b, c`), amounts as `1 wood and 2 coal`, generators as lines, numbers
    without sign, and `{x!c}` starts with a capital letter. While a secret is
    withheld, `NAME_without_SECRET` replaces the template `NAME`.

    Args:
      words: Vocabulary of the game under its rules.
      hide: What to withhold.
    """

    def __init__(self, words: Words, hide: frozenset[str] = frozenset()) -> None:
        self._words, self._hide = words, hide
        self._templates = words.more("rules")
        items = [n for group in words.groups.values() for n in group]
        self._raw = {*words.actions, *words.achievements, *items}
        self._data: dict[str, Any] = {
            **getattr(words.rules, "data", {}),
            "actions": words.actions,
            "achievements": words.achievements,
            "total": len(words.achievements),
            "reach": words.reach,
            "time": words.time,
        }

    def write(self, level: str) -> str:
        """Returns the rules text of a level."""
        lines = self._templates["levels"][level]
        return "\n".join(filter(None, map(self._fill, lines)))

    def _say(self, name: str, /, **fields: Any) -> str:
        """Fills in a template."""
        hidden = (f"{name}_without_{one}" for one in SECRETS if one in self._hide)
        name = next((other for other in hidden if other in self._templates), name)
        return self._fill(self._templates[name], **fields)

    def _fill(self, template: str, **fields: Any) -> str:
        return self.vformat(template, (), fields)

    # Lookup and formatting of fields.

    def get_value(
        self, key: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        """Returns the value of a field."""
        if key in kwargs:
            return kwargs[key]
        if key in self._templates:
            return self._say(key, **kwargs)
        return getattr(self, key) if hasattr(type(self), key) else self._data[key]

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """Returns the value of a field, capitalised by `!c`."""
        if conversion != "c":
            return super().convert_field(value, conversion)
        text = self.format_field(value, "")
        return text[0].upper() + text[1:]

    def format_field(self, value: Any, format_spec: str) -> str:
        """Returns the value of a field as text."""
        if isinstance(value, (int, float)):
            return super().format_field(abs(value), format_spec)
        if isinstance(value, str):
            return value
        if isinstance(value, Iterator):
            return "\n".join(value)
        named = format_spec or "numbers" in self._hide
        if isinstance(value, Mapping) and not named:
            return self._words.amounts(value)
        keys = map(str, value)
        names = [n if n in self._raw else self._words.name(n) for n in keys]
        comma = format_spec == ","
        return ", ".join(names) if comma else listed(names, format_spec or "and")

    # Text shared by all games.

    @property
    def sources(self) -> Iterator[str]:
        """Collectible resources, one per line."""
        for name in self._words.sources:
            yield f"- {self._source(name)}."

    def _source(self, name: str) -> str:
        """Returns what can be collected from a material."""
        source = self._words.sources[name]
        fields = {**source._asdict(), "source": [name], "leaves": [source.leaves]}
        left = source.leaves not in (None, name)
        fields["remains"] = self._say("remains", **fields) if left else ""
        fields["tool"] = self._say("tool", **fields) if source.needs else ""
        fields["chance"] = self._say("chance", **fields) if source.chance < 1 else ""
        kind = "gathers" if source.gives else "removes"
        for vital in source.gives.keys() & {*self._words.vitals}:
            fields |= {"vital": vital, "amount": source.gives[vital]}
            kind = "restores"
        return self._say(kind, **fields)

    @property
    def brief_sources(self) -> str:
        """Collectible resources."""
        entries = []
        for name, source in self._words.sources.items():
            if source.gives:
                items = listed([*source.gives])
                gives = "" if name in source.gives else f" for {items}"
                needs = f" (needs {listed(source.needs)})" if source.needs else ""
                entries.append(self._words.name(name) + gives + needs)
        return "; ".join(entries)

    @property
    def recipes(self) -> Iterator[str]:
        """Costs and products of actions, one per line."""
        for action, recipe in self._words.recipes.items():
            parts = "; ".join(self._parts(recipe, "recipe"))
            yield f"- {action}: {parts}." if parts else f"- {action}."

    @property
    def brief_recipes(self) -> str:
        """Costs of actions."""
        return "; ".join(
            " ".join([action, *self._parts(recipe, "brief")])
            for action, recipe in self._words.recipes.items()
        )

    def _parts(self, recipe: Recipe, style: str) -> Iterator[str]:
        for name, value in recipe._asdict().items():
            has_template = f"{style}_{name}" in self._templates
            if has_template and value and _SECRET_PARTS.get(name) not in self._hide:
                yield self._say(f"{style}_{name}", **{name: value})

    @property
    def brief_achievements(self) -> str:
        """Achievements; those of recipes abbreviated to two words."""
        names, recipes = self._words.achievements, self._words.recipes.keys()
        if recipes <= {*names}:
            names = (*(n for n in names if n not in recipes), "each recipe")
        return listed(names)

    @property
    def other_rules(self) -> str:
        """Effects of the switches applied, one per line."""
        lines = [
            row["does"] for row in self._data["switches"].values() if row["applied"]
        ]
        if "numbers" in self._hide:
            lines = [line for line in lines if not re.search(r"\d", line)]
        return "\n- ".join(["\n# Other rules", *lines]) if lines else ""

    # Descriptions of single things.

    def about(self, name: str) -> str:
        """Returns a description of a material or an object, by the rules."""
        facts = "; ".join(self._facts(name.removeprefix("ripe ")))
        is_source = name in self._words.sources
        title = self._source(name) if is_source else self._words.name(name)
        return (("; " if is_source else ": ") if facts else "").join([title, facts])

    def _facts(self, name: str) -> Iterator[str]:
        """Yields facts besides what can be collected."""
        words = self._words
        if name in words.creatures:
            yield self._say("healthy", health=words.creatures[name])
        for template in (f"{name}_does", f"{name}_takes"):
            if template in self._templates:
                yield self._say(template)
        crafts = [action for action, row in words.recipes.items() if name in row.near]
        if crafts:
            yield self._say("crafts", crafts=[a.partition("_")[2] for a in crafts])

    # The tutorial.

    def tutorial(self) -> Iterator[str]:
        """Yields the tutorial line by line."""
        text = self._words.more("tutorial")
        stages = [self._stage(stage) for stage in text["stages"]]
        yield "A good way to play:"
        for number, stage in enumerate(filter(None, stages), 1):
            yield self._fill(text[stage.pop("form")], number=number, **stage)
        crafts = {name for stage in text["stages"] for name in stage.get("crafts", ())}
        for action, recipe in self._words.recipes.items():
            if recipe.uses and action not in {*crafts, *text["upkeep_crafts"]}:
                yield self._fill(text["more"], action=action, total=recipe.uses)
        yield from map(self._fill, text["upkeep"])

    def _stage(self, stage: Mapping[str, Any]) -> dict[str, Any] | None:
        """Returns the fields of a stage; `None` if the rules lack it."""
        wanted, recipes = stage.get("crafts", []), self._words.recipes
        crafts = [name for name in wanted if name in recipes]
        try:
            texts: dict[str, Any] = {n: self._fill(stage[n]) for n in ("title", "hint")}
        except KeyError:
            return None
        if wanted and not crafts:
            return None
        form = "stage_of_crafts" if crafts else "stage"
        total = self._words.total_uses(crafts)
        return {**texts, "form": form, "crafts": crafts, "total": total}

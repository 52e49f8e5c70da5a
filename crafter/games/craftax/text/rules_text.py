"""What the rules text of Craftax says that stands in no table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crafter.games.craftax.text.book import ALIKE
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Words

_KINDS = ("physical", "fire", "ice")


class CraftaxWriter(Writer):
    """Writes the rules of Craftax; arguments as for `Writer`."""

    def __init__(self, words: Words, hide: frozenset[str] = frozenset()) -> None:
        super().__init__(words, hide)
        data = self._data
        floors, potions = data["floors"], data["potions"]["effects"]
        elements = data["enchanting"]["elements"].values()
        dungeon = data["terrain"]["floors"].items()
        tiers, chests = data["inventory"]["sword"]["tiers"], data["chest"]["first"]
        self._data |= {
            "blocks": words.book.materials,
            "colours": len(data["inventory"]["potions"]["each"]),
            "damages": {
                n: _damage(r["damage"]) for n, r in data["projectiles"].items()
            },
            "dark_floors": [name for name, row in dungeon if not row["light"]],
            "effects": [f"{n} {e:+}" for effect in potions for n, e in effect.items()],
            "elements": [
                f"a {e['gem']} at the {words.name(e['block'])}" for e in elements
            ],
            "first_chests": [
                f"{words.amounts({i: 1})} on floor {n}" for n, i in chests.items()
            ],
            "floor_count": len(floors),
            "healths": [r["health"] for r in data["creatures"]["passive"].values()],
            "items": data["items"][1:],
            "floor_names": [words.name(name) for name in floors],
            "numbered_floors": [f"{n} {name}" for n, name in enumerate(floors)],
            "sword_damages": dict(zip(tiers[1:], data["melee_damage"][1:])),
            "tier_rewards": [f"{n} {data['rewards'][n]}" for n in words.book.tiers],
        }
        player = data["player"]
        self._data["most"] = {
            name: row["base"] + row["per"] * player[row["attribute"]]
            for name, row in data["maxima"].items()
        }

    @property
    def floor_list(self) -> Iterator[str]:
        """The floors and who lives there, each on a line."""
        *floors, last = self._data["floors"].items()
        for number, (name, row) in enumerate(floors):
            chances = row["chances"].items()
            who = [row[kind] for kind, chance in chances if chance and kind in row]
            yield self._say("floor", number=number, name=[name], who=who)
        yield self._say(
            "floor", number=len(floors), name=last[:1], who=["the necromancer"]
        )

    @property
    def monsters(self) -> Iterator[str]:
        """Monsters, each on a line."""
        for kind in ("melee", "ranged"):
            for name, row in self._data["creatures"][kind].items():
                shot, parts = row.get("shoots"), zip(_KINDS, row.get("defence", ()))
                told = {
                    "name": [name],
                    "shot": ALIKE.get(shot, shot),
                    "damage": self._data["damages"][shot]
                    if shot
                    else _damage(row["damage"]),
                    "parts": [
                        f"{part:.0%} of {what} damage" for what, part in parts if part
                    ],
                }
                shields = self._say("shields", **told) if told["parts"] else ""
                yield self._say(kind, **told, health=row["health"], shields=shields)

    @property
    def other_rules(self) -> str:
        """What the switches change that are applied, each on a line."""
        told = [
            row["does"] for row in self._data["switches"].values() if row["applied"]
        ]
        if "numbers" in self._hide:
            told = [line for line in told if not re.search(r"\d", line)]
        return "\n- ".join(["\n# Other rules", *told]) if told else ""

    @property
    def tiers(self) -> Iterator[str]:
        """The achievements by difficulty, each tier on a line."""
        for tier, names in self._book.tiers.items():
            reward = self._data["rewards"][tier]
            yield self._say("tier", tier=[tier], reward=reward, names=names)


def _damage(vector: Sequence[float]) -> str:
    """Returns the parts of a damage, such as `6 + 1 fire + 1 ice`."""
    parts = (f"{n:g} {kind}" for kind, n in zip(_KINDS, vector) if n)
    return " + ".join(part.removesuffix(" physical") for part in parts)

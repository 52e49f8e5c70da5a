"""Rules text of Craftax, made from its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crafter.games.craftax.text.book import ALIKE
from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.rules_text import Writer
from crafter.lm.rendering.words import Words

_COUNTERS = ("hunger", "thirst", "fatigue")
_KINDS = ("physical", "fire", "ice")


class CraftaxWriter(Writer):
    """Writes the rules of Craftax; arguments as for `Writer`."""

    def __init__(self, words: Words, hide: frozenset[str]) -> None:
        super().__init__(words, hide)
        self._data: dict[str, Any] = words.rules.data
        self._name = words.name

    # Levels.

    def brief(self) -> Iterator[str]:
        """Yields the most important rules."""
        yield self._goal()
        yield self._say("control")
        yield self._capital(self._brief_life())
        yield self._capital(self._sentences["brief_sleep"])
        yield "Collect with do: " + "; ".join(self._brief_sources()) + "."
        yield "Recipes: " + "; ".join(self._brief_recipes()) + "."
        yield self._say(
            "brief_floors",
            floors=", ".join(f"{n} {name}" for n, name in enumerate(self._floors())),
            monsters=self._data["ladders"]["monsters"],
        )
        if "creatures" not in self._hide:
            passive = [f"{name}s" for name in self._data["creatures"]["passive"]]
            yield self._say("brief_creatures", passive=listed(passive))
        yield self._sentences["brief_dark"]
        yield self._say("brief_boss", hits=self._data["boss"]["hits"])
        yield "Achievements: " + ", ".join(self._book.achievements) + "."

    def full(self) -> Iterator[str]:
        """Yields everything."""
        yield self._goal()
        yield self._say("control")
        yield "\n# Your body"
        yield self._capital("; ".join(self._life())) + "."
        yield f"{self._sentences['death']} {self._capital(self._sentences['sleep'])}"
        yield self._attributes()
        yield "\n# Using do on blocks"
        yield from self._bullets([*self._sources(), self._chest()])
        yield "\n# Recipes"
        yield from self._bullets(self._recipes())
        yield from self._nearby()
        yield "\n# Bow, spells, potions, enchantments"
        yield from self._magic()
        yield "\n# Floors"
        yield from self._depths()
        if "creatures" not in self._hide:
            yield "\n# Creatures"
            yield from self._creatures()
        yield "\n# Light"
        yield self._night()
        yield self._torch()
        yield "\n# The necromancer"
        boss = self._data["boss"]
        yield self._say("boss", hits=boss["hits"], factor=boss["damage_factor"])
        yield "\n# Achievements"
        yield from self._bullets(self._tiers())
        yield "\n# Controls"
        yield from self.actions()

    # The body.

    def _goal(self) -> str:
        rewards = self._data["rewards"]
        tiers = [f"{self._name(t)} {n}" for t, n in rewards.items() if t != "health"]
        return self._say(
            "goal",
            floors=len(self._data["floors"]),
            achievements=len(self._book.achievements),
            tiers=listed(tiers),
        )

    def _maximum(self, vital: str) -> int:
        row = self._data["maxima"][vital]
        return int(row["base"] + row["per"] * self._data["player"][row["attribute"]])

    def _brief_life(self) -> str:
        rules = [self._data["intrinsics"][name] for name in _COUNTERS]
        return self._say(
            "brief_life",
            items=listed([rule["lowers"] for rule in rules]),
            limits=listed([str(rule["limit"]) for rule in rules]),
            max=self._maximum("food"),
        )

    def _life(self) -> Iterator[str]:
        rules, start = self._data["intrinsics"], self._data["player"]
        for counter in _COUNTERS:
            item, limit = rules[counter]["lowers"], rules[counter]["limit"]
            known = {"item": item, "limit": limit, "max": self._maximum(item)}
            yield self._say("vital", initial=start[item], **known)
        limit, most = rules["recover_mana"]["limit"], self._maximum("mana")
        yield self._say("mana", initial=start["mana"], max=most, limit=limit)
        recover = rules["recover"]
        yield self._say(
            "health",
            initial=start["health"],
            max=self._maximum("health"),
            gain=recover["gain"],
            loss=-recover["loss"],
        )
        yield f"{self._say('asleep')}, and {self._sentences['energy']}"

    def _attributes(self) -> str:
        maxima = self._data["maxima"]
        gains = {vital: maxima[vital]["per"] for vital in ("food", "health", "mana")}
        most = self._data["parameters"]["max_attribute"]
        return self._say("attributes", max=most, **gains)

    # Gathering and making.

    def _tier(self, item: str, number: int) -> str:
        return f"{self._data['inventory'][item]['tiers'][number]}_{item}"

    def _sources(self) -> Iterator[str]:
        for name, rule in self._data["collect"].items():
            block = self._name(name)
            left = rule.get("leaves")
            leaves = self._say("leaves", name=self._name(left)) if left else ""
            if "restores" in rule:
                ((vital, amount),) = rule["restores"].items()
                told = {"vital": vital, "amount": amount, "leaves": leaves}
                yield self._say("restores", block=block, **told)
            elif "gives" in rule:
                told = {"tool": self._needed(rule), "chance": self._chance(rule)}
                gain = self._amounts(rule["gives"])
                yield self._say(
                    "collect", block=block, receive=gain, leaves=leaves, **told
                )
            else:
                yield self._say("removes", block=block)

    def _needed(self, rule: Mapping[str, Any]) -> str:
        tier = rule.get("pickaxe", 0)
        return self._say("tool", require=self._tier("pickaxe", tier)) if tier else ""

    def _chance(self, rule: Mapping[str, Any]) -> str:
        chance = rule.get("chance", 1)
        return self._say("chance", probability=chance) if chance < 1 else ""

    def _chest(self) -> str:
        rule = self._data["chest"]
        counts = {
            name: "{} to {}".format(*rule[name]["count"])
            for name in ("torches", "potions", "arrows")
        }
        first: dict[str, list[str]] = {}
        for floor, item in rule["first"].items():
            first.setdefault(item, []).append(str(floor))
        holds = {name: listed(first.get(name, ["none"])) for name in ("bow", "books")}
        return self._say("chest", **counts, **holds)

    def _brief_sources(self) -> Iterator[str]:
        for name, rule in self._data["collect"].items():
            gives = [*rule.get("gives", ()), *rule.get("restores", ())]
            tier = rule.get("pickaxe", 0)
            needs = f" (needs {self._tier('pickaxe', tier)})" if tier else ""
            block = self._name(name)
            if gives:
                told = listed(gives)
                yield block + (f" for {told}" if told != block else "") + needs
        yield "chest for loot"

    def _where(self, action: str) -> str:
        what = self._data["actions"][action]["what"]
        if "free" in self._data["place"][what]["where"]:
            return self._sentences["free"]
        return super()._where(action)

    def _more(self, action: str) -> str:
        what = self._data["actions"][action]["what"]
        gives = self._data["recipes"][what].get("gives")
        return self._say("gives", gives=self._amounts(gives)) if gives else ""

    def _nearby(self) -> Iterator[str]:
        armour = self._data["inventory"]["armour"]
        yield self._say(
            "nearby",
            reach=self._book.reach,
            pieces=listed(armour["each"]),
            tier=self._data["defence"]["tier"],
        )
        if "numbers" not in self._hide:
            yield self._say("carry", max=self._data["inventory"]["wood"]["max"])

    # Magic.

    def _magic(self) -> Iterator[str]:
        data = self._data
        yield self._say("bow", uses=self._words.amounts(data["shot"]["uses"]))
        spells = data["spells"]
        costs = dict.fromkeys(str(spell["mana"]) for spell in spells.values())
        yield self._say(
            "spells", spells=listed(list(spells), "or"), mana=listed([*costs])
        )
        effects = [
            f"{name} {change:+}"
            for effect in data["potions"]["effects"]
            for name, change in effect.items()
        ]
        colours = len(data["inventory"]["potions"]["each"])
        yield self._say("potions", colours=colours, effects=listed(effects))
        rule = data["enchanting"]
        elements = [
            f"a {row['gem']} at the {self._name(row['block'])}"
            for row in rule["elements"].values()
        ]
        part = data["defence"]["enchantment"]
        told = {"elements": listed(elements, "or"), "part": part}
        yield self._say("enchant", mana=rule["mana"], **told)

    # Floors and creatures.

    def _floors(self) -> list[str]:
        return [self._name(name) for name in self._data["floors"]]

    def _depths(self) -> Iterator[str]:
        yield self._say(
            "ladders",
            monsters=self._data["ladders"]["monsters"],
            uncleared=self._data["spawning"]["uncleared"],
        )
        last = len(self._floors()) - 1
        for number, row in enumerate(self._data["floors"].values()):
            name = "floor_last" if number == last else "floor"
            kinds = [k for k in ("passive", "melee", "ranged") if row["chances"][k]]
            told = listed([self._name(row[kind]) for kind in kinds])
            if "creatures" in self._hide:
                told = "monsters"
            floor = self._floors()[number]
            yield f"- {self._say(name, number=number, name=floor, creatures=told)}."
        blocks = [n for n in self._data["blocks"] if n not in ALIKE and n != "invalid"]
        items = self._data["items"][1:]
        names = listed([self._name(name) for name in blocks])
        yield self._say(
            "blocks", blocks=names, items=listed([self._name(name) for name in items])
        )

    def _creatures(self) -> Iterator[str]:
        passive = self._data["creatures"]["passive"]
        lines = [
            self._say(
                "passive",
                names=listed(list(passive)),
                food=self._data["behaviour"]["passive"]["food"],
                healths=", ".join(str(row["health"]) for row in passive.values()),
            )
        ]
        for kind in ("melee", "ranged"):
            rows = self._data["creatures"][kind].items()
            lines += [self._monster(kind, name, row) for name, row in rows]
        yield from self._bullets(lines)
        factor = self._data["behaviour"]["melee"]["asleep_factor"]
        yield self._say("asleep_hit", factor=factor)
        if "numbers" not in self._hide:
            yield self._strokes()
        where = self._data["place"]["plant"]["where"]
        ripe = self._data["plants"]["ripe"]
        yield self._say("plant", where=listed(where, "or"), ripe=ripe)

    def _monster(self, kind: str, name: str, row: Mapping[str, Any]) -> str:
        shot = row.get("shoots")
        called = self._name(ALIKE.get(shot, shot)) + "s" if shot else ""
        if "numbers" in self._hide:
            shoots = f", shoots {called}" if shot else ""
            return self._say("monster", name=self._name(name), shot=shoots)
        damage = self._data["projectiles"][shot]["damage"] if shot else row["damage"]
        parts = [
            f"{part:.0%} of {kind} damage"
            for kind, part in zip(_KINDS, row.get("defence", ()))
            if part
        ]
        return self._say(
            kind,
            name=self._name(name),
            health=row["health"],
            shot=called,
            damage=_damage(damage),
            defence=self._say("defence", parts=listed(parts)) if parts else "",
        )

    def _strokes(self) -> str:
        tiers = self._data["inventory"]["sword"]["tiers"]
        damages = [
            f"{damage} " + ("unarmed" if not n else f"with {tiers[n]}_sword")
            for n, damage in enumerate(self._data["melee_damage"])
        ]
        shots = {
            self._name(ALIKE.get(row["what"], row["what"])): row["what"]
            for row in self._data["actions"].values()
            if row["verb"] in ("shoot", "cast")
        }
        told = [
            f"{name} {_damage(self._data['projectiles'][key]['damage'])}"
            for name, key in shots.items()
        ]
        return self._say("strokes", damages=", ".join(damages), shots=", ".join(told))

    # Light, achievements.

    def _night(self) -> str:
        time = self._book.time
        floors = self._data["terrain"]["floors"].items()
        dark = [self._name(name) for name, row in floors if not row["light"]]
        told = {"day": time["day"], "dark": f"The {listed(dark)}", **time["moments"]}
        text = self._say("night", **told)
        if "creatures" in self._hide:
            return text
        return f"{text} {self._sentences['night_creatures']}"

    def _torch(self) -> str:
        return self._say("torch", reach=self._data["torch_light"]["reach"])

    def _tiers(self) -> Iterator[str]:
        for tier, reward in self._data["rewards"].items():
            names = [n for n, t in self._data["achievements"].items() if t == tier]
            if names:
                told = {"reward": reward, "achievements": ", ".join(names)}
                yield self._say("tier", name=self._name(tier), **told)


def _damage(vector: Sequence[float]) -> str:
    """Returns the parts of a damage, such as `6 + 1 fire + 1 ice`."""
    parts = [
        f"{n:g}" + (f" {kind}" if kind != "physical" else "")
        for kind, n in zip(_KINDS, vector)
        if n
    ]
    return " + ".join(parts)

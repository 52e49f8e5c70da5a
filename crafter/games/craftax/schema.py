"""Schema of the rules of Craftax, used to validate `data.yaml` and changes to it.

The published rules serve as the example: all rules have their sections and entries.
Only the tables in `_TABLES` may have other rows; a row needs the entries that all
published rows share, and may have those of any of them. Numbers are non-negative
integers unless `_KINDS` differs, which also gives the kinds of names.
`crafter.core.schema` checks the types; functions at the end check across sections.
"""

import functools
import pathlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from crafter.core import ruleset
from crafter.core.schema import (
    Above,
    Amount,
    Between,
    Chance,
    Count,
    Id,
    Ids,
    Names,
    Positive,
    Record,
    Symbol,
    by_example,
    check,
    filled,
    name_of,
)
from crafter.core.validation import fail, integer, number, one_of, sequence
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.rows import ATTRIBUTES, CLASSES

Table = Mapping[str, Any]

#: Verb -> path of the section with its objects, or `None` if it has none.
VERBS: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("noop", "do", "sleep", "rest", "descend", "ascend", "read")),
    "move": ("directions",),
    "place": ("place",),
    "make": ("recipes",),
    "shoot": ("projectiles",),
    "cast": ("spells",),
    "drink": ("inventory", "potions", "each"),
    "enchant": ("enchanted",),
    "level_up": ("attributes",),
}
#: Objects of verbs that are in no section.
_FIXED = {"enchanted": ("sword", "armour", "bow"), "attributes": ATTRIBUTES}
#: Items with several numbers.
_PARTS = ("armour", "potions")
_BYTE = 256  # maps are bytes
#: Sections whose entries the game refers to by name.
_NEEDED = ("blocks", "inventory", "directions", "floors", "repairs", "switches")


def increasing(where: str, value: Any, names: Names) -> None:
    """A range [low, high]."""
    if value[0] > value[1]:
        fail(where, "[low, high]", value)


def odd(where: str, value: Any, names: Names) -> None:
    """An odd number, for sizes with a middle cell."""
    if value % 2 == 0:
        fail(where, "an odd number", value)


def _name(kind: str) -> Any:
    return Annotated[str, name_of(kind)]


_BLOCK: Any = _name("blocks")
_BLOCK_KIND = Literal["ground", "solid", "water", "lava"]
_MAP_ITEM: Any = _name("items of maps")
_PLACE: Any = _name("places")
#: Inventory items with a single number.
_SINGLE = _name("single items")
_VITAL = Literal["food", "drink", "energy", "mana"]
_ODD = Annotated[Positive, odd]

#: Kind of row names -> tables with such rows; `*` matches anything.
_TABLES: Sequence[tuple[Any, str]] = (
    (
        Id,
        "blocks inventory rewards achievements movements projectiles directions floors"
        " creatures.passive creatures.melee creatures.ranged actions place recipes",
    ),
    (_BLOCK, "collect"),
    (_SINGLE, "*.uses possessions"),
    (_name("countable items"), "*.gives chest.ores.kinds"),
    (_name("items"), "*.raises enchanting.achievements"),
    (_name("projectiles"), "spells"),
    (_name("repairs"), "repairs"),
    (_name("switches"), "switches"),
    (_VITAL, "*.restores"),
    (Literal["health", "food", "drink", "energy", "mana"], "potions.effects.*"),
    (Annotated[int, Between(0, 8)], "chest.first"),
    (Positive, "possessions.*"),
    (Symbol, "symbols.*"),
)

#: Kind -> entries of this kind; the first match counts.
_KINDS: Sequence[tuple[Any, str]] = (
    # Strings.
    (
        _name("achievements"),
        "*.achievement *.learned *.achievements.* possessions.*.* waking",
    ),
    (_BLOCK, "*.block *.leaves *.ground *.replaces *.blocks.*"),
    (
        tuple[_BLOCK, ...],
        "recipes.*.near *.breaks *.spawns_on *.over_items spawning.*blocks",
    ),
    (_SINGLE, "chest.first.*"),
    (_name("countable items"), "*.gem"),
    (_MAP_ITEM, "*.item"),
    (tuple[_MAP_ITEM, _BLOCK], "symbols.items.*"),
    (_name("projectiles"), "*.shoots"),
    (_name("movements"), "*.moves"),
    (_name("directions"), "player.direction"),
    (_name("categories"), "achievements.*"),
    (_name("verbs"), "*.verb"),
    (Annotated[tuple[_PLACE, ...], filled], "*.where"),
    (_BLOCK_KIND, "*.kind"),
    (tuple[_BLOCK_KIND, ...], "movements.*"),
    (Literal["bow", "spell"], "*.grows"),
    (Literal["dexterity", "strength", "intelligence"], "*.attribute"),
    (_VITAL, "*.lowers"),
    (Literal["mana"], "*.raises"),
    (Literal["hunger", "thirst", "fatigue", "recover", "recover_mana"], "*.resets"),
    (
        Annotated[tuple[Literal["pickaxe", "sword"], ...], filled],
        "chest.tools.kinds",
    ),
    (Ids, "items inventory.*.tiers"),
    (Annotated[Ids, filled], "*.each"),
    (Annotated[str, filled], "*.key"),
    (Id, "*.what"),
    (str, "*.does *.mark"),
    # Numbers.
    (Parameters, "parameters"),
    (Annotated[float, Between(-1)], "terrain.floors.*.chance"),
    (Chance, "*.chance *_chance *.chances.* *.stays defence.* time.* *.rare"),
    *((_name(f"{kind} species"), f"floors.*.{kind}") for kind in CLASSES),
    (tuple[Chance, Chance, Chance], "*.defence"),
    (tuple[Amount, Amount, Amount], "*.damage"),
    (tuple[Amount, ...], "melee_damage chest.tools.tiers"),
    (Above, "*.health *.god_health *.fade *.ramp.strength"),
    (Amount, "maxima.* *.weight *.weapon *_factor"),
    (Positive, "inventory.*.max *.ripe *.hits *.graveyard_reach rooms.count *.chunk"),
    (Positive, "repairs.*.number player.dexterity player.strength player.intelligence"),
    (tuple[Positive, Positive], "terrain.noise.*.cells"),
    (tuple[_ODD, _ODD], "view.cells"),
    (Annotated[tuple[Count, Count], increasing], "*.count rooms.size rooms.offset"),
    (tuple[Count, Count], "*.special"),
    (tuple[int, int], "directions.*"),
    (int, "potions.effects.*.*"),
    (float, "rewards.* factors.* intrinsics.* view.dim *.fountain_above"),
    (Annotated[float, Between(-1)], "terrain.* *.light"),
)
#: Optional entries of rows that no published row has.
_OPTIONAL: Sequence[tuple[Any, str]] = ((("defence", "spawns_on"), "creatures.*.*"),)


#: The published rules.
PUBLISHED: Any = ruleset.read(pathlib.Path(__file__).parent / "data.yaml")


@functools.cache
def sections() -> Any:
    """Returns the schema of the sections of `data.yaml`."""
    return by_example(PUBLISHED, _TABLES, _KINDS, _OPTIONAL)


def check_data(data: Any) -> None:
    """Validates a set of rules.

    Args:
      data: The rules, merged.

    Raises:
      ValueError: If they are invalid; the message starts with the path of the entry.
    """
    check_names = Record(**dict.fromkeys(sections().kinds, Any))
    check(check_names, "", data)
    _check_needed(data)
    check(sections(), "", data, _names(data))
    filled("spells", data["spells"], {})
    _check_actions(data)
    for item, row in PUBLISHED["inventory"].items():
        if "tiers" in row and "tiers" not in data["inventory"][item]:
            raise ValueError(f"inventory.{item}.tiers is missing.")
    _check_tiers(data)
    _check_start(data)
    _check_rooms(data["rooms"])


def _check_needed(data: Any) -> None:
    """Rejects rules that lack entries the game refers to by name."""
    for section in _NEEDED:
        check(Mapping[str, Any], section, data[section])
        for entry in PUBLISHED[section]:
            if entry not in data[section]:
                raise ValueError(f"{section}.{entry} is missing.")
    for section in ("directions", "floors"):
        if list(data[section]) != list(PUBLISHED[section]):
            fail(section, str(list(PUBLISHED[section])), list(data[section]))
    if data["directions"] != PUBLISHED["directions"]:
        raise ValueError("directions cannot be changed.")
    first = data["items"][: len(PUBLISHED["items"])]
    if first != PUBLISHED["items"]:
        fail("items", f"a list that begins with {PUBLISHED['items']}", data["items"])


def _names(data: Table) -> dict[str, Any]:
    """Validates sections that define names; returns the names by kind."""
    for name in ("blocks", "inventory", "rewards", "movements", "directions", "items"):
        check(sections().kinds[name], name, data[name])
    for name in ("achievements", "projectiles"):
        check(Mapping[str, Any], name, data[name])
    check(
        Record(**dict.fromkeys(CLASSES, Mapping[str, Any])),
        "creatures",
        data["creatures"],
    )
    rows = data["inventory"]
    single = [name for name, row in rows.items() if "each" not in row]
    named = ("blocks", "achievements", "projectiles", "movements", "directions")
    return {
        **{name: data[name] for name in named},
        **{f"{kind} species": data["creatures"][kind] for kind in CLASSES},
        "places": [*data["blocks"], "free", "torch"],
        "items": rows,
        "single items": single,
        "countable items": [name for name in single if "tiers" not in rows[name]],
        "items of maps": data["items"],
        "categories": data["rewards"],
        "verbs": VERBS,
        "repairs": PUBLISHED["repairs"],
        "switches": PUBLISHED["switches"],
    }


def _check_actions(data: Table) -> None:
    if next(iter(data["actions"].values()))["verb"] != "noop":
        raise ValueError("actions: the first action must do nothing.")
    for action, row in data["actions"].items():
        path, section = f"actions.{action}.what", VERBS[row["verb"]]
        if section is None:
            if "what" in row:
                raise ValueError(f"{path}: {row['verb']} takes no 'what'.")
            continue
        known: Any = {**data, **_FIXED}
        for key in section:
            known = known[key]
        one_of(path, row.get("what"), known, section[-1])


def _check_tiers(data: Table) -> None:
    """Validates recipes and weapons against the tiers and parts of items."""
    inventory = data["inventory"]
    for item, row in inventory.items():
        if ("each" in row) != (item in _PARTS):
            raise ValueError(f"inventory.{item}.each: only {_PARTS} have it.")
        if "tiers" in row:
            integer(f"inventory.{item}.god", row["god"], 0, len(row["tiers"]) - 1)
    for recipe, row in data["recipes"].items():
        if not (row.get("raises") or row.get("gives")):
            raise ValueError(
                f"recipes.{recipe}: a recipe must raise or give something."
            )
        for item, tier in row.get("raises", {}).items():
            last = len(inventory[item].get("tiers", ())) - 1
            integer(f"recipes.{recipe}.raises.{item}", tier, 1, last)
    for thing, row in data["place"].items():
        if ("block" in row) == ("item" in row):
            raise ValueError(
                f"place.{thing}: expected either a block or an item to place."
            )
    tools = data["chest"]["tools"]
    for kind in tools["kinds"]:
        tiers = len(inventory[kind]["tiers"]) - 1
        if len(tools["tiers"]) > tiers:
            fail(
                "chest.tools.tiers",
                f"at most {tiers} weights, one for each tier of {kind}",
                tools["tiers"],
            )
    ores = [row["weight"] for row in data["chest"]["ores"]["kinds"].values()]
    for where, weights in (("ores.kinds", ores), ("tools.tiers", tools["tiers"])):
        if not sum(weights) > 0:
            fail(f"chest.{where}", "numbers with a weight above 0", weights)
    swords = len(inventory["sword"]["tiers"])
    sequence("melee_damage", data["melee_damage"], swords)
    colours = len(inventory["potions"]["each"])
    sequence("potions.effects", data["potions"]["effects"], colours)
    if len(data["blocks"]) > _BYTE:
        raise ValueError(
            f"blocks: expected at most {_BYTE}, got {len(data['blocks'])}."
        )


def _check_start(data: Table) -> None:
    """Rejects initial values above the player's maxima."""
    player = data["player"]
    for attribute in ATTRIBUTES:
        most = data["parameters"]["max_attribute"]
        integer(f"player.{attribute}", player[attribute], 1, most)
    for vital, row in data["maxima"].items():
        most = int(row["base"] + row["per"] * player[row["attribute"]])
        number(f"player.{vital}", player[vital], 0, most)


def _check_rooms(rules: Table) -> None:
    """Checks that rooms start on the map, and the position of the special block.

    Rooms are built on an array that extends past the map by the largest room.
    """
    integer("rooms.size.0", rules["size"][0], 3)  # at least one cell inside the border
    chunk, offset = rules["chunk"], rules["offset"][1]
    integer("rooms.offset.1", offset, 0, chunk)
    for axis, place in enumerate(rules["special"]):
        most = chunk + rules["size"][1] - 1 - offset
        integer(f"rooms.special.{axis}", place, 0, most)

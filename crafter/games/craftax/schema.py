"""Types of the rules of Craftax; loading checks `data.yaml` and changes against them.

`crafter.core.schema` says how a type is checked. What must hold between sections is
checked by the functions at the end.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

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
    check,
    filled,
    name_of,
    table,
)
from crafter.core.validation import fail, integer, number, one_of, sequence
from crafter.games.craftax.parameters import Parameters

Table = Mapping[str, Any]

CLASSES = ("passive", "melee", "ranged")
ATTRIBUTES = ("dexterity", "strength", "intelligence")
#: Verb -> the section that has what it is applied to, or `None` for nothing.
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
#: What verbs are applied to that stands in no section.
_FIXED = {"enchanted": ("sword", "armour", "bow"), "attributes": ATTRIBUTES}
#: Items that are several numbers.
_PARTS = ("armour", "potions")
_BYTE = 256  # maps are bytes


def increasing(where: str, value: Any, names: Names) -> None:
    """A range [low, high]."""
    if value[0] > value[1]:
        fail(where, "[low, high]", value)


def weights(where: str, value: Any, names: Names) -> None:
    """Weights, of which one at least is above 0."""
    if not sum(value) > 0:
        fail(where, "numbers with a weight above 0", value)


def ores(where: str, value: Any, names: Names) -> None:
    """Rows with weights, of which one at least is above 0."""
    weights(where, [row["weight"] for row in value.values()], names)


def odd(where: str, value: Any, names: Names) -> None:
    """A number of cells that has a middle."""
    if value % 2 == 0:
        fail(where, "an odd number", value)


Block = Annotated[str, name_of("blocks")]
Blocks = tuple[Block, ...]
BlockKind = Literal["ground", "solid", "water", "lava"]
Achievement = Annotated[str, name_of("achievements")]
#: Items of the inventory: any, those that are one number, and those that are counted.
Thing = Annotated[str, name_of("items")]
Single = Annotated[str, name_of("single items")]
Counted = Annotated[str, name_of("countable items")]
MapItem = Annotated[str, name_of("items of maps")]
Projectile = Annotated[str, name_of("projectiles")]
Vital = Literal["food", "drink", "energy", "mana"]
Counter = Literal["hunger", "thirst", "fatigue", "recover", "recover_mana"]
Attribute = Literal["dexterity", "strength", "intelligence"]
Span = Annotated[tuple[Count, Count], increasing]
Damage = tuple[Amount, Amount, Amount]
Odd = Annotated[Positive, odd]
#: A threshold, offset or chance of world generation.
Level = Annotated[float, Between(-1)]


def _each(names: str, kind: Any) -> Record:
    """Returns the schema of a mapping whose entries are all alike."""
    return Record(**dict.fromkeys(names.split(), kind))


# Rows, in the order of their sections.

_CLASSES = " ".join(CLASSES)
_VITALS = "health food drink energy mana"
_SMOOTH = "overworld gnomish_mines troll_mines fire_realm ice_realm graveyard"
_LAND = "ground sea coast mountain tunnel cave lava centre"
_USES = table(Single, Count)
_GIVES = table(Counted, Count)
_LINEAR = Record(base=Amount, attribute=Attribute, per=Amount)
_FACTOR = Record(attribute=Attribute, per=float)

_ITEM = Record(max=Positive, god=Count).optional(tiers=Ids, each=Annotated[Ids, filled])
_SPECIES = Record(
    health=Above, moves=Annotated[str, name_of("movements")], achievement=Achievement
).optional(defence=tuple[Chance, Chance, Chance], spawns_on=Blocks)
_SHELL = Record(damage=Damage).optional(grows=Literal["bow", "spell"])
_FLOOR = Record(
    **{kind: Annotated[str, name_of(f"{kind} species")] for kind in CLASSES},
    chances=_each(f"{_CLASSES} night", Chance),
).optional(achievement=Achievement)
_ACTION = Record(
    verb=Annotated[str, name_of("verbs")], key=Annotated[str, filled]
).optional(what=Id)
_PLAYER = Record(direction=Annotated[str, name_of("directions")]).needed(
    **dict.fromkeys(("health", "god_health"), Above),
    **dict.fromkeys(("food", "drink", "energy", "mana"), Count),
    **dict.fromkeys(ATTRIBUTES, Positive),
)
_PACE = Record(awake=float, asleep=float, limit=float)
_WEAR = _PACE.needed(lowers=Vital)
_RECOVER = _each("awake asleep lacking_awake lacking_asleep gain loss", float)
_COLLECT = Record().optional(
    pickaxe=Count,
    gives=_GIVES,
    chance=Chance,
    restores=table(Vital, Count),
    resets=Counter,
    achievement=Achievement,
    leaves=Block,
)
_PLACE = Record(
    uses=_USES,
    where=Annotated[tuple[Annotated[str, name_of("places")], ...], filled],
    achievement=Achievement,
).optional(block=Block, item=MapItem, over_items=Blocks)
_RECIPE = Record(near=Blocks, uses=_USES).optional(
    raises=table(Thing, Count), gives=_GIVES, achievement=Achievement
)
_FOUND = Record(chance=Chance, count=Span)
_ORE: Any = table(Counted, Record(weight=Amount, count=Span))
_TOOLS = Record(
    chance=Chance,
    kinds=Annotated[tuple[Literal["pickaxe", "sword"], ...], filled],
    tiers=Annotated[tuple[Amount, ...], weights],
)
_CHEST = Record(
    leaves=Block,
    achievement=Achievement,
    torches=_FOUND,
    ores=Record(chance=Chance, kinds=Annotated[_ORE, ores]),
    potions=_FOUND,
    arrows=_FOUND,
    tools=_TOOLS,
    first=table(Annotated[int, Between(0, 8)], Single),
)
_SPELL = Record(mana=Count, learned=Achievement, achievement=Achievement)
_SPELLS: Any = table(Projectile, _SPELL)
_EFFECT: Any = table(Literal["health", "food", "drink", "energy", "mana"], int)
_ENCHANTING = Record(
    mana=Count,
    elements=_each("fire ice", Record(block=Block, gem=Counted)),
    weapon=Amount,
    achievements=table(Thing, Achievement),
)
_STRIKES = _each("sight reach cooldown", Count)
_SHOOTS = _each("far near cooldown", Count)
_BEHAVIOUR = Record(
    passive=Record(food=Count, stays=Chance),
    melee=_STRIKES.needed(chase_chance=Chance, asleep_factor=Amount),
    ranged=_SHOOTS.needed(wander_chance=Chance),
    projectile=Record(breaks=Blocks, leaves=Block),
)
_SPAWNING = Record(
    blocks=Blocks,
    graveyard_blocks=Blocks,
    beyond=_each(_CLASSES, Count),
    graveyard_reach=Positive,
    uncleared=Count,
    wave=Count,
)
_BOSS = Record(
    block=Block,
    hits=Positive,
    wave_steps=Count,
    damage_factor=Amount,
    achievements=_each("hit won", Achievement),
)
_RAMP = Record(ramp=Record(strength=Above, max=Level))
_VEIN: Any = Record(block=Block, replaces=Block, chance=Level)
_LADDERS = Record(ground=Block, down=bool, up=bool)
_SMOOTH_FLOOR = Record(
    blocks=_each(_LAND, Block),
    water=_RAMP.needed(sea=Level, coast=Level),
    mountain=_RAMP,
    tree=Record(block=Block, ground=Block, noise=Level, draw=Level),
    ores=tuple[_VEIN, ...],
    ladders=_LADDERS,
    light=Level,
)
_ROOM_FLOOR = Record(
    blocks=_each("special fountain rare", Block), ladders=_LADDERS, light=Level
)
_LATTICE = Record(cells=tuple[Positive, Positive])
_TERRAIN = Record(
    noise=_each("water mountain tunnel tree", _LATTICE),
    mountain=_each("offset above", Level),
    tunnel=_each("above", Level),
    cave=_each("mountain water", Level),
    lava=_each("mountain tree", Level),
    glow=_each("centre beside diagonal", Level),
    floors=_each(_SMOOTH, _SMOOTH_FLOOR),
)
_ROOMS = Record(
    count=Positive,
    size=Span,
    chunk=Positive,
    offset=Span,
    fountain_above=float,
    special=tuple[Count, Count],
    rare=Chance,
    floors=_each("dungeon sewers vaults", _ROOM_FLOOR),
)

#: The sections of `data.yaml`; those that others refer to come first.
DATA = Record(
    blocks=table(Id, Record(kind=BlockKind).optional(torch=bool)),
    inventory=table(Id, _ITEM),
    rewards=table(Id, float),
    achievements=table(Id, Annotated[str, name_of("categories")]),
    movements=table(Id, tuple[BlockKind, ...]),
    projectiles=table(Id, _SHELL),
    directions=table(Id, tuple[int, int]),
    items=Ids,
    creatures=Record(
        passive=table(Id, _SPECIES),
        melee=table(Id, _SPECIES.needed(damage=Damage)),
        ranged=table(Id, _SPECIES.needed(shoots=Projectile)),
    ),
    floors=table(Id, _FLOOR),
    actions=table(Id, _ACTION),
    parameters=Parameters,
    player=_PLAYER,
    maxima=_each(_VITALS, _LINEAR),
    factors=_each("decay bow melee melee_enchantment spell mana", _FACTOR),
    intrinsics=Record(
        hunger=_WEAR,
        thirst=_WEAR,
        fatigue=_WEAR.needed(rested=float),
        recover=_RECOVER,
        recover_mana=_PACE.needed(raises=Literal["mana"]),
    ),
    collect=table(Block, _COLLECT),
    place=table(Id, _PLACE),
    torch_light=Record(reach=Count, fade=Above),
    recipes=table(Id, _RECIPE),
    chest=_CHEST,
    melee_damage=tuple[Amount, ...],
    shot=Record(uses=_USES, achievement=Achievement),
    spells=Annotated[_SPELLS, filled],
    potions=Record(achievement=Achievement, effects=tuple[_EFFECT, ...]),
    enchanting=_ENCHANTING,
    defence=_each("tier enchantment", Chance),
    behaviour=_BEHAVIOUR,
    ladders=_each("monsters killed_at_start", Count),
    spawning=_SPAWNING,
    plants=Record(ripe=Positive),
    boss=_BOSS,
    possessions=table(Single, table(Positive, Achievement)),
    waking=Achievement,
    time=_each("start dark", Chance),
    view=Record(cells=tuple[Odd, Odd], dim=float),
    terrain=_TERRAIN,
    rooms=_ROOMS,
    repairs=table(
        Annotated[str, name_of("repairs")],
        Record(number=Positive, does=str, applied=bool),
    ),
    symbols=Record(
        blocks=table(Symbol, Block), items=table(Symbol, tuple[MapItem, Block])
    ),
)


def check_data(data: Any, published: Table) -> None:
    """Checks a set of rules.

    Args:
      data: The rules, merged.
      published: The published rules.

    Raises:
      ValueError: If they are impossible; the message begins with the place.
    """
    check_names = Record(**dict.fromkeys(DATA.kinds, Any))
    check(check_names, "", data)
    _check_needed(data, published)
    check(DATA, "", data, _names(data, published))
    _check_actions(data)
    for item, row in published["inventory"].items():
        if "tiers" in row and "tiers" not in data["inventory"][item]:
            raise ValueError(f"inventory.{item}.tiers is missing.")
    _check_tiers(data)
    _check_start(data)
    _check_rooms(data["rooms"])


def _check_needed(data: Any, published: Table) -> None:
    """Refuses rules without something that the game uses by name."""
    for section in ("blocks", "inventory", "directions", "floors", "repairs"):
        check(Mapping[str, Any], section, data[section])
        for entry in published[section]:
            if entry not in data[section]:
                raise ValueError(f"{section}.{entry} is missing.")
    for section in ("directions", "floors"):
        if list(data[section]) != list(published[section]):
            fail(section, str(list(published[section])), list(data[section]))
    if data["directions"] != published["directions"]:
        raise ValueError("directions cannot be changed.")
    first = data["items"][: len(published["items"])]
    if first != published["items"]:
        fail("items", f"a list that begins with {published['items']}", data["items"])


def _names(data: Table, published: Table) -> dict[str, Any]:
    """Checks sections that define names for others; returns the names by kind."""
    for name in ("blocks", "inventory", "rewards", "movements", "directions", "items"):
        check(DATA.kinds[name], name, data[name])
    for name in ("achievements", "projectiles"):
        check(Mapping[str, Any], name, data[name])
    check(_each(_CLASSES, Mapping[str, Any]), "creatures", data["creatures"])
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
        "repairs": published["repairs"],
    }


def _check_actions(data: Table) -> None:
    if next(iter(data["actions"].values()))["verb"] != "noop":
        raise ValueError("actions: the first action must do nothing.")
    for action, row in data["actions"].items():
        path, section = f"actions.{action}.what", VERBS[row["verb"]]
        if section is None:
            if "what" in row:
                raise ValueError(f"{path}: {row['verb']} is applied to nothing.")
            continue
        known: Any = {**data, **_FIXED}
        for key in section:
            known = known[key]
        one_of(path, row.get("what"), known, section[-1])


def _check_tiers(data: Table) -> None:
    """Checks recipes and weapons against the tiers and parts that things have."""
    inventory = data["inventory"]
    for item, row in inventory.items():
        if ("each" in row) != (item in _PARTS):
            raise ValueError(f"inventory.{item}.each: only {_PARTS} have it.")
        if "tiers" in row:
            integer(f"inventory.{item}.god", row["god"], 0, len(row["tiers"]) - 1)
    for recipe, row in data["recipes"].items():
        if not (row.get("raises") or row.get("gives")):
            raise ValueError(f"recipes.{recipe}: a recipe raises or gives something.")
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
    swords = len(inventory["sword"]["tiers"])
    sequence("melee_damage", data["melee_damage"], swords)
    colours = len(inventory["potions"]["each"])
    sequence("potions.effects", data["potions"]["effects"], colours)
    if len(data["blocks"]) > _BYTE:
        raise ValueError(f"blocks: there can be {_BYTE}, got {len(data['blocks'])}.")


def _check_start(data: Table) -> None:
    """Refuses a player who has more at the start than it can have."""
    player = data["player"]
    for attribute in ATTRIBUTES:
        most = data["parameters"]["max_attribute"]
        integer(f"player.{attribute}", player[attribute], 1, most)
    for vital, row in data["maxima"].items():
        most = int(row["base"] + row["per"] * player[row["attribute"]])
        number(f"player.{vital}", player[vital], 0, most)


def _check_rooms(rules: Table) -> None:
    """Checks that rooms begin on the map, and where the special block lies.

    What is built reaches beyond the map by the largest room.
    """
    integer("rooms.size.0", rules["size"][0], 3)  # one cell inside of its border
    chunk, offset = rules["chunk"], rules["offset"][1]
    integer("rooms.offset.1", offset, 0, chunk)
    for axis, place in enumerate(rules["special"]):
        most = chunk + rules["size"][1] - 1 - offset
        integer(f"rooms.special.{axis}", place, 0, most)

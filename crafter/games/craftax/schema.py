"""Types of the rules of Craftax; loading checks `data.yaml` and changes against them.

`crafter.core.schema` says how a type is checked. What must hold between sections is
checked by the functions at the end.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

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
    Symbol,
    check,
    complete,
    filled,
    name_of,
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
Category = Annotated[str, name_of("categories")]
Achievement = Annotated[str, name_of("achievements")]
#: Items of the inventory: any, those that are one number, and those that are counted.
Thing = Annotated[str, name_of("items")]
Single = Annotated[str, name_of("single items")]
Counted = Annotated[str, name_of("countable items")]
Projectile = Annotated[str, name_of("projectiles")]
BlockKind = Literal["ground", "solid", "water", "lava"]
Vital = Literal["food", "drink", "energy", "mana"]
Counter = Literal["hunger", "thirst", "fatigue", "recover", "recover_mana"]
Attribute = Literal["dexterity", "strength", "intelligence"]
Body = Literal["health", "food", "drink", "energy", "mana"]
Recovery = Literal["awake", "asleep", "lacking_awake", "lacking_asleep", "gain", "loss"]
Growing = Literal["decay", "bow", "melee", "melee_enchantment", "spell", "mana"]
Class = Literal["passive", "melee", "ranged"]
Smooth = Literal[
    "overworld", "gnomish_mines", "troll_mines", "fire_realm", "ice_realm", "graveyard"
]
Landform = Literal[
    "ground", "sea", "coast", "mountain", "tunnel", "cave", "lava", "centre"
]
Noise = Literal["water", "mountain", "tunnel", "tree"]
Roomy = Literal["dungeon", "sewers", "vaults"]
Span = Annotated[tuple[Count, Count], increasing]
Vector = tuple[Amount, Amount, Amount]
Defence = tuple[Chance, Chance, Chance]
Cells = tuple[Positive, Positive]
Key = Annotated[str, filled]
Lattice = Annotated[Mapping[Literal["cells"], Cells], complete]
#: A threshold, offset or chance of world generation.
Level = Annotated[float, Between(-1)]


class _Action(TypedDict):
    verb: Annotated[str, name_of("verbs")]
    key: Key


class Action(_Action, total=False):
    """What an action does, to what, and its key on a keyboard."""

    what: Id


class _BlockRow(TypedDict):
    kind: BlockKind


class BlockRow(_BlockRow, total=False):
    """What a block is, and whether a torch may stand on it."""

    torch: bool


class _Item(TypedDict):
    max: Positive
    god: Count


class Item(_Item, total=False):
    """An item of the inventory: its tiers, or its parts."""

    tiers: Ids
    each: Annotated[Ids, filled]


class Player(TypedDict):
    """The player at the start."""

    direction: Annotated[str, name_of("directions")]
    health: Above
    food: Count
    drink: Count
    energy: Count
    mana: Count
    dexterity: Positive
    strength: Positive
    intelligence: Positive
    god_health: Above


class Grown(TypedDict):
    """A maximum that grows with an attribute."""

    base: Amount
    attribute: Attribute
    per: Amount


class Factor(TypedDict):
    """A factor that grows with an attribute."""

    attribute: Attribute
    per: float


class Wear(TypedDict):
    """A counter that lowers a vital."""

    lowers: Vital
    awake: float
    asleep: float
    limit: float


class Fatigue(Wear):
    """The counter that sleeping lowers."""

    rested: float


class RecoverMana(TypedDict):
    """The counter of mana."""

    raises: Literal["mana"]
    awake: float
    asleep: float
    limit: float


class Intrinsics(TypedDict):
    """Counters of the body."""

    hunger: Wear
    thirst: Wear
    fatigue: Fatigue
    recover: Annotated[Mapping[Recovery, float], complete]
    recover_mana: RecoverMana


class Collect(TypedDict, total=False):
    """`do` on a block: what it needs, gives, restores and leaves."""

    pickaxe: Count
    gives: Mapping[Counted, Count]
    chance: Chance
    restores: Mapping[Vital, Count]
    resets: Counter
    achievement: Achievement
    leaves: Block


class _Place(TypedDict):
    uses: Mapping[Single, Count]
    where: Annotated[tuple[Annotated[str, name_of("places")], ...], filled]
    achievement: Achievement


class Place(_Place, total=False):
    """What placing something costs, what it puts, and where."""

    block: Block
    item: Annotated[str, name_of("items of maps")]
    over_items: Blocks


class TorchLight(TypedDict):
    """The light of a torch."""

    reach: Count
    fade: Above


class _Recipe(TypedDict):
    near: Blocks
    uses: Mapping[Single, Count]


class Recipe(_Recipe, total=False):
    """How something is made."""

    raises: Mapping[Thing, Count]
    gives: Mapping[Counted, Count]
    achievement: Achievement


class Found(TypedDict):
    """Things in a chest: how likely, and how many."""

    chance: Chance
    count: Span


class OreRow(TypedDict):
    """Ores in a chest."""

    weight: Amount
    count: Span


class Ores(TypedDict):
    """All ores in a chest."""

    chance: Chance
    kinds: Annotated[Mapping[Counted, OreRow], ores]


class Tools(TypedDict):
    """Tools in a chest, with weights by tier."""

    chance: Chance
    kinds: Annotated[tuple[Literal["pickaxe", "sword"], ...], filled]
    tiers: Annotated[tuple[Amount, ...], weights]


class Chest(TypedDict):
    """What is in a chest; `first` by floor."""

    leaves: Block
    achievement: Achievement
    torches: Found
    ores: Ores
    potions: Found
    arrows: Found
    tools: Tools
    first: Mapping[Annotated[int, Between(0, 8)], Single]


class Shot(TypedDict):
    """What a shot costs."""

    uses: Mapping[Single, Count]
    achievement: Achievement


class Spell(TypedDict):
    """A spell."""

    mana: Count
    learned: Achievement
    achievement: Achievement


class Potions(TypedDict):
    """What potions may do."""

    achievement: Achievement
    effects: tuple[Mapping[Body, int], ...]


class Element(TypedDict):
    """What an enchantment needs."""

    block: Block
    gem: Counted


class Enchanting(TypedDict):
    """Enchantments."""

    mana: Count
    elements: Annotated[Mapping[Literal["fire", "ice"], Element], complete]
    weapon: Amount
    achievements: Mapping[Thing, Achievement]


class _Species(TypedDict):
    health: Above
    moves: Annotated[str, name_of("movements")]
    achievement: Achievement


class Species(_Species, total=False):
    """A passive species."""

    defence: Defence
    spawns_on: Blocks


class Melee(Species):
    """A species that strikes."""

    damage: Vector


class Ranged(Species):
    """A species that shoots."""

    shoots: Projectile


class Creatures(TypedDict):
    """Species by class."""

    passive: Mapping[Id, Species]
    melee: Mapping[Id, Melee]
    ranged: Mapping[Id, Ranged]


class _Shell(TypedDict):
    damage: Vector


class Shell(_Shell, total=False):
    """A projectile, and the factor that its damage grows with."""

    grows: Literal["bow", "spell"]


class PassiveBehaviour(TypedDict):
    """How passive creatures behave."""

    food: Count
    stays: Chance


class MeleeBehaviour(TypedDict):
    """How creatures that strike behave."""

    sight: Count
    reach: Count
    cooldown: Count
    chase_chance: Chance
    asleep_factor: Amount


class RangedBehaviour(TypedDict):
    """How creatures that shoot behave."""

    wander_chance: Chance
    far: Count
    near: Count
    cooldown: Count


class ProjectileBehaviour(TypedDict):
    """What projectiles break."""

    breaks: Blocks
    leaves: Block


class Behaviour(TypedDict):
    """How the classes behave."""

    passive: PassiveBehaviour
    melee: MeleeBehaviour
    ranged: RangedBehaviour
    projectile: ProjectileBehaviour


class _Floor(TypedDict):
    passive: Annotated[str, name_of("passive species")]
    melee: Annotated[str, name_of("melee species")]
    ranged: Annotated[str, name_of("ranged species")]
    chances: Annotated[
        Mapping[Literal["passive", "melee", "ranged", "night"], Chance], complete
    ]


class Floor(_Floor, total=False):
    """Who lives on a floor."""

    achievement: Achievement


class Spawning(TypedDict):
    """Where creatures appear."""

    blocks: Blocks
    graveyard_blocks: Blocks
    beyond: Annotated[Mapping[Class, Count], complete]
    graveyard_reach: Positive
    uncleared: Count
    wave: Count


class Boss(TypedDict):
    """The boss."""

    block: Block
    hits: Positive
    wave_steps: Count
    damage_factor: Amount
    achievements: Annotated[Mapping[Literal["hit", "won"], Achievement], complete]


class View(TypedDict):
    """What an agent sees."""

    cells: tuple[Annotated[Positive, odd], Annotated[Positive, odd]]
    dim: float


class Ramp(TypedDict):
    """Distance to the middle, divided by `strength` and cut at `max`."""

    strength: Above
    max: Level


class FloorWater(TypedDict):
    """Water of a smooth floor."""

    ramp: Ramp
    sea: Level
    coast: Level


class TreeRule(TypedDict):
    """Trees of a smooth floor."""

    block: Block
    ground: Block
    noise: Level
    draw: Level


class OreRule(TypedDict):
    """An ore of a smooth floor."""

    block: Block
    replaces: Block
    chance: Level


class LadderRule(TypedDict):
    """Ladders of a floor."""

    ground: Block
    down: bool
    up: bool


class SmoothFloor(TypedDict):
    """A floor made of noise."""

    blocks: Annotated[Mapping[Landform, Block], complete]
    water: FloorWater
    mountain: Annotated[Mapping[Literal["ramp"], Ramp], complete]
    tree: TreeRule
    ores: tuple[OreRule, ...]
    ladders: LadderRule
    light: Level


class Terrain(TypedDict):
    """Generation of floors made of noise."""

    noise: Annotated[Mapping[Noise, Lattice], complete]
    mountain: Annotated[Mapping[Literal["offset", "above"], Level], complete]
    tunnel: Annotated[Mapping[Literal["above"], Level], complete]
    cave: Annotated[Mapping[Literal["mountain", "water"], Level], complete]
    lava: Annotated[Mapping[Literal["mountain", "tree"], Level], complete]
    glow: Annotated[Mapping[Literal["centre", "beside", "diagonal"], Level], complete]
    floors: Annotated[Mapping[Smooth, SmoothFloor], complete]


class RoomFloor(TypedDict):
    """A floor made of rooms."""

    blocks: Annotated[Mapping[Literal["special", "fountain", "rare"], Block], complete]
    ladders: LadderRule
    light: Level


class Rooms(TypedDict):
    """Generation of floors made of rooms."""

    count: Positive
    size: Span
    chunk: Positive
    offset: Span
    fountain_above: float
    special: tuple[Count, Count]
    rare: Chance
    floors: Annotated[Mapping[Roomy, RoomFloor], complete]


class Repair(TypedDict):
    """An oddity of the published game that can be repaired."""

    number: Positive
    does: str
    applied: bool


class Symbols(TypedDict):
    """Characters of hand-made floors: blocks, and items with the block below."""

    blocks: Mapping[Symbol, Block]
    items: Mapping[Symbol, tuple[Annotated[str, name_of("items of maps")], Block]]


class Data(TypedDict):
    """The sections of `data.yaml`; those that others refer to come first."""

    blocks: Mapping[Id, BlockRow]
    inventory: Mapping[Id, Item]
    rewards: Mapping[Id, float]
    achievements: Mapping[Id, Category]
    movements: Mapping[Id, tuple[BlockKind, ...]]
    projectiles: Mapping[Id, Shell]
    directions: Mapping[Id, tuple[int, int]]
    items: Ids
    creatures: Creatures
    floors: Mapping[Id, Floor]
    actions: Mapping[Id, Action]
    parameters: Parameters
    player: Player
    maxima: Annotated[Mapping[Body, Grown], complete]
    factors: Annotated[Mapping[Growing, Factor], complete]
    intrinsics: Intrinsics
    collect: Mapping[Block, Collect]
    place: Mapping[Id, Place]
    torch_light: TorchLight
    recipes: Mapping[Id, Recipe]
    chest: Chest
    melee_damage: tuple[Amount, ...]
    shot: Shot
    spells: Annotated[Mapping[Projectile, Spell], filled]
    potions: Potions
    enchanting: Enchanting
    defence: Annotated[Mapping[Literal["tier", "enchantment"], Chance], complete]
    behaviour: Behaviour
    ladders: Annotated[Mapping[Literal["monsters", "killed_at_start"], Count], complete]
    spawning: Spawning
    plants: Annotated[Mapping[Literal["ripe"], Positive], complete]
    boss: Boss
    possessions: Mapping[Single, Mapping[Positive, Achievement]]
    waking: Achievement
    time: Annotated[Mapping[Literal["start", "dark"], Chance], complete]
    view: View
    terrain: Terrain
    rooms: Rooms
    repairs: Mapping[Annotated[str, name_of("repairs")], Repair]
    symbols: Symbols


def check_data(data: Any, published: Table) -> None:
    """Checks a set of rules.

    Args:
      data: The rules, merged.
      published: The published rules.

    Raises:
      ValueError: If they are impossible; the message begins with the place.
    """
    _check_needed(data, published)
    check(Data, "", data, _names(data, published))
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
    """Returns the names that sections define for others, by kind."""

    def section(*path: str) -> Table:
        found: Any = data
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}

    rows = {
        name: row if isinstance(row, Mapping) else {}
        for name, row in section("inventory").items()
    }
    single = [name for name, row in rows.items() if "each" not in row]
    return {
        "blocks": section("blocks"),
        "places": [*section("blocks"), "free", "torch"],
        "items": rows,
        "single items": single,
        "countable items": [name for name in single if "tiers" not in rows[name]],
        "items of maps": data["items"],
        "categories": section("rewards"),
        "verbs": VERBS,
        "repairs": published["repairs"],
        **{
            name: section(name)
            for name in ("achievements", "projectiles", "movements", "directions")
        },
        **{f"{kind} species": section("creatures", kind) for kind in CLASSES},
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

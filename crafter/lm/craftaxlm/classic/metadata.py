"""The tables of the smaller game."""

from crafter.lm.craftaxlm.titles import ORDER, TABLE, to_title
from crafter.rules import default

CRAFTAX_CLASSIC_ACHIEVEMENTS = {i: to_title(name) for i, name in enumerate(ORDER)}
CRAFTAX_CLASSIC_ACTION_MAPPING = {
    TABLE["moves"].get(name, name): index
    for index, name in enumerate(default().actions)
}
CRAFTAX_CLASSIC_BACKDROP_BLOCK_TYPES = ["grass", "sand", "path"]
CRAFTAX_CLASSIC_LOW_SALIENCE_OBJECTS = ["water", "stone", "tree", "wood", "plant"]
CRAFTAX_CLASSIC_HIGH_SALIENCE_OBJECTS = [
    "coal",
    "iron",
    "diamond",
    "crafting_table",
    "furnace",
    "lava",
    "ripe_plant",
]
CRAFTAX_CLASSIC_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_CLASSIC_HIGH_SALIENCE_MOBS = ["Skeleton", "Zombie", "Cow", "Arrow"]

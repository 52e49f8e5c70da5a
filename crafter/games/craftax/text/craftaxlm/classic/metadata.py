"""The tables of the smaller game."""

from crafter.games.craftax.text.craftaxlm.titles import CLASSIC, TABLE, to_title

CRAFTAX_CLASSIC_ACHIEVEMENTS = {
    index: to_title(name) for index, name in enumerate(CLASSIC.achievements)
}
CRAFTAX_CLASSIC_ACTION_MAPPING = {
    TABLE["moves"].get(name, name): index for index, name in enumerate(CLASSIC.actions)
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

"""The tables of the larger game."""

from crafter.games.craftax.text.craftaxlm.titles import FULL, TABLE, to_title

CRAFTAX_FULL_ACTION_MAPPING = {name: index for index, name in enumerate(FULL.actions)}
CRAFTAX_FULL_ACHIEVEMENTS = {
    index: to_title(name) for index, name in enumerate(FULL.achievements)
}
CRAFTAX_FULL_BACKDROP_BLOCK_TYPES = [
    *("grass", "sand", "path"),
    *("fire_grass", "ice_grass", "gravel"),
]
CRAFTAX_FULL_LOW_SALIENCE_OBJECTS = [
    *("stone", "tree", "wood", "plant", "wall", "darkness", "wall_moss"),
    *("stalagmite", "fire_tree", "ice_shrub", "grave", "grave2", "grave3"),
]
CRAFTAX_FULL_HIGH_SALIENCE_OBJECTS = [
    *("water", "lava", "coal", "iron", "diamond", "sapphire", "ruby"),
    *("crafting_table", "furnace", "ripe_plant", "chest", "fountain"),
    *("enchantment_table_fire", "enchantment_table_ice"),
    *("necromancer", "necromancer_vulnerable"),
]
CRAFTAX_FULL_LOW_SALIENCE_ITEMS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_ITEMS = ["ladder_down", "ladder_up"]
CRAFTAX_FULL_LOW_SALIENCE_MOBS: list[str] = []
CRAFTAX_FULL_HIGH_SALIENCE_MOBS = list(
    dict.fromkeys(name for names in TABLE["mobs"].values() for name in names)
)

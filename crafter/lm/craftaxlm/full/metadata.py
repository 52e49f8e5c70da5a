"""The tables of the larger game."""

from crafter.lm.craftaxlm.titles import TABLE, to_title

CRAFTAX_FULL_ACTION_MAPPING = {
    name: index for index, name in enumerate(TABLE["full_actions"])
}
CRAFTAX_FULL_ACHIEVEMENTS = {
    index: to_title(name) for index, name in enumerate(TABLE["full_achievements"])
}

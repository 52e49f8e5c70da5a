"""Game-independent foundations: environments, rules, saved states, random streams."""

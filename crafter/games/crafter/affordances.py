"""What can be placed and made with what there is, by the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from crafter.games.crafter.rules import Rules


def has(inventory: Mapping[str, int], needs: Mapping[str, int]) -> bool:
    """Returns whether an inventory holds at least these amounts.

    Example:
      >>> has({"wood": 1}, {"wood": 2})
      False
    """
    return all(inventory.get(item, 0) >= amount for item, amount in needs.items())


def ready(
    rules: Rules, inventory: Mapping[str, int], front: str, nearby: Collection[str]
) -> Iterator[str]:
    """Yields the actions that place or make something and would work.

    Args:
      rules: The rules of the game.
      inventory: Item -> amount.
      front: The material in front; another word if an object stands there.
      nearby: The materials near enough for crafting.

    Example:
      >>> from crafter.games.crafter.rules import default
      >>> list(ready(default(), {"wood": 1, "sapling": 1}, "grass", {"table"}))
      ['place_plant', 'make_wood_pickaxe', 'make_wood_sword']
    """
    for name, rule in rules.place.items():
        if has(inventory, rule["uses"]) and front in rule["where"]:
            yield f"place_{name}"
    for name, rule in rules.make.items():
        if has(inventory, rule["uses"]) and set(rule["nearby"]) <= set(nearby):
            yield f"make_{name}"

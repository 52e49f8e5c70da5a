"""A worked route through the game, with numbers from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from crafter import constants
from crafter.lm.tell.words import amounts, listed, load

_TEXT: dict[str, Any] = load(__file__, "tutorial.yaml")
#: The parts of the route: `title`, `crafts` in order, and a `hint`.
STAGES: list[dict[str, Any]] = _TEXT["stages"]


def needs(crafts: Iterable[str], tables: Any = constants) -> dict[str, int]:
    """Returns the items that some actions use up together.

    Example:
      >>> needs(("place_table", "make_wood_pickaxe"))
      {'wood': 3}
    """
    total: dict[str, int] = {}
    for action in crafts:
        verb, _, name = action.partition("_")
        for item, amount in getattr(tables, verb)[name]["uses"].items():
            total[item] = total.get(item, 0) + amount
    return total


def tutorial(tables: Any = constants) -> str:
    """Returns the route as text.

    Args:
      tables: The rules, with the names of `crafter.constants`.
    """
    return "\n".join(["A good way to play:", *_stages(tables), *_upkeep(tables)])


def _stages(tables: Any) -> Iterator[str]:
    for number, stage in enumerate(STAGES, 1):
        yield _TEXT["stage"].format(
            number=number,
            title=stage["title"],
            total=amounts(needs(stage["crafts"], tables)),
            crafts=listed(stage["crafts"]),
            hint=stage["hint"],
        )
    tool = listed(list(tables.collect["diamond"]["require"]))
    yield _TEXT["diamond"].format(number=len(STAGES) + 1, tool=tool)


def _upkeep(tables: Any) -> Iterator[str]:
    plant = tables.creatures["plant"]
    fields = {
        "cow": tables.creatures["cow"]["food"],
        "energy": tables.items["energy"]["max"],
        "enemies": listed([f"{name}s" for name in plant["enemies"]]),
        "ripe": plant["ripe"],
        **tables.time["moments"],
    }
    for sentence in _TEXT["upkeep"]:
        yield sentence.format(**fields)

"""Tutorial of Craftax, with numbers from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from crafter.lm.rendering.phrases import listed
from crafter.lm.rendering.words import Words


def route(words: Words) -> str:
    """Returns a worked route through the game as text."""
    lines = [*_stages(words), *_floors(words), *_upkeep(words)]
    return "\n".join(["A good way to play:", *lines])


def _stages(words: Words) -> Iterator[str]:
    """Yields the stages of the overworld; amounts follow from the recipes."""
    text = words.more("tutorial")
    for number, stage in enumerate(text["stages"], 1):
        yield text["stage"].format(
            number=number,
            title=stage["title"],
            total=words.amounts(words.book.total_uses(stage["crafts"])),
            crafts=listed(stage["crafts"]),
            hint=stage["hint"],
        )


def _floors(words: Words) -> Iterator[str]:
    text, data = words.more("tutorial"), words.rules.data
    names = [words.name(name) for name in data["floors"]]
    fields = {
        "monsters": data["ladders"]["monsters"],
        "mana": data["enchanting"]["mana"],
        "hits": data["boss"]["hits"],
    }
    first = len(text["stages"]) + 1
    for number, entry in enumerate(text["floors"], first):
        floors = listed([names[floor] for floor in entry["floors"]])
        hint = entry["hint"].format(**fields)
        title = floors[0].upper() + floors[1:]
        yield text["floor"].format(number=number, floors=title, hint=hint)


def _upkeep(words: Words) -> Iterator[str]:
    data = words.rules.data
    fields = {
        "passive": data["behaviour"]["passive"]["food"],
        "ripe": data["plants"]["ripe"],
        "plant": data["collect"]["ripe_plant"]["restores"]["food"],
        "attribute": data["parameters"]["max_attribute"],
        **words.book.time["moments"],
    }
    for sentence in words.more("tutorial")["upkeep"]:
        yield sentence.format(**fields)

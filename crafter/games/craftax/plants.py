"""Growth of saplings, which continues while the player is on other floors."""

from __future__ import annotations

from crafter.games.craftax.engine import World


def update(world: World) -> None:
    """Grows all plants by a step."""
    floor = world.floors[0]
    age: int = world.tables.data["plants"]["ripe"]
    for plant in world.plants:
        if not plant.growing:
            plant.age = 0
            continue
        plant.age += 1
        if plant.age >= age:
            cell = plant.row * floor.size + plant.col
            floor.blocks[cell] = world.tables.block_ids["ripe_plant"]
            if plant.age == age:
                world.emit("plant_ripe", at=(plant.row, plant.col))

"""Each quirk of the published game, and its repair.

Repairs of world generation and observations are tested with those.
"""

import numpy as np
import pytest
from craftax_scenes import DOWN, UP, Scene, of_type, types


def repaired(name):
    """Returns rules with one repair."""
    return {"repairs": {name: {"applied": True}}}


@pytest.fixture(params=[False, True], ids=["published", "repaired"])
def is_repaired(request):
    return request.param


def make(is_repaired, name, **arguments):
    return Scene(repaired(name) if is_repaired else "published", **arguments)


def test_mana_growth(is_repaired):
    scene = make(is_repaired, "mana_growth")
    scene.player.attributes = {**scene.player.attributes, "intelligence": 5}
    scene.player.mana, steps = 0, 0
    while scene.player.mana == 0:
        scene.step()
        steps += 1
    assert steps == (16 if is_repaired else 5)


def test_armour_enchantment_goes_to_worn_pieces(is_repaired):
    scene = make(is_repaired, "armour_enchantment")
    scene.put("enchantment_table_ice")
    scene.player.inventory.update(sapphire=9, armour=[0, 0, 1, 0])
    scene.step("enchant_armour", enchant_armour_u=0.0)
    expected = [0, 0, 2, 0] if is_repaired else [2, 0, 0, 0]
    assert scene.player.armour_enchantments == expected


def test_armour_enchantment_is_not_wasted(is_repaired):
    scene = make(is_repaired, "armour_enchantment")
    scene.put("enchantment_table_ice")
    scene.player.inventory.update(sapphire=1, armour=[1, 1, 1, 1])
    scene.player.armour_enchantments = [2, 2, 2, 2]
    events = scene.step("enchant_armour")
    assert scene.player.inventory["sapphire"] == (1 if is_repaired else 0)
    assert ("rejected" in types(events)) == is_repaired


def test_a_chest_at_the_opposite_edge(is_repaired):
    scene = make(is_repaired, "chest_bounds", level=1)
    scene.player.row, scene.player.direction = 0, 3
    scene.put("chest", (47, 0))
    scene.step("do")
    assert scene.floor.chest_opened == (not is_repaired)
    assert scene.block((47, 0)) == "chest"


def test_a_shot_that_leaves_the_map(is_repaired):
    scene = make(is_repaired, "projectile_bounds")
    scene.player.row = 5
    scene.put("furnace", (42, 3))
    scene.shoot("arrow", (-5, 3), UP)
    events = scene.step()
    assert scene.block((42, 3)) == ("furnace" if is_repaired else "path")
    assert ("station_lost" in types(events)) == (not is_repaired)


def test_the_cooldown_of_a_new_creature(is_repaired):
    scene = make(is_repaired, "cooldown_reset")
    scene.floor.melee[0].cooldown = 7
    scene.step(spawn_melee_u=0.0, spawn_melee_cell_u=0.5)
    assert scene.floor.melee[0].alive
    assert scene.floor.melee[0].cooldown == (0 if is_repaired else 6)


def test_a_creature_where_one_arrives(is_repaired):
    scene = make(is_repaired, "arrival_push", level=1)
    arrival = scene.world.floors[2].up_ladder = (30, 30)
    scene.player.level = 2
    scene.player.row, scene.player.col = arrival
    cow = scene.creature("cow", (0, 0))
    scene.player.level, scene.player.row = 1, 9
    scene.floor.monsters_killed = 8
    scene.lay("ladder_down", (0, 0))
    scene.step("descend")
    assert scene.player.position == arrival
    assert (cow.position == arrival) == (not is_repaired)
    assert np.argwhere(scene.floor.occupied_map).tolist() == [list(cow.position)]


def test_a_creature_without_room_vanishes():
    scene = Scene(repaired("arrival_push"))
    scene.player.level = 1
    scene.world.floors[2].up_ladder = (30, 30)
    scene.world.floors[2].block_map[:] = scene.tables.block_ids["wall"]
    scene.player.level = 2
    scene.player.row = scene.player.col = 30
    zombie = scene.creature("zombie", (0, 0))
    scene.player.level = 1
    scene.floor.monsters_killed = 8
    scene.lay("ladder_down", (0, 0))
    assert of_type(scene.step("descend"), "despawned")["kind"] == "zombie"
    assert not zombie.alive
    assert not scene.floor.occupied_map.any()


def test_new_creatures_stay(is_repaired):
    scene = make(is_repaired, "spawn_metric")
    vanished = 0
    for u in np.linspace(0, 0.999, 40):
        scene.step(spawn_melee_u=0.0, spawn_melee_cell_u=u)
        vanished += "despawned" in types(scene.step())
        for mob in scene.floor.melee:
            mob.alive = False
        scene.floor.occupied_map[:] = 0
    assert (vanished == 0) == is_repaired


def test_the_eleventh_plant(is_repaired):
    scene = make(is_repaired, "plant_slots")
    for plant in scene.world.plants:
        plant.growing = True
    scene.put("grass", DOWN)
    scene.player.direction = 4
    scene.player.inventory["sapling"] = 1
    events = scene.step("place_plant")
    assert scene.block(DOWN) == ("grass" if is_repaired else "plant")
    if is_repaired:
        assert of_type(events, "rejected")["reason"] == "no_plant_slot"


def test_a_repair_changes_nothing_else():
    published, fixed = Scene(), Scene("repaired")
    for scene in (published, fixed):
        scene.creature("zombie", cooldown=0)
        scene.player.inventory["wood"] = 3
    for action in ("place_table", "do", "left", "do", "sleep"):
        assert published.step(action) == fixed.step(action)
    assert published.player.health == fixed.player.health

"""Invariants of every Crafter world."""

import numpy as np

from crafter import constants

WALKABLE = {
    "player": {"grass", "path", "sand", "lava"},
    "arrow": {"grass", "path", "sand", "water", "lava"},
    "plant": {"grass"},
    **dict.fromkeys(["cow", "zombie", "skeleton"], {"grass", "path", "sand"}),
}
MOST_HEALTH = {"player": 9, "cow": 3, "zombie": 5, "skeleton": 3, "arrow": 0}
MOST_HEALTH |= {"plant": 1}


def assert_world_is_consistent(world):
    objects = world.objects
    positions = [obj.position for obj in objects]
    assert len(set(positions)) == len(positions)
    assert [obj.kind for obj in objects].count("player") == 1
    ids = [obj.id for obj in objects]
    assert ids == sorted(set(ids))
    assert ids[-1] < world.next_id
    labels = np.zeros(world.area, np.uint8)
    for obj in objects:
        material, occupant = world[obj.position]
        assert occupant is obj
        assert not obj.removed
        assert material in WALKABLE[obj.kind]
        assert 0 <= obj.health <= MOST_HEALTH[obj.kind]
        labels[obj.position] = constants.object_ids[obj.kind]
    np.testing.assert_array_equal(world.labels, labels)
    occupied = sum(world[cell][1] is not None for cell in np.ndindex(world.area))
    assert occupied == len(objects)
    assert world.materials.min() >= 1 and world.materials.max() <= 12


def assert_chunks_are_consistent(world):
    members = []
    for bounds, chunk in world.chunks.items():
        xmin, xmax, ymin, ymax = bounds
        assert chunk.bounds == bounds
        assert (xmin % 12, ymin % 12) == (0, 0)
        assert xmax == min(xmin + 12, world.area[0])
        assert ymax == min(ymin + 12, world.area[1])
        for obj in chunk.members:
            assert xmin <= obj.x < xmax and ymin <= obj.y < ymax
        members += chunk.members
        cells = world.materials[xmin:xmax, ymin:ymax].ravel()
        assert chunk.space == np.bincount(cells, minlength=13).tolist()
        kinds = [obj.kind for obj in chunk.members]
        for kind in constants.objects:
            assert chunk.population(kind) == kinds.count(kind)
    assert sorted(obj.id for obj in members) == [obj.id for obj in world.objects]

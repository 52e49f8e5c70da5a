"""World and chunks: contents and order."""

import copy
import pickle

import numpy as np
import pytest
from budget import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter import constants
from crafter.engine import World
from crafter.objects import Cow, Zombie

GRASS, PATH, WATER = (constants.material_ids[m] for m in ("grass", "path", "water"))
WALKABLE = frozenset({GRASS, PATH})


def make_world(area=(30, 30), material="grass"):
    world = World(area, 0)
    world.fill(np.full(area, constants.material_ids[material], np.uint8))
    return world


def add(world, *positions, kind=Cow):
    """Adds cows, or other creatures, and returns them."""
    creatures = [kind(world, position, None) for position in positions]
    for creature in creatures:
        world.add(creature)
    return creatures if len(creatures) > 1 else creatures[0]


def corners(world):
    return [(xmin, ymin) for xmin, _, ymin, _ in world.chunks]


def members(world):
    chunks = world.chunks.items()
    return {(b[0], b[2]): [obj.id for obj in chunk.members] for b, chunk in chunks}


# Cells.


def test_materials_can_be_set_on_the_map_only():
    world = make_world((3, 2))
    with pytest.raises(IndexError, match=r"\(3, 0\) is outside the map of \(3, 2\)"):
        world[3, 0] = "tree"
    with pytest.raises(IndexError):
        world[-1, 0] = "tree"
    with pytest.raises(KeyError):
        world[0, 0] = "lemonade"
    assert world.count("grass") == 6


def test_maps_are_live_and_cannot_be_written():
    world = make_world((3, 2))
    materials, labels = world.materials, world.labels
    world[1, 0] = "water"
    add(world, (2, 1))
    assert materials.tolist() == [[2, 2], [1, 2], [2, 2]]
    assert labels.tolist() == [[0, 0], [0, 0], [0, constants.object_ids["cow"]]]
    for array in (materials, labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


# Objects.


@pytest.mark.parametrize("position", [(0, 0), (-1, 0), (30, 0), (0, 30)])
def test_objects_cannot_be_added_outside_or_onto_another(position):
    world = make_world()
    cow = add(world, (0, 0))
    with pytest.raises(ValueError, match="No room for zombie at"):
        world.add(Zombie(world, position, None))
    assert world.objects == [cow]
    assert world.next_id == 2
    assert members(world) == {(0, 0): [1]}


def test_removed_objects_do_not_move():
    world = make_world()
    cow = add(world, (3, 3))
    world.remove(cow)
    world.move(cow, (4, 3))
    assert cow.position == (3, 3)
    assert world[4, 3][1] is None
    assert members(world) == {(0, 0): []}


# Compared with a simple model, over random operations.


class Model:
    """A straightforward model of the engine."""

    def __init__(self, area):
        self.area = area
        self.materials = np.full(area, GRASS)
        self.places = {}  # index -> cell
        self.chunks = {}  # corner -> indices in order

    def chunk(self, cell):
        return self.chunks.setdefault(tuple(c // 12 * 12 for c in cell), [])

    def add(self, index, cell):
        self.places[index] = cell
        self.chunk(cell).append(index)

    def remove(self, index):
        self.chunk(self.places.pop(index)).remove(index)

    def move(self, index, cell):
        old, new = self.chunk(self.places[index]), self.chunk(cell)
        if old is not new:
            old.remove(index)
            new.append(index)
        self.places[index] = cell

    def space(self, corner, material):
        x, y = corner
        return np.count_nonzero(self.materials[x : x + 12, y : y + 12] == material)


def check(world, model):
    assert {obj.id: obj.position for obj in world.objects} == model.places
    assert [obj.id for obj in world.objects] == sorted(model.places)
    assert members(world) == model.chunks
    assert corners(world) == list(model.chunks)
    np.testing.assert_array_equal(world.materials, model.materials)
    labels = np.zeros(world.area, int)
    for obj in world.objects:
        labels[obj.position] = obj.label
        assert world[obj.position][1] is obj
    np.testing.assert_array_equal(world.labels, labels)
    places = set(model.places.values())
    for cell in np.ndindex(world.area):
        material, obj = world[cell]
        assert constants.material_ids[material] == model.materials[cell]
        assert (obj is not None) == (cell in places)
        free = cell not in places and material in ("grass", "path")
        assert world.is_free(*cell, WALKABLE) == free
    for chunk in world.chunks.values():
        corner = (chunk.bounds[0], chunk.bounds[2])
        spaces = [model.space(corner, i) for i in range(len(chunk.space))]
        assert chunk.space == spaces
        for kind in ("cow", "zombie"):
            assert chunk.population(kind) == len(chunk.of_kind(kind))
    for name, i in constants.material_ids.items():
        assert world.count(name) == np.count_nonzero(model.materials == i)


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "move", "move", "remove", "set", "fill", "copy"]),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
    max_size=40,
)


@settings(max_examples=examples(200))
@given(st.tuples(st.integers(1, 40), st.integers(1, 40)), OPERATIONS)
def test_random_operations_agree_with_the_model(area, operations):
    world, model = make_world(area), Model(area)
    for operation, a, b in operations:
        cell = (a % area[0], b % area[1])
        taken = world[cell][1] is not None
        obj = world.objects[a % len(world.objects)] if world.objects else None
        if operation == "add" and not taken:
            kind = Zombie if b % 2 else Cow
            model.add(add(world, cell, kind=kind).id, cell)
        elif operation == "move" and obj and not taken:
            world.move(obj, cell)
            model.move(obj.id, cell)
        elif operation == "remove" and obj:
            world.remove(obj)
            model.remove(obj.id)
        elif operation == "set":
            name = constants.materials[b % 12]
            world[cell] = name
            model.materials[cell] = constants.material_ids[name]
        elif operation == "fill":
            random = np.random.RandomState(a)
            model.materials = random.randint(1, 13, area).astype(np.uint8)
            world.fill(model.materials)
        elif operation == "copy":
            copied = copy.deepcopy if a % 2 else lambda w: pickle.loads(pickle.dumps(w))
            world = copied(world)
    check(world, model)


# Nearby materials.


@settings(max_examples=examples(200))
@given(
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.integers(0, 10**9),
    st.integers(0, 3),
)
def test_nearby_follows_the_slices_of_numpy(area, seed, distance):
    materials = np.random.RandomState(seed).randint(1, 13, area).astype(np.uint8)
    world = World(area, 0)
    world.fill(materials)
    for x, y in np.ndindex(area):
        d = distance
        block = materials[x - d : x + d + 1, y - d : y + d + 1]
        expected = {constants.semantic_names[i] for i in block.ravel()}
        assert set(world.nearby((x, y), distance)[0]) == expected


# Windows.


def expected_window(world, corner, size):
    materials = np.zeros(size, np.uint8)
    objects = []
    for gx, gy in np.ndindex(size):
        material, obj = world[corner[0] + gx, corner[1] + gy]
        materials[gx, gy] = constants.material_ids.get(material, 0)
        if obj is not None:
            objects.append((gx, gy, obj))
    return materials, objects


@given(
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
    st.integers(0, 10**6),
)
def test_windows_around_every_cell(area, size, seed):
    random = np.random.RandomState(seed)
    world = World(area, 0)
    world.fill(random.randint(1, 13, area).astype(np.uint8))
    for cell in np.ndindex(area):
        if random.uniform() < 0.3:
            add(world, cell)
    for x, y in np.ndindex(area):
        corner = (x - size[0] // 2, y - size[1] // 2)
        window = world.window(corner, size)
        materials, objects = expected_window(world, corner, size)
        np.testing.assert_array_equal(window.materials, materials)
        assert window.materials.dtype == np.uint8
        assert window.objects == objects

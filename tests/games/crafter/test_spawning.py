"""Spawning and despawning of creatures: target numbers, positions and times."""

import numpy as np
import pytest
from helpers import Below, Script, daylight, draw_world

from crafter.constants import material_ids
from crafter.engine import World
from crafter.games.crafter.spawning import balance
from crafter.games.crafter.state import make_object
from crafter.objects import Player

NEVER = 0.9999
SPAWN = {"zombie": 0.3, "skeleton": 0.1, "cow": 0.01}
DESPAWN = {"zombie": 0.4, "skeleton": 0.1, "cow": 0.1}
SPAN_DISTANCE = {"zombie": 6, "skeleton": 7, "cow": 5}
DESPAWN_DISTANCE = {"zombie": 0, "skeleton": 7, "cow": 5}
GROUND = {"zombie": "grass", "skeleton": "path", "cow": "grass"}


def below(chance):
    return float(np.nextafter(chance, 0))


class Plain:
    """A world of stone with hand-placed chunks and creatures.

    The player is in the upper left chunk, far from the others.
    """

    def __init__(self, area=(36, 12), light=1.0):
        self.world = World(area, 0)
        self.world.fill(np.full(area, material_ids["stone"], np.uint8))
        self.world.daylight = light
        self.player = Player(self.world, (0, 0))
        self.world.add(self.player)
        self.events = []
        self.world.emit = lambda type, **fields: self.events.append((type, fields))

    def ground(self, material, count, x=24):
        """Places cells of a material, column by column from column x."""
        cells = [(x + i // 12, i % 12) for i in range(count)]
        for cell in cells:
            self.world[cell] = material
        return cells

    def add(self, kind, *cells):
        things = [make_object(kind, self.world, c, self.player) for c in cells]
        for thing in things:
            self.world.add(thing)
        return things

    def balance(self, *draws):
        """Balances with exactly these draws; returns the objects afterwards."""
        script = Script(draws)
        self.world.random = script
        balance(self.world, self.player)
        assert not script.left
        return [(obj.kind, obj.position) for obj in self.world.objects[1:]]


# Target numbers.


def wanted(kind, light, cells):
    """Returns the numbers of creatures in a chunk at which nothing is drawn.

    The chunk has `cells` cells of ground; the creatures are on stone beside them.
    """
    plain = Plain(light=light)
    plain.ground(GROUND[kind], cells)
    plain.add("plant", (35, 11))  # creates the chunk
    numbers = []
    for number in range(6):
        plain.world.random = script = Script([NEVER])
        balance(plain.world, plain.player)
        numbers += [number] * len(script.left)
        plain.add(kind, (34, number))
    return numbers


def zombies_wanted(step):
    step %= 300
    if 5 <= step <= 115:
        return 0
    if step < 5 or step <= 147 or step >= 273:
        return 1
    return 3 if 178 <= step <= 242 else 2


def test_zombies_wanted_by_time_of_day():
    for step in range(300):
        plain = Plain(light=daylight(step))
        plain.ground("grass", 50)
        plain.add("cow", (35, 0))  # so that no more cows are due
        for number in range(5):
            plain.balance(*[NEVER] * (number != zombies_wanted(step)))
            plain.add("zombie", (34, number))


@pytest.mark.parametrize(
    "step,most", [(0, 2), (147, 2), (148, 1), (210, 1), (272, 1), (273, 2), (299, 2)]
)
def test_cows_wanted_by_time_of_day(step, most):
    light = daylight(step)
    for cells in (29, 30):  # too few for zombies
        fewest = 0 if cells < 30 else 1
        assert wanted("cow", light, cells) == list(range(fewest, most + 1))


@pytest.mark.parametrize("light", [0.0, 0.5, 1.0])
def test_skeletons_wanted(light):
    assert wanted("skeleton", light, 5) == [0, 1, 2]
    assert wanted("skeleton", light, 6) == [1, 2]


def test_without_space_zombies_only_vanish():
    assert wanted("zombie", 0.0, 29) == [0, 1, 2, 3]


@pytest.mark.parametrize("cells,draws", [(49, 0), (50, 1)])
def test_zombies_need_fifty_cells_of_grass(cells, draws):
    plain = Plain(light=0.0)
    plain.add("cow", plain.ground("grass", cells)[0])  # its cell counts, too
    plain.balance(*[NEVER] * draws)


# Spawning.


def lacking(kind, area=(36, 12), x=24):
    """A world with a chunk that has 60 cells of ground and lacks a kind."""
    plain = Plain(area, light=0.0 if kind == "zombie" else 1.0)
    cells = plain.ground(GROUND[kind], 60, x)
    # An object that creates the chunk, and is enough of its own kind.
    plain.add("plant" if kind == "cow" else "cow", (x + 11, 0))
    return plain, cells


@pytest.mark.parametrize("kind", SPAWN)
def test_spawning(kind):
    plain, cells = lacking(kind)
    chance, health = SPAWN[kind], {"zombie": 5, "cow": 3, "skeleton": 3}
    (other,) = plain.balance(chance)
    after = plain.balance(below(chance), Below(60, 37))
    assert after == [other, (kind, cells[37])]
    new = plain.world.objects[-1]
    fields = {"kind": kind, "id": new.id, "at": cells[37]}
    assert plain.events == [("spawned", fields)]
    assert new.health == health[kind]


@pytest.mark.parametrize("kind", SPAWN)
@pytest.mark.parametrize("distance", range(4, 9))
def test_nothing_appears_too_near_to_the_player(kind, distance):
    plain, cells = lacking(kind, (12, 12), x=0)
    assert cells[distance] == (0, distance)
    after = plain.balance(0.0, Below(60, distance))
    assert len(after) == 1 + (distance >= SPAN_DISTANCE[kind])


def test_nothing_appears_on_an_object_and_there_is_no_second_try():
    plain = Plain(light=0.0)
    cells = plain.ground("grass", 50)
    plain.add("cow", cells[9])
    assert plain.balance(0.0, Below(50, 9)) == [("cow", cells[9])]
    assert plain.events == []


# Despawning.


@pytest.mark.parametrize("kind", DESPAWN)
def test_despawning(kind):
    plain = Plain(light=1.0)
    creatures = plain.add(kind, (30, 1), (30, 2), (30, 3))
    chance = DESPAWN[kind]
    assert len(plain.balance(chance)) == 3
    after = plain.balance(below(chance), Below(3, 1))
    assert after == [(kind, (30, 1)), (kind, (30, 3))]
    fields = {"kind": kind, "id": creatures[1].id, "at": (30, 2)}
    assert plain.events == [("despawned", fields)]


@pytest.mark.parametrize("kind", DESPAWN)
def test_nothing_vanishes_too_near_to_the_player(kind):
    for distance in range(1, 9):
        plain = Plain(light=1.0)
        plain.add(kind, (0, distance), (0, 9), (0, 10))
        left = plain.balance(0.0, Below(3, 0))
        vanished = (kind, (0, distance)) not in left
        assert vanished == (distance >= DESPAWN_DISTANCE[kind])


def test_the_choice_is_among_the_members_in_the_order_of_the_chunk():
    plain = Plain(light=1.0)
    first, second, third = plain.add("cow", (24, 0), (30, 2), (30, 3))
    plain.world.move(first, (23, 0))
    plain.balance()  # one there, two here: within the target
    plain.world.move(first, (24, 0))  # Back again, it is the last.
    after = plain.balance(0.0, Below(3, 2))
    assert after == [("cow", second.position), ("cow", third.position)]


def test_the_only_candidate_is_chosen_without_a_draw():
    plain = Plain(light=1.0)
    plain.add("zombie", (30, 5))
    assert plain.balance(0.0) == []


# Order.


def test_chunks_in_order_of_creation_and_kinds_in_order():
    plain = Plain(area=(36, 24), light=0.0)
    last = [(30, y) for y in range(4)]
    plain.add("cow", *last)
    plain.add("zombie", *[(31, y) for y in range(4)])
    plain.add("skeleton", *[(32, y) for y in range(4)])
    plain.add("cow", *[(14, y) for y in range(4)])
    left = plain.balance(
        *(0.0, Below(4, 0)),  # a zombie of the older chunk,
        *(0.0, Below(4, 1)),  # a skeleton,
        *(0.0, Below(4, 2)),  # a cow,
        *(0.0, Below(4, 3)),  # and a cow of the younger one
    )
    gone = {("zombie", (31, 0)), ("skeleton", (32, 1)), ("cow", (30, 2))}
    gone |= {("cow", (14, 3))}
    assert not gone & set(left)
    assert len(left) == 12


def test_chunks_without_any_object_so_far_stay_empty():
    plain = Plain(light=0.0)
    plain.ground("grass", 144)
    plain.ground("grass", 144, x=12)
    assert plain.balance() == []  # Nothing is drawn for them.


# In the environment.


def test_balance_comes_every_tenth_step():
    env = draw_world("v" + "." * 17 + "Z")  # too far away to act
    draws = []
    for step in range(1, 31):
        env.world.random = script = Script([NEVER])
        env.step(0)
        draws += [step] * (not script.left)
    assert draws == [10, 20, 30]


def test_balance_uses_the_position_and_the_light_after_the_step():
    # The player comes into range of the cow in the very step of the balance.
    row = "v" + "." * 6 + "CCC" + "." * 20
    for steps, gone in [(1, True), (3, False)]:
        env = draw_world(row)
        for cow in env.world.objects[1:]:
            cow.update = lambda: None
        for step in range(1, 11):
            env.world.random = Script([0.0, Below(3, 0)] if step == 10 else [])
            env.step(
                env.action_names.index("move_right" if step > 10 - steps else "noop")
            )
        assert (env.world[7, 0][1] is None) == gone

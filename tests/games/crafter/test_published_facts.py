"""Single facts of Crafter 1.8.3, as computed by running it."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from budget import sample
from reference.textures import texture, write_textures
from reference.trace import checksum, random_words

import crafter
from crafter import constants
from crafter.core.stream import episode_seed
from crafter.env import daylight
from crafter.games.crafter.noise import Noise, permutation

# --- Seeds and time -------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed,expected",
    [
        (0, (1256191933, 744553801, 1246819891)),
        (1, (535231920, 1037498010, 1639102990)),
        (2, (850681082, 239704060, 741970154)),
        (3, (1427922768, 816945746, 1418550726)),
        (42, (550904604, 2087411233, 541532562)),
        (123, (1192916699, 1794521679, 1183544657)),
        (-1, (1476744201, 965106065, 1467372159)),
        (-2, (1476744201, 965106065, 1467372159)),
        (2147483646, (626242442, 114604310, 616870400)),
    ],
)
def test_episode_seeds(seed: int, expected: tuple[int, ...]) -> None:
    assert tuple(episode_seed(seed, episode) for episode in (1, 2, 3)) == expected


def test_episodes_of_an_environment_follow_the_seeds() -> None:
    env = crafter.Env(area=(16, 16), seed=42)
    for expected in (550904604, 2087411233, 541532562):
        env.reset()
        stream = np.random.RandomState(expected)
        assert words_used(env, stream) > 0


@pytest.mark.parametrize(
    "step,expected",
    [
        (0, 0.7969251898544335),
        (1, 0.8056125421622267),
        (50, 0.9988579011429968),
        (60, 1.0),
        (100, 0.9327116467669383),
        (147, 0.5066707133769273),
        (148, 0.4946336996530223),
        (150, 0.4704915028125265),
        (180, 0.13976129970551698),
        (200, 0.01634444940000679),
        (209, 0.00016448288443293713),
        (210, 0.0),
        (250, 0.23758665817431202),
        (272, 0.49463369965302173),
        (273, 0.506670713376927),
        (299, 0.7880515360143441),
    ],
)
def test_daylight(step: int, expected: float) -> None:
    assert daylight(step) == expected


def test_daylight_is_not_the_same_every_day() -> None:
    """The last bits depend on the step itself, not on the step of the day."""
    assert sum(daylight(s) != daylight(s % 300) for s in range(10_001)) == 7578


# --- Noise and worlds -----------------------------------------------------------------


@pytest.mark.parametrize(
    "x,y,z,expected",
    [
        (0, 0, 8, "0x1.b00953fbb4462p-3"),
        (1 / 3, 0, 8, "0x1.a1abed4fe32f0p-3"),
        (32 / 15, 32 / 15, 0, "-0x1.1afe1fee798cfp-2"),
        (1, 7 / 5, 3, "0x1.0673dab958502p-2"),
        (20 / 3, (10 / 5) / 3, 7, "-0x1.f0d3218526ea4p-2"),
        ((10 / 5) / 3, 20 / 3, 7, "0x1.6e1b8e9f8e600p-5"),
        (7, 7, 4, "-0x1.73289870ac52ep-220"),
        (40 / 8, 3 / 8, 1, "0x1.d05e11fe57d18p-3"),
        (63 / 15, 50 / 15, 3, "0x1.5b62c42634e66p-3"),
        ((63 / 5) / 3, 18 / 3, 7, "-0x1.1e10f1a3f5335p-2"),
    ],
)
def test_noise(x: float, y: float, z: float, expected: str) -> None:
    assert float(Noise(487388145)(x, y, z)) == float.fromhex(expected)


def test_permutation() -> None:
    start = (25, 129, 27, 206, 198, 85, 153, 138, 107, 15, 145, 19, 175, 250, 86, 62)
    entries = permutation(487388145)
    assert tuple(entries[:16]) == start
    assert zlib.crc32(entries.astype("<i8").tobytes()) == 0x0D65656C


FIRST_OBJECTS = {
    0: "cow 1 41, cow 3 30, cow 4 6, cow 4 29, cow 4 32, cow 6 47, zombie 8 32",
    1: "cow 0 1, cow 0 34, cow 3 24, zombie 4 17, cow 8 13, cow 8 29, cow 8 42",
    2: "cow 2 41, skeleton 5 51, cow 8 2, cow 8 5, zombie 14 6, skeleton 16 33, "
    "skeleton 17 54",
}


@pytest.mark.parametrize("seed,expected", FIRST_OBJECTS.items())
def test_first_objects_of_a_world(seed: int, expected: str) -> None:
    env = crafter.Env(seed=seed)
    env.reset()
    objects = env.world.objects
    assert objects[0] is env.player
    found = [f"{obj.kind} {obj.position[0]} {obj.position[1]}" for obj in objects[1:8]]
    assert ", ".join(found) == expected


@pytest.mark.parametrize("facts", sample([(0, 14639), (1, 13181), (2, 10861)]), ids=str)
@pytest.mark.slow
def test_words_drawn_for_a_world(facts: tuple[int, int]) -> None:
    seed, words = facts
    env = crafter.Env(seed=seed)
    env.reset()
    assert words_used(env, np.random.RandomState(episode_seed(seed, 1))) == words


def test_cells_of_a_world() -> None:
    env = crafter.Env(seed=0)
    env.reset()
    for cell in [(0, 0), (10, 20), (40, 40), (63, 63), (5, 50)]:
        assert env.world[cell][0] == "grass"
    assert env.world[31, 28][0] == "tree"
    assert env.world[50, 12][0] == "path"


def words_used(env: crafter.Env, stream: np.random.RandomState) -> int:
    """Count the 32-bit words between the start of a stream and where the game is."""
    goal = random_words(env.world.random.get_state())
    for words in range(100_000):
        state = random_words(stream.get_state())
        if (state == goal).all():
            return words
        stream.bytes(4)
    raise AssertionError("The game draws from another stream.")


# --- The first steps ------------------------------------------------------------------

# After each step: action, position, objects in reach before it, words drawn since the
# start of the episode, objects after it, checksum of the random stream.
STEPS = (
    ("make_iron_pickaxe", 32, 32, 16, 14673, 70, "26c98344"),
    ("move_right", 33, 32, 14, 14707, 70, "2cf2e4f1"),
    ("move_right", 34, 32, 16, 14737, 70, "50846d42"),
    ("sleep", 34, 32, 14, 14766, 70, "58fe2a8b"),
    ("place_plant", 34, 32, 13, 14796, 70, "52c54d3e"),
    ("move_left", 33, 32, 13, 14829, 70, "d15fdd58"),
    ("noop", 33, 32, 15, 14860, 70, "c9d11503"),
    ("make_stone_sword", 33, 32, 15, 14891, 70, "803fd2db"),
    ("place_furnace", 33, 32, 14, 14925, 70, "05662239"),
    ("noop", 33, 32, 14, 15015, 64, "b5dcb5cf"),
    ("make_wood_sword", 33, 32, 13, 15044, 64, "9c4fed22"),
    ("noop", 33, 32, 12, 15073, 64, "0ba3b22e"),
    ("make_stone_sword", 33, 32, 12, 15100, 64, "a9d03d6c"),
    ("make_wood_sword", 33, 32, 12, 15127, 64, "a8aefb55"),
    ("move_down", 33, 33, 12, 15157, 64, "a2959ce0"),
    ("noop", 33, 33, 12, 15183, 64, "a617dc18"),
    ("make_iron_sword", 33, 33, 12, 15208, 64, "9bf24b9f"),
    ("move_down", 33, 34, 12, 15236, 64, "0699df28"),
    ("move_up", 33, 33, 13, 15261, 64, "2b88c73d"),
    ("move_right", 34, 33, 12, 15340, 55, "f80b00c4"),
    ("place_stone", 34, 33, 12, 15365, 55, "537c0e76"),
    ("move_right", 35, 33, 12, 15386, 55, "5b0649bf"),
    ("make_stone_sword", 35, 33, 11, 15410, 55, "3e80ce6e"),
    ("make_iron_sword", 35, 33, 10, 15428, 55, "70d4312e"),
    ("place_stone", 35, 33, 10, 15448, 55, "6a1bd909"),
    ("place_furnace", 35, 33, 10, 15470, 55, "bf5b7e74"),
    ("move_up", 35, 32, 10, 15496, 55, "4e09dec9"),
    ("sleep", 35, 32, 10, 15520, 55, "2b8f5918"),
    ("move_left", 34, 32, 10, 15543, 55, "e641363e"),
    ("move_right", 35, 32, 10, 15606, 54, "3329632e"),
    ("move_left", 34, 32, 10, 15627, 54, "915aec6c"),
    ("make_stone_pickaxe", 34, 32, 9, 15649, 54, "5ed5a336"),
    ("place_table", 34, 32, 9, 15667, 54, "9fe3cb21"),
    ("move_up", 34, 31, 9, 15689, 54, "a0477cda"),
    ("place_plant", 34, 31, 10, 15711, 54, "7507dba7"),
    ("do", 34, 31, 10, 15738, 54, "94a66aad"),
    ("noop", 34, 31, 10, 15760, 54, "5b2925f7"),
    ("make_wood_pickaxe", 34, 31, 9, 15779, 54, "1985dd86"),
    ("move_right", 35, 31, 9, 15805, 54, "92650a29"),
    ("place_plant", 35, 31, 10, 15859, 56, "0535f92b"),
)

# What the first step draws: doubles, and integers below 4.
DRAWS = [
    *(0.9148672992236924, 2, 0.3787649627398212, 3, 0.005177343963908787, 3),
    *(0.5624926526596976, 0.11263426497462947, 2, 0.6709507005862154),
    *(0.10534264411968997, 0, 0.8832432707120108, 0.2910567134194446, 2),
    *(0.1835078063295822, 1, 0.7691673283287772, 0.7153486374992909),
    *(0.9742555131525008, 0),
]


@pytest.fixture
def env() -> crafter.Env:
    env = crafter.Env(seed=0)
    env.reset()
    return env


def test_first_steps(env) -> None:
    stream = np.random.RandomState(episode_seed(0, 1))
    total = words_used(env, stream)
    chosen = np.random.RandomState(123).randint(0, 17, size=1000)
    for action, (name, x, y, reach, words, objects, crc) in zip(chosen, STEPS):
        assert constants.actions[action] == name
        assert sum(env.player.distance(obj) < 18 for obj in env.world.objects) == reach
        env.step(action)
        total += words_used(env, stream)
        assert env.player.position == (x, y)
        assert total == words
        assert len(env.world.objects) == objects
        assert f"{checksum(random_words(env.world.random.get_state())):08x}" == crc


def test_draws_of_the_first_step(env, monkeypatch) -> None:
    random, below, drawn = env.world.random.random, env.world.random.below, []

    def note(value: float) -> float:
        drawn.append(value)
        return value

    monkeypatch.setattr(env.world.random, "random", lambda: note(random()))
    monkeypatch.setattr(env.world.random, "below", lambda n: note(below(n)))
    env.step(env.action_names.index("make_iron_pickaxe"))
    assert drawn == DRAWS


# --- Pictures -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stem,crc",
    [
        ("grass", "9e76efa3"),
        ("path", "0d3a32f3"),
        ("zombie", "5d2ed16b"),
        ("player-down", "6329710a"),
        ("1", "72825479"),
        ("unknown", "f4209b4a"),
    ],
)
def test_synthetic_textures(stem: str, crc: str) -> None:
    assert f"{checksum(texture(stem)):08x}" == crc


@pytest.mark.parametrize(
    "size,crc",
    [
        ((600, 600), "b1b47bef"),
        ((512, 512), "91d031ca"),
        ((100, 80), "2fa7285d"),
        ((36, 36), "cccfb793"),
    ],
)
def test_frames_of_other_sizes(size: tuple[int, int], crc: str, tmp_path) -> None:
    env = crafter.Env(seed=0, textures=write_textures(tmp_path))
    env.reset()
    assert f"{checksum(env.frame(size)):08x}" == crc

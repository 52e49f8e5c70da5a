"""Observations without pixels: every number compared with the world."""

import numpy as np
import pytest

import crafter
from crafter.games.crafter import constants

KINDS = ["pixels", "compact", "symbolic", "semantic"]
FACTS = KINDS[1:]
ITEMS = list(constants.items)
DIRECTIONS = [(-1, 0), (1, 0), (0, -1), (0, 1)]  # left, right, up, down

# Repeats the documentation.
CODES = {"player": 1, "cow": 2, "zombie": 3, "skeleton": 4, "arrow": 5, "plant": 9}
OBJECT_IDS = np.array([0, 13, 14, 15, 16, 17, 17, 17, 17, 18, 18])  # by code

MAP = """
~~~~~....
~~,,,.TT.
#____.T..
#___@..f.
#____....
#___ic.,t
####%d...
"""

OBJECTS = [
    ("skeleton", (2, 2)),
    ("zombie", (6, 3)),
    ("cow", (7, 6)),
    {"kind": "arrow", "position": (1, 3), "facing": (-1, 0)},
    {"kind": "arrow", "position": (2, 3), "facing": (1, 0)},
    {"kind": "arrow", "position": (2, 4), "facing": (0, -1)},
    {"kind": "arrow", "position": (2, 5), "facing": (0, 1)},
    {"kind": "plant", "position": (6, 4), "grown": 0},
    {"kind": "plant", "position": (7, 2), "grown": 301},
]

START = {"map": MAP, "objects": OBJECTS}

# Initial state of games in which night comes and the player can sleep.
TIRED = {**START, "daytime": "dusk", "inventory": {"energy": 3}}


def make(kind, area=(9, 7), **arguments):
    return crafter.Env(area, observation=kind, length=None, **arguments)


def play(env, steps, seed=0, **options):
    """Yields observations and infos of resets and random steps."""
    yield env.reset(seed=seed, options=options)
    rng = np.random.default_rng(seed)
    for action in rng.choice([*range(17), 5, 6], steps).tolist():
        obs, _, terminated, _, info = env.step(action)
        assert env.observation_space.contains(obs)
        yield obs, info
        if terminated:
            yield env.reset(options=options)


def grid_of(env):
    """Returns the columns and rows of the map part of the view."""
    return env.view[0], env.view[1] - -(-len(ITEMS) // env.view[0])


def code_of(obj):
    if obj is None:
        return 0
    offset = 0
    if obj.kind == "arrow":
        offset = DIRECTIONS.index(obj.facing)
    elif obj.kind == "plant":
        offset = int(obj.ripe)
    return CODES[obj.kind] + offset


def facts_in_view(env):
    """Returns the materials and codes of the view, read cell by cell."""
    columns, rows = grid_of(env)
    materials, codes = np.zeros((2, columns, rows), np.uint8)
    left = env.player.position[0] - columns // 2
    top = env.player.position[1] - rows // 2
    for x, y in np.ndindex(columns, rows):
        if 0 <= left + x < env.area[0] and 0 <= top + y < env.area[1]:
            material, obj = env.world[left + x, top + y]
            materials[x, y] = constants.material_ids[material]
            codes[x, y] = code_of(obj)
    return materials, codes


def facts_of_player(info):
    """Returns the numbers after the cells of a compact observation."""
    facing = DIRECTIONS.index(tuple(info["player_facing"]))
    daylight = int(info["daylight"] * 255)
    return [*info["inventory"].values(), facing, info["sleeping"], daylight]


def split_compact(env, obs):
    columns, rows = grid_of(env)
    cells = columns * rows
    parts = obs[:cells], obs[cells : 2 * cells]
    return *(part.reshape(columns, rows) for part in parts), obs[2 * cells :].tolist()


def split_symbolic(env, obs):
    """Returns materials [x, y, 13], codes [x, y, 10] and the 22 other numbers."""
    columns, rows = grid_of(env)
    materials, codes, rest = np.split(obs, np.cumsum([13, 10]) * columns * rows)
    return materials.reshape(columns, rows, 13), codes.reshape(columns, rows, 10), rest


def one_hot_ids(one_hot):
    """Returns the ids of one-hot vectors; 0 if all entries are 0."""
    assert set(np.unique(one_hot)) <= {0, 1}
    assert one_hot.sum(-1).max() <= 1
    return (one_hot * np.arange(1, one_hot.shape[-1] + 1)).sum(-1)


# Spaces.


def test_observations_are_not_written_over():
    for kind in KINDS:
        env = make(kind)
        obs, _ = env.reset(seed=0, options=START)
        copies = {n: a.copy() for n, a in obs.items()} if kind == "semantic" else obs
        before = copies if kind == "semantic" else obs.copy()
        for _ in range(5):
            env.step(1)
        np.testing.assert_equal(obs, before)


# Games, compared with the world.


def check_compact(env, obs, info, materials, codes):
    found, marks, rest = split_compact(env, obs)
    np.testing.assert_array_equal(found, materials)
    np.testing.assert_array_equal(marks, codes)
    assert rest == facts_of_player(info)


def check_symbolic(env, obs, info, materials, codes):
    limits = np.maximum([item["max"] for item in env.rules.items.values()], 1)
    found, marks, rest = split_symbolic(env, obs)
    assert (found.sum(-1) == 1).all()
    np.testing.assert_array_equal(found.argmax(-1), materials)
    np.testing.assert_array_equal(one_hot_ids(marks), codes)
    *amounts, facing, sleeping, _ = facts_of_player(info)
    shares = np.array(amounts) / limits
    numbers = [*shares, *np.eye(4)[facing], sleeping, info["daylight"]]
    np.testing.assert_array_equal(rest, np.array(numbers, np.float32))


def check_semantic(env, obs, info, materials, codes):
    np.testing.assert_array_equal(obs["map"], info["semantic"])
    expected = np.where(codes, OBJECT_IDS[codes], materials)
    np.testing.assert_array_equal(obs["local"], expected)
    np.testing.assert_array_equal(env.snapshot().local_view, expected)


@pytest.mark.parametrize("kind", FACTS)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"view": (4, 8)},
        {"view": (17, 12), "size": (68, 60)},  # larger than the map
        {"items": {"wood": {"max": 4}, "sapling": {"max": 0}}},
    ],
    ids=str,
)
def test_games_are_seen_as_they_are(kind, arguments):
    env, met = make(kind, **arguments), set()
    check = globals()[f"check_{kind}"]
    for obs, info in play(env, 150, **TIRED):
        materials, codes = facts_in_view(env)
        check(env, obs, info, materials, codes)
        met |= {*codes.ravel().tolist(), *map(str, facts_of_player(info)[-3:-1])}
    assert arguments or met == {*range(11), *"0123", "False", "True"}


# Night noise.

LAND = {"map": ["." * 9] * 7, "position": (4, 3)}


def stream_of(env):
    words, position = env.world.random.get_words()
    return [*words.tolist(), position]


def test_private_noise_leaves_the_stream_alone():
    options = {"options": {**LAND, "daytime": "midnight"}}
    env, by_day = (crafter.Env((9, 7), night_noise="private") for _ in range(2))
    env.reset(seed=5, **options)
    by_day.reset(seed=5, options={**LAND, "daytime": "noon"})
    assert stream_of(env) == stream_of(by_day)
    published = crafter.Env((9, 7))
    published.reset(seed=5, **options)
    assert stream_of(published) != stream_of(env)


@pytest.mark.parametrize("kind", FACTS)
def test_games_without_pixels_are_those_with_private_noise(kind):
    envs = crafter.Env(night_noise="private"), crafter.Env(observation=kind)
    games = (play(env, 60, daytime="midnight") for env in envs)
    for (_, expected), (_, found) in zip(*games, strict=True):
        np.testing.assert_equal(found, expected)
        assert stream_of(envs[0]) == stream_of(envs[1])


# States.


def test_states_do_not_go_where_the_noise_is_other():
    published, private = crafter.Env(), crafter.Env(night_noise="private")
    for env in (published, private):
        env.reset(seed=1)
    before = published.get_state()
    with pytest.raises(ValueError, match="draws_noise=False.*has draws_noise=True"):
        published.set_state(private.get_state())
    with pytest.raises(ValueError, match="draws_noise=True.*has draws_noise=False"):
        private.set_state(published.get_state())
    np.testing.assert_equal(published.get_state(), before)


@pytest.mark.parametrize("kind", FACTS)
def test_states_go_from_kind_to_kind(kind):
    source, target = crafter.Env(night_noise="private"), crafter.Env(observation=kind)
    *_, _ = play(source, 20, seed=2, daytime="midnight")
    target.set_state(source.get_state())
    np.testing.assert_equal(target.get_state(), source.get_state())
    for action in (1, 5, 2, 0):
        expected = source.step(action)[1:]
        obs, *found = target.step(action)
        np.testing.assert_equal(tuple(found), expected)
        assert target.observation_space.contains(obs)


# Invalid values.


def test_bytes_too_small_for_an_item_are_refused():
    items = {"wood": {"max": 256}}
    with pytest.raises(ValueError, match="of wood in bytes must be .* to 255, got 256"):
        crafter.Env(observation="compact", items=items)
    fitting = {"wood": {"max": 255, "initial": 255}}
    obs, info = crafter.Env(observation="compact", items=fitting).reset(seed=0)
    assert info["inventory"]["wood"] == 255
    assert obs[2 * 63 + ITEMS.index("wood")] == 255
    assert crafter.Env(observation="symbolic", items=items).reset(seed=0)[0].max() == 1

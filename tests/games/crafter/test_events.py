"""The event stream: every type, the reasons, and accounts that come out even."""

import copy

import numpy as np
import pytest
from budget import sample
from helpers import (
    DOWN,
    LEFT,
    Below,
    act,
    attempt,
    draw_world,
    live,
    long_game,
    stream_crc,
    the,
)

import crafter
from crafter import constants
from crafter.core.events import FIELDS, REASONS, EventLog, ignore

ATTEMPTS = 100
CHASE, LONG = 0.8999, 0.7999


def step(env, action="noop", *draws):
    """Plays a step, with these draws if there are any, and returns its events."""
    if draws:
        return act(env, action, *draws).events()
    (result,) = live(env, 1, action)
    return result.events()


# Every type, with exactly its fields. A scene returns the events of one step.


def scene_moved():
    return step(draw_world(">."), "move_right")


def scene_turned():
    return step(draw_world(">#"), "move_left")


def scene_blocked():
    return step(draw_world(">#"), "move_right")


def scene_collected():
    env = draw_world(">#", inventory={"wood_pickaxe": 1})
    return step(env, "do", 0.5)


def scene_missed():
    return step(draw_world(">."), "do", 0.5)


def scene_placed():
    return step(draw_world(">,", inventory={"wood": 2}), "place_table")


def scene_made():
    env = draw_world("... .vt ...", inventory={"wood": 1})
    return step(env, "make_wood_sword")


def scene_rejected():
    return step(draw_world(">.", inventory={"wood": 1}), "place_table")


def scene_hit():
    return step(draw_world(">C", inventory={"wood_sword": 1}), "do", 0.5)


def scene_defeated():
    return step(
        draw_world(">S#", inventory={"iron_sword": 1}), "do", 0.0, 0.5, 0.5, 0.5
    )


def scene_ate():
    return step(draw_world(">R", inventory={"food": 7}), "do")


def scene_fell_asleep():
    return step(draw_world(">", inventory={"energy": 5}), "sleep")


def scene_woke():
    return step(draw_world("z", inventory={"energy": 9}))


def scene_hurt():
    return step(draw_world(">Z"), "noop", CHASE, LONG)


def scene_healed():
    env = draw_world(">", inventory={"health": 4})
    env.player.recover = 25
    return step(env)


def scene_vital():
    env = draw_world(">")
    env.player.thirst = 20
    return step(env)


def scene_unlocked():
    return step(draw_world(">~"), "do", 0.5)


def scene_plant_ripe():
    env = draw_world(">P")
    the(env, "plant").grown = 300
    return step(env)


def scene_plant_lost():
    return step(draw_world("v.PC"), "noop", 0.5)


def scene_arrow_shot():
    return step(draw_world(">____S"), "noop", 0.4)


def scene_arrow_stopped():
    return step(draw_world("v##←"))


def scene_station_lost():
    return step(draw_world("v#f←"))


def scene_spawned():
    env = draw_world(" ".join(["v" + "." * 10] + ["." * 11] * 10))
    for _ in range(9):
        step(env)
    return step(env, "noop", 0.0, Below(121, 120))


def scene_despawned():
    env = draw_world("v" + "." * 30 + "Z")
    for _ in range(9):
        step(env)
    return step(env, "noop", 0.0)


def scene_dusk():
    return step(draw_world("v", daytime=147))


def scene_dawn():
    return step(draw_world("v", daytime=272))


def scene_new_day():
    return step(draw_world("v", daytime=299))


def scene_died():
    return step(draw_world(">%"), "move_right")


EXPECTED = {
    "moved": {"frm": (0, 0), "to": (1, 0)},
    "turned": {"facing": (-1, 0)},
    "blocked": {"at": (1, 0), "by": "stone"},
    "collected": {"what": "stone", "at": (1, 0), "gain": 1, "tool": "wood_pickaxe"},
    "missed": {"what": "sapling", "at": (1, 0)},
    "placed": {"what": "table", "at": (1, 0), "on": "sand"},
    "made": {"what": "wood_sword"},
    "rejected": {"action": "place_table", "reason": "no_item", "missing": {"wood": 1}},
    "hit": {"kind": "cow", "id": 2, "damage": 2, "left": 1},
    "defeated": {"kind": "skeleton", "id": 2, "at": (1, 0)},
    "ate": {"what": "plant", "at": (1, 0), "gain": 2},
    "fell_asleep": {},
    "woke": {"cause": "rested"},
    "hurt": {"amount": 2, "by": ["zombie"], "id": 2},
    "healed": {"amount": 1},
    "vital": {"name": "drink", "frm": 9, "to": 8},
    "unlocked": {"achievement": "collect_drink"},
    "plant_ripe": {"at": (1, 0)},
    "plant_lost": {"at": (2, 0), "by": "cow"},
    "arrow_shot": {"frm": (5, 0), "id": 3},
    "arrow_stopped": {"at": (2, 0), "by": "stone", "id": 2},
    "station_lost": {"what": "furnace", "at": (2, 0)},
    "spawned": {"kind": "cow", "id": 2, "at": (10, 10)},
    "despawned": {"kind": "zombie", "id": 2, "at": (31, 0)},
    "dusk": {"n": 0},
    "dawn": {"n": 0},
    "new_day": {"n": 1},
    "died": {"by": ["lava"]},
}


@pytest.mark.parametrize("type", FIELDS)
def test_every_type_says_what_happened(type):
    events = globals()[f"scene_{type}"]()
    found = [event for event in events if event["type"] == type]
    assert found == [{"type": type, **EXPECTED[type]}]
    assert set(EXPECTED[type]) == set(FIELDS[type])


# Reasons of rejection: the first test of the rules that fails.

REJECTED = [
    (">.", {}, "place_stone", "no_item", {"stone": 1}),
    (">.", {"wood": 1}, "place_table", "no_item", {"wood": 1}),
    (">.", {"stone": 1}, "place_furnace", "no_item", {"stone": 3}),
    (">#", {}, "place_stone", "bad_target", {"stone": 1}),
    (">#", {"wood": 9}, "place_table", "bad_target", {}),
    (">", {"sapling": 1}, "place_plant", "bad_target", {}),
    (">,", {"sapling": 1}, "place_plant", "bad_target", {}),
    (">P", {}, "place_stone", "occupied", {"stone": 1}),
    (">P", {"stone": 1}, "place_stone", "occupied", {}),
    (">#", {}, "do", "no_tool", {"wood_pickaxe": 1}),
    (">i", {"wood_pickaxe": 1}, "do", "no_tool", {"stone_pickaxe": 1}),
    (">d", {"stone_pickaxe": 1}, "do", "no_tool", {"iron_pickaxe": 1}),
    (">,", {}, "do", "nothing_there", {}),
    (">t", {}, "do", "nothing_there", {}),
    (">", {}, "do", "nothing_there", {}),
    (">P", {}, "do", "unripe", {}),
    (">→#", {}, "do", "bad_target", {}),
    (">", {}, "sleep", "not_tired", {}),
    ("... .>. ...", {"wood": 1}, "make_wood_pickaxe", "no_station", {"table": 1}),
    ("... .>. ...", {}, "make_wood_sword", "no_station", {"table": 1, "wood": 1}),
    ("... .>t ...", {}, "make_stone_sword", "no_item", {"wood": 1, "stone": 1}),
    (
        "... .>t ...",
        {"coal": 1, "wood": 1},
        "make_iron_sword",
        "no_station",
        {"furnace": 1, "iron": 1},
    ),
    ("...t ..>t ...t", {}, "make_wood_sword", "no_item", {"wood": 1}),
    ("t.. >.. t..", {}, "make_wood_sword", "edge_quirk", {"table": 1, "wood": 1}),
    ("t>t ... ...", {"wood": 1}, "make_wood_sword", "edge_quirk", {"table": 1}),
    ("... ..> ..t", {}, "make_wood_sword", "no_item", {"wood": 1}),
]


@pytest.mark.parametrize("picture,inventory,action,reason,missing", REJECTED)
def test_rejections_name_the_first_reason(picture, inventory, action, reason, missing):
    env = draw_world(picture, inventory=inventory)
    before = copy.deepcopy(env.player.inventory), env.world.materials.copy()
    events = step(env, action)
    rejected = [event for event in events if event["type"] == "rejected"]
    fields = {"action": action, "reason": reason, "missing": missing}
    assert rejected == [{"type": "rejected", **fields}]
    assert env.player.inventory == before[0]
    np.testing.assert_array_equal(env.world.materials, before[1])


def test_every_reason_is_met():
    assert {reason for *_, reason, _ in REJECTED} == set(REASONS)


@pytest.mark.parametrize(
    "picture,action,draws",
    [
        ("v", "noop", []),
        ("v", "move_left", []),
        (">~", "do", [0.5]),
        (">.", "do", [0.5]),
        (">C", "do", [0.5]),
        (">R", "do", []),
    ],
)
def test_actions_with_an_effect_and_moves_are_not_rejected(picture, action, draws):
    env = draw_world(picture)
    assert "rejected" not in act(env, action, *draws).event_types()


def test_actions_replaced_by_sleep_are_not_rejected():
    env = draw_world("z", inventory={"energy": 3})
    assert step(env, "place_stone") == []


# Details.


def test_events_of_a_step_come_in_order():
    env = draw_world("zT", facing=(1, 0), inventory={"energy": 9}, daytime=299)
    env.player.thirst = 20
    result = act(env, "do", 0.5)
    assert result.event_types() == [
        "new_day",
        "woke",
        "unlocked",
        "collected",
        "unlocked",
        "vital",
    ]


def test_walking_onto_lava_is_a_move_and_a_hurt():
    result = act(draw_world(">%", inventory={"health": 4}), "move_right")
    assert result.event_types() == ["moved", "hurt", "died"]
    assert result.events("hurt")[0] == {
        "type": "hurt",
        "amount": 4,
        "by": ["lava"],
        "id": None,
    }


@pytest.mark.parametrize("char,by", [("#", "stone"), ("", "edge"), ("P", "plant")])
def test_what_blocks(char, by):
    (event,) = act(draw_world(f">{char}"), "move_right").events("blocked")
    assert event == {"type": "blocked", "at": (1, 0), "by": by}


def test_hurt_names_all_that_lacks():
    env = draw_world("v", inventory={"food": 0, "drink": 0, "energy": 0})
    env.player.recover = -15
    (event,) = act(env, "noop").events("hurt")
    assert event["by"] == ["hunger", "thirst", "fatigue"]


def test_only_what_takes_effect_is_counted():
    env = draw_world(">Z", inventory={"health": 1})
    result = act(env, "noop", CHASE, LONG)
    assert [e["amount"] for e in result.events("hurt")] == [1]
    assert result.events("died") == [{"type": "died", "by": ["zombie"]}]
    env = draw_world(">")
    env.player.recover = 25  # Health is full.
    assert act(env, "noop").events() == []


def test_death_is_told_once():
    env = draw_world(">%.")
    assert "died" in act(env, "move_right").event_types()
    with pytest.warns(UserWarning, match="episode ended"):
        assert act(env, "noop").events() == []


def test_death_names_all_causes_of_the_step():
    env = draw_world("Z>←", inventory={"health": 3})
    result = act(env, "noop", CHASE, LONG)
    assert result.events("died") == [{"type": "died", "by": ["zombie", "arrow"]}]
    assert [e["amount"] for e in result.events("hurt")] == [2, 1]


def test_an_arrow_says_what_it_hit():
    env = draw_world(">←")
    result = act(env, "noop")
    (hurt,), (stopped,) = result.events("hurt"), result.events("arrow_stopped")
    assert hurt == {"type": "hurt", "amount": 2, "by": ["arrow"], "id": 2}
    assert stopped == {"type": "arrow_stopped", "at": (0, 0), "by": "player", "id": 2}


def test_a_stroke_at_the_dead_defeats_again():
    env = draw_world(">C←")
    the(env, "cow").health = 2
    assert "defeated" not in act(env, "noop", 0.5).event_types()
    result = act(env, "do", 0.5)
    assert result.events("hit")[0]["left"] == 0
    assert result.event_types()[:4] == ["hit", "defeated", "ate", "unlocked"]


def test_a_wounded_creature_is_not_defeated():
    env = draw_world(">Z")
    types = act(env, "do", CHASE, LONG).event_types()
    assert "hit" in types and "defeated" not in types


def test_a_move_after_a_turn():
    env = draw_world("v. ..")
    assert act(env, "move_down").event_types() == ["moved"]
    assert act(env, "move_right").event_types() == ["turned", "moved"]


def test_a_zombie_that_chases_is_no_event():
    assert act(draw_world(">...Z"), "noop", CHASE, LONG).events() == []
    assert act(draw_world(">........Z"), "noop", LEFT).events() == []
    assert act(draw_world(">........C"), "noop", 0.4, DOWN).events() == []


def test_reset_has_no_events():
    env = crafter.Env(area=(16, 16), seed=0, events=True)
    assert env.reset()[1]["events"] == ()
    assert env.step(env.action_names.index("sleep"))[-1]["events"]
    assert env.reset()[1]["events"] == ()


def test_the_log_gives_events_once():
    log = EventLog()
    log.emit("moved", frm=(0, 0), to=(1, 0))
    log.emit("fell_asleep")
    assert [event["type"] for event in log.take()] == ["moved", "fell_asleep"]
    assert log.take() == ()


def test_ignoring_takes_any_event():
    assert ignore("moved", frm=(0, 0), to=(1, 0)) is None


# Accounts.


class Ledger:
    """The inventory, from the first one and the events alone."""

    def __init__(self, inventory):
        self.amounts = dict(inventory)

    def book(self, event):
        getattr(self, f"_{event['type']}", lambda event: None)(event)

    def _collected(self, event):
        self.amounts[event["what"]] += event["gain"]

    def _ate(self, event):
        self.amounts["food"] += event["gain"]

    def _placed(self, event):
        self._pay(constants.place[event["what"]])

    def _made(self, event):
        rule, what = constants.make[event["what"]], event["what"]
        self._pay(rule)
        amount = self.amounts[what] + rule["gives"]
        self.amounts[what] = min(amount, constants.items[what]["max"])

    def _pay(self, rule):
        for name, amount in rule["uses"].items():
            self.amounts[name] -= amount

    def _vital(self, event):
        assert self.amounts[event["name"]] == event["frm"] != event["to"]
        self.amounts[event["name"]] = event["to"]

    def _healed(self, event):
        assert event["amount"] > 0
        self.amounts["health"] += event["amount"]

    def _hurt(self, event):
        assert event["amount"] > 0
        assert event["by"]
        self.amounts["health"] -= event["amount"]


class Provenance:
    """Where materials come from, by the events or by comparing worlds.

    Attributes:
        materials: Material ids.
        own: Cells whose material the player placed.
        dug: Cells that the player opened by taking what was there.
    """

    def __init__(self, materials):
        self.materials = materials.copy()
        self.own = np.zeros(materials.shape, bool)
        self.dug = np.zeros(materials.shape, bool)

    def set(self, at, material, own, dug):
        self.materials[at] = constants.material_ids[material]
        self.own[at], self.dug[at] = own, dug

    def book(self, event):
        if event["type"] == "placed" and event["what"] != "plant":
            self.set(event["at"], event["what"], own=True, dug=False)
        elif event["type"] == "station_lost":
            self.set(event["at"], "path", own=False, dug=False)
        elif event["type"] == "collected":
            (rule,) = (
                rule
                for rule in constants.collect.values()
                if event["what"] in rule["receive"]
            )
            if event["what"] not in ("drink", "sapling"):
                self.set(event["at"], rule["leaves"], own=False, dug=True)

    def compare(self, world, action):
        """Updates the masks from what has changed in the world."""
        for x, y in np.argwhere(world.materials != self.materials):
            material = world[int(x), int(y)][0]
            own, dug = action.startswith("place"), action == "do"
            self.set((x, y), material, own, dug)


def achievements_of(event):
    """Returns the achievements that an event stands for."""
    if event["type"] == "woke":
        return ["wake_up"] if event["cause"] == "rested" else []
    if event["type"] == "defeated":
        return [f"defeat_{event['kind']}"] if event["kind"] != "cow" else []
    verbs = {"collected": "collect", "placed": "place", "made": "make", "ate": "eat"}
    verb = verbs.get(event["type"])
    return [f"{verb}_{event['what']}"] if verb else []


def assert_accounts_come_out_even(game):
    env, result = next(game)
    ledger = Ledger(result.info["inventory"])
    told, seen = (Provenance(env.world.materials) for _ in range(2))
    achieved = set()
    counted = dict.fromkeys(constants.achievements, 0)
    sleeping, position, facing = False, env.player.position, env.player.facing
    for env, result in game:
        for event in result.events():
            assert set(event) == {"type", *FIELDS[event["type"]]}
            ledger.book(event)
            told.book(event)
            for name in achievements_of(event):
                counted[name] += 1
        assert ledger.amounts == result.info["inventory"]
        seen.compare(env.world, result.info["action"])
        for name in ("materials", "own", "dug"):
            np.testing.assert_array_equal(getattr(told, name), getattr(seen, name))
        types = result.event_types()
        new = {event["achievement"] for event in result.events("unlocked")}
        assert new == result.info["unlocked"]
        assert not new & achieved
        achieved |= new
        assert ("died" in types) == result.terminated
        assert ("moved" in types) == (env.player.position != position)
        assert ("turned" in types) == (env.player.facing != facing)
        position, facing = env.player.position, env.player.facing
        changes = types.count("fell_asleep") - types.count("woke")
        assert changes == env.player.sleeping - sleeping
        sleeping = env.player.sleeping
    assert achieved == env.unlocked
    assert counted == env.player.achievements
    return env


@pytest.mark.parametrize("first", sample(range(0, ATTEMPTS, 10)))
def test_accounts_of_random_attempts(first):
    for seed in range(first, first + 10):
        assert_accounts_come_out_even(attempt(seed))


def test_accounts_of_a_long_game():
    env = assert_accounts_come_out_even(long_game())
    assert env.player.health == 0
    assert env.step_count == 615
    assert len(env.unlocked) == 16


@pytest.mark.slow
def test_random_attempts_meet_most_types():
    met = {
        e["type"] for seed in range(20) for _, r in attempt(seed) for e in r.events()
    }
    rare = {"plant_ripe", "plant_lost", "station_lost", "arrow_shot", "arrow_stopped"}
    assert met >= set(FIELDS) - rare


# Events change nothing.


@pytest.mark.parametrize("seed", sample(range(3)))
def test_games_with_and_without_events_are_equal(seed):
    plain, logged = (
        crafter.Env(seed=seed, events=on, size=(18, 18)) for on in (False, True)
    )
    options = {"daytime": 100, "inventory": {"sapling": 5, "wood": 9, "stone": 9}}
    for env in (plain, logged):
        env.reset(options=options)
    random = np.random.RandomState(seed)
    for _ in range(400):
        action = random.randint(17)
        ours, theirs = plain.step(action), logged.step(action)
        assert ours[4].pop("events") == ()
        del theirs[4]["events"]
        np.testing.assert_equal(ours, theirs)
        assert stream_crc(plain) == stream_crc(logged)
        if ours[2] or ours[3]:
            for env in (plain, logged):
                env.reset(options=options)

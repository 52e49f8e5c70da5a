"""The event stream: every type, the reasons, and accounts that come out even."""

import numpy as np
import pytest
from budget import sample
from helpers import (
    Below,
    act,
    attempt,
    draw_world,
    live,
    long_game,
    scenes,
    show,
)

import crafter
from crafter import constants
from crafter.core.events import FIELDS, REASONS

ATTEMPTS = 100

# Films by type; `helpers.show` compares the names of the fields with `FIELDS`.
EVENTS = """
moved
  >. => move_right .> moved.frm=[0,0] moved.to=[1,0] events=[moved]
  v./.. => move_right .>/.. events=[turned,moved]
turned
  ># => move_left <# turned.facing=[-1,0]
blocked
  ># => move_right ># blocked.at=[1,0] blocked.by=stone
  > => move_right > blocked.at=[1,0] blocked.by=edge
  >P => move_right >P blocked.at=[1,0] blocked.by=plant
collected
  ># wood_pickaxe=1 => do >_ 0.5 stone=1 collect_stone=1 collected.what=stone
    collected.at=[1,0] collected.gain=1 collected.tool=wood_pickaxe
missed
  >. => do >. 0.5 missed.what=sapling missed.at=[1,0] events=[missed]
placed
  >, wood=2 => place_table >t wood=0 place_table=1 placed.what=table placed.at=[1,0]
    placed.on=sand
made
  .../.vt/... wood=1 => make_wood_sword .../.vt/... wood=0 wood_sword=1
    make_wood_sword=1 made.what=wood_sword
hit
  >C wood_sword=1 => do >C STAYS hit.kind=cow hit.id=2 hit.damage=2 hit.left=1
    events=[hit]
  >Z => do >Z CHASE LONG health=7 events=[hit,hurt]
defeated
  >S# iron_sword=1 => do >_# 0 KEEP KEEP KEEP defeat_skeleton=1 defeated.kind=skeleton
    defeated.id=2 defeated.at=[1,0]
  >C← cow.health=2 => wait >C_ STAYS events=[arrow_stopped]
    => do >._ STAYS eat_cow=1 events=[hit,defeated,ate,unlocked] hit.left=0
ate
  >R food=7 => do >P food=9 eat_plant=1 ate.what=plant ate.at=[1,0] ate.gain=2
fell_asleep
  > energy=5 => sleep z events=[fell_asleep]
  z energy=3 => place_stone z events=[]
woke
  z energy=9 => wait v wake_up=1 woke.cause=rested
hurt
  >Z => wait >Z CHASE LONG health=7 hurt.amount=2 hurt.by=[zombie] hurt.id=2
  >Z health=1 => wait >Z CHASE LONG health=0 hurt.amount=1 died.by=[zombie]
  >% health=4 => move_right .> health=0 hurt.amount=4 hurt.by=[lava] hurt.id=null
    events=[moved,hurt,died]
  v food=0 drink=0 energy=0 recover=-15 => wait v health=8
    hurt.by=[hunger,thirst,fatigue]
healed
  > health=4 recover=25 => wait > health=5 healed.amount=1
  > recover=25 => wait > events=[]
vital
  > thirst=20 => wait > drink=8 vital.name=drink vital.frm=9 vital.to=8
unlocked
  >~ => do >~ 0.5 collect_drink=1 unlocked.achievement=collect_drink
  zT energy=9 thirst=20 daytime=299 facing=[1,0] => do >. 0.5 wood=1 drink=8 wake_up=1
    collect_wood=1 events=[new_day,woke,unlocked,collected,unlocked,vital]
plant_ripe
  >P plant.grown=300 => wait >R plant_ripe.at=[1,0]
plant_lost
  v.PC => wait v..C STAYS plant_lost.at=[2,0] plant_lost.by=cow
arrow_shot
  >____S => wait >___←S SHOOT arrow_shot.frm=[5,0] arrow_shot.id=3
arrow_stopped
  v##← => wait v##_ arrow_stopped.at=[2,0] arrow_stopped.by=stone arrow_stopped.id=2
  >← => wait >_ health=7 hurt.amount=2 hurt.by=[arrow] hurt.id=2 arrow_stopped.id=2
    arrow_stopped.at=[0,0] arrow_stopped.by=player
station_lost
  v#f← => wait v#__ station_lost.what=furnace station_lost.at=[2,0]
despawned
  v..............................Z => wait*9 v..............................Z
    => wait v............................... 0 despawned.kind=zombie despawned.id=2
    despawned.at=[31,0]
dawn
  v daytime=272 => wait v dawn.n=0
new_day
  v daytime=299 => wait v new_day.n=1
died
  >% => move_right .> health=0 died.by=[lava]
"""

# The reason is that of the first rule that fails; `missing` is all that lacks.
REJECTED = """
no_item
  >. => place_stone >. rejected.missing={stone:1} rejected.action=place_stone
  >. wood=1 => place_table >. rejected.missing={wood:1}
  >. stone=1 => place_furnace >. rejected.missing={stone:3}
  .../.>t/... => make_stone_sword .../.>t/... rejected.missing={wood:1,stone:1}
  ...t/..>t/...t => make_wood_sword ...t/..>t/...t rejected.missing={wood:1}
bad_target
  ># => place_stone ># rejected.missing={stone:1}
  ># wood=9 => place_table ># rejected.missing={}
  >, sapling=1 => place_plant >, rejected.missing={}
  >→# => do >_# rejected.missing={}
occupied
  >P => place_stone >P rejected.missing={stone:1}
  >P stone=1 => place_stone >P rejected.missing={}
no_tool
  ># => do ># rejected.missing={wood_pickaxe:1}
nothing_there
  >, => do >, rejected.missing={}
  > => do > rejected.missing={}
unripe
  >P => do >P rejected.missing={}
not_tired
  > => sleep > rejected.missing={} rejected.action=sleep
no_station
  .../.>./... wood=1 => make_wood_pickaxe .../.>./... rejected.missing={table:1}
  .../.>t/... coal=1 wood=1 => make_iron_sword .../.>t/...
    rejected.missing={furnace:1,iron:1}
edge_quirk
  t../>../t.. => make_wood_sword t../>../t.. rejected.missing={table:1,wood:1}
  t>t/.../... wood=1 => make_wood_sword t>t/.../... rejected.missing={table:1}
"""
BY_TYPE = scenes(EVENTS)
BY_REASON = scenes(REJECTED)


@pytest.mark.parametrize("films", BY_TYPE)
def test_every_type_says_what_happened(films):
    for film in films:
        show(film)


def test_what_appears_is_told():
    env = draw_world(" ".join(["v" + "." * 10] + ["." * 11] * 10))
    for _ in range(9):
        act(env, "noop")
    (event,) = act(env, "noop", 0.0, Below(121, 120)).events()
    assert event == {"type": "spawned", "kind": "cow", "id": 2, "at": (10, 10)}
    (result,) = live(draw_world("v", daytime=147), 1)
    assert result.events() == [{"type": "dusk", "n": 0}]


@pytest.mark.parametrize("films", BY_REASON)
def test_rejections_name_the_first_reason(films, request):
    for film in films:
        show(f"{film} rejected.reason={request.node.callspec.id}")


def test_every_type_and_every_reason_is_met():
    assert {film.id for film in BY_TYPE} == {*FIELDS} - {"rejected", "spawned", "dusk"}
    assert {film.id for film in BY_REASON} == {*REASONS}


def test_death_is_told_once():
    env = draw_world(">%.")
    assert "died" in act(env, "move_right").event_types()
    with pytest.warns(UserWarning, match="episode ended"):
        assert act(env, "noop").events() == []


def test_death_names_all_causes_of_the_step():
    env = draw_world("Z>←", inventory={"health": 3})
    result = act(env, "noop", 0.5, 0.5)
    assert result.events("died") == [{"type": "died", "by": ["zombie", "arrow"]}]
    assert [e["amount"] for e in result.events("hurt")] == [2, 1]


def test_resets_and_loaded_games_have_no_events():
    env = crafter.Env(area=(16, 16), seed=0, events=True)
    assert env.reset()[1]["events"] == env.snapshot().events == ()
    assert env.step(env.action_names.index("sleep"))[-1]["events"]
    env.set_state(env.get_state())
    assert env.snapshot().events == ()
    assert env.reset()[1]["events"] == ()


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


def change_map(materials, event):
    """Changes material ids as an event says."""
    if event["type"] == "placed" and event["what"] != "plant":
        material = event["what"]
    elif event["type"] == "station_lost":
        material = "path"
    elif event["type"] == "collected":
        (material,) = (
            rule["leaves"]
            for rule in constants.collect.values()
            if event["what"] in rule["receive"]
        )
    else:
        return
    materials[event["at"]] = constants.material_ids[material]


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
    materials = env.world.materials.copy()
    achieved = set()
    counted = dict.fromkeys(constants.achievements, 0)
    sleeping, position, facing = False, env.player.position, env.player.facing
    for env, result in game:
        for event in result.events():
            assert set(event) == {"type", *FIELDS[event["type"]]}
            ledger.book(event)
            change_map(materials, event)
            for name in achievements_of(event):
                counted[name] += 1
        assert ledger.amounts == result.info["inventory"]
        np.testing.assert_array_equal(materials, env.world.materials)
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


# Events change nothing.

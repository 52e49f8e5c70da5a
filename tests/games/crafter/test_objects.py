"""The rules of the player, the creatures, arrows and plants, as films.

The numbers here are those of Crafter 1.8.3, written down once more: a changed table is
a changed game, and fails. `helpers.py` explains pictures, films and the draws.
"""

import pytest
from helpers import (
    KINDS,
    LEFT,
    MATERIALS,
    RIGHT,
    act,
    board,
    draw_world,
    kinds,
    live,
    play,
    scenes,
    show,
    the,
)

import crafter
from crafter import constants
from crafter.objects import Cow

PLAYER = """
The player walks, and looks where it goes
  .../.v./... => move_left .../<../... => move_up ^../.../... => move_right .>./.../...
    => move_down .../.v./... => wait .../.v./...
The player stops at the edges, and still turns
  v => move_left < => move_right > => move_up ^ => move_down v
The player turns where the way is blocked
  ####/#v~#/#C## => move_up ####/#^~#/#C## STAYS => move_right ####/#>~#/#C## STAYS
    => move_down ####/#v~#/#C## STAYS
  v# => move_right ># facing=[1,0]
The player cannot enter the cell of an object
  <C frozen=1 => move_right >C
  <Z frozen=1 => move_right >Z
  <S frozen=1 => move_right >S
  <P frozen=1 => move_right >P
  <R frozen=1 => move_right >R
  <← frozen=1 => move_right >←
Lava kills who moves, also where the move is blocked
  >%. => move_right .>. health=0 discount=0
  #># under=lava => wait #># => do #># => move_right #># health=0
  %>. under=lava => move_right %%> => move_left %<. health=0
  #v% => move_left #<%
Health that grows in the step onto lava saves
  >%# recover=25 => move_right .># health=1 => wait*2 .># => move_right .># health=0
"""

COLLECTING = """
Collecting takes the material
  >T wood=3 => do >. 0.999999 wood=4 collect_wood=1
  ># stone=3 wood_pickaxe=1 => do >_ 0.5 stone=4 collect_stone=1
  >c coal=3 wood_pickaxe=1 => do >_ 0.5 coal=4 collect_coal=1
  >i iron=3 stone_pickaxe=1 => do >_ 0.5 iron=4 collect_iron=1
  >d diamond=3 iron_pickaxe=1 => do >_ 0.5 diamond=4 collect_diamond=1
  >~ drink=5 thirst=20 => do >~ 0.5 drink=6 collect_drink=1 thirst=1
Collecting needs the tool
  ># stone_pickaxe=9 iron_pickaxe=9 => do >#
  >c stone_pickaxe=9 iron_pickaxe=9 => do >c
  >i wood_pickaxe=9 iron_pickaxe=9 => do >i
  >d wood_pickaxe=9 stone_pickaxe=9 => do >d
Collecting more than nine takes the material in vain
  >T wood=9 => do >. 0.5 collect_wood=1 collected.gain=0
  ># stone=9 wood_pickaxe=1 => do >_ 0.5 collect_stone=1 collected.gain=0
  >. sapling=9 => do >. LUCKY collect_sapling=1 collected.gain=0
  >~ => do >~ 0.5 collect_drink=1 collected.gain=0
Nothing can be collected from other materials
  >, wood_pickaxe=1 stone_pickaxe=1 iron_pickaxe=1 => do >,
  > wood_pickaxe=1 stone_pickaxe=1 iron_pickaxe=1 => do >
Grass gives a sapling in one of ten tries
  >. => do >. UNLUCKY => do >. LUCKY sapling=1 collect_sapling=1
Actions apply to the cell faced before the step
  v~/T. => do v~/.. 0.5 wood=1 collect_wood=1 => move_right >~/..
    => do >~/.. 0.5 collect_drink=1
  ..>/... stone=2 => move_left .<./... => place_stone #<./... stone=1 place_stone=1
    => move_left #<./... => move_down #../.v.
"""

MAKING = """
Making needs every item and every station, and uses up the items
  t../.v. wood=9 => make_wood_pickaxe t../.v. wood=8 wood_pickaxe=1 make_wood_pickaxe=1
  t../.v. wood=9 stone=9 => make_stone_sword t../.v. wood=8 stone=8 stone_sword=1
    make_stone_sword=1
  t../.vf wood=9 coal=9 iron=9 => make_iron_pickaxe t../.vf wood=8 coal=8 iron=8
    iron_pickaxe=1 make_iron_pickaxe=1
  f../.v. wood=9 stone=9 coal=9 iron=9 => make_wood_pickaxe f../.v.
    => make_wood_sword f../.v. => make_stone_pickaxe f../.v. => make_stone_sword f../.v.
    => make_iron_pickaxe f../.v. => make_iron_sword f../.v.
  t../.v. wood=9 stone=9 coal=9 iron=9 => make_iron_pickaxe t../.v.
    => make_iron_sword t../.v.
  t../.vf wood=9 coal=9 => make_stone_pickaxe t../.vf => make_stone_sword t../.vf
    => make_iron_pickaxe t../.vf => make_iron_sword t../.vf
Making counts where nine are owned
  t../.v. wood=2 wood_sword=9 => make_wood_sword t../.v. wood=1 make_wood_sword=1
Nothing is near at the left and upper edge
  vt./.../... wood=1 => make_wood_sword vt./.../...
  .v./.t./... wood=1 => make_wood_sword .v./.t./...
  .../v../t.. wood=1 => make_wood_sword .../v../t..
  .../.vt/... wood=1 => make_wood_sword .../.vt/... wood=0 wood_sword=1
    make_wood_sword=1
  .../..v/.t. wood=1 => make_wood_sword .../..v/.t. wood=0 wood_sword=1
    make_wood_sword=1
  .../.t./.v. wood=1 => make_wood_sword .../.t./.v. wood=0 wood_sword=1
    make_wood_sword=1
  .../.t./..v wood=1 => make_wood_sword .../.t./..v wood=0 wood_sword=1
    make_wood_sword=1
"""

FIGHTS = """
A cow is eaten in three hits
  >C# food=2 hunger=20 => do*2 >C# STAYS => do >.# STAYS food=8 eat_cow=1 hunger=1
  >C food=7 cow.health=1 => do >. STAYS food=9 eat_cow=1 ate.gain=2 ate.what=cow
A zombie is defeated in five hits, a skeleton in three
  >Z zombie.cooldown=5 => do*4 >Z CHASE LONG => do >. CHASE LONG defeat_zombie=1
  >S# => do*2 >S# 0 KEEP LEAVE REST => do >_# 0 KEEP LEAVE REST defeat_skeleton=1
The best sword counts
  >C frozen=1 cow.health=20 => do >C cow.health=19
  >C frozen=1 cow.health=20 wood_sword=1 => do >C cow.health=18
  >C frozen=1 cow.health=20 stone_sword=1 wood_sword=1 => do >C cow.health=17
  >C frozen=1 cow.health=20 iron_sword=1 wood_sword=1 stone_sword=1
    => do >C cow.health=15
  >C frozen=1 cow.health=20 wood_pickaxe=1 iron_pickaxe=1 => do >C cow.health=19
A ripe plant is eaten and stays; an unripe one is left alone
  >R food=3 hunger=20 => do >P food=7 eat_plant=1 hunger=21 plant.grown=1 plant.health=1
  >P iron_sword=1 => do*2 >P plant.health=1
Nothing happens to an arrow: it leaves the map by itself
  >↑ => do >_
"""

LIFE = """
Sleep needs tiredness
  v => sleep v
  v energy=8 => sleep z
  z energy=9 => sleep v wake_up=1 rejected.reason=not_tired
Sleep replaces every action until energy is full
  z. energy=8 wood=9 => move_right z. action=sleep => place_table z. action=sleep
    => do z. action=sleep fatigue=-3
  z. energy=8 fatigue=-10 => wait z. energy=9 action=sleep
    => move_right .> action=move_right wake_up=1
The pace of sleep begins in the step of falling asleep
  v energy=5 fatigue=7 => sleep z hunger=0.5 thirst=0.5 fatigue=0 recover=2
Hunger and thirst wake without counting
  z energy=3 food=0 recover=-15 => wait v health=8 woke.cause=hurt
  z energy=3 drink=0 recover=-15 => wait v health=8 woke.cause=hurt
One point is enough for recovery
  v food=1 => wait v recover=1
  v drink=1 => wait v recover=1
  v energy=1 => wait v recover=1
  z energy=5 => wait z recover=2
  v food=0 => wait v recover=-1
  z food=0 energy=5 => wait z recover=-0.5
Two achievements in one step are rewarded as one
  zT facing=[1,0] energy=9 => do >. 0.5 wood=1 wake_up=1 collect_wood=1 reward=1
An achievement is rewarded once
  >~ => do >~ 0.5 collect_drink=1 reward=1 => do*2 >~ 0.5 collect_drink=3 reward=0
Health is rewarded and added to an achievement
  Z>~ => do Z>~ 0.5 CHASE LONG health=7 collect_drink=1 reward=0.8
Death is decided at the end of the step: the cow, which comes later, still acts
  <Z.C health=2 => wait <ZC. CHASE LONG MOVES LEFT health=0 terminated=True
"""

COWS = """
A cow moves every other time
  v..../..C../..... => wait v..../.C.../..... MOVES LEFT
    => wait v..../.C.../..... STAYS => wait v..../..C../..... MOVES RIGHT
    => wait v.C../...../..... MOVES UP => wait v..../..C../..... MOVES DOWN
    => wait v..../...../..C.. MOVES DOWN => wait v..../...../..C.. MOVES DOWN
A creature does not enter the cell of another object
  <CC => wait <CC MOVES LEFT MOVES LEFT
A dead cow draws once more
  v../.C./... cow.health=0 => wait v../.../... MOVES RIGHT => wait v../.../...
  v../.C./... cow.health=0 => wait v../.../... STAYS
Objects act in the order of their index: both cows want the cell between them
  v##C.C => wait v##.CC MOVES RIGHT MOVES LEFT
Objects act within 18 cells of where the player has gone
  v................C. => wait v................C. STAYS
  v.................C. => wait v.................C.
  v.................C => move_right .>................C STAYS
    => move_left <.................C
  v.................PZ zombie.cooldown=3 => wait v.................PZ plant.grown=0
    zombie.cooldown=3
"""

ZOMBIES = """
A zombie chases within eight cells
  v.......Z => wait v......Z. CHASE LONG events=[]
  v........Z => wait v........Z RIGHT
  v........Z => wait v.......Z. LEFT events=[]
A zombie wanders in one of ten steps
  v..Z. => wait v...Z WANDER RIGHT
A zombie chases along the longer or the shorter axis
  v.../..../...Z => wait v.../..../..Z. CHASE LONG
  v.../..../...Z => wait v.../...Z/.... CHASE SHORT
  v../.../.../..Z => wait v../.../..Z/... CHASE LONG
  v../.../.../..Z => wait v../.../.../.Z. CHASE SHORT
At equal distances y is the long axis, and in line there is no short one
  v../.../..Z => wait v../..Z/... CHASE LONG
  v../.../..Z => wait v../.../.Z. CHASE SHORT
  v.Z/... => wait v.Z/... CHASE SHORT
A zombie sees where the player has just gone
  .>.......Z => move_right ..>.....Z. CHASE LONG
  ..v......Z. => move_left .<.......Z. WANDER UP
  .v.......Z. => move_left <.......Z.. LEFT
A zombie strikes at once and then every sixth step
  >Z => wait >Z CHASE LONG health=7 => wait*5 >Z CHASE LONG
    => wait >Z CHASE LONG health=5 => wait*2 >Z CHASE LONG => wait >Z CHASE LONG 0.4
A zombie strikes in the step in which it arrives, from every side, not diagonally
  >.Z => wait >Z. CHASE LONG health=7
  v.Z => wait vZ. WANDER LEFT health=7
  .../Zv./... => wait .../Zv./... CHASE LONG health=7
  .Z./.v./... => wait .Z./.v./... CHASE LONG health=7
  .../.v./.Z. => wait .../.v./.Z. CHASE LONG health=7
  v./.Z => wait v./.Z WANDER DOWN
The cooldown passes only beside the player
  >.Z# zombie.cooldown=2 => wait*2 >.Z# WANDER RIGHT zombie.cooldown=2
    => wait*2 >Z.# CHASE LONG zombie.cooldown=0
    => wait >Z.# CHASE LONG zombie.cooldown=5 health=7
A sleeper loses seven and sleeps one step longer
  zZ energy=5 => wait zZ CHASE LONG health=2 => move_left vZ CHASE LONG action=sleep
    => move_left <Z CHASE LONG
  zZ energy=8 fatigue=-10 => wait zZ CHASE LONG energy=9 health=2
    => move_left <Z CHASE LONG action=move_left wake_up=1
  >Z energy=5 => sleep zZ CHASE LONG health=2
A dead zombie strikes once more and stays at its distance
  >Z iron_sword=1 => do >. CHASE LONG health=7 defeat_zombie=1 => wait >.
  >.Z. zombie.health=0 => wait >... CHASE LONG
  >Z. zombie.health=0 => wait >.. WANDER RIGHT health=7
"""

SKELETONS = """
A skeleton retreats within three cells
  >__S_ => wait >___S AXIS
  >S___ => wait >_S__ AXIS
  >___S_ => wait >___S_ KEEP LEAVE REST
A skeleton retreats along either axis, but not along the other one in line
  v___/__S_/____ => wait v___/___S/____ AXIS
  v___/__S_/____ => wait v___/____/__S_ OTHER
  >__S_/_____ => wait >__S_/_____ OTHER KEEP LEAVE REST
A cornered skeleton shoots, and then reloads for four steps without another branch
  >__S# under=path => wait >_←S# AXIS SHOOT => wait >←_S# AXIS SHOOT
    => wait >__S# AXIS SHOOT health=7 => wait >__S# AXIS SHOOT => wait >_←S# AXIS SHOOT
  v____S skeleton.reload=4 => wait v____S SHOOT skeleton.reload=3
    => wait*2 v____S SHOOT skeleton.reload=1 => wait v___←S SHOOT skeleton.reload=4
A skeleton shoots within five cells
  >____S => wait >___←S SHOOT
  >_____S => wait >____S_ HUNT AXIS
A skeleton shoots along the longer axis, and the arrow waits a step
  v____/___S_ => wait v____/__←S_ SHOOT
  v__/___/__S => wait v__/__↑/__S SHOOT
  __S/___/v__ => wait __S/__↓/v__ SHOOT
  S____v => wait S→___v SHOOT => wait S_→__v SHOOT
Arrows do not start on objects
  >___CS => wait >___CS STAYS SHOOT skeleton.reload=0
A skeleton hunts within eight cells
  >_______S => wait >______S_ HUNT AXIS
  >___S => wait >__S_ KEEP HUNT AXIS
  >________S => wait >________S REST
  v____/___S_ => wait v__S_/_____ KEEP HUNT OTHER
  >_______S => wait >_______S LEAVE REST
A skeleton roams now and then
  >________S_ => wait >_________S ROAM RIGHT
  >_______S_ => wait >________S LEAVE ROAM RIGHT
  >____S_ => wait >_____S KEEP LEAVE ROAM RIGHT
A skeleton leaves its tunnel
  >__S. under=sand => wait >__,S AXIS
A dead skeleton shoots once more, and may think that it retreats to its own free cell
  >____S_ skeleton.health=0 => wait >___←__ SHOOT => wait >__←___
  >__S_ skeleton.health=0 => wait >____ AXIS
  >__S_ skeleton.health=0 => wait >____ OTHER
  >__S# skeleton.health=0 => wait >_←_# AXIS SHOOT
"""

ARROWS_AND_PLANTS = """
An arrow flies straight on to the edge
  v..../..→.. => wait v..../.._→. arrow.texture=arrow-right => wait v..../.._.→
    => wait v..../.._.. arrow_stopped.by=edge
  v.../..←. => wait v.../.←_. arrow.texture=arrow-left
  v../.../.↑. => wait v../.↑./._. arrow.texture=arrow-up
  v../.↓./... => wait v../._./.↓. arrow.texture=arrow-down
An arrow hurts the player, asleep or awake
  >_← => wait >←_ => wait >__ health=7 hurt.by=[arrow] arrow_stopped.by=player
  z← energy=3 => wait z_ health=7 => wait v_
Arrows end at arrows; the first flies on
  v#→←_ => wait v#←__
What an arrow kills is not the player's, unless it is struck once more
  >_C← cow.health=2 => wait >_C_ STAYS => wait >_._ MOVES LEFT
  >C← food=1 cow.health=2 => wait >C_ STAYS => do >._ STAYS food=7 eat_cow=1 hit.left=0
A plant grows from the step after it was placed
  >. sapling=1 => place_plant >P sapling=0 place_plant=1 plant.grown=0
    => wait >P plant.grown=1 plant.health=1
A plant ripens after 300 steps
  #vP plant.grown=299 => wait #vP plant.grown=300 plant.texture=plant
    => wait #vR plant.texture=plant-ripe events=[plant_ripe]
Several creatures do the damage of one
  v..../.CPC./..C.. plant.health=2 => wait v..../.CPC./..C.. STAYS STAYS STAYS
    plant.health=1
Diagonal creatures, players and arrows do not trample
  C.C./.P<./C↑C. frozen=1 => wait C.C./.P<./C↑C.
A plant goes one step after an arrow hit it
  v#P← => wait v#P_ => wait v#._ plant_lost.by=arrow
"""


@pytest.mark.parametrize(
    "films",
    [
        *scenes(PLAYER),
        *scenes(COLLECTING),
        *scenes(MAKING),
        *scenes(FIGHTS),
        *scenes(LIFE),
        *scenes(COWS),
        *scenes(ZOMBIES),
        *scenes(SKELETONS),
        *scenes(ARROWS_AND_PLANTS),
    ],
)
def test_films(films):
    for film in films:
        show(film)


# The same on every material, and beside every cell.

OPEN = ["grass", "path", "sand"]


@pytest.mark.parametrize("material", constants.materials)
def test_what_moves_where(material):
    char, passable = MATERIALS[material], material in OPEN
    env = draw_world("v" + char)
    assert act(env, "move_right").terminated == (material == "lava")
    assert env.player.x == (passable or material == "lava")
    draws = {"C": "MOVES RIGHT", "Z": "RIGHT", "S": "ROAM RIGHT"}
    for creature in draws:
        after = "." + creature if passable else creature + char
        under = "_" if creature == "S" else "."
        after = after.replace(".", under) if passable else after
        row = "#########v"
        show(f"{creature}{char}{row} => wait {after}{row} {draws[creature]}")
    flies = passable or material in ("water", "lava")
    left = "_" if material in ("table", "furnace") else char
    frames = "wait v#←_ => " if flies else ""
    show(f"v#{char}← => {frames}wait v#{left}_")
    reload = "skeleton.reload=4" if flies else "skeleton.reload=0"
    after = "←" if flies else char
    show(f">___{char}S => wait >___{after}S SHOOT {reload}")


PLACE = {
    "stone": ("stone", 1, [*OPEN, "water", "lava"]),
    "table": ("wood", 2, OPEN),
    "furnace": ("stone", 4, OPEN),
    "plant": ("sapling", 1, ["grass"]),
}


@pytest.mark.parametrize("name", PLACE)
def test_placing_needs_items_and_a_free_cell_of_a_material(name):
    item, amount, where = PLACE[name]
    symbol, act = MATERIALS.get(name, "P"), f"place_{name}"
    show(f">. {item}={amount - 1} => {act} >.")
    show(f">. {item}={amount} => {act} >{symbol} {item}=0 {act}=1")
    show(f"> {item}=9 => {act} >")
    for char in "CZSP→":
        show(f">{char}# under=grass frozen=1 {item}=9 => {act} >{char}#")
    for material, char in MATERIALS.items():
        if material in where:
            left = 9 - amount
            env = show(f">{char} {item}=9 => {act} >{symbol} {item}={left} {act}=1")
            assert env.world[1, 0][0] == ("grass" if name == "plant" else name)
        else:
            show(f">{char} {item}=9 => {act} >{char}")


@pytest.mark.parametrize("char,left", [("C", 1), ("Z", 3), ("S", 1), ("P", 0)])
def test_an_arrow_hurts_whatever_is_in_the_way(char, left):
    env = draw_world(f"v##{char}←")
    thing = env.world[3, 0][1]
    thing.update = lambda: None
    act(env, "noop")
    assert thing.health == left
    assert kinds(env) == [thing.kind]


@pytest.mark.parametrize("char", KINDS.values())
@pytest.mark.parametrize("side", constants.directions)
def test_a_creature_beside_a_plant_tramples_it(char, side):
    rows = [list("....."), list("....."), list("..P.."), list("....."), list("v....")]
    dx, dy = constants.directions[side]
    rows[2 + dy][2 + dx] = char
    env = draw_world(" ".join("".join(row) for row in rows))
    creature = env.world[2 + dx, 2 + dy][1]
    creature.update = lambda: None
    act(env, "noop")
    assert kinds(env) == [creature.kind]
    assert env.world[2, 2] == ("grass", None)


# The pace of life: amounts in the steps in which one of them changes.

PACE = """
#v# => food 26 8 52 7 78 6
#v# => drink 21 8 42 7 63 6 84 5
#v# => energy 31 8 62 7
#v# => health
#z# energy=1 => food 51 8
#z# energy=1 => drink 41 8 82 7
#z# energy=1 => energy 11 2 22 3 33 4 44 5 55 6 66 7 77 8 88 9
#z# energy=1 fatigue=30 => energy 12 2 23 3 34 4 45 5 56 6 67 7 78 8 89 9
#z# energy=1 fatigue=1 => energy 12 2 23 3 34 4 45 5 56 6 67 7 78 8 89 9
#z# energy=1 fatigue=-5 => energy 6 2 17 3 28 4 39 5 50 6 61 7 72 8 83 9
#v# health=1 => health 26 2 52 3 78 4
#z# health=1 energy=1 => health 13 2 26 3 39 4 52 5 65 6 78 7
#v# food=0 => health 16 8 32 7 48 6 64 5 80 4
#v# drink=0 => health 16 8 32 7 48 6 64 5 80 4
#v# energy=0 => health 16 8 32 7 48 6 64 5 80 4
#z# food=0 energy=1 => health 31 8
#z# drink=0 energy=1 => health 31 8
#z# energy=0 health=5 => health 13 6 26 7 39 8 52 9
#v# food=0 health=5 recover=20 => health 36 4 52 3 68 2 84 1
#v# health=5 recover=-15 => health 41 6 67 7
"""


@pytest.mark.parametrize("line", PACE.strip().splitlines())
def test_the_pace_of_life(line):
    start, expected = line.split("=>")
    item, *expected = expected.split()
    env = show(start)
    found, amount = [], env.player.inventory[item]
    asleep = env.player.sleeping
    for step, result in enumerate(live(env, 90), 1):
        new = result.info["inventory"][item]
        found += [step, new] if new != amount else []
        amount = new
        if env.player.sleeping != asleep:
            break
    assert found == list(map(int, expected))


def test_starvation_kills():
    env = draw_world("#v#", inventory=dict.fromkeys(["food", "drink", "energy"], 0))
    results = list(live(env, 144))
    assert [r.terminated for r in results] == [False] * 143 + [True]
    lacks = ["hunger", "thirst", "fatigue"]
    assert results[-1].events("died") == [{"type": "died", "by": lacks}]


def test_too_much_of_anything_is_cut_off_in_the_same_step():
    env = draw_world("#v#")
    env.player.inventory.update(dict.fromkeys(env.player.inventory, 12))
    act(env, "noop")
    assert set(env.player.inventory.values()) == {9}


# What the pictures cannot say.


def test_objects_act_in_the_order_of_their_index():
    env = draw_world("v##..C")
    env.world.add(Cow(env.world, (3, 0), env.player))
    play(env, ("noop", "v##CC.", 0.4, LEFT, 0.4, RIGHT))


def test_the_distance_follows_the_larger_side_of_the_view():
    env = crafter.Env(area=(30, 1), size=(44, 44), view=(11, 9))
    for distance, near in [(21, True), (22, False)]:
        env.reset(seed=0, options={"map": ["@" + "." * 29]})
        env.world.add(Cow(env.world, (distance, 0), env.player))
        act(env, "noop", *[0.5] * near)


def test_moving_nowhere_fails_except_for_the_removed():
    env = draw_world("v.C")
    cow = the(env, "cow")
    assert not cow.move((0, 0))
    env.world.remove(cow)
    assert cow.move((0, 0))
    assert cow.move((-1, 0))
    assert cow.position == (2, 0)
    assert not cow.move((1, 0))
    assert board(env) == "v.."

"""The updates of cows, zombies, skeletons, arrows and plants, all at once.

In the game objects act one after the other in index order, each seeing what the
earlier ones did. Here all act together on a guess of what the others do, and again
on the result, until nothing changes. What an object does depends on earlier ones only,
so that there is one such fixed point: the game's. After n rounds all is right to which
n - 1 objects or fewer lead; two or three rounds are mostly enough.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter import constants
from crafter.batch import tables as t
from crafter.batch.jax import world
from crafter.batch.jax.player import Deed
from crafter.batch.jax.state import Config, State
from crafter.batch.jax.world import Added, Near, look_up

_COW, _ZOMBIE, _SKELETON = t.KIND["cow"], t.KIND["zombie"], t.KIND["skeleton"]
_ARROW, _PLANT = t.KIND["arrow"], t.KIND["plant"]
_RULES = constants.creatures
_C, _Z, _S = _RULES["cow"], _RULES["zombie"], _RULES["skeleton"]
_A, _P = _RULES["arrow"], _RULES["plant"]
_NAMES = constants.semantic_names
_A_DESTROYS = np.array([n in _A["destroys"] for n in _NAMES[: t.MATERIALS]])
_A_LEAVES: int = t.MATERIAL[_A["leaves"]]
_P_ENEMIES = np.array([name in _P["enemies"] for name in _NAMES])
#: Materials that each kind may enter, as bits.
_WALKABLE = (t.WALKABLE * (1 << np.arange(t.MATERIALS))).sum(1).astype(np.int32)

#: How many numbers an object may draw in a step.
DRAWS = 5
#: How many objects can be added in one step: a plant, and arrows.
MOST_ADDED = 16

# What objects find at their turn, as bits.
_TAKEN_1, _TAKEN_2, _ENEMY, _BROKEN_1, _BROKEN_2 = (1 << i for i in range(5))


class Plan(NamedTuple):
    """What objects want to do, whatever the others do; arrays of shape (K,).

    Attributes:
      acts: Whether it is near enough to act.
      at: Cell in which it stands, -1 for none.
      first: Cell to try first, -1 for none: where a skeleton retreats.
      second: Cell to try if the first is not free, -1 for none or outside.
      shoots: Whether it shoots into the second cell.
      facing: Direction of the second cell.
      goer: What enters the second cell: its own kind, or an arrow.
      hits_before: How many arrows hit it before its turn.
    """

    acts: jax.Array
    at: jax.Array
    first: jax.Array
    second: jax.Array
    shoots: jax.Array
    facing: jax.Array
    goer: jax.Array
    hits_before: jax.Array


class Outcome(NamedTuple):
    """What objects did; cells of shape (K,), -1 for none.

    Attributes:
      at: Where it stands after its update.
      arrow: Where it put an arrow.
      broke: Which cell it laid open.
      enemy: 1 if an enemy stood next to it, int32.
    """

    at: jax.Array
    arrow: jax.Array
    broke: jax.Array
    enemy: jax.Array


def update(
    config: Config,
    state: State,
    near: Near,
    counts: jax.Array,
    deed: Deed,
    draws: jax.Array,
) -> State:
    """Lets the objects near the player act, and writes them to the state.

    Args:
      config: What is fixed.
      state: The game after the player's update.
      near: The objects.
      counts: What `world.near` returned with them.
      deed: What the player did.
      draws: Numbers in [0, 1), float32 (K, DRAWS); row k is for object k.
    """
    near = _count_time(config, state, near)
    plan = _plan(config, state, near, draws)
    planted = jnp.where(deed.plants, world.cell(config, deed.x, deed.y), -2)
    outcome = _settle(config, state, near, plan, planted)
    joined = state.next_joined + 1 + np.arange(config.near, dtype=np.int32)
    added = _added(config, state, near, plan, outcome, deed, joined)
    state, near = _strike(config, state, near, plan, outcome)
    near = _wound(near, plan, outcome)
    near, chunks = _moved(config, near, outcome, joined)
    new = world.chunk_of(config, added.x, added.y)
    new = jnp.where(np.arange(MOST_ADDED) < added.count, new, -1)
    broken = jnp.where(outcome.broke >= 0, outcome.broke, state.materials.size)
    materials = state.materials.reshape(-1).at[broken].set(_A_LEAVES, mode="drop")
    state = state._replace(
        materials=materials.reshape(config.area),
        chunk_joined=world.join_chunks(
            config,
            state.chunk_joined,
            jnp.append(chunks, new),
            jnp.append(joined, added.joined),
        ),
        next_joined=state.next_joined + config.near + 1,
    )
    return world.write(config, state, near, counts, added)


def _offset(state: State, near: Near) -> tuple[jax.Array, jax.Array]:
    return state.player_x - near.x, state.player_y - near.y


def _acts(config: Config, state: State, near: Near) -> jax.Array:
    dx, dy = _offset(state, near)
    return (near.kind > 0) & (abs(dx) + abs(dy) < config.reach)


def _count_time(config: Config, state: State, near: Near) -> Near:
    """Lets skeletons reload and plants grow."""
    acts = _acts(config, state, near)
    change = (acts & (near.kind == _PLANT)).astype(jnp.int32)
    reloads = acts & (near.kind == _SKELETON) & (near.counter > 0)
    return near._replace(counter=near.counter + change - reloads.astype(jnp.int32))


def _toward(
    dx: jax.Array, dy: jax.Array, long_axis: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the step along one axis toward what is (dx, dy) away."""
    along_x = (abs(dx) > abs(dy)) == long_axis
    return jnp.where(along_x, jnp.sign(dx), 0), jnp.where(along_x, 0, jnp.sign(dy))


def _below(draw: jax.Array, chance: float) -> jax.Array:
    """Tells whether draws are below a chance, as in double precision."""
    limit = np.float32(chance)
    return draw < (np.nextafter(limit, np.float32(2)) if limit < chance else limit)


def _plan(config: Config, state: State, near: Near, draws: jax.Array) -> Plan:
    """Decides what objects try.

    Draws: a skeleton retreats (0, the axis), shoots (1), chases (2) or wanders (4); a
    zombie chases (0) or wanders; a cow moves (0). Number 3 is the way to go: the axis
    of a chase, or the direction.
    """
    kind, acts = near.kind, _acts(config, state, near)
    is_zombie, is_skeleton = kind == _ZOMBIE, kind == _SKELETON
    dx, dy = _offset(state, near)
    distance = abs(dx) + abs(dy)
    u0, u1, u2, u3, u4 = (draws[:, i] for i in range(DRAWS))

    back_x, back_y = _toward(dx, dy, _below(u0, _S["long_axis_chance"]))
    retreats = acts & is_skeleton & (distance <= _S["retreat_distance"])
    first = world.cell(config, near.x - back_x, near.y - back_y)

    aims = is_skeleton & (distance <= _S["shoot_distance"])
    aims &= _below(u1, _S["shoot_chance"])
    hunts = is_skeleton & (distance <= _S["sight"]) & _below(u2, _S["chase_chance"])
    strays = is_skeleton & ~aims & ~hunts & _below(u4, _S["wander_chance"])
    chases = is_zombie & (distance <= _Z["sight"]) & _below(u0, _Z["chase_chance"])
    strays |= (is_zombie & ~chases) | ((kind == _COW) & _below(u0, _C["move_chance"]))
    long_axis = aims | jnp.where(
        is_zombie,
        _below(u3, _Z["long_axis_chance"]),
        _below(u3, _S["long_axis_chance"]),
    )
    ahead_x, ahead_y = _toward(dx, dy, long_axis)
    is_arrow = kind == _ARROW
    way = jnp.where(is_arrow, near.facing, (u3 * 4).astype(jnp.int32))
    approaches = aims | hunts | chases
    step_x = jnp.where(approaches, ahead_x, look_up(world.DIRECTIONS[:, 0], way))
    step_y = jnp.where(approaches, ahead_y, look_up(world.DIRECTIONS[:, 1], way))
    loaded = (near.counter == 0) & ((step_x != 0) | (step_y != 0))
    tries = acts & jnp.where(aims, loaded, approaches | strays | is_arrow)
    second = world.cell(config, near.x + step_x, near.y + step_y)
    second = jnp.where(tries, second, -1)

    at = jnp.where(kind > 0, world.cell(config, near.x, near.y), -1)
    earlier = np.tri(config.near, k=-1, dtype=bool)
    flown = jnp.where(is_arrow & acts, second, -2)
    hits = (flown[None, :] == at[:, None]) & earlier
    along_x = jnp.where(step_x > 0, t.RIGHT, t.LEFT)
    along_y = jnp.where(step_y > 0, t.DOWN, t.UP)
    return Plan(
        acts=acts,
        at=at,
        first=jnp.where(retreats, first, -1),
        second=second,
        shoots=acts & aims,
        facing=jnp.where(step_x != 0, along_x, along_y),
        goer=jnp.where(aims, _ARROW, kind),
        hits_before=hits.sum(1, dtype=jnp.int32),
    )


def _settle(
    config: Config, state: State, near: Near, plan: Plan, planted: jax.Array
) -> Outcome:
    """Finds out what all objects do."""
    here = world.cell(config, state.player_x, state.player_y)
    health = near.health - _A["damage"] * plan.hits_before
    dead = plan.acts & (near.kind != _ARROW) & (near.kind != _PLANT) & (health <= 0)
    ground = world.material_at(config, state, jnp.stack([plan.first, plan.second]))
    walkable = jnp.stack([look_up(_WALKABLE, k) for k in (near.kind, plan.goer)])
    opened = (walkable >> ground) & 1 == 1
    once_broken = (walkable >> _A_LEAVES) & 1 == 1
    breakable = plan.acts & (near.kind == _ARROW) & look_up(_A_DESTROYS, ground[1])
    order = np.arange(config.near)
    later = order[:, None] < order[None, :]
    itself = (order[:, None] == order[None, :]) & ~dead[:, None]
    enemies = look_up(_P_ENEMIES, near.kind)
    fixed = _meet(config, plan, plan.at, later | itself, enemies)
    for bit, target in ((_TAKEN_1, plan.first), (_TAKEN_2, plan.second)):
        taken = (target == here) | (target == planted)
        fixed |= jnp.where(taken, bit, 0)
    earlier = np.tri(config.near, k=-1, dtype=bool)

    def act(outcome: Outcome) -> Outcome:
        found = fixed | _meet(config, plan, outcome.at, earlier, enemies)
        found |= _meet_rare(plan, outcome, earlier)
        open_1 = opened[0] | (((found & _BROKEN_1) > 0) & once_broken[0])
        open_2 = opened[1] | (((found & _BROKEN_2) > 0) & once_broken[1])
        taken_2 = (found & _TAKEN_2) > 0
        free_1 = (plan.first >= 0) & open_1 & ((found & _TAKEN_1) == 0)
        free_2 = (plan.second >= 0) & open_2 & ~taken_2 & ~free_1
        enemy = ((found & _ENEMY) > 0).astype(jnp.int32)
        is_arrow, is_plant = near.kind == _ARROW, near.kind == _PLANT
        trampled = is_plant & (health - _P["damage"] * enemy <= 0)
        gone = dead | (plan.acts & (trampled | (is_arrow & ~free_2)))
        moved = jnp.where(free_2 & ~plan.shoots, plan.second, plan.at)
        moved = jnp.where(free_1, plan.first, moved)
        breaks = breakable & ~taken_2 & ~free_2
        return Outcome(
            at=jnp.where(gone, -1, moved),
            arrow=jnp.where(plan.shoots & free_2, plan.second, -1),
            broke=jnp.where(breaks, plan.second, -1),
            enemy=enemy,
        )

    def again(carry: tuple[Outcome, jax.Array]) -> tuple[Outcome, jax.Array]:
        outcome = act(carry[0])
        same = [(new == old).all() for new, old in zip(outcome, carry[0])]
        return outcome, ~(same[0] & same[1] & same[2] & same[3])

    nothing = jnp.full_like(plan.at, -1)
    guess = act(Outcome(plan.at, nothing, nothing, nothing))
    outcome, _ = jax.lax.while_loop(lambda c: c[1], again, (guess, jnp.bool_(True)))
    return outcome


def _or_all(bits: jax.Array) -> jax.Array:
    return jax.lax.reduce(bits, np.int32(0), jax.lax.bitwise_or, (1,))


def _meet(
    config: Config,
    plan: Plan,
    at: jax.Array,
    mask: np.ndarray | jax.Array,
    enemies: jax.Array,
) -> jax.Array:
    """Tells which objects are in the way of others, or next to them.

    Args:
      config: What is fixed.
      plan: What objects want to do.
      at: Cell of every object, -1 for none.
      mask: Whether object k meets object j, bool (k, j).
      enemies: Which objects are enemies of plants.

    Returns:
      Bits of what object k finds, int32.
    """
    columns, rows = at // config.area[1], at % config.area[1]
    x, y = plan.at // config.area[1], plan.at % config.area[1]
    apart = abs(columns[None, :] - x[:, None]) + abs(rows[None, :] - y[:, None])
    beside = (apart == 1) & (enemies & (at >= 0))[None, :]
    there = jnp.where(at >= 0, at, -2)[None, :]
    bits = jnp.where(plan.first[:, None] == there, _TAKEN_1, 0)
    bits |= jnp.where(plan.second[:, None] == there, _TAKEN_2, 0)
    bits |= jnp.where(beside, _ENEMY, 0)
    return _or_all(jnp.where(mask, bits, 0))


def _meet_rare(plan: Plan, outcome: Outcome, mask: np.ndarray) -> jax.Array:
    """Tells which objects meet new arrows or cells laid open; as `_meet`."""
    arrow = jnp.where(outcome.arrow >= 0, outcome.arrow, -2)[None, :]
    broke = jnp.where(outcome.broke >= 0, outcome.broke, -2)[None, :]
    first, second = plan.first[:, None], plan.second[:, None]
    bits = jnp.where(first == arrow, _TAKEN_1, 0)
    bits |= jnp.where(second == arrow, _TAKEN_2, 0)
    bits |= jnp.where(first == broke, _BROKEN_1, 0)
    bits |= jnp.where(second == broke, _BROKEN_2, 0)
    return _or_all(jnp.where(mask, bits, 0))


def _strike(
    config: Config, state: State, near: Near, plan: Plan, outcome: Outcome
) -> tuple[State, Near]:
    """Lets arrows and zombies take health from the player, who has not moved since."""
    at = jnp.where(outcome.at >= 0, outcome.at, plan.at)
    dx = state.player_x - at // config.area[1]
    dy = state.player_y - at % config.area[1]
    reaches = plan.acts & (near.kind == _ZOMBIE) & (abs(dx) + abs(dy) <= _Z["reach"])
    strikes = reaches & (near.counter == 0)
    here = world.cell(config, state.player_x, state.player_y)
    pierces = plan.acts & (near.kind == _ARROW) & (plan.second == here)
    damage = jnp.where(state.sleeping, _Z["damage_asleep"], _Z["damage"])
    lost = damage * strikes.sum(dtype=jnp.int32)
    lost += _A["damage"] * pierces.sum(dtype=jnp.int32)
    health = jnp.maximum(state.inventory[t.HEALTH] - lost, 0)
    is_health = np.arange(len(t.ITEMS)) == t.HEALTH
    counter = near.counter - reaches.astype(jnp.int32)
    counter = jnp.where(strikes, _Z["cooldown"], counter)
    counter = jnp.where(outcome.arrow >= 0, _S["reload"], counter)
    inventory = jnp.where(is_health, health, state.inventory)
    return state._replace(inventory=inventory), near._replace(counter=counter)


def _wound(near: Near, plan: Plan, outcome: Outcome) -> Near:
    """Takes health from objects that were hit or trampled."""
    later = ~np.tri(len(near.kind), dtype=bool)
    there = jnp.where(outcome.at >= 0, outcome.at, -3)
    hits = (_flown(near, plan)[None, :] == there[:, None]) & later
    lost = _A["damage"] * (plan.hits_before + hits.sum(1, dtype=jnp.int32))
    tramples = plan.acts & (near.kind == _PLANT) & (outcome.enemy > 0)
    lost += jnp.where(tramples, _P["damage"], 0)
    return near._replace(health=jnp.maximum(near.health - lost, 0))


def _flown(near: Near, plan: Plan) -> jax.Array:
    """Returns the cells at which arrows fly, -2 for none."""
    return jnp.where(plan.acts & (near.kind == _ARROW), plan.second, -2)


def _moved(
    config: Config, near: Near, outcome: Outcome, joined: jax.Array
) -> tuple[Near, jax.Array]:
    """Puts objects where they went; returns also the chunks that they joined."""
    gone = outcome.at < 0
    x = jnp.where(gone, near.x, outcome.at // config.area[1])
    y = jnp.where(gone, near.y, outcome.at % config.area[1])
    new = world.chunk_of(config, x, y)
    joins = new != world.chunk_of(config, near.x, near.y)
    near = near._replace(
        kind=jnp.where(gone, 0, near.kind),
        x=x,
        y=y,
        joined=jnp.where(joins, joined, near.joined),
    )
    return near, jnp.where(joins, new, -1)


def _added(
    config: Config,
    state: State,
    near: Near,
    plan: Plan,
    outcome: Outcome,
    deed: Deed,
    joined: jax.Array,
) -> Added:
    """Returns the new plant, if any, and the new arrows behind it."""
    counts = world.count_before(outcome.arrow >= 0)
    shooter = jnp.minimum(world.select_first(counts, MOST_ADDED), config.near - 1)
    cell = outcome.arrow[shooter]
    planted = jnp.where(deed.plants, world.cell(config, deed.x, deed.y), -2)
    hits = (_flown(near, plan) == planted).sum(dtype=jnp.int32)
    zeros = jnp.zeros_like(shooter)
    plant = Added(
        count=counts[-1] + deed.plants.astype(jnp.int32),
        kind=jnp.int32(_PLANT),
        x=deed.x,
        y=deed.y,
        health=jnp.maximum(_P["health"] - _A["damage"] * hits, 0),
        facing=jnp.int32(-1),
        counter=jnp.int32(0),
        joined=state.next_joined,
    )
    arrows = Added(
        count=counts[-1],
        kind=jnp.full_like(shooter, _ARROW),
        x=cell // config.area[1],
        y=cell % config.area[1],
        health=jnp.full_like(shooter, _A["health"]),
        facing=plan.facing[shooter],
        counter=zeros,
        joined=joined[shooter],
    )
    columns = [
        jnp.where(deed.plants, jnp.append(one, more[:-1]), more)
        for one, more in zip(plant[1:], arrows[1:])
    ]
    return Added(plant.count, *columns)

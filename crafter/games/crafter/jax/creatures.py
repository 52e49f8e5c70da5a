"""Updates of cows, zombies, skeletons, arrows and plants.

Objects act in index order, each after the effects of those before it. `_plan` computes
intentions, target cells and materials of all objects at once; `_settle` resolves the
short sequential part, and its effects are again applied at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import after, count_before, look_up, select_first
from crafter.functional.precision import at_least
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import world
from crafter.games.crafter.jax.player import Planted
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.jax.world import Objects, Turn

_KINDS = ("cow", "zombie", "skeleton")
#: Random numbers per object and step.
DRAWS = 5
#: Maximum number of objects added in one step: a plant, and arrows.
MOST_ADDED = 16
# Objects per iteration that are compared with all others. On CPUs a loop is faster than
# a reduction; unrolling it fully is no faster, and slow to compile.
_UNROLL = 8


# Cells are numbered x * stride + y here, where the stride is the height of the map plus
# 1, so that neighbours are 1 or a stride apart. -1 is no target; `_GONE`, far from
# everything, is the cell of a missing object.
_GONE = -(2**14)


class Plan(NamedTuple):
    """Intended moves of objects, independent of each other; arrays of shape (K,).

    Attributes:
      acts: Whether it is near enough to act.
      at: Its cell, `_GONE` for none.
      first: First target cell, where a skeleton retreats; -1 for none.
      second: Target cell if the first is not free; -1 for none or outside the map.
      ground: Materials of first, second and own cell, int32 (3, K).
      stuck: Whether it would retreat to its own cell.
      shoots: Whether it shoots into the second cell.
      facing: Direction of the second cell.
      goer: Kind that enters the second cell: its own, or an arrow.
      hits_before: Number of arrows that hit it before its turn.
    """

    acts: jax.Array
    at: jax.Array
    first: jax.Array
    second: jax.Array
    ground: jax.Array
    stuck: jax.Array
    shoots: jax.Array
    facing: jax.Array
    goer: jax.Array
    hits_before: jax.Array


class Outcome(NamedTuple):
    """Executed moves of objects; cells of shape (K,), `_GONE` for none.

    Attributes:
      at: Its cell after its update.
      arrow: Cell of the arrow it shot.
      broke: Cell whose material it destroyed.
      enemy: Whether an enemy of plants was adjacent, bool.
    """

    at: jax.Array
    arrow: jax.Array
    broke: jax.Array
    enemy: jax.Array


def update(turn: Turn, plant: Planted, draws: jax.Array) -> State:
    """Updates the objects near the player, and returns the state.

    Args:
      turn: The step after the player's update.
      plant: The plant placed by the player.
      draws: Numbers in [0, 1), float32 (K, DRAWS); row k is for object k.
    """
    config, state = turn.config, turn.state
    turn = _count_time(turn)
    near, plan = sparse.once((turn.near, _plan(turn, draws)), state.step)
    turn = turn._replace(near=near)
    planted = jnp.where(plant.happens, _spot(config, plant.x, plant.y), _GONE)
    here = _spot(config, state.player_x, state.player_y)
    outcome = _settle(turn, plan, here, planted)
    joined = state.next_joined + 1 + np.arange(config.max_active, dtype=np.int32)
    added, number = _new_objects(turn, plan, outcome, plant, planted, joined)
    turn = _wound(_strike(turn, plan, outcome, here), plan, outcome)
    turn, chunks = _move_objects(turn, outcome, joined)
    new = world.chunk_of(config, added.x, added.y)
    new = jnp.where(np.arange(MOST_ADDED, dtype=np.int32) < number, new, -1)
    chunks, joined = jnp.append(chunks, new), jnp.append(joined, added.joined)
    x, y = _position(config, outcome.broke)
    x = jnp.where(outcome.broke >= 0, x, config.area[0])
    # Ordered after the check for deadly ground under the player.
    x = after(x, turn.state.inventory[t.HEALTH] > 0)
    left = int(config.tables.arrow_leaves)
    turn = turn.change(
        materials=state.materials.at[x, y].set(left, mode="drop"),
        chunk_joined=world.join_chunks(state.chunk_joined, chunks, joined),
        next_joined=state.next_joined + config.max_active + 1,
    )
    return world.write(turn, added, number)


def _spot(config: Config, x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns the numbers of cells, -1 outside the map; int16 if they fit."""
    stride = config.area[1] + 1
    small = jnp.int16 if config.area[0] * stride < 2**14 else jnp.int32
    number = jnp.where(world.inside(config, x, y), x * stride + y, -1)
    return number.astype(small)


def _position(config: Config, spot: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns columns and rows of cells, int32."""
    stride, number = config.area[1] + 1, spot.astype(jnp.int32)
    return number // stride, number % stride


def _offset(turn: Turn) -> tuple[jax.Array, jax.Array]:
    return turn.state.player_x - turn.near.x, turn.state.player_y - turn.near.y


def _acts(turn: Turn) -> jax.Array:
    dx, dy = _offset(turn)
    return (turn.near.kind > 0) & (abs(dx) + abs(dy) < turn.config.reach)


def _count_time(turn: Turn) -> Turn:
    """Advances the counters of skeletons and plants."""
    near, acts = turn.near, _acts(turn)
    change = (acts & (near.kind == t.PLANT)).astype(jnp.int32)
    reloads = acts & (near.kind == t.SKELETON) & (near.counter > 0)
    return turn.change_near(counter=near.counter + change - reloads.astype(jnp.int32))


def _toward(
    dx: jax.Array, dy: jax.Array, long_axis: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the step along one axis toward an offset (dx, dy)."""
    along_x = (abs(dx) > abs(dy)) == long_axis
    return jnp.where(along_x, jnp.sign(dx), 0), jnp.where(along_x, 0, jnp.sign(dy))


def _below(draw: jax.Array, chance: float) -> jax.Array:
    """Compares draws with a chance, as in double precision."""
    return draw < at_least(chance)


def _plan(turn: Turn, draws: jax.Array) -> Plan:
    """Plans the moves of objects.

    Draws: a skeleton retreats (0, the axis), shoots (1), chases (2) or wanders (4); a
    zombie chases (0) or wanders; a cow moves (0). Draw 3 picks the axis of a chase, or
    the direction.
    """
    config, near = turn.config, turn.near
    cow, zombie, skeleton = (config.rules.creatures[n] for n in _KINDS)
    kind, acts = near.kind, _acts(turn)
    is_zombie, is_skeleton, is_arrow = (
        kind == one for one in (t.ZOMBIE, t.SKELETON, t.ARROW)
    )
    dx, dy = _offset(turn)
    distance = abs(dx) + abs(dy)
    u0, u1, u2, u3, u4 = (draws[:, i] for i in range(DRAWS))

    back_x, back_y = _toward(dx, dy, _below(u0, skeleton["long_axis_chance"]))
    retreats = acts & is_skeleton & (distance <= skeleton["retreat_distance"])
    back_x, back_y = near.x - back_x, near.y - back_y
    first = jnp.where(retreats, _spot(config, back_x, back_y), -1)

    aims = is_skeleton & (distance <= skeleton["shoot_distance"])
    aims &= _below(u1, skeleton["shoot_chance"])
    hunts = is_skeleton & (distance <= skeleton["sight"])
    hunts &= _below(u2, skeleton["chase_chance"])
    strays = is_skeleton & ~aims & ~hunts & _below(u4, skeleton["wander_chance"])
    chases = is_zombie & (distance <= zombie["sight"])
    chases &= _below(u0, zombie["chase_chance"])
    strays |= (is_zombie & ~chases) | ((kind == t.COW) & _below(u0, cow["move_chance"]))
    long_axes = (_below(u3, rule["long_axis_chance"]) for rule in (zombie, skeleton))
    ahead_x, ahead_y = _toward(dx, dy, aims | jnp.where(is_zombie, *long_axes))
    way = jnp.where(is_arrow, near.facing, (u3 * 4).astype(jnp.int32))
    approaches = aims | hunts | chases
    step_x = jnp.where(approaches, ahead_x, look_up(world.DIRECTIONS[:, 0], way))
    step_y = jnp.where(approaches, ahead_y, look_up(world.DIRECTIONS[:, 1], way))
    loaded = (near.counter == 0) & ((step_x != 0) | (step_y != 0))
    tries = acts & jnp.where(aims, loaded, approaches | strays | is_arrow)
    next_x, next_y = near.x + step_x, near.y + step_y
    second = jnp.where(tries, _spot(config, next_x, next_y), -1)

    at = jnp.where(kind > 0, _spot(config, near.x, near.y), _GONE)
    x = jnp.stack([back_x, next_x, near.x])
    y = jnp.stack([back_y, next_y, near.y])
    along_x = jnp.where(step_x > 0, t.RIGHT, t.LEFT)
    along_y = jnp.where(step_y > 0, t.DOWN, t.UP)
    return Plan(
        acts=acts,
        at=at,
        first=jnp.where(first == at, -1, first),
        second=jnp.where(second == at, -1, second),
        ground=world.material(config, turn.state, x, y),
        stuck=retreats & (first == at),
        shoots=acts & aims,
        facing=jnp.where(step_x != 0, along_x, along_y),
        goer=jnp.where(aims, t.ARROW, kind),
        hits_before=_hits(is_arrow & acts, second, at, later=False),
    )


def _hits(
    arrows: jax.Array, second: jax.Array, at: jax.Array, later: bool
) -> jax.Array:
    """Counts the arrows that hit the cell of each object, int32 (K,).

    Args:
      arrows: Mask of acting arrows.
      second: Target cells of the arrows.
      at: Cell of each object.
      later: Whether to count arrows after the object in order, or before it.
    """
    flown = jnp.where(arrows, second, -1)
    order = jnp.arange(len(at), dtype=jnp.int32)

    def add(count: jax.Array, arrow: tuple[jax.Array, jax.Array]) -> Any:
        number, cell = arrow
        in_turn = order < number if later else order > number
        return count + (in_turn & (at == cell)).astype(jnp.int32), None

    start = jnp.zeros(len(at), jnp.int32)
    return jax.lax.scan(add, start, (order, flown), unroll=_UNROLL)[0]


# Bits of the surroundings of an object at its turn: first or second target cell taken;
# first or second one destroyed in this step; an adjacent enemy.
_TAKEN_1, _TAKEN_2, _BROKEN_1, _BROKEN_2, _ENEMY = 1, 2, 4, 8, 16


def _settle(turn: Turn, plan: Plan, here: jax.Array, planted: jax.Array) -> Outcome:
    """Resolves the turns of objects in order.

    Everything else is precomputed, so that a turn is a few comparisons. No object
    blocks itself, since `_plan` excludes own cells from the targets. But a removed
    skeleton can retreat to its own cell.
    """
    config = turn.config
    traits = _traits(turn, plan)
    order = jnp.arange(config.max_active, dtype=jnp.int32)
    # Packed into bits: a loop over fewer arrays runs and compiles faster.
    word = jnp.zeros_like(order, jnp.int16)
    for bit, trait in enumerate(traits.values()):
        word |= _flag(trait, 1 << bit)
    surroundings = jnp.zeros(config.max_active, jnp.int16)
    for bit, target in ((_TAKEN_1, plan.first), (_TAKEN_2, plan.second)):
        surroundings |= _flag((target == here) | (target == planted), bit)

    def look(
        surroundings: jax.Array, other: tuple[jax.Array, jax.Array, jax.Array]
    ) -> Any:
        number, at, hostile = other
        bits = _beside(config, plan, at, hostile)
        return surroundings | jnp.where(order < number, bits, jnp.int16(0)), None

    others = order, plan.at, jnp.where(traits["hostile"], plan.at, _GONE)
    surroundings, _ = jax.lax.scan(look, surroundings, others, unroll=_UNROLL)

    def take_turn(surroundings: jax.Array, row: tuple[jax.Array, ...]) -> Any:
        number, at, first, second, word = row
        own = {name: (word >> bit) & 1 == 1 for bit, name in enumerate(traits)}
        outcome = _act(at, first, second, own, surroundings[number])
        hostile = jnp.where(own["hostile"], outcome.at, _GONE)
        bits = _beside(config, plan, outcome.at, hostile)
        bits |= _flag(plan.first == outcome.arrow, _TAKEN_1)
        bits |= _flag(plan.second == outcome.arrow, _TAKEN_2)
        bits |= _flag(plan.first == outcome.broke, _BROKEN_1)
        bits |= _flag(plan.second == outcome.broke, _BROKEN_2)
        return surroundings | jnp.where(order > number, bits, jnp.int16(0)), outcome

    rows = sparse.once((order, plan.at, plan.first, plan.second, word), plan.at)
    return jax.lax.scan(take_turn, surroundings, rows)[1]


def _flag(condition: jax.Array, bit: int) -> jax.Array:
    return jnp.where(condition, jnp.int16(bit), jnp.int16(0))


def _beside(config: Config, plan: Plan, at: jax.Array, hostile: jax.Array) -> jax.Array:
    """Returns the surroundings bits of all objects due to one object, (K,).

    Args:
      config: Static configuration.
      plan: The intended moves.
      at: Cell of the object.
      hostile: The same cell if it is an enemy of plants, else `_GONE`.
    """
    apart = abs(plan.at - hostile)
    bits = _flag(plan.first == at, _TAKEN_1) | _flag(plan.second == at, _TAKEN_2)
    return bits | _flag((apart == 1) | (apart == config.area[1] + 1), _ENEMY)


def _traits(turn: Turn, plan: Plan) -> dict[str, jax.Array]:
    """Returns properties of objects before their turns, bool (K,).

    Returns:
      shoots, acts: As in `Plan`.
      open_1, open_2: Whether it, or its arrow, may enter the target cells' materials.
      broken_1, broken_2: The same after the cell's material is destroyed.
      dead: Whether it is removed at the start.
      returns: Whether it is removed and retreats to its own cell.
      flies: Whether it is an arrow.
      breaks: Whether it is an arrow that destroys the second cell's material.
      hostile: Whether it is an enemy of plants.
      trampled: Whether it is a plant that an adjacent enemy would destroy.
      withered: Whether it is a plant without health.
    """
    near, tables, rules = turn.near, turn.config.tables, turn.config.rules.creatures
    is_arrow, is_plant = near.kind == t.ARROW, near.kind == t.PLANT
    health = near.health - rules["arrow"]["damage"] * plan.hits_before
    dead = plan.acts & ~is_arrow & ~is_plant & (health <= 0)
    # Bits of the materials that each kind may enter.
    sets = (tables.walkable * (1 << np.arange(t.MATERIALS))).sum(1).astype(np.int32)
    walkable = jnp.stack([look_up(sets, k) for k in (near.kind, plan.goer)])
    opened = (walkable >> plan.ground[:2]) & 1 == 1
    once_broken = (walkable >> int(tables.arrow_leaves)) & 1 == 1
    home = (walkable[0] >> plan.ground[2]) & 1 == 1
    return {
        "shoots": plan.shoots,
        "acts": plan.acts,
        "open_1": opened[0],
        "open_2": opened[1],
        "broken_1": once_broken[0],
        "broken_2": once_broken[1],
        "dead": dead,
        "returns": dead & plan.stuck & home,
        "flies": is_arrow,
        "breaks": plan.acts & is_arrow & look_up(tables.arrow_destroys, plan.ground[1]),
        "hostile": look_up(tables.plant_enemies, near.kind),
        "trampled": is_plant & (health - rules["plant"]["damage"] <= 0),
        "withered": is_plant & (health <= 0),
    }


def _act(
    at: jax.Array,
    first: jax.Array,
    second: jax.Array,
    own: dict[str, jax.Array],
    surroundings: jax.Array,
) -> Outcome:
    """Resolves the turn of one object.

    Args:
      at: Its cell.
      first: First target cell.
      second: Target cell if the first is not free.
      own: Its traits.
      surroundings: Bits of its surroundings.
    """
    taken_1, taken_2, broken_1, broken_2, enemy = (
        (surroundings & bit) > 0
        for bit in (_TAKEN_1, _TAKEN_2, _BROKEN_1, _BROKEN_2, _ENEMY)
    )
    open_1 = own["open_1"] | (broken_1 & own["broken_1"])
    open_2 = own["open_2"] | (broken_2 & own["broken_2"])
    free_1 = (first >= 0) & open_1 & ~taken_1
    free_2 = (second >= 0) & open_2 & ~taken_2 & ~free_1 & ~own["returns"]
    vanishes = own["withered"] | (own["trampled"] & enemy) | (own["flies"] & ~free_2)
    gone = own["dead"] | (own["acts"] & vanishes)
    moved = jnp.where(free_2 & ~own["shoots"], second, at)
    moved = jnp.where(free_1, first, moved)
    return Outcome(
        at=jnp.where(gone, _GONE, moved),
        arrow=jnp.where(own["shoots"] & free_2, second, _GONE),
        broke=jnp.where(own["breaks"] & ~taken_2 & ~free_2, second, _GONE),
        enemy=enemy,
    )


def _strike(turn: Turn, plan: Plan, outcome: Outcome, here: jax.Array) -> Turn:
    """Applies the damage of arrows and zombies to the player."""
    near, state, rules = turn.near, turn.state, turn.config.rules.creatures
    zombie, arrow = rules["zombie"], rules["arrow"]
    x, y = _position(turn.config, jnp.where(outcome.at >= 0, outcome.at, plan.at))
    distance = abs(x - state.player_x) + abs(y - state.player_y)
    reaches = plan.acts & (near.kind == t.ZOMBIE) & (distance <= zombie["reach"])
    strikes = reaches & (near.counter == 0)
    pierces = plan.acts & (near.kind == t.ARROW) & (plan.second == here)
    damage = jnp.where(state.sleeping, zombie["damage_asleep"], zombie["damage"])
    lost = damage * strikes.sum(dtype=jnp.int32)
    lost += arrow["damage"] * pierces.sum(dtype=jnp.int32)
    health = jnp.maximum(state.inventory[t.HEALTH] - lost, 0)
    is_health = np.arange(len(t.ITEMS)) == t.HEALTH
    counter = near.counter - reaches.astype(jnp.int32)
    counter = jnp.where(strikes, zombie["cooldown"], counter)
    counter = jnp.where(outcome.arrow >= 0, rules["skeleton"]["reload"], counter)
    inventory = jnp.where(is_health, health, state.inventory)
    return turn.change(inventory=inventory).change_near(counter=counter)


def _wound(turn: Turn, plan: Plan, outcome: Outcome) -> Turn:
    """Applies damage to objects that were hit or trampled."""
    near, rules = turn.near, turn.config.rules.creatures
    arrows = plan.acts & (near.kind == t.ARROW)
    hits = _hits(arrows, plan.second, outcome.at, later=True)
    lost = rules["arrow"]["damage"] * (plan.hits_before + hits)
    tramples = plan.acts & (near.kind == t.PLANT) & outcome.enemy
    lost += jnp.where(tramples, rules["plant"]["damage"], 0)
    return turn.change_near(health=jnp.maximum(near.health - lost, 0))


def _move_objects(
    turn: Turn, outcome: Outcome, joined: jax.Array
) -> tuple[Turn, jax.Array]:
    """Moves objects to their new cells; also returns the chunks they joined."""
    config, near, gone = turn.config, turn.near, outcome.at < 0
    x, y = _position(config, outcome.at)
    x, y = jnp.where(gone, near.x, x), jnp.where(gone, near.y, y)
    new = world.chunk_of(config, x, y)
    joins = new != world.chunk_of(config, near.x, near.y)
    kind, joined = jnp.where(gone, 0, near.kind), jnp.where(joins, joined, near.joined)
    turn = turn.change_near(kind=kind, x=x, y=y, joined=joined)
    return turn, jnp.where(joins, new, -1)


def _new_objects(
    turn: Turn,
    plan: Plan,
    outcome: Outcome,
    plant: Planted,
    planted: jax.Array,
    joined: jax.Array,
) -> tuple[Objects, jax.Array]:
    """Returns the new plant (if any) followed by the new arrows, and their number."""
    rules, shot = turn.config.rules.creatures, outcome.arrow >= 0
    counts = count_before(shot)
    shooter = select_first(shot, counts, MOST_ADDED)
    shooter = jnp.minimum(shooter, turn.config.max_active - 1)
    x, y = _position(turn.config, outcome.arrow[shooter])
    arrows = plan.acts & (turn.near.kind == t.ARROW)
    hits = (arrows & (plan.second == planted)).sum(dtype=jnp.int32)
    health = rules["plant"]["health"] - rules["arrow"]["damage"] * hits
    first = Objects(
        kind=jnp.int32(t.PLANT),
        x=plant.x,
        y=plant.y,
        health=jnp.maximum(health, 0),
        facing=jnp.int32(-1),
        counter=jnp.int32(0),
        joined=turn.state.next_joined,
    )
    others = Objects(
        kind=jnp.full_like(shooter, t.ARROW),
        x=x,
        y=y,
        health=jnp.full_like(shooter, rules["arrow"]["health"]),
        facing=plan.facing[shooter],
        counter=jnp.zeros_like(shooter),
        joined=joined[shooter],
    )
    added = jax.tree.map(
        lambda one, more: jnp.where(plant.happens, jnp.append(one, more[:-1]), more),
        first,
        others,
    )
    return added, counts[-1] + plant.happens.astype(jnp.int32)

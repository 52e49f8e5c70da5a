"""Action masks: which actions may have an effect now."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import actions, body, boss, engine, magic
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.jax.tables import is_verb


def action_mask(config: Config, params: EnvParams, state: State) -> jax.Array:
    """Returns the mask of actions that may differ in effect from `noop`.

    Args:
      config: Static configuration.
      params: Dynamic parameters.
      state: The game state.

    Returns:
      int8 of shape (43,), as `crafter.games.craftax.affordances.action_mask`.
    """
    turn = engine.look_ahead(engine.enter(Turn(config, state, params)))
    down, up = actions.can_climb(turn)

    def verbs(own: Turn) -> dict[str, jax.Array]:
        launches = magic.can_launch(own) & ~own.floor.player_projectiles.mask.all()
        return {
            "do": _can_do(turn),
            "sleep": state.player_energy < body.maximum(turn, "energy"),
            "rest": _can_rest(turn),
            "descend": down,
            "ascend": up,
            "move": _can_move(own),
            "place": actions.can_place(own),
            "make": actions.can_make(own),
            "shoot": launches,
            "cast": launches,
            "drink": actions.affords(own),
            "read": actions.affords(own),
            "enchant": magic.can_enchant(own)[0],
            "level_up": _can_level_up(own),
        }

    return _each(turn, verbs)


def _each(turn: Turn, verbs: Callable[[Turn], dict[str, jax.Array]]) -> jax.Array:
    """Returns each action's value of its verb in `verbs`; missing verbs are true."""
    config, state = turn.config, turn.state

    def may(number: jax.Array) -> jax.Array:
        own = turn._replace(action=t.action_row(config.tables, number))
        by_verb = verbs(own)
        of_verb = [is_verb(own.action, verb) for verb in by_verb]
        return jnp.select(of_verb, list(by_verb.values()), jnp.bool_(True))

    numbers = np.arange(len(config.tables.actions), dtype=np.int32)
    waits = state.is_sleeping | state.is_resting
    mask = jnp.where(waits, numbers == 0, jax.vmap(may)(jnp.asarray(numbers)))
    return mask.astype(jnp.int8)


def puffer_mask(config: Config, params: EnvParams, state: State) -> jax.Array:
    """Returns the mask of actions that the player can afford.

    Arguments and result as for `action_mask`; see
    `crafter.games.craftax.affordances.puffer_mask`.
    """
    turn = engine.enter(Turn(config, state, params))
    down, up = actions.can_climb(turn)
    gems = np.array([t.HELD[row.gem] for row in config.tables.elements.values()])
    items = state.items.astype(jnp.int32)
    owned = items[t.HELD["sword"]], items[t.ARMOUR].max(), items[t.HELD["bow"]]
    values = jnp.stack(list(state.attributes.values()))

    def verbs(own: Turn) -> dict[str, jax.Array]:
        action, affords = own.action, actions.affords(own)
        enchants = t.take(jnp.stack(owned), action.number) > 0
        enchants &= (t.take(items, gems) > 0).any() & (state.player_mana >= action.mana)
        grows = t.take(values, action.number) < params.max_attribute
        return {
            "sleep": state.player_energy < body.maximum(own, "energy"),
            "rest": state.player_health < body.maximum(own, "health"),
            "descend": down,
            "ascend": up,
            "place": affords,
            "make": affords & actions.gains(own),
            "shoot": magic.can_launch(own),
            "cast": magic.can_launch(own),
            "drink": affords,
            "read": affords,
            "enchant": enchants,
            "level_up": (state.player_xp >= 1) & grows,
        }

    return _each(turn, verbs)


#: Kind of mask -> function.
MASKS = {"exact": action_mask, "puffer": puffer_mask}


def _can_move(turn: Turn) -> jax.Array:
    direction = turn.action.number
    turned = engine.look_ahead(turn.change(player_direction=direction))
    free = actions.is_free(turned)
    return (direction != turn.state.player_direction) | free


def _can_do(turn: Turn) -> jax.Array:
    """Returns whether the creature or block in front can be attacked or used."""
    front = turn.front
    block = engine.block_of(front.cell)
    is_boss = block == t.BLOCK[turn.rules["boss"]["block"]]
    hits = turn.state.in_graveyard & boss.is_vulnerable(turn)
    is_chest = block == t.BLOCK["chest"]
    opens = front.inside
    closed = turn.config.applied("closed_map")
    if closed:
        hits &= front.inside
    if not (closed or turn.config.applied("chest_bounds")):
        opens |= ~turn.floor.chests_opened
    collects = front.inside & _can_collect(turn, block)
    uses = jnp.select([is_boss, is_chest], [hits, opens], collects)
    return engine.is_anyone(turn.floor.creatures, front.at) | uses


def _can_collect(turn: Turn, block: jax.Array) -> jax.Array:
    """Returns whether collecting a block is possible and changes anything."""
    state, tables = turn.state, turn.config.tables
    row, _ = t.collected(tables, block)
    changes = row.leaves >= 0
    changes |= ((row.gives > 0) & (state.items < t.limits(tables))).any()
    for place, (vital, counter) in enumerate(zip(t.RESTORED, t.RESET)):
        lacks = getattr(state, f"player_{vital}") < body.maximum(turn, vital)
        counts = getattr(state, f"player_{counter}") != 0
        changes |= (row.restores[place] > 0) & lacks
        changes |= (row.resets == place) & counts
    changes |= (row.achievement >= 0) & ~t.take(state.achievements, row.achievement)
    return changes & (state.items[t.HELD["pickaxe"]] >= row.pickaxe)


def _can_rest(turn: Turn) -> jax.Array:
    state = turn.state
    hurt = state.player_health < body.maximum(turn, "health")
    hurt |= _hit_may_come(turn)
    return hurt & (state.player_food > 0) & (state.player_drink > 0)


def _hit_may_come(turn: Turn) -> jax.Array:
    """Returns whether the player may be hit in this step, before the rest begins."""
    rules, config = turn.rules["behaviour"], turn.config
    mobs, shots = turn.floor.creatures, turn.floor.mob_projectiles
    here = turn.state.player_position
    distance = abs(mobs.position - here).sum(-1)
    attacks = mobs.mask & (mobs.attack_cooldown <= 0)
    melee, ranged = config.part("melee"), config.part("ranged")
    hit = (attacks & (distance == rules["melee"]["reach"]))[melee].any()
    for position in (shots.position, shots.position + shots.direction):
        hit |= (shots.mask & engine.same(position, here)).any()
    slots = (~shots.mask).sum()
    near, far = rules["ranged"]["near"], rules["ranged"]["far"]
    for shoots, cells in zip(attacks[ranged], distance[ranged]):
        shoots &= slots > 0
        hit |= shoots & (cells <= 1)
        slots = slots - (shoots & (near < cells) & (cells < far))
    return hit


def _can_level_up(turn: Turn) -> jax.Array:
    new_floor, _ = actions.is_new_floor(turn)
    if turn.config.applied("ladder_entry"):
        new_floor = jnp.bool_(False)
    values = jnp.stack(list(turn.state.attributes.values()))
    grows = t.take(values, turn.action.number) < turn.params.max_attribute
    return (turn.state.player_xp + new_floor.astype(jnp.int32) >= 1) & grows

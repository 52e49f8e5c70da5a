"""Which actions may have an effect now."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import actions, body, boss, engine, magic
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.actions import Front
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.jax.tables import Deed, is_verb


def action_mask(config: Config, params: EnvParams, state: State) -> jax.Array:
    """Returns which actions may have an effect that waiting does not have.

    Args:
      config: What is fixed.
      params: What may change.
      state: The game.

    Returns:
      int8 of shape (43,), as `crafter.games.craftax.affordances.action_mask`.
    """
    floor = engine.enter(state)
    front = actions.look_ahead(config, state, floor)
    down, up = actions.can_climb(config, params, state)
    verbs = {
        "noop": jnp.bool_(True),
        "do": _can_do(config, state, floor, front),
        "sleep": state.player_energy < body.maximum(config, state, "energy"),
        "rest": _can_rest(config, state, floor),
        "descend": down,
        "ascend": up,
    }

    def may(number: jax.Array) -> jax.Array:
        deed = t.deed(config.tables, number)
        shot_slot = ~floor.own_shots.mask.all()
        by_verb = {
            **verbs,
            "move": _can_move(config, params, state, floor, deed),
            "place": actions.can_place(config, state, front, deed),
            "make": actions.can_make(config, state, deed),
            "shoot": magic.can_launch(state, deed) & shot_slot,
            "cast": magic.can_launch(state, deed) & shot_slot,
            "drink": actions.affords(state, deed),
            "read": actions.affords(state, deed),
            "enchant": magic.can_enchant(config, state, front, deed)[0],
            "level_up": _can_level_up(config, params, state, deed),
        }
        of_verb = [is_verb(deed, verb) for verb in by_verb]
        return jnp.select(of_verb, list(by_verb.values()))

    numbers = np.arange(len(config.tables.actions), dtype=np.int32)
    waits = state.is_sleeping | state.is_resting
    return jnp.where(waits, numbers == 0, jax.vmap(may)(jnp.asarray(numbers))).astype(
        jnp.int8
    )


def _can_move(
    config: Config, params: EnvParams, state: State, floor: Floor, deed: Deed
) -> jax.Array:
    turned = state._replace(player_direction=deed.number)
    front = actions.look_ahead(config, turned, floor)
    free = actions.is_free(config, params, front)
    return (deed.number != state.player_direction) | free


def _can_do(config: Config, state: State, floor: Floor, front: Front) -> jax.Array:
    """Returns whether what is in front can be attacked, or its block be used."""
    block = engine.block_of(front.cell)
    is_boss = block == t.BLOCK[config.tables.data["boss"]["block"]]
    hits = state.in_graveyard & boss.is_vulnerable(config, state, floor)
    is_chest = block == t.BLOCK["chest"]
    opens = front.inside
    if not config.repaired("chest_bounds"):
        opens |= ~floor.chest_opened
    collects = front.inside & _can_collect(config, state, block)
    uses = jnp.select([is_boss, is_chest], [hits, opens], collects)
    return front.taken | uses


def _can_collect(config: Config, state: State, block: jax.Array) -> jax.Array:
    """Returns whether a block gives anything, and that would change anything."""
    row, _ = t.collected(config.tables, block)
    changes = row.leaves >= 0
    changes |= ((row.gives > 0) & (state.items < actions.limits(config))).any()
    for vital, amount in (("food", row.food), ("drink", row.drink)):
        most = body.maximum(config, state, vital)
        changes |= (amount > 0) & (getattr(state, f"player_{vital}") < most)
    changes |= (row.resets_hunger > 0) & (state.player_hunger != 0)
    changes |= (row.resets_thirst > 0) & (state.player_thirst != 0)
    changes |= (row.achievement >= 0) & ~t.take(state.achievements, row.achievement)
    able = (row.known > 0) & (state.items[t.HELD["pickaxe"]] >= row.pickaxe)
    return able & changes


def _can_rest(config: Config, state: State, floor: Floor) -> jax.Array:
    hurt = state.player_health < body.maximum(config, state, "health")
    hurt |= _hit_may_come(config, state, floor)
    return hurt & (state.player_food > 0) & (state.player_drink > 0)


def _hit_may_come(config: Config, state: State, floor: Floor) -> jax.Array:
    """Returns whether the player may be hit in this step, before it rests."""
    rules, mobs, shots = config.tables.data["behaviour"], floor.mobs, floor.shots
    distance = abs(mobs.position - state.player_position).sum(-1)
    attacks = mobs.mask & (mobs.attack_cooldown <= 0)
    melee, ranged = config.part("melee"), config.part("ranged")
    hit = (attacks & (distance == rules["melee"]["reach"]))[melee].any()
    for position in (shots.position, shots.position + shots.direction):
        hit |= (shots.mask & engine.same(position, state.player_position)).any()
    slots = (~shots.mask).sum()
    near, far = rules["ranged"]["near"], rules["ranged"]["far"]
    for shoots, cells in zip(attacks[ranged], distance[ranged]):
        shoots &= slots > 0
        hit |= shoots & (cells <= 1)
        slots = slots - (shoots & (near < cells) & (cells < far))
    return hit


def _can_level_up(
    config: Config, params: EnvParams, state: State, deed: Deed
) -> jax.Array:
    new_floor, _ = actions.is_new_floor(config, state)
    values = jnp.stack(list(state.attributes.values()))
    grows = t.take(values, deed.number) < params.max_attribute
    return (state.player_xp + new_floor.astype(jnp.int32) >= 1) & grows

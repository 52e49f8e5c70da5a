"""Action masks: which actions may have an effect."""

from __future__ import annotations

from crafter.compiled.jit import compiled, inner
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import player, world

_ACTIONS = len(t.ACTIONS)


@compiled
def fill_masks(games, indices, tables, masks):
    """Fills action masks, like `crafter.games.crafter.affordances.action_mask`.

    Args:
      games: Records of all games.
      indices: Indices of the games to mask, int64 (n,).
      tables: Parameters of the rules, an array of one record.
      masks: Output, int8 (n, 17).
    """
    for place in range(len(indices)):
        _fill(games[indices[place]], tables[0], masks[place])


@inner
def _fill(g, rules, mask):
    facing = g.object_facing[0]
    x = g.object_x[0] + t.DIRECTIONS[facing, 0]
    y = g.object_y[0] + t.DIRECTIONS[facing, 1]
    tired = g.inventory[t.ENERGY] < rules.limits[t.ENERGY]
    for action in range(_ACTIONS):
        verb, argument = t.ACTION_VERB[action], t.ACTION_ARGUMENT[action]
        may = verb == t.NOOP
        if g.sleeping and tired:
            pass
        elif verb == t.MOVE:
            may = argument != facing or _can_move(g, rules, argument)
        elif verb == t.DO:
            may = world.inside(g, x, y) and _can_do(g, rules, x, y)
        elif verb == t.SLEEP:
            may = tired
        elif verb == t.PLACE:
            may = world.inside(g, x, y) and player.can_place(g, rules, argument, x, y)
        elif verb == t.MAKE:
            may = player.can_make(g, rules, argument)
        mask[action] = may


@inner
def _can_move(g, rules, direction):
    """Returns whether moving would succeed, or kill the player where it stands."""
    x, y = g.object_x[0], g.object_y[0]
    nx, ny = x + t.DIRECTIONS[direction, 0], y + t.DIRECTIONS[direction, 1]
    burns = rules.deadly[g.materials[x, y]] != 0
    return burns or world.is_free(g, rules, g.object_kind[0], nx, ny)


@inner
def _can_do(g, rules, x, y):
    slot = g.occupants[x, y] - 1
    if slot < 0:
        return player.can_collect(g, rules, g.materials[x, y])
    verb = rules.do_verb[g.object_kind[slot]]
    ripe = g.object_counter[slot] > rules.plant_ripe
    return verb == t.STRIKE or (verb == t.EAT and ripe)

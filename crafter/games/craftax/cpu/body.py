"""Body of the player: sleep, rest, hunger, thirst, fatigue, healing and mana."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.player import achieve, factor, maximum, restore, single

_DECAY, _MANA_FACTOR = t.FACTORS.index("decay"), t.FACTORS.index("mana")


@inner
def update_rest(g, rules, verb):
    """Updates whether the player sleeps or rests."""
    rested = g.vitals[t.ENERGY] >= maximum(g, rules, 1 + t.ENERGY)
    if verb == t.SLEEP and not rested:
        g.sleeping = True
    if g.sleeping and rested:
        g.sleeping = False
        achieve(g, rules, rules.waking)
    hurt = g.health < maximum(g, rules, 0)
    if verb == t.REST and hurt:
        g.resting = True
    fed = g.vitals[t.FOOD] > 0 and g.vitals[t.WATER] > 0
    if g.resting and not (hurt and fed):
        g.resting = False


@inner
def update_counters(g, rules):
    """Updates hunger, thirst, fatigue, health and mana."""
    decay = factor(g, rules, _DECAY)
    _wear(g, rules, t.HUNGER, _pace(g, rules, t.HUNGER) * decay)
    _wear(g, rules, t.THIRST, _pace(g, rules, t.THIRST) * decay)
    if g.sleeping:
        tired = g.counters[t.FATIGUE] + _pace(g, rules, t.FATIGUE)
        g.counters[t.FATIGUE] = min(tired, 0.0)
    else:
        _wear(g, rules, t.FATIGUE, _pace(g, rules, t.FATIGUE) * decay)
    if g.counters[t.FATIGUE] < rules.rested:
        g.counters[t.FATIGUE] = 0
        restore(g, rules, t.ENERGY, 1)
    _heal(g, rules)
    _regain_mana(g, rules)


@inner
def _pace(g, rules, counter):
    return rules.pace[counter, 1 if g.sleeping else 0]


@inner
def _wear(g, rules, counter, amount):
    count = g.counters[counter] + amount
    if count > rules.limit[counter]:
        count = 0.0
        vital = rules.lowers[counter]
        # In the graveyard, vitals do not drop.
        cost = 0 if g.level == rules.boss_floor else 1
        g.vitals[vital] = max(g.vitals[vital] - cost, 0)
    g.counters[counter] = count


@inner
def _heal(g, rules):
    lacking = g.vitals[t.FOOD] <= 0 or g.vitals[t.WATER] <= 0
    lacking = lacking or (g.vitals[t.ENERGY] <= 0 and not g.sleeping)
    count = g.counters[t.RECOVER]
    if not lacking:
        count += _pace(g, rules, t.RECOVER)
    elif g.level != rules.boss_floor:
        count += rules.lacking_pace[1 if g.sleeping else 0]
    if count > rules.recover_gain:
        count = 0.0
        g.health = min(single(g.health + 1), float(maximum(g, rules, 0)))
    elif count < rules.recover_loss:
        count = 0.0
        g.health = single(g.health - 1)
    g.counters[t.RECOVER] = count


@inner
def _regain_mana(g, rules):
    times, pace = factor(g, rules, _MANA_FACTOR), _pace(g, rules, t.RECOVER_MANA)
    count = g.counters[t.RECOVER_MANA]
    count = count + pace * times if rules.mana_growth else (count + pace) * times
    if count > rules.limit[t.RECOVER_MANA]:
        count = 0.0
        if g.vitals[t.MANA] < maximum(g, rules, 1 + t.MANA):
            g.vitals[t.MANA] += 1
    g.counters[t.RECOVER_MANA] = count


@inner
def limit(g, rules):
    """Clips the inventory, health and vitals to their limits."""
    for i in range(len(g.items)):
        g.items[i] = min(g.items[i], rules.item_limit[i])
    lowest = rules.god_health if rules.god_mode else 0.0
    g.health = min(max(g.health, lowest), float(maximum(g, rules, 0)))
    for i in range(len(g.vitals)):
        g.vitals[i] = min(max(g.vitals[i], 0), maximum(g, rules, 1 + i))


@inner
def achieve_possessions(g, rules):
    """Unlocks the achievements that depend on the inventory alone."""
    for i in range(len(rules.possessed_item)):
        if g.items[rules.possessed_item[i]] >= rules.possessed_amount[i]:
            achieve(g, rules, rules.possessed_achievement[i])

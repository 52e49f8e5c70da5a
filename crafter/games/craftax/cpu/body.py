"""The body of the player: sleep, rest, hunger, thirst, fatigue, healing and mana."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.player import achieve, factor, maximum, restore, single

_FOOD, _DRINK, _ENERGY, _MANA = range(len(t.VITALS))
_HUNGER, _THIRST, _FATIGUE, _RECOVER, _RECOVER_MANA = range(len(t.COUNTERS))
_DECAY, _MANA_FACTOR = t.FACTORS.index("decay"), t.FACTORS.index("mana")
_SLEEP, _REST = t.VERBS.index("sleep"), t.VERBS.index("rest")


@inner
def update_rest(g, rules, unlocked, verb):
    """Falls asleep, wakes, sits down to rest, or gets up."""
    rested = g.vitals[_ENERGY] >= maximum(g, rules, 1 + _ENERGY)
    if verb == _SLEEP and not rested:
        g.sleeping = True
    if g.sleeping and rested:
        g.sleeping = False
        achieve(g, rules, unlocked, rules.waking)
    hurt = g.health < maximum(g, rules, 0)
    if verb == _REST and hurt:
        g.resting = True
    fed = g.vitals[_FOOD] > 0 and g.vitals[_DRINK] > 0
    if g.resting and not (hurt and fed):
        g.resting = False


@inner
def update_counters(g, rules):
    """Gets hungry, thirsty and tired, heals or suffers, and regains mana."""
    decay = factor(g, rules, _DECAY)
    _wear(g, rules, _HUNGER, _pace(g, rules, _HUNGER) * decay)
    _wear(g, rules, _THIRST, _pace(g, rules, _THIRST) * decay)
    if g.sleeping:
        tired = g.counters[_FATIGUE] + _pace(g, rules, _FATIGUE)
        g.counters[_FATIGUE] = min(tired, 0.0)
    else:
        _wear(g, rules, _FATIGUE, _pace(g, rules, _FATIGUE) * decay)
    if g.counters[_FATIGUE] < rules.rested:
        g.counters[_FATIGUE] = 0
        restore(g, rules, _ENERGY, 1)
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
        # Nobody hungers in the graveyard.
        cost = 0 if g.level == rules.boss_floor else 1
        g.vitals[vital] = max(g.vitals[vital] - cost, 0)
    g.counters[counter] = count


@inner
def _heal(g, rules):
    lacking = g.vitals[_FOOD] <= 0 or g.vitals[_DRINK] <= 0
    lacking = lacking or (g.vitals[_ENERGY] <= 0 and not g.sleeping)
    count = g.counters[_RECOVER]
    if not lacking:
        count += _pace(g, rules, _RECOVER)
    elif g.level != rules.boss_floor:
        count += rules.lacking_pace[1 if g.sleeping else 0]
    if count > rules.recover_gain:
        count = 0.0
        g.health = min(single(g.health + 1), float(maximum(g, rules, 0)))
    elif count < rules.recover_loss:
        count = 0.0
        g.health = single(g.health - 1)
    g.counters[_RECOVER] = count


@inner
def _regain_mana(g, rules):
    times, pace = factor(g, rules, _MANA_FACTOR), _pace(g, rules, _RECOVER_MANA)
    count = g.counters[_RECOVER_MANA]
    count = count + pace * times if rules.mana_growth else (count + pace) * times
    if count > rules.limit[_RECOVER_MANA]:
        count = 0.0
        if g.vitals[_MANA] < maximum(g, rules, 1 + _MANA):
            g.vitals[_MANA] += 1
    g.counters[_RECOVER_MANA] = count


@inner
def limit(g, rules):
    """Brings everything within its limits."""
    for i in range(len(g.items)):
        g.items[i] = min(g.items[i], rules.item_limit[i])
    lowest = rules.god_health if rules.god_mode else 0.0
    g.health = min(max(g.health, lowest), float(maximum(g, rules, 0)))
    for i in range(len(g.vitals)):
        g.vitals[i] = min(max(g.vitals[i], 0), maximum(g, rules, 1 + i))


@inner
def achieve_possessions(g, rules, unlocked):
    """Unlocks the achievements that the inventory alone decides."""
    for i in range(len(rules.possessed_item)):
        if g.items[rules.possessed_item[i]] >= rules.possessed_amount[i]:
            achieve(g, rules, unlocked, rules.possessed_achievement[i])

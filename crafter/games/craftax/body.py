"""Body of the player: sleep, rest, hunger, thirst, fatigue, healing and mana."""

from __future__ import annotations

from typing import Any

from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import single


def update_rest(player: Player, action: str) -> None:
    """Updates whether the player sleeps or rests."""
    rested = player.energy >= player.maxima["energy"]
    if action == "sleep":
        _lie_down(player, "sleeping", not rested, "fell_asleep", "not_tired")
    if player.sleeping and rested:
        player.wake("rested")
        tables = player.world.tables
        player.achieve(tables.achievement_ids[tables.data["waking"]])
    if action == "rest":
        hurt = player.health < player.maxima["health"]
        _lie_down(player, "resting", hurt, "rested", "not_hurt")
    if player.resting:
        _get_up(player)


def _lie_down(
    player: Player, state: str, possible: bool, event: str, reason: str
) -> None:
    if possible:
        setattr(player, state, True)
        player.world.emit(event)
    else:
        player.reject(reason)


def _get_up(player: Player) -> None:
    if player.health >= player.maxima["health"]:
        cause = "healthy"
    elif player.food <= 0:
        cause = "hungry"
    elif player.drink <= 0:
        cause = "thirsty"
    else:
        return
    player.resting = False
    player.world.emit("stood_up", cause=cause)


def update_counters(player: Player) -> None:
    """Updates hunger, thirst, fatigue, health and mana."""
    rules = player.world.tables.data["intrinsics"]
    pace = "asleep" if player.sleeping else "awake"
    decay = player.factors["decay"]
    _wear(player, "hunger", rules["hunger"][pace] * decay, rules["hunger"])
    _wear(player, "thirst", rules["thirst"][pace] * decay, rules["thirst"])
    _tire(player, rules["fatigue"], decay)
    _heal(player, rules["recover"], pace)
    _regain_mana(player, rules["recover_mana"], pace)


def _wear(player: Player, counter: str, amount: float, rule: dict[str, Any]) -> None:
    count = getattr(player, counter) + amount
    if count > rule["limit"]:
        count = 0.0
        _lower(player, rule["lowers"])
    setattr(player, counter, count)


def _lower(player: Player, name: str) -> None:
    """Lowers food, drink or energy by one, except in the graveyard."""
    before = getattr(player, name)
    after = max(before - (0 if player.in_graveyard else 1), 0)
    setattr(player, name, after)
    if after != before:
        player.world.emit("vital", name=name, frm=before, to=after)


def _tire(player: Player, rule: dict[str, Any], decay: float) -> None:
    if player.sleeping:
        player.fatigue = min(player.fatigue + rule["asleep"], 0.0)
    else:
        _wear(player, "fatigue", rule["awake"] * decay, rule)
    if player.fatigue < rule["rested"]:
        player.fatigue = 0.0
        gain = player.restore("energy", 1)
        if gain:
            now = player.energy
            player.world.emit("vital", name="energy", frm=now - gain, to=now)


def _lacking(player: Player) -> list[str]:
    """Returns the counters of the depleted vitals, such as `hunger`."""
    lacking = [] if player.food > 0 else ["hunger"]
    lacking += [] if player.drink > 0 else ["thirst"]
    lacking += [] if player.energy > 0 or player.sleeping else ["fatigue"]
    return lacking


def _heal(player: Player, rule: dict[str, Any], pace: str) -> None:
    lacking = _lacking(player)
    if not lacking:
        player.recover += rule[pace]
    elif not player.in_graveyard:
        player.recover += rule[f"lacking_{pace}"]
    if player.recover > rule["gain"]:
        player.recover = 0.0
        before = player.health
        player.health = min(single(before + 1), float(player.maxima["health"]))
        if player.health > before:
            player.world.emit("healed", amount=player.health - before, by="recovery")
        elif player.health < before:  # a potion went over the maximum
            player.world.emit("limited", name="health", frm=before, to=player.health)
    elif player.recover < rule["loss"]:
        player.recover = 0.0
        player.health = single(player.health - 1)
        player.hurt_by += lacking
        for cause in lacking[:1]:
            player.world.emit("hurt", amount=1.0, absorbed=0.0, by=cause, slot=None)


def _regain_mana(player: Player, rule: dict[str, Any], pace: str) -> None:
    factor = player.factors["mana"]
    if "mana_growth" in player.world.tables.applied:
        count = player.recover_mana + rule[pace] * factor
    else:
        count = (player.recover_mana + rule[pace]) * factor
    if count > rule["limit"]:
        count = 0.0
        if player.mana < player.maxima["mana"]:
            player.mana += 1
            player.world.emit("vital", name="mana", frm=player.mana - 1, to=player.mana)
    player.recover_mana = count


def limit(player: Player) -> None:
    """Clips the inventory and vitals to their limits."""
    for name, most, parts in player.world.tables.limits:
        amount = player.inventory[name]
        if parts:
            if max(amount) > most:
                _limit_parts(player, name, most)
        elif amount > most:
            player.inventory[name] = most
            player.world.emit("limited", name=name, frm=amount, to=most)
    lowest = 0.0
    if player.world.parameters.god_mode:
        lowest = float(player.world.tables.data["player"]["god_health"])
    if not lowest <= player.health <= player.maxima["health"]:
        _limit_vital(player, "health", lowest, float(player.maxima["health"]))
    for name in ("food", "drink", "energy", "mana"):
        if not 0 <= getattr(player, name) <= player.maxima[name]:
            _limit_vital(player, name, 0, player.maxima[name])


def _limit_parts(player: Player, name: str, most: int) -> None:
    parts = player.inventory[name]
    player.inventory[name] = [min(part, most) for part in parts]
    for key, part in zip(player.world.tables.inventory_keys[name] or (), parts):
        if part > most:
            player.world.emit("limited", name=key, frm=part, to=most)


def _limit_vital(player: Player, name: str, low: float, high: float) -> None:
    before = getattr(player, name)
    after = min(max(before, low), high)
    setattr(player, name, after)
    player.world.emit("limited", name=name, frm=before, to=after)

"""Bow, spells, potions, books, enchantments and attributes: verbs of `actions`."""

from __future__ import annotations

from crafter.games.craftax import combat
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import single


def shoot(player: Player, what: str, draws: Draws) -> None:
    """Shoots an arrow in the facing direction."""
    tables = player.world.tables
    rule = tables.data["shot"]
    _launch(player, tables.projectile_ids[what])
    player.use(rule["uses"])
    player.achieve(tables.achievement_ids[rule["achievement"]])


def cast(player: Player, what: str, draws: Draws) -> None:
    """Casts a spell in the facing direction."""
    spell = player.world.tables.spells[what]
    _launch(player, spell.projectile)
    _spend_mana(player, spell.mana)
    player.achieve(spell.achievement)


def _launch(player: Player, kind: int) -> None:
    """Launches a projectile from the player's cell."""
    shots = player.floor.player_projectiles
    combat.launch(player, shots, kind, player.position, player.facing)


def _spend_mana(player: Player, amount: int) -> None:
    player.mana -= amount
    player.world.emit("spent", name="mana", amount=amount)


def drink(player: Player, what: str, draws: Draws) -> None:
    """Drinks a potion; the effect depends on the episode's colour mapping."""
    world = player.world
    tables, potions = world.tables, player.inventory["potions"]
    colour = tables.data["inventory"]["potions"]["each"].index(what)
    potions[colour] -= 1
    rule = tables.data["potions"]
    for name, amount in rule["effects"][world.potion_mapping[colour]].items():
        value = getattr(player, name) + amount
        setattr(player, name, single(value) if name == "health" else value)
        world.emit("potion", colour=what, name=name, change=amount)
        if name == "health" and amount < 0:
            player.hurt_by.append("potion")
            world.emit("hurt", amount=-amount, absorbed=0.0, by="potion", slot=None)
        elif name == "health":
            world.emit("healed", amount=amount, by="potion")
    player.achieve(tables.achievement_ids[rule["achievement"]])


def read(player: Player, what: str, draws: Draws) -> None:
    """Reads a book, and learns an unknown spell if any is left."""
    world = player.world
    unknown = [i for i, known in enumerate(player.learned_spells) if not known]
    # The book is used up even if no spell is left to learn.
    number = 0 if not unknown else unknown[0]
    if len(unknown) == len(player.learned_spells):
        number = draws.book_spell
    name, spell = list(world.tables.spells.items())[number]
    player.inventory["books"] -= 1
    player.learned_spells[number] = True
    world.emit("read", spell=name if unknown else None)
    player.achieve(spell.learned)


def enchant(player: Player, what: str, draws: Draws) -> None:
    """Enchants the sword, the bow or a piece of armour at an enchantment table."""
    world, data, floor = player.world, player.world.tables.data, player.floor
    element = world.tables.elements[floor.blocks[floor.seen_cell(*player.target)]]
    named = what
    if what == "armour":
        piece = _armour_piece(player, element.id, draws.enchant_armour_u)
        player.armour_enchantments[piece] = element.id
        named = data["inventory"]["armour"]["each"][piece]
    else:
        setattr(player, f"{what}_enchantment", element.id)
    player.inventory[element.gem] -= 1
    _spend_mana(player, data["enchanting"]["mana"])
    world.emit("enchanted", what=named, element=element.name)
    achievement = data["enchanting"]["achievements"].get(what)
    if achievement is not None:
        player.achieve(world.tables.achievement_ids[achievement])


def _armour_piece(player: Player, element: int, draw: float) -> int:
    """Returns the index of the armour piece to enchant.

    Pieces without enchantment come first, then pieces with another element. In the
    published game the piece need not be worn, and the first one is "enchanted" again if
    all have the element.
    """
    enchantments = list(enumerate(player.armour_enchantments))
    if "armour_enchantment" in player.world.tables.applied:
        worn = player.inventory["armour"]
        enchantments = [(i, old) for i, old in enchantments if worn[i]]
    pieces = [i for i, old in enchantments if not old]
    pieces = pieces or [i for i, old in enchantments if old != element]
    return pieces[int(draw * len(pieces))] if pieces else 0


def level_up(player: Player, what: str, draws: Draws) -> None:
    """Spends experience on an attribute."""
    player.xp -= 1
    value = player.attributes[what] + 1
    player.attributes = {**player.attributes, what: value}
    player.world.emit("levelled_up", attribute=what, to=value)

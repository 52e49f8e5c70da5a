"""Events of a step as plain records, in the style of `crafter.core.events`.

The rules emit an event where they act (`world.emit`), so nothing is reconstructed by
comparing states. An event is a dict with its `type` and the fields listed in `FIELDS`.
Positions are (row, column) on the floor of the player, except those of plants, which
grow on the overworld. `slot` is the place of a creature in its class on the floor.
Emitting draws no random number and changes nothing.

Accounting:
  * Health: start + sum of `healed.amount` - sum of `hurt.amount` + what `limited` says
    of health = end. `hurt.absorbed` is what armour and enchantments took off.
  * Food, drink, energy and mana: start + `ate.gain` (food) + `collected.gain` (drink) +
    `potion.change` - `spent.amount` (mana) + what `vital` and `limited` say = end.
  * Countable items: start + `collected.gain` + `found.gain` + `made.gain` (arrows and
    torches) + what `limited` says, minus what the rules say that `placed`, `made`,
    `shot`, `potion`, `read` and `enchanted` use up = end. Of a tool that is no better
    than the own one `found.gain` is 0.
"""

from crafter.core.events import EventLog, ignore

__all__ = ["FIELDS", "REASONS", "EventLog", "ignore"]

#: Event type -> its fields.
FIELDS: dict[str, tuple[str, ...]] = {
    # The player on the map.
    "moved": ("frm", "to"),
    "turned": ("facing",),
    "blocked": ("at", "by"),
    "entered": ("floor", "frm", "at"),
    "ladder_opened": ("floor",),
    # Gathering, placing, making.
    "collected": ("what", "at", "gain", "tool"),
    "missed": ("what", "at"),
    "removed": ("what", "at"),
    "placed": ("what", "at", "on"),
    "made": ("what", "gain"),
    "opened": ("what", "at", "first"),
    "found": ("what", "gain"),
    # Bow, spells, potions, books, enchanting, attributes.
    "shot": ("what", "by", "slot", "frm", "direction"),
    "spent": ("name", "amount"),
    "potion": ("colour", "name", "change"),
    "read": ("spell",),
    "enchanted": ("what", "element"),
    "levelled_up": ("attribute", "to"),
    # Fighting.
    "hit": ("kind", "slot", "at", "damage", "absorbed", "left", "by"),
    "defeated": ("kind", "slot", "at", "by"),
    "boss_hit": ("progress", "needed"),
    "wave_started": ("wave", "steps"),
    "wave_ended": ("wave",),
    "projectile_stopped": ("what", "by", "slot", "at", "against"),
    "station_lost": ("what", "at"),
    "hurt": ("amount", "absorbed", "by", "slot"),
    "died": ("by",),
    "won": (),
    # The body.
    "ate": ("what", "at", "gain"),
    "fell_asleep": (),
    "woke": ("cause",),
    "rested": (),
    "stood_up": ("cause",),
    "healed": ("amount", "by"),
    "vital": ("name", "frm", "to"),
    "limited": ("name", "frm", "to"),
    # The rest of the world.
    "spawned": ("kind", "slot", "at"),
    "despawned": ("kind", "slot", "at"),
    "plant_ripe": ("at",),
    "dusk": ("n",),
    "dawn": ("n",),
    "new_day": ("n",),
    # Progress.
    "unlocked": ("achievement", "reward"),
    "rejected": ("action", "reason", "missing"),
}

#: Why an action had no effect: the first test of the rules that failed.
REASONS = (
    "asleep",  # the player sleeps, and cannot act
    "resting",  # the player rests, and cannot act
    "no_item",  # an item that the action uses up is short
    "no_station",  # a table or furnace is not near
    "no_tool",  # the pickaxe that the block needs is missing
    "no_weapon",  # there is no sword, bow or armour for this
    "has_better",  # the tool or armour is owned already, or a better one
    "full",  # no more of it can be carried
    "bad_target",  # the cell cannot be used in this way
    "occupied",  # a creature stands in the target cell
    "nothing_there",  # there is nothing to use in the target cell
    "off_the_map",  # the target cell is outside the map
    "unripe",  # the plant is not ripe
    "not_tired",  # energy is full
    "not_hurt",  # health is full
    "no_ladder",  # there is no such ladder under the player
    "ladder_shut",  # too few monsters were killed on this floor
    "no_mana",  # mana is short
    "not_learned",  # the spell is unknown
    "too_many_shots",  # all slots for projectiles of the player are in use
    "no_table",  # the player does not face an enchantment table
    "no_gem",  # the ruby or sapphire is missing
    "no_experience",  # there is no experience to spend
    "at_maximum",  # the attribute cannot grow
    "boss_protected",  # the boss can be hit only after its wave
    "no_plant_slot",  # too many plants grow already
)

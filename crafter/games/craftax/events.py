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

from crafter.core import events

#: What only Crafter has.
_ELSEWHERE = ("plant_lost", "arrow_shot", "arrow_stopped", "edge_quirk")

#: Event type -> its fields.
FIELDS: dict[str, tuple[str, ...]] = {
    **{name: own for name, own in events.FIELDS.items() if name not in _ELSEWHERE},
    # Where the player is.
    "entered": ("floor", "frm", "at"),
    "ladder_opened": ("floor",),
    # What it takes and makes.
    "removed": ("what", "at"),
    "made": ("what", "gain"),
    "opened": ("what", "at", "first"),
    "found": ("what", "gain"),
    # What it can do besides.
    "shot": ("what", "by", "slot", "frm", "direction"),
    "spent": ("name", "amount"),
    "potion": ("colour", "name", "change"),
    "read": ("spell",),
    "enchanted": ("what", "element"),
    "levelled_up": ("attribute", "to"),
    # Creatures and fights.
    "spawned": ("kind", "slot", "at"),
    "despawned": ("kind", "slot", "at"),
    "hit": ("kind", "slot", "at", "damage", "absorbed", "left", "by"),
    "defeated": ("kind", "slot", "at", "by"),
    "boss_hit": ("progress", "needed"),
    "wave_started": ("wave", "steps"),
    "wave_ended": ("wave",),
    "projectile_stopped": ("what", "by", "slot", "at", "against"),
    # Body and achievements.
    "hurt": ("amount", "absorbed", "by", "slot"),
    "won": (),
    "rested": (),
    "stood_up": ("cause",),
    "healed": ("amount", "by"),
    "limited": ("name", "frm", "to"),
    "unlocked": ("achievement", "reward"),
}

#: Why an action had no effect: the first test of the rules that failed.
REASONS = (
    *(reason for reason in events.REASONS if reason not in _ELSEWHERE),
    "asleep",  # the player sleeps, and cannot act
    "resting",  # the player rests, and cannot act
    "no_weapon",  # there is no sword, bow or armour for this
    "has_better",  # the tool or armour is owned already, or a better one
    "full",  # no more of it can be carried
    "off_the_map",  # the target cell is outside the map
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
